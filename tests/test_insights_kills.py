"""Servers and owners of insights that are killed: what was acknowledged is counted, once."""

from __future__ import annotations

import http.client
import json
import os
import signal
import time
import urllib.error
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tests.processes import bootstrap, octavo, send, serving
from tests.profiles import DEEP
from tests.store.insights import engines

BATCH = 20
ROUNDS = 12 if DEEP else 2
PATIENCE = 300
"""Tenths of a second: an engine that ended again and again at once has to wait for some seconds."""


class Site:
    """A site of a new installation, and the batches that its server acknowledged."""

    def __init__(self, data: Path) -> None:
        self.data = data
        self.made = bootstrap(data)
        self.token = self.made["token"]
        self.acknowledged = 0
        self.sent = 0
        with serving(data) as (_, base):
            body = {"title": "Terns", "spaces": "empty"}
            _, site = send(f"{base}/v1/orgs/{self.made['organization']}/sites", self.token, body)
        self.path = f"/v1/orgs/{self.made['organization']}/sites/{site['id']}/insights"

    def batch(self, number: int) -> dict[str, Any]:
        session = {"visitorId": f"v{number}", "sessionId": "s", "userAgent": "curl/8"}
        location = {"url": "https://docs.test/"}
        one = {"type": "page_view", "session": session, "location": location}
        return {"events": [one | {"id": f"{number}-{at}"} for at in range(BATCH)]}

    def post(self, base: str, number: int) -> bool:
        """Whether it was acknowledged."""
        try:
            status, _ = send(f"{base}{self.path}/events", self.token, self.batch(number))
        except (urllib.error.URLError, http.client.HTTPException, ConnectionError, json.JSONDecodeError):
            return False
        return status == 204

    def count(self, base: str) -> int:
        """Asked again while the engine is not back from being killed: what it knows then is the promise."""
        asked = {"range": "last24Hours", "select": [{"column": "eventsCount"}]}
        for _ in range(PATIENCE):
            status, answer = send(f"{base}{self.path}/events/aggregate", self.token, asked)
            if status != 503:
                break
            time.sleep(0.1)
        assert status == 200, answer
        return int(answer["columns"][0]["values"][0])


def test_a_killed_server_loses_nothing_that_it_acknowledged(tmp_path: Path) -> None:
    site = Site(tmp_path)
    acknowledged: set[int] = set()
    for turn in range(ROUNDS):
        numbers = range(turn * 100, turn * 100 + 30)
        with serving(tmp_path) as (process, base), ThreadPoolExecutor(4) as pool:
            waiting = {number: pool.submit(site.post, base, number) for number in numbers}
            while sum(one.done() for one in waiting.values()) < 10:
                time.sleep(0.005)
            process.kill()
            acknowledged |= {number for number, done in waiting.items() if done.result()}
    with serving(tmp_path) as (_, base):
        found = site.count(base)
        assert len(acknowledged) * BATCH <= found <= ROUNDS * 30 * BATCH
        # What was not acknowledged is sent again, and counted once whether it was kept or not.
        for turn in range(ROUNDS):
            for number in range(turn * 100, turn * 100 + 30):
                assert site.post(base, number)
        assert site.count(base) == ROUNDS * 30 * BATCH


def test_a_killed_owner_is_replaced_and_the_server_goes_on(tmp_path: Path) -> None:
    site = Site(tmp_path)
    with serving(tmp_path) as (process, base):
        assert site.post(base, 1)
        assert site.count(base) == BATCH
        [owner] = _children(process.pid)
        os.kill(owner, signal.SIGKILL)
        assert site.post(base, 2)
        assert site.count(base) == 2 * BATCH
        assert _children(process.pid) != [owner]
        # Whoever is stopped in order waits for its owner, which leaves nothing behind in the spool.
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 0
    assert not list((tmp_path / "insights" / "spool").glob("*/*.frames"))


def test_over_clickhouse_a_killed_owner_loses_and_doubles_nothing(tmp_path: Path) -> None:
    pytest.importorskip("chdb", reason="ClickHouse's engine is not installed: make clickhouse")
    site = Site(tmp_path)
    with serving(tmp_path, OCTAVO_INSIGHTS_CLICKHOUSE=engines.clickhouse()) as (process, base):
        for turn in range(ROUNDS):
            with ThreadPoolExecutor(4) as pool:
                waiting = [pool.submit(site.post, base, turn * 10 + number) for number in range(10)]
                if turn or site.count(base):
                    for owner in _children(process.pid):
                        os.kill(owner, signal.SIGKILL)
                assert all(one.result() for one in waiting)
            assert site.count(base) == (turn + 1) * 10 * BATCH


def test_insights_are_in_a_backup(tmp_path: Path) -> None:
    site = Site(tmp_path / "data")
    with serving(tmp_path / "data") as (_, base):
        assert site.post(base, 1)
        octavo("backup", tmp_path / "running.tar", "--data", tmp_path / "data")
        assert site.post(base, 2)
    octavo("backup", tmp_path / "stopped.tar", "--data", tmp_path / "data")
    for name, batches in (("running", 1), ("stopped", 2)):
        octavo("restore", tmp_path / f"{name}.tar", "--data", tmp_path / name)
        with serving(tmp_path / name) as (_, base):
            assert site.count(base) == batches * BATCH
            assert site.post(base, 3)
            assert site.count(base) == (batches + 1) * BATCH
    said = octavo("restore", tmp_path / "stopped.tar", "--data", tmp_path / "running", fails=True)
    assert "already" in said


def _children(pid: int) -> list[int]:
    """Processes that a process started."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                fields = (folder / "stat").read_text().rpartition(")")[2].split()
                command = (folder / "cmdline").read_bytes()
            except OSError:
                continue
            if int(fields[1]) == pid and fields[0] != "Z" and b"insights.owner" in command:
                found.append(int(folder.name))
    return found
