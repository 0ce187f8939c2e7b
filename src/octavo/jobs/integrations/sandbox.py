"""The child process of a script: has Deno run it without any permission, and fetches for it what it may reach.

Deno is given no file, no environment, no address and no program. What the script fetches comes through the frames of
`runner.js`, and is asked for here: of hosts that are on the operator's list, at addresses that the guard admits. Between two
events Deno is stopped, so that nothing goes on in it.
"""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import fnmatch
import os
import resource
import signal
import struct
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

import msgspec

from octavo.gateways import web
from octavo.gateways.addresses import Guard, name_of, origin_of, parse, port_of
from octavo.gateways.failures import GatewayFailure, Refused, plain
from octavo.jobs.children.inside import Line
from octavo.jobs.children.inside import Refused as Ends
from octavo.jobs.integrations.orders import LOADING, Log, Order, Ran, Sent

if TYPE_CHECKING:
    import httpx2

RUNNER = Path(__file__).with_name("runner.js")
FETCHES, AT_ONCE = 50, 6
"""What a script may ask for during one event, and how much of it at a time."""
_ADDRESSES = 1 << 30
"""Bytes of writable memory beyond the script's own that the engine reserves and does not use."""
_EVERY = 0.02
"""Seconds between two looks at the memory."""
_FRAME = 16 << 20
_HEAD = struct.Struct(">II")
_FLAGS = (
    "--no-prompt",
    "--no-remote",
    "--no-npm",
    "--no-config",
    "--no-lock",
    "--cached-only",
    "--no-code-cache",
    "--quiet",
)
_JSON: msgspec.json.Decoder[dict[str, Any]] = msgspec.json.Decoder(dict[str, Any])


def work(line: Line) -> None:
    """Answer events until the job's side ends."""
    asyncio.run(_serve(line, line.request(Order)))


async def _serve(line: Line, order: Order) -> None:
    box = await Box.started(order, line.folder)
    try:
        await box.load()
        line.say("answer", None)
        while True:
            sent = await asyncio.to_thread(line.request, Sent)
            if box.is_gone:  # somebody killed it between two events, which is not the next one's fault
                box = await Box.started(order, line.folder)
                await box.load()
            line.say("answer", await box.tell(sent))
    finally:
        box.end()  # stopped as it is, it would notice nothing


@dataclass(frozen=True)
class Listed(Guard):
    """Also which hosts a script may reach; asked again for each redirect."""

    hosts: tuple[str, ...] = ()
    api: tuple[str, str, int] | None = None

    def admit(self, url: httpx2.URL) -> list[str]:
        name = name_of(url)
        if origin_of(url) == self.api and _is_api(url):
            return super().admit(url)
        if not any(fnmatch.fnmatchcase(name, one.lower()) for one in self.hosts):
            raise Refused(f"Scripts may not reach the host {plain(name)}: it is not among OCTAVO_SCRIPT_HOSTS.")
        return Guard(self.allow_private, self.allow_hosts - self._own, self.resolver, self.tls).admit(url)

    @property
    def _own(self) -> frozenset[str]:
        return frozenset() if self.api is None else frozenset({f"{self.api[1]}:{self.api[2]}"})


def _is_api(url: httpx2.URL) -> bool:
    path = unquote(url.raw_path.decode("ascii").partition("?")[0])
    return path.startswith("/v1/") and "/.." not in path


def guard_of(order: Order) -> Listed:
    """What the script may reach."""
    own = parse(order.api)
    allowed = frozenset({*order.allowed_hosts, f"{name_of(own)}:{port_of(own)}"})
    return Listed(order.allow_private, allowed, hosts=tuple(order.hosts), api=origin_of(own))


