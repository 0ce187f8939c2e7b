"""/orgs/{org}/openapi: specifications, how they are read, and their versions."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from octavo.jobs.tidy import tidy
from octavo.kernel.clock import DAY, HOUR
from octavo.store.database.engine import Engine
from tests.client import World
from tests.conftest import FakeClock, opened_world
from tests.resources.checks import check_json, check_refusals, check_roles, other_organization
from tests.resources.openapi.petstore import PETS
from tests.resources.sweeping import sweep

SWAGGER = """\
swagger: '2.0'
info: {title: Old pets, version: '1'}
host: old.example
basePath: /api
schemes: [https]
consumes: [application/json]
paths:
  /pets:
    post:
      parameters: [{in: body, name: pet, schema: {$ref: '#/definitions/Pet'}}]
      responses: {200: {description: ok, schema: {$ref: '#/definitions/Pet'}}}
definitions: {Pet: {type: object, properties: {name: {type: string}}}}
"""


def _at(world: World, slug: str = "") -> str:
    return f"/v1/orgs/{world.organization}/openapi" + (f"/{slug}" if slug else "")


def _put(world: World, text: str = PETS, slug: str = "pets") -> dict[str, Any]:
    reply = world.api.put(_at(world, slug), {"source": {"text": text}})
    assert reply.status == 200, reply.text
    assert reply.json["processingState"] == "pending"
    world.work()
    read: dict[str, Any] = world.api.get(_at(world, slug)).json
    assert read["processingState"] == "complete"
    return read


def test_a_text_becomes_a_version(world: World) -> None:
    made = world.api.post(_at(world), {"slug": "pets", "source": {"text": PETS}})
    assert made.status == 201, made.text
    assert (made.json["processingState"], made.json["lastProcessedErrorCount"]) == ("pending", 0)
    assert "lastVersion" not in made.json
    assert world.api.get(_at(world, "pets/versions/latest")).status == 404
    world.work()
    spec = world.api.get(_at(world, "pets")).json
    assert (spec["processingState"], spec["visibility"]) == ("complete", "private")
    assert spec["urls"]["app"].endswith(f"/o/{world.organization}/openapi/pets")
    latest = world.api.get(_at(world, "pets/versions/latest")).json
    assert latest["id"] == spec["lastVersion"]
    assert world.api.get(_at(world, f"pets/versions/{latest['id']}")).json == latest
    content = world.api.get(_at(world, "pets/versions/latest/content"))
    [file] = content.json["filesystem"]
    assert file["isEntrypoint"] is True
    assert set(file["specification"]["paths"]["/pets"]["get"]["responses"]) == {"200", "default"}
    assert content.json["urls"]["public"] is None
    assert world.api.get(_at(world, f"pets/versions/{latest['id']}/content")).json == content.json
    raw = world.api.get(_at(world, "pets/versions/latest/content/raw")).json
    assert raw == {"text": PETS, "format": "yaml"}
    listed = world.api.get(_at(world)).json
    assert (listed["count"], listed["items"]) == (1, [spec])


def test_the_same_text_makes_no_version_and_another_does(world: World, clock: FakeClock) -> None:
    first = _put(world)
    clock.now += 1000
    again = _put(world)
    assert again["lastVersion"] == first["lastVersion"]
    assert again["lastProcessedAt"] > first["lastProcessedAt"]
    clock.now += 1000
    later = _put(world, PETS.replace("title: Pets", "title: More pets"))
    assert later["lastVersion"] != first["lastVersion"]
    versions = world.api.get(_at(world, "pets/versions")).json
    assert [one["id"] for one in versions["items"]] == [later["lastVersion"], first["lastVersion"]]
    old = world.api.get(_at(world, f"pets/versions/{first['lastVersion']}/content")).json
    assert old["filesystem"][0]["specification"]["info"]["title"] == "Pets"
    page = world.api.get(_at(world, "pets/versions?limit=1")).json
    rest = world.api.get(_at(world, f"pets/versions?limit=1&page={page['next']['page']}")).json
    assert [one["id"] for one in (*page["items"], *rest["items"])] == [one["id"] for one in versions["items"]]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("just words", "holds no object"),
        ('{"openapi": "3.1.0", ', "not valid JSON"),
        ("openapi: [", "not valid YAML"),
        ("title: x", "Neither `openapi` nor `swagger`"),
        ("openapi: 4.0.0\npaths: {}", "3.0, 3.1 and 3.2"),
        ("openapi: 3.1.0\ninfo: {title: x}", "describes nothing"),
        ("openapi: 3.1.0\npaths: []", "`paths` is a list"),
        ("openapi: 3.1.0\npaths:\n  x: &x [*x]", "YAML"),
        ('{"openapi": "3.1.0", "paths": ' + '{"a":' * 300 + "1" + "}" * 301, "nested"),
    ],
)
def test_what_is_no_specification_says_why(world: World, text: str, said: str) -> None:
    spec = _put(world, text)
    assert spec["lastProcessErrorCode"] == "PARSE_ERROR"
    assert said in spec["lastProcessedErrors"][0]["message"]
    assert (spec["lastProcessedErrorCount"], "lastVersion" in spec) == (1, False)


def test_a_bad_text_leaves_the_version_of_before(world: World) -> None:
    first = _put(world)
    broken = _put(world, "not: this")
    assert broken["lastVersion"] == first["lastVersion"]
    assert broken["lastProcessErrorCode"] == "PARSE_ERROR"
    mended = _put(world)
    assert "lastProcessErrorCode" not in mended
    assert mended["lastProcessedErrorCount"] == 0


def test_mistakes_are_told_and_hinder_nothing(world: World) -> None:
    paths = {f"/p{number}": {"get": {"responses": {"200": {"$ref": f"#/none/{number}"}}}} for number in range(30)}
    paths["/file"] = {"get": {"responses": {"200": {"$ref": "file:///etc/passwd"}}}}
    spec = _put(world, json.dumps({"openapi": "3.1.0", "info": {"title": "x"}, "paths": paths}))
    assert "lastProcessErrorCode" not in spec
    assert (len(spec["lastProcessedErrors"]), spec["lastProcessedErrorCount"]) == (20, 31)
    assert spec["lastProcessedErrors"][0]["code"] == "REFERENCE"
    assert "leads nowhere" in spec["lastProcessedErrors"][0]["message"]


def test_a_slug_that_means_something_else_says_so(world: World) -> None:
    _put(world)
    spec = _put(world, SWAGGER.replace("/pets", "/birds"))
    assert spec["lastProcessedErrors"][0]["code"] == "OTHER_API"
    assert "None of the 5 operations" in spec["lastProcessedErrors"][0]["message"]
    # It stands as long as that version is the newest.
    assert _put(world, SWAGGER.replace("/pets", "/birds"))["lastProcessedErrors"] == spec["lastProcessedErrors"]


def test_swagger_2_is_read_as_today_s_format(world: World) -> None:
    _put(world, SWAGGER)
    found = world.api.get(_at(world, "pets/versions/latest/content")).json["filesystem"][0]["specification"]
    assert found["openapi"].startswith("3.")
    assert found["servers"] == [{"url": "https://old.example/api"}]
    body = found["paths"]["/pets"]["post"]["requestBody"]
    assert body["content"]["application/json"]["schema"] == {"$ref": "#/components/schemas/Pet"}
    assert world.api.get(_at(world, "pets/versions/latest/content/raw")).json["text"] == SWAGGER


def test_it_is_public_when_somebody_says_so(world: World) -> None:
    _put(world)
    reply = world.api.patch(_at(world, "pets"), {"visibility": "public"})
    assert (reply.status, reply.json["visibility"]) == (200, "public")
    address = reply.json["urls"]["published"].removeprefix("http://octavo.test")
    fetched = world.api.get(address, token="")
    assert (fetched.status, fetched.text) == (200, PETS)
    assert fetched.headers["access-control-allow-origin"] == "*"
    assert "yaml" in fetched.headers["content-type"]
    content = world.api.get(_at(world, "pets/versions/latest/content")).json
    assert content["urls"]["public"] == reply.json["urls"]["published"]
    assert world.api.patch(_at(world, "pets"), {"visibility": "private"}).status == 200
    assert world.api.get(address, token="").status == 404


def test_it_is_deleted_with_its_versions(world: World, clock: FakeClock) -> None:
    spec = _put(world)
    assert world.api.delete(_at(world, "pets")).status == 205
    assert world.api.get(_at(world, "pets")).status == 404
    assert world.api.get(_at(world, f"pets/versions/{spec['lastVersion']}")).status == 404
    assert world.api.delete(_at(world, "pets")).status == 404
    world.api.put(_at(world, "pets"), {"source": {"text": PETS}})
    assert world.api.delete(_at(world, "pets")).status == 205
    world.work()  # what waits for it finds nothing
    assert world.api.get(_at(world)).json["items"] == []


def test_roles(world: World) -> None:
    _put(world)
    body = {"source": {"text": PETS}}
    check_roles(world, "create", "PUT", _at(world, "pets"), body, success=200, guest=403)
    check_roles(world, "create", "PATCH", _at(world, "pets"), {"visibility": "private"}, success=200, guest=404)
    check_roles(world, "read", "GET", _at(world, "pets"), success=200, guest=404)
    check_roles(world, "read", "GET", _at(world, "pets/versions/latest/content"), success=200, guest=404)
    reader = world.person("read")
    assert world.api.get(_at(world, "pets"), token=reader).json["permissions"] == {"view": True, "edit": False}
    other = other_organization(world)["id"]
    assert world.api.get(f"/v1/orgs/{other}/openapi/pets").status == 404


def test_bad_input(world: World) -> None:
    text = {"text": PETS}
    cases: list[tuple[Any, str]] = [
        ({}, "slug"),
        ({"slug": "Pets", "source": text}, "slug"),
        ({"slug": "a--b", "source": text}, "slug"),
        ({"slug": "pets"}, "source"),
        ({"slug": "pets", "source": {}}, "either"),
        ({"slug": "pets", "source": {"url": "https://a.test/", "text": "x"}}, "either"),
        ({"slug": "pets", "source": {"url": "file:///etc/passwd"}}, "url"),
        ({"slug": "pets", "source": {"url": "https://ada:secret@a.test/"}}, "password"),
        ({"slug": "pets", "source": {"text": ""}}, "text"),
    ]
    check_refusals(world, "POST", _at(world), cases)
    check_json(world, "POST", _at(world))
    assert world.api.put(_at(world, "Not%20a%20slug"), {"source": text}).status == 400
    assert world.api.patch(_at(world, "none"), {"visibility": "public"}).status == 404
    world.api.post(_at(world), {"slug": "pets", "source": text})
    assert world.api.post(_at(world), {"slug": "pets", "source": text}).status == 409
    assert world.api.patch(_at(world, "pets"), {"visibility": "everybody"}).status == 400


def test_twenty_megabytes_are_too_many(world: World) -> None:
    reply = world.api.put(_at(world, "pets"), {"source": {"text": "x" * (20 << 20)}})
    assert reply.status == 413
    reply = world.api.put(_at(world, "pets"), {"source": {"text": "x" * (11 << 20)}})
    assert (reply.status, "10,485,760" in reply.message) == (413, True)
    assert world.api.get(_at(world)).json["items"] == []


def test_its_bytes_stay_as_long_as_it_does(world: World, clock: FakeClock) -> None:
    _put(world)
    clock.now += 3 * DAY
    sweep(world)
    assert world.api.get(_at(world, "pets/versions/latest/content/raw")).json["text"] == PETS
    blob = world.run(world.house.store.read(lambda unit: unit.openapi.blobs(world.organization)))
    assert len(blob) == 2
    world.api.delete(_at(world, "pets"))
    sweep(world)
    for name in blob:
        assert world.run(world.house.blobs.get(world.organization, name)) is None


class Server:
    """Somebody's API, which serves its description."""

    def __init__(self) -> None:
        self.body = PETS.encode()
        self.status = 200
        self.asked = 0
        self.url = ""

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        self.asked += 1
        writer.write(f"HTTP/1.1 {self.status} X\r\ncontent-length: {len(self.body)}\r\n\r\n".encode() + self.body)
        writer.close()


