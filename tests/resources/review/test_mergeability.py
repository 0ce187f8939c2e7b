"""What merge rules still ask for: each of them, for whoever asks, before anybody tries to merge."""

from __future__ import annotations

from typing import Any

from tests.client import World


def _request(world: World, *rules: dict[str, Any]) -> str:
    space = world.space()["id"]
    body = {"mergeRules": {"type": "rules", "rules": list(rules)}} if rules else {"mergeRules": {"type": "none"}}
    assert world.api.patch(f"/v1/spaces/{space}", body).status == 200
    number = world.api.post(f"/v1/spaces/{space}/change-requests", {"subject": "Terns"}).json["number"]
    return f"/v1/spaces/{space}/change-requests/{number}"


def _said(world: World, path: str, token: str | None = None) -> Any:
    reply = world.api.get(f"{path}/mergeability", token=token)
    assert reply.status == 200, reply.text
    return reply.json


def test_each_rule_says_what_is_missing(world: World) -> None:
    path = _request(world, {"rule": "require_at_least_one_review"}, {"rule": "require_change_request_subject"})
    said = _said(world, path)
    assert (said["mergeable"], said["bypassed"]) == (False, False)
    assert said["rules"] == [
        {
            "rule": "require_at_least_one_review",
            "met": False,
            "missing": "nobody but the author has reviewed it as it is now",
        },
        {"rule": "require_change_request_subject", "met": True},
    ]
    assert world.api.post(f"{path}/merge").status == 409
    reviewer = world.person("review")
    assert world.api.post(f"{path}/reviews", {"status": "approved"}, token=reviewer).status == 201
    assert _said(world, path)["mergeable"] is True
    assert world.api.post(f"{path}/merge").status == 200
    assert _said(world, path)["mergeable"] is False, "it is merged"


def test_nothing_is_asked_for(world: World) -> None:
    assert _said(world, _request(world)) == {
        "object": "change-request-mergeability",
        "mergeable": True,
        "bypassed": False,
        "rules": [],
    }


def test_whom_the_rules_do_not_bind(world: World) -> None:
    me = world.api.get("/v1/user").json["id"]
    path = _request(world, {"rule": "require_at_least_one_review"}, {"rule": "allow_bypass", "users": [me]})
    mine, hers = _said(world, path), _said(world, path, world.person("review"))
    assert (mine["mergeable"], mine["bypassed"], len(mine["rules"])) == (True, True, 1)
    assert (hers["mergeable"], hers["bypassed"]) == (False, False)
    assert world.api.get(f"{path}/mergeability", token=world.person(None)).status == 404
