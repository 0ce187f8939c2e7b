"""Change requests: proposed edits of a space."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta

from octavo.kernel import limits
from octavo.kernel.clock import iso
from octavo.kernel.records import review as records
from octavo.kernel.records.people import User
from octavo.wire.content import documents
from octavo.wire.fields import (
    Body,
    ChangeRequestSubject,
    DateTime,
    Id,
    Json,
    Maybe,
    Shape,
    WebUrl,
    line,
    maybe,
    trimmed,
)
from octavo.wire.lists import ListQuery
from octavo.wire.people import users
from octavo.wire.view import View

Status = Literal["draft", "open", "archived", "merged"]
OrderBy = Literal["updatedAt", "createdAt"]


class LinkRef(Body, tag_field="kind", tag="url", frozen=True):
    url: WebUrl


class ChangeRequestLink(Body, frozen=True):
    """An address elsewhere that belongs to the change request; the id of one that is there changes it."""

    ref: LinkRef
    title: Maybe[Annotated[str, line(limits.CHANGE_REQUEST_LINK_TITLE_MAX)]] = UNSET
    id: Maybe[Id] = UNSET


class ChangeRequestUrls(Shape, frozen=True):
    app: str
    location: str


class ChangeRequest(Shape, tag_field="object", tag="change-request", frozen=True):
    id: str
    number: int
    status: Status
    subject: str
    created_at: DateTime
    updated_at: DateTime
    space: str
    revision: str
    revision_initial: str
    comments: int
    outdated: bool
    urls: ChangeRequestUrls
    created_by: Maybe[users.User] = UNSET
    """Absent when the account is gone."""
    revision_merged_ancestor: Maybe[str] = UNSET
    revision_merged: Maybe[str] = UNSET
    merged_at: Maybe[DateTime] = UNSET
    merged_by: Maybe[users.User] = UNSET
    description: Maybe[Json] = UNSET
    links: Maybe[list[Json]] = UNSET


class CreateChangeRequest(Body, frozen=True):
    subject: Maybe[ChangeRequestSubject] = UNSET
    agent_task_id: Maybe[str] = UNSET
    """Checked and ignored."""
    template: Maybe[Json] = UNSET

    def __post_init__(self) -> None:
        trimmed(self, "subject", 0, limits.CHANGE_REQUEST_SUBJECT_MAX)


class UpdateChangeRequest(Body, frozen=True):
    subject: Maybe[ChangeRequestSubject] = UNSET
    status: Maybe[Literal["draft", "open", "archived"]] = UNSET
    description: Maybe[documents.Words] = UNSET
    links: Maybe[Annotated[list[ChangeRequestLink], Meta(max_length=limits.CHANGE_REQUEST_LINKS_MAX)]] = UNSET

    def __post_init__(self) -> None:
        trimmed(self, "subject", 0, limits.CHANGE_REQUEST_SUBJECT_MAX)


class ChangeRequestsQuery(ListQuery, frozen=True):
    """`contributor` edited, commented or created it; `requestedReviewer` was asked, alone or in a team."""

    status: Status = "open"
    creator: Maybe[str] = UNSET
    contributor: Maybe[str] = UNSET
    requested_reviewer: Maybe[str] = UNSET
    order_by: OrderBy = "updatedAt"


class OrganizationChangeRequestsQuery(ListQuery, frozen=True):
    """The same over many spaces: `site` and `space` leave those of a site's spaces, or of one."""

    status: list[Status] = msgspec.field(default_factory=lambda: ["open"])
    creator: Maybe[str] = UNSET
    contributor: Maybe[str] = UNSET
    requested_reviewer: Maybe[str] = UNSET
    site: Maybe[str] = UNSET
    space: Maybe[str] = UNSET
    order_by: OrderBy = "updatedAt"


class AskedRule(Shape, frozen=True):
    """A merge rule, by its name."""

    rule: str
    met: bool
    missing: Maybe[str] = UNSET
    """A sentence; absent where it is met."""


class Mergeability(Shape, frozen=True, tag_field="object", tag="change-request-mergeability"):
    """Whether whoever asks could merge it by its state and the merge rules, whatever her role is."""

    mergeable: bool
    bypassed: bool
    """Whether the rules do not bind her."""
    rules: list[AskedRule]


def mergeability(mergeable: bool, told: Sequence[tuple[str, str | None]], *, bypassed: bool) -> Mergeability:
    return Mergeability(mergeable, bypassed, [AskedRule(name, said is None, maybe(said)) for name, said in told])


class Merged(Shape, frozen=True):
    """The head of primary content after a merge; `conflicts` when some of it has to be decided by hand."""

    revision: str
    result: Literal["merge", "conflicts"]
    conflicts: Maybe[list[Json]] = UNSET


class Updated(Shape, frozen=True):
    """The head of the change request after primary content came in."""

    revision: str
    result: Literal["update", "conflicts"]
    conflicts: Maybe[list[Json]] = UNSET


class ChangeRequestView(msgspec.Struct, frozen=True):
    """A change request with the people it names, and whether primary content moved on without it."""

    request: records.ChangeRequest
    outdated: bool
    created_by: User | None = None
    merged_by: User | None = None


def present(shown: ChangeRequestView, view: View) -> ChangeRequest:
    """The change request as the API serves it."""
    request = shown.request
    return ChangeRequest(
        id=request.id,
        number=request.number,
        status=request.status,
        subject=request.subject,
        created_at=iso(request.created_at),
        updated_at=iso(request.updated_at),
        space=request.space,
        revision=request.revision,
        revision_initial=request.revision_initial,
        comments=request.comments,
        outdated=shown.outdated,
        urls=ChangeRequestUrls(
            view.change_request(request.organization, request.space, request.number),
            view.location("spaces", request.space, "change-requests", request.id),
        ),
        created_by=UNSET if shown.created_by is None else users.present(shown.created_by, view),
        revision_merged_ancestor=maybe(request.merged_ancestor),
        revision_merged=maybe(request.revision_merged),
        merged_at=UNSET if request.merged_at is None else iso(request.merged_at),
        merged_by=UNSET if shown.merged_by is None else users.present(shown.merged_by, view),
        description=maybe(request.description),
        links=request.links or UNSET,
    )


def present_merge(revision: str, conflicts: Sequence[Json]) -> Merged:
    """What a merge answers."""
    return Merged(revision, "conflicts" if conflicts else "merge", list(conflicts) or UNSET)


def present_update(revision: str, conflicts: Sequence[Json]) -> Updated:
    """What an update answers."""
    return Updated(revision, "conflicts" if conflicts else "update", list(conflicts) or UNSET)


def link(given: ChangeRequestLink, id_: str) -> dict[str, Any]:
    """A link as it is kept and served."""
    made: dict[str, Any] = msgspec.to_builtins(given)
    return made | {"id": id_}
