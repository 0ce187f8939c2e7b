"""Transfers of spaces and collections to another organization."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from octavo.access.placing import DEEPEST
from octavo.administration import first_admin
from octavo.kernel.ids import token_hash
from octavo.kernel.records.people import Member
from octavo.store.library.spaces import Spaces
from octavo.store.library.transfers import CARRIED, LEFT
from octavo.store.people.people import People
from octavo.store.schema.tables import metadata
from tests.client import Client, World
from tests.resources.integrations.building import installed, published
from tests.resources.writing import Line


@pytest.fixture
def other(world: World) -> tuple[Client, str]:
    """Another organization, and its admin."""
    made = world.run(first_admin(world.house.store, f"b-{world.organization}@example.test", "Bea", "Other"))
    return Client(world.app, world.loop, made["token"]), made["organization"]


def _joined(world: World, organization: str, role: str = "admin") -> Client:
    """Somebody who is admin of the first organization, and has a role in the other."""
    token = world.person("admin")

    async def join(unit: Any) -> None:
        held = await unit.people.token_by_hash(token_hash(token))
        await unit.people.add_member(
            Member(organization=organization, user=held.user, role=role, joined_at=unit.now)  # type: ignore[arg-type]
        )

    world.run(world.house.store.write(join))
    return Client(world.app, world.loop, token)


def _filled(world: World, **body: Any) -> str:
    space: str = world.space("Terns", **body)["id"]
    line = Line(world, space)
    line.write(
        {"operation": "insert_page", "document": {"markdown": "# Nests\n\nOf cormorants.\n\n![](./a)\n"}},
        {
            "operation": "insert_files",
            "files": [{"name": "a.txt", "ref": "a", "contentType": "text/plain", "base64": "YQ=="}],
        },
    )
    line.post("merge")
    Line(world, space).insert("# Draft\n")
    world.work()
    return space


def test_a_space_goes_with_everything(world: World, other: tuple[Client, str]) -> None:
    bea, organization = other
    space = _filled(world)
    ada = _joined(world, organization)
    path = f"/v1/spaces/{space}"
    before = world.api.get(f"{path}/content").json
    reply = world.awaited("POST", f"{path}/transfer", {"organization": organization}, ada)
    assert (reply.status, reply.json["organization"], "parent" in reply.json) == (200, organization, False)
    assert world.api.get(path).status == 404
    after = bea.get(f"{path}/content").json
    assert [page["id"] for page in after["pages"]] == [page["id"] for page in before["pages"]]
    page = bea.get(f"{path}/content/path/nests?format=markdown").json
    assert "Of cormorants." in page["markdown"]
    file = after["files"][0]["downloadURL"].removeprefix("http://octavo.test")
    assert bea.get(file, token="").body == b"a"
    requests = bea.get(f"{path}/change-requests?status=draft").json["items"]
    assert [one["number"] for one in requests] == [2]
    assert bea.get(f"{path}/change-requests/2/content/pages").json["pages"][-1]["title"] == "Draft"
    assert bea.post(f"{path}/change-requests/2/merge").json["result"] == "merge"
    world.work()
    assert bea.get(f"/v1/orgs/{organization}/search?query=cormorants").json["count"] == 1
    assert world.api.get(f"/v1/orgs/{world.organization}/search?query=cormorants").json["count"] == 0
    assert world.awaited("POST", f"{path}/transfer", {"organization": organization}, ada).status == 409


def test_a_collection_goes_with_what_is_in_it(world: World, other: tuple[Client, str]) -> None:
    bea, organization = other
    outer = world.api.post(f"/v1/orgs/{world.organization}/collections", {"title": "Outer"}).json["id"]
    inner = world.api.post(f"/v1/orgs/{world.organization}/collections", {"title": "Inner", "parent": outer}).json["id"]
    space = _filled(world, parent=inner)
    ada = _joined(world, organization)
    target = bea.post(f"/v1/orgs/{organization}/collections", {"title": "Target"}).json["id"]
    body = {"organization": organization, "parent": target}
    reply = world.awaited("POST", f"/v1/collections/{outer}/transfer", body, ada)
    assert (reply.status, reply.json["parent"]) == (200, target), reply.text
    titles = [one["title"] for one in bea.get(f"/v1/orgs/{organization}/collections").json["items"]]
    assert titles == ["Target", "Outer", "Inner"]
    assert bea.get(f"/v1/spaces/{space}").json["parent"] == inner
    assert "cormorants" in bea.get(f"/v1/spaces/{space}/content/path/nests?format=markdown").text
    assert world.api.get(f"/v1/collections/{outer}").status == 404


def test_who_may_and_when_not(world: World, other: tuple[Client, str]) -> None:
    _, organization = other
    space = world.space()["id"]
    path, body = f"/v1/spaces/{space}/transfer", {"organization": organization}
    assert world.awaited("POST", path, body).status == 404, "not a member there"
    assert world.awaited("POST", path, body, _joined(world, organization, "review")).status == 403
    assert world.awaited("POST", path, body, Client(world.app, world.loop, world.person("create"))).status == 403
    assert world.awaited("POST", path, body, Client(world.app, world.loop, world.person(None))).status == 404
    ada = _joined(world, organization)
    assert world.awaited("POST", path, {}, ada).status == 400
    assert world.awaited("POST", path, {"organization": world.organization}, ada).status == 409
    world.site(space)
    refused = world.awaited("POST", path, body, ada)
    assert (refused.status, "site" in refused.message) == (412, True)


def test_a_collection_goes_only_by_an_admin_of_all_that_is_in_it(world: World, other: tuple[Client, str]) -> None:
    _, organization = other
    outer = world.api.post(f"/v1/orgs/{world.organization}/collections", {"title": "Outer"}).json["id"]
    closed = world.space("Closed", parent=outer, empty=True)["id"]
    assert world.api.patch(f"/v1/spaces/{closed}", {"defaultLevel": None}).status == 200
    guest = world.person("guest")
    world.grant(guest, "collection", outer, "admin")
    user = world.api.get("/v1/user", token=guest).json["id"]

    async def join(unit: Any) -> None:
        await unit.people.add_member(Member(organization=organization, user=user, role="admin", joined_at=unit.now))

    world.run(world.house.store.write(join))
    gus = Client(world.app, world.loop, guest)
    reply = gus.post(f"/v1/collections/{outer}/transfer", {"organization": organization})
    assert (reply.status, "not an admin of" in reply.message) == (403, True)
    assert gus.get(f"/v1/spaces/{closed}").status == 404
    assert world.api.get(f"/v1/collections/{outer}").json["organization"] == world.organization
    # What is given on the space itself is enough.
    world.grant(guest, "space", closed, "admin")
    assert world.awaited("POST", f"/v1/collections/{outer}/transfer", {"organization": organization}, gus).status == 200


def _collection(world: World, title: str, parent: str | None = None) -> str:
    body = {"title": title} | ({} if parent is None else {"parent": parent})
    made: str = world.api.post(f"/v1/orgs/{world.organization}/collections", body).json["id"]
    return made


def test_a_collection_is_not_transferred_into_itself(world: World) -> None:
    outer = _collection(world, "Outer")
    inner = _collection(world, "Inner", outer)
    for parent in (outer, inner):
        body = {"organization": world.organization, "parent": parent}
        reply = world.awaited("POST", f"/v1/collections/{outer}/transfer", body)
        assert (reply.status, "into itself" in reply.message) == (400, True)
    assert world.api.get(f"/v1/orgs/{world.organization}/collections").json["count"] == 2


def test_a_transfer_nests_collections_no_deeper_than_a_move(world: World, other: tuple[Client, str]) -> None:
    bea, organization = other
    deep, there = _collection(world, "0"), None
    for at in range(1, DEEPEST):
        deep = _collection(world, str(at), deep)
    pair = _collection(world, "Pair")
    _collection(world, "Below", pair)
    for at in range(DEEPEST - 1):
        body = {"title": str(at)} | ({} if there is None else {"parent": there})
        there = bea.post(f"/v1/orgs/{organization}/collections", body).json["id"]
    for key, target, parent in ((pair, world.organization, deep), (pair, organization, there)):
        body = {"organization": target, "parent": parent}
        reply = world.awaited("POST", f"/v1/collections/{key}/transfer", body, _joined(world, organization))
        assert (reply.status, "deep at most" in reply.message) == (400, True)


def test_within_an_organization_grants_stay(world: World) -> None:
    moved, parent = _collection(world, "Moved"), _collection(world, "Parent")
    inner = _collection(world, "Inner", moved)
    reader = world.person("read")
    for key in (moved, inner):
        world.grant(reader, "collection", key, "edit")
    body = {"organization": world.organization, "parent": parent}
    reply = world.awaited("POST", f"/v1/collections/{moved}/transfer", body)
    assert (reply.status, reply.json["parent"]) == (200, parent)
    for key in (moved, inner):
        held = world.api.get(f"/v1/collections/{key}/permissions/users").json["items"]
        assert "edit" in [one["permission"] for one in held]
    assert world.api.get(f"/v1/collections/{inner}").json["parent"] == moved


def test_a_collection_that_names_itself_takes_nothing_along(world: World) -> None:
    """As rows may do that were written before this was refused."""
    key = _collection(world, "Round")
    space = world.space("Kept", parent=key, empty=True)["id"]

    async def bend(unit: Any) -> None:
        await unit.spaces.change_collection(await unit.spaces.collection(key), parent=key)

    world.run(world.house.store.write(bend))
    assert world.api.delete(f"/v1/collections/{key}").status == 205
    kept = world.api.get(f"/v1/spaces/{space}")
    assert (kept.status, "parent" in kept.json) == (200, False)


def _meanwhile(monkeypatch: pytest.MonkeyPatch, change: Callable[[Spaces], Awaitable[Any]]) -> None:
    """Whoever holds an organization next finds that somebody else, who held it before, changed something."""
    hold = People.hold_organization
    left = [change]

    async def waits(self: People, organization: str) -> None:
        await hold(self, organization)
        if left:
            await left.pop()(Spaces(self._at))

    monkeypatch.setattr(People, "hold_organization", waits)


def test_what_came_into_a_collection_meanwhile_does_not_stay_behind(
    world: World, other: tuple[Client, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, organization = other
    key, space = _collection(world, "Box"), world.space("Late", empty=True)["id"]
    ada = _joined(world, organization)

    async def put_in(spaces: Spaces) -> None:
        found = await spaces.get(space)
        assert found is not None
        await spaces.change(found, parent=key)

    _meanwhile(monkeypatch, put_in)
    reply = world.awaited("POST", f"/v1/collections/{key}/transfer", {"organization": organization}, ada)
    assert (reply.status, "try again" in reply.message) == (409, True), "what is in it was not copied"
    assert world.api.get(f"/v1/collections/{key}").json["organization"] == world.organization
    assert world.awaited("POST", f"/v1/collections/{key}/transfer", {"organization": organization}, ada).status == 200


def test_spaces_of_a_collection_are_held_while_it_is_transferred(
    world: World, other: tuple[Client, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever writes content waits, and finds it in the other organization then."""
    if world.house.store.engine.dialect == "sqlite":
        pytest.skip("there, write units take turns anyway")
    _, organization = other
    key = _collection(world, "Box")
    space = _filled(world, parent=key)
    order: list[str] = []
    carry = Spaces.carry
    writing: list[asyncio.Task[Any]] = []

    async def write() -> None:
        await world.house.store.write(note, lock=("spaces", space))

    async def note(_: Any) -> None:
        order.append("written")

    async def carried(self: Spaces, one: str, to: str) -> None:
        writing.append(asyncio.create_task(write()))
        # As many turns as a unit that waits for nobody needs, and more.
        for _ in range(20):
            await world.house.store.read(lambda unit: unit.spaces.get(space))
        await carry(self, one, to)
        order.append("carried")

    monkeypatch.setattr(Spaces, "carry", carried)
    ada = _joined(world, organization)
    reply = world.awaited("POST", f"/v1/collections/{key}/transfer", {"organization": organization}, ada)
    world.run(asyncio.wait_for(writing[0], 60))
    assert (reply.status, order) == (200, ["carried", "written"])


