"""Visits: the short tokens by which a renderer reads a site with exactly the rights of one of its visitors.

A token is a JWT, as the renderer reads its end and its claims. It is the same all day for the same visitor's rights, as it is
part of the key under which the renderer keeps answers.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import Any

import msgspec

from octavo.kernel.clock import DAY, SECOND
from octavo.kernel.records import Json
from octavo.kernel.records.sites import SiteAuth

DAYS = 2
"""A token ends with the day after this one, in UTC."""
_ALGORITHM = "HS256"
_BEGINS = "eyJ"


class Visit(msgspec.Struct, frozen=True):
    """What was found out when somebody was let in, as the token says it."""

    site: str
    claims: Json = {}
    """What is known of the visitor: see `site.visitor`."""
    share: str | None = None
    """The share link that let them in, by its id; they are out when it is."""
    auth: str | None = None
    """A sign of the key by which they showed who they are; they are out when it is made anew."""
    drafts: bool = False
    only: str | None = None
    """The space that alone they see."""
    own: str | None = None
    """The space that alone they see as the claims and drafts say."""
    change_request: str | None = None
    """Which they look at in its place."""
    revision: str | None = None
    """Which they look at instead."""
    until: int | None = None
    """Milliseconds; of who looks at the site ahead of its visitors, and needs nothing else to be let in."""

    @property
    def ahead(self) -> bool:
        """Whether it is a preview."""
        return self.until is not None


def sign_of(auth: SiteAuth) -> str:
    """What tells the key of a site from the one before."""
    return blake2b(auth.sealed_key.encode(), digest_size=6).hexdigest()


def is_visit(secret: str) -> bool:
    """Whether a secret looks like the token of a visit, and like no other."""
    return secret.startswith(_BEGINS) and secret.count(".") == 2


def write(key: bytes, visit: Visit, now: int) -> str:
    """The token; the same all day."""
    import jwt  # with the first visit

    ends = (now // DAY + DAYS) * DAY
    until = (ends if visit.until is None else min(ends, visit.until)) // SECOND
    said = {name: value for name, value in msgspec.to_builtins(visit).items() if value or name == "claims"}
    return jwt.encode({"kind": "site", **said, "exp": until}, key, algorithm=_ALGORITHM)


def read(key: bytes, token: str, now: int) -> Visit | None:
    """The inverse; None for what was altered, is over, or is another kind of token."""
    import jwt

    options: Any = {"verify_exp": False, "require": ["exp"]}  # by our own clock, below
    try:
        said = jwt.decode(token, key, algorithms=[_ALGORITHM], options=options)
        visit = msgspec.convert(said, Visit)
    except (jwt.InvalidTokenError, msgspec.ValidationError):
        return None
    ends = said["exp"]
    return visit if said.get("kind") == "site" and isinstance(ends, int) and now < ends * SECOND else None
