"""Comments: posting, reading, changing, resolving and deleting them, on primary content and on change requests."""

from __future__ import annotations

import asyncio
import re
from typing import Any

import pytest

from octavo.store.database.statement import Statement
from tests.client import Reply, World
from tests.conftest import FakeClock
from tests.resources.checks import MOMENT, check_json, check_refusals, check_roles, other_organization
from tests.resources.proposals import Proposal, propose, user_of
from tests.resources.review.test_change_requests import DOCUMENT
from tests.resources.talking import Talk, on_change_request, on_primary

_LEAVE = Statement('DELETE FROM members WHERE organization = :organization AND "user" = :user')


@pytest.fixture(params=[on_primary, on_change_request])
def talk(request: pytest.FixtureRequest, world: World) -> Talk:
    made: Talk = request.param(world)
    return made


def test_a_comment_is_served_whole(talk: Talk) -> None:
    world, page, node = talk.world, talk.page, talk.nodes[0]
    made = talk.say("Which **herons**?", page=page["id"], node=node["key"])
    assert set(made) == {
        "object", "id", "postedAt", "postedBy", "status", "body", "replies", "repliers", "reactions", "target", "urls",
        "permissions",
    }  # fmt: skip
    assert (made["object"], made["status"], made["body"]) == ("comment", "open", {"markdown": "Which **herons**?"})
    assert re.fullmatch(MOMENT, made["postedAt"])
    assert made["postedBy"]["id"] == user_of(world, world.api.token or "")
    assert (made["replies"], made["repliers"], made["reactions"]) == (0, [], [])
    assert made["permissions"] == {"view": True, "edit": True, "reply": True, "delete": True}
    target = made["target"]
    assert target["node"] == {"id": node["key"], "preview": "Herons stand in the shallows and wait."}
    assert target["page"].pop("outdated") is False
    assert target["page"].items() <= page.items()
    assert {"id", "title", "path", "createdAt", "updatedAt"} <= set(target["page"])
    assert target["space"] == talk.space
    assert target["revision"] == talk.get(talk.owner)["revision"]
    assert target.get("changeRequest") == (talk.get(talk.owner)["id"] if "change-requests" in talk.owner else None)
    assert talk.shown(made)["target"].pop("page").pop("outdated") is False
    path = "/v1" + made["urls"]["location"].split("/v1", 1)[1]
    assert talk.get(path) == talk.shown(made)
    assert [one["id"] for one in talk.get(talk.path)["items"]] == [made["id"]]


def test_a_comment_may_be_about_a_page_or_about_everything(talk: Talk) -> None:
    whole, page = talk.say(), talk.say(page=talk.page["id"])
    assert "page" not in whole["target"]
    assert "node" not in whole["target"]
    assert "node" not in page["target"]
    assert page["target"]["page"]["title"] == "Birds"
    for made in (whole, page):
        assert talk.shown(made) == made


def test_bodies_are_taken_and_given_in_both_forms(talk: Talk) -> None:
    for body, markdown in (({"document": DOCUMENT}, "Why."), ({"markdown": "Why."}, "Why."), ({}, "")):
        made = talk.world.api.post(talk.path, {"body": body}).json
        assert made["body"] == {"markdown": markdown}
        assert talk.shown(made, "?format=markdown")["body"] == {"markdown": markdown}
        document = talk.shown(made, "?format=document")["body"]["document"]
        assert document["object"] == "document"
        said = [node["nodes"][0]["leaves"][0]["text"] for node in document["nodes"]]
        assert said == [markdown] * bool(markdown)
        listed = talk.get(talk.path + "?format=document")["items"]
        assert {"document": document} in [one["body"] for one in listed if one["id"] == made["id"]]


