"""A rolling restart: one server after the other is replaced, while readers and writers ask without a pause."""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import json
import signal
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from tests.moving.databases import empty_postgres
from tests.processes import bootstrap, serving

WRITERS, READERS = 2, 3
CHECKS = 0.05
"""Seconds between two questions of the balancer whether a server is ready."""
DRAIN = "1.5"


class Balancer:
    """What a load balancer does, as far as it matters here: it asks each server at `/readyz`, and sends requests to those that
    are ready. A request is sent once: what fails, fails."""

    def __init__(self) -> None:
        self._servers: list[str] = []
        self._ready: list[str] = []
        self._lock = threading.Lock()
        self._ended = threading.Event()
        self.turned = threading.Condition()
        threading.Thread(target=self._watch, daemon=True).start()

    def add(self, base: str) -> None:
        with self._lock:
            self._servers.append(base)
        with self.turned:
            assert self.turned.wait_for(lambda: base in self._ready, 60)

    def pick(self, number: int) -> str:
        with self.turned:
            ready = self._ready
        return ready[number % len(ready)]

    def end(self) -> None:
        self._ended.set()

    def _watch(self) -> None:
        while not self._ended.wait(CHECKS):
            with self._lock:
                servers = list(self._servers)
            ready = [base for base in servers if _status(base, "/readyz") == 200]
            with self.turned:
                self._ready = ready
                self.turned.notify_all()


def _status(base: str, path: str) -> int:
    with contextlib.suppress(OSError, http.client.HTTPException):
        return _ask(base, "GET", path)[0]
    return 0


def _ask(base: str, method: str, path: str, token: str = "", body: Any = None) -> tuple[int, bytes]:
    connection = http.client.HTTPConnection(base.removeprefix("http://"), timeout=30)
    headers = {"authorization": f"Bearer {token}", "content-type": "application/json"} if token else {}
    try:
        connection.request(method, path, None if body is None else json.dumps(body), headers)
        reply = connection.getresponse()
        return reply.status, reply.read()
    finally:
        connection.close()


@contextmanager
def _asking(balancer: Balancer, made: Any) -> Iterator[tuple[list[str], list[str], threading.Semaphore]]:
    """Who reads and writes until the end: what failed, what was written, and a count of answers."""
    failed: list[str] = []
    written: list[str] = []
    answered = threading.Semaphore(0)
    ended = threading.Event()
    path = f"/v1/orgs/{made['organization']}/spaces"

    def ask(number: int) -> None:
        turn = number
        while not ended.is_set():
            turn += 1
            base = balancer.pick(turn)
            try:
                if number < WRITERS:
                    status, said = _ask(base, "POST", path, made["token"], {"title": f"Space {number} {turn}"})
                    if status == 201:
                        written.append(json.loads(said)["id"])
                else:
                    status, said = _ask(base, "GET", "/v1/user", made["token"])
                if status >= 400:
                    failed.append(f"{status} {said[:200]!r}")
            except (OSError, http.client.HTTPException) as error:
                failed.append(f"{base}: {error!r}")
            answered.release()

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(WRITERS + READERS)]
    for thread in threads:
        thread.start()
    try:
        yield failed, written, answered
    finally:
        ended.set()
        for thread in threads:
            thread.join(60)


def test_no_request_fails_while_servers_are_replaced(loop: asyncio.AbstractEventLoop, tmp_path: Path) -> None:
    """The old ones leave with a drain that is longer than the balancer takes to notice, as the page on upgrades says."""
    with empty_postgres(loop) as url, ExitStack() as servers:
        set_ = {"OCTAVO_DATABASE_URL": url, "OCTAVO_RATE_LIMIT_TOKEN": "1000000"}
        made = bootstrap(tmp_path, **set_)
        balancer = Balancer()
        servers.callback(balancer.end)

        def start() -> Any:
            process, base = servers.enter_context(serving(tmp_path, "--drain", DRAIN, **set_))
            balancer.add(base)
            return process

        old = [start()]
        with _asking(balancer, made) as (failed, written, answered):
            for one in old:
                for _ in range(20):
                    assert answered.acquire(timeout=60)
                start()  # the new version beside the old ones
                one.send_signal(signal.SIGTERM)
                assert one.wait(60) == 0
            for _ in range(20):
                assert answered.acquire(timeout=60)
        assert failed == []
        assert len(written) > 4
        _, said = _ask(balancer.pick(0), "GET", f"/v1/orgs/{made['organization']}/spaces?limit=1000", made["token"])
        assert {space["id"] for space in json.loads(said)["items"]} >= set(written)
