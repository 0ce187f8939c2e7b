"""Batches of changes over HTTP: to change requests, and to primary content of live spaces."""

from __future__ import annotations

import asyncio
import base64
import struct
import zlib
from typing import Any

import pytest

from tests.client import Client, Reply, World
from tests.resources.writing import Line


def _png(width: int = 2, height: int = 3) -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    rows = zlib.compress(b"".join(b"\0" + b"\0" * width for _ in range(height)))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def _of(type_: str, data: dict[str, Any]) -> dict[str, Any]:
    block = {"object": "block", "type": type_, "data": data, "isVoid": False, "nodes": []}
    return {"object": "document", "data": {}, "nodes": [block]}


@pytest.fixture
def line(world: World) -> Line:
    return Line(world, world.space(empty=True)["id"])


def test_pages_come_change_move_and_go_as_one_revision(line: Line) -> None:
    made = line.write(
        {"operation": "insert_page", "ref": "nests", "document": {"markdown": "# Nests\n\nSee [eggs](./eggs.md).\n"}},
        {
            "operation": "insert_page",
            "ref": "eggs",
            "title": "Eggs",
            "document": {"markdown": "Two, [home](./nests.md)."},
        },
        {"operation": "insert_page", "title": "Empty", "document": {}, "at": 0},
    )
    nests, eggs, empty = (one["page"]["id"] for one in made["changes"])
    assert [one["object"] for one in made["changes"]] == ["created_page"] * 3
    assert [one.get("ref") for one in made["changes"]] == ["nests", "eggs", None]
    assert (
        line.world.api.get(made["changes"][0]["page"]["urls"]["location"].removeprefix("http://octavo.test")).json["id"]
        == nests
    )
    assert made["changeRequest"]["revision"] != line.request["revision"]
    assert line.tree() == [("Empty", "empty", []), ("Nests", "nests", []), ("Eggs", "eggs", [])]
    revision = line.world.api.get(f"{line.path}/content").json
    assert (revision["type"], revision["parents"]) == ("edits", [line.request["revision"]])
    assert f"/pages/{eggs}" in line.page(nests, "format=markdown&format.markdown.refs=stable")["markdown"]

    made = line.write(
        {"operation": "update_page", "page": eggs, "into": nests, "title": "Clutches", "slug": "clutches"},
        {"operation": "delete_page", "page": empty},
        {"operation": "update_page", "page": nests, "description": "Where they live", "icon": "feather"},
    )
    assert [(one["object"], one["page"] if isinstance(one["page"], str) else one["page"]["id"]) for one in made["changes"]] == [
        ("updated_page", eggs), ("deleted_page", empty), ("updated_page", nests),
    ]  # fmt: skip
    assert line.tree() == [("Nests", "nests", [("Clutches", "nests/clutches", [])])]
    page = line.page(nests)
    assert (page["description"], page["icon"]) == ("Where they live", "feather")
    assert page["markdown"].startswith("---\ndescription: Where they live\nicon: feather\n---\n\n# Nests\n\nSee [eggs]")
    assert line.page(eggs)["markdown"].startswith("# Clutches\n\nTwo, [home]")
    # Primary content knows nothing of it.
    assert line.world.api.get(f"{line.base}/content/pages").json["pages"] == []


