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
    """A specification of the organization, for its members and for integrations there; a visitor of a site of it finds them
    all: whether she is shown this one, is asked where pages are at hand."""
    record = await unit.openapi.by_slug(within.id, word)
    if record is None or not _is_seen(caller, within):
        raise absent("OpenAPI specification", word)
    return SeenSpec(record)


def _is_seen(caller: Caller, within: Organization) -> bool:
    known = caller.visiting is not None or caller.acting is not None
    return known or allows("organization", "view", caller.role_in(within.id))


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
