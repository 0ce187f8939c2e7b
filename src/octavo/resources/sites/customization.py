"""How sites look: the customization of a site as a whole, and what a site-space has otherwise."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from octavo.content import conditions
from octavo.kernel.errors import BadRequest, NotFound
from octavo.kernel.events import SiteChanged
from octavo.kernel.operation import Nothing, nothing, reads, writes
from octavo.kernel.records import Json
from octavo.kernel.records.sites import Site
from octavo.resources.call import Call
from octavo.resources.places import AtSite, AtSiteSpace
from octavo.site.looks import fonts_of, named_fonts
from octavo.site.references import require_fonts, require_references
from octavo.wire.sites import customization
from octavo.wire.sites.customization_bodies import CustomizationQuery, OverrideCustomization, UpdateCustomization
from octavo.wire.sites.looks import LookView, present_look
from octavo.wire.sites.pictures import here


async def get(call: Call, at: AtSite, query: CustomizationQuery) -> LookView:
    """The look of the site."""
    return await _view(call, at.site.record, masked=not query.unmasked)


async def update(call: Call, at: AtSite, body: UpdateCustomization) -> LookView:
    """The whole look: what is left out is as it is by default."""
    site = at.site.record
    stored = customization.without_defaults(body)
    await _require(call, site, stored)
    site = await call.unit.sites.change(site, customization=stored, customized_at=call.now)
    await call.unit.emit(SiteChanged(organization=site.organization, site=site.id))
    return await _view(call, site, masked=False)


async def get_of_site_space(call: Call, at: AtSiteSpace, query: CustomizationQuery) -> LookView:
    """The look of the site with what the site-space has otherwise."""
    own = at.site_space.record
    return await _view(call, at.site.record, own.customization, own.customized_at, masked=not query.unmasked)


async def override(call: Call, at: AtSiteSpace, body: OverrideCustomization) -> LookView:
    """Only what was sent changes; null takes the site's again."""
    site, own = at.site.record, at.site_space.record
    sent = msgspec.to_builtins(body)
    await _require(call, site, sent)
    stored = customization.without_empty_groups(customization.merged(own.customization or {}, sent)) or None
    own = await call.unit.sites.change_site_space(own, customization=stored, customized_at=call.now)
    await call.unit.emit(SiteChanged(organization=site.organization, site=site.id))
    return await _view(call, site, own.customization, own.customized_at, masked=False)


async def delete(call: Call, at: AtSiteSpace, takes: Nothing) -> None:
    """The site-space looks as its site again."""
    own = at.site_space.record
    if own.customization is None:
        raise NotFound(f"site-space {own.id!r} has no customization of its own")
    await call.unit.sites.change_site_space(own, customization=None, customized_at=call.now)
    await call.unit.emit(SiteChanged(organization=own.organization, site=own.site))


async def _require(call: Call, site: Site, stored: Json) -> None:
    """Whether a look may be stored, beyond its shape."""
    for place, emoji_or_icon in (("favicon", stored.get("favicon")),):
        if isinstance(emoji_or_icon, dict) and len(emoji_or_icon) > 1:
            raise BadRequest(f"{place}: expected `icon`, or `emoji`, or neither")
    for place, condition in _conditions(stored):
        if (wrong := conditions.check(condition)) is not None:
            raise BadRequest(f"{place}: {wrong}")
    await require_references(call.unit, call.caller, site, stored)
    fonts = list(_own_fonts(stored))
    if fonts:
        # None of them is deleted meanwhile.
        await call.unit.people.hold_organization(site.organization)
    await require_fonts(call.unit, site.organization, fonts)


def _conditions(stored: Any, at: str = "") -> Iterator[tuple[str, str]]:
    """(Place, text) of every condition that says something."""
    if isinstance(stored, dict):
        for name, value in stored.items():
            place = f"{at}.{name}" if at else name
            if name == "condition" and isinstance(value, str):
                yield from [(place, value)] if value else []
            else:
                yield from _conditions(value, place)
    elif isinstance(stored, list | tuple):
        for number, value in enumerate(stored):
            yield from _conditions(value, f"{at}[{number}]")


def _own_fonts(stored: Json) -> Iterator[tuple[str, str]]:
    """(Place, id) of each font that is not one of those that every site has."""
    styling: Any = stored.get("styling")
    for name in ("font", "headingFont", "monospaceFont"):
        font = styling.get(name) if isinstance(styling, dict) else None
        if isinstance(font, dict):
            if not font.get("custom"):
                raise BadRequest(
                    f"styling.{name}.custom: only fonts of the organization are named by an id; expected true"
                )
            yield f"styling.{name}", str(font["id"])


async def _view(
    call: Call, site: Site, own: Json | None = None, changed_at: int | None = None, *, masked: bool
) -> LookView:
    fonts = await fonts_of(call.unit, site.organization, named_fonts(site.customization, own))
    times = [one for one in (site.customized_at, changed_at) if one is not None]
    agents = site.agents_context == "included"
    of_site, of_own = (here(stored, site.organization, call.view) for stored in (site.customization, own))
    return LookView(of_site, of_own, fonts, max(times, default=None), agents, masked)


_ONE = "/orgs/{organization}/sites/{site}/customization"
_OF_SITE_SPACE = "/orgs/{organization}/sites/{site}/site-spaces/{site_space}/customization"

OPERATIONS = (
    reads("getSiteCustomizationById", _ONE, get, present_look,
          needs="site.view", scope="site:read", summary="Get the look of a site"),
    writes("PUT", "updateSiteCustomizationById", _ONE, update, present_look,
           lock="site", needs="site.admin", scope="site:write", audit="site.customization.update",
           summary="Set the whole look of a site; what is left out is as it is by default"),
    reads("getSiteSpaceCustomizationById", _OF_SITE_SPACE, get_of_site_space, present_look,
          needs="site.view", scope="site:read", summary="Get the look of a site-space"),
    writes("PATCH", "overrideSiteSpaceCustomizationById", _OF_SITE_SPACE, override, present_look,
           lock="site", needs="site.admin", scope="site:write", audit="site-space.customization.update",
           summary="Change what a site-space has otherwise than its site"),
    writes("DELETE", "deleteSiteSpaceCustomizationById", _OF_SITE_SPACE, delete, nothing,
           lock="site", needs="site.admin", scope="site:write", audit="site-space.customization.delete",
           summary="Let a site-space look as its site"),
)  # fmt: skip
