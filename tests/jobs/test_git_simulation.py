"""A space and a branch that people write to on both sides, while the network fails, answers are lost, and workers and their
children are killed: in the end both hold the same, and every line that anybody wrote."""

from __future__ import annotations

import os
import random
import re
import signal
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from octavo.jobs.children import room
from octavo.jobs.worker import LEASE
from octavo.store.unit import Store
from tests.client import World
from tests.conftest import FakeClock
from tests.git_compat.server import Served
from tests.jobs.repositories import BRANCH, Repository, Written
from tests.profiles import DEEP

HOURS = 7 * 24 if DEEP else 8
START = {
    "README.md": b"# Home\n\nWelcome.\n",
    "guides/first.md": b"# First\n\nAlpha.\n\n## Middle\n\nBeta.\n",
    "guides/second.md": b"# Second\n\nSee [first](first.md).\n",
    "src/main.py": b"x = 1\n",
}


_MARK = re.compile(r'\{% if conflict == "[^"\n]*" %\}\n|\{% endif %\}\n?')
"""What stands around the other side's text of a conflict."""


class Killed(BaseException):
    """The process of the worker ended there."""


class Deaths:
    """Ends the worker at one of its next writes, just before or just after it, or its child at one of its next words."""

    def __init__(self, world: World, patch: pytest.MonkeyPatch, chance: random.Random) -> None:
        self.writes = self.words = -1
        self.workers = self.children = 0
        write, started, heard = Store.write, room.started, room.heard
        self._child: Any = None

        async def writing(store: Store, *given: Any, **named: Any) -> Any:
            late = self._comes("writes") and chance.random() < 0.5
            if self.writes == 0 and not late:
                self._die()
            made = await write(store, *given, **named)
            if self.writes == 0:
                self._die()
            return made

        async def starting(*given: Any) -> Any:
            self._child = await started(*given)
            return self._child

        async def hearing(source: Any) -> Any:
            if self._comes("words"):
                self.words = -1
                with suppress(ProcessLookupError):  # it may have said its last word
                    os.killpg(self._child.pid, signal.SIGKILL)
                    self.children += 1
            return await heard(source)

        patch.setattr(Store, "write", writing)
        patch.setattr(room, "started", starting)
        patch.setattr(room, "heard", hearing)

    def _comes(self, name: str) -> bool:
        """Count down; whether it is now."""
        if getattr(self, name) > 0:
            setattr(self, name, getattr(self, name) - 1)
        return getattr(self, name) == 0

    def _die(self) -> None:
        self.writes, self.workers = -1, self.workers + 1
        raise Killed


