"""A letter: what is sent to one address by e-mail."""

from __future__ import annotations

import msgspec


class Letter(msgspec.Struct, frozen=True, kw_only=True):
    """Words for one address; they may hold secrets, and are stored and logged by nobody in clear."""

    to: str
    """One address, `ada@example.com`."""
    subject: str
    text: str
    """The whole letter as plain text."""
    html: str | None = None
    """The same as HTML, whose words are escaped; None = plain text only."""
    until: int | None = None
    """Milliseconds since 1970 after which it is worth nothing, as a code that has expired: it is not sent any more."""
    unsubscribe: str | None = None
    """Where the addressee says that such letters are not wanted; for letters that nobody asked for one by one."""
