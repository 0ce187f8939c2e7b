"""What a published site is made of: its structure, and everything that a renderer asks for."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from octavo.kernel.operation import Nothing, reads
from octavo.resources.call import Call
from octavo.resources.places import AtSite
from octavo.site.arranged import arranged
from octavo.site.injected import Injected, injected_on
from octavo.site.looks import fonts_of, named_fonts
from octavo.site.seeing import seen_look
from octavo.site.shown import shared_key, show_site
from octavo.wire.fields import ShareKeyQuery, maybe
from octavo.wire.sites import published_site
from octavo.wire.sites.published_site import PublishedSiteView, Script, StructureView


async def get_published(call: Call, at: AtSite, query: ShareKeyQuery) -> PublishedSiteView:
    """The site with its structure, its look and its scripts."""
    site = at.site.record
    key = await shared_key(call.unit, site, query.share_key)
    known = await arranged(call.unit, call.caller, call.view, site, key)
    own = {one.id: one.customization for one in known.snapshot.site_spaces if one.customization}
    if call.caller.visiting is not None:
        visitor = known.snapshot.visitor.of("")
        site = replace(site, customization=seen_look(site.customization, visitor))
        own = {key: look for key, stored in own.items() if (look := seen_look(stored, visitor))}
    return PublishedSiteView(
        show_site(site, at.site.role, call.view, key),
        known.structure(),
        own,
        scripts=_scripts(call, known.snapshot.scripts),
        fonts=await fonts_of(call.unit, site.organization, named_fonts(site.customization, *own.values())),
    )


async def get_structure(call: Call, at: AtSite, query: ShareKeyQuery) -> StructureView:
    """Sections, groups and links to elsewhere, or site-spaces where there are none of these."""
    key = await shared_key(call.unit, at.site.record, query.share_key)
    return (await arranged(call.unit, call.caller, call.view, at.site.record, key)).structure()


async def list_scripts(call: Call, at: AtSite, takes: Nothing) -> list[Script]:
    """In the order in which pages load them."""
    return _scripts(call, await injected_on(call.unit, at.site.record))


def _scripts(call: Call, found: Iterable[Injected]) -> list[Script]:
    """Those that something runs."""
    running = (one for one in found if one.tunnelled or call.settings.script_program is not None)
    return [Script(call.view.app + one.path, one.cookies, maybe(one.policy)) for one in running]


OPERATIONS = (
    reads("getPublishedContentSite", "/orgs/{organization}/sites/{site}/published", get_published,
          published_site.present,
          needs="site.view", visitors=True, scope="site:read", summary="Get everything that a renderer needs of a site"),
    reads("getSiteStructure", "/orgs/{organization}/sites/{site}/structure", get_structure,
          published_site.present_structure,
          needs="site.view", visitors=True, scope="site:read", summary="Get the structure of a site"),
    reads("listSiteIntegrationScripts", "/orgs/{organization}/sites/{site}/integration-scripts", list_scripts,
          published_site.present_scripts, needs="site.view", scope="site:read", installed="site:metadata:read",
          summary="List the scripts that integrations put on the pages of a site"),
)  # fmt: skip
