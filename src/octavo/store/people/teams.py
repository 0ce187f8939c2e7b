"""Teams, and who is in them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from octavo.kernel.records.people import Team, TeamMember
from octavo.store.database.engine import Connection
from octavo.store.database.statement import Statement
from octavo.store.shelf import Table

TEAMS = Table("teams", Team)
TEAM_MEMBERS = Table("team_members", TeamMember, key=("team", "user"))

_BY_ID = TEAMS.select("WHERE id IN :ids[]")
_ALL = TEAMS.select("WHERE organization = :organization ORDER BY created_at DESC, id")
_OF_USER = TEAM_MEMBERS.select('WHERE "user" = :user')
_MEMBERS = TEAM_MEMBERS.select("WHERE team = :team")
_OF_TEAMS = TEAM_MEMBERS.select("WHERE team IN :teams[]")
_EVERYBODY = TEAM_MEMBERS.select("WHERE organization = :organization")
_OF_USERS = TEAM_MEMBERS.select('WHERE organization = :organization AND "user" IN :users[]')
_JOIN = Statement(
    'INSERT INTO team_members (organization, team, "user", role) VALUES (:organization, :team, :user, :role)'
    ' ON CONFLICT (team, "user") DO UPDATE SET role = excluded.role'
)
_SIZES = Statement(
    "SELECT team, 'members', count(*) FROM team_members JOIN members"
    ' ON members.organization = team_members.organization AND members."user" = team_members."user"'
    " WHERE team IN :teams[] GROUP BY team UNION ALL SELECT team, 'spaces', count(*) FROM grants"
    " JOIN spaces ON spaces.id = grants.resource AND spaces.deleted_at IS NULL"
    " WHERE kind = 'space' AND team IN :teams[] GROUP BY team"
)


class Size(NamedTuple):
    """How many members of the organization a team has, and on how many active spaces it was given a role."""

    members: int = 0
    spaces: int = 0


class Teams:
    """Groups of members of an organization."""

    def __init__(self, at: Connection) -> None:
        self._at = at

    async def get(self, team: str) -> Team | None:
        return await TEAMS.get(self._at, id=team)

    async def by_ids(self, ids: Iterable[str]) -> list[Team]:
        wanted = sorted(set(ids))
        return await TEAMS.list(self._at, _BY_ID, {"ids": wanted}) if wanted else []

    async def all(self, organization: str) -> list[Team]:
        """Every team of an organization, newest first."""
        return await TEAMS.list(self._at, _ALL, {"organization": organization})

    async def add(self, team: Team) -> None:
        await TEAMS.add(self._at, team)

    async def change(self, team: Team, **changed: object) -> Team:
        return await TEAMS.change(self._at, team, **changed)

    async def remove(self, team: str) -> None:
        """Its places, its grants and its requested reviews go with it."""
        await TEAMS.remove(self._at, id=team)

    async def of_user(self, user: str) -> list[TeamMember]:
        """The user's places in teams, in every organization."""
        return await TEAM_MEMBERS.list(self._at, _OF_USER, {"user": user})

    async def of_users(self, organization: str, users: Iterable[str]) -> list[TeamMember]:
        """The places of these users in teams of one organization."""
        return await TEAM_MEMBERS.list(self._at, _OF_USERS, {"organization": organization, "users": sorted(users)})

    async def members(self, team: str) -> list[TeamMember]:
        return await TEAM_MEMBERS.list(self._at, _MEMBERS, {"team": team})

    async def of_teams(self, teams: Iterable[str]) -> list[TeamMember]:
        """The places in these teams."""
        asked = sorted(teams)
        return await TEAM_MEMBERS.list(self._at, _OF_TEAMS, {"teams": asked}) if asked else []

    async def everybody(self, organization: str) -> list[TeamMember]:
        """The places in all teams of an organization."""
        return await TEAM_MEMBERS.list(self._at, _EVERYBODY, {"organization": organization})

    async def join(self, member: TeamMember) -> None:
        """Put somebody into a team; whoever is there already gets the role."""
        await self._at.run(_JOIN, TEAM_MEMBERS.values(member))

    async def leave(self, team: str, user: str) -> bool:
        """False when the user was not in it."""
        return await TEAM_MEMBERS.remove(self._at, team=team, user=user)

    async def sizes(self, teams: Iterable[str]) -> dict[str, Size]:
        """Team -> what it counts; teams that count nothing are left out."""
        made: dict[str, Size] = {}
        values = {"teams": list(teams)}
        for team, what, number in await self._at.rows(_SIZES, values) if values["teams"] else ():
            made[team] = made.get(team, Size())._replace(**{what: number})
        return made
