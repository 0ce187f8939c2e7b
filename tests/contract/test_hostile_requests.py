"""What no door may fall over: every one of them is asked the same, and answers the same."""

from __future__ import annotations

import asyncio
import gzip
import logging
import shutil
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest

from octavo.access.people import sessions
from octavo.app import files
from octavo.kernel.ids import token_hash
from octavo.publish import assets
from octavo.store.database.engine import Engine
from octavo.store.database.sqlite import SqliteEngine
from tests.client import Reply, World
from tests.conftest import FakeClock, opened_world
from tests.publish.visiting import visit, write
from tests.scim.speaking import token_of
from tests.sso.idp import trust
from tests.web.requests import Sent, arriving

FORM = "application/x-www-form-urlencoded"
DOORS = (
    "api", "root", "site", "site of a host", "search", "asset", "console", "app", "app file", "sso", "files", "documents",
    "reference", "health", "scim",
)  # fmt: skip
"""What is read by GET."""
TAGGED = ("site", "site of a host", "asset", "files", "documents", "reference")
"""Doors whose answers are kept and asked for again."""
TAKING = ("api", "console", "sso", "uploads", "hooks", "scim users")
"""What takes a body."""
UPLOAD = 50_000


@dataclass
class Door:
    """An address that answers, and what it is asked with."""

    path: str
    headers: dict[str, str] = field(default_factory=dict)
    method: str = "POST"
    most: int = 1 << 20
    """Bytes of a body."""


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def world(request: pytest.FixtureRequest, memory_folder: Path, loop: asyncio.AbstractEventLoop) -> Iterator[World]:
    """Made once for each engine: what is asked here changes nothing."""
    engine: Engine
    if request.param == "postgres":
        engine = request.getfixturevalue("postgres_engine")
    else:
        path = memory_folder / f"{uuid.uuid4().hex}.db"
        shutil.copyfile(request.getfixturevalue("sqlite_template"), path)
        engine = SqliteEngine(path)
        loop.run_until_complete(engine.open())
    with opened_world(engine, FakeClock(), memory_folder, loop) as made:
        yield made
    if request.param == "sqlite":
        loop.run_until_complete(engine.close())


@pytest.fixture(scope="module")
def doors(world: World, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Door]:
    source = write(
        tmp_path_factory.mktemp("source"),
        {"README.md": "# Home\n\n![A picture](a.svg)\n", "SUMMARY.md": "* [Home](README.md)\n"},
    )
    write(source, {"a.svg": '<svg xmlns="http://www.w3.org/2000/svg" width="2" height="2"/>'})
    site = visit(world, source)
    world.work()
    token = {"authorization": f"Bearer {world.api.token}"}

    async def begin(unit: Any) -> str:
        held = await unit.people.token_by_hash(token_hash(world.api.token or ""))
        return (await sessions.begin(unit, held.user, "password"))[0]

    [file] = world.api.get(f"/v1/spaces/{site.space}/content/files").json["items"]
    acs = urlsplit(trust(world).service["acsURL"]).path
    order = {"file": {"name": "a.bin", "type": "application/octet-stream", "size": UPLOAD}, "kind": "import_file"}
    upload = world.api.post(f"/v1/orgs/{world.organization}/storage/upload", order).json["url"]
    scim = {"authorization": f"Bearer {token_of(world)}"}
    host = {"host": f"{site.site['basename']}.localhost"}
    return {
        "api": Door(f"/v1/spaces/{site.space}", token, "PATCH"),
        "root": Door("/"),
        "site": Door(site.base),
        "site of a host": Door("/", host),
        "search": Door(f"{site.base}~octavo/search"),
        "asset": Door(f"/~octavo/{assets.path('site.css')}"),
        "console": Door("/login", {"cookie": "octavo_visit=of-a-browser-that-was-here-before"}, most=64 << 10),
        "app": Door("/app", {"cookie": f"octavo_session={world.run(world.house.store.write(begin))}"}),
        "app file": Door(files.STATIC + next(name for name in sorted(files.names()) if name.endswith(".css"))),
        "sso": Door("/sso"),
        "sso form": Door(acs, most=512 << 10),
        "files": Door(urlsplit(file["downloadURL"]).path),
        "documents": Door("/openapi.json"),
        "reference": Door("/docs/"),
        "health": Door("/healthz"),
        "metrics": Door("/metrics"),
        "scim": Door("/scim/v2/ServiceProviderConfig", scim),
        "scim users": Door("/scim/v2/Users", scim, most=2 << 20),
        "hooks": Door(f"/hooks/git/{site.space}", {"content-type": "application/json"}, most=25 << 20),
        "uploads": Door(urlsplit(upload).path, method="PUT", most=UPLOAD),
    }


