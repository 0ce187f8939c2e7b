"""Change requests: proposed edits of a space, from the first draft to the merge."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from octavo.access import locate_sites
from octavo.access.locate import SeenOrganization
from octavo.access.policy import allows
from octavo.access.review import merge_rules
from octavo.access.standing import roles_on_spaces
from octavo.history import joining
from octavo.history.joining import Joined, Plan
from octavo.kernel.errors import BadRequest, Conflict
from octavo.kernel.events import ChangeRequestMerged
from octavo.kernel.ids import new_id
from octavo.kernel.operation import Nothing, reads, writes
from octavo.kernel.records import Json
from octavo.kernel.records.library import Space
from octavo.kernel.records.review import ChangeRequest
from octavo.resources.call import Ahead, Call, Slice, listed
from octavo.resources.embedded import show_change_requests, users_by_id
from octavo.resources.places import AtChangeRequest, AtOrganization, AtSpace
from octavo.resources.rules import MEMBERS
from octavo.resources.threads import described
from octavo.site.shown import show_spaces
from octavo.store.review.change_requests import Order, Wanted
from octavo.wire.library import spaces
from octavo.wire.people import users
from octavo.wire.review import change_requests, reviews
from octavo.wire.review.change_requests import (
    ChangeRequestLink,
    ChangeRequestsQuery,
    ChangeRequestView,
    CreateChangeRequest,
    Mergeability,
    OrganizationChangeRequestsQuery,
    UpdateChangeRequest,
)
from octavo.wire.view import View

T = TypeVar("T")

IMPATIENT = 3
"""Preparations after which a small merge or update is made in its unit, where nobody can be faster."""


async def list_in_space(call: Call, at: AtSpace, query: ChangeRequestsQuery) -> Slice[ChangeRequestView]:
    """Those of one status, the newest first."""
    space, wanted = at.space.record, _wanted(query, [query.status])
    found, total = await call.unit.change_requests.page(space.id, wanted, call.newest_behind(query), query.limit + 1)
    page = call.listing(found, total, query, lambda one: _key(one, wanted.order))
    return Slice(await show_change_requests(call, page.items, {space.id: space}), page.count, page.next)


async def list_in_organization(
    call: Call, at: AtOrganization, query: OrganizationChangeRequestsQuery
) -> Slice[ChangeRequestView]:
    """Those of every space that the caller sees, the newest first."""
    organization, wanted = at.organization.record, _wanted(query, query.status)
    seen = await _spaces(call, at.organization, query)
    found, total = await call.unit.change_requests.page_across(
        organization.id, list(seen), wanted, call.newest_behind(query), query.limit + 1
    )
    page = call.listing(found, total, query, lambda one: _key(one, wanted.order))
    return Slice(await show_change_requests(call, page.items, seen), page.count, page.next)


async def _spaces(
    call: Call, organization: SeenOrganization, query: OrganizationChangeRequestsQuery
) -> dict[str, Space]:
    """The spaces that the caller sees, as far as the query asks for them."""
    everything = await call.unit.spaces.all(organization.record.id)
    if query.space is not UNSET:
        everything = [space for space in everything if space.id == query.space]
    if query.site is not UNSET:
        site = await locate_sites.site(call.unit, call.caller, query.site, organization.record)
        shown = {link.space for link in await call.unit.sites.site_spaces(site.record.id)}
        everything = [space for space in everything if space.id in shown]
    roles = await roles_on_spaces(call.unit, call.caller, everything)
    return {space.id: space for space in everything if allows("space", "view", roles[space.id])}


def _wanted(query: ChangeRequestsQuery | OrganizationChangeRequestsQuery, statuses: Sequence[str]) -> Wanted:
    return Wanted(
        statuses,
        creator=_or_none(query.creator),
        contributor=_or_none(query.contributor),
        reviewer=_or_none(query.requested_reviewer),
        order=query.order_by,
    )


def _or_none(value: T | UnsetType) -> T | None:
    return None if value is UNSET else value


def _key(request: ChangeRequest, order: Order) -> tuple[int, str]:
    return (request.updated_at if order == "updatedAt" else request.created_at, request.id)


async def create(call: Call, at: AtSpace, body: CreateChangeRequest) -> ChangeRequestView:
    """A draft on the head of primary content, of which nothing is copied."""
    if body.template is not UNSET:
        raise BadRequest("template: this installation has no templates; leave it out")
    space, me = at.space.record, call.caller.user.id
    request = ChangeRequest(
        id=new_id(),
        organization=space.organization,
        space=space.id,
        # Dense, because whoever creates one holds the lock of the space.
        number=space.change_requests + 1,
        subject=_or_none(body.subject) or merge_rules.UNTITLED,
        status="draft",
        created_by=me,
        created_at=call.now,
        updated_at=call.now,
        revision=space.revision,
        revision_initial=space.revision,
    )
    await call.unit.change_requests.add(request)
    await call.unit.change_requests.contributed(request, me, "edit", call.now)
    return await _shown(call, request, space)


async def get(call: Call, at: AtChangeRequest, takes: Nothing) -> ChangeRequestView:
    """One change request; who works on it is no visitor's business."""
    shown = await _shown(call, at.change_request.record, at.space.record)
    if call.caller.visiting is None:
        return shown
    request = replace(shown.request, description=None, links=[])
    return replace(shown, request=request, created_by=None, merged_by=None)


