"""What is installed in an organization, on a space and on a site, as these list it."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import UNSET

from octavo.access import locate, locate_sites
from octavo.access.locate_integrations import SeenIntegration
from octavo.kernel.errors import BadRequest, absent
from octavo.kernel.operation import Nothing, reads
from octavo.kernel.records.integrations import Installation, Integration, Placement, Status
from octavo.resources.call import Call, Slice, listed
from octavo.resources.places import AtOrganization, AtSite, AtSpace
from octavo.resources.rules import OF_ORGANIZATION
from octavo.site.integrations import Active, active_on, show_all, show_installations
from octavo.wire.integrations import installations, integrations
from octavo.wire.integrations.installations import InstalledQuery, InstalledView, StatusQuery
from octavo.wire.integrations.integrations import IntegrationView


class AtIntegration(AtOrganization, frozen=True):
    integration: SeenIntegration


async def list_in_organization(call: Call, at: AtOrganization, query: InstalledQuery) -> Slice[InstalledView]:
    """Newest first."""
    found = await call.unit.integrations.installations_in(at.organization.record.id)
    known = await call.unit.integrations.by_names(one.integration for one in found)
    found = [one for one in found if one.integration in known and _named(known[one.integration], query)]
    page = call.cut(found, query, lambda one: (-one.created_at, one.id))
    return Slice(await _installed(call, page.items), page.count, page.next)


def _named(integration: Integration, query: InstalledQuery) -> bool:
    words = "" if query.search is UNSET else query.search.casefold()
    return words in f"{integration.id}\n{integration.title}".casefold()


async def _installed(
    call: Call, found: Iterable[Installation], places: dict[str, list[Placement]] | None = None
) -> list[InstalledView]:
    """Installations with their integrations; with `places`, one for each of theirs."""
    found = list(found)
    known = await call.unit.integrations.by_names(one.integration for one in found)
    shown = {one.integration.id: one for one in await show_all(call.unit, call.caller, known.values())}
    views = await show_installations(call.unit, call.caller, call.signer, found)
    made = []
    for view in views:
        integration = shown.get(view.installation.integration)
        if integration is None:
            continue
        here: list[Placement | None] = [None] if places is None else [*places.get(view.installation.id, ())]
        made += [InstalledView(integration, view, place) for place in here]
    return made


async def get_status(call: Call, at: AtIntegration, takes: Nothing) -> Status:
    """Whether an integration runs in an organization."""
    integration, organization = at.integration.record.id, at.organization.record.id
    found = await call.unit.integrations.installation_in(integration, organization)
    if found is None:
        raise absent("installation of the integration", integration)
    return found.status


async def list_status(call: Call, at: AtOrganization, query: StatusQuery) -> Slice[InstalledView]:
    """Newest first."""
    if (query.site is not UNSET and query.target != "site") or (query.space is not UNSET and query.target != "space"):
        raise BadRequest("target: `site` and `space` go with the target of that name")
    organization = at.organization.record
    found = await call.unit.integrations.installations_in(organization.id)
    if query.target == "organization":
        page = call.cut(found, query, lambda one: (-one.created_at, one.id))
        return Slice(await _installed(call, page.items), page.count, page.next)
    if query.space is not UNSET:
        await locate.space(call.unit, call.caller, query.space)
    if query.site is not UNSET:
        await locate_sites.site(call.unit, call.caller, query.site, organization)
    wanted = query.site if query.target == "site" else query.space
    places = [
        one
        for one in await call.unit.integrations.places_in(organization.id)
        if (one.site if query.target == "site" else one.space) is not None and (wanted is UNSET or one.target == wanted)
    ]
    cut = call.cut(places, query, lambda one: (-one.created_at, one.id))
    known = {one.id: one for one in found}
    made = [await _installed(call, [known[one.installation]], {one.installation: [one]}) for one in cut.items]
    return Slice([one for some in made for one in some], cut.count, cut.next)


async def list_on_space(call: Call, at: AtSpace, query: InstalledQuery) -> Slice[IntegrationView]:
    """Those that run there, newest first."""
    space = at.space.record
    return await _running(call, query, await active_on(call.unit, space.organization, space.id, "space"))


async def list_on_site(call: Call, at: AtSite, query: InstalledQuery) -> Slice[IntegrationView]:
    """Those that run there, newest first."""
    site = at.site.record
    return await _running(call, query, await active_on(call.unit, site.organization, site.id, "site"))


async def _running(call: Call, query: InstalledQuery, found: list[Active]) -> Slice[IntegrationView]:
    known = [one.integration for one in found if _named(one.integration, query)]
    page = call.cut(sorted(known, key=_newest), query, _newest)
    return Slice(await show_all(call.unit, call.caller, page.items), page.count, page.next)


def _newest(one: Integration) -> tuple[int | str, ...]:
    return -one.created_at, one.id


async def list_blocks(call: Call, at: AtSpace, takes: Nothing) -> list[Integration]:
    """Of the integrations that run in the space, those that offer blocks."""
    space = at.space.record
    found = await active_on(call.unit, space.organization, space.id, "space")
    return [one.integration for one in found if one.integration.blocks]


OPERATIONS = (
    reads("listOrganizationInstallations", "/orgs/{organization}/installations", list_in_organization,
          listed(installations.present_both), needs=OF_ORGANIZATION, scope="integration:installations:read",
          installed="any", summary="List the installations of integrations in an organization"),
    reads("listOrganizationIntegrationsStatus", "/orgs/{organization}/integrations/installations-status", list_status,
          listed(installations.present_installed), needs=OF_ORGANIZATION, scope="integration:read", installed="any",
          summary="List where integrations are installed in an organization, and whether they run"),
    reads("getOrganizationIntegrationStatus", "/orgs/{organization}/integrations/{integration}/installation_status",
          get_status, installations.present_status, needs=OF_ORGANIZATION, scope="integration:read", installed="any",
          summary="Get whether an integration runs in an organization"),
    reads("listSpaceIntegrations", "/spaces/{space}/integrations", list_on_space, listed(integrations.present),
          needs="space.view", scope="space:read", installed="space:metadata:read",
          summary="List the integrations that run in a space"),
    reads("listSpaceIntegrationsBlocks", "/spaces/{space}/integration-blocks", list_blocks,
          installations.present_blocks, needs="space.view", scope="space:read", installed="space:metadata:read",
          summary="List the custom blocks that integrations offer in a space"),
    reads("listSiteIntegrations", "/orgs/{organization}/sites/{site}/integrations", list_on_site,
          listed(integrations.present), needs="site.view", scope="site:read", installed="site:metadata:read",
          summary="List the integrations that run on a site"),
)  # fmt: skip
