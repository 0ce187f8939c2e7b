"""Collections: groups of spaces, one in another, whose level and grants what is in them inherits."""

from __future__ import annotations

from dataclasses import dataclass

from msgspec import UNSET

from octavo.access import locate
from octavo.access.locate import SeenCollection, SeenOrganization
from octavo.access.policy import allows, permissions
from octavo.access.standing import roles_on_collections, roles_on_spaces
from octavo.kernel.errors import BadRequest, Conflict, Forbidden
from octavo.kernel.events import CollectionChanged
from octavo.kernel.ids import new_id
from octavo.kernel.operation import READ, Nothing, Operation, write
from octavo.kernel.records import Role
from octavo.kernel.records.library import Collection, Grant
from octavo.resources.call import Call, Page
from octavo.resources.order import position_in
from octavo.site.shown import show_spaces
from octavo.wire.library import collections, spaces
from octavo.wire.library.collections import CollectionsQuery, CollectionView, CreateCollection, UpdateCollection
from octavo.wire.library.moves import Move
from octavo.wire.library.spaces import SpaceView
from octavo.wire.lists import Listing, ListQuery
from octavo.wire.view import View

DEEPEST = 32
"""Collections in collections."""


@dataclass(frozen=True)
class InOrganization:
    organization: SeenOrganization


@dataclass(frozen=True)
class AtCollection:
    collection: SeenCollection


async def list_in_organization(call: Call, at: InOrganization, query: CollectionsQuery) -> Page[CollectionView]:
    """Those that the caller has a role on, in the order of their tree; without `nested` only those at the top."""
    everything = await call.unit.spaces.collections(at.organization.record.id)
    roles = await roles_on_collections(call.unit, call.caller, everything)
    keys = _tree_keys(everything)
    seen = [one for one in everything if roles[one.id] is not None and (query.nested or one.parent is None)]
    page = call.cut(sorted(seen, key=lambda one: keys[one.id]), query, lambda one: (keys[one.id],))
    return Page([_view(one, roles[one.id]) for one in page.items], page.count, page.next)


def _tree_keys(everything: list[Collection]) -> dict[str, str]:
    """Collection id -> what sorts it behind its parent and in the order of its siblings."""
    known = {one.id: one for one in everything}

    def key(one: Collection) -> str:
        above = known.get(one.parent or "")
        return (key(above) + "/" if above else "") + f"{one.position}!{one.id}"

    return {one.id: key(one) for one in everything}


async def list_spaces(call: Call, at: AtCollection, query: ListQuery) -> Page[SpaceView]:
    """The spaces directly in it that the caller has a role on, in their order."""
    everything = await call.unit.spaces.in_collection(at.collection.record.id)
    roles = await roles_on_spaces(call.unit, call.caller, everything)
    seen = [space for space in everything if allows("space", "view", roles[space.id])]
    page = call.cut(seen, query, lambda one: (one.position, one.id))
    return Page(await show_spaces(call.unit, call.view, page.items, roles), page.count, page.next)


async def create(call: Call, at: InOrganization, body: CreateCollection) -> CollectionView:
    """The caller has admin on it, whatever the role in the organization."""
    parent = None if body.parent is UNSET else body.parent
    await _may_create(call, at.organization, parent, deeper=1)
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


async def _may_create(call: Call, organization: SeenOrganization, parent: str | None, deeper: int) -> None:
    """Whether `deeper` levels of collections may stand below a parent, or at the top."""
    if parent is None:
        if not allows("organization", "createContent", organization.role):
            raise Forbidden("your role in this organization does not allow creating content (needs createContent)")
        return
    above = await locate.collection(call.unit, call.caller, parent)
    if above.record.organization != organization.record.id:
        raise BadRequest(f"parent: collection {parent!r} belongs to another organization")
    if not allows("collection", "create", above.role):
        raise Forbidden("your role on that collection does not allow creating content in it (needs create)")
    if len(await call.unit.spaces.with_ancestors([parent])) + deeper > DEEPEST:
        raise BadRequest(f"parent: collections can be nested {DEEPEST} deep at most")


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
    record = at.collection.record
    await call.unit.people.hold_organization(record.organization)
    await call.unit.grants.revoke_all(record.id)
    await call.unit.spaces.remove_collection(record)
    await call.unit.emit(CollectionChanged(organization=record.organization, collection=record.id))


