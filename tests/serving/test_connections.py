"""Connections: how much and how long a client may take to ask, and that whoever was let in is answered."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Coroutine
from typing import Any

import pytest
import uvicorn
import uvloop

from octavo.serving import connections
from octavo.serving.connections import HEAD_MAX, Connection
from octavo.web.asgi import Receive, Scope, Send

GET = b"GET / HTTP/1.1\r\nhost: x\r\n\r\n"
SOON = 0.2
"""Seconds, where a test waits for a time to be over."""


async def _echo(scope: Scope, receive: Receive, send: Send) -> None:
    """Answers with the body's length, when it is there; under /early at once."""
    size, more = 0, scope["path"] != "/early"
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            return
        size += len(message.get("body", b""))
        more = message.get("more_body", False)
    body = b"x" * (64 << 20) if scope["path"] == "/large" else b"%d" % size
    headers = [(b"content-length", b"%d" % len(body))]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": body})


class Served:
    """A server in this loop, and what is said to it."""

    def __init__(self, server: uvicorn.Server, port: int) -> None:
        self.server = server
        self.port = port

    async def open(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        return await asyncio.open_connection("127.0.0.1", self.port)

    async def ask(self, *parts: bytes) -> bytes:
        """All that a connection answers to what is sent, until it is closed."""
        reader, writer = await self.open()
        for part in parts:
            writer.write(part)
            try:
                await writer.drain()
            except ConnectionError:
                break
        try:
            return await asyncio.wait_for(reader.read(), 20)
        except ConnectionError:
            return b""
        finally:
            writer.close()


Run = Callable[[Callable[[Served], Coroutine[Any, Any, None]]], None]


@pytest.fixture
def run() -> Run:
    """Run a conversation beside a server."""

    def run(talk: Callable[[Served], Coroutine[Any, Any, None]]) -> None:
        async def beside() -> None:
            listener = socket.create_server(("127.0.0.1", 0))
            config = uvicorn.Config(_echo, loop="none", http=Connection, lifespan="off", log_level="critical")
            server = uvicorn.Server(config)
            await_ = asyncio.create_task(server._serve([listener]))
            while not server.started:
                await asyncio.sleep(0)
            try:
                await talk(Served(server, listener.getsockname()[1]))
            finally:
                server.should_exit = server.force_exit = True
                await await_

        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            runner.run(beside())

    return run


def _quick(monkeypatch: pytest.MonkeyPatch, *names: str) -> None:
    for name in names:
        monkeypatch.setattr(connections, name, SOON)


def test_a_request_is_answered_and_so_is_the_next(run: Run) -> None:
    async def talk(served: Served) -> None:
        post = b"POST / HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: 4\r\n\r\n"
        answer = await served.ask(GET, GET, post, b"ab", b"cd")
        assert [answer.count(mark) for mark in (b"HTTP/1.1 200 OK", b"\r\n\r\n0", b"\r\n\r\n4")] == [3, 2, 1]

    run(talk)


@pytest.mark.parametrize(
    "start",
    [b"GET /" + b"a" * 2000, b"GET / HTTP/1.1\r\nhost: x\r\nx-a: ", GET + b"GET / HTTP/1.1\r\nx-b: "],
    ids=["address", "header", "of the second request"],
)
def test_a_head_that_does_not_end_is_refused(run: Run, start: bytes) -> None:
    async def talk(served: Served) -> None:
        answer = await served.ask(start, *[b"a" * 4096] * 400)
        assert answer == b"" or b"HTTP/1.1 431 " in answer
        [*left] = served.server.server_state.connections
        assert left == []

    run(talk)


def test_a_head_that_is_too_large_is_refused_before_it_is_answered(run: Run) -> None:
    async def talk(served: Served) -> None:
        for at_once in (b"x-a: " + b"a" * HEAD_MAX, b"".join(b"x-%d: b\r\n" % at for at in range(12_000))[:-2]):
            answer = await served.ask(b"GET / HTTP/1.1\r\nhost: x\r\n" + at_once + b"\r\n\r\n")
            assert answer.startswith(b"HTTP/1.1 431 ")
        ample = b"x-a: " + b"a" * (HEAD_MAX // 2)
        answer = await served.ask(b"GET / HTTP/1.1\r\nconnection: close\r\n" + ample + b"\r\n\r\n")
        assert answer.startswith(b"HTTP/1.1 200 ")

    run(talk)


@pytest.mark.parametrize(
    ("parts", "answer"),
    [
        ([], b""),
        ([b"GET / HT"], b"HTTP/1.1 408 "),
        ([b"GET / HTTP/1.1\r\nhost: x\r\n"], b"HTTP/1.1 408 "),
        ([GET, b"GET / HTTP/1.1\r\nhost: x\r\n"], b"HTTP/1.1 408 "),
    ],
    ids=["nothing", "a line", "a header", "after another request"],
)
def test_a_head_that_is_half_sent_is_given_up(
    run: Run, monkeypatch: pytest.MonkeyPatch, parts: list[bytes], answer: bytes
) -> None:
    _quick(monkeypatch, "HEAD_SECONDS")

    async def talk(served: Served) -> None:
        said = await served.ask(*parts)
        assert answer in said
        assert said or not answer

    run(talk)


def test_a_body_that_comes_too_slowly_is_given_up(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    _quick(monkeypatch, "BODY_SECONDS", "_LOOK")
    monkeypatch.setattr(connections, "BODY_LEAST", 1 << 30)

    async def talk(served: Served) -> None:
        answer = await served.ask(b"POST / HTTP/1.1\r\ncontent-length: 9\r\n\r\n", b"a")
        assert answer.startswith(b"HTTP/1.1 408 ")

    run(talk)


def test_a_body_that_comes_fast_enough_may_take_its_time(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    _quick(monkeypatch, "_LOOK")
    monkeypatch.setattr(connections, "BODY_SECONDS", 0.0)
    monkeypatch.setattr(connections, "BODY_LEAST", 10)

    async def talk(served: Served) -> None:
        reader, writer = await served.open()
        # What has come when it is looked at first must have been worth the time, however busy the machine is.
        writer.write(b"POST / HTTP/1.1\r\nconnection: close\r\ncontent-length: 60\r\n\r\nabcdefghij")
        for _ in range(5):
            await asyncio.sleep(SOON / 2)
            writer.write(b"abcdefghij")
        assert (await reader.read()).endswith(b"60")
        writer.close()

    run(talk)


def test_what_is_left_of_a_body_that_was_answered_is_not_taken_for_ever(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    _quick(monkeypatch, "UNREAD_SECONDS")

    async def talk(served: Served) -> None:
        answer = await served.ask(b"POST /early HTTP/1.1\r\ncontent-length: 9\r\n\r\n", b"a")
        assert answer.startswith(b"HTTP/1.1 200 ")

    run(talk)


def test_who_wants_it_closed_reads_the_answer_to_a_body_that_is_not_taken(run: Run) -> None:
    async def talk(served: Served) -> None:
        size = 20 << 20
        head = b"POST /early HTTP/1.1\r\nhost: a\r\nconnection: close\r\ncontent-length: %d\r\n\r\n" % size
        reader, writer = await asyncio.open_connection("127.0.0.1", served.port)
        writer.write(head)
        for _ in range(size >> 20):
            writer.write(bytes(1 << 20))
            await writer.drain()
        async with asyncio.timeout(20):
            answer = await reader.read()
        assert answer.startswith(b"HTTP/1.1 200 ")
        assert b"connection: close" in answer
        writer.close()

    run(talk)


def test_who_takes_nothing_of_an_answer_is_given_up(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    _quick(monkeypatch, "STALLED_SECONDS")

    async def talk(served: Served) -> None:
        with socket.create_connection(("127.0.0.1", served.port)) as client:
            client.sendall(GET.replace(b"GET / ", b"GET /large "))
            async with asyncio.timeout(20):
                while not served.server.server_state.total_requests and not served.server.server_state.connections:
                    await asyncio.sleep(0)
                while served.server.server_state.connections:
                    await asyncio.sleep(0)

    run(talk)


def test_whoever_was_let_in_is_answered_when_the_server_ends(run: Run) -> None:
    async def talk(served: Served) -> None:
        asked, silent, kept = [await served.open() for _ in range(3)]
        kept[1].write(GET)
        await kept[0].readuntil(b"\r\n\r\n0")
        asked[1].write(GET[:9])
        while len(served.server.server_state.connections) < 3:
            await asyncio.sleep(0)
        served.server.should_exit = True
        ending = asyncio.create_task(_ended(served))
        while any(not one._ending for one in served.server.server_state.connections):  # type: ignore[union-attr]
            await asyncio.sleep(0)
        asked[1].write(GET[9:])
        silent[1].write(GET)
        kept[1].write(GET)
        for reader, writer in (asked, silent, kept):
            answer = await reader.read()
            assert answer.startswith(b"HTTP/1.1 200 ")
            assert b"connection: close" in answer
            writer.close()
        await ending

    run(talk)


async def _ended(served: Served) -> None:
    while served.server.server_state.connections:
        await asyncio.sleep(0)
