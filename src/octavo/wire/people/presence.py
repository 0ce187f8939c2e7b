"""Who is where, as the application says and hears it."""

from __future__ import annotations

from typing import Literal

from msgspec import UNSET

from octavo.kernel.clock import iso
from octavo.kernel.records import presence as kept
from octavo.kernel.records.people import User
from octavo.kernel.records.presence import Doing
from octavo.wire.fields import Body, DateTime, Id, Maybe, Shape, maybe
from octavo.wire.people import users
from octavo.wire.view import View


class AnnouncePresence(Body, frozen=True):
    """Where a tab of the caller is, or that it is `gone`; without `changeRequest` it is in primary content."""

    tab: Id
    change_request: Maybe[Id] = UNSET
    page: Maybe[Id] = UNSET
    doing: Doing | Literal["gone"] = "reading"
    node: Maybe[Id] = UNSET


class Presence(Shape, tag_field="object", tag="presence", frozen=True):
    """Somebody who has the space open in a tab."""

    id: str
    user: users.User
    doing: Doing
    since: DateTime
    seen_at: DateTime
    change_request: Maybe[str] = UNSET
    page: Maybe[str] = UNSET
    node: Maybe[str] = UNSET


class Presences(Shape, frozen=True):
    """Who is there now, who came first first. Ask every second or two: it is read, never written."""

    items: list[Presence]


class PresenceView(Shape, frozen=True):
    """A tab, and whose it is."""

    record: kept.Presence
    user: User


def present(one: PresenceView, view: View) -> Presence:
    it = one.record
    return Presence(
        id=it.word,
        user=users.present(one.user, view),
        doing=it.doing,
        since=iso(it.since),
        seen_at=iso(it.seen_at),
        change_request=maybe(it.change_request),
        page=maybe(it.page),
        node=maybe(it.node),
    )


def present_all(found: list[PresenceView], view: View) -> Presences:
    return Presences([present(one, view) for one in found])