def test_what_begins_a_page_is_nothing_special_in_a_comment(talk: Talk) -> None:
    made = talk.say('# First\n\n---\n\n[Ada](/users/u1 "mention")')
    document = talk.shown(made, "?format=document")["body"]["document"]
    assert [node["type"] for node in document["nodes"]] == ["heading-1", "divider", "paragraph"]
    again = talk.world.api.post(talk.path, {"body": {"document": document}}).json
    mention = talk.shown(again, "?format=document")["body"]["document"]["nodes"][2]["nodes"][0]
    assert (mention["type"], mention["data"]) == ("mention", {"ref": {"kind": "user", "user": "u1"}})


def test_commenting_takes_the_comment_role(talk: Talk) -> None:
    check_roles(talk.world, "comment", "POST", talk.path, {"body": {"markdown": "a"}}, success=200)
    made = talk.say()
    for path in (talk.path, f"{talk.path}/{made['id']}", talk.owner + "/commenters"):
        check_roles(talk.world, "read", "GET", path, success=200)


def test_wrong_comments_name_the_field(talk: Talk) -> None:
    page = talk.page["id"]
    cases: list[tuple[Any, str]] = [
        ({}, "body"),
        ({"body": None}, "body"),
        ({"body": "text"}, "body"),
        ({"body": {"markdown": 5}}, "body.markdown"),
        ({"body": {"markdown": "a", "document": DOCUMENT}}, "body"),
        (
            {"body": {"document": {"object": "document", "nodes": [{"object": "block", "type": "math"}]}}},
            "body.document",
        ),
        ({"body": {"markdown": "x" * 20_001}}, "body"),
        ({"body": {}, "page": "nothing"}, "page"),
        ({"body": {}, "page": 5}, "page"),
        ({"body": {}, "node": talk.nodes[0]["key"]}, "page"),
        ({"body": {}, "page": page, "node": "nothing"}, "node"),
        ({"body": {}, "page": page, "node": "no such/id"}, "node"),
    ]
    check_refusals(talk.world, "POST", talk.path, cases)
    check_json(talk.world, "POST", talk.path)
    assert talk.count == 0
    assert talk.say("x" * 20_000)


def test_a_page_of_another_place_is_no_page_here(world: World) -> None:
    drafted = on_change_request(world)
    page, node = drafted.page["id"], drafted.nodes[0]["key"]
    reply = world.api.post(f"/v1/spaces/{drafted.space}/comments", {"body": {}, "page": page, "node": node})
    assert (reply.status, "page" in reply.message) == (400, True)


def test_lists_are_filtered_and_ordered(talk: Talk, clock: FakeClock) -> None:
    grace = talk.world.person("comment")
    said = []
    for at, token in enumerate((None, grace, grace)):
        clock.advance(10)
        said.append(talk.say(str(at), token=token, **({"page": talk.page["id"]} if at == 1 else {}))["id"])
    talk.put({"id": said[2]}, resolved=True)
    me, her = user_of(talk.world, talk.world.api.token or ""), user_of(talk.world, grace)
    for query, expected in (
        ("", [2, 1, 0]),
        ("order=desc", [2, 1, 0]),
        ("order=asc", [0, 1, 2]),
        ("status=all&order=asc", [0, 1, 2]),
        ("status=open", [1, 0]),
        ("status=resolved", [2]),
        (f"targetPage={talk.page['id']}", [1]),
        ("targetPage=nothing", []),
        (f"authors={her}", [2, 1]),
        (f"authors={her}&authors={me}&order=asc", [0, 1, 2]),
        (f"authors={her}&status=open", [1]),
        ("authors=nobody", []),
    ):
        listed = talk.get(f"{talk.path}?{query}")
        assert [one["id"] for one in listed["items"]] == [said[at] for at in expected], query
        assert listed["count"] == len(expected)
    for wrong in ("order=up", "status=closed", "format=html", "limit=1001", "page=x"):
        reply = talk.world.api.get(f"{talk.path}?{wrong}")
        assert (reply.status, wrong.split("=")[0] in reply.message) == (400, True)