def test_what_cannot_be_done_names_its_place_and_changes_nothing(line: Line) -> None:
    page = line.insert("# Nests\n\nReed.\n")
    below = line.insert("# Eggs\n", into=page)
    before = line.world.api.get(line.path).json["revision"]
    good = {"operation": "update_page", "page": page, "title": "Other"}
    big = base64.b64encode(b"x" * ((1 << 20) + 3)).decode()
    png = {"name": "a.png", "contentType": "image/png", "base64": base64.b64encode(b"no picture at all").decode()}
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"operation": "update_page", "page": "nowhere", "title": "X"}, "changes[1]: there is no page 'nowhere'"),
        ({"operation": "update_page", "page": page, "into": below}, "changes[1]: page"),
        ({"operation": "update_page", "page": page, "into": page}, "changes[1]: page"),
        ({"operation": "delete_page", "page": "nowhere"}, "changes[1]"),
        ({"operation": "insert_page", "document": {}, "into": "nowhere"}, "changes[1]: there is no page 'nowhere'"),
        ({"operation": "insert_page", "document": {}, "slug": "nests"}, "changes[1]: the slug 'nests' is taken"),
        (
            {"operation": "insert_files", "files": [{"name": "a", "contentType": "text/plain", "base64": big}]},
            "changes[1].files[0]",
        ),
        ({"operation": "insert_files", "files": [png]}, "changes[1].files[0]: a.png is said to be image/png"),
        ({"operation": "insert_files", "files": [{"name": "a", "base64": "AAAA"}]}, "changes[1].files[0]"),
        (
            {"operation": "insert_files", "files": [{"name": "a", "contentType": "text/plain", "base64": "?"}]},
            "changes[1].files[0]",
        ),
        ({"operation": "insert_files", "files": [{"name": "a"}]}, "changes[1].files[0]: give one of"),
        ({"operation": "revert_page", "page": page, "revision": "nowhere"}, "changes[1]: revision 'nowhere'"),
        ({"operation": "fold_page"}, "fold_page"),
        (
            {"operation": "insert_files", "files": [{"name": "a", "contentType": "text/plain", "base64": "é"}]},
            "changes[1].files[0]",
        ),
        (
            {"operation": "insert_files", "files": [{"name": "../a", "contentType": "text/plain", "base64": "YQ=="}]},
            "name",
        ),
        ({"operation": "insert_files", "files": [{"name": "a", "key": "none"}]}, "changes[1].files[0].key"),
        ({"operation": "insert_page", "title": " \t\u00a0", "document": {}}, "title"),
        ({"operation": "insert_page", "slug": "..", "document": {}}, "changes[1]: the slug '..'"),
        ({"operation": "insert_page", "slug": "llms.txt", "document": {}}, "changes[1]: the slug"),
        ({"operation": "insert_page", "slug": "a.md", "document": {}}, "changes[1]: the slug"),
        ({"operation": "insert_page", "condition": "visitor.claims.x ==", "document": {}}, "changes[1]: the condition"),
        (
            {"operation": "insert_page", "document": {"document": _of("if", {"expression": "a %} b"})}},
            "changes[1]: the condition",
        ),
        (
            {"operation": "insert_page", "document": {"document": _of("hint", {"style": "loud"})}},
            "changes[1]: there is no hint",
        ),
        (
            {"operation": "insert_page", "document": {"document": _of("math", {"formula": "a\n$$\nb"})}},
            "changes[1]: a formula",
        ),
        (
            {
                "operation": "insert_page",
                "document": {"document": {"object": "document", "nodes": [{"object": "leaf"}]}},
            },
            "leaf",
        ),
    ]
    for change, words in wrong:
        said = line.write(good, change, status=400)
        assert words in said["error"]["message"], said
    twice = {"operation": "insert_page", "ref": "r", "document": {}}
    assert "changes[1]: the ref 'r' is used twice" in line.write(twice, twice, status=400)["error"]["message"]
    line.write(*[good] * 51, status=400)
    line.write(status=400)
    assert line.world.api.get(line.path).json["revision"] == before
    assert line.page(page)["title"] == "Nests"


def test_files_come_in_a_body_and_are_what_their_bytes_say(line: Line) -> None:
    image, text = _png(), b"<script>alert(1)</script>"
    made = line.write(
        {"operation": "insert_page", "document": {"markdown": "![Egg](./egg.png) and [notes](./notes)\n"}},
        {"operation": "insert_files", "files": [
            {"name": "egg.png", "ref": "egg.png", "contentType": "image/png", "base64": base64.b64encode(image).decode()},
            {"name": "notes.html", "ref": "notes", "contentType": "text/html", "base64": base64.b64encode(text).decode()},
        ]},
    )  # fmt: skip
    egg, notes = made["insertedFiles"]
    assert (egg["contentType"], egg["size"], egg["dimensions"]) == ("image/png", len(image), {"width": 2, "height": 3})
    assert notes["contentType"] == "text/plain"
    reply = line.world.api.get(egg["downloadURL"].removeprefix("http://octavo.test"), token="")
    assert (reply.status, reply.body, reply.headers["content-type"]) == (200, image, "image/png")
    page = made["changes"][0]["page"]["id"]
    stable = line.page(page, "format=markdown&format.markdown.refs=stable")["markdown"]
    assert f"/files/{egg['id']}" in stable
    assert f"/files/{notes['id']}" in stable


