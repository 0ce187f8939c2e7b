"""Laws of `policy.resolve`, without a store."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from octavo.access.policy import Opinion, allows, permissions, resolve
from octavo.kernel.records import ROLES, Role

LAWS = settings(max_examples=60, deadline=None)

roles = st.sampled_from(ROLES)
maybe_role = st.none() | roles
members = st.sampled_from(ROLES[:-1])
below_admin = st.none() | members
levels = st.sampled_from((None, "inherit", *ROLES))
opinions = st.builds(Opinion, maybe_role, st.lists(roles, max_size=3).map(tuple), levels)
SILENT = Opinion()
chains = st.lists(opinions, max_size=3).map(tuple)
silents = st.integers(0, 3).map(lambda n: (SILENT,) * n)


def highest(found: list[Role | None]) -> Role | None:
    held = [role for role in found if role is not None]
    return max(held, key=ROLES.index) if held else None


@LAWS
@given(opinions, chains, chains)
def test_admins_of_the_organization_are_admins(
    own: Opinion, sites: tuple[Opinion, ...], above: tuple[Opinion, ...]
) -> None:
    assert resolve("admin", own, sites, above) == "admin"


@LAWS
@given(below_admin, roles, st.lists(roles, max_size=3), levels, chains, chains)
def test_a_direct_grant_decides(
    member: Role | None,
    role: Role,
    teams: list[Role],
    level: Role | None,
    sites: tuple[Opinion, ...],
    above: tuple[Opinion, ...],
) -> None:
    assert resolve(member, Opinion(role, tuple(teams), level), sites, above) == role


@LAWS
@given(below_admin, st.lists(roles, min_size=1, max_size=4), levels, chains, chains)
def test_else_the_highest_grant_of_a_team(
    member: Role | None, teams: list[Role], level: Role | None, sites: tuple[Opinion, ...], above: tuple[Opinion, ...]
) -> None:
    assert resolve(member, Opinion(None, tuple(teams), level), sites, above) == highest([*teams])


@LAWS
@given(members, maybe_role, chains, chains)
def test_else_the_level(
    member: Role, level: Role | None, sites: tuple[Opinion, ...], above: tuple[Opinion, ...]
) -> None:
    assert resolve(member, Opinion(None, (), level), sites, above) == level


@LAWS
@given(members, opinions, st.lists(opinions, max_size=2), chains)
def test_else_the_highest_of_the_sites_in_any_order(
    member: Role, first: Opinion, more: list[Opinion], above: tuple[Opinion, ...]
) -> None:
    sites = [first, *more]
    got = resolve(member, SILENT, tuple(sites), above)
    assert got == resolve(member, SILENT, tuple(reversed(sites)), above)
    assert got == resolve(member, SILENT, (SILENT, *sites, SILENT), above)
    said = [one.role for one in sites if one != SILENT]
    assert got == (highest(said) if said else resolve(member, SILENT, (), above))


@LAWS
@given(members, silents, silents, opinions, chains)
def test_else_the_nearest_collection_that_says_something(
    member: Role,
    sites: tuple[Opinion, ...],
    inner: tuple[Opinion, ...],
    said: Opinion,
    outer: tuple[Opinion, ...],
) -> None:
    if said == SILENT:
        assert resolve(member, SILENT, sites, (*inner, said, *outer)) == resolve(
            member, SILENT, sites, (*inner, *outer)
        )
    else:
        assert resolve(member, SILENT, sites, (*inner, said, *outer)) == said.role


@LAWS
@given(maybe_role, silents, silents)
def test_else_the_organization(member: Role | None, sites: tuple[Opinion, ...], above: tuple[Opinion, ...]) -> None:
    assert resolve(member, SILENT, sites, above) == member


@LAWS
@given(members, opinions, chains, chains)
def test_guests_have_what_was_granted_and_never_more_than_members(
    member: Role, own: Opinion, sites: tuple[Opinion, ...], above: tuple[Opinion, ...]
) -> None:
    """No default level gives a guest anything, whichever it is and wherever it stands."""
    guest = resolve(None, own, sites, above)
    given = [one.granted for one in (own, *sites, *above)]
    assert guest is None or guest == own.granted or ROLES.index(guest) <= ROLES.index(highest(given) or "read")
    if not any(given):
        assert guest is None
    speaking = [one for one in (own, *sites, *above) if not one.silent]
    if speaking:
        held = highest([guest, resolve(member, own, sites, above)])
        assert held == resolve(member, own, sites, above), "a level that closes something closes it to guests too"


@LAWS
@given(opinions, chains, chains)
def test_to_guests_a_level_only_lowers(own: Opinion, sites: tuple[Opinion, ...], above: tuple[Opinion, ...]) -> None:
    def silenced(one: Opinion) -> Opinion:
        return Opinion(one.user, one.teams)

    without = resolve(None, silenced(own), tuple(map(silenced, sites)), tuple(map(silenced, above)))
    assert highest([resolve(None, own, sites, above), without]) == without


def test_a_stronger_role_may_whatever_a_weaker_may() -> None:
    for kind in ("organization", "collection", "space", "site"):
        held: set[str] = {word for word, may in permissions(kind, None).items() if may}  # type: ignore[arg-type]
        assert not held
        for role in ROLES:
            now = {word for word, may in permissions(kind, role).items() if may}  # type: ignore[arg-type]
            assert held <= now
            assert all(allows(kind, word, role) is may for word, may in permissions(kind, role).items())  # type: ignore[arg-type]
            held = now
        assert all(permissions(kind, "admin").values())  # type: ignore[arg-type]
