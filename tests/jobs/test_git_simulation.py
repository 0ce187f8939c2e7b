"""A space and a branch that people write to on both sides, while the network fails and answers are lost: in the end both
hold the same, and every line that anybody wrote."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from octavo.store.database.engine import Engine
from tests.client import World
from tests.conftest import FakeClock, opened_world
from tests.git_compat.server import Served, require_git, serving
from tests.jobs.repositories import BRANCH, Repository, Written
from tests.profiles import DEEP

HOURS = 7 * 24 if DEEP else 8
START = {
    "README.md": b"# Home\n\nWelcome.\n",
    "guides/first.md": b"# First\n\nAlpha.\n\n## Middle\n\nBeta.\n",
    "guides/second.md": b"# Second\n\nSee [first](first.md).\n",
    "src/main.py": b"x = 1\n",
}


@pytest.fixture
def near(engine: Engine, clock: FakeClock, memory_folder: Path, loop: asyncio.AbstractEventLoop) -> Iterator[World]:
    with opened_world(engine, clock, memory_folder, loop, allowed_hosts=["127.0.0.1"]) as world:
        yield world


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    require_git()
    root = tmp_path / "served"
    root.mkdir()
    with serving(root) as running:
        yield running


class Week:
    """People on both sides, and what goes wrong between them."""

    def __init__(self, world: World, repository: Repository, served: Served, clock: FakeClock, seed: int) -> None:
        self.world, self.repository, self.served, self.clock = world, repository, served, clock
        self.chance = random.Random(seed)
        self.space = Written(world, empty=True)
        self.lines: list[str] = []
        self.failures = 0
        repository.commit("Begin", dict(START))
        order = {"url": repository.url, "ref": BRANCH}
        assert world.api.put(f"{self.space.path}/git/connection", order).status == 200
        self.sync()

    def line(self, who: str) -> str:
        self.lines.append(f"{who} {len(self.lines)} {self.chance.random()}")
        return self.lines[-1]

    def write_in_space(self) -> None:
        pages = {path: key for path, key in self.space.pages().items() if path.startswith(("guides/", "new", "readme"))}
        if self.chance.random() < 0.25:
            self.space.insert(f"# New {len(self.lines)}\n\n{self.line('space')}\n")
            return
        path = self.chance.choice(sorted(pages))
        if self.chance.random() < 0.2 and "readme" not in path:
            change = {"operation": "update_page", "page": pages[path], "slug": f"renamed-{self.clock.now}"}
            self.space.write(change)
            return
        text = self.space.text(pages[path])
        self.space.edit(pages[path], f"{text.rstrip()}\n\n{self.line('space')}\n")

    def write_in_repository(self) -> None:
        self.repository.pull()
        texts = [name for name in self.repository.files() if name.endswith(".md") and name != "SUMMARY.md"]
        if self.chance.random() < 0.2:
            words = f"# There {len(self.lines)}\n\n{self.line('git')}\n"
            self.repository.commit("New", {f"guides/there-{len(self.lines)}.md": words.encode()})
            return
        name = self.chance.choice(sorted(texts))
        head, _, rest = self.repository.files()[name].decode().partition("\n")
        self.repository.commit("Edit", {name: f"{head}\n\n{self.line('git')}\n{rest}".encode()})

    def sync(self) -> dict[str, Any]:
        assert self.world.api.post(f"{self.space.path}/git/sync", {}).status == 201
        self.world.work()
        return self.settle()

    def settle(self) -> dict[str, Any]:
        """Somebody looks after it: what waits for a decision is merged."""
        last = self.space.last()
        while last["state"] == "queued":
            self.clock.advance(3 * 3_600_000)
            self.served.pages.clear()
            self.world.work()
            last = self.space.last()
        if "changeRequest" in last:
            self.failures += 1
            request = f"{self.space.path}/change-requests/{last['changeRequest']}"
            if self.world.api.get(request).json["status"] == "open":
                assert self.world.api.post(f"{request}/merge", {}).status == 200
        else:
            assert last["state"] == "success", last
        return last

    def hour(self) -> None:
        self.clock.advance(3_600_000)
        for _ in range(self.chance.randint(0, 2)):
            self.write_in_space()
        for _ in range(self.chance.randint(0, 2)):
            self.write_in_repository()
        if self.chance.random() < 0.2:
            self.served.pages["/docs.git"] = (503, "text/plain", b"")
        if self.chance.random() < 0.3:
            self.served.lost = 1
        self.sync()


@pytest.mark.parametrize("engine", ["sqlite", "postgres"] if DEEP else ["sqlite"], indirect=True)
@pytest.mark.parametrize("seed", range(3 if DEEP else 1))
def test_in_the_end_both_sides_hold_every_line(
    near: World, tmp_path: Path, served: Served, clock: FakeClock, seed: int
) -> None:
    week = Week(near, Repository(tmp_path, served), served, clock, seed)
    for _ in range(HOURS):
        week.hour()
    served.pages.clear()
    served.lost = 0
    for _ in range(3):
        week.sync()
    week.repository.check()
    there = week.repository.files()
    words = b"\n".join(there.values()).decode()
    assert not [line for line in week.lines if line not in words]
    fresh = Written(near, empty=True)
    assert fresh.order("import", week.repository.url)["state"] == "success"
    assert _texts(fresh) == _texts(week.space)
    assert there["src/main.py"] == START["src/main.py"]


def _texts(space: Written) -> dict[str, str]:
    pages = space.world.api.get(f"{space.path}/content/pages").json["pages"]
    return {path: space.text(key) for path, key in space.pages().items() if _is_document(pages, key)}


def _is_document(pages: list[dict[str, Any]], key: str) -> bool:
    return any(
        (one["id"] == key and one["type"] == "document") or _is_document(one.get("pages", []), key) for one in pages
    )