@pytest.fixture(autouse=True)
def _nothing_breaks(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Whatever is asked, the log has no failure of ours."""
    yield
    assert [record.getMessage() for record in caplog.get_records("call") if record.levelno >= logging.ERROR] == []


def _ask(
    world: World,
    door: Door,
    method: str = "GET",
    *,
    query: bytes = b"",
    path: str = "",
    receive: Any = None,
    **headers: str,
) -> Reply:
    """One request as a server hands it over; `headers` replace those of the door."""
    asked = {"host": "octavo.test"} | door.headers | {name.replace("_", "-"): text for name, text in headers.items()}
    raw = path or door.path
    scope = {
        "type": "http",
        "method": method,
        "scheme": "http",
        "path": unquote(raw),
        "raw_path": raw.encode(),
        "query_string": query,
        "headers": [(name.encode(), text.encode("latin-1")) for name, text in asked.items()],
        "client": ("127.0.0.1", 4711),
    }
    sent = Sent()
    world.run(world.app(scope, receive or arriving(), sent))
    return sent.reply


def _sentence(reply: Reply) -> str:
    """What a refusal says, which is a sentence and no trace."""
    kind = reply.headers["content-type"]
    text = reply.message if kind == "application/json" else reply.text
    assert "Traceback" not in text
    assert reply.headers["content-length"] == str(len(reply.body))
    return text.replace("&#39;", "'").lower()


@pytest.mark.parametrize(
    ("query", "said"),
    [
        (b"&".join(b"a%d=1" % n for n in range(201)), "more than 200 fields"), (b"&" * 5000, "more than 200 fields"),
        (b"q=" + b"x" * (1 << 20), "longer than 16384 bytes"), (b"q=%ff", "no text in utf-8"),
        (b"q=\xff", "no text in utf-8"), (b"q=%ed%a0%80", "no text in utf-8"), (b"q=a%00b", "u+0000"), (b"%00=a", "u+0000"),
    ],
    ids=["201 fields", "nothing but fields", "a megabyte", "no UTF-8", "raw bytes", "half a character", "NUL", "NUL name"],
)  # fmt: skip
def test_a_query_that_cannot_be_read_is_refused_alike(
    world: World, doors: dict[str, Door], query: bytes, said: str
) -> None:
    for name in DOORS:
        reply = _ask(world, doors[name], query=query)
        assert reply.status == 400, name
        assert said in _sentence(reply), name
        assert _ask(world, doors[name], "HEAD", query=query).status == 400, name


@pytest.mark.parametrize(
    "query",
    [
        b"&".join(b"a%d=1" % n for n in range(101)),
        b"q=%zz",
        b"q=%",
        b"&&&=&",
        b"q=\xc3\xa9",
        b"q=1;q=2",
        b"q[]=1&q[a]=2",
        b"?",
    ],
)
def test_a_query_that_is_only_odd_is_read(world: World, doors: dict[str, Door], query: bytes) -> None:
    for name in DOORS:
        assert _ask(world, doors[name], query=query).status == 200, name


@pytest.mark.parametrize(
    "word", ["%00", "a%0D%0Aset-cookie:%20b=c", "%ff", "%F0%9F%A6%89", "..", "%2e%2e/", "%", "a" * 5000]
)
def test_an_odd_path_is_nothing_or_refused(world: World, doors: dict[str, Door], word: str) -> None:
    for name in (*DOORS, "uploads", "sso form"):
        for path in (f"{doors[name].path.rstrip('/')}/{word}", doors[name].path + word):
            reply = _ask(world, doors[name], path=path)
            assert reply.status in (200, 303, 307, 308, 400, 404, 405), (name, path)
            assert "b=c" not in reply.headers.get("set-cookie", "")
            if word == "%00":
                assert reply.status in (400, 404), name


def test_another_method_is_refused_and_told_which_serve(world: World, doors: dict[str, Door]) -> None:
    for name in DOORS:
        for method in ("BREW", "DELETE", "TRACE"):
            if (name, method) == ("api", "DELETE"):
                continue
            reply = _ask(world, doors[name], method)
            assert reply.status == 405, name
            assert "GET" in reply.headers["allow"], name
            assert _sentence(reply)
    for name in ("uploads", "sso form"):
        reply = _ask(world, doors[name])
        assert reply.status == 405, name
        assert doors[name].method in reply.headers["allow"], name


def test_head_is_get_without_a_body(world: World, doors: dict[str, Door]) -> None:
    own = ("x-request-id", "x-ratelimit-remaining")
    for name in DOORS:
        for headers in ({}, {"accept_encoding": "gzip"}):
            got, asked = (_ask(world, doors[name], method, **headers) for method in ("GET", "HEAD"))
            assert (asked.status, asked.body) == (got.status, b"") == (200, b""), name
            assert got.headers["content-length"] == str(len(got.body)), name
            for reply in (got, asked):
                reply.headers = {key: text for key, text in reply.headers.items() if key not in own}
            assert asked.headers == got.headers, name


def test_who_has_it_gets_nothing(world: World, doors: dict[str, Door]) -> None:
    for name in DOORS:
        got = _ask(world, doors[name])
        assert ("etag" in got.headers) == (name in TAGGED), name
        tag = got.headers.get("etag", '"a"')
        for asked in (tag, f"W/{tag}", f'"other", {tag}', "*"):
            for method in ("GET", "HEAD"):
                reply = _ask(world, doors[name], method, if_none_match=asked, accept_encoding="gzip")
                assert reply.status == (304 if name in TAGGED else 200), (name, asked)
                if name in TAGGED:
                    assert (reply.body, reply.headers["etag"]) == (b"", tag)
                    assert not {"content-length", "content-encoding"} & reply.headers.keys()
                    assert reply.headers["cache-control"] == got.headers["cache-control"]
        assert _ask(world, doors[name], if_none_match='"other"').status == 200, name


def test_compressed_for_who_takes_it(world: World, doors: dict[str, Door]) -> None:
    compressed = set()
    for name in DOORS:
        plain = _ask(world, doors[name])
        for asked in ("gzip", "br, GZIP;q=0.5", "gzip;q=0", "identity", "*;q=0", "\xff"):
            reply = _ask(world, doors[name], accept_encoding=asked)
            taken = reply.headers.get("content-encoding") == "gzip"
            assert not taken or asked in ("gzip", "br, GZIP;q=0.5"), name
            body = gzip.decompress(reply.body) if taken else reply.body
            assert body == plain.body, name
            if taken:
                compressed.add(name)
                assert "accept-encoding" in reply.headers["vary"], name
                assert "accept-encoding" in plain.headers["vary"], name
    whole = {"root", "site", "site of a host", "search", "asset", "app file", "documents", "reference"}
    assert compressed == whole


def _taking(doors: dict[str, Door], name: str) -> tuple[Door, str]:
    """The door and the type of body that it takes."""
    return doors["sso form" if name == "sso" else name], "application/json" if name == "api" else FORM


@pytest.mark.parametrize("name", TAKING)
def test_a_body_that_is_too_large_is_refused(world: World, doors: dict[str, Door], name: str) -> None:
    door, kind = _taking(doors, name)

    async def unread() -> Any:
        raise AssertionError("read, although it says that it is too large")

    declared = _ask(world, door, door.method, receive=unread, content_type=kind, content_length=str(door.most + 1))
    counted = _ask(world, door, door.method, receive=arriving(b"a" * door.most, b"a"), content_type=kind)
    lying = arriving(b"a" * door.most, b"a")
    less = _ask(world, door, door.method, receive=lying, content_type=kind, content_length="5")
    for reply in (declared, counted, less):
        assert reply.status == 413
        assert "large" in _sentence(reply)


@pytest.mark.parametrize("name", TAKING)
def test_a_body_of_another_length_than_it_says_is_refused(world: World, doors: dict[str, Door], name: str) -> None:
    door, kind = _taking(doors, name)
    for length in ("3", "5", "-4", "four", "4.0", "", "0x4", "9" * 4000, "\xb2"):
        reply = _ask(
            world, door, door.method, receive=arriving(b"a=", b"bb"[:2]), content_type=kind, content_length=length
        )
        assert reply.status in ((413, 400) if length == "9" * 4000 else (400,)), length
        assert "content-length" in _sentence(reply), length


@pytest.mark.parametrize("name", TAKING)
def test_a_connection_that_ends_within_a_body(world: World, doors: dict[str, Door], name: str) -> None:
    door, kind = _taking(doors, name)
    for parts in ((), (b"{",), (b"a=", b"1")):
        receive = arriving(*parts, ends=False)
        reply = _ask(world, door, door.method, receive=receive, content_type=kind, content_length="100")
        assert reply.status == 400
        assert "closed before the body ended" in _sentence(reply)


@pytest.mark.parametrize("name", ["api", "console", "sso"])
def test_a_body_of_another_type_is_refused(world: World, doors: dict[str, Door], name: str) -> None:
    door, kind = _taking(doors, name)
    for other in ("text/plain", "multipart/form-data; boundary=x", "", "\xff", kind + "x", "application/xml"):
        reply = _ask(world, door, door.method, receive=arriving(b"a=1"), content_type=other)
        assert reply.status == 415, other
        assert kind in _sentence(reply)


@pytest.mark.parametrize("name", ["api", "console", "sso"])
def test_a_body_that_cannot_be_read_is_refused(world: World, doors: dict[str, Door], name: str) -> None:
    door, kind = _taking(doors, name)
    bodies = (
        [b"a&" * 300, b"a=%ff", b"a=%00", b"\xff"]
        if kind == FORM
        else [b"{", b"\xff", b'{"title":"\\u0000"}', b"[" * 9999]
    )
    for body in bodies:
        reply = _ask(world, door, door.method, receive=arriving(body), content_type=kind)
        assert reply.status == 400, body[:20]
        assert _sentence(reply)
