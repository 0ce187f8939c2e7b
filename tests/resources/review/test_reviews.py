"""Requested reviewers, reviews and contributors of a change request."""

from __future__ import annotations

import asyncio
import re
from typing import Any

import pytest

from octavo.kernel.ids import new_id
from octavo.kernel.records.people import Team
from octavo.store.database.statement import Statement
from tests.client import Reply, World
from tests.conftest import FakeClock
from tests.resources.checks import MOMENT, check_json, check_refusals, check_roles, other_organization
from tests.resources.proposals import Proposal, propose, user_of
from tests.resources.review.test_change_requests import DOCUMENT

_JOIN = Statement(
    'INSERT INTO team_members (organization, team, "user", role) VALUES (:organization, :team, :user, :role)'
)


def team(world: World, *members: str, organization: str | None = None) -> str:
    """A team of these people, who are given by their tokens."""
    made = Team(id=new_id(), organization=organization or world.organization, title="Editors", created_at=1)

    async def add(unit: Any) -> None:
        await unit.teams.add(made)
        for user in map(users.get, members):
            values = {"organization": made.organization, "team": made.id, "user": user, "role": "member"}
            await unit.at.run(_JOIN, values)

    users = {token: user_of(world, token) for token in members}
    world.run(world.house.store.write(add))
    return made.id


def ask(one: Proposal, *tokens: str, **body: Any) -> Reply:
    return one.post("/requested-reviewers", {"users": [user_of(one.world, token) for token in tokens], **body})


def review(one: Proposal, status: str = "approved", **options: Any) -> dict[str, Any]:
    body = {"status": status} | ({"comment": options.pop("comment")} if "comment" in options else {})
    reply = one.post("/reviews", body, **options)
    assert reply.status == 201, reply.text
    made: dict[str, Any] = reply.json
    return made


def test_asking_opens_a_draft_and_tells_who_was_asked(world: World, clock: FakeClock) -> None:
    one, grace, alan = propose(world), world.person("read"), world.person("comment")
    clock.advance(1000)
    reply = ask(one, grace, alan, subject=" For review ", description=DOCUMENT)
    assert reply.status == 200
    asked = reply.json["users"]
    assert [requested["user"]["id"] for requested in asked] == [user_of(world, grace), user_of(world, alan)]
    for requested in asked:
        assert set(requested) == {"object", "revision", "requestedBy", "createdAt", "kind", "user"}
        assert (requested["object"], requested["kind"]) == ("change-request-requested-reviewer", "user")
        assert requested["revision"] == one.shown["revision"]
        assert requested["requestedBy"]["id"] == user_of(world, world.api.token or "")
        assert re.fullmatch(MOMENT, requested["createdAt"])
    shown = one.shown
    assert (shown["status"], shown["subject"]) == ("open", "For review")
    assert shown["description"]["nodes"]
    assert shown["updatedAt"] > shown["createdAt"]
    listed = one.get("/requested-reviewers")
    assert listed == {"items": asked, "count": 2}


def test_asking_twice_asks_once(world: World, clock: FakeClock) -> None:
    one, grace = propose(world), world.person("read")
    first = ask(one, grace, grace).json["users"]
    assert len(first) == 1
    clock.advance(1000)
    one.write({"Eggs": "# Eggs\n"})
    assert ask(one, grace).json["users"] == first
    assert one.get("/requested-reviewers")["count"] == 1


def test_asking_again_after_a_review_outdates_it(world: World, clock: FakeClock) -> None:
    one, grace = propose(world), world.person("read")
    first = ask(one, grace).json["users"]
    made = review(one, token=grace)
    assert one.get(f"/reviews/{made['id']}")["outdated"] is False
    clock.advance(1000)
    again = ask(one, grace).json["users"]
    assert again[0]["createdAt"] > first[0]["createdAt"]
    assert one.get(f"/reviews/{made['id']}")["outdated"] is True
    assert ask(one, grace).json["users"] == again
    assert one.get("/requested-reviewers")["count"] == 1


