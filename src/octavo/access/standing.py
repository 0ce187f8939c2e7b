"""Roles on spaces, collections and sites: of one person on many, of many people on one, with a fixed number of queries."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

import msgspec

from octavo.access.caller import Caller, Person
from octavo.access.policy import Decision, Opinion, decide, resolve
from octavo.kernel.records import Level, Role
from octavo.kernel.records.library import Collection, Grant, Space
from octavo.kernel.records.sites import Site
from octavo.store.unit import Unit

Resource: TypeAlias = Space | Collection | Site
"""What grants are given on."""

_SILENT = Opinion()


async def roles_on_spaces(unit: Unit, caller: Person, spaces: Sequence[Space]) -> dict[str, Role | None]:
    """Space id -> role of the caller. Spaces of organizations that the caller does not belong to have none."""
    roles: dict[str, Role | None] = {}
    if isinstance(caller, Caller) and caller.visiting is not None:
        return {space.id: "read" if space.id in caller.visiting.spaces else None for space in spaces}
    if isinstance(caller, Caller) and caller.acting is not None:
        return {space.id: caller.acting.role_on_space(space) for space in spaces}
    open_: list[Space] = []
    for space in spaces:
        if not caller.belongs(space.organization):
            roles[space.id] = None
        elif caller.role_in(space.organization) == "admin":
            roles[space.id] = "admin"
        else:
            open_.append(space)
    if not open_:
        return roles
    own = await _opinions(unit, caller, {space.id: space.default_level for space in open_})
    undecided = [space for space in open_ if not own[space.id].decides(caller.role_in(space.organization))]
    sites = await _site_opinions(unit, caller, undecided)
    chains = await _collection_opinions(unit, caller, undecided)
    for space in open_:
        roles[space.id] = resolve(
            caller.role_in(space.organization), own[space.id], sites.get(space.id, ()), chains.get(space.id, ())
        )
    return roles


async def roles_on_sites(unit: Unit, caller: Person, sites: Sequence[Site]) -> dict[str, Role | None]:
    """Site id -> role of the caller."""
    if isinstance(caller, Caller) and caller.visiting is not None:
        return {site.id: "read" if site.id == caller.visiting.visit.site else None for site in sites}
    if isinstance(caller, Caller) and caller.acting is not None:
        return {site.id: caller.acting.role_on_site(site) for site in sites}
    own = await _unless_admin(unit, caller, {site.id: (site.organization, site.default_level) for site in sites})
    return {
        site.id: resolve(caller.role_in(site.organization), own[site.id]) if caller.belongs(site.organization) else None
        for site in sites
    }


async def roles_on_collections(unit: Unit, caller: Person, collections: Sequence[Collection]) -> dict[str, Role | None]:
    """Collection id -> role of the caller; what a collection does not say, the ones above it do."""
    if isinstance(caller, Caller) and caller.visiting is not None:
        return dict.fromkeys((one.id for one in collections), None)
    known = await unit.spaces.with_ancestors(one.id for one in collections)
    own = await _unless_admin(unit, caller, {c.id: (c.organization, c.default_level) for c in known.values()})
    roles: dict[str, Role | None] = {}
    for one in collections:
        chain = tuple(own[above] for above in _upwards(one.parent, known))
        mine = caller.belongs(one.organization)
        roles[one.id] = resolve(caller.role_in(one.organization), own[one.id], (), chain) if mine else None
    return roles


async def role_on_space(unit: Unit, caller: Person, space: Space) -> Role | None:
    """The role of the caller on one space."""
    if caller.role_in(space.organization) == "admin":
        return "admin"
    return (await roles_on_spaces(unit, caller, (space,)))[space.id]


class Reasons(msgspec.Struct, frozen=True):
    """Why people have the roles that they have on one resource."""

    decisions: dict[str, Decision]
    """User id -> role, and what decided it; of members and guests alone."""
    said_on: dict[str, Resource]
    """Id -> the resource itself, and those from which it inherits."""
    teams: dict[tuple[str, str], Role]
    """(id of the resource, id of the team) -> what the team was granted there."""

    def through(self, person: Person, organization: str) -> list[str]:
        """The ids of the teams that gave her the role; none where another rule did."""
        by = self.decisions[person.user.id].by
        if by is None or by.user is not None or by.granted is None:
            return []
        return [team for team in person.teams.get(organization, ()) if self.teams.get((by.on, team)) == by.granted]


async def roles_of_people(unit: Unit, people: Sequence[Person], on: Resource) -> dict[str, Role | None]:
    """User id -> role on one resource."""
    decisions = (await reasons_of_people(unit, people, on)).decisions
    return {one.user.id: decisions[one.user.id].role if one.user.id in decisions else None for one in people}


async def reasons_of_people(unit: Unit, people: Sequence[Person], on: Resource) -> Reasons:
    """Why each has the role that she has; what is said on the resource and above it is read once for all of them."""
    sites = (await unit.sites.of_spaces((on.id,)))[1] if isinstance(on, Space) else {}
    above = {} if isinstance(on, Site) or on.parent is None else await unit.spaces.with_ancestors((on.parent,))
    chain = [] if isinstance(on, Site) else _upwards(on.parent, above)
    levels = {one.id: one.default_level for one in (on, *sites.values(), *above.values())}
    grants = [*await unit.grants.users_on(levels), *await unit.grants.teams_on(levels)]
    given = {(grant.resource, grant.user or grant.team): grant.role for grant in grants}

    def said(person: Person, key: str) -> Opinion:
        teams = (given.get((key, team)) for team in person.teams.get(on.organization, ()))
        return Opinion(given.get((key, person.user.id)), tuple(role for role in teams if role), levels[key], key)

    decisions = {
        person.user.id: decide(
            person.role_in(on.organization),
            said(person, on.id),
            tuple(said(person, site) for site in sites),
            tuple(said(person, collection) for collection in chain),
        )
        for person in people
        if person.belongs(on.organization)
    }
    teams = {(grant.resource, grant.team): grant.role for grant in grants if grant.team is not None}
    return Reasons(decisions, {on.id: on, **sites, **above}, teams)


async def _unless_admin(unit: Unit, caller: Person, levels: dict[str, tuple[str, Level | None]]) -> dict[str, Opinion]:
    asked = {key: level for key, (organization, level) in levels.items() if caller.role_in(organization) != "admin"}
    found = await _opinions(unit, caller, asked)
    return {key: found.get(key, _SILENT) for key in levels}


async def _opinions(unit: Unit, caller: Person, levels: dict[str, Level | None]) -> dict[str, Opinion]:
    """Resource id -> what is said there."""
    if not levels:
        return {}
    teams = [team for mine in caller.teams.values() for team in mine]
    grants: dict[str, list[Grant]] = {}
    for grant in await unit.grants.of_caller(levels, caller.user.id, teams):
        grants.setdefault(grant.resource, []).append(grant)
    return {key: _opinion(grants.get(key, ()), level) for key, level in levels.items()}


def _opinion(grants: Iterable[Grant], level: Level | None) -> Opinion:
    user: Role | None = None
    teams: list[Role] = []
    for grant in grants:
        if grant.user is not None:
            user = grant.role
        else:
            teams.append(grant.role)
    return Opinion(user, tuple(teams), level)


async def _site_opinions(unit: Unit, caller: Person, spaces: list[Space]) -> dict[str, tuple[Opinion, ...]]:
    if not spaces:
        return {}
    links, sites = await unit.sites.of_spaces(space.id for space in spaces)
    own = await _opinions(unit, caller, {site.id: site.default_level for site in sites.values()})
    made: dict[str, tuple[Opinion, ...]] = {}
    for link in links:
        made[link.space] = (*made.get(link.space, ()), own[link.site])
    return made


async def _collection_opinions(unit: Unit, caller: Person, spaces: list[Space]) -> dict[str, tuple[Opinion, ...]]:
    parents = [space.parent for space in spaces if space.parent is not None]
    if not parents:
        return {}
    known = await unit.spaces.with_ancestors(parents)
    own = await _opinions(unit, caller, {one.id: one.default_level for one in known.values()})
    return {space.id: tuple(own[above] for above in _upwards(space.parent, known)) for space in spaces}


def _upwards(start: str | None, known: dict[str, Collection]) -> list[str]:
    chain: list[str] = []
    while start is not None and start in known and start not in chain:
        chain.append(start)
        start = known[start].parent
    return chain
