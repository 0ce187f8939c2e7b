"""Collections: groups of spaces, one in another, whose level and grants what is in them inherits."""

from __future__ import annotations

from msgspec import UNSET

from octavo.access import locate
from octavo.access.locate import SeenOrganization
from octavo.access.placing import held, may_place, require_depth, require_room
from octavo.access.policy import allows, permissions
from octavo.access.standing import roles_on_collections, roles_on_spaces
from octavo.kernel.errors import Conflict
from octavo.kernel.events import CollectionChanged
from octavo.kernel.ids import new_id
from octavo.kernel.operation import Nothing, nothing, reads, writes
from octavo.kernel.records import Role
from octavo.kernel.records.library import Collection, Grant
from octavo.resources.call import Call, EncodedSlice, Slice, listed
from octavo.resources.embedded import encode_spaces
from octavo.resources.order import position_in
from octavo.resources.places import AtCollection, AtOrganization
from octavo.resources.rules import CREATORS, MEMBERS
from octavo.site.visibilities import visibility_told
from octavo.wire.library import collections, spaces
from octavo.wire.library.collections import CollectionsQuery, CollectionView, CreateCollection, UpdateCollection
from octavo.wire.library.moves import Move
from octavo.wire.lists import ListQuery


async def list_in_organization(call: Call, at: AtOrganization, query: CollectionsQuery) -> Slice[CollectionView]:
    """Those that the caller has a role on, in the order of their tree; without `nested` only those at the top."""
    everything = await call.unit.spaces.collections(at.organization.record.id)
    roles = await roles_on_collections(call.unit, call.caller, everything)
    keys = _tree_keys(everything)
    seen = [one for one in everything if roles[one.id] is not None and (query.nested or one.parent is None)]
    page = call.cut(sorted(seen, key=lambda one: keys[one.id]), query, lambda one: (keys[one.id],))
    return Slice([_view(one, roles[one.id]) for one in page.items], page.count, page.next)


def _tree_keys(everything: list[Collection]) -> dict[str, str]:
    """Collection id -> what sorts it behind its parent and in the order of its siblings."""
    known = {one.id: one for one in everything}

    def key(one: Collection) -> str:
        above = known.get(one.parent or "")
        return (key(above) + "/" if above else "") + f"{one.position}!{one.id}"

    return {one.id: key(one) for one in everything}


async def list_spaces(call: Call, at: AtCollection, query: ListQuery) -> EncodedSlice:
    """The spaces directly in it that the caller has a role on, in their order."""
    everything = await call.unit.spaces.in_collection(at.collection.record.id)
    roles = await roles_on_spaces(call.unit, call.caller, everything)
    seen = [space for space in everything if allows("space", "view", roles[space.id])]
    page = call.cut(seen, query, lambda one: (one.position, one.id))
    return EncodedSlice(await encode_spaces(call, page.items, roles), page.count, page.next)


async def create(call: Call, at: AtOrganization, body: CreateCollection) -> CollectionView:
    """The caller has admin on it, whatever the role in the organization."""
    parent = None if body.parent is UNSET else body.parent
    await _may_create(call, at.organization, parent)
    key = new_id()
    made = Collection(
        id=key,
        organization=at.organization.record.id,
        title=body.title or "Untitled" if body.title is not UNSET else "Untitled",
        position=await position_in(call, at.organization.record.id, parent, key),
        created_at=call.now,
        parent=parent,
    )
    await call.unit.spaces.add_collection(made)
    await call.unit.grants.give(
        Grant(organization=made.organization, kind="collection", resource=key, role="admin", user=call.caller.user.id)
    )
    await call.unit.emit(CollectionChanged(organization=made.organization, collection=key))
    return _view(made, "admin")


async def _may_create(call: Call, organization: SeenOrganization, parent: str | None) -> None:
    await may_place(call.unit, call.caller, organization, parent)
    if parent is not None:
        require_depth(len(await call.unit.spaces.with_ancestors([parent])) + 1)


