"""Spaces, change requests, members and teams as several rooms serve them, with what they name, in batches."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from octavo.access.people.teams import team_permissions
from octavo.kernel.records import Role
from octavo.kernel.records.library import Space
from octavo.kernel.records.people import Member, Team, User
from octavo.kernel.records.review import ChangeRequest
from octavo.resources.call import Call
from octavo.resources.encoded import encoded, lists
from octavo.site.shown import around_spaces, show_spaces_with
from octavo.store.people.teams import Size
from octavo.store.shelf import by_id
from octavo.wire.library import spaces as shapes
from octavo.wire.people.members import MemberView
from octavo.wire.people.teams import TeamView
from octavo.wire.review.change_requests import ChangeRequestView

_SPACES = lists("lists of spaces")


async def users_by_id(call: Call, ids: Iterable[str | None]) -> dict[str, User]:
    """Those of these users that exist, in one query."""
    found: dict[str, User] = by_id(await call.unit.people.users(one for one in ids if one is not None))
    return found


async def encode_spaces(call: Call, spaces: Sequence[Space], roles: Mapping[str, Role | None]) -> msgspec.Raw:
    """Spaces that the caller has these roles on."""
    around = await around_spaces(call.unit, spaces)

    async def make() -> list[shapes.Space]:
        return [shapes.present(one, call.view) for one in show_spaces_with(around, call.view, spaces, roles)]

    return await encoded(call, _SPACES, (spaces, [roles.get(space.id) for space in spaces], around), make)


async def show_change_requests(
    call: Call, requests: Sequence[ChangeRequest], spaces: Mapping[str, Space]
) -> list[ChangeRequestView]:
    """Change requests of these spaces, which are given by id as they are now."""
    people = await users_by_id(call, (user for one in requests for user in (one.created_by, one.merged_by)))
    return [
        ChangeRequestView(
            one,
            one.outdated(spaces[one.space].revision),
            people.get(one.created_by),
            people.get(one.merged_by or ""),
        )
        for one in requests
    ]


async def show_members(call: Call, organization: str, members: Sequence[Member]) -> list[MemberView]:
    """Members of one organization, with the counts of what they were given directly."""
    ids = [member.user for member in members]
    people = await users_by_id(call, ids)
    held = await call.unit.grants.held(organization, ids)
    return [
        MemberView(
            member,
            people[member.user],
            spaces=held.get(member.user, {}).get("space", 0),
            sites=held.get(member.user, {}).get("site", 0),
            teams=held.get(member.user, {}).get("team", 0),
        )
        for member in members
    ]


async def show_teams(call: Call, teams: Sequence[Team]) -> list[TeamView]:
    """Teams with what they count, and with what the caller may do with them."""
    sizes = await call.unit.teams.sizes(team.id for team in teams)
    managed = await call.unit.scim.managed(team.id for team in teams)
    return [
        TeamView(team, team_permissions(call.caller, team), *sizes.get(team.id, Size()), team.id in managed)
        for team in teams
    ]