@contextmanager
def _server(loop: asyncio.AbstractEventLoop) -> Iterator[Server]:
    made = Server()
    listening = loop.run_until_complete(asyncio.start_server(made.answer, "127.0.0.1", 0))
    made.url = f"http://127.0.0.1:{listening.sockets[0].getsockname()[1]}/openapi.yaml"
    yield made
    listening.close()
    loop.run_until_complete(listening.wait_closed())


@pytest.fixture
def beside(
    engine: Engine, clock: FakeClock, memory_folder: Path, loop: asyncio.AbstractEventLoop
) -> Iterator[tuple[World, Server]]:
    with (
        _server(loop) as server,
        opened_world(engine, clock, memory_folder, loop, allow_private_addresses=True) as world,
    ):
        yield world, server


def test_an_address_is_fetched_and_fetched_again(beside: tuple[World, Server], clock: FakeClock) -> None:
    world, server = beside
    source = {"source": {"url": server.url}}
    assert world.api.put(_at(world, "pets"), source).json["sourceURL"] == server.url
    world.work()
    first = world.api.get(_at(world, "pets")).json
    assert (server.asked, first["processingState"], "lastVersion" in first) == (1, "complete", True)
    world.api.put(_at(world, "pets"), source)  # on demand
    world.work()
    assert (server.asked, world.api.get(_at(world, "pets")).json["lastVersion"]) == (2, first["lastVersion"])
    server.body = PETS.replace("title: Pets", "title: More").encode()
    store, settings = world.house.store, world.house.settings
    world.run(tidy(store, settings))
    world.work()
    assert server.asked == 2  # nothing is due
    clock.now += 7 * HOUR
    world.run(tidy(store, settings))
    world.work()
    later = world.api.get(_at(world, "pets")).json
    assert (server.asked, later["lastVersion"] != first["lastVersion"]) == (3, True)
    server.status = 500
    clock.now += 7 * HOUR
    world.run(tidy(store, settings))
    world.work()
    failed = world.api.get(_at(world, "pets")).json
    assert (failed["lastProcessErrorCode"], failed["lastVersion"]) == ("FETCH_ERROR", later["lastVersion"])
    assert "answered 500" in failed["lastProcessedErrors"][0]["message"]


