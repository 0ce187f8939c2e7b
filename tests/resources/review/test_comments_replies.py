"""Replies to comments, the emoji that people leave, and what is told of both."""

from __future__ import annotations

import re
from typing import Any

import pytest

from octavo.kernel.events import CommentPosted, CommentReplied, CommentResolved, Event
from octavo.store.unit import Reaction
from tests.client import World
from tests.conftest import FakeClock
from tests.resources.checks import MOMENT, check_json, check_refusals, check_roles
from tests.resources.proposals import user_of
from tests.resources.talking import Talk, on_change_request, on_primary


@pytest.fixture(params=[on_primary, on_change_request])
def talk(request: pytest.FixtureRequest, world: World) -> Talk:
    made: Talk = request.param(world)
    return made


def test_a_reply_is_served_whole_and_counted(talk: Talk, clock: FakeClock) -> None:
    world, grace = talk.world, talk.world.person("comment")
    comment = talk.say()
    made = talk.answer(comment, "So **be** it.", token=grace)
    assert set(made) == {"object", "id", "postedAt", "postedBy", "body", "reactions", "urls", "permissions"}
    assert (made["object"], made["body"], made["reactions"]) == ("comment-reply", {"markdown": "So **be** it."}, [])
    assert re.fullmatch(MOMENT, made["postedAt"])
    assert made["postedBy"]["id"] == user_of(world, grace)
    assert made["permissions"] == {"view": True, "edit": True, "reply": True, "delete": True}
    path = "/v1" + made["urls"]["location"].split("/v1", 1)[1]
    assert talk.get(path, token=grace) == made
    assert talk.get(path + "?format=document")["body"]["document"]["nodes"][0]["type"] == "paragraph"
    clock.advance(1000)
    last = talk.answer(comment, token=grace)
    talk.answer(comment)
    shown = talk.shown(comment)
    assert shown["replies"] == 3
    me = user_of(world, world.api.token or "")
    assert {(one["user"]["id"], one["count"]) for one in shown["repliers"]} == {(made["postedBy"]["id"], 2), (me, 1)}
    assert {one["updatedAt"] for one in shown["repliers"]} == {last["postedAt"]}
    assert talk.count == 1
    assert world.api.delete(path).status == 205
    assert world.api.delete(path).status == 404
    assert talk.shown(comment)["replies"] == 2
    assert talk.get(talk.path)["items"] == [talk.shown(comment)]


@pytest.mark.parametrize("order", ["asc", "desc"])
def test_pages_of_replies_join(talk: Talk, clock: FakeClock, order: str) -> None:
    comment, other = talk.say(), talk.say()
    talk.answer(other)
    said = []
    for at in range(5):
        clock.advance(10)
        said.append(talk.answer(comment, str(at))["id"])
    seen, page = [], ""
    while True:
        listed = talk.get(f"{talk.path}/{comment['id']}/replies?order={order}&limit=2{page}")
        seen += [one["id"] for one in listed["items"]]
        assert listed["count"] == 5
        if "next" not in listed:
            break
        page = f"&page={listed['next']['page']}"
    assert seen == (said if order == "asc" else said[::-1])
    assert talk.get(f"{talk.path}/{comment['id']}/replies")["items"][0]["id"] == said[-1]


def test_who_may_reply_edit_and_delete(talk: Talk, clock: FakeClock) -> None:
    world = talk.world
    comment = talk.say()
    path = f"{talk.path}/{comment['id']}/replies"
    check_roles(world, "comment", "POST", path, {"body": {"markdown": "a"}}, success=200)
    check_roles(world, "read", "GET", path, success=200)
    grace = world.person("comment")
    for role, edits in (("read", False), ("comment", False), ("create", False), ("admin", True), (None, True)):
        made = talk.answer(comment, token=grace)
        token = grace if role is None else world.person(role)
        one = f"{path}/{made['id']}"
        given = talk.get(one, token=token)["permissions"]
        assert given == {"view": True, "edit": edits, "reply": role != "read", "delete": edits}
        clock.advance(10)
        reply = world.api.put(one, {"body": {"markdown": "Edited."}}, token=token)
        assert reply.status == (200 if edits else 403)
        if edits:
            assert (reply.json["body"], reply.json["postedBy"]) == ({"markdown": "Edited."}, made["postedBy"])
            assert reply.json["editedAt"] > made["postedAt"]
        assert world.api.put(one, {"addedReactions": ["🎉"]}, token=token).status == (403 if role == "read" else 200)
        assert world.api.delete(one, token=token).status == (205 if edits else 403)


