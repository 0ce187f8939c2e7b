"""Visitors' tokens: JWTs that somebody else's login signs with the site's key, to say who reads."""

from __future__ import annotations

import time
from functools import lru_cache
from typing import Any

import msgspec

from octavo.kernel import limits
from octavo.kernel.records import Json

_LAST = 1 << 40
"""Seconds since 1970 that no token needs to outlast."""
_AHEAD = 60
"""Seconds by which the clock of a log-in may be ahead of ours."""
_KNOWN = 1000
"""Tokens that are known to hold: a few megabytes at most."""


class Token(msgspec.Struct, frozen=True):
    """A token that holds."""

    word: str
    claims: Json
    expires: float | None
    """Seconds since 1970; None for one that holds until the key changes."""


def read_token(word: str, key: str) -> Token | None:
    """The token, or None for one that is not signed by this key with HS256, has expired or does not hold yet.

    What its header says besides, such as a key's name or address, is never followed.
    """
    if not word or len(word) > limits.VISITOR_TOKEN_MAX:
        return None
    import jwt  # with the first token

    try:
        token = _checked(word, key)
    except (jwt.PyJWTError, ValueError, TypeError, OverflowError, RecursionError):
        return None
    # A token that held once holds until it expires.
    return token if token.expires is None or token.expires > time.time() else None


@lru_cache(maxsize=_KNOWN)
def _checked(word: str, key: str) -> Token:
    """A token that holds now; to check it again with each page took longer than the page. Refusals are not kept."""
    import jwt

    # For whom, by whom and of whom it was made are not asked: the key is the site's alone, and numbers are names elsewhere.
    asked: Any = {"verify_aud": False, "verify_iss": False, "verify_sub": False, "verify_jti": False}
    # The leeway is for its beginning: its end is looked at again, without one, by whoever asked.
    claims: dict[str, Any] = jwt.decode(word, key, algorithms=["HS256"], leeway=_AHEAD, options=asked)
    expires = claims.get("exp")
    # The end may be any number, or one written as text; beyond every clock it is as good as the last of them.
    return Token(word, claims, None if expires is None else float(min(int(expires), _LAST)))
