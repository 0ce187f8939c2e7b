"""The secrets of an export, in a file of their own: sealed, so that they come back only where the secret is the same."""

from __future__ import annotations

from pathlib import Path

import msgspec

from octavo.access.signing import Signer
from octavo.kernel.errors import BadRequest

SECRETS = "secrets.json"


class Vault:
    """Secrets by the names of what they belong to; sealing the same twice gives the same."""

    def __init__(self, signer: Signer, entries: dict[str, str] | None = None) -> None:
        """`entries` are name -> sealed word."""
        self._signer = signer
        self._entries = entries or {}

    @classmethod
    def of(cls, signer: Signer, folder: Path) -> Vault:
        """That of an export; one without the file has no secrets. Raises BadRequest for a file that cannot be read."""
        file = folder / SECRETS
        if not file.is_file():
            return cls(signer)
        try:
            return cls(signer, msgspec.json.decode(file.read_bytes(), type=dict[str, str]))
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise BadRequest(f"{SECRETS}: {error}") from error

    def put(self, name: str, words: str) -> None:
        """Keep words that are in clear."""
        self._entries[name] = self._signer.seal_alike(words, name)

    def put_sealed(self, name: str, sealed: str) -> None:
        """Keep words that this installation has sealed; what it cannot read itself any more is left out."""
        try:
            self.put(name, self._signer.unseal(sealed))
        except ValueError:
            return

    def get(self, name: str, sealed: str | None = None) -> str | None:
        """The words in clear; None for those that are not there, or sealed with another secret. `sealed` is what an older
        export says itself."""
        try:
            if sealed is not None:
                return self._signer.unseal(sealed)
            return self._signer.unseal_alike(self._entries[name], name) if name in self._entries else None
        except ValueError:
            return None

    def names(self, name: str) -> bool:
        """Whether there was a secret, readable here or not."""
        return name in self._entries

    def seal(self, words: str) -> str:
        """As rows of this installation hold secrets."""
        return self._signer.seal(words)

    @property
    def file(self) -> bytes | None:
        """What is written; None where there is no secret."""
        if not self._entries:
            return None
        return msgspec.json.format(msgspec.json.encode(dict(sorted(self._entries.items())))) + b"\n"
