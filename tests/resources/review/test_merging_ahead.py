"""Merges, updates and restores ahead of their units: no unit is long, and what changes meanwhile is in the result."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from octavo.history import ahead, joining
from tests.client import Reply, World
from tests.metering import Metering
from tests.resources.writing import Line

MANY = 200
BODY = "Reed grows at the shore.\n\nStraw is dry. Wool is warm.\n\n* one\n* two\n"
FEW = 40
"""Objects that the last unit of a join may read: what it shows of the change request, never what it merged."""


@pytest.fixture
def metering(world: World) -> Metering:
    """The engine of the world's store, counted."""
    made = Metering(world.house.store.engine)
    world.house.store.engine = made
    return made


@pytest.fixture
def space(world: World) -> str:
    """A live space with two pages, Nests and Homes."""
    made: str = world.space(empty=True)["id"]
    assert world.api.patch(f"/v1/spaces/{made}", {"editMode": "live"}).status == 200
    first = Line(world, made)
    first.insert(f"# Nests\n\n{BODY}")
    first.insert(f"# Homes\n\n{BODY}")
    assert first.post("merge")["result"] == "merge"
    return made


def _pages(world: World, space: str) -> dict[str, str]:
    """Title -> id, of primary content."""
    pages = world.api.get(f"/v1/spaces/{space}/content/pages").json["pages"]
    return {page["title"]: page["id"] for page in pages}


def _text(page: str, title: str, body: str) -> dict[str, Any]:
    return {"operation": "update_page", "page": page, "document": {"markdown": f"# {title}\n\n{body}"}}


def _live(world: World, space: str, *changes: dict[str, Any]) -> Callable[[], Awaitable[None]]:
    """Somebody writes into primary content."""

    async def write() -> None:
        reply = await world.api.send("POST", f"/v1/spaces/{space}/content", {"changes": list(changes)})
        assert reply.status == 200, reply.text

    return write


def _markdown(world: World, space: str, page: str) -> str:
    reply = world.api.get(f"/v1/spaces/{space}/content/page/{page}?format=markdown")
    text: str = reply.json["markdown"]
    return text


def _changed(pages: list[str], old: str, new: str) -> list[dict[str, Any]]:
    return [_text(page, f"Page {at}", BODY.replace(old, new)) for at, page in enumerate(pages)]


def _written(line: Line, changes: list[dict[str, Any]]) -> list[Any]:
    """What became of the changes, sent in batches."""
    replies = [line.write(*changes[at : at + 50]) for at in range(0, len(changes), 50)]
    return [change for reply in replies for change in reply["changes"]]


@pytest.mark.parametrize("word", ["merge", "update"])
def test_no_unit_is_long_however_many_pages_differ(world: World, space: str, metering: Metering, word: str) -> None:
    first = Line(world, space)
    texts = [f"# Page {at}\n\n{BODY}" for at in range(MANY)]
    made = _written(first, [{"operation": "insert_page", "document": {"markdown": text}} for text in texts])
    pages = [change["page"]["id"] for change in made]
    first.post("merge")
    begun = world.api.get(f"/v1/spaces/{space}").json["revision"]
    one, other = Line(world, space), Line(world, space)
    _written(one, _changed(pages, "Reed grows", "Reed stands"))
    _written(other, _changed(pages, "two", "three"))
    one.post("merge")
    metering.units.clear()
    assert other.post(word)["result"] == word
    _are_short(metering)
    assert sum(unit.put > 0 for unit in metering.units) > 1, "they were too many for one unit"
    text = other.page(pages[-1], primary=word == "merge")["markdown"]
    assert text == f"# Page {MANY - 1}\n\n{BODY.replace('Reed grows', 'Reed stands').replace('two', 'three')}"
    metering.units.clear()
    assert world.api.post(f"/v1/spaces/{space}/revisions/{begun}/restore").json["type"] == "rollback"
    _are_short(metering)
    assert _markdown(world, space, pages[0]) == f"# Page 0\n\n{BODY}"


def _are_short(metering: Metering) -> None:
    assert max(unit.read for unit in metering.units) <= ahead.READ
    assert max(unit.put for unit in metering.units) <= ahead.PUT
    assert max(unit.size for unit in metering.units) <= ahead.PUT_BYTES
    assert max(unit.read for unit in metering.units if unit.writes) <= FEW


