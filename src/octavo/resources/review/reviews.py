"""Reviews of change requests: who is asked, what they say, and who took part."""

from __future__ import annotations

from typing import Any

from msgspec import UNSET

from octavo.access.caller import Caller, person_of
from octavo.access.locate import SeenChangeRequest, SeenReviewable, SeenSpace
from octavo.access.policy import allows
from octavo.access.review.merge_rules import outdated
from octavo.access.standing import role_on_space
from octavo.kernel.errors import BadRequest, Conflict, absent
from octavo.kernel.events import ReviewRequested, ReviewSubmitted
from octavo.kernel.ids import new_id
from octavo.kernel.operation import Nothing, Rule, nothing, reads, writes
from octavo.kernel.records.library import Space
from octavo.kernel.records.review import ChangeRequest, Comment, RequestedReviewer, Review
from octavo.resources import threads
from octavo.resources.call import Call, Slice, listed
from octavo.resources.embedded import users_by_id
from octavo.resources.places import AtChangeRequest, Place
from octavo.store.review.reviews import asked_order
from octavo.store.shelf import by_id
from octavo.wire.lists import ListQuery
from octavo.wire.review import reviews
from octavo.wire.review.reviews import (
    ContributorView,
    RequestedReviewerView,
    RequestReviewers,
    ReviewQuery,
    ReviewsQuery,
    ReviewView,
    SubmitReview,
)
from octavo.wire.view import View


class AtReviewable(AtChangeRequest, frozen=True):
    """Where reviews are submitted."""

    change_request: SeenReviewable


class AtRequestedReviewer(Place, frozen=True):
    space: SeenSpace
    change_request: SeenChangeRequest
    user: str


class AtReview(Place, frozen=True):
    space: SeenSpace
    change_request: SeenChangeRequest
    review: str


async def list_requested(call: Call, at: AtChangeRequest, query: ListQuery) -> Slice[RequestedReviewerView]:
    """The latest first."""
    asked = await call.unit.reviews.requested(at.change_request.record.id)
    page = call.cut(asked, query, asked_order)
    return Slice(await _show_requested(call, page.items), page.count, page.next)


async def request(call: Call, at: AtChangeRequest, body: RequestReviewers) -> list[RequestedReviewerView]:
    """Ask users and teams; a draft is opened by that. Who was asked already and has not answered is not asked again."""
    space, change_request = at.space.record, at.change_request.record
    _must_be_in_work(change_request)
    await _check_users(call, space, body.users)
    await _check_teams(call, space, body.teams)
    known = {one.user or one.team: one for one in await call.unit.reviews.requested(change_request.id)}
    asked = [await _ask(call, change_request, known.get(user), user=user) for user in dict.fromkeys(body.users)]
    asked += [await _ask(call, change_request, known.get(team), team=team) for team in dict.fromkeys(body.teams)]
    changed: dict[str, object] = {} if body.subject is UNSET else {"subject": body.subject}
    if body.description is not UNSET:
        changed["description"] = threads.described(body.description)
    await call.unit.change_requests.change(change_request, call.now, **changed, status="open")
    before = {one.id for one in known.values()}
    if new := [one.id for one in asked if one.id not in before]:
        await call.unit.emit(
            ReviewRequested(
                organization=space.organization,
                space=space.id,
                change_request=change_request.id,
                requested=new,
                user=call.caller.user.id,
            )
        )
    return await _show_requested(call, asked)


def _must_be_in_work(change_request: ChangeRequest) -> None:
    if change_request.status not in ("draft", "open"):
        raise Conflict(f"change request {change_request.number} is {change_request.status} and takes no reviews")


async def _check_users(call: Call, space: Space, ids: list[str]) -> None:
    """Raises BadRequest for a user who cannot see the space, as for one who does not exist."""
    known = await users_by_id(call, ids)
    for place, user in enumerate(ids):
        found = known.get(user)
        role = None if found is None else await role_on_space(call.unit, await person_of(call.unit, found), space)
        if role is None:
            raise BadRequest(f"users[{place}]: there is no user {user!r} who may see this space")