def test_derived_slugs_can_be_addressed(line: Line) -> None:
    for title in ("x" * 240, "..", "~octavo", "llms.txt", "日本語", "notes.md"):
        line.insert(f"# {title}\n")
    slugs = [path for _, path, _ in line.tree()]
    assert slugs[0] == "x" * 95
    assert all(slug and len(slug) <= 100 and slug.strip(".~") == slug and not slug.endswith(".md") for slug in slugs)
    assert len(set(slugs)) == 6


def test_a_long_text_does_not_hold_up_others(line: Line) -> None:
    """A text that takes long to read is read ahead of the unit; meanwhile others write."""
    hostile = "![" * 12_000

    async def together() -> list[Reply]:
        slow = asyncio.ensure_future(line.world.api.send("POST", f"{line.path}/content", json={"changes": [
            {"operation": "insert_page", "document": {"markdown": hostile}}]}))  # fmt: skip
        done = []
        while not slow.done():
            done.append(await line.world.api.send("PATCH", line.path, json={"subject": f"Subject {len(done)}"}))
        return [await slow, *done]

    slow, *others = line.world.run(together())
    assert slow.status == 200
    assert {reply.status for reply in others} == {200}
    assert len(others) >= 2  # the first was answered while the text was read


def test_an_address_of_a_file_expires(line: Line, clock: Any) -> None:
    made = line.write({"operation": "insert_files", "files": [
        {"name": "a.txt", "contentType": "text/plain", "base64": base64.b64encode(b"a").decode()},
    ]})  # fmt: skip
    path = made["insertedFiles"][0]["downloadURL"].removeprefix("http://octavo.test")
    clock.advance(30 * 86_400_000)
    assert line.world.api.get(path, token="").status == 200
    clock.advance(31 * 86_400_000)
    reply = line.world.api.get(path, token="")
    assert reply.status == 404
    assert "expired" in reply.text


def test_larger_files_are_uploaded_first(line: Line, clock: Any) -> None:
    api, organization = line.world.api, line.world.organization
    data = bytes(range(256)) * 8192
    order = {"file": {"name": "a.bin", "type": "application/octet-stream", "size": len(data)}, "kind": "import_file"}
    asked = api.post(f"/v1/orgs/{organization}/storage/upload", order)
    assert (asked.status, asked.json["object"]) == (201, "storage-signed-url")
    change = {"operation": "insert_files", "files": [{"name": "a.bin", "key": asked.json["key"]}]}
    assert "nothing was uploaded" in line.write(change, status=400)["error"]["message"]
    path = asked.json["url"].removeprefix("http://octavo.test")
    assert api.put(path, body=data + b"x", token="").status == 413
    assert api.put(path, body=data[:-1], token="").status == 400
    assert api.put(path, body=data, token="").status == 204
    file = line.write(change)["insertedFiles"][0]
    assert file["size"] == len(data)
    assert api.get(file["downloadURL"].removeprefix("http://octavo.test"), token="").body == data
    clock.advance(3_600_001)
    assert api.put(path, body=data, token="").status == 404
    line.write(change, status=400)


def test_who_may_write(line: Line, world: World) -> None:
    change = {"operation": "insert_page", "document": {"markdown": "# New\n"}}
    for role, status in (("read", 403), ("comment", 403), ("edit", 200), ("review", 200)):
        line.write(change, status=status, client=Client(world.app, world.loop, world.person(role)))
    line.write(change, status=404, client=Client(world.app, world.loop, world.person(None)))
    assert line.world.api.patch(line.path, {"status": "archived"}).status == 200
    assert "archived" in line.write(change, status=409)["error"]["message"]


