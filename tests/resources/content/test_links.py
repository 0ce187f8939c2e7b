"""Links of spaces and pages, and what links to pages and files."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from octavo.content.references import Reference, references
from octavo.content.revision import Page
from tests.client import Client, World
from tests.resources.handbook import Handbook
from tests.resources.openapi.petstore import PETS
from tests.resources.writing import Line


def _space(world: World) -> tuple[str, Line, dict[str, str]]:
    """A space with pages that link to each other, merged; page ids by title."""
    space: str = world.space(empty=True)["id"]
    line = Line(world, space)
    made = line.write(
        {
            "operation": "insert_page",
            "ref": "nests",
            "document": {"markdown": "# Nests\n\n[Eggs](./eggs.md#clutch) [web](https://example.org)\n"},
        },
        {
            "operation": "insert_page",
            "ref": "eggs",
            "document": {"markdown": "# Eggs\n\n[Nests](./nests.md) ![egg](./egg)\n"},
        },
        {
            "operation": "insert_files",
            "files": [{"name": "egg.txt", "ref": "egg", "contentType": "text/plain", "base64": "YQ=="}],
        },
    )
    ids = {"Nests": made["changes"][0]["page"]["id"], "Eggs": made["changes"][1]["page"]["id"]}
    ids["egg"] = made["insertedFiles"][0]["id"]
    line.post("merge")
    world.work()
    return space, line, ids


def _card(space: str, page: str) -> dict[str, Any]:
    """A document that shows a page of another space."""
    ref = {"kind": "page", "page": page, "space": space}
    card = {"object": "block", "type": "content-ref", "isVoid": True, "data": {"ref": ref}}
    return {"object": "document", "data": {}, "nodes": [card]}


def _links(world: World, path: str) -> Any:
    reply = world.api.get(path)
    assert reply.status == 200, reply.text
    return reply.json


def _ends(told: Any) -> list[tuple[str, str, str]]:
    """(status, page that links, what it links to)."""
    made = []
    for item in told["items"]:
        target = item["targetReference"]
        shown = target.get("page") or target.get("file") or {}
        title = shown.get("title") or shown.get("name") or target.get("url") or str(target.get("ref"))
        made.append((item["status"], item["locationReferences"][0]["page"]["title"], title))
    return sorted(made)


def test_links_of_a_space_with_both_ends(world: World) -> None:
    space, _, ids = _space(world)
    told = _links(world, f"/v1/spaces/{space}/links")
    assert _ends(told) == [
        ("ok", "Eggs", "Nests"), ("ok", "Eggs", "egg.txt"), ("ok", "Nests", "Eggs"), ("ok", "Nests", "https://example.org"),
    ]  # fmt: skip
    assert (told["count"], told["stats"]) == (4, {"total": 4, "broken": {"total": 0}})
    one = next(item for item in told["items"] if item["targetReference"].get("page", {}).get("title") == "Eggs")
    target, place = one["targetReference"], one["locationReferences"][0]
    assert (target["kind"], target["internalLocation"]) == ("page", {"type": "anchor", "anchor": "clutch"})
    assert (target["space"]["id"], target["organization"]["id"]) == (space, world.organization)
    assert (place["kind"], place["page"]["id"], place["internalLocation"]["type"]) == ("page", ids["Nests"], "node")
    assert place["versionContext"]["type"] == "revision"
    first = _links(world, f"/v1/spaces/{space}/links?limit=3")
    rest = _links(world, f"/v1/spaces/{space}/links?limit=3&page={first['next']['page']}")
    assert (len(first["items"]), len(rest["items"]), "next" in rest) == (3, 1, False)
    assert _links(world, f"/v1/spaces/{space}/links?status=broken")["items"] == []
    assert world.api.get(f"/v1/spaces/{space}/links?status=odd").status == 400
    assert Client(world.app, world.loop, world.person(None)).get(f"/v1/spaces/{space}/links").status == 404


def test_links_break_and_hold_again_as_their_targets_go_and_come(world: World) -> None:
    space, _, ids = _space(world)
    line = Line(world, space)
    before = world.api.get(f"/v1/spaces/{space}").json["revision"]
    line.write({"operation": "delete_page", "page": ids["Eggs"]})
    line.post("merge")
    world.work()
    told = _links(world, f"/v1/spaces/{space}/links?status=broken")
    assert [(status, page) for status, page, _ in _ends(told)] == [("broken", "Nests")]
    assert (told["count"], told["stats"]) == (1, {"total": 2, "broken": {"total": 1}})
    world.api.post(f"/v1/spaces/{space}/revisions/{before}/restore")
    world.work()
    assert _links(world, f"/v1/spaces/{space}/links")["stats"] == {"total": 4, "broken": {"total": 0}}


def test_links_between_spaces_follow_a_deleted_space(world: World) -> None:
    space, _, _ = _space(world)
    other: str = world.space("Other")["id"]
    line = Line(world, other)
    line.insert(f"# There\n\n[Terns](https://app.gitbook.com/s/{space}/)\n")
    line.post("merge")
    world.work()
    path = f"/v1/spaces/{other}/links"
    assert [item["targetReference"]["kind"] for item in _links(world, path)["items"]] == ["space"]
    assert _links(world, path)["items"][0]["targetReference"]["space"]["id"] == space
    world.api.delete(f"/v1/spaces/{space}")
    world.work()
    assert _links(world, path)["stats"]["broken"] == {"total": 1}
    world.api.post(f"/v1/spaces/{space}/restore")
    world.work()
    assert _links(world, path)["stats"]["broken"] == {"total": 0}


def test_what_links_to_a_page_and_a_file(world: World) -> None:
    space, _, ids = _space(world)
    told = _links(world, f"/v1/spaces/{space}/content/page/{ids['Eggs']}/backlinks")
    assert [one["page"]["title"] for one in told["items"]] == ["Nests"]
    told = _links(world, f"/v1/spaces/{space}/content/files/{ids['egg']}/backlinks")
    assert [(one["kind"], one["page"]["title"]) for one in told["items"]] == [("page", "Eggs")]
    for path in ("page/nowhere/links", "page/nowhere/backlinks", "files/nowhere/backlinks"):
        assert world.api.get(f"/v1/spaces/{space}/content/{path}").status == 404


def test_links_in_a_change_request_are_those_that_it_has(world: World) -> None:
    space, _, ids = _space(world)
    line = Line(world, space)
    line.text(ids["Nests"], f"# Nests\n\n![egg](/files/{ids['egg']}) [gone](/pages/{ids['Eggs']})\n")
    told = line.get(f"/content/page/{ids['Nests']}/links")
    assert [one["targetReference"]["kind"] for one in told["items"]] == ["file", "page"]
    assert told["items"][0]["locationReferences"][0]["versionContext"]["type"] == "changeRequest"
    told = line.get(f"/content/files/{ids['egg']}/backlinks")
    assert sorted(one["page"]["title"] for one in told["items"]) == ["Eggs", "Nests"]
    line.write({"operation": "delete_page", "page": ids["Eggs"]})
    told = line.get(f"/content/files/{ids['egg']}/backlinks")
    assert [one["page"]["title"] for one in told["items"]] == ["Nests"]
    assert line.get(f"/content/page/{ids['Nests']}/links")["items"][1]["status"] == "broken"
    # Primary content still has it otherwise.
    told = _links(world, f"/v1/spaces/{space}/content/files/{ids['egg']}/backlinks")
    assert [one["page"]["title"] for one in told["items"]] == ["Eggs"]


def test_a_change_request_counts_the_links_that_it_broke(world: World) -> None:
    space, _, ids = _space(world)
    old = Line(world, space)
    old.text(ids["Nests"], f"# Nests\n\n[x](http://[) [Eggs](/pages/{ids['Eggs']})\n")
    old.post("merge")
    world.work()
    path = f"/content/page/{ids['Nests']}/links"
    assert _links(world, f"/v1/spaces/{space}{path}")["stats"] == {"total": 2, "broken": {"total": 1}}
    line = Line(world, space)
    assert line.get(path)["stats"] == {"total": 2, "broken": {"total": 1, "changeRequest": 0}}
    line.write({"operation": "delete_page", "page": ids["Eggs"]})
    assert line.get(path)["stats"] == {"total": 2, "broken": {"total": 2, "changeRequest": 1}}
    made = line.insert("# Odd\n\n[y](http://[)\n")
    told = line.get(f"/content/page/{made}/links")["stats"]
    assert told == {"total": 1, "broken": {"total": 1, "changeRequest": 1}}


def test_a_reference_holds_the_file_and_the_reusable_content_whole(handbook: Handbook) -> None:
    world, space = handbook.world, handbook.space
    world.work()
    held = _links(world, f"/v1/spaces/{space}/content")
    ends = [item["targetReference"] for item in _links(world, f"/v1/spaces/{space}/links?limit=1000")["items"]]
    [notice] = [end for end in ends if end["kind"] == "reusable-content"]
    assert notice["reusableContent"] == held["reusableContents"][0]
    pixel = next(end for end in ends if end["kind"] == "file" and end["file"]["name"] == "pixel.png")
    [file] = [file for file in held["files"] if file["name"] == "pixel.png"]
    assert "dimensions" in file
    assert {**pixel["file"], "downloadURL": ""} == {**file, "downloadURL": ""}
    assert pixel["versionContext"]["revision"]["id"] == held["id"]


def _inline(kind: str, ref: dict[str, Any]) -> dict[str, Any]:
    words = [{"object": "text", "leaves": [{"object": "leaf", "text": "x", "marks": []}]}] if kind == "link" else []
    node = {"object": "inline", "type": kind, "isVoid": not words, "data": {"ref": ref}, "nodes": words}
    return {"object": "block", "type": "paragraph", "isVoid": False, "data": {}, "nodes": [node]}


def _refs(page: Any) -> list[Any]:
    return [node["data"]["ref"] for block in page["document"]["nodes"] for node in block["nodes"] if "data" in node]


def test_a_document_keeps_what_it_refers_to_outside_of_its_space(world: World) -> None:
    space, _, ids = _space(world)
    other = Line(world, world.space("Other")["id"])
    here = other.insert("# Here\n")
    user = world.api.get("/v1/user").json["id"]
    collection = world.api.post(f"/v1/orgs/{world.organization}/collections", {}).json["id"]
    wanted = [
        {"kind": "user", "user": user},
        {"kind": "collection", "collection": collection},
        {"kind": "page", "page": ids["Eggs"], "space": space},
        {"kind": "anchor", "anchor": "clutch", "page": ids["Eggs"], "space": space},
        {"kind": "file", "file": ids["egg"], "space": space},
        {"kind": "page", "page": here, "space": other.space},
    ]
    nodes = [_inline(kind, ref) for ref in wanted for kind in ("link", "mention")]
    document = {"object": "document", "data": {}, "nodes": nodes}
    made = other.write({"operation": "insert_page", "title": "There", "document": {"document": document}})
    page = made["changes"][0]["page"]["id"]
    # What is of the space itself needs no space to be named.
    kept = [ref for ref in (*wanted[:-1], {"kind": "page", "page": here}) for _ in range(2)]
    assert _refs(other.page(page, "format=document")) == kept
    other.text(page, other.page(page)["markdown"])
    assert _refs(other.page(page, "format=document")) == kept
    other.post("merge")
    world.work()
    told = _links(world, f"/v1/spaces/{other.space}/links")
    assert (told["stats"], {item["status"] for item in told["items"]}) == (
        {"total": 12, "broken": {"total": 0}},
        {"ok"},
    )
    ends = {one["targetReference"]["kind"]: one["targetReference"] for one in told["items"]}
    assert ends["user"] == {"kind": "user", "user": world.api.get("/v1/user").json}
    assert ends["collection"]["collection"] == world.api.get(f"/v1/collections/{collection}").json
    assert ends["collection"]["organization"]["id"] == world.organization
    told = _links(world, f"/v1/spaces/{space}/content/page/{ids['Eggs']}/backlinks")["items"]
    # Of the version of another space nothing is known here.
    assert {one["space"]["id"]: "versionContext" in one for one in told} == {space: True, other.space: False}


def test_nobody_learns_of_links_from_spaces_that_they_do_not_see(world: World) -> None:
    space, _, ids = _space(world)
    secret: str = world.space("Secret")["id"]
    world.api.patch(f"/v1/spaces/{secret}", {"defaultLevel": None})
    line = Line(world, secret)
    line.write({"operation": "insert_page", "title": "Hidden", "document": {"document": _card(space, ids["Eggs"])}})
    line.post("merge")
    world.work()
    path = f"/v1/spaces/{space}/content/page/{ids['Eggs']}/backlinks"
    assert _links(world, path)["count"] == 2
    seen = Client(world.app, world.loop, world.person("read")).get(path).json
    assert ([one["page"]["title"] for one in seen["items"]], seen["count"]) == (["Nests"], 1)


def test_an_address_that_is_none_is_a_broken_link(world: World) -> None:
    space: str = world.space(empty=True)["id"]
    line = Line(world, space)
    page = {"operation": "insert_page", "document": {"markdown": "# Odd\n\n[x](http://[)\n"}}
    line.write(page)
    line.post("merge")
    world.work()
    told = _links(world, f"/v1/spaces/{space}/links")
    assert [one["status"] for one in told["items"]] == ["broken"]


def test_references_of_a_page_are_looked_for_beside_the_loop(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    space, _, ids = _space(world)
    threads: list[str] = []

    def noted(page: Page, document: Any) -> list[Reference]:
        threads.append(threading.current_thread().name)
        return references(page, document)

    monkeypatch.setattr("octavo.history.linking.references", noted)
    found = _links(world, f"/v1/spaces/{space}/content/page/{ids['Nests']}/links")
    assert found["count"] == 2
    assert threads
    assert all(name.startswith("octavo-ahead") for name in threads)


def test_a_reference_to_a_specification_holds_it(world: World) -> None:
    specs = f"/v1/orgs/{world.organization}/openapi"
    assert world.api.put(f"{specs}/pets", {"source": {"text": PETS}}).status == 200
    world.work()
    line = Line(world, world.space("Described")["id"])
    line.insert('# Pets\n\n{% openapi-operation spec="pets" path="/pets" method="get" %}\n{% endopenapi-operation %}\n')
    line.post("merge")
    world.work()
    [told] = _links(world, f"/v1/spaces/{line.space}/links")["items"]
    target = told["targetReference"]
    assert (target["kind"], target["openAPISpec"]) == ("openapi", world.api.get(f"{specs}/pets").json)
    guest = world.person("guest")
    world.grant(guest, "space", line.space, "read")
    reply = world.api.get(f"/v1/spaces/{line.space}/links", token=guest)
    assert reply.status == 200, reply.text
    [seen] = reply.json["items"]
    assert seen["targetReference"]["ref"] == {"kind": "openapi", "spec": "pets"}
    assert "openAPISpec" not in seen["targetReference"]