class Box:
    """Deno with one script."""

    def __init__(self, order: Order, process: asyncio.subprocess.Process) -> None:
        self._order, self._process = order, process
        self._guard = guard_of(order)
        self._turns = asyncio.Semaphore(AT_ONCE)
        self._full = False
        self._fetched = 0

    @classmethod
    async def started(cls, order: Order, folder: Path) -> Box:
        """The engine, which has loaded nothing yet."""
        most = order.memory + _ADDRESSES
        resource.setrlimit(resource.RLIMIT_DATA, (most, most))
        heap = f"--v8-flags=--max-old-space-size={order.memory >> 20}"
        try:
            process = await asyncio.create_subprocess_exec(
                *(order.program, "run", *_FLAGS, heap, str(RUNNER)),
                cwd=folder,
                env={"DENO_DIR": str(folder / "deno"), "HOME": str(folder), "TMPDIR": str(folder), "NO_COLOR": "1",
                     "DENO_NO_UPDATE_CHECK": "1"},
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                preexec_fn=_ends_with(os.getpid()),
            )  # fmt: skip
        except OSError as error:
            raise Ends(f"the program that runs scripts cannot be started: {error.strerror}") from error
        return cls(order, process)

    @property
    def is_gone(self) -> bool:
        return self._process.returncode is not None

    def end(self) -> None:
        """Kill the engine."""
        self._signal(signal.SIGKILL)

    async def load(self) -> None:
        """Have the script loaded. Raises Refused with what is wrong with it."""
        async with self._watched("loading"):
            await self._send({"op": "load"}, self._order.script.encode())
            head, _ = await self._read()
            if "error" in head:
                raise Ends(f"the script cannot be loaded: {head['error']}")
        self._signal(signal.SIGSTOP)

    async def tell(self, sent: Sent) -> Ran:
        """What the script answers to an event. Raises Refused when it does not."""
        self._signal(signal.SIGCONT)
        self._fetched = 0
        fetches: set[asyncio.Task[None]] = set()
        try:
            async with self._watched("answering"):
                await self._send({"op": "event", "type": sent.type}, sent.body)
                while True:
                    head, body = await self._read()
                    if head.get("op") == "answer":
                        break
                    fetches.add(asyncio.create_task(self._fetch(head, body)))
        finally:
            for one in fetches:
                one.cancel()
        self._signal(signal.SIGSTOP)
        try:
            return Ran(
                int(head["status"]), msgspec.convert(head["headers"], list[tuple[str, str]]), body,
                msgspec.convert(head["logs"], list[Log]), msgspec.convert(head.get("threw"), str | None),
            )  # fmt: skip
        except (msgspec.ValidationError, KeyError, TypeError, ValueError) as error:
            raise Ends(_TORN) from error

    @contextlib.asynccontextmanager
    async def _watched(self, what: str) -> AsyncIterator[None]:
        order, watch = self._order, asyncio.create_task(self._watch())
        # A machine with much to do takes its time to start the engine, which is not the script's fault.
        seconds = max(order.seconds, LOADING) if what == "loading" else order.seconds
        try:
            async with asyncio.timeout(seconds):
                yield
        except TimeoutError:
            raise Ends(f"the script took longer than {seconds:g} seconds and was stopped") from None
        except EOFError:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._process.wait(), 1)
            if self._full or self._process.returncode in _FULL:
                raise Ends(f"the script took more than {order.memory >> 20} MiB of memory and was stopped") from None
            raise Ends(_GONE[what]) from None
        finally:
            watch.cancel()

    async def _watch(self) -> None:
        """Kill the engine when it has more memory than it may."""
        page, path = resource.getpagesize(), f"/proc/{self._process.pid}/statm"
        while True:
            with contextlib.suppress(OSError, IndexError, ValueError):
                with open(path) as file:
                    resident = int(file.read().split()[1]) * page
                if resident > self._order.memory + _ENGINE:
                    self._full = True
                    self._signal(signal.SIGKILL)
                    return
            await asyncio.sleep(_EVERY)

    async def _fetch(self, head: dict[str, Any], body: bytes) -> None:
        reply, got = await self._fetched_for(head, body)
        with contextlib.suppress(ConnectionError):
            await self._send({"op": "fetched", "id": head.get("id"), **reply}, got)

    async def _fetched_for(self, head: dict[str, Any], body: bytes) -> tuple[dict[str, Any], bytes]:
        self._fetched += 1
        if self._fetched > FETCHES:
            return {"error": f"a script may fetch {FETCHES} times during one event"}, b""
        try:
            async with self._turns:
                answer = await web.fetch(
                    str(head["url"]),
                    method=str(head["method"]),
                    headers={str(name): str(value) for name, value in head["headers"]},
                    body=body if head["sends"] else None,
                    guard=self._guard,
                    limits=web.Limits(bytes=8 << 20, seconds=self._order.seconds),
                    follow=head["redirect"] == "follow",
                )
        except GatewayFailure as failure:
            return {"error": str(failure)}, b""
        except (KeyError, TypeError, ValueError):
            return {"error": "the request is not valid"}, b""
        headers = [[name, value] for name, value in answer.headers.items() if name not in _DECODED]
        return {"status": answer.status, "headers": headers, "url": answer.url}, answer.body

    async def _send(self, head: dict[str, Any], body: bytes) -> None:
        assert self._process.stdin is not None
        said = msgspec.json.encode(head)
        self._process.stdin.write(_HEAD.pack(len(said), len(body)) + said + body)
        with contextlib.suppress(ConnectionError):  # what is read next is its end
            await self._process.stdin.drain()

    async def _read(self) -> tuple[dict[str, Any], bytes]:
        """The next frame. Raises EOFError at the end; Refused for what is no frame, as a script may write too."""
        assert self._process.stdout is not None
        try:
            said, size = _HEAD.unpack(await self._process.stdout.readexactly(_HEAD.size))
            if said + size > _FRAME:
                raise Ends(_TORN)
            head = _JSON.decode(await self._process.stdout.readexactly(said))
            return head, await self._process.stdout.readexactly(size)
        except asyncio.IncompleteReadError as error:
            raise EOFError from error
        except msgspec.DecodeError as error:
            raise Ends(_TORN) from error

    def _signal(self, number: int) -> None:
        if self._process.returncode is None:  # else its number may be another's
            with contextlib.suppress(ProcessLookupError):
                os.kill(self._process.pid, number)


def _ends_with(parent: int) -> Callable[[], None]:
    """Have the kernel kill the engine with this process: stopped as it is, it would not notice that nobody is there."""
    prctl = getattr(ctypes.CDLL(None), "prctl", None)

    def ends() -> None:
        if prctl is not None:
            prctl(_PARENT_DEATH, int(signal.SIGKILL), 0, 0, 0)
            if os.getppid() != parent:  # gone before the kernel was told
                os._exit(1)

    return ends


_PARENT_DEATH = 1
"""PR_SET_PDEATHSIG of Linux."""
_ENGINE = 64 << 20
"""Bytes of memory of the engine itself, without a script."""
_FULL = frozenset({-signal.SIGTRAP, -signal.SIGABRT, -signal.SIGILL})
"""How it ends when its own heap is full."""
_DECODED = frozenset({"content-encoding", "content-length", "transfer-encoding", "connection"})
_TORN = "the script wrote into what it is asked through, and was stopped"
_GONE = {
    "loading": "the engine of scripts ended before the script was loaded",
    "answering": "the script ended before it answered",
}
