"""Words of a path, and ids in a body, become records that the caller may see, or the answer is 404.

A finder is named by the type that it makes: a row's `at` says `space: SeenSpace`, and the word in the path becomes one.
Finders run left to right, each with what was found before it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, ClassVar

import msgspec

from octavo.access.caller import Caller
from octavo.access.policy import Kind, permissions
from octavo.access.standing import role_on_space, roles_on_collections, roles_on_sites
from octavo.kernel.errors import absent
from octavo.kernel.records import Collection, Organization, Revision, Role, Site, Space
from octavo.store.unit import Unit


class Seen(msgspec.Struct, frozen=True):
    """A record with the caller's role on it."""

    kind: ClassVar[Kind]
    role: Role | None

    @property
    def permissions(self) -> dict[str, bool]:
        """What the caller may do with it."""
        return permissions(self.kind, self.role)


class SeenOrganization(Seen, frozen=True):
    kind: ClassVar[Kind] = "organization"
    record: Organization


class SeenSpace(Seen, frozen=True):
    kind: ClassVar[Kind] = "space"
    record: Space


class SeenSpaceOrDeleted(SeenSpace, frozen=True):
    """Also a soft-deleted space, for those who could restore it."""


class SeenCollection(Seen, frozen=True):
    kind: ClassVar[Kind] = "collection"
    record: Collection


class SeenSite(Seen, frozen=True):
    kind: ClassVar[Kind] = "site"
    record: Site


class SeenRevision(msgspec.Struct, frozen=True):
    """A revision of the space that was found before it."""

    record: Revision


async def organization(unit: Unit, caller: Caller, word: str) -> SeenOrganization:
    """An organization that the caller belongs to."""
    record = await unit.people.organization(word) if caller.belongs(word) else None
    if record is None:
        raise absent("organization", word)
    return SeenOrganization(caller.role_in(word), record)


async def space(unit: Unit, caller: Caller, word: str) -> SeenSpace:
    """An active space that the caller has a role on."""
    record = await unit.spaces.get(word)
    if record is None or record.deleted_at is not None:
        raise absent("space", word)
    role = await role_on_space(unit, caller, record)
    if role is None:
        raise absent("space", word)
    return SeenSpace(role, record)


async def space_or_deleted(unit: Unit, caller: Caller, word: str) -> SeenSpaceOrDeleted:
    """A space that the caller has a role on; a deleted one only for its admins."""
    record = await unit.spaces.get(word)
    role = None if record is None else await role_on_space(unit, caller, record)
    if record is None or role is None or (record.deleted_at is not None and role != "admin"):
        raise absent("space", word)
    return SeenSpaceOrDeleted(role, record)


async def collection(unit: Unit, caller: Caller, word: str) -> SeenCollection:
    """A collection that the caller has a role on."""
    record = await unit.spaces.collection(word)
    role = None if record is None else (await roles_on_collections(unit, caller, (record,)))[record.id]
    if record is None or role is None:
        raise absent("collection", word)
    return SeenCollection(role, record)


async def site(unit: Unit, caller: Caller, word: str, within: Organization) -> SeenSite:
    """A site of the organization that the caller has a role on."""
    record = await unit.sites.get(word)
    if record is None or record.organization != within.id:
        raise absent("site", word)
    role = (await roles_on_sites(unit, caller, (record,)))[record.id]
    if role is None:
        raise absent("site", word)
    return SeenSite(role, record)


async def revision(unit: Unit, word: str, within: Space) -> SeenRevision:
    """A revision of the space."""
    record = await unit.revisions.get(word)
    if record is None or record.space != within.id:
        raise absent("revision", word)
    return SeenRevision(record)


Finder = Callable[[Unit, Caller, str, Mapping[str, Any]], Awaitable[Any]]

FINDERS: dict[type, Finder] = {
    SeenOrganization: lambda unit, caller, word, found: organization(unit, caller, word),
    SeenSpace: lambda unit, caller, word, found: space(unit, caller, word),
    SeenSpaceOrDeleted: lambda unit, caller, word, found: space_or_deleted(unit, caller, word),
    SeenCollection: lambda unit, caller, word, found: collection(unit, caller, word),
    SeenSite: lambda unit, caller, word, found: site(unit, caller, word, found["organization"].record),
    SeenRevision: lambda unit, caller, word, found: revision(unit, word, found["space"].record),
    str: lambda unit, caller, word, found: _word(word),
}
"""Type of a field of `at` -> how its word is found. `str` leaves the word to the room (paths of pages)."""


async def _word(word: str) -> str:
    return word
