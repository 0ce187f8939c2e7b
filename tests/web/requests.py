"""Requests as a server hands them over, and what is sent back, whole or in pieces."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterable
from typing import Any, TypeVar

from tests.client import Reply

T = TypeVar("T")


def run(work: Coroutine[Any, Any, T]) -> T:
    with asyncio.Runner() as runner:
        return runner.run(work)


def arriving(*parts: bytes, ends: bool = True) -> Any:
    """`receive` of a body in pieces; without `ends` the connection is closed instead."""
    messages: list[dict[str, Any]] = [{"type": "http.request", "body": part, "more_body": True} for part in parts]
    if ends:
        messages.append({"type": "http.request", "body": b"", "more_body": False})
    waiting = iter(messages)

    async def receive() -> Any:
        return next(waiting, {"type": "http.disconnect"})

    return receive


class Sent:
    """`send` that keeps what came, in the order of ASGI."""

    def __init__(self) -> None:
        self.messages: list[Any] = []

    async def __call__(self, message: Any) -> None:
        self.messages.append(message)

    @property
    def reply(self) -> Reply:
        return reply_of(self.messages)


def reply_of(messages: Iterable[Any]) -> Reply:
    """The reply; what no server would send fails here."""
    start, *parts = messages
    assert start["type"] == "http.response.start"
    headers: dict[str, str] = {}
    for name, value in start["headers"]:
        assert name == name.lower(), name
        assert not any(byte < 32 or byte == 127 for byte in name + value), (name, value)
        text = value.decode("latin-1")
        headers[name.decode()] = f"{headers[name.decode()]}, {text}" if name.decode() in headers else text
    return Reply(start["status"], headers, b"".join(part.get("body", b"") for part in parts))
