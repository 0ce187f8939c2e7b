"""Grants: roles given to users and teams on spaces, collections and sites."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from octavo.kernel.records.library import Grant
from octavo.store.database.engine import Connection
from octavo.store.database.statement import Statement
from octavo.store.shelf import Table

GRANTS = Table("grants", Grant, key=("resource",))

_OF_CALLER = GRANTS.select('WHERE resource IN :resources[] AND ("user" = :user OR team IN :teams[])')
# Two statements, so that each is answered by its own index.
_USERS_ON = GRANTS.select('WHERE resource IN :resources[] AND "user" IS NOT NULL')
_TEAMS_ON = GRANTS.select("WHERE resource IN :resources[] AND team IS NOT NULL")
_GIVE = {
    holder: Statement(
        f"INSERT INTO grants ({GRANTS.columns}) VALUES (:organization, :kind, :resource, :role, :user, :team)"
        f' ON CONFLICT (resource, "{holder}") WHERE "{holder}" IS NOT NULL DO UPDATE SET role = excluded.role'
    )
    for holder in ("user", "team")
}
_REVOKE_ALL = Statement("DELETE FROM grants WHERE resource = :resource")
_HELD = Statement(
    'SELECT "user", kind, count(*) FROM grants WHERE organization = :organization AND "user" IN :users[]'
    ' GROUP BY "user", kind UNION ALL SELECT "user", \'team\', count(*) FROM team_members'
    ' WHERE organization = :organization AND "user" IN :users[] GROUP BY "user"'
)
_REVOKE_USER = Statement('DELETE FROM grants WHERE resource = :resource AND "user" = :user')
_REVOKE_TEAM = Statement("DELETE FROM grants WHERE resource = :resource AND team = :team")


class Grants:
    """Who was given what."""

    def __init__(self, at: Connection) -> None:
        self._at = at

    async def of_caller(self, resources: Iterable[str], user: str, teams: Sequence[str]) -> list[Grant]:
        """Grants on these resources to the user or to one of the teams."""
        values = {"resources": sorted(set(resources)), "user": user, "teams": list(teams)}
        return await GRANTS.list(self._at, _OF_CALLER, values) if values["resources"] else []

    async def revoke_all(self, resource: str) -> None:
        """Take back every role on a resource."""
        await self._at.run(_REVOKE_ALL, {"resource": resource})

    async def held(self, organization: str, users: Iterable[str]) -> dict[str, dict[str, int]]:
        """User -> kind (space, collection, site; team) -> to how many the user was given a role, and in how many she is."""
        made: dict[str, dict[str, int]] = {}
        values = {"organization": organization, "users": list(users)}
        for user, kind, number in await self._at.rows(_HELD, values) if values["users"] else ():
            made.setdefault(user, {})[kind] = number
        return made

    async def users_on(self, resources: Iterable[str]) -> list[Grant]:
        """Every role that users were given on these resources."""
        return await GRANTS.list(self._at, _USERS_ON, {"resources": list(resources)})

    async def teams_on(self, resources: Iterable[str]) -> list[Grant]:
        """Every role that teams were given on these resources."""
        return await GRANTS.list(self._at, _TEAMS_ON, {"resources": list(resources)})

    async def give(self, grant: Grant) -> None:
        """Give the role; one that the same user or team had on the resource is replaced."""
        await self._at.run(_GIVE["team" if grant.user is None else "user"], GRANTS.values(grant))

    async def revoke_user(self, resource: str, user: str) -> bool:
        """Take back a user's role on a resource; False when none was given."""
        return await self._at.run(_REVOKE_USER, {"resource": resource, "user": user}) > 0

    async def revoke_team(self, resource: str, team: str) -> bool:
        """Take back a team's role on a resource; False when none was given."""
        return await self._at.run(_REVOKE_TEAM, {"resource": resource, "team": team}) > 0