def test_primary_content_is_written_where_the_space_is_live(world: World) -> None:
    space = world.space()["id"]
    change = {"changes": [{"operation": "insert_page", "document": {"markdown": "# New\n"}}]}
    path = f"/v1/spaces/{space}/content"
    refused = world.api.post(path, change)
    assert (refused.status, "locked" in refused.message) == (409, True)
    assert world.api.patch(f"/v1/spaces/{space}", {"editMode": "live"}).status == 200
    before = world.api.get(f"/v1/spaces/{space}").json["revision"]
    reply = world.api.post(path, change)
    assert reply.status == 200, reply.text
    after = world.api.get(f"/v1/spaces/{space}").json["revision"]
    assert reply.json["revision"] == after != before
    assert [one["title"] for one in world.api.get(path + "/pages").json["pages"]] == ["Untitled", "New"]


def test_parallel_batches_lose_nothing(line: Line) -> None:
    """Each batch stands on the one before it, however they arrive."""

    async def together() -> list[Reply]:
        sends = [
            line.world.api.send("POST", f"{line.path}/content", json={"changes": [
                {"operation": "insert_page", "document": {"markdown": f"# Page {number}\n"}}]})
            for number in range(12)
        ]  # fmt: skip
        return list(await asyncio.gather(*sends))

    assert [reply.status for reply in line.world.run(together())] == [200] * 12
    assert sorted(title for title, _, _ in line.tree()) == sorted(f"Page {number}" for number in range(12))


def test_a_page_is_reverted_whole_and_by_block(line: Line) -> None:
    page = line.insert("# Nests\n\nReed.\n\nStraw.\n\nWool.\n")
    first = line.world.api.get(line.path).json["revision"]
    line.write(
        {
            "operation": "update_page",
            "page": page,
            "document": {"markdown": "# Nests\n\nReed!\n\nStraw.\n\nMoss.\n\nWool.\n"},
        }
    )
    now = line.page(page, "format=document")["document"]["nodes"]
    line.write({"operation": "revert_page", "page": page, "revision": first, "block": [now[2]["key"]]})
    assert line.page(page)["markdown"] == "# Nests\n\nReed!\n\nStraw.\n\nWool.\n"
    line.write({"operation": "revert_page", "page": page, "revision": first, "block": [now[0]["key"]]})
    assert line.page(page)["markdown"] == "# Nests\n\nReed.\n\nStraw.\n\nWool.\n"
    line.write({"operation": "delete_page", "page": page})
    assert line.tree() == []
    line.write({"operation": "revert_page", "page": page, "revision": first})
    assert line.tree() == [("Nests", "nests", [])]
    line.write({"operation": "revert_page", "page": page})
    assert line.tree() == [], "the base of the change request did not have it"


def test_front_matter_is_held_to_the_limits_of_fields(line: Line) -> None:
    for head in ("emoji: " + "x" * 51, "icon: " + "x" * 51, "if: " + "visitor.claims.a && " * 60 + "true"):
        body = {"markdown": f"---\n{head}\n---\n\n# Nests\n"}
        refused = line.write({"operation": "insert_page", "document": body}, status=400)
        assert refused["error"]["message"].startswith("changes[0]: the "), refused
    assert line.tree() == []


