"""What is said of a body or a query that does not fit: where, what is wrong, what is allowed."""

from __future__ import annotations

from typing import Any

import pytest

from tests.client import World

ROLES = "read, comment, edit, review, create, admin"


@pytest.mark.parametrize(
    ("method", "path", "body", "said"),
    [
        ("PATCH", "{space}", {"title": 3}, "title: expected a text, got a whole number"),
        ("PATCH", "{space}", {"title": "x" * 51}, "title: expected at most 50 characters"),
        ("PATCH", "{space}", {"editMode": "open"}, "editMode: 'open' is not allowed here; allowed is live or locked"),
        ("PATCH", "{space}", {"mergeRules": {"type": "all"}}, "mergeRules.type: 'all' is not allowed here; allowed is "),
        ("PATCH", "{space}", [], "the body: expected an object, got a list"),
        ("POST", "{space}/permissions", {"role": "writer"}, "role: 'writer' is not allowed here; allowed is "),
        ("POST", "{space}/permissions", {"users": []}, "role: this field is required"),
        (
            "POST", "{space}/content", {"changes": [{"operation": "add"}]},
            "changes[0].operation: 'add' is not allowed here; allowed is ",
        ),
        (
            "POST", "{space}/content", {"changes": [{"operation": "insert_page", "document": {}, "slug": "a/b"}]},
            "changes[0].slug: expected one segment of a path, without / ? # and white space, or nothing",
        ),
        (
            "POST", "{space}/content", {"changes": [{"operation": "delete_page", "page": "a b"}]},
            "changes[0].page: expected an id: letters, digits, - and _",
        ),
        ("POST", "{space}/content", {"changes": []}, "changes: expected at least 1 item"),
        (
            "POST", "{space}/content",
            {"changes": [{"operation": "insert_files", "files": [
                {"name": "a/b.png", "source": {"base64": "", "contentType": "image/png"}}]}]},
            "changes[0].files[0].name: expected a file name without separators and control characters",
        ),
        ("POST", "/v1/user/tokens", {"expiresAt": "soon"}, "expiresAt: expected a time with an offset, as in 2026-"),
        ("GET", "/v1/orgs?limit=5000", None, "limit: expected a whole number of at most 1000"),
        ("GET", "/v1/orgs?limit=many", None, "limit: expected a whole number, got a text"),
        ("GET", "{space}/links?status=x", None, "status: 'x' is not allowed here; allowed is broken, in-app or ok"),
        ("GET", "{organization}/audit-events?to=0.5", None, "to: expected a time with an offset, as in 2026-"),
        ("GET", "{organization}/audit-events?from=1700000000", None, "from: expected a time with an offset, as in 2"),
    ],
)  # fmt: skip
def test_a_sentence_says_what_is_allowed(world: World, method: str, path: str, body: Any, said: str) -> None:
    at = path.format(space=f"/v1/spaces/{world.space()['id']}", organization=f"/v1/orgs/{world.organization}")
    reply = world.api.request(method, at, body)
    assert reply.status == 400
    assert reply.message.startswith(said), reply.message
    assert not {"`str`", "regex", "enum"} & {*reply.message.split()}


def test_all_roles_are_named(world: World) -> None:
    reply = world.api.post(f"/v1/spaces/{world.space()['id']}/permissions", {"role": "writer"})
    assert all(role in reply.message for role in (*ROLES.split(", "), "null"))


def test_ignored_fields_are_named(world: World) -> None:
    path = f"/v1/spaces/{world.space()['id']}"
    answered = world.api.patch(path, {"title": "Guide", "titel": "Guid", "mergeRules": {"type": "none", "rule": []}})
    assert answered.status == 200
    assert answered.headers["octavo-warning"] == "fields that were ignored: titel, mergeRules.rule"
    changes = [{"operation": "insert_page", "document": {"markdown": "# A"}, "tilte": "B"}]
    request = world.api.post(f"{path}/change-requests", {}).json["id"]
    answered = world.api.post(f"{path}/change-requests/{request}/content", {"changes": changes})
    assert answered.headers["octavo-warning"].endswith(": changes[0].tilte")
    strange = world.api.patch(path, {"ä\r\nset-cookie: a": 1})
    assert strange.headers["octavo-warning"].endswith(": ???set-cookie: a")
    assert "set-cookie" not in strange.headers
    assert "octavo-warning" not in world.api.patch(path, {"title": "Guide"}).headers
    assert "octavo-warning" not in world.api.patch(path, {}).headers


def test_what_changes_nothing_is_no_event(world: World) -> None:
    space = world.space()["id"]

    def told() -> int:
        events = f"/v1/orgs/{world.organization}/audit-events?target={space}&action=space.update"
        return len(world.api.get(events).json["items"])

    for body in ({}, {"unknown": 1}):
        assert world.api.patch(f"/v1/spaces/{space}", body).status == 200
    assert told() == 0
    world.api.patch(f"/v1/spaces/{space}", {"title": "Guide"})
    assert told() == 1
