"""What the caller is told of, and what she wants to be told of."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta

from octavo.kernel import limits
from octavo.kernel.clock import iso
from octavo.kernel.locales import Locale
from octavo.kernel.records import notifications as kept
from octavo.kernel.records.library import Space
from octavo.kernel.records.notifications import NotificationEmail, NotificationKind
from octavo.kernel.records.people import User
from octavo.kernel.records.review import ChangeRequest
from octavo.wire.fields import Body, DateTime, Maybe, Shape, maybe
from octavo.wire.lists import ListQuery, Next
from octavo.wire.people import users
from octavo.wire.view import View


class NotificationUrls(Shape, frozen=True):
    """Where what happened can be seen."""

    app: str


class NotificationSpace(Shape, tag_field="object", tag="space", frozen=True):
    id: str
    title: str


class NotificationChangeRequest(Shape, tag_field="object", tag="change-request", frozen=True):
    id: str
    number: int
    subject: str


class NotificationReview(Shape, tag_field="object", tag="change-request-review", frozen=True):
    id: str
    status: Literal["changes-requested", "approved"]


class Notification(Shape, tag_field="object", tag="notification", frozen=True):
    id: str
    kind: NotificationKind
    created_at: DateTime
    organization: str
    space: NotificationSpace
    urls: NotificationUrls
    read_at: Maybe[DateTime] = UNSET
    """Absent = unread."""
    actor: Maybe[users.User] = UNSET
    """Who did it; absent for what happens by itself, and when the account is gone."""
    change_request: Maybe[NotificationChangeRequest] = UNSET
    review: Maybe[NotificationReview] = UNSET
    comment: Maybe[str] = UNSET
    """Id of the comment; of a reply, the comment that it answers."""
    reply: Maybe[str] = UNSET
    excerpt: Maybe[Annotated[str, Meta(max_length=limits.EXCERPT_MAX)]] = UNSET
    """How the comment or reply begins."""
    message: Maybe[str] = UNSET
    """Why something failed."""


class Notifications(Shape, frozen=True):
    """A page of the list, and how many are unread on all pages."""

    items: list[Notification]
    count: int
    unread: int
    next: Maybe[Next] = UNSET


class NotificationsQuery(ListQuery, frozen=True):
    status: Literal["all", "unread", "read"] = "all"


class NotificationPreference(Shape, frozen=True):
    """`list` puts such things into the list; `email` sends them: together with others, each at once, or not."""

    list: bool
    email: NotificationEmail


class NotificationPreferences(Shape, frozen=True):
    """Every kind, with what holds for the caller."""

    kinds: dict[NotificationKind, NotificationPreference]
    language: Maybe[str] = UNSET
    """In which letters are written; absent = the language of the installation."""


class ChangeNotificationPreference(Body, frozen=True):
    list: Maybe[bool] = UNSET
    email: Maybe[NotificationEmail] = UNSET


class ChangeNotificationPreferences(Body, frozen=True):
    """Kinds that are not named stay as they are."""

    kinds: Maybe[dict[NotificationKind, ChangeNotificationPreference]] = UNSET
    language: Maybe[Locale | None] = UNSET
    """In which letters are written; null = the language of the installation."""


class NotificationView(msgspec.Struct, frozen=True):
    """A notification with what it names, as that is now."""

    notification: kept.Notification
    space: Space
    actor: User | None = None
    change_request: ChangeRequest | None = None
    review: str | None = None
    """What the review says."""
    words: str | None = None
    """How the comment or reply begins."""
    page: str | None = None
    """The page that it is about."""


def present(shown: NotificationView, view: View) -> Notification:
    """One entry of the list."""
    told, space, request = shown.notification, shown.space, shown.change_request
    return Notification(
        id=told.id,
        kind=told.kind,
        created_at=iso(told.created_at),
        organization=space.organization,
        space=NotificationSpace(space.id, space.title),
        urls=NotificationUrls(address(shown, view)),
        read_at=UNSET if told.read_at is None else iso(told.read_at),
        actor=UNSET if shown.actor is None else users.present(shown.actor, view),
        change_request=UNSET
        if request is None
        else NotificationChangeRequest(request.id, request.number, request.subject),
        review=UNSET if told.review is None or shown.review is None else _review(told.review, shown.review),
        comment=maybe(told.comment),
        reply=maybe(told.reply),
        excerpt=maybe(shown.words),
        message=maybe(told.message),
    )


def address(shown: NotificationView, view: View) -> str:
    """Where what happened can be seen: the change request or the space, and the page in it."""
    space, request = shown.space, shown.change_request
    base = (
        view.space(space.organization, space.id)
        if request is None
        else view.change_request(space.organization, space.id, request.number)
    )
    return base if shown.page is None else f"{base}/{shown.page}"


def _review(review: str, status: str) -> NotificationReview:
    return NotificationReview(review, "approved" if status == "approved" else "changes-requested")


def present_preferences(
    chosen: Mapping[NotificationKind, kept.NotificationPreference], language: str | None
) -> NotificationPreferences:
    """What holds for each kind."""
    kinds = {kind: NotificationPreference(one.list, one.email) for kind, one in chosen.items()}
    return NotificationPreferences(kinds, maybe(language))