async def _check_teams(call: Call, space: Space, ids: list[str]) -> None:
    mine = {team.id for team in await call.unit.teams.by_ids(ids) if team.organization == space.organization}
    for place, team in enumerate(ids):
        if team not in mine:
            raise BadRequest(f"teams[{place}]: the organization has no team {team!r}")


async def _ask(
    call: Call,
    change_request: ChangeRequest,
    before: RequestedReviewer | None,
    *,
    user: str | None = None,
    team: str | None = None,
) -> RequestedReviewer:
    """The request as it is, or a new one where there is none or where it was answered by a review."""
    answered = user is not None and await call.unit.reviews.ask_again(change_request.id, user)
    if before is not None and not answered:
        return before
    if before is not None:
        await call.unit.reviews.withdraw(before)
    asked = RequestedReviewer(
        id=new_id(),
        organization=change_request.organization,
        change_request=change_request.id,
        revision=change_request.revision,
        requested_by=call.caller.user.id,
        created_at=call.now,
        user=user,
        team=team,
    )
    await call.unit.reviews.ask(asked)
    return asked


async def remove_requested(call: Call, at: AtRequestedReviewer, takes: Nothing) -> None:
    """The reviews of whoever was asked stay. The word is the id of a user, or of a team that was asked."""
    change_request = at.change_request.record
    known = await call.unit.reviews.requested(change_request.id)
    asked = next((one for one in known if at.user in (one.user, one.team)), None)
    if asked is None:
        raise absent("requested reviewer", at.user)
    await call.unit.reviews.withdraw(asked)
    await call.unit.change_requests.change(change_request, call.now)


async def list_all(call: Call, at: AtChangeRequest, query: ReviewsQuery) -> Slice[ReviewView]:
    """The newest first."""
    wanted = None if query.outdated is UNSET else query.outdated
    found, total = await call.unit.reviews.page(
        at.change_request.record, wanted, call.newest_behind(query), query.limit + 1
    )
    page = call.listing(found, total, query, lambda one: (one.created_at, one.id))
    return Slice(await _show(call, at, page.items, query), page.count, page.next)


async def get(call: Call, at: AtReview, query: ReviewQuery) -> ReviewView:
    """One review."""
    review = await call.unit.reviews.get(at.review)
    if review is None or review.change_request != at.change_request.record.id:
        raise absent("review", at.review)
    return (await _show(call, at, [review], query))[0]


def _reviews(caller: Caller, at: AtReviewable, takes: object) -> bool:
    return bool(at.change_request.asked) or allows("space", "review", at.space.role)


REVIEWERS: Rule[AtReviewable, Any] = Rule(
    "who was asked to review; `review` on the space",
    _reviews,
    "your role on this space does not allow reviewing (needs review), and you were not asked to",
)


async def submit(call: Call, at: AtReviewable, body: SubmitReview) -> ReviewView:
    """By those who may review, and by those who were asked."""
    change_request, me = at.change_request.record, call.caller.user.id
    asked = at.change_request.asked
    _must_be_in_work(change_request)
    review = Review(
        id=new_id(),
        organization=change_request.organization,
        change_request=change_request.id,
        revision=change_request.revision,
        reviewer=me,
        status=body.status,
        created_at=call.now,
        updated_at=call.now,
        requested_by=asked[0].requested_by if asked else None,
    )
    said = "" if body.comment is UNSET else threads.written(body.comment, "comment")
    await call.unit.reviews.submit(review)
    if said:
        await threads.post(call, change_request, _comment(review, at.space.record, said))
    await call.unit.change_requests.change(change_request, call.now)
    await call.unit.emit(
        ReviewSubmitted(
            organization=change_request.organization,
            space=change_request.space,
            change_request=change_request.id,
            review=review.id,
            user=me,
            mentions=await threads.mentions(call, change_request.organization, said),
        )
    )
    return (await _show(call, at, [review], ReviewQuery()))[0]


