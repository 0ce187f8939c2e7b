"""Passwords: hashed and verified by argon2 in threads, and as slowly where there is none."""

from __future__ import annotations

import asyncio
import unicodedata
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import TYPE_CHECKING

from octavo.kernel import limits
from octavo.kernel.errors import BadRequest

if TYPE_CHECKING:
    from argon2 import PasswordHasher

AT_ONCE = 2
"""Verifications that run together: each takes a core and 19 MiB for tens of milliseconds."""
_threads = ThreadPoolExecutor(AT_ONCE, "passwords")


def hashed(password: str) -> str:
    """What is kept of a password. Raises BadRequest for one that is too short or too long; takes tens of milliseconds."""
    words = _plain(password)
    if not limits.PASSWORD_MIN <= len(words) <= limits.PASSWORD_MAX:
        raise BadRequest(f"a password has {limits.PASSWORD_MIN} to {limits.PASSWORD_MAX} characters")
    return _hasher().hash(words)


async def digest_of(password: str) -> str:
    """The same as `hashed`, beside the event loop. Not inside a unit."""
    return await asyncio.get_running_loop().run_in_executor(_threads, hashed, password)


async def matches(password: str, digest: str | None) -> bool:
    """Whether that is the password; without one it is none, and that takes as long to say. Not inside a unit."""
    return await asyncio.get_running_loop().run_in_executor(_threads, _verify, password, digest)


def _verify(password: str, digest: str | None) -> bool:
    from argon2.exceptions import InvalidHashError, VerificationError

    words = _plain(password)[: limits.PASSWORD_MAX + 1]
    try:
        return _hasher().verify(digest or _nobody(), words) and digest is not None
    except (VerificationError, InvalidHashError):
        return False


def _plain(password: str) -> str:
    """The same characters however a keyboard composes them."""
    return unicodedata.normalize("NFC", password)


@cache
def _hasher() -> PasswordHasher:
    # Imported with the first password: few starts need it. The parameters are OWASP's for argon2id with little memory.
    from argon2 import PasswordHasher

    return PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)


@cache
def _nobody() -> str:
    """What is verified where there is no password."""
    return _hasher().hash("nobody has this password")