def test_what_is_written_between_preparation_and_unit_is_in_the_result(
    world: World, space: str, metering: Metering
) -> None:
    pages = _pages(world, space)
    line = Line(world, space)
    line.text(pages["Nests"], f"# Nests\n\n{BODY.replace('two', 'three')}")
    metering.let_in = _live(world, space, _text(pages["Nests"], "Nests", BODY.replace("Reed", "Rush")))
    assert line.post("merge")["result"] == "merge"
    assert metering.let_in is None
    assert (
        _markdown(world, space, pages["Nests"]) == f"# Nests\n\n{BODY.replace('two', 'three').replace('Reed', 'Rush')}"
    )


def test_an_update_brings_in_what_was_written_meanwhile(world: World, space: str, metering: Metering) -> None:
    pages = _pages(world, space)
    line = Line(world, space)
    line.text(pages["Nests"], f"# Nests\n\n{BODY.replace('two', 'three')}")
    world.run(_live(world, space, _text(pages["Homes"], "Homes", "Burrows.\n"))())
    metering.let_in = _live(world, space, _text(pages["Nests"], "Nests", BODY.replace("Reed", "Rush")))
    line.post("update")
    assert line.page(pages["Nests"])["markdown"] == f"# Nests\n\n{BODY.replace('two', 'three').replace('Reed', 'Rush')}"
    assert line.page(pages["Homes"])["markdown"] == "# Homes\n\nBurrows.\n"
    assert line.get()["outdated"] is False


def test_a_restore_keeps_the_old_addresses_of_what_moved_meanwhile(
    world: World, space: str, metering: Metering
) -> None:
    pages = _pages(world, space)
    begun = world.api.get(f"/v1/spaces/{space}").json["revision"]
    world.run(_live(world, space, _text(pages["Homes"], "Homes", "Burrows.\n"))())
    metering.let_in = _live(world, space, {"operation": "update_page", "page": pages["Nests"], "slug": "eyries"})
    assert world.api.post(f"/v1/spaces/{space}/revisions/{begun}/restore").json["type"] == "rollback"
    assert _markdown(world, space, pages["Homes"]) == f"# Homes\n\n{BODY}"
    head = world.api.get(f"/v1/spaces/{space}/content").json
    assert head["parents"][0] != begun
    told = world.api.get(f"/v1/spaces/{space}/revisions/{head['id']}/changes").json["changes"]
    assert {change["type"] for change in told} == {"page_edited"}
    slugs = {change["page"]["title"]: change.get("attributes", {}).get("slug") for change in told}
    assert slugs["Nests"] == {"before": "eyries", "after": "nests"}


def test_what_forbids_is_asked_again_by_the_unit(world: World, space: str, metering: Metering) -> None:
    pages = _pages(world, space)
    line = Line(world, space)
    line.text(pages["Nests"], "# Nests\n\nMoss.\n")

    async def archive() -> None:
        assert (await world.api.send("PATCH", line.path, {"status": "archived"})).status == 200

    metering.let_in = archive
    assert "archived" in line.post("merge", 409)["error"]["message"]
    assert world.api.patch(line.path, {"status": "open"}).status == 200
    rules = {"mergeRules": {"type": "rules", "rules": [{"rule": "custom", "expression": "false"}]}}

    async def forbid() -> None:
        reply = await world.api.send("PATCH", f"/v1/spaces/{space}", rules)
        assert reply.status == 200, reply.text

    metering.let_in = forbid
    assert "a merge rule forbids" in line.post("merge", 409)["error"]["message"]
    assert _markdown(world, space, pages["Nests"]) == f"# Nests\n\n{BODY}"


@pytest.mark.parametrize("word", ["merge", "update"])
def test_who_is_overtaken_every_time_comes_in_at_last_where_it_is_small(
    world: World, space: str, metering: Metering, word: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages = _pages(world, space)
    line = Line(world, space)
    line.text(pages["Nests"], f"# Nests\n\n{BODY.replace('two', 'three')}")
    written = 0

    async def again() -> None:
        nonlocal written
        written += 1
        await _live(world, space, _text(pages["Homes"], "Homes", f"Burrows {written}.\n"))()
        metering.let_in = again

    def sent() -> Reply:
        metering.let_in = again
        reply = world.api.post(f"{line.path}/{word}")
        metering.let_in = None
        return reply

    monkeypatch.setattr(joining, "QUICK", -1.0)
    refused = sent()
    assert (refused.status, "at the same time" in refused.message) == (409, True)
    monkeypatch.setattr(joining, "QUICK", 60.0)
    reply = sent()
    assert (reply.status, reply.json["result"]) == (200, word), reply.text
    assert line.page(pages["Homes"], primary=word == "merge")["markdown"] == f"# Homes\n\nBurrows {written}.\n"
    assert (
        line.page(pages["Nests"], primary=word == "merge")["markdown"] == f"# Nests\n\n{BODY.replace('two', 'three')}"
    )