def test_wrong_replies_name_the_field(talk: Talk) -> None:
    comment = talk.say()
    path = f"{talk.path}/{comment['id']}/replies"
    check_refusals(talk.world, "POST", path, [({}, "body"), ({"body": {"markdown": []}}, "body.markdown")])
    check_json(talk.world, "POST", path)
    made = talk.answer(comment)
    cases: list[tuple[Any, str]] = [
        ({"body": 5}, "body"),
        ({"addedReactions": "👍"}, "addedReactions"),
        ({"addedReactions": ["👍", "thumb"]}, "addedReactions[1]"),
        ({"removedReactions": [""]}, "removedReactions[0]"),
        ({"removedReactions": ["👍👍"]}, "removedReactions[0]"),
        ({"addedReactions": ["👍"] * 51}, "addedReactions"),
    ]
    for one in (f"{path}/{made['id']}", f"{talk.path}/{comment['id']}"):
        check_refusals(talk.world, "PUT", one, cases)
        check_json(talk.world, "PUT", one)
    check_refusals(talk.world, "PUT", f"{talk.path}/{comment['id']}", [({"resolved": None}, "resolved")])
    assert talk.shown(comment)["reactions"] == []
    assert talk.world.api.get(f"{path}?order=up").status == 400


def test_emoji_are_left_and_taken_back_once(talk: Talk, clock: FakeClock) -> None:
    world, grace = talk.world, talk.world.person("comment")
    comment = talk.say()
    reply = talk.answer(comment)
    me, her = user_of(world, world.api.token or ""), user_of(world, grace)
    for path in (f"{talk.path}/{comment['id']}", f"{talk.path}/{comment['id']}/replies/{reply['id']}"):

        def put(path: str = path, **fields: Any) -> Any:
            token = fields.pop("token", None)
            answered = world.api.put(path, fields, token=token)
            assert answered.status == 200, answered.text
            assert "editedAt" not in answered.json
            return [
                (one["emoji"], one["count"], [by["user"]["id"] for by in one["users"]])
                for one in answered.json["reactions"]
            ]

        assert put(addedReactions=["👍", "1f44d"]) == [("👍", 1, [me])]
        first = talk.get(path)["reactions"]
        assert re.fullmatch(MOMENT, first[0]["users"][0]["reactedAt"])
        clock.advance(1000)
        assert put(addedReactions=["👍"]) == [("👍", 1, [me])]
        assert talk.get(path)["reactions"] == first
        assert put(addedReactions=["👍", "❤"], token=grace) == [("👍", 2, [me, her]), ("❤", 1, [her])]
        assert put(removedReactions=["👍", "🎉"]) == [("❤", 1, [her]), ("👍", 1, [her])]
        assert put(removedReactions=["❤️"]) == [("❤", 1, [her]), ("👍", 1, [her])]
        assert put(removedReactions=["2764-fe0f", "👍"], token=grace) == []
        assert put(addedReactions=["🎉"], removedReactions=["🎉"]) == []
        # What was given is echoed, and is one emoji in every form.
        assert put(addedReactions=["1f44d", "👍", "thumbsup"]) == [("1f44d", 1, [me])]
        clock.advance(1000)
        assert put(addedReactions=["👍"], token=grace) == [("1f44d", 2, [me, her])]
        assert put(removedReactions=["👍"]) == [("1f44d", 1, [her])]
        assert put(removedReactions=["thumbsup"], token=grace) == []
    talk.put(comment, addedReactions=["👀"])
    assert talk.get(f"{talk.path}/{comment['id']}/replies/{reply['id']}")["reactions"] == []
    assert talk.get(talk.path)["items"][0]["reactions"][0]["emoji"] == "👀"
    assert world.api.delete(f"{talk.path}/{comment['id']}").status == 205


def test_events_tell_what_was_said_and_of_whom(talk: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    world = talk.world
    heard: list[Event] = []

    def hear(event: Event) -> list[Reaction]:
        heard.append(event)
        return []

    monkeypatch.setattr(world.house.store, "_reactions", hear)
    grace, alan, stranger = world.person("comment"), world.person("read"), world.person(None)
    ids = {token: user_of(world, token) for token in (grace, alan, stranger)}
    emails = {token: talk.get("/v1/user", token=token)["email"] for token in ids}
    comment = talk.say(f'@{emails[grace].upper()}, [x](/users/{ids[alan]} "mention") and @{emails[stranger]}.')
    document = {"object": "document", "nodes": [
        {"object": "block", "type": "paragraph", "nodes": [
            {"object": "inline", "type": "mention", "data": {"ref": {"kind": "user", "user": ids[alan]}}, "isVoid": True},
        ]},
    ]}  # fmt: skip
    reply = world.api.post(f"{talk.path}/{comment['id']}/replies", {"body": {"document": document}}).json
    quiet = talk.say(f"mail {emails[grace]} or [x](/users/{ids[alan]})")
    for resolved in (True, True, False):
        talk.put(comment, resolved=resolved)
    me = user_of(world, world.api.token or "")
    of = {
        "organization": world.organization,
        "space": talk.space,
        "user": me,
        "change_request": comment["target"].get("changeRequest"),
    }
    assert heard == [
        CommentPosted(**of, comment=comment["id"], mentions=sorted((ids[grace], ids[alan]))),
        CommentReplied(**of, comment=comment["id"], reply=reply["id"], mentions=[ids[alan]]),
        CommentPosted(**of, comment=quiet["id"], mentions=[]),
        CommentResolved(**of, comment=comment["id"]),
    ]
