"""Events: what happened, past tense, written in the transaction that made it happen; jobs react later."""

from __future__ import annotations

import msgspec


class Event(msgspec.Struct, frozen=True, kw_only=True, tag_field="event"):
    """The base of all events; `version` of the shape is part of the tag when it changes."""

    organization: str


class ContentChanged(Event, frozen=True, kw_only=True, tag="content_changed"):
    """The head of a space's primary content moved."""

    space: str
    revision: str


class GitImportRequested(Event, frozen=True, kw_only=True, tag="git_import_requested"):
    """An import was accepted; `payload` is sealed where it holds credentials."""

    space: str
    payload: dict[str, object]
    user: str | None = None


class SpaceChanged(Event, frozen=True, kw_only=True, tag="space_changed"):
    """Title, access or place of a space changed, or it came to be."""

    space: str


class SiteChanged(Event, frozen=True, kw_only=True, tag="site_changed"):
    """A site, or what it shows, changed."""

    site: str
