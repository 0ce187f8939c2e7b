"""Roles given on spaces, collections and sites, and those that hold there in the end."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import UNSET, Meta

from octavo.kernel import limits, records
from octavo.kernel.records.people import User
from octavo.wire.fields import Body, Id, Maybe, Role, Shape, maybe
from octavo.wire.lists import ListQuery
from octavo.wire.people import teams, users
from octavo.wire.view import View

Invited: TypeAlias = Annotated[list[Id], Meta(max_length=limits.INVITED_MAX)]


class RulePlace(Shape, frozen=True):
    """Where a rule stands; without a title where the caller may not see it."""

    object: Literal["organization", "collection", "site", "space"]
    id: str
    title: Maybe[str] = UNSET


class RuleTeam(Shape, frozen=True):
    id: str
    title: str


class PermissionReason(Shape, frozen=True):
    """The rule that decides which role somebody has."""

    rule: Literal["organization-role", "user", "team", "level"]
    on: RulePlace
    teams: list[RuleTeam]
    limited_by: Maybe[RulePlace] = UNSET


class UserPermission(Shape, frozen=True):
    permission: Role
    user: users.User
    because: Maybe[PermissionReason] = UNSET


class TeamPermission(Shape, frozen=True):
    permission: Role
    team: teams.Team


class InvitePeople(Body, frozen=True):
    """Names at least one user or team. Null takes back what they were given."""

    role: Role | None
    users: Invited = []
    teams: Invited = []

    def __post_init__(self) -> None:
        if not self.users and not self.teams:
            raise ValueError("Expected at least one user or team - at `$.users`")


class UpdatePermission(Body, frozen=True):
    """Null takes back what was given."""

    role: Maybe[Role | None] = UNSET


class AggregateQuery(ListQuery, frozen=True):
    """`role`: only whoever has exactly this one."""

    role: Maybe[Role] = UNSET


class UserPermissionView(msgspec.Struct, frozen=True):
    role: records.Role
    user: User
    because: PermissionReason | None = None
    """Told of everybody who has a role, given or inherited."""


class TeamPermissionView(msgspec.Struct, frozen=True):
    role: records.Role
    team: teams.TeamView


def present_user(shown: UserPermissionView, view: View) -> UserPermission:
    """A user with the role."""
    return UserPermission(shown.role, users.present(shown.user, view), maybe(shown.because))


def present_team(shown: TeamPermissionView, view: View) -> TeamPermission:
    """A team with the role."""
    return TeamPermission(shown.role, teams.present(shown.team, view))
