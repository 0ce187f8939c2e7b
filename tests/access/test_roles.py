"""Which role somebody has on a space, over HTTP: by precedence, not by maximum."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

import pytest

from octavo.access.caller import Person, people_among, people_of
from octavo.access.standing import roles_of_people
from octavo.kernel.ids import new_id
from octavo.kernel.records import Role
from octavo.kernel.records.library import Collection, Grant
from octavo.kernel.records.people import Team, User
from octavo.store.database.statement import Statement
from tests.client import World

ROLES: tuple[Role, ...] = ("read", "comment", "edit", "review", "create", "admin")
LEAST: dict[str, Role] = {
    "view": "read", "access": "read", "comment": "comment", "edit": "edit", "review": "review", "merge": "review",
    "triggerGitSync": "create", "admin": "admin",
}  # fmt: skip
_JOIN = Statement(
    'INSERT INTO team_members (organization, team, "user", role) VALUES (:organization, :team, :user, :role)'
)

Level = Role | Literal["inherit"] | None


@dataclass(frozen=True)
class Place:
    """What stands on a resource: a grant to the caller, grants to the caller's teams, its level."""

    user: Role | None = None
    teams: tuple[Role, ...] = ()
    level: Level = "inherit"


NOTHING = Place()


@dataclass(frozen=True)
class Case:
    """A caller's role in the organization (None = guest) and everything that stands above a space; the role expected."""

    name: str
    member: Role | None
    expected: Role | None
    space: Place = NOTHING
    sites: tuple[Place, ...] = ()
    collections: tuple[Place, ...] = field(default=())
    """From the inside out."""