async def list_contributors(call: Call, at: AtChangeRequest, query: ListQuery) -> Slice[ContributorView]:
    """Once for edits, once for comments, the latest first."""
    found = await call.unit.change_requests.contributors(at.change_request.record.id)
    people = await users_by_id(call, (one.user for one in found))
    known = [one for one in found if one.user in people]
    page = call.cut(known, query, lambda one: (-one.updated_at, one.user, one.action))
    return Slice([ContributorView(one, people[one.user]) for one in page.items], page.count, page.next)


async def _show_requested(call: Call, asked: list[RequestedReviewer]) -> list[RequestedReviewerView]:
    people = await users_by_id(call, (user for one in asked for user in (one.requested_by, one.user)))
    teams = by_id(await call.unit.teams.by_ids(one.team for one in asked if one.team is not None))
    return [
        RequestedReviewerView(one, people.get(one.requested_by), people.get(one.user or ""), teams.get(one.team or ""))
        for one in asked
    ]


async def _show(
    call: Call, at: AtChangeRequest | AtReview, found: list[Review], query: ReviewQuery
) -> list[ReviewView]:
    change_request = at.change_request.record
    people = await users_by_id(call, (user for one in found for user in (one.reviewer, one.requested_by)))
    said = list((await call.unit.comments.of_reviews(one.id for one in found)).values())
    shown = await threads.show_comments(call, at.space, change_request.revision, said, query.format)
    comments = {one.comment.review: one for one in shown}
    return [
        ReviewView(
            one,
            change_request,
            outdated(one, change_request.revision),
            people.get(one.reviewer),
            people.get(one.requested_by or ""),
            comments.get(one.id),
        )
        for one in found
    ]


def _comment(review: Review, space: Space, markdown: str) -> Comment:
    """What a review says, as a comment on all of the change request."""
    return Comment(
        id=new_id(),
        organization=review.organization,
        space=space.id,
        change_request=review.change_request,
        revision=review.revision,
        review=review.id,
        posted_by=review.reviewer,
        posted_at=review.created_at,
        markdown=markdown,
    )


def _present_requested(asked: list[RequestedReviewerView], view: View) -> reviews.RequestedReviewers:
    return reviews.RequestedReviewers([reviews.present_requested(one, view) for one in asked])


_ONE = "/spaces/{space}/change-requests/{change_request}"


OPERATIONS = (
    reads("getRequestedReviewersByChangeRequestId", _ONE + "/requested-reviewers", list_requested,
          listed(reviews.present_requested),
          needs="space.view", scope="space:read", summary="List who was asked to review"),
    writes("POST", "requestReviewersForChangeRequest", _ONE + "/requested-reviewers", request, _present_requested,
           lock="space", needs="space.edit", scope="space:write", audit="change-request.reviewers.request",
           summary="Ask for reviews"),
    writes("DELETE", "removeRequestedReviewerFromChangeRequest", _ONE + "/requested-reviewers/{user}",
           remove_requested, nothing,
           lock="space", needs="space.edit", scope="space:write", audit="change-request.reviewers.remove",
           summary="Do not ask a user for a review any more"),
    reads("getReviewsByChangeRequestId", _ONE + "/reviews", list_all, listed(reviews.present),
          needs="space.view", scope="space:read", long=threads.in_documents, summary="List the reviews of a change request"),
    writes("POST", "submitChangeRequestReview", _ONE + "/reviews", submit, reviews.present,
           lock="space", status=201, needs=REVIEWERS, scope="space:write", audit="change-request.review.submit",
           about=lambda made: made.review,
           summary="Review a change request"),
    reads("getChangeRequestReviewById", _ONE + "/reviews/{review}", get, reviews.present,
          needs="space.view", scope="space:read", long=threads.in_documents, summary="Get a review"),
    reads("getContributorsByChangeRequestId", _ONE + "/contributors", list_contributors,
          listed(reviews.present_contributor),
          needs="space.view", scope="space:read", summary="List who took part in a change request"),
)  # fmt: skip
