"""The library: spaces, collections, grants."""

from __future__ import annotations

from typing import Literal

from octavo.kernel.records import Json, Level, Record, Role


class Collection(Record, frozen=True):
    id: str
    organization: str
    title: str
    position: str
    created_at: int
    description: str | None = None
    parent: str | None = None
    default_level: Level | None = "inherit"


class Space(Record, frozen=True):
    id: str
    organization: str
    title: str
    emoji: str
    position: str
    created_at: int
    updated_at: int
    revision: str
    """The head of primary content."""
    parent: str | None = None
    icon: str | None = None
    """Address of an icon image; exclusive with an emoji that was set."""
    edit_mode: Literal["live", "locked"] = "locked"
    default_level: Level | None = "inherit"
    language: str | None = None
    merge_rules: Json | None = None
    deleted_at: int | None = None
    comments: int = 0
    change_requests: int = 0
    change_requests_open: int = 0
    change_requests_draft: int = 0


class Grant(Record, frozen=True):
    """A role given to a user or a team on a space, collection or site."""

    organization: str
    kind: Literal["space", "collection", "site"]
    resource: str
    role: Role
    user: str | None = None
    team: str | None = None
