"""Adaptive content: what a site may know of its visitors, for the conditions of what it shows."""

from __future__ import annotations

from octavo.kernel.errors import NotFound
from octavo.kernel.events import SiteChanged
from octavo.kernel.operation import Nothing, reads, writes
from octavo.resources.call import Call
from octavo.resources.places import AtSite
from octavo.site.claims import suggestions
from octavo.wire.sites import adaptive
from octavo.wire.sites.adaptive import SchemaView, UpdateAdaptiveSchema


async def get(call: Call, at: AtSite, takes: Nothing) -> SchemaView:
    """The schema of visitors' claims."""
    site = at.site.record
    if site.adaptive_schema is None or site.adaptive_updated_at is None:
        raise NotFound("the site has no schema of its visitors' claims yet; PUT one here")
    return SchemaView(site.adaptive_schema, site.adaptive_updated_at)


async def update(call: Call, at: AtSite, body: UpdateAdaptiveSchema) -> SchemaView:
    """It takes the place of the schema before: claims that it does not declare are known of nobody from now on."""
    schema = adaptive.stored(body.json_schema)
    site = await call.unit.sites.change(at.site.record, adaptive_schema=schema, adaptive_updated_at=call.now)
    await call.unit.emit(SiteChanged(organization=site.organization, site=site.id))
    return SchemaView(schema, call.now)


async def list_conditions(call: Call, at: AtSite, takes: Nothing) -> list[tuple[str, str]]:
    """For every claim that is true or false, and every value that a claim may have; none before there is a schema."""
    return list(suggestions(at.site.record.adaptive_schema or {}))


_SCHEMA = "/orgs/{organization}/sites/{site}/adaptive-schema"

OPERATIONS = (
    reads("getSiteAdaptiveSchema", _SCHEMA, get, adaptive.present,
          needs="site.viewAdaptiveSchema", scope="site:read", installed="site:adaptive:read",
          summary="Get the schema of visitors' claims"),
    writes("PUT", "updateSiteAdaptiveSchema", _SCHEMA, update, adaptive.present,
           lock="site", needs="site.editAdaptiveSchema", scope="site:write", audit="site.adaptive-schema.update",
           installed="site:adaptive:write", summary="Set the schema of visitors' claims"),
    reads("listSiteAdaptiveTemplateConditions", _SCHEMA + "/template-conditions", list_conditions,
          adaptive.present_conditions,
          needs="site.viewAdaptiveSchema", scope=None, installed="site:adaptive:read",
          summary="List conditions that the schema makes possible"),
)  # fmt: skip