@pytest.mark.parametrize("what", ["space", "collection"])
def test_nothing_is_moved_into_a_collection_that_is_gone_meanwhile(
    world: World, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    gone = _collection(world, "Gone")
    moved = world.space(empty=True)["id"] if what == "space" else _collection(world, "Moved")

    async def remove(spaces: Spaces) -> None:
        found = await spaces.collection(gone)
        assert found is not None
        await spaces.remove_collection(found)

    _meanwhile(monkeypatch, remove)
    reply = world.api.post(f"/v1/{what}s/{moved}/move", {"parent": gone})
    assert (reply.status, gone in reply.message) == (404, True)


@pytest.mark.parametrize("how", ["transfer", "move", "delete"])
def test_what_is_gone_meanwhile_is_not_found(
    world: World, other: tuple[Client, str], monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    _, organization = other
    key, parent = _collection(world, "Gone"), _collection(world, "Parent")
    ada = _joined(world, organization)

    async def remove(spaces: Spaces) -> None:
        found = await spaces.collection(key)
        assert found is not None
        await spaces.remove_collection(found)

    _meanwhile(monkeypatch, remove)
    path = f"/v1/collections/{key}"
    if how == "delete":
        reply = ada.delete(path)
    else:
        body = {"organization": organization} if how == "transfer" else {"parent": parent}
        reply = world.awaited("POST", f"{path}/{how}", body, ada)
    assert (reply.status, key in reply.message) == (404, True)


def test_every_table_of_a_space_is_told() -> None:
    """A table that a later change adds must decide whether its rows go along."""
    below = {"spaces"}
    grown = True
    while grown:
        found = {
            table.name
            for table in metadata.tables.values()
            for key in table.foreign_keys
            if key.column.table.name in below
        }
        grown = not found <= below
        below |= found
    assert below - {"spaces"} == CARRIED.keys() | LEFT


def test_what_integrations_may_do_on_a_space_stays_behind(world: World, other: tuple[Client, str]) -> None:
    bea, organization = other
    space = _filled(world)
    here = installed(world, published(world))
    assert world.api.post(f"{here}/spaces", {"space": space}).status == 201
    ada = _joined(world, organization)
    reply = world.awaited("POST", f"/v1/spaces/{space}/transfer", {"organization": organization}, ada)
    assert reply.status == 200
    assert bea.get(f"/v1/spaces/{space}/integrations").json["items"] == []
    assert world.api.get(f"{here}/spaces").json["items"] == []
