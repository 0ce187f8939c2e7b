"""The HTTP side of a clone or a push, without any git library: one guard, one count of bytes and one clock for all requests."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from typing import Any, Self, TypeVar

from octavo.gateways import web
from octavo.gateways.addresses import Guard, origin_of, parse
from octavo.gateways.failures import GatewayFailure, Refused, Unreachable, host_of, shown
from octavo.gateways.snapshots import Limits

Progress = Callable[[str, int], None]
"""Called with a word (`receiving` and bytes so far, `indexing` and objects so far), now and then."""

_IDLE_SECONDS = 60.0
_CLOSE_SECONDS = 5.0
_Result = TypeVar("_Result")


class Clocked:
    """One count of bytes and one clock for everything that is said to a host, whichever way."""

    def __init__(self, url: str, limits: Limits, progress: Progress) -> None:
        self.url, self.limits, self.progress = url, limits, progress
        self._ends, self._received = time.monotonic() + limits.seconds, 0
        self._stack = ExitStack()
        self._runner = self._stack.enter_context(asyncio.Runner())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *failure: object) -> None:
        self._stack.close()

    def require_time(self) -> None:
        if time.monotonic() > self._ends:
            raise web.too_slow(self.url, self.limits.seconds)

    def count(self, size: int) -> None:
        self._received += size
        if self._received > self.limits.bytes:
            raise web.too_large(self.url, self.limits.bytes)

    def run(self, step: Awaitable[_Result], grace: float = 0.0) -> _Result:
        """Drive one step of the event loop's work to its end: within the time left, or `grace` seconds if more."""

        async def bounded() -> _Result:
            async with asyncio.timeout(max(grace, self._ends - time.monotonic())):
                return await step

        try:
            return self._runner.run(bounded())
        except TimeoutError:
            raise web.too_slow(self.url, self.limits.seconds) from None


class Conversation(Clocked):
    """All requests of one clone or push: one guard, one count of bytes, one clock."""

    def __init__(self, url: str, guard: Guard, limits: Limits, progress: Progress) -> None:
        parsed = parse(url)
        self._authorization = web.basic(parsed) if parsed.userinfo else None
        self._origin = origin_of(parsed)
        super().__init__(str(parsed.copy_with(userinfo=b"", query=None, fragment=None)), limits, progress)
        self._guard = guard

    def ask(self, url: str, headers: dict[str, str], data: bytes | None) -> Reply:
        sent = dict(headers)
        if self._authorization is not None and origin_of(parse(url)) == self._origin:
            sent["Authorization"] = self._authorization
        remaining = web.Limits(self.limits.bytes, min(_IDLE_SECONDS, self.limits.seconds))
        method = "GET" if data is None else "POST"
        answer = self.run(web.request(url, limits=remaining, guard=self._guard, method=method, headers=sent, body=data))
        reply = Reply(answer, self)
        try:
            require_git(answer, self._authorization is not None, writing="git-receive-pack" in url)
        except GatewayFailure:
            reply.close()
            raise
        return reply


class Reply:
    """An answer in the shape that dulwich reads: exact reads from a buffer filled by the event loop."""

    def __init__(self, answer: web.Answer, conversation: Conversation) -> None:
        self.status, self.redirect_location = answer.status, answer.url
        self.content_type = answer.headers.get("content-type")
        self._answer, self._conversation = answer, conversation
        self._chunks, self._buffer = answer.chunks(), bytearray()

    def read(self, size: int) -> bytes:
        while len(self._buffer) < size:
            part = self._conversation.run(_next(self._chunks))
            if not part:
                break
            self._conversation.count(len(part))
            self._buffer += part
        taken = bytes(self._buffer[:size])
        del self._buffer[:size]
        return taken

    def close(self) -> None:
        self._conversation.run(_close(self._chunks, self._answer), _CLOSE_SECONDS)


async def _next(chunks: Any) -> bytes:
    part: bytes = await anext(chunks, b"")
    return part


async def _close(chunks: Any, answer: web.Answer) -> None:
    await chunks.aclose()
    await answer.close()


def require_git(answer: web.Answer | web.Fetched, with_password: bool, *, writing: bool) -> None:
    """A sentence for every status and kind of answer that is not git's."""
    host, place, status = host_of(answer.url), shown(answer.url.partition("/info/refs")[0]), answer.status
    if status == 401 and with_password:
        raise Refused(f"The host {host} did not accept the name and the password or token.")
    if status == 401:
        raise Refused(f"The host {host} asks for a user and password; the repository is private or does not exist.")
    if status == 403:
        raise Refused(f"The host {host} does not permit {'writing to' if writing else 'reading'} the repository.")
    if status in (404, 410):
        raise Refused(f"There is no repository at {place}.")
    if status == 429 or status >= 500:
        raise Unreachable(f"The host {host} could not answer (status {status}).")
    kind = "application/x-git-receive-pack" if writing else "application/x-git-upload-pack"
    if status != 200 or not answer.headers.get("content-type", "").startswith(kind):
        raise Refused(f"What answers at {place} is not a git repository.")