@pytest.mark.parametrize("order", ["asc", "desc"])
def test_pages_of_a_list_join(talk: Talk, clock: FakeClock, order: str) -> None:
    said = []
    for at in range(5):
        clock.advance(at % 2)
        said.append(talk.say(str(at))["id"])
    whole = [one["id"] for one in talk.get(f"{talk.path}?order={order}")["items"]]
    seen, page = [], ""
    while True:
        listed = talk.get(f"{talk.path}?order={order}&limit=2{page}")
        seen += [one["id"] for one in listed["items"]]
        assert listed["count"] == 5
        if "next" not in listed:
            break
        page = f"&page={listed['next']['page']}"
    assert seen == whole
    assert set(seen) == set(said)
    assert talk.get(f"{talk.path}?limit=0") == {"items": [], "count": 5}


def test_its_author_edits_it(talk: Talk, clock: FakeClock) -> None:
    grace = talk.world.person("comment")
    made = talk.say(token=grace)
    clock.advance(1000)
    assert talk.put(made, token=grace, body={"markdown": "Why?"}) == talk.shown(made, "") | {
        "permissions": made["permissions"]
    }
    assert "editedAt" not in talk.shown(made)
    edited = talk.put(made, token=grace, body={"markdown": "How?"})
    assert edited["body"] == {"markdown": "How?"}
    assert edited["editedAt"] > edited["postedAt"] == made["postedAt"]


def test_resolving_goes_both_ways_and_counts_once(talk: Talk, clock: FakeClock) -> None:
    grace = talk.world.person("comment")
    made = talk.say(token=grace)
    assert talk.count == 1
    clock.advance(1000)
    resolved = talk.put(made, token=grace, resolved=True)
    assert (resolved["status"], resolved["resolvedBy"]["id"]) == ("resolved", user_of(talk.world, grace))
    assert resolved["resolvedAt"] > made["postedAt"]
    assert talk.count == 0
    clock.advance(1000)
    assert talk.put(made, resolved=True)["resolvedAt"] == resolved["resolvedAt"]
    assert talk.count == 0
    for _ in range(2):
        opened = talk.put(made, token=grace, resolved=False)
        assert opened == made
        assert talk.count == 1
    assert talk.answer(made)
    assert talk.shown(talk.put(made, resolved=True))["replies"] == 1


def test_deleting_takes_its_replies_along(talk: Talk) -> None:
    open_, done = talk.say(), talk.say()
    reply = talk.answer(open_)
    talk.put(done, resolved=True)
    assert talk.count == 1
    for made, left in ((done, 1), (open_, 0)):
        answered = talk.world.api.delete(f"{talk.path}/{made['id']}")
        assert (answered.status, answered.body) == (205, b"")
        assert talk.count == left
        for verb, body in (("GET", None), ("PUT", {}), ("DELETE", None)):
            assert talk.world.api.request(verb, f"{talk.path}/{made['id']}", body).status == 404
    assert talk.world.api.get(f"{talk.path}/{open_['id']}/replies/{reply['id']}").status == 404
    assert talk.get(talk.path) == {"items": [], "count": 0}


@pytest.mark.parametrize(
    ("role", "mine", "edits", "replies"),
    [
        ("read", False, False, False), ("comment", False, False, True), ("edit", False, False, True),
        ("review", False, False, True), ("create", False, False, True), ("admin", False, True, True),
        ("comment", True, True, True), ("edit", True, True, True),
    ],
)  # fmt: skip
def test_permissions_never_disagree_with_what_is_allowed(
    talk: Talk, role: str, mine: bool, edits: bool, replies: bool
) -> None:
    token = talk.world.person(role)
    for verb, word, body in (
        ("POST", "reply", {"body": {"markdown": "x"}}),
        ("PUT", "reply", {}),
        ("PUT", "reply", {"addedReactions": ["👍"]}),
        ("PUT", "edit", {"body": {"markdown": "y"}}),
        ("PUT", "edit", {"resolved": True}),
        ("PUT", "edit", {"resolved": False, "addedReactions": ["👍"]}),
        ("DELETE", "delete", None),
    ):
        made = talk.say(token=token if mine else None)
        path = f"{talk.path}/{made['id']}"
        given = talk.get(path, token=token)["permissions"]
        assert given == {"view": True, "edit": edits, "reply": replies, "delete": edits}
        success = 205 if verb == "DELETE" else 200
        reply = talk.world.api.request(verb, path + "/replies" * (verb == "POST"), body, token=token)
        assert reply.status == (success if given[word] else 403), (verb, body)
        if reply.status == 403:
            assert talk.shown(made) == made | {"permissions": talk.shown(made)["permissions"]}


