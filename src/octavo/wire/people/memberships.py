"""What a member has in an organization: spaces with the role on them, teams; and when the member was last seen."""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec import UNSET

from octavo.kernel.clock import iso
from octavo.wire.fields import DateTime, Maybe, Role, Shape
from octavo.wire.library import spaces
from octavo.wire.lists import ListQuery
from octavo.wire.people import teams
from octavo.wire.view import View


class MemberSpace(Shape, frozen=True):
    """A space with the member's role on it, wherever that comes from."""

    permission: Role
    space: spaces.Space


class MemberTeam(Shape, frozen=True):
    """A team that the member is in."""

    team: teams.Team
    member: teams.InTeam


class Seen(Shape, frozen=True):
    """When the caller was last seen in an organization: now."""

    last_seen_at: DateTime


class MemberSpacesQuery(ListQuery, frozen=True):
    order: Literal["asc", "desc"] = "desc"


class MemberTeamsQuery(ListQuery, frozen=True):
    """`title` keeps teams whose title contains it, in any case."""

    title: Maybe[str] = UNSET


class MemberSpaceView(msgspec.Struct, frozen=True):
    role: Role
    space: spaces.SpaceView


class MemberTeamView(msgspec.Struct, frozen=True):
    team: teams.TeamView
    role: teams.TeamRole


def present_space(shown: MemberSpaceView, view: View) -> MemberSpace:
    """An item of the list of a member's spaces."""
    return MemberSpace(shown.role, spaces.present(shown.space, view))


def present_team(shown: MemberTeamView, view: View) -> MemberTeam:
    """An item of the list of a member's teams."""
    return MemberTeam(teams.present(shown.team, view), teams.InTeam(shown.role))


def present_seen(at: int, view: View) -> Seen:
    """The answer to a ping."""
    return Seen(iso(at))