async def update(call: Call, at: AtChangeRequest, body: UpdateChangeRequest) -> ChangeRequestView:
    """Only the fields that were sent change; a merged one keeps its status."""
    request = at.change_request.record
    changed: dict[str, object] = {
        name: value for name in ("subject", "status") if (value := getattr(body, name)) is not UNSET
    }
    if body.description is not UNSET:
        changed["description"] = described(body.description)
    if body.links is not UNSET:
        changed["links"] = _links(request, body.links)
    if request.status == "merged" and "status" in changed:
        raise Conflict(f"change request {request.number} is merged, which is final")
    if any(getattr(request, name) != value for name, value in changed.items()):
        request = await call.unit.change_requests.change(request, call.now, **changed)
    return await _shown(call, request, at.space.record)


def _links(request: ChangeRequest, given: list[ChangeRequestLink]) -> list[Json]:
    """The links as they will be; an id that is given is one of those that are there."""
    known = {link["id"] for link in request.links}
    for place, link in enumerate(given):
        if link.id is not UNSET and link.id not in known:
            raise BadRequest(f"links[{place}].id: this change request has no link {link.id!r}")
    return [change_requests.link(link, new_id() if link.id is UNSET else link.id) for link in given]


async def prepare_merge(prior: Ahead, at: AtChangeRequest, takes: Nothing) -> Plan:
    """Compute the merge, one after the other for a space: each sees the head that the one before it left."""
    await prior.read(lambda unit: _must_be_mergeable(prior.call(unit), at))
    await prior.take_turn()
    return await joining.prepare(
        prior.store, "merge", at.space.record.id, at.change_request.record.id, patient=prior.attempt < IMPATIENT
    )


async def merge(call: Call, at: AtChangeRequest, takes: Nothing) -> Joined:
    """Bring it into primary content, if its state and the merge rules allow that."""
    space, request, me = at.space.record, at.change_request.record, call.caller.user.id
    await _must_be_mergeable(call, at)
    joined = await joining.merge(call.unit, space, request, call.prepared)
    await call.unit.change_requests.change(
        request, call.now, status="merged", revision_merged=joined.revision.id, merged_at=call.now, merged_by=me
    )
    await call.unit.emit(
        ChangeRequestMerged(
            organization=space.organization,
            space=space.id,
            change_request=request.id,
            revision=joined.revision.id,
            user=me,
        )
    )
    return joined


async def _must_be_mergeable(call: Call, at: AtChangeRequest) -> None:
    request = at.change_request.record
    _must_be_in_work(request, "merged")
    if (rule := await _forbidding(call, at)) is not None:
        raise Conflict(f"a merge rule forbids merging change request {request.number}: {rule}")


async def prepare_pull(prior: Ahead, at: AtChangeRequest, takes: Nothing) -> Plan:
    """Compute the update; one that a merge overtook waits for its turn among them."""
    _must_be_in_work(at.change_request.record, "updated")
    if prior.attempt > 1:
        await prior.take_turn()
    return await joining.prepare(
        prior.store, "update", at.space.record.id, at.change_request.record.id, patient=prior.attempt < IMPATIENT
    )


async def pull(call: Call, at: AtChangeRequest, takes: Nothing) -> Joined:
    """Bring primary content into it."""
    space, request = at.space.record, at.change_request.record
    _must_be_in_work(request, "updated")
    joined = await joining.update(call.unit, space, request, call.prepared)
    if request.base != space.revision:
        await call.unit.change_requests.change(
            request, call.now, revision=joined.revision.id, merged_ancestor=space.revision
        )
    return joined


def _must_be_in_work(request: ChangeRequest, done: str) -> None:
    if request.status not in ("draft", "open"):
        raise Conflict(
            f"change request {request.number} is {request.status}; only a draft or an open one can be {done}"
        )