async def get(call: Call, at: AtCollection, takes: Nothing) -> CollectionView:
    """One collection."""
    return _view(at.collection.record, at.collection.role)


async def update(call: Call, at: AtCollection, body: UpdateCollection) -> CollectionView:
    """Only the fields that were sent change."""
    changed = {
        name: value for name in ("title", "description", "default_level") if (value := getattr(body, name)) is not UNSET
    }
    made = await call.unit.spaces.change_collection(at.collection.record, **changed)
    await call.unit.emit(CollectionChanged(organization=made.organization, collection=made.id))
    return _view(made, at.collection.role)


async def delete(call: Call, at: AtCollection, takes: Nothing) -> None:
    """What it holds moves to its parent and keeps the level that it had."""
    record = await held(call.unit, at.collection.record)
    await call.unit.grants.revoke_all(record.id)
    inside = [one.id for one in await call.unit.spaces.in_collection(record.id)]
    async with visibility_told(call.unit, record.organization, spaces=inside):
        await call.unit.spaces.remove_collection(record)
    await call.unit.emit(CollectionChanged(organization=record.organization, collection=record.id))


async def move(call: Call, at: AtCollection, body: Move) -> CollectionView:
    """Into another collection, or elsewhere among its siblings; never into itself. Raises Conflict for no change."""
    # Held before anything is read: two moves under each other at once see one another.
    old = await held(call.unit, at.collection.record)
    parent = old.parent if body.parent is UNSET else body.parent
    if parent != old.parent:
        await _may_move(call, old, parent)
    elif body.position is UNSET:
        raise Conflict("the collection is there already")
    order = [key for key, _ in await call.unit.spaces.siblings(old.organization, parent)]
    position = await position_in(call, old.organization, parent, old.id, body.position)
    made = await call.unit.spaces.change_collection(old, parent=parent, position=position)
    if parent == old.parent and order == [key for key, _ in await call.unit.spaces.siblings(old.organization, parent)]:
        raise Conflict("the collection is there already")
    await call.unit.emit(CollectionChanged(organization=made.organization, collection=made.id))
    return _view(made, at.collection.role)


async def _may_move(call: Call, moved: Collection, parent: str | None) -> None:
    organization = await locate.organization(call.unit, call.caller, moved.organization)
    await may_place(call.unit, call.caller, organization, parent)
    await require_room(call.unit, moved, parent)


def _view(collection: Collection, role: Role | None) -> CollectionView:
    return CollectionView(collection, permissions("collection", role))


_ALL = "/orgs/{organization}/collections"
_ONE = "/collections/{collection}"


OPERATIONS = (
    reads("listCollectionsInOrganizationById", _ALL, list_in_organization, listed(collections.present),
          needs=MEMBERS, also="the list holds what they may see", scope="space:read",
          summary="List the collections of an organization"),
    writes("POST", "createCollection", _ALL, create, collections.present,
           lock="organization", status=201, needs=CREATORS, scope="space:write", audit="collection.create",
           about=lambda made: made.collection,
           summary="Create a collection"),
    reads("getCollectionById", _ONE, get, collections.present,
          needs="collection.view", scope="space:read", summary="Get a collection"),
    writes("PATCH", "updateCollectionById", _ONE, update, collections.present,
           needs="collection.admin", scope="space:write", audit="collection.update", summary="Change a collection"),
    writes("DELETE", "deleteCollectionById", _ONE, delete, nothing,
           needs="collection.admin", scope="space:write", audit="collection.delete",
           summary="Delete a collection; what it holds moves to its parent"),
    reads("listSpacesInCollectionById", _ONE + "/spaces", list_spaces, listed(spaces.present),
          needs="collection.view", scope="space:read", summary="List the spaces of a collection"),
    writes("POST", "moveCollection", _ONE + "/move", move, collections.present,
           needs="collection.admin", scope="space:write", audit="collection.move",
           also="`create` on the collection that it is put into, or `createContent` on the organization",
           summary="Move a collection into another one, or among its siblings"),
)  # fmt: skip
