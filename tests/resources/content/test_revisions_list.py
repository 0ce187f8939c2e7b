"""GET /spaces/{space}/revisions."""

from __future__ import annotations

import re
from typing import Any

import pytest

from octavo.history import timeline
from tests.client import World
from tests.conftest import FakeClock
from tests.resources.checks import MOMENT, check_roles
from tests.resources.proposals import propose, user_of, write_primary


def listed(world: World, space: str, query: str = "") -> Any:
    reply = world.api.get(f"/v1/spaces/{space}/revisions{query}")
    assert reply.status == 200, reply.text
    return reply.json


def ids(page: Any) -> list[str]:
    return [one["id"] for one in page["items"]]


def all_of(world: World, space: str, query: str) -> list[str]:
    """Every page of the list, joined."""
    seen, page = [], ""
    for _ in range(50):
        part = listed(world, space, f"?{query}{page}")
        seen += ids(part)
        if "next" not in part:
            return seen
        page = f"&page={part['next']['page']}"
    raise AssertionError("the list does not end")


def test_every_head_is_listed_the_newest_first(world: World, clock: FakeClock) -> None:
    space = world.space()
    made = [space["revision"]]
    for number in range(4):
        clock.advance(1000)
        made.append(write_primary(world, space["id"], {f"Page {number}": "# Page\n"}))
    page = listed(world, space["id"])
    assert (ids(page), page["count"]) == (made[::-1], 5)
    assert "next" not in page
    first = page["items"][0]
    assert set(first) == {"object", "id", "type", "parents", "createdAt", "urls"}
    assert (first["object"], first["type"], first["parents"]) == ("revision", "edits", [made[-2]])
    assert re.fullmatch(MOMENT, first["createdAt"])
    assert page["items"][-1]["createdBy"]["id"] == user_of(world, world.api.token or "")
    read = world.api.get("/v1" + first["urls"]["location"].split("/v1", 1)[1]).json
    assert (read["id"], read["createdAt"]) == (first["id"], first["createdAt"])
    for limit in (1, 2, 3, 5):
        assert all_of(world, space["id"], f"limit={limit}") == made[::-1]
    assert listed(world, space["id"], "?limit=0") == {"items": [], "count": 5}


def test_a_merge_is_listed_and_the_edits_that_led_to_it_are_not(world: World) -> None:
    one = propose(world, subject="Eggs")
    drafts = [one.write({"Eggs": f"# Eggs\n\n{number}\n"}) for number in range(3)]
    before = ids(listed(world, one.space))
    assert not set(before) & set(drafts)
    merged = one.post("/merge").json["revision"]
    page = listed(world, one.space)
    assert ids(page) == [merged, *before]
    assert page["items"][0]["type"] == "merge"
    assert page["items"][0]["mergedFrom"] == one.shown
    assert drafts[-1] in page["items"][0]["parents"]


def test_an_update_of_a_change_request_is_not_listed(world: World) -> None:
    one = propose(world, texts={"Eggs": "# Eggs\n"})
    head = write_primary(world, one.space, {"News": "# News\n"})
    one.post("/update")
    assert ids(listed(world, one.space))[0] == head
    assert listed(world, one.space)["count"] == 2


@pytest.mark.parametrize("examined", [2, 3, 100])
def test_the_history_of_a_page(world: World, monkeypatch: pytest.MonkeyPatch, examined: int) -> None:
    monkeypatch.setattr(timeline, "EXAMINED", examined)
    space = world.space(empty=True)["id"]
    born = write_primary(world, space, {"Eggs": "# Eggs\n"})
    page = world.api.get(f"/v1/spaces/{space}/content/pages").json["pages"][0]["id"]
    for number in range(4):
        write_primary(world, space, {f"Other {number}": "# Other\n"})
    changed = write_primary(world, space, {"Eggs": "# Eggs\n\nTwo.\n"})
    write_primary(world, space, {"News": "# News\n"})
    gone = write_primary(world, space, {"Eggs": None})
    write_primary(world, space, {"News": "# News\n\nMore.\n"})
    for limit in (1, 2, 50):
        assert all_of(world, space, f"pageId={page}&limit={limit}") == [gone, changed, born]
    assert "count" not in listed(world, space, f"?pageId={page}")
    assert all_of(world, space, "pageId=nothing") == []


def test_every_reader_reads_it(world: World) -> None:
    space = world.space()["id"]
    check_roles(world, "read", "GET", f"/v1/spaces/{space}/revisions", success=200)
    assert world.api.get(f"/v1/spaces/{space}/revisions", token="").status == 401
    assert world.api.get(f"/v1/spaces/{space}/revisions?limit=-1").status == 400
    foreign = world.api.get(f"/v1/spaces/{world.space()['id']}/revisions?limit=1").json
    assert "next" not in foreign