class Week:
    """People on both sides, and what goes wrong between them."""

    def __init__(
        self,
        world: World,
        repository: Repository,
        served: Served,
        clock: FakeClock,
        seed: int,
        patch: pytest.MonkeyPatch,
    ) -> None:
        self.world, self.repository, self.served, self.clock = world, repository, served, clock
        self.chance = random.Random(seed)
        self.deaths = Deaths(world, patch, self.chance)
        self.space = Written(world, empty=True)
        self.lines: list[str] = []
        self.held = self.failed = self.retried = self.operations = 0
        self.renamed = self.contradictions = self.merged = self.decided = 0
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
            self.renamed += 1
            change = {"operation": "update_page", "page": pages[path], "slug": f"renamed-{self.renamed}"}
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

    def write_one_block_on_both_sides(self) -> None:
        """Both go on with one line, each in its own way: neither can be taken without the other's consent."""
        self.repository.pull()
        there = {name: text.decode() for name, text in self.repository.files().items() if name.endswith(".md")}
        pages = self.space.pages()
        for path, text in sorted(_texts(self.space).items(), key=lambda _: self.chance.random()):
            page = pages[path]
            lines = [line for line in text.splitlines() if line[:1].isalpha() and text.count(line) == 1]
            shared = [
                (line, name)
                for line in lines
                for name, words in there.items()
                if words.splitlines().count(line) == 1 and words.count(line) == 1
            ]
            if not shared:
                continue
            line, name = self.chance.choice(shared)
            # A block in a mark of an earlier conflict is decided first.
            self.space.edit(page, text.replace(line, f"{line} {self.line('space')}"))
            self.repository.commit("Edit", {name: there[name].replace(line, f"{line} {self.line('git')}").encode()})
            self.contradictions += 1
            return

    def decide(self) -> None:
        """Somebody looks at pages that hold both texts of a conflict, and keeps both."""
        for path, text in _texts(self.space).items():
            page = self.space.pages()[path]
            if _MARK.search(text):
                self.space.edit(page, _MARK.sub("", text))
                self.decided += 1

    def sync(self) -> dict[str, Any]:
        assert self.world.api.post(f"{self.space.path}/git/sync", {}).status == 201
        self.operations += 1
        # Requests are over: what is killed is the worker.
        if self.chance.random() < 0.2:
            self.deaths.writes = self.chance.randint(1, 12)
        elif self.chance.random() < 0.1:
            self.deaths.words = self.chance.randint(1, 6)
        self.work()
        self.deaths.writes = self.deaths.words = -1
        return self.settle()

    def work(self) -> None:
        """The worker works; where it dies, the next one takes over when its lease has ended."""
        try:
            self.world.work()
        except Killed:
            self.clock.advance(2 * LEASE)
            self.work()

    def settle(self) -> dict[str, Any]:
        """Somebody looks after it: what waits for a decision is merged. Whatever went wrong, the API says it."""
        last = self.space.last()
        while last["state"] == "queued":
            assert (last["message"], last["retryAt"]) > ("", ""), last
            self.retried += 1
            self.clock.advance(3 * 3_600_000)
            self.served.pages.clear()
            self.work()
            last = self.space.last()
        if "changeRequest" in last:
            self.held += 1
            request = f"{self.space.path}/change-requests/{last['changeRequest']}"
            if self.world.api.get(request).json["status"] == "open":
                merged = self.world.api.post(f"{request}/merge", {})
                assert (merged.status, merged.json["result"]) == (200, "conflicts"), merged.text
                self.merged += 1
        elif last["state"] == "failure":
            self.failed += 1
            assert "was stopped" in last["message"], last
            assert self.world.api.get(f"{self.space.path}/git/info").json["operation"]["message"] == last["message"]
        else:
            assert last["state"] == "success", last
        return last

    def hour(self) -> None:
        self.clock.advance(3_600_000)
        if self.chance.random() < 0.4:
            self.decide()
        if self.chance.random() < 0.25 or not self.contradictions:
            self.write_one_block_on_both_sides()
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
    near: World, tmp_path: Path, served: Served, clock: FakeClock, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    week = Week(near, Repository(tmp_path, served), served, clock, seed, monkeypatch)
    for _ in range(HOURS):
        week.hour()
    served.pages.clear()
    served.lost = 0
    monkeypatch.undo()
    while week.sync()["state"] != "success":
        pass
    week.decide()
    while week.sync()["state"] != "success":
        pass
    week.sync()
    assert week.merged, "nothing was held for a decision"
    if DEEP:
        print(  # what the run was, for whoever reports it
            f"{HOURS} hours, {len(week.lines)} lines, {week.operations} operations: {week.retried} tried again, "
            f"{week.contradictions} contradictions, {week.held} held for a decision, {week.merged} merged, "
            f"{week.decided} pages decided, {week.failed} failed, {week.deaths.workers} workers and "
            f"{week.deaths.children} children killed"
        )
    week.repository.check()
    there = week.repository.files()
    words = b"\n".join(there.values()).decode()
    assert not [line for line in week.lines if line not in words]
    fresh = Written(near, empty=True)
    assert fresh.order("import", week.repository.url)["state"] == "success"
    assert _texts(fresh) == _texts(week.space)
    titles = sorted(text.decode().partition("\n")[0] for name, text in there.items() if name.endswith(".md"))
    assert len(titles) == len({*titles}), "a page was written twice"
    assert there["src/main.py"] == START["src/main.py"]


def _texts(space: Written) -> dict[str, str]:
    pages = space.world.api.get(f"{space.path}/content/pages").json["pages"]
    return {path: space.text(key) for path, key in space.pages().items() if _is_document(pages, key)}


def _is_document(pages: list[dict[str, Any]], key: str) -> bool:
    return any(
        (one["id"] == key and one["type"] == "document") or _is_document(one.get("pages", []), key) for one in pages
    )