def test_a_team_may_be_asked(world: World) -> None:
    one, grace = propose(world), world.person("read")
    editors = team(world, grace)
    reply = one.post("/requested-reviewers", {"users": [], "teams": [editors, editors]})
    assert reply.status == 200
    (requested,) = reply.json["users"]
    assert requested["kind"] == "team"
    assert requested["team"] == {"object": "team", "id": editors, "title": "Editors"}
    assert "user" not in requested
    path = f"/v1/orgs/{world.organization}/change-requests?requestedReviewer={user_of(world, grace)}"
    assert [shown["id"] for shown in world.api.get(path).json["items"]] == [one.id]
    made = review(one, token=grace)
    assert made["requestedBy"]["id"] == user_of(world, world.api.token or "")


def test_who_cannot_see_the_space_cannot_be_asked(world: World) -> None:
    one = propose(world)
    guest, stranger, grace = world.person("guest"), world.person(None), world.person("read")
    assert world.api.patch(f"/v1/spaces/{one.space}", {"defaultLevel": None}).status == 200
    for token in (guest, stranger, grace):
        reply = ask(one, world.api.token or "", token)
        assert (reply.status, "users[1]" in reply.message) == (400, True)
        assert user_of(world, token) in reply.message
    world.grant(grace, "space", one.space, "read")
    assert ask(one, grace).status == 200
    assert one.get("/requested-reviewers")["count"] == 1


def test_wrong_requests_name_the_field(world: World) -> None:
    one = propose(world)
    foreign = team(world, organization=other_organization(world)["id"])
    me = user_of(world, world.api.token or "")
    cases: list[tuple[Any, str]] = [
        ({}, "users"),
        ({"users": []}, "users"),
        ({"users": me}, "users"),
        ({"users": [5]}, "users[0]"),
        ({"users": ["nobody"]}, "users[0]"),
        ({"users": [me, "nobody"]}, "users[1]"),
        ({"users": ["no such/id"]}, "users[0]"),
        ({"users": [me] * 101}, "users"),
        ({"users": [], "teams": ["nothing"]}, "teams[0]"),
        ({"users": [], "teams": [foreign]}, "teams[0]"),
        ({"users": [me], "subject": "x" * 101}, "subject"),
        ({"users": [me], "description": {}}, "description"),
    ]
    check_refusals(world, "POST", one.path + "/requested-reviewers", cases)
    check_json(world, "POST", one.path + "/requested-reviewers")
    assert one.shown["status"] == "draft"
    assert one.get("/requested-reviewers")["count"] == 0


def test_asking_takes_the_edit_role(world: World) -> None:
    body = {"users": [user_of(world, world.api.token or "")]}
    one = propose(world)
    check_roles(world, "edit", "POST", one.path + "/requested-reviewers", body, success=200)
    check_roles(world, "read", "GET", one.path + "/requested-reviewers", success=200)


def test_a_request_is_withdrawn_once(world: World, clock: FakeClock) -> None:
    one, grace = propose(world), world.person("read")
    editors = team(world)
    ask(one, grace, teams=[editors])
    for word in (user_of(world, grace), editors):
        before = one.shown["updatedAt"]
        clock.advance(1000)
        path = f"{one.path}/requested-reviewers/{word}"
        for role, status in (("comment", 403), ("guest", 404), (None, 404)):
            assert world.api.delete(path, token=world.person(role)).status == status
        reply = world.api.delete(path, token=world.person("edit"))
        assert (reply.status, reply.body) == (205, b"")
        assert one.shown["updatedAt"] > before
        assert world.api.delete(path).status == 404
    assert one.get("/requested-reviewers") == {"items": [], "count": 0}
    assert world.api.delete(f"{one.path}/requested-reviewers/nobody").status == 404


