"""Words of a path become OpenAPI specifications and versions of them, or the answer is 404."""

from __future__ import annotations

import msgspec

from octavo.access.caller import Caller
from octavo.access.locate import Finder
from octavo.access.policy import allows
from octavo.kernel.errors import absent
from octavo.kernel.records.openapi import OpenapiSpec, OpenapiSpecVersion
from octavo.kernel.records.people import Organization
from octavo.store.unit import Unit


class SeenSpec(msgspec.Struct, frozen=True):
    """A specification, by its slug, of the organization that was found before it."""

    record: OpenapiSpec


class SeenSpecVersion(msgspec.Struct, frozen=True):
    """A version of the specification that was found before it."""

    record: OpenapiSpecVersion


async def spec(unit: Unit, caller: Caller, word: str, within: Organization) -> SeenSpec:
    """A specification of the organization, for its members and for integrations there; to a visitor of a site, one that a
    page of a space names which she is shown: whether she sees that page, is asked where pages are at hand."""
    record = await unit.openapi.by_slug(within.id, word)
    if record is None or not await _is_seen(unit, caller, record):
        raise absent("OpenAPI specification", word)
    return SeenSpec(record)


async def _is_seen(unit: Unit, caller: Caller, record: OpenapiSpec) -> bool:
    if caller.visiting is not None:
        return await _named(unit, caller, record)
    return caller.acting is not None or allows("organization", "view", caller.role_in(record.organization))


async def _named(unit: Unit, caller: Caller, record: OpenapiSpec) -> bool:
    visiting = caller.visiting
    links = await unit.links.to(record.organization, [f"openapi/{record.slug}"])
    return visiting is not None and any(link.space in visiting.spaces for link in links)


async def spec_version(unit: Unit, word: str, within: OpenapiSpec) -> SeenSpecVersion:
    """A version of the specification."""
    record = await unit.openapi.version(word)
    if record is None or record.spec != within.id:
        raise absent("version", word)
    return SeenSpecVersion(record)


FINDERS: dict[type, Finder] = {
    SeenSpec: lambda unit, caller, word, found: spec(unit, caller, word, found["organization"].record),
    SeenSpecVersion: lambda unit, caller, word, found: spec_version(unit, word, found["spec"].record),
}
"""As those of `locate`."""
