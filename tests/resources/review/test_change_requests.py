"""/spaces/{space}/change-requests: create, get, list, PATCH; and the list of an organization."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from itertools import product
from typing import Any

import pytest

from tests.client import Reply, World
from tests.conftest import FakeClock
from tests.resources.checks import MOMENT, ROLES, call, check_json, check_refusals, check_roles
from tests.resources.proposals import Proposal, propose, user_of, write_primary

REQUIRED = (
    "object", "id", "number", "status", "subject", "createdBy", "createdAt", "updatedAt", "space", "revision",
    "revisionInitial", "comments", "outdated", "urls",
)  # fmt: skip
STATUSES = ("draft", "open", "archived", "merged")
DOCUMENT = {
    "object": "document",
    "data": {},
    "nodes": [
        {
            "object": "block",
            "type": "paragraph",
            "data": {},
            "isVoid": False,
            "nodes": [{"object": "text", "leaves": [{"object": "leaf", "text": "Why.", "marks": []}]}],
        }
    ],
}


def counters(world: World, space: str) -> tuple[int, int, int]:
    """All, open, draft."""
    shown = world.api.get(f"/v1/spaces/{space}").json
    return shown["changeRequests"], shown["changeRequestsOpen"], shown["changeRequestsDraft"]


def numbers(reply: Reply) -> list[int]:
    assert reply.status == 200, reply.text
    return [one["number"] for one in reply.json["items"]]


def test_it_begins_as_a_draft_on_primary_content(world: World) -> None:
    space = world.space()
    reply = world.api.post(f"/v1/spaces/{space['id']}/change-requests", {"subject": "  Better words\n"})
    assert reply.status == 201
    made = reply.json
    assert set(made) == set(REQUIRED)
    assert (made["object"], made["number"], made["status"]) == ("change-request", 1, "draft")
    assert (made["subject"], made["space"]) == ("Better words", space["id"])
    assert made["revision"] == made["revisionInitial"] == space["revision"]
    assert (made["comments"], made["outdated"]) == (0, False)
    assert made["createdBy"]["id"] == user_of(world, world.api.token or "")
    assert re.fullmatch(MOMENT, made["createdAt"])
    assert made["updatedAt"] == made["createdAt"]
    assert set(made["urls"]) == {"app", "location"}
    assert reply.headers["location"] == made["urls"]["location"]
    assert world.api.get("/v1" + made["urls"]["location"].split("/v1", 1)[1]).json == made


def test_without_a_subject_it_is_untitled(world: World) -> None:
    path = f"/v1/spaces/{world.space()['id']}/change-requests"
    for body in (None, {}, {"subject": ""}, {"subject": "  "}, {"agentTaskId": "task", "unknown": 1}):
        reply = world.api.post(path, body)
        assert (reply.status, reply.json["subject"]) == (201, "Untitled change")


def test_creating_takes_the_edit_role(world: World) -> None:
    check_roles(world, "edit", "POST", f"/v1/spaces/{world.space()['id']}/change-requests", {}, success=201)


def test_wrong_input_of_a_creation_names_the_field(world: World) -> None:
    space = world.space()["id"]
    path = f"/v1/spaces/{space}/change-requests"
    cases = [
        ({"subject": "x" * 101}, "subject"),
        ({"subject": 5}, "subject"),
        ({"subject": None}, "subject"),
        ({"agentTaskId": 7}, "agentTaskId"),
        ({"template": {"id": "t"}}, "template"),
    ]
    check_refusals(world, "POST", path, cases)
    check_json(world, "POST", path)
    assert counters(world, space) == (0, 0, 0)


def test_numbers_are_dense_and_counters_true_when_64_are_created_together(world: World) -> None:
    space = world.space()["id"]
    path = f"/v1/spaces/{space}/change-requests"

    async def together() -> list[Reply]:
        return list(await asyncio.gather(*(world.api.send("POST", path, {"subject": f"{n}"}) for n in range(64))))

    replies = world.run(together())
    assert Counter(reply.status for reply in replies) == {201: 64}
    assert sorted(reply.json["number"] for reply in replies) == list(range(1, 65))
    assert counters(world, space) == (64, 0, 64)


def test_counters_are_true_when_many_move_together(world: World) -> None:
    space = world.space()["id"]
    made = [propose(world, space) for _ in range(12)]
    ways = ["open", "archived", "draft", "open"]

    async def together() -> list[Reply]:
        sent = (world.api.send("PATCH", one.path, {"status": way}) for one in made for way in ways)
        return list(await asyncio.gather(*sent))

    assert {reply.status for reply in world.run(together())} == {200}
    now = Counter(one.shown["status"] for one in made)
    assert counters(world, space) == (12, now["open"], now["draft"])


def test_it_is_found_by_its_number_and_by_its_id_within_its_space_only(world: World) -> None:
    one, other = propose(world), propose(world)
    base = f"/v1/spaces/{one.space}/change-requests"
    assert world.api.get(f"{base}/{one.id}").json == world.api.get(f"{base}/{one.number}").json
    for word in (other.id, "2", "0", "-1", "01x", "9" * 15, "9" * 40, "nothing", "٣"):
        for method, below in (("GET", ""), ("PATCH", ""), ("POST", "/merge"), ("POST", "/update")):
            assert world.api.request(method, f"{base}/{word}{below}").status == 404, (word, method)


def test_every_reader_reads_it(world: World) -> None:
    one = propose(world)
    check_roles(world, "read", "GET", one.path, success=200)
    check_roles(world, "read", "GET", one.path.rpartition("/")[0], success=200)


def test_only_what_was_sent_changes(world: World, clock: FakeClock) -> None:
    one = propose(world, subject="First")
    before = one.shown
    clock.advance(1500)
    after = one.patch(subject=" Second ").json
    assert after == before | {"subject": "Second", "updatedAt": after["updatedAt"]}
    assert after["updatedAt"] > before["updatedAt"]
    clock.advance(1500)
    assert one.patch().json == after
    assert one.patch(subject="Second", status="draft").json == after
    assert one.shown == after


def test_a_subject_may_be_empty_and_full(world: World) -> None:
    one = propose(world, subject="First")
    assert one.patch(subject="").json["subject"] == ""
    assert one.patch(subject="🦉" * 100).json["subject"] == "🦉" * 100


def test_a_description_is_written_as_a_comment_is(world: World) -> None:
    """Markdown, a document, or a document within `document`: everywhere alike."""
    one = propose(world)
    for given in ({"markdown": "Why."}, {"document": DOCUMENT}, DOCUMENT):
        answered = one.patch(description=given)
        assert answered.status == 200, answered.text
        [paragraph] = answered.json["description"]["nodes"]
        assert paragraph["nodes"][0]["leaves"][0]["text"] == "Why."
        said = world.api.post(f"/v1/spaces/{one.space}/comments", {"body": given})
        assert (said.status, said.json["body"]["markdown"].strip()) == (200, "Why.")
    both = one.patch(description={"markdown": "a", "document": DOCUMENT})
    assert (both.status, "markdown" in both.message) == (400, True)


def test_a_description_is_a_document(world: World) -> None:
    one = propose(world)
    assert "description" not in one.shown
    assert one.patch(description=DOCUMENT).json["description"]["nodes"] == DOCUMENT["nodes"]
    assert one.shown["description"]["object"] == "document"


def test_links_keep_their_ids(world: World) -> None:
    one = propose(world)
    assert "links" not in one.shown
    given = [{"ref": {"kind": "url", "url": f"https://tickets.test/{n}"}, "title": f"Ticket {n}"} for n in range(10)]
    links = one.patch(links=given).json["links"]
    assert [{"ref": link["ref"], "title": link["title"]} for link in links] == given
    assert len({link["id"] for link in links}) == 10
    kept = one.patch(links=[links[3] | {"title": "Renamed"}, given[0]]).json["links"]
    assert kept[0] == links[3] | {"title": "Renamed"}
    assert kept[1]["id"] not in {link["id"] for link in links}
    assert "links" not in one.patch(links=[]).json
    reply = one.patch(links=[links[0]])
    assert (reply.status, "links[0].id" in reply.message) == (400, True)


def test_changing_takes_the_edit_role(world: World) -> None:
    check_roles(world, "edit", "PATCH", propose(world).path, {"subject": "Theirs"}, success=200)


def test_wrong_input_of_a_change_names_the_field(world: World) -> None:
    one = propose(world)
    before = one.shown
    ref = {"kind": "url", "url": "https://a.test"}
    cases: list[tuple[Any, str]] = [
        ({"subject": "x" * 101}, "subject"),
        ({"subject": None}, "subject"),
        ({"status": "merged"}, "status"),
        ({"status": "closed"}, "status"),
        ({"status": None}, "status"),
        ({"description": "text"}, "description"),
        ({"description": {"object": "page", "nodes": []}}, "description"),
        ({"description": {"object": "document"}}, "description"),
        ({"description": {"object": "document", "nodes": [{"object": "block"}]}}, "description.nodes[0]"),
        ({"links": [{"ref": ref}] * 11}, "links"),
        ({"links": [{"ref": {"kind": "url", "url": "javascript:alert(1)"}}]}, "links[0].ref.url"),
        ({"links": [{"ref": {"kind": "page", "page": "p"}}]}, "links[0].ref.kind"),
        ({"links": [{"ref": ref, "title": "x" * 129}]}, "links[0].title"),
        ({"links": [{}]}, "links[0]"),
        ({"subject": "Good", "links": 1}, "links"),
    ]
    check_refusals(world, "PATCH", one.path, cases)
    check_json(world, "PATCH", one.path)
    assert one.shown == before


@pytest.mark.parametrize(("status", "wanted"), [*product(STATUSES, STATUSES[:3])])
def test_which_status_follows_which(world: World, status: str, wanted: str) -> None:
    one = propose(world)
    if status != "draft":
        one.become(status)
    reply = one.patch(status=wanted)
    if status == "merged":
        assert reply.status == 409
        assert "merged" in reply.message
        assert one.shown["status"] == "merged"
    else:
        assert (reply.status, reply.json["status"]) == (200, wanted)
    now = one.shown["status"]
    assert counters(world, one.space) == (1, int(now == "open"), int(now == "draft"))


def test_a_merged_one_may_still_be_renamed(world: World) -> None:
    one = propose(world).become("merged")
    reply = one.patch(subject="What it was about")
    assert (reply.status, reply.json["subject"], reply.json["status"]) == (200, "What it was about", "merged")


def test_it_is_outdated_when_primary_content_moves_on(world: World) -> None:
    one = propose(world)
    write_primary(world, one.space, {"News": "# News\n"})
    assert one.shown["outdated"] is True
    assert propose(world, one.space).shown["outdated"] is False


def test_lists_hold_one_status_the_open_ones_by_default(world: World) -> None:
    space = world.space()["id"]
    made = {status: propose(world, space) for status in STATUSES}
    for status, one in made.items():
        if status != "draft":
            one.become(status)
    path = f"/v1/spaces/{space}/change-requests"
    assert numbers(world.api.get(path)) == [made["open"].number]
    for status, one in made.items():
        listed = world.api.get(f"{path}?status={status}").json
        assert listed == {"items": [one.shown], "count": 1}


def _open(world: World, clock: FakeClock, space: str, count: int) -> list[Proposal]:
    made = []
    for _ in range(count):
        made.append(propose(world, space).become("open"))
        clock.advance(10)
    return made


def test_the_order_is_by_change_or_by_creation(world: World, clock: FakeClock) -> None:
    space = world.space()["id"]
    first, _, _ = _open(world, clock, space, 3)
    first.patch(subject="Again")
    path = f"/v1/spaces/{space}/change-requests"
    assert numbers(world.api.get(path)) == numbers(world.api.get(f"{path}?orderBy=updatedAt")) == [1, 3, 2]
    assert numbers(world.api.get(f"{path}?orderBy=createdAt")) == [3, 2, 1]


def test_pages_of_the_list_join(world: World, clock: FakeClock) -> None:
    space = world.space()["id"]
    _open(world, clock, space, 5)
    for path in (f"/v1/spaces/{space}/change-requests", f"/v1/orgs/{world.organization}/change-requests"):
        for order in ("updatedAt", "createdAt"):
            seen, page = [], ""
            while True:
                listed = world.api.get(f"{path}?limit=2&orderBy={order}{page}").json
                assert listed["count"] == 5
                seen += [one["number"] for one in listed["items"]]
                if "next" not in listed:
                    break
                page = f"&page={listed['next']['page']}"
            assert seen == [5, 4, 3, 2, 1]
        assert world.api.get(f"{path}?limit=0").json == {"items": [], "count": 5}


def test_filters_by_people(world: World) -> None:
    space = world.space()["id"]
    path, across = f"/v1/spaces/{space}/change-requests", f"/v1/orgs/{world.organization}/change-requests"
    grace, alan = world.person("edit"), world.person("edit")
    mine, hers = propose(world, space).become("open"), propose(world, space, token=grace).become("open")
    mine.write({"Added": "# Added\n"}, token=alan)
    assert mine.post("/requested-reviewers", {"users": [user_of(world, grace)]}).status == 200
    cases = {
        f"creator={user_of(world, grace)}": [hers.number],
        f"creator={user_of(world, alan)}": [],
        f"contributor={user_of(world, alan)}": [mine.number],
        f"contributor={user_of(world, grace)}": [hers.number],
        f"requestedReviewer={user_of(world, grace)}": [mine.number],
        f"requestedReviewer={user_of(world, alan)}": [],
        f"creator={user_of(world, grace)}&requestedReviewer={user_of(world, grace)}": [],
        "creator=nobody": [],
        "status=draft": [],
    }
    for query, expected in cases.items():
        for listed in (world.api.get(f"{path}?{query}"), world.api.get(f"{across}?{query}")):
            assert numbers(listed) == expected, query
            assert listed.json["count"] == len(expected)


def test_wrong_filters_name_themselves(world: World) -> None:
    for path in (f"/v1/spaces/{world.space()['id']}", f"/v1/orgs/{world.organization}"):
        for query, field in (("status=closed", "status"), ("orderBy=number", "orderBy"), ("limit=1001", "limit")):
            reply = world.api.get(f"{path}/change-requests?{query}")
            assert (reply.status, field in reply.message) == (400, True), query


def test_an_organization_lists_those_of_every_space_that_the_caller_sees(world: World) -> None:
    open_, closed = propose(world).become("open"), propose(world).become("open")
    assert world.api.patch(f"/v1/spaces/{closed.space}", {"defaultLevel": None}).status == 200
    path = f"/v1/orgs/{world.organization}/change-requests"
    for role in ROLES:
        listed = call(world, world.person(role), "GET", path).json
        assert {one["id"] for one in listed["items"]} == ({open_.id, closed.id} if role == "admin" else {open_.id})
        assert listed["count"] == len(listed["items"])
    guest = world.person("guest")
    assert call(world, guest, "GET", path).json == {"items": [], "count": 0}
    world.grant(guest, "space", closed.space, "read")
    assert [one["id"] for one in call(world, guest, "GET", path).json["items"]] == [closed.id]
    assert call(world, world.person(None), "GET", path).status == 404


def test_the_list_of_an_organization_may_be_narrowed(world: World) -> None:
    one, other = propose(world).become("open"), propose(world)
    site = world.site(one.space)["id"]
    path = f"/v1/orgs/{world.organization}/change-requests"
    for query, expected in (
        ("status=draft", {other.id}),
        ("status=draft&status=open", {one.id, other.id}),
        (f"space={one.space}&status=draft&status=open", {one.id}),
        (f"site={site}&status=draft&status=open", {one.id}),
        ("space=nothing", set()),
    ):
        assert {shown["id"] for shown in world.api.get(f"{path}?{query}").json["items"]} == expected, query
    assert world.api.get(f"{path}?site=nothing").status == 404


def test_without_a_token_nothing_is_told(world: World) -> None:
    one = propose(world)
    for method, path in (("GET", ""), ("PATCH", ""), ("POST", "/merge"), ("POST", "/update")):
        assert world.api.request(method, one.path + path, token="").status == 401


def test_a_page_token_belongs_to_the_order_it_came_from(world: World) -> None:
    space = world.space()["id"]
    for _ in range(3):
        world.api.post(f"/v1/spaces/{space}/change-requests", {})
    path = f"/v1/spaces/{space}/change-requests?status=draft&limit=1"
    token = world.api.get(f"{path}&orderBy=createdAt").json["next"]["page"]
    assert world.api.get(f"{path}&orderBy=createdAt&page={token}").status == 200
    assert world.api.get(f"{path}&orderBy=updatedAt&page={token}").status == 400