def test_an_author_who_may_no_longer_comment_changes_nothing(world: World) -> None:
    talk = on_primary(world)
    grace = world.person("comment")
    made = talk.say(token=grace)
    world.grant(grace, "space", talk.space, "read")
    assert talk.get(f"{talk.path}/{made['id']}", token=grace)["permissions"]["edit"] is False
    for verb, body in (("PUT", {"body": {}}), ("DELETE", None)):
        assert world.api.request(verb, f"{talk.path}/{made['id']}", body, token=grace).status == 403


def test_strangers_and_foreign_ids_find_nothing(talk: Talk) -> None:
    world = talk.world
    made = talk.say()
    reply = talk.answer(made)
    elsewhere = on_primary(world)
    draft, sibling = propose(world, talk.space), propose(world, talk.space)
    other = other_organization(world)
    foreign = world.api.post(f"/v1/orgs/{other['id']}/spaces", {}).json["id"]
    another = elsewhere.say()
    places = [f"/v1/spaces/{foreign}/comments", elsewhere.path, draft.path + "/comments", sibling.path + "/comments"]
    places += [f"/v1/spaces/{talk.space}/comments"] if "change-requests" in talk.path else []
    verbs: tuple[tuple[str, Any], ...] = (("GET", None), ("PUT", {"resolved": True}), ("DELETE", None))
    for place in places:
        for verb, body in verbs:
            assert world.api.request(verb, f"{place}/{made['id']}", body).status == 404
            assert world.api.request(verb, f"{place}/{made['id']}/replies/{reply['id']}", body).status == 404
        assert world.api.post(f"{place}/{made['id']}/replies", {"body": {}}).status == 404
        assert world.api.get(f"{place}/{made['id']}/replies").status == 404
    for word in (another["id"], "nothing"):
        for verb, body in verbs:
            assert world.api.request(verb, f"{talk.path}/{word}", body).status == 404
            assert world.api.request(verb, f"{talk.path}/{made['id']}/replies/{word}", body).status == 404
    for token in (world.person(None), world.person("guest")):
        for verb, body in verbs:
            assert world.api.request(verb, f"{talk.path}/{made['id']}", body, token=token).status == 404
            path = f"{talk.path}/{made['id']}/replies/{reply['id']}"
            assert world.api.request(verb, path, body, token=token).status == 404
    assert talk.shown(made)["status"] == "open"


def test_nothing_is_said_in_a_deleted_space(talk: Talk) -> None:
    made = talk.say()
    assert talk.world.api.delete(f"/v1/spaces/{talk.space}").status == 205
    for verb, path, body in (
        ("GET", talk.path, None),
        ("POST", talk.path, {"body": {}}),
        ("PUT", f"{talk.path}/{made['id']}", {}),
        ("GET", talk.owner + "/commenters", None),
    ):
        assert talk.world.api.request(verb, path, body).status == 404


def test_counts_are_true_however_many_speak_at_once(talk: Talk) -> None:
    world = talk.world
    said = [talk.say()["id"] for _ in range(8)]

    async def together() -> list[Reply]:
        sends = [world.api.send("POST", talk.path, {"body": {"markdown": "a"}}) for _ in range(8)]
        sends += [world.api.send("PUT", f"{talk.path}/{one}", {"resolved": True}) for one in said[:4] for _ in range(3)]
        sends += [world.api.send("DELETE", f"{talk.path}/{one}") for one in said[3:6] for _ in range(2)]
        return list(await asyncio.gather(*sends))

    statuses = [reply.status for reply in world.run(together())]
    assert statuses[:8] == [200] * 8
    assert sorted(statuses[20:]) == [205] * 3 + [404] * 3
    assert talk.count == 16 - 6


