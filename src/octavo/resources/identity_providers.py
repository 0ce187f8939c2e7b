"""Identity providers of an organization, whatever they speak: what the rooms of SAML and OpenID Connect share."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from octavo.kernel.errors import BadRequest
from octavo.kernel.records.saml import SamlProvider
from octavo.resources.call import Call, Slice
from octavo.resources.embedded import show_teams
from octavo.wire.lists import ListQuery
from octavo.wire.people.teams import TeamView

V = TypeVar("V")
Views = Callable[[SamlProvider, TeamView | None, int | None], V]
"""Makes what is presented of a provider, the team that its people come into, and when somebody last signed in by it."""


async def listed_of(call: Call, organization: str, query: ListQuery, view: Views[V], *, oidc: bool) -> Slice[V]:
    """Those of one kind, newest first."""
    # `cut` goes upwards: what is newer comes first by its negative time, what is of one time by its id.
    found = sorted((one for one in await call.unit.saml.of(organization) if one.oidc == oidc), key=_newest)
    page = call.cut(found, query, _newest)
    return Slice(await _shown(call, page.items, view), page.count, page.next)


def _newest(one: SamlProvider) -> tuple[int, str]:
    return -one.created_at, one.id


async def show(call: Call, provider: SamlProvider, view: Views[V]) -> V:
    """One of them."""
    return (await _shown(call, [provider], view))[0]


async def _shown(call: Call, providers: Sequence[SamlProvider], view: Views[V]) -> list[V]:
    teams = await call.unit.teams.by_ids([one.default_team for one in providers if one.default_team is not None])
    known = {one.team.id: one for one in await show_teams(call, teams)}
    newest = await call.unit.sessions.newest_by([one.id for one in providers])
    return [view(one, known.get(one.default_team or ""), newest.get(one.id)) for one in providers]


async def require_teams(call: Call, organization: str, named: Mapping[str, str]) -> None:
    """`named`: id of a team -> the field that names it. Raises BadRequest for one that the organization does not have."""
    if not named:
        return
    found = {one.id for one in await call.unit.teams.by_ids(sorted(named)) if one.organization == organization}
    for team, field in named.items():
        if team not in found:
            raise BadRequest(f"{field}: the organization has no team {team!r}")
