"""Reviews of change requests, the people who were asked for one, and the people who took part."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta

from octavo.kernel import limits
from octavo.kernel.clock import iso
from octavo.kernel.records import review as records
from octavo.kernel.records.people import Team, User
from octavo.kernel.records.review import ChangeRequest
from octavo.wire.content import documents
from octavo.wire.fields import Body, ChangeRequestSubject, DateTime, Id, Located, Maybe, Shape, trimmed
from octavo.wire.lists import ListQuery
from octavo.wire.people import users
from octavo.wire.review import comments
from octavo.wire.review.comments import CommentView, Format
from octavo.wire.view import View

Status = Literal["changes-requested", "approved"]


class RequestedTeam(Shape, tag_field="object", tag="team", frozen=True):
    id: str
    title: str


class RequestedReviewer(Shape, tag_field="object", tag="change-request-requested-reviewer", frozen=True):
    revision: str
    """What the change request held when it was asked for."""
    created_at: DateTime
    kind: Literal["user", "team"]
    requested_by: Maybe[users.User] = UNSET
    """Absent when the account is gone."""
    user: Maybe[users.User] = UNSET
    team: Maybe[RequestedTeam] = UNSET


class RequestedReviewers(Shape, frozen=True):
    """Everybody whom the request named, teams among them."""

    users: list[RequestedReviewer]


class Review(Shape, tag_field="object", tag="change-request-review", frozen=True):
    id: str
    revision: str
    status: Status
    outdated: bool
    """The content changed since, or a newer review was submitted or asked for."""
    created_at: DateTime
    updated_at: DateTime
    urls: Located
    reviewer: Maybe[users.User] = UNSET
    requested_by: Maybe[users.User] = UNSET
    comment: Maybe[comments.Comment] = UNSET


class Contributor(Shape, frozen=True):
    user: users.User
    action_type: Literal["edit", "comment"]
    count: int
    updated_at: DateTime


class RequestReviewers(Body, frozen=True):
    """Names at least one user or team; `subject` and `description` replace those of the change request."""

    users: Annotated[list[Id], Meta(max_length=limits.CHANGE_REQUEST_REVIEWERS_MAX)]
    teams: Annotated[list[Id], Meta(max_length=limits.CHANGE_REQUEST_REVIEWERS_MAX)] = []
    subject: Maybe[ChangeRequestSubject] = UNSET
    description: Maybe[documents.Words] = UNSET

    def __post_init__(self) -> None:
        trimmed(self, "subject", 0, limits.CHANGE_REQUEST_SUBJECT_MAX)
        if not self.users and not self.teams:
            raise ValueError("Expected at least one reviewer - at `$.users`")


class SubmitReview(Body, frozen=True):
    status: Status
    comment: Maybe[documents.Words] = UNSET


class ReviewQuery(ListQuery, frozen=True):
    """`format` chooses the form of the comment; Markdown without it."""

    format: Format = "markdown"


class ReviewsQuery(ReviewQuery, frozen=True):
    outdated: Maybe[bool] = UNSET


class RequestedReviewerView(msgspec.Struct, frozen=True):
    requested: records.RequestedReviewer
    requested_by: User | None = None
    user: User | None = None
    team: Team | None = None


class ReviewView(msgspec.Struct, frozen=True):
    """A review with the people it names, and the comment that it was submitted with, if that is still there."""

    review: records.Review
    request: ChangeRequest
    outdated: bool
    reviewer: User | None = None
    requested_by: User | None = None
    comment: CommentView | None = None


class ContributorView(msgspec.Struct, frozen=True):
    contributor: records.Contributor
    user: User


def present_requested(shown: RequestedReviewerView, view: View) -> RequestedReviewer:
    """A user or team that was asked."""
    requested = shown.requested
    return RequestedReviewer(
        revision=requested.revision,
        created_at=iso(requested.created_at),
        kind="user" if requested.team is None else "team",
        requested_by=_user(shown.requested_by, view),
        user=_user(shown.user, view),
        team=UNSET if shown.team is None else RequestedTeam(shown.team.id, shown.team.title),
    )


def present(shown: ReviewView, view: View) -> Review:
    """The review as the API serves it."""
    review, request = shown.review, shown.request
    location = view.location("spaces", request.space, "change-requests", request.id, "reviews", review.id)
    return Review(
        id=review.id,
        revision=review.revision,
        status=review.status,
        outdated=shown.outdated,
        created_at=iso(review.created_at),
        updated_at=iso(review.updated_at),
        urls=Located(location),
        reviewer=_user(shown.reviewer, view),
        requested_by=_user(shown.requested_by, view),
        comment=UNSET if shown.comment is None else comments.present(shown.comment, view),
    )


def present_contributor(shown: ContributorView, view: View) -> Contributor:
    """Somebody who took part."""
    contributor = shown.contributor
    return Contributor(
        users.present(shown.user, view), contributor.action, contributor.count, iso(contributor.updated_at)
    )


def _user(user: User | None, view: View) -> Maybe[users.User]:
    return UNSET if user is None else users.present(user, view)