async def get_mergeability(call: Call, at: AtChangeRequest, takes: Nothing) -> Mergeability:
    """What the merge rules say to whoever asks, each of them."""
    request = at.change_request.record
    rules, merging = await _asked(call, at)
    told = [] if merging is None else merge_rules.told(rules, merging)
    bypassed = merge_rules.bypasses(rules, call.caller.user.id)
    met = bypassed or all(missing is None for _, missing in told)
    return change_requests.mergeability(met and request.status in ("draft", "open"), told, bypassed=bypassed)


async def _forbidding(call: Call, at: AtChangeRequest) -> str | None:
    """The merge rule that is not met."""
    rules, merging = await _asked(call, at)
    return None if merging is None else merge_rules.forbids(rules, merging)


async def _asked(call: Call, at: AtChangeRequest) -> tuple[list[merge_rules.Rule], merge_rules.Merging | None]:
    """The rules that hold, and what they are asked about; None where there are none."""
    space, request = at.space.record, at.change_request.record
    organization = await call.unit.people.organization(space.organization)
    assert organization is not None  # a space's row goes with its organization's
    rules = merge_rules.applying(space.merge_rules, organization.merge_rules)
    if not rules:
        return [], None
    standing = merge_rules.standing(await call.unit.reviews.standing(request.id), request.revision)
    people = await users_by_id(call, (review.reviewer for review in standing))
    said = [
        reviews.ReviewView(review, request, merge_rules.outdated(review, request.revision), people.get(review.reviewer))
        for review in standing
    ]
    shown = (await show_spaces(call.unit, call.view, (space,), {space.id: at.space.role}))[0]
    context = {
        "space": spaces.present(shown, call.view),
        "changeRequest": change_requests.present(await _shown(call, request, space), call.view),
        "reviews": [reviews.present(review, call.view) for review in said],
        "actor": users.present(call.caller.user, call.view),
    }
    return rules, merge_rules.Merging(
        request=request,
        outdated=request.outdated(space.revision),
        reviews=standing,
        actor=call.caller.user.id,
        context=msgspec.to_builtins(context),
    )


async def _shown(call: Call, request: ChangeRequest, space: Space) -> ChangeRequestView:
    return (await show_change_requests(call, (request,), {space.id: space}))[0]


def _as_it_is(mergeability: Mergeability, view: View) -> Mergeability:
    return mergeability


def _present_merge(joined: Joined, view: View) -> change_requests.Merged:
    return change_requests.present_merge(joined.revision.id, joined.conflicts)


def _present_update(joined: Joined, view: View) -> change_requests.Updated:
    return change_requests.present_update(joined.revision.id, joined.conflicts)


_ALL = "/spaces/{space}/change-requests"
_ONE = _ALL + "/{change_request}"


OPERATIONS = (
    reads("listChangeRequestsForSpace", _ALL, list_in_space, listed(change_requests.present),
          needs="space.view", scope="space:read", summary="List the change requests of a space"),
    reads("listChangeRequestsForOrganization", "/orgs/{organization}/change-requests", list_in_organization,
          listed(change_requests.present),
          needs=MEMBERS, also="the list holds what they may see", scope="space:read",
          summary="List the change requests of an organization"),
    writes("POST", "createChangeRequest", _ALL, create, change_requests.present,
           lock="space", status=201, needs="space.edit", scope="space:write", audit="change-request.create",
           about=lambda made: made.request,
           summary="Create a change request"),
    reads("getChangeRequestById", _ONE, get, change_requests.present,
          needs="space.view", visitors=True, scope="space:read", summary="Get a change request"),
    writes("PATCH", "updateChangeRequestById", _ONE, update, change_requests.present,
           lock="space", needs="space.edit", scope="space:write", audit="change-request.update",
           summary="Change a change request"),
    reads("getChangeRequestMergeability", _ONE + "/mergeability", get_mergeability, _as_it_is,
          needs="space.view", scope="space:read", summary="Get which merge rules are met, and what is missing"),
    writes("POST", "mergeChangeRequest", _ONE + "/merge", merge, _present_merge,
           before=prepare_merge, lock="space", needs="space.merge", scope="change-request:merge",
           audit="change-request.merge", summary="Merge a change request"),
    writes("POST", "updateChangeRequest", _ONE + "/update", pull, _present_update,
           before=prepare_pull, lock="space", needs="space.edit", scope="space:write",
           audit="change-request.synchronize", summary="Bring primary content into a change request"),
)  # fmt: skip
