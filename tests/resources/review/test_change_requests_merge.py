"""POST /spaces/{space}/change-requests/{cr}/merge and …/update."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any

import pytest

from tests.client import Reply, World
from tests.conftest import FakeClock
from tests.resources.checks import check_roles
from tests.resources.proposals import Proposal, propose, texts_of, user_of, write_primary
from tests.resources.review.test_change_requests import DOCUMENT, counters

TEXT = "# Nests\n\nReed.\n\nStraw.\n\nWool.\n"
MOSS, MUD = TEXT.replace("Straw.", "Moss."), TEXT.replace("Straw.", "Mud.")


def primary(world: World, space: str) -> str:
    return f"/v1/spaces/{space}/content"


def head(world: World, space: str) -> str:
    shown: str = world.api.get(f"/v1/spaces/{space}").json["revision"]
    return shown


def with_text(world: World, text: str = TEXT) -> str:
    """A space with a page."""
    space: str = world.space(empty=True)["id"]
    write_primary(world, space, {"Nests": text})
    return space


def test_a_merge_brings_the_edits_into_primary_content(world: World, clock: FakeClock) -> None:
    space = with_text(world)
    one = propose(world, space, {"Nests": MOSS, "Eggs": "# Eggs\n"}, subject="Moss").become("open")
    before = head(world, space)
    clock.advance(1000)
    reply = one.post("/merge")
    assert reply.status == 200
    assert reply.json == {"revision": head(world, space), "result": "merge"}
    assert reply.json["revision"] != before
    assert texts_of(world, primary(world, space)) == {"Nests": MOSS, "Eggs": "# Eggs\n"}
    shown = one.shown
    assert (shown["status"], shown["revisionMerged"], shown["outdated"]) == ("merged", reply.json["revision"], False)
    assert shown["mergedBy"]["id"] == user_of(world, world.api.token or "")
    assert shown["mergedAt"] == shown["updatedAt"] > shown["createdAt"]
    assert counters(world, space) == (1, 0, 0)


def test_a_merge_is_told_by_the_revision_that_it_made(world: World) -> None:
    one = propose(world, with_text(world), {"Nests": MOSS})
    own = one.shown["revision"]
    merged = one.post("/merge").json["revision"]
    revision = world.api.get(f"/v1/spaces/{one.space}/revisions/{merged}").json
    assert revision["type"] == "merge"
    assert own in revision["parents"]
    assert revision["mergedFrom"] == one.shown
    assert "mergedFrom" not in world.api.get(f"/v1/spaces/{one.space}/revisions/{own}").json


def test_edits_on_both_sides_are_joined(world: World) -> None:
    space = with_text(world)
    one = propose(world, space, {"Nests": TEXT.replace("Reed.", "Rush.")})
    write_primary(world, space, {"Nests": TEXT.replace("Wool.", "Down."), "News": "# News\n"})
    assert one.post("/merge").json["result"] == "merge"
    joined = TEXT.replace("Reed.", "Rush.").replace("Wool.", "Down.")
    assert texts_of(world, primary(world, space)) == {"Nests": joined, "News": "# News\n"}


def test_a_conflict_is_merged_and_told(world: World) -> None:
    space = with_text(world)
    one = propose(world, space, {"Nests": MOSS})
    write_primary(world, space, {"Nests": MUD})
    reply = one.post("/merge")
    assert (reply.status, reply.json["result"]) == (200, "conflicts")
    assert reply.json["conflicts"]
    assert one.shown["status"] == "merged"
    text = texts_of(world, primary(world, space))["Nests"]
    assert "Mud." in text
    assert "Moss." in text


def test_nothing_to_merge_leaves_the_head(world: World) -> None:
    space = with_text(world)
    before = head(world, space)
    one = propose(world, space)
    assert one.post("/merge").json == {"revision": before, "result": "merge"}
    assert (one.shown["status"], one.shown["revisionMerged"], head(world, space)) == ("merged", before, before)
    other = propose(world, space)
    moved = write_primary(world, space, {"Nests": MUD})
    assert other.post("/merge").json == {"revision": moved, "result": "merge"}
    assert head(world, space) == moved, "what changed nothing takes back nothing"


def test_an_update_brings_primary_content_in(world: World, clock: FakeClock) -> None:
    space = with_text(world)
    one = propose(world, space, {"Eggs": "# Eggs\n"}).become("open")
    own = one.shown["revision"]
    moved = write_primary(world, space, {"Nests": MUD})
    assert one.shown["outdated"] is True
    clock.advance(1000)
    reply = one.post("/update")
    assert (reply.status, reply.json["result"]) == (200, "update")
    shown = one.shown
    assert shown["revision"] == reply.json["revision"] != own
    assert (shown["revisionMergedAncestor"], shown["outdated"], shown["status"]) == (moved, False, "open")
    assert shown["updatedAt"] > shown["createdAt"]
    assert texts_of(world, one.path + "/content") == {"Nests": MUD, "Eggs": "# Eggs\n"}
    assert texts_of(world, primary(world, space)) == {"Nests": MUD}
    revision = world.api.get(f"/v1/spaces/{space}/revisions/{shown['revision']}").json
    assert (revision["type"], set(revision["parents"])) == ("update", {own, moved})


def test_an_update_with_a_conflict_tells_it(world: World) -> None:
    space = with_text(world)
    one = propose(world, space, {"Nests": MOSS})
    write_primary(world, space, {"Nests": MUD})
    reply = one.post("/update")
    assert (reply.status, reply.json["result"]) == (200, "conflicts")
    assert reply.json["conflicts"]
    assert one.shown["outdated"] is False


def test_nothing_to_update_leaves_it_as_it_is(world: World, clock: FakeClock) -> None:
    one = propose(world, with_text(world), {"Nests": MOSS})
    before = one.shown
    clock.advance(1000)
    assert one.post("/update").json == {"revision": before["revision"], "result": "update"}
    assert one.shown == before


def test_primary_content_that_moved_and_came_back_is_followed(world: World) -> None:
    space = with_text(world)
    one = propose(world, space, {"Eggs": "# Eggs\n"})
    own = one.shown["revision"]
    write_primary(world, space, {"Nests": MUD})
    back = write_primary(world, space, {"Nests": TEXT})
    assert one.shown["outdated"] is True
    assert one.post("/update").json["result"] == "update"
    assert (one.shown["outdated"], one.shown["revisionMergedAncestor"]) == (False, back)
    assert one.shown["revision"] == own


def test_a_merge_after_an_update_has_the_update_s_base(world: World) -> None:
    space = with_text(world)
    one = propose(world, space, {"Nests": MOSS})
    write_primary(world, space, {"News": "# News\n"})
    one.post("/update")
    write_primary(world, space, {"News": "# News\n\nMore.\n"})
    assert one.post("/merge").json["result"] == "merge"
    assert texts_of(world, primary(world, space)) == {"Nests": MOSS, "News": "# News\n\nMore.\n"}


ALLOWED = {"draft": 200, "open": 200, "archived": 409, "merged": 409}


@pytest.mark.parametrize("verb", ["merge", "update"])
@pytest.mark.parametrize("status", ALLOWED)
def test_which_status_allows_it(world: World, status: str, verb: str) -> None:
    one = propose(world, texts={"Eggs": "# Eggs\n"})
    if status != "draft":
        one.become(status)
    before = one.shown
    reply = one.post(f"/{verb}")
    assert reply.status == ALLOWED[status]
    if reply.status == 409:
        assert status in reply.message
        assert one.shown == before
    else:
        assert one.shown["status"] == ("merged" if verb == "merge" else status)


def test_merging_takes_the_review_role(world: World) -> None:
    space = world.space()["id"]
    check_roles_of_each(world, space, "review", "merge")


def test_updating_takes_the_edit_role(world: World) -> None:
    space = world.space()["id"]
    check_roles_of_each(world, space, "edit", "update")


def check_roles_of_each(world: World, space: str, least: str, verb: str) -> None:
    """A merge happens once, so that every role has a change request of its own."""
    one = propose(world, space)
    if verb == "update":
        check_roles(world, least, "POST", one.path + "/update", success=200)
        return
    for role, expected in (
        ("read", 403), ("comment", 403), ("edit", 403), ("review", 200), ("create", 200), ("admin", 200),
        ("guest", 404), (None, 404),
    ):  # fmt: skip
        fresh = propose(world, space)
        assert fresh.post("/merge", token=world.person(role)).status == expected, role
        assert (fresh.shown["status"] == "merged") is (expected == 200)


def test_merging_needs_a_scope_of_its_own(world: World) -> None:
    one = propose(world)
    token = world.person("admin")

    async def limit(unit: Any) -> None:
        from octavo.kernel.ids import token_hash
        from octavo.store.people.people import TOKENS

        held = await unit.people.token_by_hash(token_hash(token))
        await TOKENS.change(unit.at, held, scopes=["space:read", "space:write"])

    world.run(world.house.store.write(limit))
    assert one.post("/update", token=token).status == 200
    reply = one.post("/merge", token=token)
    assert (reply.status, "change-request:merge" in reply.message) == (403, True)


def test_one_of_many_merges_at_the_same_time_wins(world: World) -> None:
    one = propose(world, with_text(world), {"Nests": MOSS})

    async def together() -> list[Reply]:
        return list(await asyncio.gather(*(world.api.send("POST", one.path + "/merge") for _ in range(6))))

    assert Counter(reply.status for reply in world.run(together())) == {200: 1, 409: 5}
    assert counters(world, one.space) == (1, 0, 0)


def test_different_ones_merged_at_the_same_time_are_all_in_primary_content(world: World) -> None:
    space = with_text(world)
    made = [propose(world, space, {f"Page {n}": f"# Page {n}\n"}) for n in range(8)]

    async def together() -> list[Reply]:
        return list(await asyncio.gather(*(world.api.send("POST", one.path + "/merge") for one in made)))

    assert {reply.status for reply in world.run(together())} == {200}
    assert set(texts_of(world, primary(world, space))) == {"Nests", *(f"Page {n}" for n in range(8))}
    assert counters(world, space) == (8, 0, 0)


def set_rules(world: World, space: str, *rules: dict[str, Any], organization: bool = False) -> None:
    path = f"/v1/orgs/{world.organization}" if organization else f"/v1/spaces/{space}"
    reply = world.api.patch(path, {"mergeRules": {"type": "rules", "rules": list(rules)}})
    assert reply.status == 200, reply.text


def refused(one: Proposal, rule: str, **options: Any) -> None:
    reply = one.post("/merge", **options)
    assert (reply.status, rule in reply.message) == (409, True), reply.text
    assert one.shown["status"] != "merged"


def test_rules_hold_until_they_are_met(world: World) -> None:
    one = propose(world)
    names = ("require_change_request_subject", "require_change_request_description", "require_at_least_one_review")
    set_rules(world, one.space, *({"rule": name} for name in names))
    refused(one, names[0])
    one.patch(subject="Moss for straw")
    refused(one, names[1])
    one.patch(description=DOCUMENT)
    refused(one, names[2])
    assert one.post("/reviews", {"status": "approved"}).status == 201
    refused(one, names[2])
    assert one.post("/reviews", {"status": "approved"}, token=world.person("review")).status == 201
    assert one.post("/merge").status == 200


def test_an_approval_counts_for_what_was_approved(world: World) -> None:
    one = propose(world)
    set_rules(world, one.space, {"rule": "require_at_least_one_approved_review"})
    token = world.person("review")
    one.post("/reviews", {"status": "approved"}, token=token)
    one.write({"Eggs": "# Eggs\n"})
    refused(one, "require_at_least_one_approved_review")
    one.post("/reviews", {"status": "approved"}, token=token)
    assert one.post("/merge").status == 200


def test_who_may_bypass_merges_whatever_the_rules_say(world: World) -> None:
    one = propose(world)
    token = world.person("review")
    set_rules(
        world, one.space, {"rule": "require_agent_review"}, {"rule": "allow_bypass", "users": [user_of(world, token)]}
    )
    refused(one, "require_agent_review")
    assert one.post("/merge", token=token).status == 200


def test_a_space_that_inherits_has_the_rules_of_the_organization(world: World) -> None:
    space = world.space()["id"]
    set_rules(world, space, {"rule": "require_author_to_merge"}, organization=True)
    token = world.person("review")
    refused(propose(world, space), "require_author_to_merge", token=token)
    assert world.api.patch(f"/v1/spaces/{space}", {"mergeRules": {"type": "none"}}).status == 200
    assert propose(world, space).post("/merge", token=token).status == 200
    assert world.api.patch(f"/v1/spaces/{space}", {"mergeRules": {"type": "inherit"}}).status == 200
    refused(propose(world, space), "require_author_to_merge", token=token)


def test_an_outdated_one_has_to_be_updated_first(world: World) -> None:
    one = propose(world, with_text(world), {"Nests": MOSS})
    set_rules(world, one.space, {"rule": "require_up_to_date_change_request"})
    write_primary(world, one.space, {"News": "# News\n"})
    refused(one, "require_up_to_date_change_request")
    one.post("/update")
    assert one.post("/merge").status == 200


def test_a_custom_rule_names_people_and_states(world: World) -> None:
    one = propose(world, subject="[minor] Moss")
    alan = world.person("review")
    expression = (
        'changeRequest.createdBy.id === actor.id ? changeRequest.subject.startsWith("[minor]") && !changeRequest.outdated'
        f' : reviews.some(r => r.reviewer.id === "{user_of(world, alan)}" && r.status === "approved")'
        f' && space.id === "{one.space}"'
    )
    set_rules(world, one.space, {"rule": "custom", "expression": expression, "message": "ask Alan"})
    refused(one, "ask Alan", token=alan)
    one.post("/reviews", {"status": "approved"}, token=alan)
    assert one.post("/merge", token=alan).status == 200
    other = propose(world, one.space, subject="Major")
    refused(other, "ask Alan")
    other.patch(subject="[minor] Other")
    assert other.post("/merge").status == 200


def test_rules_that_nobody_could_read_are_refused_when_they_are_set(world: World) -> None:
    path = f"/v1/spaces/{world.space()['id']}"
    for rule in (
        {"rule": "require_nothing"},
        {"rule": "allow_bypass"},
        {"rule": "require_specific_reviewers", "users": "u1"},
        {"rule": "custom"},
        {"rule": "custom", "expression": "reviews.filter("},
        {"rule": "custom", "expression": "x" * 1025},
    ):
        reply = world.api.patch(path, {"mergeRules": {"type": "rules", "rules": [rule]}})
        assert (reply.status, "mergeRules.rules[0]" in reply.message) == (400, True), reply.text
    assert world.api.get(path).json["mergeRules"] == {"type": "inherit"}
