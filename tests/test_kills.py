"""Servers that are killed while they merge: afterwards every change request is merged or not, never between."""

from __future__ import annotations

import http.client
import json
import random
import threading
import urllib.error
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import Any

from tests.processes import bootstrap, get, send, serving
from tests.profiles import DEEP

AT_ONCE = 10
"""Merges in flight when the server is killed."""
KILLS = random.Random(20).choices(range(AT_ONCE), k=200) if DEEP else [0, 3, 7]
"""How many have answered when it is: of each round."""


def test_a_killed_server_leaves_no_merge_half_done(tmp_path: Path) -> None:
    made = bootstrap(tmp_path)
    token = made["token"]
    with serving(tmp_path) as (_, base):
        _, space = send(f"{base}/v1/orgs/{made['organization']}/spaces", token, {"title": "Terns", "empty": True})
    path = f"/v1/spaces/{space['id']}"
    merged: set[int] = set()
    for after in KILLS:
        with serving(tmp_path) as (process, base):
            _check(base + path, token, merged)
            numbers = [_prepared(base + path, token) for _ in range(AT_ONCE)]
            merged |= _killed_while_merging(process, base + path, token, numbers, after=after)
    with serving(tmp_path) as (_, base):
        _check(base + path, token, merged)
        assert len(merged) < len(KILLS) * AT_ONCE, "no kill came before the last answer"


def _prepared(space: str, token: str) -> int:
    """A change request that adds a page named by its number."""
    _, request = send(f"{space}/change-requests", token)
    number: int = request["number"]
    page = {"operation": "insert_page", "document": {"markdown": f"# Page {number}\n\nMarker {number}.\n"}}
    status, _ = send(f"{space}/change-requests/{number}/content", token, {"changes": [page]})
    assert status == 200
    return number


def _killed_while_merging(process: Any, space: str, token: str, numbers: list[int], after: int) -> set[int]:
    """Merge all at once, kill the server when `after` have answered; those that answered."""
    started = threading.Barrier(len(numbers))

    def merge(number: int) -> int | None:
        started.wait(30)
        try:
            status, _ = send(f"{space}/change-requests/{number}/merge", token)
        except (urllib.error.URLError, http.client.HTTPException, ConnectionError, json.JSONDecodeError):
            return None
        assert status == 200
        return number

    with ThreadPoolExecutor(len(numbers)) as pool:
        waiting = [pool.submit(merge, number) for number in numbers]
        answered: set[int] = set()
        if after == 0:
            process.kill()
        for done in as_completed(waiting):
            answered |= {done.result()} - {None}  # type: ignore[arg-type]
            if len(answered) == after:
                process.kill()
    process.kill()
    return answered


def _all(address: str, token: str) -> list[Any]:
    """The items of every page of a list."""
    found: list[Any] = []
    following = ""
    while True:
        page = json.loads(get(f"{address}&limit=1000{following}", token)[1])
        found += page["items"]
        if "next" not in page:
            return found
        following = f"&page={page['next']['page']}"


def _check(space: str, token: str, merged: set[int]) -> None:
    """Every answered merge holds; what is merged is in the content, and nothing else; the history is one line."""
    listed: dict[int, str] = {}
    for status in ("draft", "open", "merged"):
        listed |= {one["number"]: one["status"] for one in _all(f"{space}/change-requests?status={status}", token)}
    assert {number for number in merged if listed[number] != "merged"} == set()
    pages = json.loads(get(f"{space}/content/pages", token)[1])["pages"]
    there = sorted(int(page["title"].split()[1]) for page in pages)
    assert there == sorted(number for number, status in listed.items() if status == "merged")
    record = json.loads(get(space, token)[1])
    assert record["changeRequests"] == len(listed)
    assert record["changeRequestsDraft"] == sum(status == "draft" for status in listed.values())
    assert sorted(listed) == list(range(1, len(listed) + 1))
