"""Spaces that are deleted, restored, removed for good, duplicated and moved."""

from __future__ import annotations

from typing import Any

from tests.client import Client, World
from tests.conftest import FakeClock
from tests.resources.writing import Line

DAY = 86_400_000


def _client(world: World, role: str | None) -> Client:
    return Client(world.app, world.loop, world.person(role))


def _titles(world: World, query: str = "") -> list[str]:
    items = world.api.get(f"/v1/orgs/{world.organization}/spaces{query}").json["items"]
    return [one["title"] for one in items]


def _found(world: World, words: str) -> int:
    count: int = world.api.get(f"/v1/orgs/{world.organization}/search?query={words}").json["count"]
    return count


def _filled(world: World, title: str, words: str) -> str:
    space: str = world.space(title)["id"]
    line = Line(world, space)
    line.insert(f"# {title}\n\n{words}\n")
    line.post("merge")
    world.work()
    return space


def _stored(world: World) -> tuple[int, int]:
    """How many objects and blobs the organization has."""

    async def count(unit: Any) -> tuple[int, int]:
        far = 1 << 60
        return (
            len(await unit.objects.old(world.organization, b"", far, 100_000)),
            len(await unit.blobs.old(world.organization, "", far, 100_000)),
        )

    made: tuple[int, int] = world.run(world.house.store.read(count))
    return made


def test_a_deleted_space_is_gone_from_everywhere_and_comes_back(world: World, clock: FakeClock) -> None:
    space = _filled(world, "Terns", "cormorants")
    site = world.site(space)
    page = f"/sites/{site['basename']}/"
    assert (world.api.get(page, token="").status, _found(world, "cormorants")) == (200, 1)
    path = f"/v1/spaces/{space}"
    assert world.api.delete(path).status == 205
    world.work()
    assert (_titles(world), _titles(world, "?deleted=true")) == ([], ["Terns"])
    assert world.api.get(path).json["deletedAt"]
    for below in ("/content", "/change-requests", "/revisions"):
        assert world.api.get(path + below).status == 404
    assert world.api.patch(path, {"title": "X"}).status == 404
    assert world.api.delete(path).status == 404
    assert world.api.get(page, token="").status == 404
    assert _found(world, "cormorants") == 0
    clock.advance(7 * DAY - 1)
    back = world.api.post(path + "/restore")
    assert (back.status, "deletedAt" in back.json) == (200, False)
    world.work()
    assert (world.api.get(page, token="").status, _found(world, "cormorants")) == (200, 1)
    assert world.api.post(path + "/restore").status == 409
    clock.advance(30 * DAY)
    world.work()
    assert world.api.get(path).status == 200, "the order to remove it is void"


def test_who_may_delete_and_restore(world: World) -> None:
    space = world.space()["id"]
    path = f"/v1/spaces/{space}"
    assert _client(world, None).delete(path).status == 404
    for role in ("read", "create"):
        assert _client(world, role).delete(path).status == 403
    writer = _client(world, "create")
    assert world.api.delete(path).status == 205
    assert (writer.get(path).status, writer.post(path + "/restore").status) == (404, 404)


def test_after_a_week_it_is_removed_with_all_that_is_only_its_own(world: World, clock: FakeClock) -> None:
    kept = _filled(world, "Kept", "shared words")
    before = _stored(world)
    space = _filled(world, "Gone", "own words")
    line = Line(world, space)
    line.write(
        {"operation": "insert_files", "files": [{"name": "a.txt", "contentType": "text/plain", "base64": "YQ=="}]}
    )
    copy = world.api.post(f"/v1/spaces/{space}/duplicate").json["id"]
    with_both = _stored(world)
    world.api.delete(f"/v1/spaces/{space}")
    clock.advance(7 * DAY)
    assert world.api.post(f"/v1/spaces/{space}/restore").status == 404, "too late, whether or not the job has run"
    world.work()
    assert world.api.get(f"/v1/spaces/{space}").status == 404
    assert _titles(world, "?deleted=true") == []
    # The copy shares the content; what only the change request had is gone.
    assert [one["title"] for one in world.api.get(f"/v1/spaces/{copy}/content/pages").json["pages"]] == [
        "Untitled",
        "Gone",
    ]
    middle = _stored(world)
    assert before < middle < with_both
    assert middle[1] == before[1]
    world.api.delete(f"/v1/spaces/{copy}")
    clock.advance(8 * DAY)
    world.work()
    assert _stored(world) == before
    assert [one["title"] for one in world.api.get(f"/v1/spaces/{kept}/content/pages").json["pages"]] == [
        "Untitled",
        "Kept",
    ]
    text = world.api.get(f"/v1/spaces/{kept}/content/path/kept?format=markdown").json["markdown"]
    assert text == "# Kept\n\nshared words\n"


