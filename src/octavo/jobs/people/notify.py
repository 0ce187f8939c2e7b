"""Telling people what happened: who they are, each once, with what they want of it; all of them in one unit."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import msgspec

from octavo.access.caller import Person, people_among, people_of
from octavo.access.policy import allows
from octavo.access.standing import roles_of_people
from octavo.jobs.work import Work
from octavo.kernel import limits
from octavo.kernel.clock import DAY, MINUTE
from octavo.kernel.events import (
    ChangeRequestMerged,
    CommentPosted,
    CommentReplied,
    GitOperationFailed,
    ReviewRequested,
    ReviewSubmitted,
    UsersNotified,
)
from octavo.kernel.ids import new_id
from octavo.kernel.records import Json, Role
from octavo.kernel.records.jobs import Job
from octavo.kernel.records.library import Space
from octavo.kernel.records.notifications import NOTIFICATION_KINDS, Notification, NotificationKind
from octavo.site.notices import preferences
from octavo.store.unit import Unit

Happened = ReviewRequested | ReviewSubmitted | CommentPosted | CommentReplied | ChangeRequestMerged | GitOperationFailed
QUIET = limits.NOTIFICATION_QUIET_MINUTES * MINUTE
KEPT = limits.NOTIFICATION_DAYS * DAY


@dataclass
class Telling:
    """Whom to tell of something, and what."""

    happening: str
    about: dict[str, Any] = field(default_factory=dict)
    """Fields of the notification."""
    users: dict[str, NotificationKind] = field(default_factory=dict)
    """User -> why; of several reasons the first of `NOTIFICATION_KINDS`."""

    def tell(self, kind: NotificationKind, users: Iterable[str]) -> None:
        """Tell these too; whoever is told for a better reason already stays with that."""
        for user in users:
            known = self.users.get(user, kind)
            self.users[user] = min(kind, known, key=NOTIFICATION_KINDS.index)


async def run(work: Work) -> Json:
    """Payload: event, as it was emitted. Result: told, how many users."""
    event: Happened = msgspec.convert(work.job.payload["event"], type=Happened)
    mails = work.tools.mailer is not None
    return {"told": await work.write(partial(_tell, event=event, job=work.job, mails=mails))}


async def _tell(unit: Unit, *, event: Happened, job: Job, mails: bool) -> int:
    space = await unit.spaces.get(event.space)
    if space is None or space.deleted_at is not None:
        return 0
    telling = await _whom(unit, space, event, job.id)
    actor = None if isinstance(event, GitOperationFailed) else event.user
    telling.users.pop(actor or "", None)
    people = await people_among(unit, space.organization, telling.users) if telling.users else []
    roles = await roles_of_people(unit, people, space)
    seeing = sorted(user for user, role in roles.items() if role is not None)
    wanted = await preferences(unit, seeing) if seeing else {}
    told = []
    for user in seeing:
        kind = telling.users[user]
        want = wanted[user, kind]
        mail = want.email if mails and want.email != "off" else None
        if want.list or mail is not None:
            # When it happened, not when somebody came to tell: several are told in their order.
            at = job.created_at
            told.append(_notification(space, telling, user, actor, at=at, listed=want.list, mail=mail))
    await unit.notifications.forget(space.organization, unit.now - KEPT)
    await unit.notifications.add(told)
    for immediate in {one.mail == "immediate" for one in told if one.mail is not None}:
        await unit.emit(UsersNotified(immediate=immediate, delay=0 if immediate else QUIET))
    return len(told)


def _notification(
    space: Space, telling: Telling, user: str, actor: str | None, *, at: int, listed: bool, mail: Any
) -> Notification:
    return Notification(
        id=new_id(),
        organization=space.organization,
        user=user,
        kind=telling.users[user],
        happening=telling.happening,
        created_at=at,
        space=space.id,
        actor=actor,
        listed=listed,
        mail=mail,
        **telling.about,
    )


async def _whom(unit: Unit, space: Space, event: Happened, job: str) -> Telling:
    match event:
        case ReviewRequested():
            telling = Telling(job, {"change_request": event.change_request})
            telling.tell("review-requested", await unit.notifications.asked(event.change_request, event.requested))
        case ReviewSubmitted():
            telling = await _of_review(unit, event)
        case CommentPosted():
            telling = await _of_comment(unit, event)
        case CommentReplied():
            telling = await _of_reply(unit, event)
        case ChangeRequestMerged():
            telling = Telling(f"merged {event.change_request}", {"change_request": event.change_request})
            telling.tell("merged", await unit.notifications.peers(event.change_request))
        case GitOperationFailed():
            telling = Telling(event.operation, {"message": event.message})
            telling.tell("git-failed", await _administering(unit, space))
            telling.tell("git-failed", [event.user] if event.user else [])
    return telling


async def _of_review(unit: Unit, event: ReviewSubmitted) -> Telling:
    said = (await unit.comments.of_reviews([event.review])).get(event.review)
    about = {"change_request": event.change_request, "review": event.review, "comment": said.id if said else None}
    telling = Telling(event.review, about)
    telling.tell("review", await unit.notifications.peers(event.change_request))
    review = await unit.reviews.get(event.review)
    telling.tell("review", [review.requested_by] if review and review.requested_by else [])
    telling.tell("mention", event.mentions)
    return telling


async def _of_comment(unit: Unit, event: CommentPosted) -> Telling:
    telling = Telling(event.comment, {"change_request": event.change_request, "comment": event.comment})
    comment = await unit.comments.get(event.comment)
    # What comes with a review is told with the review; what was deleted meanwhile is not told at all.
    if comment is None or comment.review is not None:
        return telling
    if event.change_request is not None:
        telling.tell("comment", await unit.notifications.peers(event.change_request))
    else:
        telling.tell("comment", await unit.notifications.voices(event.space, comment.page))
    telling.tell("mention", event.mentions)
    return telling


async def _of_reply(unit: Unit, event: CommentReplied) -> Telling:
    about = {"change_request": event.change_request, "comment": event.comment, "reply": event.reply}
    telling = Telling(event.reply, about)
    if await unit.comments.reply(event.reply) is not None:
        telling.tell("reply", await unit.notifications.in_thread(event.comment))
        telling.tell("mention", event.mentions)
    return telling


async def _administering(unit: Unit, space: Space) -> list[str]:
    people: list[Person] = await people_of(unit, space.organization)
    roles: dict[str, Role | None] = await roles_of_people(unit, people, space)
    return [user for user, role in roles.items() if allows("space", "admin", role)]
