"""Records of who is where: a tab of a browser that says so while it is open."""

from __future__ import annotations

from typing import Literal

from octavo.kernel.records import Record

Doing = Literal["reading", "editing"]


class Presence(Record, frozen=True):
    """Somebody with a space open, until `seen_at` is too long ago."""

    space: str
    organization: str
    user: str
    word: str
    """Of the tab, chosen by it."""
    change_request: str | None
    """None = primary content."""
    page: str | None
    doing: Doing
    node: str | None
    """Key of the block in which is written."""
    since: int
    seen_at: int
