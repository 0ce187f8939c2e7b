"""Transfers of spaces and collections to another organization: content is copied ahead, then one unit moves the rows."""

from __future__ import annotations

from msgspec import UNSET

from octavo.access import locate
from octavo.access.locate import SeenOrganization
from octavo.access.placing import held, may_place, require_room
from octavo.access.policy import permissions
from octavo.access.standing import roles_on_collections, roles_on_spaces
from octavo.kernel.errors import Conflict, Forbidden, Precondition
from octavo.kernel.events import CollectionChanged, ContentChanged, ContentCopyWanted, SpaceChanged
from octavo.kernel.operation import writes
from octavo.kernel.records.library import Collection, Grant, Space
from octavo.resources.call import Ahead, Call
from octavo.resources.order import position_in
from octavo.resources.places import AtCollection, AtSpace
from octavo.site.shown import show_spaces
from octavo.store.unit import Unit
from octavo.wire.library import collections, spaces
from octavo.wire.library.collections import CollectionView
from octavo.wire.library.moves import Transfer
from octavo.wire.library.spaces import SpaceView

SECONDS = 300.0
"""How long a request waits for the content to be copied."""


async def copy_space(prior: Ahead, at: AtSpace, body: Transfer) -> set[bytes]:
    """Copy what a space holds; the roots that are there afterwards."""
    space = at.space.record
    await prior.read(lambda unit: _target(unit, prior, space.organization, space.parent, [space.id], body))
    return await _copied(prior, space.organization, body.organization, [space.id])


async def copy_collection(prior: Ahead, at: AtCollection, body: Transfer) -> set[bytes]:
    """Copy what the spaces of a collection hold; the roots that are there afterwards."""
    record = at.collection.record
    inner, spaces_in = await prior.read(lambda unit: _below(unit, record))
    await prior.read(lambda unit: _administered(unit, prior, inner, spaces_in))
    keys = [space.id for space in spaces_in]
    _, parent = await prior.read(lambda unit: _target(unit, prior, record.organization, record.parent, keys, body))
    await prior.read(lambda unit: require_room(unit, record, parent))
    return await _copied(prior, record.organization, body.organization, keys)


async def _copied(prior: Ahead, source: str, target: str, keys: list[str]) -> set[bytes]:
    if source == target or not keys:
        return set()
    event = ContentCopyWanted(organization=source, to=target, spaces=keys, user=prior.caller.user.id)
    return {bytes.fromhex(root) for root in (await prior.done(event, SECONDS))["roots"]}


async def transfer_space(call: Call, at: AtSpace, body: Transfer) -> SpaceView:
    """Move a space to another organization. Conflict where it is there already, Precondition while a site shows it."""
    old = at.space.record
    await _hold(call, old.organization, body.organization)
    _, parent = await _target(call.unit, call, old.organization, old.parent, [old.id], body)
    moved = await _carried(call, old, body.organization, parent)
    return (await show_spaces(call.unit, call.view, (moved,), {moved.id: "admin"}))[0]


async def transfer_collection(call: Call, at: AtCollection, body: Transfer) -> CollectionView:
    """With the collections and spaces below it; as for a space, none of which a site of the old organization may show."""
    await _hold(call, at.collection.record.organization, body.organization)
    record = await held(call.unit, at.collection.record)
    inner, spaces_in = await _held_below(call.unit, record)
    await _administered(call.unit, call, inner, spaces_in)
    _, parent = await _target(call.unit, call, record.organization, record.parent, [one.id for one in spaces_in], body)
    await require_room(call.unit, record, parent)
    if body.organization == record.organization:
        # What is in it stays in it, and who was given something on any of it keeps it.
        inner, spaces_in = [record], []
    moved = record
    for one in inner:
        now = await _moved(call, one, body.organization, parent if one.id == record.id else one.parent)
        moved = now if one.id == record.id else moved
    for space in spaces_in:
        await _carried(call, space, body.organization, space.parent)
    return CollectionView(moved, permissions("collection", "admin"))


async def _hold(call: Call, *organizations: str) -> None:
    """Both at once, always in one order, before anything is read that others may change meanwhile."""
    for organization in sorted(set(organizations)):
        await call.unit.people.hold_organization(organization)


