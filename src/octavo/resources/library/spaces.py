"""Spaces: containers of pages and files."""

from __future__ import annotations

import msgspec
from msgspec import UNSET

from octavo.access import locate
from octavo.access.placing import may_place, may_place_beside
from octavo.access.policy import allows
from octavo.access.standing import roles_on_spaces
from octavo.history.spaces import EMOJI, UNTITLED, copy, make
from octavo.kernel.errors import BadRequest, Conflict
from octavo.kernel.events import ContentChanged, SpaceChanged, SpaceDeleted
from octavo.kernel.ids import new_id
from octavo.kernel.operation import Nothing, nothing, reads, writes
from octavo.kernel.records import Role
from octavo.kernel.records.library import Space
from octavo.kernel.records.people import Organization
from octavo.resources.call import Call, EncodedSlice, Slice, listed
from octavo.resources.embedded import encode_spaces
from octavo.resources.emoji import emoji_in
from octavo.resources.order import position_in
from octavo.resources.places import AtOrganization, AtSpace, AtSpaceOrDeleted
from octavo.resources.rules import CREATORS, MEMBERS
from octavo.site.shown import show_spaces
from octavo.site.visibilities import visibility_told
from octavo.wire.fields import ShareKeyQuery
from octavo.wire.library import spaces
from octavo.wire.library.moves import Move, Position, SpacePointer
from octavo.wire.library.spaces import CreateSpace, SpacesQuery, SpaceView, UpdateSpace


async def create(call: Call, at: AtOrganization, body: CreateSpace) -> SpaceView:
    """The caller has admin on it, whatever the role in the organization."""
    organization = at.organization.record
    parent = None if body.parent is UNSET else body.parent
    await may_place(call.unit, call.caller, at.organization, parent)
    if body.template is not UNSET:
        raise BadRequest("template: this installation has no templates; leave it out for a space with one empty page")
    space_id = new_id()
    space = Space(
        id=space_id,
        organization=organization.id,
        title=body.title or UNTITLED if body.title is not UNSET else UNTITLED,
        emoji=emoji_in("emoji", body.emoji) if body.emoji else EMOJI,
        position=await position_in(call, organization.id, parent, space_id),
        created_at=call.now,
        updated_at=call.now,
        revision="",
        parent=parent,
        edit_mode="locked" if body.edit_mode is UNSET else body.edit_mode,
        language=None if body.language is UNSET else body.language,
    )
    computed = None
    if body.computed_source is not UNSET:
        slug = body.computed_source.dependencies.spec.ref.spec
        if await call.unit.openapi.by_slug(organization.id, slug) is None:
            raise BadRequest(
                f"computedSource.dependencies.spec.ref.spec: the organization has no specification {slug!r}"
            )
        computed = msgspec.to_builtins(body.computed_source)
    made = await make(call.unit, space, call.caller.user.id, empty=body.empty, computed=computed)
    return await _shown(call, made, "admin")


async def list_in_organization(call: Call, at: AtOrganization, query: SpacesQuery) -> EncodedSlice:
    """Those that the caller has a role on, newest first."""
    organization = at.organization.record
    if at.organization.role == "admin" and not query.deleted:
        found, total = await call.unit.spaces.page(organization.id, call.newest_behind(query), query.limit + 1)
        page = call.listing(found, total, query, lambda one: (one.created_at, one.id))
        roles: dict[str, Role | None] = dict.fromkeys((one.id for one in page.items), "admin")
    else:
        page, roles = await _visible(call, organization, query)
    return EncodedSlice(await encode_spaces(call, page.items, roles), page.count, page.next)


async def _visible(
    call: Call, organization: Organization, query: SpacesQuery
) -> tuple[Slice[Space], dict[str, Role | None]]:
    everything = await call.unit.spaces.all(organization.id, deleted=query.deleted)
    roles = await roles_on_spaces(call.unit, call.caller, everything)
    least = "admin" if query.deleted else "view"
    seen = [space for space in everything if allows("space", least, roles[space.id])]
    behind = call.newest_behind(query)
    rest = [space for space in seen if (space.created_at, space.id) < behind]
    page = call.listing(rest[: query.limit + 1], len(seen), query, lambda one: (one.created_at, one.id))
    return page, roles


async def get(call: Call, at: AtSpaceOrDeleted, query: ShareKeyQuery) -> SpaceView:
    """One space; a deleted one for those who could restore it."""
    space, role = at.space.record, at.space.role
    return (await show_spaces(call.unit, call.view, (space,), {space.id: role}, query.share_key))[0]


async def update(call: Call, at: AtSpace, body: UpdateSpace) -> SpaceView:
    """Only the fields that were sent change."""
    changed: dict[str, object] = {
        name: value
        for name in ("title", "edit_mode", "default_level", "language", "merge_rules")
        if (value := getattr(body, name)) is not UNSET
    }
    if body.emoji is not UNSET:
        changed |= {"emoji": emoji_in("emoji", body.emoji) if body.emoji else EMOJI, "icon": None}
    if body.icon is not UNSET:
        changed["icon"] = body.icon
    old = at.space.record
    async with visibility_told(call.unit, old.organization, spaces=[old.id]):
        space = await call.unit.spaces.change(old, **changed, updated_at=call.now)
    await call.unit.emit(SpaceChanged(organization=space.organization, space=space.id))
    return await _shown(call, space, at.space.role)