def test_comments_on_a_change_request_stay_with_it(world: World) -> None:
    talk = on_change_request(world)
    made = talk.say(page=talk.page["id"], node=talk.nodes[0]["key"])
    assert world.api.get(f"/v1/spaces/{talk.space}").json["comments"] == 0
    assert world.api.post(talk.owner + "/merge").status == 200
    assert talk.count == 1
    assert talk.shown(made) == made
    assert world.api.get(f"/v1/spaces/{talk.space}/comments").json == {"items": [], "count": 0}
    assert talk.put(made, resolved=True)["status"] == "resolved"
    assert talk.count == 0
    assert talk.say("After all.")
    assert world.api.get(talk.owner + "/contributors").json["items"][0]["actionType"] == "comment"


def test_who_comments_contributes(world: World) -> None:
    talk = on_change_request(world)
    grace = world.person("comment")
    talk.answer(talk.say(token=grace), token=grace)
    found = [one for one in talk.get(talk.owner + "/contributors")["items"] if one["actionType"] == "comment"]
    assert [(one["user"]["id"], one["count"]) for one in found] == [(user_of(world, grace), 2)]
    path = f"/v1/spaces/{talk.space}/change-requests?status=draft&contributor={user_of(world, grace)}"
    assert talk.get(path)["count"] == 1


def test_commenters_are_members_who_said_something(talk: Talk, clock: FakeClock) -> None:
    world = talk.world
    grace, alan, gone = world.person("comment"), world.person("comment"), world.person("comment")
    made = talk.say()
    for token in (gone, grace, grace, alan):
        clock.advance(10)
        talk.answer(made, token=token)
    world.grant(grace, "space", talk.space, "edit")

    listed = talk.get(talk.owner + "/commenters")
    people = [user_of(world, token) for token in (alan, grace, gone, world.api.token or "")]
    assert [(one["object"], one["id"], one["user"]["id"]) for one in listed["items"]] == [
        ("member", one, one) for one in people
    ]
    assert [(one["role"], one["spaces"], one["teams"]) for one in listed["items"][:2]] == [
        ("comment", 0, 0), ("comment", 1, 0)
    ]  # fmt: skip
    assert listed["count"] == 4
    first = talk.get(talk.owner + "/commenters?limit=3")
    rest = talk.get(f"{talk.owner}/commenters?limit=3&page={first['next']['page']}")
    assert [one["id"] for one in first["items"] + rest["items"]] == people
    left = {"organization": world.organization, "user": people[2]}
    world.run(world.house.store.write(lambda unit: unit.at.run(_LEAVE, left)))
    assert talk.get(talk.owner + "/commenters")["count"] == 3
    assert talk.shown(made)["replies"] == 4
    elsewhere = "/v1/spaces/" + talk.space if "change-requests" in talk.owner else propose(world, talk.space).path
    assert talk.get(elsewhere + "/commenters") == {"items": [], "count": 0}


def test_a_review_s_comment_is_one_of_the_comments(world: World, clock: FakeClock) -> None:
    one: Proposal = propose(world)
    grace = world.person("review")
    said = one.post("/reviews", {"status": "approved", "comment": {"markdown": "Fine."}}, token=grace).json
    talk = Talk(world, one.space, one.path + "/comments", lambda text: None, one.path)
    (listed,) = talk.get(talk.path)["items"]
    assert listed["target"] == {
        "space": one.space, "changeRequest": one.id, "review": said["id"], "revision": said["revision"]
    }  # fmt: skip
    assert talk.count == 1
    talk.answer(listed)
    assert one.get(f"/reviews/{said['id']}")["comment"] == talk.shown(listed)
    assert one.get("/reviews")["items"][0]["comment"]["replies"] == 1
    assert world.api.delete(f"{talk.path}/{listed['id']}", token=grace).status == 205
    assert "comment" not in one.get(f"/reviews/{said['id']}")
    assert talk.count == 0
