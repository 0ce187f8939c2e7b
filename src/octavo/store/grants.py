"""Grants: roles given to users and teams on spaces, collections and sites."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from octavo.kernel.records import Grant
from octavo.store.engine import Connection
from octavo.store.shelf import Table
from octavo.store.statement import Statement

GRANTS = Table("grants", Grant, key=("resource",))

_OF_CALLER = GRANTS.select('WHERE resource IN :resources[] AND ("user" = :user OR team IN :teams[])')
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

    async def give(self, grant: Grant) -> None:
        """Give the role; one that the same user or team had on the resource is replaced."""
        if grant.user is not None:
            await self._at.run(_REVOKE_USER, {"resource": grant.resource, "user": grant.user})
        else:
            await self._at.run(_REVOKE_TEAM, {"resource": grant.resource, "team": grant.team})
        await GRANTS.add(self._at, grant)