def test_what_is_too_large_is_not_fetched(beside: tuple[World, Server]) -> None:
    world, server = beside
    server.body = b"x" * (20 << 20)
    world.api.put(_at(world, "pets"), {"source": {"url": server.url}})
    world.work()
    spec = world.api.get(_at(world, "pets")).json
    assert spec["lastProcessErrorCode"] == "FETCH_ERROR"
    assert "10,485,760" in spec["lastProcessedErrors"][0]["message"]


def test_an_address_inside_is_not_asked(world: World) -> None:
    world.api.put(_at(world, "pets"), {"source": {"url": "http://127.0.0.1:9/openapi.json"}})
    world.work()
    spec = world.api.get(_at(world, "pets")).json
    assert (spec["processingState"], spec["lastProcessErrorCode"]) == ("complete", "FETCH_ERROR")


def test_who_takes_too_long_is_told_apart(beside: tuple[World, Server], monkeypatch: pytest.MonkeyPatch) -> None:
    from octavo.gateways import web
    from octavo.jobs.openapi import processing

    world, _ = beside

    async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()

    listening = world.run(asyncio.start_server(silent, "127.0.0.1", 0))
    monkeypatch.setattr(processing, "FETCH", web.Limits(bytes=1 << 20, seconds=0.2))
    address = f"http://127.0.0.1:{listening.sockets[0].getsockname()[1]}/"
    world.api.put(_at(world, "pets"), {"source": {"url": address}})
    world.work()
    listening.close()
    assert world.api.get(_at(world, "pets")).json["lastProcessErrorCode"] == "FETCH_TIMEOUT"
