"""Backups that only the holder of a key reads: files of age, by its own library."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyrage

from octavo.backups.archive import Hashed
from octavo.kernel.errors import BadRequest

_BEGINS = b"age-encryption.org/v1\n"
_ENDS_EARLY = "is cut off or damaged: nothing of it is restored"


def recipients_of(words: Sequence[str]) -> list[Any]:
    """Those who may read, by their public keys `age1…`. Raises BadRequest for a word that is none."""
    try:
        return [pyrage.x25519.Recipient.from_str(word) for word in words]
    except pyrage.RecipientError as error:
        raise BadRequest("a recipient of backups has to be a public key age1…, as `age-keygen` prints") from error


def seal(source: Path, target: Path, recipients: Sequence[Any], stopped: threading.Event) -> None:
    """Write what only they read."""
    with source.open("rb") as plain, target.open("wb") as sealed:
        pyrage.encrypt_io(Hashed(plain, stopped), sealed, list(recipients))


def is_sealed(file: Path) -> bool:
    """Whether a key is needed to read it."""
    with file.open("rb") as read:
        return read.read(len(_BEGINS)) == _BEGINS


def unseal(source: Path, target: Path, identity: Path | None, called: str) -> None:
    """Write what it holds. Raises BadRequest where that cannot be: without a key, with another one, or when it is damaged."""
    if identity is None:
        raise BadRequest(f"{called} is encrypted: name the file with the secret key by `--identity`")
    keys = _keys(identity)
    try:
        with source.open("rb") as sealed, target.open("wb") as plain:
            pyrage.decrypt_io(sealed, plain, keys)
    except pyrage.DecryptError as error:
        if "matching keys" in str(error).lower():
            raise BadRequest(f"{called} is encrypted for another key than those in {identity}") from error
        raise BadRequest(f"{called} {_ENDS_EARLY}") from error
    except (OSError, ValueError, EOFError) as error:
        if getattr(error, "errno", None) is not None:
            raise  # of this machine, such as a full disk
        raise BadRequest(f"{called} {_ENDS_EARLY}") from error


def _keys(identity: Path) -> list[Any]:
    """The secret keys of a file as `age-keygen` writes it."""
    try:
        words = [line.strip() for line in identity.read_text("utf-8").splitlines()]
        keys = [pyrage.x25519.Identity.from_str(word) for word in words if word and not word.startswith("#")]
    except (UnicodeDecodeError, pyrage.IdentityError) as error:
        raise BadRequest(f"{identity} holds no secret key AGE-SECRET-KEY-1…, as `age-keygen` writes it") from error
    if not keys:
        raise BadRequest(f"{identity} holds no secret key AGE-SECRET-KEY-1…, as `age-keygen` writes it")
    return keys
