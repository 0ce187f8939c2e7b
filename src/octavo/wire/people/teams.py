"""Teams of an organization, and who is in them."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET

from octavo.kernel import limits
from octavo.kernel.clock import iso
from octavo.kernel.records import people as records
from octavo.wire.fields import Body, DateTime, Id, Maybe, Shape, TeamTitle, permissions, trimmed
from octavo.wire.lists import ListQuery
from octavo.wire.people import members
from octavo.wire.view import View

PERMISSIONS = ("admin", "view")
"""The keys of a team's `permissions`."""

MEMBER_PERMISSIONS = ("view",)
"""The keys of the `permissions` of a team's member."""

TeamRole = Literal["owner", "member"]
"""Owners manage the team's members."""


class Team(Shape, tag_field="object", tag="team", frozen=True):
    id: str
    title: str
    members: int
    spaces: int
    created_at: DateTime
    permissions: Annotated[dict[str, bool], permissions(*PERMISSIONS)]
    managed_by: Maybe[Literal["scim"]] = UNSET
    """Who says its title and members, where that is not people."""


class InTeam(Shape, frozen=True):
    role: TeamRole


class TeamMember(Shape, frozen=True):
    organization: members.Member
    team: InTeam
    permissions: Annotated[dict[str, bool], permissions(*MEMBER_PERMISSIONS)]


class CreateTeam(Body, frozen=True):
    title: TeamTitle
    members: Maybe[list[Id]] = UNSET

    def __post_init__(self) -> None:
        trimmed(self, "title", 1, limits.TEAM_TITLE_MAX)


class UpdateTeam(Body, frozen=True):
    title: TeamTitle

    def __post_init__(self) -> None:
        trimmed(self, "title", 1, limits.TEAM_TITLE_MAX)


class Membership(Body, frozen=True):
    """What a user is in the team. Where nothing is said it stays what it is, and is `member` for who is new."""

    role: Maybe[TeamRole] = UNSET


class UpdateTeamMembers(Body, frozen=True):
    """Users by id or e-mail. Whoever is in `remove` is removed, whatever else is said."""

    add: Maybe[list[str]] = UNSET
    remove: Maybe[list[str]] = UNSET
    memberships: Maybe[dict[str, Membership]] = UNSET


class TeamsQuery(ListQuery, frozen=True):
    """`owner` is a member's id: only teams they can manage; `title` filters by what it contains."""

    owner: Maybe[str] = UNSET
    title: Maybe[str] = UNSET


class TeamView(msgspec.Struct, frozen=True):
    team: records.Team
    permissions: dict[str, bool]
    members: int = 0
    spaces: int = 0
    managed: bool = False
    """By SCIM."""


class TeamMemberView(msgspec.Struct, frozen=True):
    member: members.MemberView
    role: TeamRole
    permissions: dict[str, bool]


def present(shown: TeamView, view: View) -> Team:
    """The team as the API serves it."""
    team = shown.team
    managed: Maybe[Literal["scim"]] = "scim" if shown.managed else UNSET
    return Team(team.id, team.title, shown.members, shown.spaces, iso(team.created_at), shown.permissions, managed)


def present_member(shown: TeamMemberView, view: View) -> TeamMember:
    """An item of the list of a team's members."""
    return TeamMember(members.present(shown.member, view), InTeam(shown.role), shown.permissions)