def test_groups_and_links_stand_in_the_tree(line: Line) -> None:
    page = line.insert("# Nests\n")
    made = line.write(
        {"operation": "insert_group", "title": "Birds", "at": 0, "ref": "birds"},
        {"operation": "insert_link", "title": "Elsewhere", "target": {"kind": "url", "url": "https://example.org/"}},
    )
    group, link = (one["page"]["id"] for one in made["changes"])
    assert line.tree() == [("Birds", "birds", []), ("Nests", "nests", []), ("Elsewhere", "", [])]
    line.write(
        {"operation": "update_page", "page": page, "into": group},
        {"operation": "update_page", "page": link, "target": {"kind": "page", "page": page}, "into": group, "at": 0},
        {"operation": "update_page", "page": group, "title": "Fowl", "emoji": "1f426"},
    )
    [shown] = line.world.api.get(f"{line.path}/content/pages").json["pages"]
    assert (shown["title"], shown["emoji"], [one["type"] for one in shown["pages"]]) == (
        "Fowl",
        "1f426",
        ["link", "document"],
    )
    assert shown["pages"][0]["target"]["page"] == page
    for wrong, said in (
        (
            {"operation": "insert_link", "title": "X", "target": {"kind": "page", "page": "nowhere"}},
            "no page 'nowhere'",
        ),
        ({"operation": "insert_link", "title": "X", "target": {"kind": "url", "url": "javascript:x"}}, "target"),
        ({"operation": "insert_link", "title": "X"}, "target"),
        ({"operation": "update_page", "page": page, "target": {"kind": "url", "url": "https://a.org"}}, "only a link"),
        ({"operation": "insert_group", "title": " "}, "title"),
    ):
        assert said in line.write(wrong, status=400)["error"]["message"]


def test_layout_and_cover_are_written_into_the_front_matter(line: Line) -> None:
    page = line.insert("---\nlayout:\n  width: wide\n  title:\n    visible: false\n---\n\n# Nests\n\nReed.\n")
    picture = line.write(
        {
            "operation": "insert_files",
            "files": [{"name": "a.png", "contentType": "image/png", "base64": base64.b64encode(_png()).decode()}],
        }
    )["insertedFiles"][0]["id"]
    cover = {"ref": {"kind": "file", "file": picture}, "yPos": 12, "height": 300}
    layout = {"title": True, "outline": False, "coverSize": "full", "width": "default"}
    line.write({"operation": "update_page", "page": page, "cover": cover, "layout": layout})
    shown = line.page(page)
    assert shown["cover"] == cover
    told = {name: shown["layout"][name] for name in ("title", "outline", "coverSize", "width", "pagination")}
    assert told == layout | {"pagination": True}
    assert "Reed." in shown["markdown"]
    line.write({"operation": "update_page", "page": page, "cover": None, "layout": {"outline": True}})
    shown = line.page(page)
    assert "cover" not in shown
    assert shown["layout"]["outline"] is True
    wrong = {"ref": {"kind": "file", "file": "nowhere"}}
    said = line.write({"operation": "update_page", "page": page, "cover": wrong}, status=400)["error"]["message"]
    assert "no file 'nowhere'" in said


def test_a_file_is_replaced_and_goes(line: Line) -> None:
    one = {"name": "a.txt", "contentType": "text/plain", "base64": base64.b64encode(b"one").decode()}
    file = line.write({"operation": "insert_files", "files": [one]})["insertedFiles"][0]["id"]
    page = line.insert(f"# Nests\n\n[It](/files/{file})\n")
    longer = {"contentType": "text/plain", "base64": base64.b64encode(b"longer").decode()}
    line.write({"operation": "update_file", "file": file, "name": "b.txt", **longer})
    shown = line.get(f"/content/files/{file}")
    assert (shown["id"], shown["name"], shown["size"]) == (file, "b.txt", 6)
    assert [one["type"] for one in line.get("/changes")["changes"]] == ["page_created", "file_created"]
    for wrong in (
        {"operation": "update_file", "file": "nowhere", "name": "c.txt"},
        {"operation": "delete_file", "file": "nowhere"},
        {"operation": "update_file", "file": file, "name": "../c"},
        {"operation": "update_file", "file": file, "base64": "?", "contentType": "text/plain"},
    ):
        line.write(wrong, status=400)
    line.write({"operation": "delete_file", "file": file})
    assert line.world.api.get(f"{line.path}/content/files/{file}").status == 404
    assert [one["type"] for one in line.get("/changes")["changes"]] == ["page_created"]
    links = line.world.api.get(f"{line.path}/content/page/{page}/links").json
    assert links["stats"]["broken"]["changeRequest"] == 1
