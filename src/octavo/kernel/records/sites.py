"""Sites and what they are made of."""

from __future__ import annotations

from typing import Literal

from octavo.kernel.records import Json, Level, Record

WISHED = "?"
"""Begins a hostname of which nobody has shown that it is the site's to have: it is nowhere served."""


class Site(Record, frozen=True):
    id: str
    organization: str
    title: str
    created_at: int
    type: str = "basic"
    basename: str | None = None
    hostname: str | None = None
    """As it is kept: see `WISHED`."""
    visibility: Literal["public", "unlisted", "share-link", "visitor-auth"] = "public"
    published: bool = False
    agents_context: Literal["included", "excluded"] = "included"
    adaptive_enabled: bool = False
    icon: Json | None = None
    proxy: str | None = None
    default_level: Level | None = "inherit"
    customization: Json | None = None
    site_spaces: int = 0

    @property
    def host(self) -> str | None:
        """The hostname on which it answers."""
        return None if self.hostname is None or self.hostname.startswith(WISHED) else self.hostname

    @property
    def wanted_host(self) -> str | None:
        """The hostname that was given to it, shown to be its own or not."""
        return None if self.hostname is None else self.hostname.removeprefix(WISHED)


class SiteSection(Record, frozen=True):
    id: str
    organization: str
    site: str
    title: str
    path: str
    position: str
    default: bool = False
    description: str | None = None
    condition: str | None = None
    group: str | None = None
    icon: str | None = None
    draft: bool = False


class SiteSectionGroup(Record, frozen=True):
    id: str
    organization: str
    site: str
    title: str
    position: str
    icon: str | None = None
    parent: str | None = None
    draft: bool = False


class SiteSpace(Record, frozen=True):
    id: str
    organization: str
    site: str
    space: str
    title: str
    path: str
    position: str
    default: bool = False
    section: str | None = None
    condition: str | None = None
    hidden: bool = False
    draft: bool = False


class ShareLink(Record, frozen=True):
    id: str
    organization: str
    site: str
    name: str
    key: str
    active: bool
    created_at: int
