"""Sites and what they are made of."""

from __future__ import annotations

from typing import Literal

from octavo.kernel.records import Json, Level, Record


class Site(Record, frozen=True):
    id: str
    organization: str
    title: str
    created_at: int
    type: str = "basic"
    basename: str | None = None
    hostname: str | None = None
    """On which it answers: it was shown to be the site's to have."""
    wanted_hostname: str | None = None
    """That was asked for, proven or not."""
    hostname_wanted_at: int | None = None
    """When it was asked for."""
    visibility: Literal["public", "unlisted", "share-link", "visitor-auth"] = "public"
    published: bool = False
    agents_context: Literal["included", "excluded"] = "included"
    adaptive_enabled: bool = False
    icon: Json | None = None
    proxy: str | None = None
    default_level: Level | None = "inherit"
    customization: Json | None = None
    site_spaces: int = 0
    adaptive_schema: Json | None = None
    """What visitors may claim of themselves, as JSON Schema."""
    adaptive_updated_at: int | None = None
    customized_at: int | None = None


class HostnameProof(Record, frozen=True):
    """What is known of the hostname that a site asks for; of the same row as the site."""

    id: str
    organization: str
    hostname: str | None
    wanted_hostname: str | None
    hostname_wanted_at: int | None = None
    hostname_secret: str | None = None
    """What a TXT record has to say; None where the operator said that the site may have it."""
    hostname_checked_at: int | None = None
    """When the proof was last there, or for one that never was, when it was last looked for."""
    hostname_problem: str | None = None
    """Why the last check found no proof: a sentence."""


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
    localized_title: Json | None = None
    """Language -> title."""
    localized_description: Json | None = None


class SiteSectionGroup(Record, frozen=True):
    id: str
    organization: str
    site: str
    title: str
    position: str
    icon: str | None = None
    parent: str | None = None
    draft: bool = False
    localized_title: Json | None = None


class SiteExternalLink(Record, frozen=True):
    """An entry of a site's navigation that leads elsewhere; it stands among sections and groups."""

    id: str
    organization: str
    site: str
    title: str
    url: str
    position: str
    draft: bool = False
    description: str | None = None
    icon: str | None = None
    condition: str | None = None
    group: str | None = None
    localized_title: Json | None = None
    localized_description: Json | None = None


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
    page: str | None = None
    """The page that its address opens, where that is not the space's first."""
    customization: Json | None = None
    """What is set here on top of the site's."""
    customized_at: int | None = None


class ShareLink(Record, frozen=True):
    id: str
    organization: str
    site: str
    name: str
    key: str
    active: bool
    created_at: int


class SiteAuth(Record, frozen=True):
    """How visitors of a site with visibility `visitor-auth` show who they are."""

    site: str
    organization: str
    backend: Literal["custom", "integration"]
    sealed_key: str
    """The key of HS256 that signs visitors' tokens."""
    changed_at: int
    fallback_url: str | None = None
    logout_url: str | None = None
    integration: str | None = None


class SiteRedirect(Record, frozen=True):
    """An address of a site that leads elsewhere. A draft one may stand beside the one that holds."""

    id: str
    organization: str
    site: str
    source: str
    """Path below the site's, with a slash in front."""
    destination: Json
    created_at: int
    capture_wildcard: bool = False
    permanent: bool = False
    draft: bool = False
    updated_at: int | None = None


class SiteMcpServer(Record, frozen=True):
    """A server of tools that assistants on a site may ask."""

    id: str
    organization: str
    site: str
    name: str
    url: str
    transport: Literal["sse", "http"]
    sealed_headers: str
    """JSON, name -> value: they may hold credentials."""
    created_at: int
    condition: str | None = None


class Font(Record, frozen=True):
    """A font of an organization, for its sites."""

    id: str
    organization: str
    family: str
    faces: Json
    """`faces`: a list of {weight, blob, size, contentType}."""
    created_at: int
    updated_at: int


class PageFeedback(Record, frozen=True):
    """What one visitor thinks of a page; the last word counts."""

    id: str
    organization: str
    site: str
    space: str
    page: str
    visitor: str
    rating: Literal["bad", "ok", "good"]
    created_at: int
    comment: str | None = None