async def move(call: Call, at: AtCollection, body: Move) -> CollectionView:
    """Into another collection, or elsewhere among its siblings; never into itself. Raises Conflict for no change."""
    old = at.collection.record
    parent = old.parent if body.parent is UNSET else body.parent
    # Held before anything is read: two moves under each other at once see one another.
    await call.unit.people.hold_organization(old.organization)
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
    below = _height(await call.unit.spaces.collections(moved.organization), moved.id)
    await _may_create(call, await locate.organization(call.unit, call.caller, moved.organization), parent, deeper=below)
    if parent is not None and moved.id in await call.unit.spaces.with_ancestors([parent]):
        raise BadRequest("parent: a collection cannot be moved into itself")


def _height(everything: list[Collection], key: str) -> int:
    """Levels of collections from one downwards."""
    below: dict[str | None, list[str]] = {}
    for one in everything:
        below.setdefault(one.parent, []).append(one.id)
    level, height = [key], 0
    while level and height <= DEEPEST:
        level, height = [child for one in level for child in below.get(one, ())], height + 1
    return height


def _view(collection: Collection, role: Role | None) -> CollectionView:
    return CollectionView(collection, permissions("collection", role))


def _present_page(page: Page[CollectionView], view: View) -> Listing[collections.Collection]:
    return page.present(lambda one: collections.present(one, view))


def _present_spaces(page: Page[SpaceView], view: View) -> Listing[spaces.Space]:
    return page.present(lambda one: spaces.present(one, view))


def _nothing(done: None, view: View) -> None:
    """205 carries no body."""


_ALL = "/orgs/{organization}/collections"
_ONE = "/collections/{collection}"

OPERATIONS = (
    Operation(
        id="listCollectionsInOrganizationById",
        method="GET",
        path=_ALL,
        at=InOrganization,
        takes=CollectionsQuery,
        does=list_in_organization,
        present=_present_page,
        gives=Listing[collections.Collection],
        status=200,
        needs="relation",
        pace="read",
        unit=READ,
        scope="space:read",
        summary="List the collections of an organization",
    ),
    Operation(
        id="createCollection",
        method="POST",
        path=_ALL,
        at=InOrganization,
        takes=CreateCollection,
        does=create,
        present=collections.present,
        gives=collections.Collection,
        status=201,
        needs="relation",
        pace="write",
        unit=write("organization"),
        scope="space:write",
        summary="Create a collection",
    ),
    Operation(
        id="getCollectionById",
        method="GET",
        path=_ONE,
        at=AtCollection,
        takes=Nothing,
        does=get,
        present=collections.present,
        gives=collections.Collection,
        status=200,
        needs="collection.view",
        pace="read",
        unit=READ,
        scope="space:read",
        summary="Get a collection",
    ),
    Operation(
        id="updateCollectionById",
        method="PATCH",
        path=_ONE,
        at=AtCollection,
        takes=UpdateCollection,
        does=update,
        present=collections.present,
        gives=collections.Collection,
        status=200,
        needs="collection.admin",
        pace="write",
        unit=write(),
        scope="space:write",
        summary="Change a collection",
    ),
    Operation(
        id="deleteCollectionById",
        method="DELETE",
        path=_ONE,
        at=AtCollection,
        takes=Nothing,
        does=delete,
        present=_nothing,
        gives=None,
        status=205,
        needs="collection.admin",
        pace="write",
        unit=write(),
        scope="space:write",
        summary="Delete a collection; what it holds moves to its parent",
    ),
    Operation(
        id="listSpacesInCollectionById",
        method="GET",
        path=_ONE + "/spaces",
        at=AtCollection,
        takes=ListQuery,
        does=list_spaces,
        present=_present_spaces,
        gives=Listing[spaces.Space],
        status=200,
        needs="collection.view",
        pace="read",
        unit=READ,
        scope="space:read",
        summary="List the spaces of a collection",
    ),
    Operation(
        id="moveCollection",
        method="POST",
        path=_ONE + "/move",
        at=AtCollection,
        takes=Move,
        does=move,
        present=collections.present,
        gives=collections.Collection,
        status=200,
        needs="collection.admin",
        pace="write",
        unit=write(),
        scope="space:write",
        summary="Move a collection into another one, or among its siblings",
    ),
)