def test_a_review_is_served_whole_with_its_location(world: World, clock: FakeClock) -> None:
    one, grace = propose(world), world.person("review")
    clock.advance(1000)
    reply = one.post(
        "/reviews", {"status": "changes-requested", "comment": {"markdown": "Too **short**."}}, token=grace
    )
    assert reply.status == 201
    made = reply.json
    assert set(made) == {
        "object", "id", "revision", "reviewer", "status", "outdated", "comment", "createdAt", "updatedAt", "urls",
    }  # fmt: skip
    assert (made["object"], made["status"]) == ("change-request-review", "changes-requested")
    assert made["revision"] == one.shown["revision"]
    assert made["reviewer"]["id"] == user_of(world, grace)
    assert made["outdated"] is False
    assert made["comment"]["body"] == {"markdown": "Too **short**."}
    assert made["comment"]["target"]["review"] == made["id"]
    assert reply.headers["location"] == made["urls"]["location"]
    assert world.api.get("/v1" + made["urls"]["location"].split("/v1", 1)[1]).json == made
    assert one.get("/reviews") == {"items": [made], "count": 1}
    assert one.shown["updatedAt"] > one.shown["createdAt"]


def test_a_comment_is_given_in_the_form_that_is_asked_for(world: World) -> None:
    one = propose(world)
    for given, markdown in (({"markdown": "Why."}, "Why."), ({"document": DOCUMENT}, "Why.")):
        made = review(one, comment=given)
        path = f"/reviews/{made['id']}"
        assert one.get(path)["comment"]["body"] == {"markdown": markdown}
        assert one.get(path + "?format=markdown")["comment"]["body"] == {"markdown": markdown}
        document = one.get(path + "?format=document")["comment"]["body"]["document"]
        assert document["object"] == "document"
        assert document["nodes"][0]["nodes"][0]["leaves"][0]["text"] == "Why."
        assert one.get("/reviews?format=document")["items"][0]["comment"]["body"] == {"document": document}
    for nothing in ({}, {"markdown": ""}):
        assert "comment" not in review(one, comment=nothing)


@pytest.mark.parametrize(
    ("role", "asked", "expected"),
    [
        ("read", False, 403), ("comment", False, 403), ("edit", False, 403), ("review", False, 201),
        ("create", False, 201), ("admin", False, 201), ("guest", False, 404), (None, False, 404),
        ("read", True, 201), ("comment", True, 201), ("edit", True, 201), ("review", True, 201),
    ],
)  # fmt: skip
def test_who_may_review(world: World, role: str | None, asked: bool, expected: int) -> None:
    one, token = propose(world), world.person(role)
    if asked:
        assert ask(one, token).status == 200
    reply = one.post("/reviews", {"status": "approved"}, token=token)
    assert reply.status == expected
    assert one.get("/reviews")["count"] == int(expected == 201)
    if expected == 201:
        assert ("requestedBy" in reply.json) is asked


def test_being_asked_elsewhere_is_not_being_asked_here(world: World) -> None:
    space, token = world.space()["id"], world.person("read")
    one, other = propose(world, space), propose(world, space)
    ask(one, token)
    assert other.post("/reviews", {"status": "approved"}, token=token).status == 403


def test_reviews_of_one_reviewer_supersede_one_another(world: World, clock: FakeClock) -> None:
    one, grace = propose(world), world.person("review")
    first = review(one, "changes-requested", token=grace)
    clock.advance(10)
    other = review(one)
    clock.advance(10)
    second = review(one, token=grace)
    listed = one.get("/reviews")["items"]
    assert [(made["id"], made["outdated"]) for made in listed] == [
        (second["id"], False), (other["id"], False), (first["id"], True)
    ]  # fmt: skip
    for word, expected in (("true", [first["id"]]), ("false", [second["id"], other["id"]])):
        filtered = one.get(f"/reviews?outdated={word}")
        assert ([made["id"] for made in filtered["items"]], filtered["count"]) == (expected, len(expected))


def test_a_review_is_outdated_when_the_content_changes(world: World) -> None:
    one = propose(world)
    made = review(one)
    one.write({"Eggs": "# Eggs\n"})
    assert one.get(f"/reviews/{made['id']}") == made | {"outdated": True}
    assert one.get("/reviews?outdated=false")["count"] == 0


def test_one_reviewer_has_one_standing_review_however_fast_they_are(world: World) -> None:
    one = propose(world)

    async def together() -> list[Reply]:
        sent = (world.api.send("POST", one.path + "/reviews", {"status": "approved"}) for _ in range(8))
        return list(await asyncio.gather(*sent))

    assert {reply.status for reply in world.run(together())} == {201}
    assert one.get("/reviews?outdated=false")["count"] == 1
    assert one.get("/reviews")["count"] == 8