CASES = (
    Case("a member has the role of the organization", "edit", "edit"),
    Case("a guest has none", None, None),
    Case("a level stands for the organization's role", "create", "comment", Place(level="comment")),
    Case("a level above the organization's role", "read", "edit", Place(level="edit")),
    Case("no level is nobody", "create", None, Place(level=None)),
    Case("no level but a grant", "read", "review", Place(user="review", level=None)),
    Case("no level but a grant to a team", "read", "comment", Place(teams=("comment",), level=None)),
    Case("no level stops admins of the organization never", "admin", "admin", Place(level=None)),
    Case("a grant never lowers an admin of the organization", "admin", "admin", Place(user="read")),
    Case("a direct grant raises", "read", "create", Place(user="create")),
    Case("a direct grant lowers", "create", "read", Place(user="read")),
    Case("a direct grant beats a higher one to a team", "edit", "read", Place(user="read", teams=("admin",))),
    Case("a direct grant beats a higher level", "edit", "read", Place(user="read", level="admin")),
    Case("the highest of the teams' grants", "read", "review", Place(teams=("comment", "review", "read"))),
    Case("a team's grant beats a higher level", "create", "comment", Place(teams=("comment",), level="create")),
    Case("a team's grant beats the organization's role", "create", "read", Place(teams=("read",))),
    Case("a guest with a grant", None, "edit", Place(user="edit")),
    Case("a guest by a team", None, "comment", Place(teams=("comment",))),
    Case("a level gives a guest nothing", None, None, Place(level="admin")),
    Case("the level of a site gives a guest nothing", None, None, sites=(Place(level="admin"), NOTHING)),
    Case("the level of a collection gives a guest nothing", None, None, collections=(Place(level="admin"),)),
    Case("an inherited level gives a guest nothing", None, None, collections=(NOTHING, NOTHING, Place(level="edit"))),
    Case("a guest by a grant, whatever the level", None, "edit", Place(user="edit", level="read")),
    Case("a guest keeps a grant on the collection", None, "edit", Place(level="admin"), (), (Place(user="edit"),)),
    Case("but has no more than members", None, "comment", Place(level="comment"), (), (Place(user="edit"),)),
    Case("and nothing where nobody has", None, None, Place(level=None), (), (Place(user="edit"),)),
    Case("the nearest of two levels bounds it", None, "read", Place(level="read"),
         collections=(Place(level="edit"), Place(user="create"))),
    Case("a guest keeps a grant behind the level of a site", None, "edit", sites=(Place(level="create"),),
         collections=(Place(teams=("edit",)),)),
    Case("a guest of a site", None, "review", sites=(Place(level="read"), Place(user="review"))),
    Case("a grant on the site", "read", "edit", sites=(Place(user="edit"),)),
    Case("a grant on the site lowers", "create", "read", sites=(Place(user="read"),)),
    Case("the level of the site", "create", "comment", sites=(Place(level="comment"),)),
    Case("no level of the site", "create", None, sites=(Place(level=None),)),
    Case("the highest of the sites", "read", "review", sites=(Place(level="comment"), Place(user="review"))),
    Case("a site that says nothing is not asked", "create", "read", sites=(NOTHING, Place(level="read"))),
    Case("sites that say nothing", "edit", "edit", sites=(NOTHING, NOTHING)),
    Case("no level on one site, some on another", "read", "comment", sites=(Place(level=None), Place(level="comment"))),
    Case("within a site the direct grant", "read", "read", sites=(Place(user="read", teams=("admin",), level="edit"),)),
    Case("the space itself before its sites", "read", "comment", Place(level="comment"), (Place(user="admin"),)),
    Case("no level before the sites", "read", None, Place(level=None), (Place(user="edit"),)),
    Case("a site before the collection", "read", "comment", sites=(Place(level="comment"),),
         collections=(Place(user="admin"),)),
    Case("a silent site leaves it to the collection", "read", "edit", sites=(NOTHING,),
         collections=(Place(level="edit"),)),
    Case("a grant on the collection", "read", "create", collections=(Place(user="create"),)),
    Case("a team's grant on the collection", None, "review", collections=(Place(teams=("review", "read")),)),
    Case("the level of the collection", "create", "comment", collections=(Place(level="comment"),)),
    Case("no level of the collection", "create", None, collections=(Place(level=None),)),
    Case("the collection above", "read", "edit", collections=(NOTHING, Place(level="edit"))),
    Case("two collections above", None, "comment", collections=(NOTHING, NOTHING, Place(user="comment"))),
    Case("the inner collection before the outer", "create", "read", collections=(Place(level="read"), Place(user="admin"))),
    Case("no level inside hides a grant outside", "read", None, collections=(Place(level=None), Place(user="edit"))),
    Case("silent collections leave it to the organization", "review", "review", collections=(NOTHING, NOTHING)),
    Case("the space before the collection", "read", "review", Place(teams=("review",)), (), (Place(level="admin"),)),
)  # fmt: skip


class Builder:
    """Makes what a case describes, and a caller for it."""

    def __init__(self, world: World, member: Role | None) -> None:
        self.world = world
        self.token = world.person("guest" if member is None else member)

    def write(self, work: Any) -> Any:
        return self.world.run(self.world.house.store.write(work))

    def user(self) -> str:
        found: str = self.world.api.get("/v1/user", token=self.token).json["id"]
        return found

    def stand(self, kind: str, resource: str, place: Place) -> None:
        """The grants of a place; levels are set where the resource is made."""
        if place.user is not None:
            self.world.grant(self.token, kind, resource, place.user)
        for role in place.teams:
            self._give_team(kind, resource, role)

    def _give_team(self, kind: str, resource: str, role: Role) -> None:
        organization, user = self.world.organization, self.user()
        team = Team(id=new_id(), organization=organization, title="Team", created_at=1)

        async def work(unit: Any) -> None:
            await unit.teams.add(team)
            values = {"organization": organization, "team": team.id, "user": user, "role": "member"}
            await unit.people._at.run(_JOIN, values)
            await unit.grants.give(
                Grant(organization=organization, kind=kind, resource=resource, role=role, team=team.id)  # type: ignore[arg-type]
            )

        self.write(work)

    def collections(self, places: tuple[Place, ...]) -> str | None:
        """A chain of collections; the id of the innermost."""
        parent: str | None = None
        for place in reversed(places):
            made = Collection(
                id=new_id(), organization=self.world.organization, title="Shelf", position="a0", created_at=1,
                parent=parent, default_level=place.level,
            )  # fmt: skip
            self.write(lambda unit, made=made: unit.spaces.add_collection(made))
            self.stand("collection", made.id, place)
            parent = made.id
        return parent

    def space(self, case: Case) -> str:
        parent = self.collections(case.collections)
        space: str = self.world.space(**({} if parent is None else {"parent": parent}))["id"]
        self.world.api.patch(f"/v1/spaces/{space}", {"defaultLevel": case.space.level})
        self.stand("space", space, case.space)
        for number, place in enumerate(case.sites):
            self.site(place, space, title=f"Site {number}")
        return space

    def site(self, place: Place, *spaces: str, title: str = "Site") -> str:
        site: str = self.world.site(*spaces, title=title, publish=False)["id"]
        path = f"/v1/orgs/{self.world.organization}/sites/{site}"
        assert self.world.api.patch(path, {"defaultLevel": place.level}).status == 200
        self.stand("site", site, place)
        return site