async def _moved(call: Call, one: Collection, organization: str, parent: str | None) -> Collection:
    """Move a collection's row."""
    position = await position_in(call, organization, parent, one.id)
    moved = await call.unit.spaces.change_collection(one, organization=organization, parent=parent, position=position)
    if one.organization != organization:
        await _own(call, "collection", one.id, organization)
    await call.unit.emit(CollectionChanged(organization=organization, collection=one.id))
    return moved


async def _carried(call: Call, space: Space, organization: str, parent: str | None) -> Space:
    """Move a space's rows; its content is there already, unless somebody wrote meanwhile."""
    if space.organization != organization:
        missing = set(await call.unit.spaces.roots([space.id])) - call.prepared
        if missing:
            raise Conflict("the content changed during the transfer; try again")
        await call.unit.spaces.carry(space.id, organization)
        await call.unit.search.drop(space.id)
        await call.unit.links.drop(space.id)
        await _own(call, "space", space.id, organization)
    position = await position_in(call, organization, parent, space.id)
    moved = await call.unit.spaces.change(
        space, organization=organization, parent=parent, position=position, updated_at=call.now
    )
    await call.unit.emit(SpaceChanged(organization=organization, space=space.id))
    await call.unit.emit(ContentChanged(organization=organization, space=space.id, revision=space.revision))
    return moved


async def _own(call: Call, kind: str, key: str, organization: str) -> None:
    """Grants were to people of the old organization; whoever transfers has admin in the new one."""
    assert kind in ("space", "collection")
    await call.unit.grants.revoke_all(key)
    grant = Grant(organization=organization, kind=kind, resource=key, role="admin", user=call.caller.user.id)  # type: ignore[arg-type]
    await call.unit.grants.give(grant)


async def _below(unit: Unit, record: Collection) -> tuple[list[Collection], list[Space]]:
    """A collection and those in it, the outer ones first, and the spaces of all of them."""
    everything = await unit.spaces.collections(record.organization)
    found, at = [record], 0
    while at < len(found):
        found += [one for one in everything if one.parent == found[at].id]
        at += 1
    keys = {one.id for one in found}
    spaces_of = [*await unit.spaces.all(record.organization), *await unit.spaces.all(record.organization, deleted=True)]
    return found, [space for space in spaces_of if space.parent in keys]


async def _held_below(unit: Unit, record: Collection) -> tuple[list[Collection], list[Space]]:
    """The same of a held organization; nobody writes the spaces from then on, as somebody may have until then."""
    _, found = await _below(unit, record)
    await unit.spaces.hold(space.id for space in found)
    return await _below(unit, record)


async def _administered(unit: Unit, who: Call | Ahead, inner: list[Collection], held: list[Space]) -> None:
    """Raises Forbidden when the caller is not admin of all that would go: in the end she is admin of it."""
    roles = [
        *(await roles_on_collections(unit, who.caller, inner)).values(),
        *(await roles_on_spaces(unit, who.caller, held)).values(),
    ]
    if any(role != "admin" for role in roles):
        raise Forbidden("this collection holds something that you are not an admin of, and that would go with it")


async def _target(
    unit: Unit, who: Call | Ahead, source: str, above: str | None, keys: list[str], body: Transfer
) -> tuple[SeenOrganization, str | None]:
    """Where it goes to: an organization, or a collection of it, in which the caller may create."""
    organization = await locate.organization(unit, who.caller, body.organization)
    parent = None if body.parent is UNSET else body.parent
    if source == body.organization and (body.parent is UNSET or parent == above):
        raise Conflict("it belongs to that organization already")
    await may_place(unit, who.caller, organization, parent)
    if source != body.organization and (shown := await unit.spaces.shown(keys)):
        raise Precondition(
            f"a site of its organization shows {len(shown)} of what would go: take it off the site first"
        )
    return organization, parent


OPERATIONS = (
    writes("POST", "transferSpace", "/spaces/{space}/transfer", transfer_space, spaces.present,
           before=copy_space, lock="space", needs="space.admin", scope="space:write", audit="space.transfer",
           also="`createContent` on the other organization, or `create` on a collection of it",
           about=lambda moved: moved.space,
           summary="Transfer a space to another organization"),
    writes("POST", "transferCollection", "/collections/{collection}/transfer", transfer_collection,
           collections.present,
           before=copy_collection, needs="collection.admin", scope="space:write", audit="collection.transfer",
           also="`admin` on everything in it; `createContent` on the other organization, or `create` on a collection of it",
           about=lambda moved: moved.collection,
           summary="Transfer a collection with everything in it to another organization"),
)  # fmt: skip
