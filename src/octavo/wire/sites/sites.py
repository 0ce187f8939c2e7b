"""Sites: what publishes spaces."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta

from octavo.kernel import limits
from octavo.kernel.clock import iso
from octavo.kernel.records import sites as records
from octavo.wire.fields import (
    Basename,
    Body,
    DateTime,
    Id,
    Level,
    Maybe,
    Shape,
    SiteHostname,
    SiteProxy,
    SiteTitle,
    Visibility,
    code_points,
    maybe,
    permissions,
    trimmed,
)
from octavo.wire.lists import ListQuery
from octavo.wire.view import View

PERMISSIONS = (
    "view", "access", "edit", "create", "admin", "installIntegration", "viewAdaptiveSchema", "editAdaptiveSchema",
)  # fmt: skip
"""The keys of a site's `permissions`."""

SiteType = Literal["basic", "premium", "ultimate", "sponsored", "legacy-basic", "legacy-premium"]
AgentsContext = Literal["included", "excluded"]
Icon = Annotated[dict[str, Any], Meta(description="`icon` {light, dark}, or `emoji`, or nothing")]


class SiteFeature(Shape, frozen=True):
    id: str
    plan: SiteType
    frozen: bool
    customizations: list[str]


_CUSTOMIZATIONS = [
    "header-logo", "header-primary-link", "theme-preset", "premium-fonts", "custom-icons", "footer-logo",
    "footer-links", "footer-copyright", "semantic-colors",
]  # fmt: skip
_FEATURES = (
    "adaptive-content", "advanced-customization", "advanced-insights", "api-playground", "basic-customization",
    "broken-links", "custom-domain", "custom-fonts", "custom-subdirectory", "full-text-search", "multivariant-site",
    "page-feedback", "page-traffic-insights", "pdf-export", "preview-deployments", "public-visibility", "redirects",
    "search-insights", "sections", "seo", "share-links", "unlisted-visibility", "visitor-authentication", "visitors",
)  # fmt: skip

FEATURES = [
    SiteFeature(f"sites-{name}", "basic", False, _CUSTOMIZATIONS if name == "advanced-customization" else [])
    for name in _FEATURES
]
"""Every site has every feature."""


class Proxy(Shape, frozen=True):
    origin: str
    """Address of the directory on the other host."""
    target: str
    """Address of the site here."""


class AdaptiveContent(Shape, frozen=True):
    enabled: bool


class SiteAds(Shape, frozen=True):
    status: Literal["pending", "in-review", "live", "rejected", "disabled"]
    submittable: Maybe[bool] = UNSET


LOGIN, LOGOUT = "~octavo/login", "~octavo/logout"
"""Where visitors log in and out, below the address of a site."""


class SiteUrls(Shape, frozen=True):
    location: str
    app: str
    preview: str
    published: Maybe[str] = UNSET
    login: Maybe[str] = UNSET
    """Where visitors of a published site log in who have to, and come back from; `location` is the path that they want."""
    logout: Maybe[str] = UNSET
    """Where they log out."""


class Site(Shape, tag_field="object", tag="site", frozen=True):
    id: str
    type: SiteType
    applied_type: SiteType
    title: str
    visibility: Visibility
    published: bool
    site_spaces: int
    created_at: DateTime
    adaptive_content: AdaptiveContent
    agents_context: AgentsContext
    default_level: Level | None
    features: list[SiteFeature]
    urls: SiteUrls
    permissions: Annotated[dict[str, bool], permissions(*PERMISSIONS)]
    icon: Maybe[Icon | None] = UNSET
    hostname: Maybe[str] = UNSET
    basename: Maybe[str] = UNSET
    proxy: Maybe[Proxy] = UNSET
    ads: Maybe[SiteAds] = UNSET


class CreateSite(Body, frozen=True):
    """`spaces` are ids of spaces to show, or makes a space: `sample` with content, `empty` without."""

    type: SiteType = "basic"
    title: Maybe[SiteTitle] = UNSET
    visibility: Visibility = "public"
    spaces: Maybe[list[Id] | Literal["sample", "empty"]] = UNSET

    def __post_init__(self) -> None:
        trimmed(self, "title", limits.SITE_TITLE_MIN, limits.SITE_TITLE_MAX)


class SetAdaptiveContent(Body, frozen=True):
    enabled: bool


class UpdateSite(Body, frozen=True):
    title: Maybe[SiteTitle] = UNSET
    visibility: Maybe[Visibility] = UNSET
    basename: Maybe[Basename] = UNSET
    hostname: Maybe[SiteHostname | None] = UNSET
    adaptive_content: Maybe[SetAdaptiveContent] = UNSET
    agents_context: Maybe[AgentsContext] = UNSET
    default_level: Maybe[Level | None] = UNSET
    default_site_space: Maybe[Id] = UNSET
    """At the root, or in the default section."""
    default_site_section: Maybe[Id] = UNSET
    proxy: Maybe[SiteProxy | None] = UNSET

    def __post_init__(self) -> None:
        trimmed(self, "title", limits.SITE_TITLE_MIN, limits.SITE_TITLE_MAX)


class SitesQuery(ListQuery, frozen=True):
    """`space` is an id: sites that show it; `title` filters by what it contains."""

    space: Maybe[str] = UNSET
    title: Maybe[str] = UNSET
    published: Maybe[bool] = UNSET
    type: Maybe[list[SiteType]] = UNSET


class SiteView(msgspec.Struct, frozen=True):
    site: records.Site
    permissions: dict[str, bool]
    address: str
    """Where this installation serves the site to those who may see it, published or not."""
    published: str | None = None
    """Where visitors find it: the custom hostname, the proxy, or `address`; None while unpublished."""


def present(shown: SiteView, view: View) -> Site:
    """The site as the API serves it."""
    site = shown.site
    kind: Any = site.type
    return Site(
        id=site.id,
        type=kind,
        applied_type=kind,
        title=site.title,
        visibility=site.visibility,
        published=site.published,
        site_spaces=site.site_spaces,
        created_at=iso(site.created_at),
        adaptive_content=AdaptiveContent(site.adaptive_enabled),
        agents_context=site.agents_context,
        default_level=site.default_level,
        features=FEATURES,
        urls=SiteUrls(
            view.location("orgs", site.organization, "sites", site.id),
            view.site(site.organization, site.id),
            shown.address,
            maybe(shown.published),
            *_ways(site, shown.published),
        ),
        permissions=shown.permissions,
        icon=UNSET if site.icon is None else _icon(site.icon),
        hostname=maybe(site.wanted_hostname),
        basename=maybe(site.basename),
        proxy=UNSET if site.proxy is None else Proxy(f"https://{site.proxy}", shown.address),
    )


def _ways(site: records.Site, published: str | None) -> list[Maybe[str]]:
    """In and out."""
    if published is None or site.visibility != "visitor-auth":
        return [UNSET, UNSET]
    return [published + LOGIN, published + LOGOUT]


def _icon(stored: dict[str, Any]) -> dict[str, Any]:
    emoji = stored.get("emoji")
    return stored | {"emoji": code_points(emoji)} if isinstance(emoji, str) else stored