def _check(world: World, token: str, space: str, role: Role | None) -> None:
    reply = world.api.get(f"/v1/spaces/{space}", token=token)
    listed = world.api.get(f"/v1/orgs/{world.organization}/spaces", token=token).json
    if role is None:
        assert reply.status == 404
        assert listed == {"items": [], "count": 0}
        return
    assert reply.status == 200
    given = reply.json["permissions"]
    expected = {word: ROLES.index(role) >= ROLES.index(least) for word, least in LEAST.items()}
    assert {word: given[word] for word in LEAST} == expected
    assert [one["permissions"] for one in listed["items"]] == [given]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_role_on_a_space(world: World, case: Case) -> None:
    built = Builder(world, case.member)
    space = built.space(case)
    _check(world, built.token, space, case.expected)
    assert _among_people(built, "get", space) == case.expected
    assert world.api.get(f"/v1/spaces/{space}", token=world.person(None)).status == 404


def _among_people(built: Builder, shelf: str, space: str) -> Role | None:
    """The role on a space (`get`) or a collection (`collection`), asked of many people: the caller, an admin, a stranger."""
    world, user = built.world, built.user()

    async def ask(unit: Any) -> dict[str, Role | None]:
        on = await getattr(unit.spaces, shelf)(space)
        people = await people_of(unit, world.organization)
        assert {user} < {one.user.id for one in people}
        stranger = Person(User(id="stranger", email="s@example.test", name="Sam"), {}, {})
        return await roles_of_people(unit, [*people, stranger], on)

    roles: dict[str, Role | None] = world.run(world.house.store.read(ask))
    admin = world.api.get("/v1/user").json["id"]
    assert (roles.pop("stranger"), roles.pop(admin)) == (None, "admin")
    assert roles.keys() == {user}
    return roles[user]


@pytest.mark.parametrize(
    "case", [one for one in CASES if one.collections and not one.sites and one.space == NOTHING],
    ids=lambda case: case.name,
)  # fmt: skip
def test_the_role_on_a_collection(world: World, case: Case) -> None:
    built = Builder(world, case.member)
    collection = built.collections(case.collections)
    assert collection is not None
    reply = world.api.get(f"/v1/collections/{collection}", token=built.token)
    assert reply.status == (404 if case.expected is None else 200)
    assert _among_people(built, "collection", collection) == case.expected


@pytest.mark.parametrize(
    "case", [one for one in CASES if not one.sites and not one.collections], ids=lambda case: case.name
)
def test_the_role_on_a_site(world: World, case: Case) -> None:
    built = Builder(world, case.member)
    site = built.site(case.space)
    path = f"/v1/orgs/{world.organization}/sites/{site}"
    reply = world.api.get(path, token=built.token)
    assert reply.status == (404 if case.expected is None else 200)
    if case.expected is not None:
        assert reply.json["permissions"]["view"] is True
        assert reply.json["permissions"]["admin"] is (case.expected == "admin")
        assert world.api.get(f"/v1/orgs/{world.organization}/sites", token=built.token).json["items"] == [reply.json]