@pytest.mark.parametrize(("status", "expected"), [("draft", 200), ("open", 200), ("archived", 409), ("merged", 409)])
def test_which_status_takes_reviews(world: World, status: str, expected: int) -> None:
    one = propose(world)
    if status != "draft":
        one.become(status)
    asked, reviewed = ask(one, world.person("read")), one.post("/reviews", {"status": "approved"})
    assert (asked.status, reviewed.status) == (expected, 201 if expected == 200 else 409)
    for reply in (asked, reviewed):
        assert reply.status < 400 or status in reply.message
    assert one.shown["status"] == ("open" if expected == 200 else status)
    assert one.get("/reviews")["count"] == one.get("/requested-reviewers")["count"] == int(expected == 200)


def test_wrong_reviews_name_the_field(world: World) -> None:
    one = propose(world)
    cases: list[tuple[Any, str]] = [
        ({}, "status"),
        ({"status": "rejected"}, "status"),
        ({"status": None}, "status"),
        ({"status": "approved", "comment": "text"}, "comment"),
        ({"status": "approved", "comment": {"markdown": 5}}, "comment.markdown"),
        ({"status": "approved", "comment": {"document": {}}}, "comment.document"),
        ({"status": "approved", "comment": {"markdown": "a", "document": DOCUMENT}}, "comment"),
        (
            {
                "status": "approved",
                "comment": {"document": {"object": "document", "nodes": [{"object": "block", "type": "math"}]}},
            },
            "comment.document",
        ),
    ]
    check_refusals(world, "POST", one.path + "/reviews", cases)
    check_json(world, "POST", one.path + "/reviews")
    assert one.get("/reviews")["count"] == 0
    for query in ("outdated=perhaps", "format=html"):
        assert world.api.get(f"{one.path}/reviews?{query}").status == 400


def test_reviews_are_found_within_their_change_request_only(world: World) -> None:
    space = world.space()["id"]
    one, other = propose(world, space), propose(world, space)
    made = review(one)
    for word in (made["id"], "nothing"):
        assert world.api.get(f"{other.path}/reviews/{word}").status == 404
    check_roles(world, "read", "GET", f"{one.path}/reviews/{made['id']}", success=200)
    check_roles(world, "read", "GET", f"{one.path}/reviews", success=200)


def test_pages_of_the_lists_join(world: World, clock: FakeClock) -> None:
    one = propose(world)
    people = [world.person("review") for _ in range(5)]
    ask(one, *people)
    for token in people:
        clock.advance(10)
        review(one, token=token)
        one.write({f"By {token[-4:]}": "# Mine\n"}, token=token)
    for path, field in (("/requested-reviewers", "user"), ("/reviews", "reviewer"), ("/contributors", "user")):
        seen, page = [], ""
        while True:
            listed = one.get(f"{path}?limit=2{page}")
            seen += [shown[field]["id"] for shown in listed["items"]]
            if "next" not in listed:
                break
            page = f"&page={listed['next']['page']}"
        assert len(seen) == listed["count"] == len(set(seen)), path
        assert {user_of(world, token) for token in people} <= set(seen)


def test_contributors_are_those_who_created_and_edited_it(world: World, clock: FakeClock) -> None:
    one, grace = propose(world), world.person("edit")
    clock.advance(1000)
    for number in range(3):
        one.write({f"Page {number}": "# Page\n"}, token=grace)
    listed = one.get("/contributors")
    assert listed["count"] == 2
    assert [(shown["user"]["id"], shown["actionType"], shown["count"]) for shown in listed["items"]] == [
        (user_of(world, grace), "edit", 3), (user_of(world, world.api.token or ""), "edit", 1)
    ]  # fmt: skip
    assert listed["items"][0]["updatedAt"] > listed["items"][1]["updatedAt"]
    check_roles(world, "read", "GET", one.path + "/contributors", success=200)