def test_a_duplicate_has_the_content_and_nothing_else(world: World) -> None:
    space = _filled(world, "T" * 50, "cormorants")
    Line(world, space)
    other = world.space("Other")["id"]
    stored = _stored(world)
    made = world.api.post(f"/v1/spaces/{space}/duplicate")
    assert made.status == 201
    assert made.headers["location"].endswith(f"/v1/spaces/{made.json['id']}")
    assert made.json["title"] == "T" * 43 + " (copy)"
    assert (made.json["changeRequests"], made.json["changeRequestsDraft"], made.json["comments"]) == (0, 0, 0)
    assert made.json["permissions"]["admin"] is True
    assert _stored(world) == stored, "not one object was copied"
    pages = world.api.get(f"/v1/spaces/{made.json['id']}/content/pages").json["pages"]
    assert [one["title"] for one in pages] == ["Untitled", "T" * 50]
    world.work()
    assert _found(world, "cormorants") == 2
    assert other
    assert _client(world, "edit").post(f"/v1/spaces/{space}/duplicate").status == 403
    assert _client(world, None).post(f"/v1/spaces/{space}/duplicate").status == 404


def test_who_sees_a_space_and_not_its_collection_may_not_duplicate_it(world: World) -> None:
    shelf = world.api.post(f"/v1/orgs/{world.organization}/collections", {"title": "Shelf"}).json["id"]
    space = world.space(parent=shelf)["id"]
    guest = world.person("guest")
    world.grant(guest, "space", space, "admin")
    reply = Client(world.app, world.loop, guest).post(f"/v1/spaces/{space}/duplicate")
    assert reply.status == 403, reply.text
    assert shelf not in reply.message


def test_spaces_move_among_their_siblings(world: World) -> None:
    a, b, c = (world.space(title)["id"] for title in "ABC")

    def order() -> list[str]:
        async def read(unit: Any) -> list[str]:
            return [key for key, _ in await unit.spaces.siblings(world.organization, None)]

        names = {a: "A", b: "B", c: "C"}
        return [names[key] for key in world.run(world.house.store.read(read))]

    assert order() == ["A", "B", "C"]
    path = "/v1/spaces/{}/move"
    moved = world.api.post(path.format(c), {"position": {"before": {"type": "space", "space": a}}})
    assert (moved.status, moved.json["id"], order()) == (200, c, ["C", "A", "B"])
    assert world.api.post(path.format(c), {"position": {"after": {"type": "space", "space": a}}}).status == 200
    assert order() == ["A", "C", "B"]
    assert world.api.post(path.format(c), {"position": {"after": {"type": "space", "space": a}}}).status == 409
    assert world.api.post(path.format(c), {}).status == 409
    assert world.api.post(path.format(c), {"parent": None, "position": {}}).status == 200
    assert order() == ["A", "B", "C"]
    wrong = world.api.post(path.format(c), {"position": {"after": {"type": "space", "space": "nowhere"}}})
    assert (wrong.status, "position.after" in wrong.message) == (400, True)
    both = {"after": {"type": "space", "space": a}, "before": {"type": "space", "space": b}}
    assert world.api.post(path.format(c), {"position": both}).status == 400
    assert world.api.post(path.format(c), {"parent": "nowhere"}).status == 404
    assert _client(world, "create").post(path.format(c), {"position": {}}).status == 403
    assert _client(world, None).post(path.format(c), {}).status == 404


def test_many_moves_keep_short_positions(world: World) -> None:
    a, b, c = (world.space(title)["id"] for title in "ABC")

    async def positions(unit: Any) -> list[str]:
        return [position for _, position in await unit.spaces.siblings(world.organization, None)]

    for _ in range(60):
        for moved in (c, b):
            reply = world.api.post(f"/v1/spaces/{moved}/move", {"position": {"after": {"type": "space", "space": a}}})
            assert reply.status == 200
    assert max(map(len, world.run(world.house.store.read(positions)))) < 40