async def delete(call: Call, at: AtSpace, takes: Nothing) -> None:
    """It can be restored for a week; then a job removes it with everything that is only its own."""
    space = await call.unit.spaces.change(at.space.record, deleted_at=call.now, updated_at=call.now)
    await call.unit.sites.count_again(space.id)
    await call.unit.emit(SpaceDeleted(organization=space.organization, space=space.id, deleted_at=call.now))


async def restore(call: Call, at: AtSpaceOrDeleted, takes: Nothing) -> SpaceView:
    """Bring a deleted space back to where it was. Raises Conflict for one that is not deleted."""
    if at.space.record.deleted_at is None:
        raise Conflict("the space is not deleted")
    space = await call.unit.spaces.change(at.space.record, deleted_at=None, updated_at=call.now)
    await call.unit.sites.count_again(space.id)
    await call.unit.emit(SpaceChanged(organization=space.organization, space=space.id))
    await call.unit.emit(ContentChanged(organization=space.organization, space=space.id, revision=space.revision))
    return await _shown(call, space, at.space.role)


async def duplicate(call: Call, at: AtSpace, takes: Nothing) -> SpaceView:
    """A space with the same content behind this one; it shares every object, whatever their number."""
    old = at.space.record
    organization = await locate.organization(call.unit, call.caller, old.organization)
    await may_place_beside(call.unit, call.caller, organization, old)
    space_id = new_id()
    behind = Position(after=SpacePointer(space=old.id))
    position = await position_in(call, old.organization, old.parent, space_id, behind)
    made = await copy(call.unit, old, call.caller.user.id, id=space_id, position=position)
    return await _shown(call, made, "admin")


async def move(call: Call, at: AtSpace, body: Move) -> SpaceView:
    """Below another collection, or elsewhere among its siblings. Raises Conflict where nothing would change."""
    old = at.space.record
    parent = old.parent if body.parent is UNSET else body.parent
    # Before the parent is looked up: nobody takes it away from then on.
    await call.unit.people.hold_organization(old.organization)
    if parent != old.parent:
        await may_place(
            call.unit, call.caller, await locate.organization(call.unit, call.caller, old.organization), parent
        )
    elif body.position is UNSET:
        raise Conflict("the space is there already")
    order = [key for key, _ in await call.unit.spaces.siblings(old.organization, parent)]
    position = await position_in(call, old.organization, parent, old.id, body.position)
    async with visibility_told(call.unit, old.organization, spaces=[old.id]):
        space = await call.unit.spaces.change(old, parent=parent, position=position, updated_at=call.now)
    if parent == old.parent and order == [key for key, _ in await call.unit.spaces.siblings(old.organization, parent)]:
        raise Conflict("the space is there already")
    await call.unit.emit(SpaceChanged(organization=space.organization, space=space.id))
    return await _shown(call, space, at.space.role)


async def _shown(call: Call, space: Space, role: Role | None) -> SpaceView:
    return (await show_spaces(call.unit, call.view, (space,), {space.id: role}))[0]


OPERATIONS = (
    writes("POST", "createSpace", "/orgs/{organization}/spaces", create, spaces.present,
           lock="organization", status=201, needs=CREATORS, scope="space:write", audit="space.create",
           about=lambda made: made.space,
           summary="Create a space"),
    reads("listSpacesInOrganizationById", "/orgs/{organization}/spaces", list_in_organization, listed(spaces.present),
          needs=MEMBERS, also="the list holds what they may see", scope="space:read",
          installed="space:metadata:read", summary="List the spaces of an organization"),
    reads("getSpaceById", "/spaces/{space}", get, spaces.present,
          needs="space.view", visitors=True, scope="space:read", installed="space:metadata:read", summary="Get a space"),
    writes("PATCH", "updateSpaceById", "/spaces/{space}", update, spaces.present,
           lock="space", needs="space.admin", scope="space:write", audit="space.update", summary="Change a space"),
    writes("DELETE", "deleteSpaceById", "/spaces/{space}", delete, nothing,
           lock="space", needs="space.admin", scope="space:write", audit="space.delete",
           summary="Delete a space; for a week it can be restored"),
    writes("POST", "restoreSpace", "/spaces/{space}/restore", restore, spaces.present,
           lock="space", needs="space.admin", scope="space:write", audit="space.restore",
           summary="Restore a deleted space"),
    writes("POST", "duplicateSpace", "/spaces/{space}/duplicate", duplicate, spaces.present,
           lock="space", status=201, needs="space.view", scope="space:write", audit="space.duplicate",
           also="`createContent` on the organization, or `create` on the collection that the space is in",
           about=lambda made: made.space,
           summary="Duplicate a space"),
    writes("POST", "moveSpace", "/spaces/{space}/move", move, spaces.present,
           lock="space", needs="space.admin", scope="space:write", audit="space.move",
           also="`create` on the collection that it is put into, or `createContent` on the organization",
           summary="Move a space to a collection, or among its siblings"),
)  # fmt: skip
