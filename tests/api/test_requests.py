"""What every request meets before and after its operation: routes, methods, bodies, headers, the one error shape."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import Any

import pytest

from octavo.store.database.engine import Engine
from tests.client import Reply, World
from tests.conftest import FakeClock, opened_world
from tests.web.requests import Sent

PREFLIGHT = {"origin": "https://editor.test", "access-control-request-method": "PATCH"}


def _errors(world: World) -> dict[int, Reply]:
    """One error of each kind that a request can meet."""
    space = world.space()["id"]
    path = f"/v1/spaces/{space}"
    org = f"/v1/orgs/{world.organization}"
    one, other = world.site(title="One", publish=False)["id"], world.site(title="Other", publish=False)["id"]
    world.api.patch(f"{org}/sites/{one}", {"basename": f"taken-{one}"})
    return {
        400: world.api.patch(path, {"title": 5}),
        401: world.api.get(path, token=""),
        403: world.api.patch(path, {"title": "x"}, token=world.person("read")),
        404: world.api.get("/v1/spaces/nothing"),
        405: world.api.delete("/v1/user"),
        409: world.api.patch(f"{org}/sites/{other}", {"basename": f"taken-{one}"}),
        413: world.api.patch(path, body=b" " * ((1 << 20) + 1)),
        415: world.api.patch(path, body=b"title=x", headers={"content-type": "application/x-www-form-urlencoded"}),
    }


def test_one_shape_of_errors(world: World) -> None:
    for status, reply in _errors(world).items():
        assert reply.status == status
        assert reply.headers["content-type"].startswith("application/json")
        assert len(reply.message) > 5
        assert reply.headers["x-request-id"]
        assert reply.headers["content-length"] == str(len(reply.body))


@pytest.mark.parametrize(
    "path",
    ["/v1/nothing", "/v1/spaces", "/v1/orgs/x/nothing", "/v1/user/more", "/v1/spaces/a/b/c", "/v1/%2e%2e"],
)
def test_an_unknown_route(world: World, path: str) -> None:
    for method in ("GET", "POST", "DELETE"):
        reply = world.api.request(method, path)
        assert reply.status == 404
        assert reply.message


def test_a_known_route_with_another_method(world: World) -> None:
    for method, path, allowed in (
        ("DELETE", "/v1/user", {"GET"}),
        ("PUT", "/v1/orgs", {"GET", "POST"}),
        ("POST", f"/v1/orgs/{world.organization}", {"GET", "PATCH"}),
        ("PATCH", "/v1/spaces/x/content", {"GET"}),
        ("GET", "/v1/spaces/x/git/import", {"POST"}),
        ("BREW", "/v1/user", {"GET"}),
        ("OPTIONS", "/v1/user", {"GET"}),
    ):
        reply = world.api.request(method, path)
        assert reply.status == 405, f"{method} {path}"
        assert reply.message
        allow = {word.strip() for word in reply.headers["allow"].split(",")}
        assert allowed <= allow
        assert method not in allow


def test_bodies_have_a_cap(world: World) -> None:
    path, limit = f"/v1/spaces/{world.space()['id']}", 1 << 20
    fits = b'{"title": "Fits"' + b" " * (limit - 17) + b"}"
    assert len(fits) == limit
    assert world.api.patch(path, body=fits).json["title"] == "Fits"
    for raw in (fits[:-1] + b" }", b"[" * (limit + 1)):
        assert world.api.patch(path, body=raw).status == 413
    declared = world.api.patch(path, body=b"{}", headers={"content-length": str(limit + 1)})
    assert declared.status == 413
    assert world.api.get(path).json["title"] == "Fits"


def test_the_cap_is_a_setting(
    engine: Engine, clock: FakeClock, memory_folder: Path, loop: asyncio.AbstractEventLoop
) -> None:
    for cap in (1000, 1 << 21):
        with opened_world(engine, clock, memory_folder, loop, body_max=cap) as world:
            path = f"/v1/spaces/{world.space()['id']}"
            assert world.api.patch(path, body=b"{" + b" " * (cap - 2) + b"}").status == 200, cap
            assert world.api.patch(path, body=b"{" + b" " * (cap - 1) + b"}").status == 413, cap


def test_bodies_are_json(world: World) -> None:
    path = f"/v1/spaces/{world.space()['id']}"
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "application/jsonp", "json"):
        reply = world.api.patch(path, body=b'{"title": "Other"}', headers={"content-type": kind})
        assert reply.status == 415, kind
    for kind in ("application/json", "application/json; charset=utf-8", "Application/JSON"):
        assert world.api.patch(path, body=b'{"title": "Json"}', headers={"content-type": kind}).status == 200, kind
    assert world.api.patch(path, headers={"content-type": "text/plain"}).status == 200


def test_a_body_is_text_in_what_is_ignored_too(world: World) -> None:
    path = f"/v1/spaces/{world.space()['id']}"
    for wrong in (b'{"title": "\xff"}', b'{"nonsense": "\xff"}', b'{"nonsense": {"a": ["\xc3("]}}', b'{"\xff": 1}'):
        reply = world.api.patch(path, body=wrong, headers={"content-type": "application/json"})
        assert reply.status == 400, wrong
        assert "JSON" in reply.message


def test_a_deep_body_is_no_crash(world: World) -> None:
    path = f"/v1/spaces/{world.space()['id']}"
    for raw in (b"[" * 200_000, b'{"a":' * 100_000, b'{"nonsense":' + b"[" * 50_000 + b"]" * 50_000 + b"}"):
        assert world.api.patch(path, body=raw).status in (200, 400)


def test_the_place_of_a_mistake_is_its_path(world: World) -> None:
    reply = world.api.patch(f"/v1/orgs/{world.organization}", {"emailDomains": ["fine.test", 5], "title": "Not saved"})
    assert reply.status == 400
    assert "emailDomains[" in reply.message
    nested = world.api.patch(f"/v1/orgs/{world.organization}", {"defaultContent": {"type": "site", "site": 5}})
    assert "defaultContent.site" in nested.message
    assert world.api.get(f"/v1/orgs/{world.organization}").json["title"] == "Test organization"


def test_every_answer_has_its_own_request_id(world: World) -> None:
    replies = [world.api.get("/v1/user") for _ in range(3)] + [
        world.api.get("/v1/nothing"),
        world.api.get("/v1/user", token=""),
    ]
    assert len({reply.headers["x-request-id"] for reply in replies}) == len(replies)


def test_head_is_get_without_a_body(world: World) -> None:
    space = world.space()
    for path in (f"/v1/spaces/{space['id']}", f"/v1/orgs/{world.organization}/spaces?limit=1", "/v1/user"):
        got, head = world.api.get(path), world.api.request("HEAD", path)
        assert (head.status, head.body) == (200, b"")
        for name in ("content-type", "content-length"):
            assert head.headers[name] == got.headers[name]
    assert world.api.request("HEAD", "/v1/spaces/nothing").status == 404
    assert world.api.request("HEAD", "/v1/spaces/nothing").body == b""
    assert world.api.request("HEAD", "/v1/user", token="").status == 401


def test_a_preflight_needs_no_token(world: World) -> None:
    for path in ("/v1/user", "/v1/spaces/x", f"/v1/orgs/{world.organization}/sites"):
        reply = world.api.request("OPTIONS", path, token="", headers=PREFLIGHT)
        assert reply.status in (200, 204)
        assert reply.headers["access-control-allow-origin"] in ("*", PREFLIGHT["origin"])
        methods = {word.strip() for word in reply.headers["access-control-allow-methods"].split(",")}
        assert {"GET", "POST", "PUT", "PATCH", "DELETE"} <= methods
        asked = {word.strip().lower() for word in reply.headers["access-control-allow-headers"].split(",")}
        assert {"authorization", "content-type"} <= asked


def test_pages_elsewhere_may_read_answers_and_errors(world: World) -> None:
    for path in ("/v1/user", "/v1/nothing"):
        reply = world.api.get(path, headers={"origin": "https://editor.test"})
        assert reply.headers["access-control-allow-origin"] in ("*", "https://editor.test")
        shown = reply.headers["access-control-expose-headers"].lower()
        assert "x-ratelimit-remaining" in shown
        assert "location" in shown
        assert "access-control-allow-credentials" not in reply.headers
    assert "access-control-allow-origin" not in world.api.get("/v1/user").headers


def test_origins_are_a_setting(
    engine: Engine, clock: FakeClock, memory_folder: Path, loop: asyncio.AbstractEventLoop
) -> None:
    with opened_world(engine, clock, memory_folder, loop, cors_origins=["https://editor.test"]) as world:
        allowed = world.api.get("/v1/user", headers={"origin": "https://editor.test"})
        assert allowed.headers["access-control-allow-origin"] == "https://editor.test"
        for origin in ("https://evil.test", "https://editor.test.evil.test", "http://editor.test", "null"):
            reply = world.api.get("/v1/user", headers={"origin": origin})
            assert "access-control-allow-origin" not in reply.headers
        assert "origin" in allowed.headers.get("vary", "").lower()


ODD_WORDS = ("%00", "%ff", "%ED%A0%80", "%F0%9F%A6%89", "a%0Ab", "'", "%22", "%25", "..", "-", "a" * 4000, "%2F", "%20")


def test_odd_words_in_paths_name_nothing(world: World) -> None:
    for word in ODD_WORDS:
        for path in (
            f"/v1/spaces/{word}", f"/v1/orgs/{word}", f"/v1/orgs/{world.organization}/sites/{word}",
            f"/v1/spaces/{word}/content/page/x", f"/v1/spaces/{word}/git/info",
        ):  # fmt: skip
            reply = world.api.get(path)
            assert reply.status in (400, 404), f"{path[:60]} {reply.status} {reply.text[:200]}"
            assert reply.message


def test_odd_queries_are_no_crash(world: World) -> None:
    path = f"/v1/orgs/{world.organization}/sites"
    for query in (
        "title=%00", "title=%ff", "space=%00", "page=%00", "limit=", "limit=%00", "limit=1e3", "limit=0x10",
        "limit=9999999999999999999999", "&&&=&", "a=" * 300, "title=%ED%A0%80", "limit=1&limit=2", "page=", "%", "title=%",
    ):  # fmt: skip
        reply = world.api.get(f"{path}?{query}")
        assert reply.status in (200, 400), f"{query[:60]} {reply.status} {reply.text[:200]}"


@pytest.mark.parametrize(
    "text", ["nul \u0000 within", "\\ud800", "bell \u0007", "line\nbreak", "\u202eoverride", "\ufffe"]
)
def test_odd_texts_are_stored_or_refused(world: World, text: str) -> None:
    """Whatever a string holds, the answer is no 500, and what was accepted is served as it came."""
    raw = b'{"title": "odd \\ud800 half"}' if text == "\\ud800" else None
    body: Any = None if raw else {"title": text}
    org = f"/v1/orgs/{world.organization}"
    made = world.api.post("/v1/orgs", body, body=raw)
    assert made.status in (201, 400), made.text[:200]
    for method, path in (("POST", f"{org}/spaces"), ("POST", f"{org}/sites"), ("PATCH", org)):
        reply = world.api.request(method, path, body, body=raw)
        assert reply.status in (200, 201, 400), f"{method} {path} {reply.status} {reply.text[:200]}"
        if reply.status != 400:
            assert reply.json["title"] == text


def _unread(world: World, method: str, path: str, token: str, **headers: str) -> Reply:
    """A request whose body nobody reads."""

    async def receive() -> Any:
        raise AssertionError("the body was read")

    sent = Sent()
    given = {"host": "octavo.test", "authorization": f"Bearer {token}", "content-type": "application/json"} | headers
    scope = {
        "type": "http",
        "method": method,
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "headers": [(name.replace("_", "-").encode(), text.encode()) for name, text in given.items()],
        "client": ("127.0.0.1", 4711),
    }
    world.run(world.app(scope, receive, sent))
    return sent.reply


@pytest.mark.parametrize(
    "size", [{"content_length": "60000000"}, {"content_length": "9" * 5000}, {"transfer_encoding": "chunked"}]
)
def test_a_large_body_is_read_only_of_who_may_send_it(world: World, size: dict[str, str]) -> None:
    space, guest, reader = world.space()["id"], world.person("guest"), world.person("read")
    changes = f"/v1/spaces/{space}/content"
    assert _unread(world, "POST", changes, guest, **size).status == 404
    assert _unread(world, "POST", "/v1/spaces/nothing/content", guest, **size).status == 404
    assert _unread(world, "POST", changes, reader, **size).status == 403
    assert _unread(world, "PATCH", f"/v1/spaces/{space}", reader, **size).status == 403


def test_a_large_body_of_who_just_got_a_role_is_read(world: World) -> None:
    """What is remembered of the caller is older than the role."""
    space, guest = world.space()["id"], world.person("guest")
    path = f"/v1/spaces/{space}"
    assert world.api.get(path, token=guest).status == 404
    world.grant(guest, "space", space, "admin")
    reply = world.api.patch(path, {"title": "Terns", "else": "x" * (200 << 10)}, token=guest)
    assert (reply.status, reply.json["title"]) == (200, "Terns")


def test_what_a_body_of_backslashes_says_is_found_in_a_moment(world: World) -> None:
    """The time of a pattern that looked for U+0000 was 14 s for such a body."""
    space = world.space()["id"]
    path = f"/v1/spaces/{space}/content"
    for text, found in ((rb"\u0000", True), (rb"u0000", False)):
        began = time.process_time()
        reply = world.api.post(path, body=b'{"changes":[],"a":"' + rb"\\" * 5_000_000 + text + b'"}')
        assert reply.status == 400
        assert ("U+0000" in reply.message) is found
        assert time.process_time() - began < 2


def test_answers_are_never_sniffed(world: World) -> None:
    for reply in (*_errors(world).values(), world.api.get("/v1/user"), world.api.get("/v1/orgs")):
        assert reply.headers["x-content-type-options"] == "nosniff"