def test_levels_give_guests_nothing_in_any_list(world: World) -> None:
    """Wherever a level stands: no list holds the thing, nobody is told that the guest has a role, no address opens."""
    built = Builder(world, None)
    shelf = built.collections((Place(level="edit"),))
    assert shelf is not None
    open_ = world.space(parent=shelf)["id"]
    leveled = world.space()["id"]
    world.api.patch(f"/v1/spaces/{leveled}", {"defaultLevel": "admin"})
    site = built.site(Place(level="admin"), world.space()["id"])
    base, user = f"/v1/orgs/{world.organization}", built.user()
    for path in ("spaces", "sites", "collections", f"members/{user}/spaces"):
        assert world.api.get(f"{base}/{path}", token=built.token).json == {"items": [], "count": 0}, path
    places = (f"/v1/spaces/{open_}", f"/v1/spaces/{leveled}", f"/v1/collections/{shelf}", f"{base}/sites/{site}")
    for path in places:
        assert world.api.get(path, token=built.token).status == 404, path
        everybody = world.api.get(f"{path}/permissions/aggregate").json["items"]
        assert user not in [one["user"]["id"] for one in everybody], path


def test_grants_to_others_are_theirs(world: World) -> None:
    space = world.space()["id"]
    world.api.patch(f"/v1/spaces/{space}", {"defaultLevel": None})
    holder, colleague = world.person("read"), world.person("read")
    world.grant(holder, "space", space, "edit")
    assert world.api.get(f"/v1/spaces/{space}", token=holder).status == 200
    assert world.api.get(f"/v1/spaces/{space}", token=colleague).status == 404


def test_a_grant_without_membership_opens_nothing(world: World) -> None:
    space = world.space()["id"]
    stranger = world.person(None)
    world.grant(stranger, "space", space, "admin")
    assert world.api.get(f"/v1/spaces/{space}", token=stranger).status == 404


def test_a_team_of_others_opens_nothing(world: World) -> None:
    built, colleague = Builder(world, "read"), Builder(world, "read")
    closed = built.space(Case("", "read", None, Place(level=None)))
    colleague.stand("space", closed, Place(teams=("edit",)))
    _check(world, built.token, closed, None)
    _check(world, colleague.token, closed, "edit")


def test_a_disabled_member_is_a_stranger(world: World) -> None:
    built = Builder(world, "admin")
    space = built.space(Case("", "admin", None))
    user = built.user()
    assert world.api.get(f"/v1/spaces/{space}", token=built.token).status == 200

    async def disable(unit: Any) -> None:
        member = await unit.people.member(world.organization, user)
        await unit.people.change_member(member, disabled=True)

    async def known(unit: Any) -> list[str]:
        return [one.user.id for one in await people_among(unit, world.organization, [user])]

    assert world.run(world.house.store.read(known)) == [user]
    built.write(disable)
    assert world.run(world.house.store.read(known)) == []
    assert world.api.get(f"/v1/spaces/{space}", token=built.token).status == 404
    assert world.api.get(f"/v1/orgs/{world.organization}", token=built.token).status == 404
    assert world.api.get("/v1/orgs", token=built.token).json == {"items": [], "count": 0}


def test_a_changed_role_holds_at_once(world: World) -> None:
    built = Builder(world, "read")
    space = built.space(Case("", "read", None))
    path, body = f"/v1/spaces/{space}", {"title": "Renamed"}
    assert world.api.patch(path, body, token=built.token).status == 403
    world.grant(built.token, "space", space, "admin")
    assert world.api.patch(path, body, token=built.token).status == 200
    world.grant(built.token, "space", space, "create")
    assert world.api.patch(path, body, token=built.token).status == 403
