"""Translators as the settings name them: an address that is asked, a program that is started."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from octavo.gateways.failures import GatewayFailure, Refused, Unreachable
from octavo.gateways.translators import Block, HttpTranslator, Question
from octavo.jobs.translations import asking
from octavo.kernel.settings import SettingsError, load
from tests.client import World
from tests.conftest import FakeClock, opened_world

QUESTION = Question("en", "de", "Be brief.", [], [Block("0", "Open"), Block("1", "Close")])


class Server:
    """Answers one thing to everybody, and remembers what it was asked."""

    def __init__(self) -> None:
        self.url = ""
        self.status, self.body = 200, b""
        self.wait = 0.0
        self.heard: list[tuple[dict[str, str], bytes]] = []

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        lines = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines[1:] if line)}
        self.heard.append((headers, await reader.readexactly(int(headers.get("content-length", 0)))))
        await asyncio.sleep(self.wait)
        head = f"HTTP/1.1 {self.status} X\r\ncontent-length: {len(self.body)}\r\nconnection: close\r\n\r\n"
        writer.write(head.encode() + self.body)
        writer.close()


@contextmanager
def served(loop: asyncio.AbstractEventLoop) -> Iterator[Server]:
    made = Server()
    server = loop.run_until_complete(asyncio.start_server(made.answer, "127.0.0.1", 0))
    made.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/translate"
    yield made
    server.close()
    loop.run_until_complete(server.wait_closed())


def _asked(loop: asyncio.AbstractEventLoop, server: Server, seconds: float = 5.0) -> Any:
    return loop.run_until_complete(HttpTranslator(server.url, "a token", seconds).translate(QUESTION))


def test_an_address_is_asked(loop: asyncio.AbstractEventLoop) -> None:
    with served(loop) as server:
        server.body = json.dumps({"blocks": [{"id": "1", "text": "Zu"}, {"id": "7", "text": "?"}], "more": 1}).encode()
        assert _asked(loop, server) == {"1": "Zu"}
        [(headers, body)] = server.heard
    assert headers["authorization"] == "Bearer a token"
    assert json.loads(body) == {
        "source": "en", "target": "de", "instructions": "Be brief.", "glossary": [],
        "blocks": [{"id": "0", "text": "Open"}, {"id": "1", "text": "Close"}],
    }  # fmt: skip


@pytest.mark.parametrize(
    ("status", "body", "kind"),
    [
        (500, b"", Unreachable), (401, b"", Refused), (200, b"<html>", Unreachable), (200, b"[]", Unreachable),
        (200, b'{"blocks": {}}', Unreachable), (200, b'{"blocks": [{"id": 1, "text": "a"}]}', Unreachable),
        (200, b'{"blocks": [{"id": "1"}]}', Unreachable), (200, b"\xff", Unreachable), (302, b"", Unreachable),
    ],
)  # fmt: skip
def test_what_is_no_answer(loop: asyncio.AbstractEventLoop, status: int, body: bytes, kind: type[Exception]) -> None:
    with served(loop) as server:
        server.status, server.body = status, body
        with pytest.raises(kind):
            _asked(loop, server)


def test_nobody_waits_for_ever(loop: asyncio.AbstractEventLoop) -> None:
    with served(loop) as server:
        server.wait = 0.5
        with pytest.raises(GatewayFailure):
            _asked(loop, server, 0.05)


@contextmanager
def _run(
    command: list[str], engine: Any, clock: FakeClock, folder: Path, loop: asyncio.AbstractEventLoop, **more: Any
) -> Iterator[Any]:
    """The run of a translation by a program."""
    with opened_world(engine, clock, folder, loop, translation_command=command, **more) as world:
        yield _newest(world)


def _newest(world: World) -> Any:
    space = world.space("Guide")["id"]
    body = {"title": "Guide", "languages": ["de"], "source": {"space": space, "language": "en"}}
    path = f"/v1/orgs/{world.organization}/translations"
    one = f"{path}/{world.api.post(path, body).json['id']}"
    assert world.api.post(f"{one}/run").status == 204
    world.work()
    return world.api.get(f"{one}/runs").json["items"][0]


SHOUT = """
import json, os, sys
asked = json.load(sys.stdin)
assert not [name for name in os.environ if name.startswith("OCTAVO_")]
print(json.dumps({"blocks": [{"id": one["id"], "text": one["text"].upper()} for one in asked["blocks"]]}))
"""


@pytest.mark.parametrize(
    ("program", "status", "said"),
    [
        ([sys.executable, "-c", SHOUT], "completed", None), ([sys.executable, "-c", "print('no')"], "failed", "something else"),
        ([sys.executable, "-c", "raise SystemExit(3)"], "failed", "code 3"), (["/no/such/program"], "failed", "not be started"),
        (["sleep", "60"], "failed", "more than 1 seconds"),
    ],
    ids=["shouts", "nonsense", "fails", "missing", "sleeps"],
)  # fmt: skip
def test_a_program_is_started(
    program: list[str], status: str, said: str | None,
    engine: Any, clock: FakeClock, memory_folder: Path, loop: asyncio.AbstractEventLoop, monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setattr(asking, "PAUSES", ())
    with _run(program, engine, clock, memory_folder, loop, translation_seconds=1 if "sleep" in program else 30) as run:
        assert (run["status"], said or "") == (status, said or "")
        assert (said or "") in run.get("message", "")


def test_settings_are_checked() -> None:
    with pytest.raises(SettingsError, match="set one"):
        load({}, translation_url="http://a.test", translation_command=["cat"])
    with pytest.raises(SettingsError, match="http"):
        load({}, translation_url="a.test")
    assert load({"OCTAVO_TRANSLATION_COMMAND": "translate --fast"}).translation_command
    assert load({}).translates is False
