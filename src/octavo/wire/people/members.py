"""Members: users with their role in an organization."""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec import UNSET

from octavo.kernel.clock import iso
from octavo.kernel.records import people as records
from octavo.wire.fields import Body, DateTime, Maybe, Role, SearchWords, Shape
from octavo.wire.lists import ListQuery
from octavo.wire.people import users
from octavo.wire.view import View


class Member(Shape, tag_field="object", tag="member", frozen=True):
    id: str
    """Of the user."""
    role: Role | None
    """Null for guests."""
    user: users.User
    disabled: bool
    joined_at: DateTime
    sso: bool
    spaces: int
    sites: int
    teams: int
    last_seen_at: Maybe[DateTime] = UNSET


class UpdateMember(Body, frozen=True):
    """Null makes a guest of the member."""

    role: Maybe[Role | None] = UNSET


class MembersQuery(ListQuery, frozen=True):
    order: Literal["asc", "desc"] = "desc"
    sort: Literal["joinedAt", "lastSeenAt", "name"] = "joinedAt"
    role: Maybe[Role | Literal["guest"]] = UNSET
    search: Maybe[SearchWords] = UNSET


class MemberView(msgspec.Struct, frozen=True):
    """A member with the counts of what was granted directly."""

    member: records.Member
    user: records.User
    spaces: int = 0
    sites: int = 0
    teams: int = 0


def present(shown: MemberView, view: View) -> Member:
    """The member as the API serves it."""
    member = shown.member
    return Member(
        id=member.user,
        role=member.role,
        user=users.present(shown.user, view),
        disabled=member.disabled,
        joined_at=iso(member.joined_at),
        sso=member.sso,
        spaces=shown.spaces,
        sites=shown.sites,
        teams=shown.teams,
        last_seen_at=UNSET if member.last_seen_at is None else iso(member.last_seen_at),
    )
