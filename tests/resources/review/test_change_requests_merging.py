"""Merging over HTTP: what comes together, what conflicts, what differs, and many at once."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tests.client import Reply, World
from tests.publish.visiting import Visitor
from tests.resources.writing import Line

BODY = "Reed grows at the shore.\n\nStraw is dry. Wool is warm.\n\n* one\n* two\n"


@pytest.fixture
def space(world: World) -> str:
    made: str = world.space(empty=True)["id"]
    return made


def _begun(world: World, space: str) -> str:
    """A space with one page in primary content; its id."""
    first = Line(world, space)
    page = first.insert(f"# Nests\n\n{BODY}")
    assert first.post("merge")["result"] == "merge"
    return page


def test_two_change_requests_on_one_page_come_together(world: World, space: str) -> None:
    page = _begun(world, space)
    one, other = Line(world, space), Line(world, space)
    one.text(page, f"# Nests\n\n{BODY.replace('Reed grows', 'Reed stands')}")
    other.write(
        {
            "operation": "update_page",
            "page": page,
            "document": {"markdown": f"# Homes\n\n{BODY.replace('two', 'three')}"},
        },
        {"operation": "insert_page", "document": {"markdown": "# Eggs\n"}, "into": page},
    )
    before = world.api.get(f"/v1/spaces/{space}").json["revision"]
    merged = one.post("merge")
    assert merged["result"] == "merge"
    assert other.get()["outdated"] is True
    second = other.post("merge")
    assert (second["result"], "conflicts" in second) == ("merge", False)
    text = other.page(page, primary=True)["markdown"]
    assert text == f"# Homes\n\n{BODY.replace('Reed grows', 'Reed stands').replace('two', 'three')}"
    assert other.tree(primary=True) == [("Homes", "nests", [("Eggs", "nests/eggs", [])])]
    revision = world.api.get(f"/v1/spaces/{space}/content").json
    assert (revision["id"], revision["type"]) == (second["revision"], "merge")
    assert revision["parents"] == [merged["revision"], other.get()["revision"]]
    assert revision["mergedFrom"]["number"] == other.request["number"]
    gone = other.get()
    assert (gone["status"], gone["revisionMerged"], gone["outdated"]) == ("merged", second["revision"], False)
    assert merged["revision"] != before


def test_a_conflict_keeps_both_texts_and_visitors_see_primary(world: World, space: str) -> None:
    page = _begun(world, space)
    site = world.site(space)
    visitor = Visitor(world, space, site)
    one, other = Line(world, space), Line(world, space)
    one.text(page, f"# Nests\n\n{BODY.replace('Reed grows at the shore', 'Cormorants build on rocks')}")
    other.text(page, f"# Nests\n\n{BODY.replace('Reed grows at the shore', 'Swallows build with mud')}")
    one.post("merge")
    said = other.post("merge")
    assert said["result"] == "conflicts"
    assert said["conflicts"] == [{"kind": "page", "reason": "edited", "id": page, "title": "Nests", "fields": ["text"]}]
    text = other.page(page, primary=True)["markdown"]
    assert "Cormorants build on rocks." in text
    mark = f'{{% if conflict == "change request {other.request["number"]}" %}}\nSwallows build with mud.\n{{% endif %}}'
    assert mark in text
    shown = visitor.page("").text
    assert "Cormorants" in shown
    assert "Swallows" not in shown
    revision = world.api.get(f"/v1/spaces/{space}/revisions/{said['revision']}").json
    assert revision["conflicts"] == said["conflicts"]
    # Who touches the page without resolving it is told again.
    careless = Line(world, space)
    careless.text(page, text.replace("Wool is warm.", "Wool is soft."))
    told = careless.post("merge")
    assert (told["result"], [one["reason"] for one in told["conflicts"]]) == ("conflicts", ["marked"])
    text = careless.page(page, primary=True)["markdown"]
    # Whoever edits the page resolves it.
    third = Line(world, space)
    third.text(page, text.replace(mark, "Swallows build with mud, too."))
    assert third.post("merge")["result"] == "merge"
    assert "Swallows build with mud, too." in visitor.page("").text


def test_a_conflict_is_resolved_by_one_change(world: World, space: str) -> None:
    page = _begun(world, space)
    one, other = Line(world, space), Line(world, space)
    # One block against two, and one against none: the mark says how much of primary stands before it.
    one.text(page, "# Nests\n\nCormorants build.\n\nOn rocks.\n\nMoss is soft.\n\nTerns do not build.\n")
    other.text(page, f"# Nests\n\n{BODY.replace('Reed grows at the shore', 'Swallows build with mud')}")
    one.post("merge")
    assert other.post("update")["result"] == "conflicts"
    marked = other.page(page, "format=document")["document"]["nodes"]
    [key] = [node["key"] for node in marked if node["type"] == "if"]
    at = [node["type"] for node in marked].index("if")
    both = other.page(page)["markdown"]
    resolve = {"operation": "resolve_conflict", "page": page}
    before = other.get()["revision"]
    other.write({**resolve, "keep": "primary", "block": [key]})
    assert "Swallows" not in other.page(page)["markdown"]
    assert "conflict" not in other.page(page)["markdown"]
    other.write({"operation": "revert_page", "page": page, "revision": before}, {**resolve, "keep": "both"})
    text = other.page(page)["markdown"]
    assert text.index("Cormorants") < text.index("Swallows")
    other.write({"operation": "revert_page", "page": page, "revision": before}, {**resolve, "keep": "other"})
    text = other.page(page)["markdown"]
    instead = int(both.partition(", instead of ")[2].partition(" ")[0] or 1)
    assert (len(text.strip().split("\n\n")) - 1) == at - instead + len(marked[at]["nodes"]) + len(marked) - at - 1
    assert "Cormorants" not in text
    said = other.write({**resolve, "keep": "both"}, status=400)["error"]["message"]
    assert "no such conflict" in said
    assert other.write({**resolve, "keep": "mine"}, status=400)


def test_an_update_brings_primary_in_and_the_merge_after_it_adds_nothing_else(world: World, space: str) -> None:
    page = _begun(world, space)
    one, other = Line(world, space), Line(world, space)
    other.insert("# Eggs\n")
    assert other.post("update")["revision"] == other.get()["revision"], "nothing to bring in"
    one.text(page, "# Nests\n\nMoss.\n")
    one.post("merge")
    head = world.api.get(f"/v1/spaces/{space}").json["revision"]
    said = other.post("update")
    assert said["result"] == "update"
    now = other.get()
    assert (now["outdated"], now["revisionMergedAncestor"], now["revision"]) == (False, head, said["revision"])
    assert other.page(page)["markdown"] == "# Nests\n\nMoss.\n"
    assert [change["type"] for change in other.get("/changes")["changes"]] == ["page_created"]
    assert world.api.get(f"/v1/spaces/{space}").json["revision"] == head
    assert other.post("merge")["result"] == "merge"
    assert other.tree(primary=True) == [("Nests", "nests", []), ("Eggs", "eggs", [])]


def test_deleted_here_and_edited_there_stays(world: World, space: str) -> None:
    page = _begun(world, space)
    one, other = Line(world, space), Line(world, space)
    one.write({"operation": "delete_page", "page": page})
    other.text(page, "# Nests\n\nMoss.\n")
    one.post("merge")
    said = other.post("merge")
    assert (said["result"], said["conflicts"][0]["reason"]) == ("conflicts", "deleted")
    assert other.page(page, primary=True)["markdown"] == "# Nests\n\nMoss.\n"


def test_moves_below_each_other_cannot_make_a_loop(world: World, space: str) -> None:
    first = Line(world, space)
    a, b = first.insert("# A\n"), first.insert("# B\n")
    first.post("merge")
    one, other = Line(world, space), Line(world, space)
    one.write({"operation": "update_page", "page": a, "into": b})
    other.write({"operation": "update_page", "page": b, "into": a})
    one.post("merge")
    said = other.post("merge")
    assert {conflict["reason"] for conflict in said["conflicts"]} == {"cycle"}
    assert other.tree(primary=True) == [("B", "b", [("A", "b/a", [])])]


def test_one_address_for_two_pages(world: World, space: str) -> None:
    one, other = Line(world, space), Line(world, space)
    one.insert("# Eggs\n\nOf terns.\n")
    other.insert("# Eggs\n\nOf gulls.\n")
    one.post("merge")
    said = other.post("merge")
    assert [conflict["reason"] for conflict in said["conflicts"]] == ["slug"]
    assert other.tree(primary=True) == [("Eggs", "eggs", []), ("Eggs", "eggs-2", [])]


def test_new_pages_of_two_sides_stay_together(world: World, space: str) -> None:
    _begun(world, space)
    one, other = Line(world, space), Line(world, space)
    for line, names in ((one, "ABC"), (other, "XYZ")):
        for name in names:
            line.insert(f"# {name}\n")
    one.post("merge")
    other.post("merge")
    assert [title for title, _, _ in other.tree(primary=True)] == ["Nests", "A", "B", "C", "X", "Y", "Z"]


def test_states_that_forbid(world: World, space: str) -> None:
    page = _begun(world, space)
    line = Line(world, space)
    line.text(page, "# Nests\n\nMoss.\n")
    world.api.patch(line.path, {"status": "archived"})
    for word in ("merge", "update"):
        assert "archived" in line.post(word, 409)["error"]["message"]
    world.api.patch(line.path, {"status": "open"})
    line.post("merge")
    for word in ("merge", "update"):
        assert "merged" in line.post(word, 409)["error"]["message"]
    assert world.api.patch(line.path, {"status": "open"}).status == 409


def test_every_kind_of_difference_is_told(world: World, space: str) -> None:
    page = _begun(world, space)
    line = Line(world, space)
    group = line.insert("# Group\n")
    line.write(
        {"operation": "update_page", "page": page, "title": "Homes", "slug": "homes", "into": group, "hidden": True},
        {"operation": "insert_files", "files": [{"name": "a.txt", "contentType": "text/plain", "base64": "YQ=="}]},
    )
    told = line.get("/changes?limit=50")
    assert "more" not in told
    by_type: dict[str, Any] = {change["type"]: change for change in told["changes"]}
    assert by_type.keys() == {"page_created", "page_moved", "page_edited", "file_created"}
    assert by_type["page_created"]["page"] == {"id": group, "type": "document", "title": "Group", "path": "group"}
    assert by_type["page_moved"]["page"]["path"] == "group/homes"
    assert by_type["page_moved"]["parent"] == {"after": by_type["page_created"]["page"]}
    attributes = by_type["page_edited"]["attributes"]
    assert attributes["title"] == {"before": "Nests", "after": "Homes"}
    assert attributes["slug"] == {"before": "nests", "after": "homes"}
    assert attributes["hidden"] == {"before": False, "after": True}
    assert by_type["file_created"]["file"]["name"] == "a.txt"
    short = line.get("/changes?limit=1")
    assert (len(short["changes"]), short["more"]) == (1, 3)
    merged = line.post("merge")["revision"]
    of_revision = world.api.get(f"/v1/spaces/{space}/revisions/{merged}/changes?limit=50").json
    assert [change["type"] for change in of_revision["changes"]] == [change["type"] for change in told["changes"]]
    assert of_revision["mergedFrom"]["number"] == line.request["number"]
    gone = Line(world, space)
    gone.write({"operation": "delete_page", "page": group})
    assert {change["type"] for change in gone.get("/changes")["changes"]} == {"page_deleted"}


def test_a_page_side_by_side(world: World, space: str) -> None:
    page = _begun(world, space)
    line = Line(world, space)
    line.text(page, f"# Nests\n\n{BODY.replace('grows', 'stands')}\nMoss.\n")
    told = line.get(f"/changes/pages/{page}")
    assert [block["status"] for block in told["blocks"]] == ["changed", "equal", "equal", "added"]
    words = [(part["status"], part["text"]) for part in told["blocks"][0]["words"]]
    assert words == [("equal", "Reed "), ("deleted", "grows"), ("added", "stands"), ("equal", " at the shore.")]
    shown = line.get(f"/changes/pages/{page}?html=true")["blocks"]
    assert shown[0]["html"] == {
        "before": "<p>Reed grows at the shore.</p>",
        "after": "<p>Reed stands at the shore.</p>",
    }
    assert [sorted(block.get("html", {})) for block in shown] == [["after", "before"], [], [], ["after"]]
    of_revision = f"/v1/spaces/{space}/revisions/{line.get()['revision']}/changes/pages/{page}"
    assert [block["status"] for block in world.api.get(of_revision).json["blocks"]] == [
        "changed",
        "equal",
        "equal",
        "added",
    ]
    assert world.api.get(f"{line.path}/changes/pages/nowhere").status == 404
    new = line.insert("# Eggs\n\nTwo.\n")
    assert [block["status"] for block in line.get(f"/changes/pages/{new}")["blocks"]] == ["added"]


def test_any_two_revisions_side_by_side(world: World, space: str) -> None:
    page = _begun(world, space)
    revisions = [world.api.get(f"/v1/spaces/{space}").json["revision"]]
    for word in ("stands", "leans"):
        line = Line(world, space)
        line.text(page, f"# Nests\n\n{BODY.replace('grows', word)}")
        revisions.append(line.post("merge")["revision"])
    first, _, last = revisions
    path = f"/v1/spaces/{space}/revisions/{last}/changes"
    told = world.api.get(f"{path}?against={first}").json
    assert [(one["type"], one["page"]["id"]) for one in told["changes"]] == [("page_edited", page)]
    assert "mergedFrom" not in told, "no merge alone did that"

    def words(against: str) -> list[str]:
        blocks = world.api.get(f"{path}/pages/{page}{against}").json["blocks"]
        return [part["text"] for part in blocks[0]["words"] if part["status"] != "equal"]

    assert words(f"?against={first}") == ["grows", "leans"]
    assert words("") == ["stands", "leans"]
    back = world.api.get(f"/v1/spaces/{space}/revisions/{first}/changes/pages/{page}?against={last}").json["blocks"]
    assert [part["text"] for part in back[0]["words"] if part["status"] != "equal"] == ["leans", "grows"]
    assert world.api.get(f"{path}?against={last}").json["changes"] == []
    other = world.api.get(f"/v1/spaces/{world.space('Other')['id']}").json["revision"]
    for against in ("nothing", other):
        assert world.api.get(f"{path}?against={against}").status == 404
        assert world.api.get(f"{path}/pages/{page}?against={against}").status == 404


def test_going_back_to_a_revision(world: World, space: str) -> None:
    page = _begun(world, space)
    first = world.api.get(f"/v1/spaces/{space}").json["revision"]
    line = Line(world, space)
    line.write({"operation": "delete_page", "page": page})
    line.post("merge")
    path = f"/v1/spaces/{space}/revisions/{first}/restore"
    back = world.api.post(path)
    assert (back.status, back.json["type"]) == (200, "rollback")
    assert line.tree(primary=True) == [("Nests", "nests", [])]
    assert world.api.post(path).json["revision"] == back.json["revision"], "nothing more to do"
    assert world.api.post(f"/v1/spaces/{space}/revisions/nowhere/restore").status == 404
    draft = Line(world, space)
    draft.insert("# Not reviewed\n")
    refused = world.api.post(f"/v1/spaces/{space}/revisions/{draft.get()['revision']}/restore")
    assert (refused.status, "never was" in refused.message) == (409, True)


@pytest.mark.parametrize("many", [64])
def test_many_merges_at_once_lose_nothing(world: World, space: str, many: int) -> None:
    _begun(world, space)
    lines = [Line(world, space) for _ in range(many)]
    assert [line.request["number"] for line in lines] == list(range(2, many + 2))
    for number, line in enumerate(lines):
        line.insert(f"# Page {number}\n\nMarker {number}.\n")

    async def together() -> list[Reply]:
        return list(await asyncio.gather(*(world.api.send("POST", f"{line.path}/merge") for line in lines)))

    replies = world.run(together())
    assert {reply.status for reply in replies} == {200}
    assert {reply.json["result"] for reply in replies} == {"merge"}
    titles = [title for title, _, _ in lines[0].tree(primary=True)]
    assert sorted(titles) == sorted(["Nests", *(f"Page {number}" for number in range(many))])
    revision = world.api.get(f"/v1/spaces/{space}").json
    assert revision["changeRequests"] == many + 1
    assert (revision["changeRequestsOpen"], revision["changeRequestsDraft"]) == (0, 0)
    # The history is one line: every head follows the one before it.
    seen = set()
    at: str | None = revision["revision"]
    while at is not None:
        seen.add(at)
        parents = world.api.get(f"/v1/spaces/{space}/revisions/{at}").json["parents"]
        at = parents[0] if parents else None
    assert seen >= {reply.json["revision"] for reply in replies}
    for line in lines:
        assert line.get()["status"] == "merged"
