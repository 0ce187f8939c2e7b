"""Where something new, or what moves, may stand: at the top of an organization, or in one of its collections."""

from __future__ import annotations

from octavo.access import locate
from octavo.access.caller import Caller
from octavo.access.locate import SeenOrganization
from octavo.access.policy import allows
from octavo.kernel.errors import BadRequest, Forbidden, NotFound, absent
from octavo.kernel.records.library import Collection, Space
from octavo.store.unit import Unit

DEEPEST = 32
"""Collections in collections."""


async def may_place(unit: Unit, caller: Caller, organization: SeenOrganization, parent: str | None) -> None:
    """Raises Forbidden, or NotFound or BadRequest for a parent that is no collection there; None is the top."""
    if parent is None:
        if not allows("organization", "createContent", organization.role):
            raise Forbidden("your role in that organization does not allow creating content (needs createContent)")
        return
    collection = await locate.collection(unit, caller, parent)
    if collection.record.organization != organization.record.id:
        raise BadRequest(f"parent: collection {parent!r} belongs to another organization")
    if not allows("collection", "create", collection.role):
        raise Forbidden("your role on that collection does not allow creating content in it (needs create)")


async def may_place_beside(unit: Unit, caller: Caller, organization: SeenOrganization, space: Space) -> None:
    """Raises Forbidden. Who sees the space need not see the collection that it is in: that is no place for her then, and
    nothing that she asked for is absent."""
    try:
        await may_place(unit, caller, organization, space.parent)
    except NotFound as error:
        raise Forbidden("you may not create content in the collection that the space is in (needs create)") from error


async def held(unit: Unit, seen: Collection) -> Collection:
    """A collection as it is once its organization is held: who had it before may have changed it. Raises NotFound for one
    that is gone, or in another organization."""
    await unit.people.hold_organization(seen.organization)
    record = await unit.spaces.collection(seen.id)
    if record is None or record.organization != seen.organization:
        raise absent("collection", seen.id)
    return record


async def require_room(unit: Unit, moved: Collection, parent: str | None) -> None:
    """Raises BadRequest where a collection would come to stand in itself, or it or what it holds too deep."""
    above = {} if parent is None else await unit.spaces.with_ancestors([parent])
    if moved.id in above:
        raise BadRequest("parent: a collection cannot be moved into itself")
    require_depth(len(above) + _height(await unit.spaces.collections(moved.organization), moved.id))


def require_depth(levels: int) -> None:
    """Raises BadRequest for so many collections in one another."""
    if levels > DEEPEST:
        raise BadRequest(f"parent: collections can be nested {DEEPEST} deep at most")


def _height(everything: list[Collection], key: str) -> int:
    """Levels of collections from one downwards."""
    below: dict[str | None, list[str]] = {}
    for one in everything:
        below.setdefault(one.parent, []).append(one.id)
    level, height = [key], 0
    while level and height <= DEEPEST:
        level, height = [child for one in level for child in below.get(one, ())], height + 1
    return height
