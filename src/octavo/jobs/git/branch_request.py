"""What a job and the child process that looks at branches say to each other; apart, so that the server need not import
the child."""

from __future__ import annotations

import msgspec


class LookRequest(msgspec.Struct):
    """Where to look, and what is known of it."""

    url: str
    ref: str | None
    """The branch whose commits are asked for; None = the names of all."""
    known: str
    """The commit that the space holds."""
    allow_private: bool
    allowed_hosts: list[str]
    max_bytes: int
    seconds: float
    also: str = ""
    """One from which its commits are not asked for either."""
    key: str | None = None
    """As those of an export."""
    host_key: str | None = None
