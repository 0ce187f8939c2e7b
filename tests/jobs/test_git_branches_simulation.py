"""A repository whose people push branches, open, change, merge and close pull requests, while a space follows it and is written
to, the host fails and workers are killed: in the end every change request is as its branch is, and no line is lost."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.client import World
from tests.conftest import FakeClock
from tests.git_compat.hosts import TOKEN, HostApi, PullThere
from tests.git_compat.server import Served, git
from tests.jobs.repositories import BRANCH, Repository, Written
from tests.jobs.test_git_simulation import _MARK, START, Week, _texts
from tests.profiles import DEEP

HOURS = 7 * 24 if DEEP else 3
ROUNDS = 12 if DEEP else 4
KINDS = ("github", "gitlab", "gitea", "bitbucket")
UNDECIDED = "without what was edited"


@dataclass
class Branch:
    """A branch as its people know it."""

    name: str
    pull: int | None = None
    state: str = "open"
    there: bool = True
    lines: list[str] = field(default_factory=list)
    decided: bool = False
    """Somebody had to merge what was edited here only."""


class Requests:
    """Change requests of the space that follow branches."""

    def __init__(self, space: Written) -> None:
        self.space, self.api = space, space.world.api

    def rows(self) -> dict[str, dict[str, Any]]:
        """Short name of each branch -> how it stands."""
        items = self.api.get(f"{self.space.path}/git/branches?limit=200").json["items"]
        return {one["ref"].removeprefix("refs/heads/"): one for one in items}

    def get(self, id: str) -> dict[str, Any]:
        found: dict[str, Any] = self.api.get(f"{self.space.path}/change-requests/{id}").json
        return found

    def open(self) -> set[str]:
        return {
            one["id"]
            for status in ("open", "draft")
            for one in self.api.get(f"{self.space.path}/change-requests?status={status}&limit=100").json["items"]
        }

    def texts(self, id: str) -> dict[str, str]:
        at = f"{self.space.path}/change-requests/{id}/content"

        def down(pages: list[dict[str, Any]]) -> dict[str, str]:
            made: dict[str, str] = {}
            for page in pages:
                if page["type"] == "document":
                    text = self.api.get(f"{at}/page/{page['id']}?format=markdown").json["markdown"]
                    made[page["path"]] = text
                made |= down(page.get("pages", []))
            return made

        return down(self.api.get(f"{at}/pages").json["pages"])

    def edit(self, id: str, path: str, text: str) -> None:
        at = f"{self.space.path}/change-requests/{id}/content"

        def find(pages: list[dict[str, Any]]) -> str | None:
            for page in pages:
                if page.get("path") == path and page["type"] == "document":
                    return str(page["id"])
                if (found := find(page.get("pages", []))) is not None:
                    return found
            return None

        page = find(self.api.get(f"{at}/pages").json["pages"])
        change = {"operation": "update_page", "page": page, "document": {"markdown": text}}
        assert self.api.post(at, {"changes": [change]}).status == 200

    def merge(self, id: str) -> None:
        reply = self.api.post(f"{self.space.path}/change-requests/{id}/merge", {})
        assert reply.status == 200, reply.text


class Busy(Week):
    """A week with branches."""

    def __init__(self, world: World, repository: Repository, served: Served, clock: FakeClock, seed: int, patch: Any):
        self.api = served.api = HostApi(KINDS[seed % len(KINDS)], pulls_a_page=2)
        self.branches: list[Branch] = []
        self.requests: Requests | None = None
        self.unasked = self.stopped = self.given = self.here = 0
        super().__init__(world, repository, served, clock, seed, patch)
        # Whoever merges by hand keeps the lines of both.
        (repository.work / ".git/info/attributes").write_text("*.md merge=union\nSUMMARY.md merge\n")
        more = {"previews": {"most": 50}, "provider": self.api.kind, "apiToken": TOKEN}
        order = {"url": repository.url, "ref": BRANCH} | more
        assert world.api.put(f"{self.space.path}/git/connection", order).status == 200
        self.requests = Requests(self.space)

    # What people do at the host.

    def begin(self) -> None:
        self.branches.append(Branch(f"topic/{len(self.branches)}"))
        self.push(self.branches[-1])

    def push(self, branch: Branch) -> None:
        work = self.repository.work
        git(work, "fetch", "-q", "origin")
        known = self.repository.head(branch.name)
        git(work, "checkout", "-q", "-B", branch.name, f"origin/{branch.name}" if known else "origin/main")
        names = sorted(str(one.relative_to(work)) for one in work.rglob("*.md") if one.name != "SUMMARY.md")
        line = self.line("branch")
        branch.lines.append(line)
        listed = work / "SUMMARY.md"
        if listed.exists():
            # What it does not name is no page: a line there would be nobody's.
            names = [name for name in names if f"({name})" in listed.read_text()]
        if self.chance.random() < 0.2:
            if listed.exists():
                entry = f"* [Topic {len(self.lines)}](guides/topic-{len(self.lines)}.md)\n"
                listed.write_text(listed.read_text().rstrip("\n") + "\n" + entry)
            name, text = f"guides/topic-{len(self.lines)}.md", f"# Topic {len(self.lines)}\n\n{line}\n"
        else:
            name = self.chance.choice(names)
            head, _, rest = (work / name).read_text().partition("\n")
            text = f"{head}\n\n{line}\n{rest}"
        (work / name).parent.mkdir(parents=True, exist_ok=True)
        (work / name).write_text(text)
        git(work, "add", "-A")
        git(work, "commit", "-q", "-m", f"Edit {branch.name}")
        git(work, "push", "-q", "origin", f"HEAD:{branch.name}")
        git(work, "checkout", "-q", "main")

    def request_pull(self, branch: Branch) -> None:
        if branch.pull is None:
            branch.pull = len(self.api.pulls) + 1
            oid = self.repository.head(branch.name)
            self.api.pulls[branch.pull] = PullThere(branch.name, title=f"Pull {branch.pull}", oid=oid)

    def merge_there(self, branch: Branch) -> None:
        work = self.repository.work
        self.repository.pull()
        # Only the host can tell that a branch was squashed and edited since.
        squashed = branch.pull is not None and self.chance.random() < 0.4
        try:
            git(work, "merge", "-q", "--squash" if squashed else "--no-ff", "--no-commit", f"origin/{branch.name}")
        except subprocess.CalledProcessError:
            if git(work, "diff", "--name-only", "--diff-filter=U").decode().split() != ["SUMMARY.md"]:
                # Nobody resolves it; it stays open.
                git(work, "reset", "-q", "--hard", "origin/main")
                return
            ours = git(work, "show", "HEAD:SUMMARY.md").decode()
            theirs = git(work, "show", f"origin/{branch.name}:SUMMARY.md").decode().splitlines()
            # A page that main has renamed since is listed there already: nobody lists a file that is not there.
            more = [line for line in theirs if (work / _listed(line)).is_file() and line.strip() not in ours]
            (work / "SUMMARY.md").write_text(ours.rstrip("\n") + "\n" + "".join(f"{line}\n" for line in more))
            git(work, "add", "-A")
        git(work, "commit", "-q", "--allow-empty", "-m", f"Merge {branch.name}")
        git(work, "push", "-q", "origin", "HEAD:main")
        self.end(branch, "merged", gone=branch.pull is None or self.chance.random() < 0.6)

    def end(self, branch: Branch, state: str, *, gone: bool) -> None:
        branch.state = state
        if branch.pull is not None:
            self.api.pulls[branch.pull].state = state
            # A host knows a pull request by the last commit that its branch then had.
            self.api.pulls[branch.pull].oid = self.repository.head(branch.name)
        if gone:
            branch.there = False
            git(self.repository.bare, "branch", "-D", branch.name)

    def act(self) -> None:
        """What happens to one branch."""
        live = [one for one in self.branches if one.state == "open"]
        seen = self._requests.rows()
        followed = [one for one in live if "changeRequest" in seen.get(one.name, {})]
        # What is removed before anybody has looked is gone by the will of its people.
        known = [one for one in followed if seen[one.name].get("oid") == self.repository.head(one.name)]
        dice = self.chance.random()
        if len(live) < 4 and (not live or dice < 0.3):
            self.begin()
        elif dice < 0.5:
            self.push(self.chance.choice(live))
        elif dice < 0.6:
            self.request_pull(self.chance.choice(live))
        elif dice < 0.78 and followed:
            self.edit_here(self.chance.choice(followed))
        elif dice < 0.9:
            self.merge_there(self.chance.choice(live))
        elif dice < 0.95 and known:
            branch = self.chance.choice(known)
            self.end(branch, "closed", gone=branch.pull is None or self.chance.random() < 0.5)
        else:
            closed = [one for one in self.branches if one.state == "closed" and one.there and not one.decided]
            for branch in closed[:1]:
                branch.state = self.api.pulls[branch.pull or 0].state = "open"

    # What people do here.

    @property
    def _requests(self) -> Requests:
        assert self.requests is not None
        return self.requests

    def edit_here(self, branch: Branch) -> None:
        request = self._requests.get(self._requests.rows()[branch.name]["changeRequest"])
        if request["status"] != "open":
            return
        texts = self._requests.texts(request["id"])
        path = self.chance.choice(sorted(texts))
        line = self.line("request")
        branch.lines.append(line)
        self._requests.edit(request["id"], path, f"{texts[path].rstrip()}\n\n{line}\n")
        self.given += 1

    def merge_here(self) -> None:
        """Somebody merges a change request that has all of its branch, and removes the branch."""
        rows = self._requests.rows()
        for branch in self.branches:
            row = rows.get(branch.name, {})
            if branch.state != "open" or row.get("oid") != self.repository.head(branch.name) or "message" in row:
                continue
            if self._requests.get(row["changeRequest"])["status"] == "open":
                self._requests.merge(row["changeRequest"])
                self.here += 1
                self.end(branch, "closed", gone=True)
                branch.state = "merged"
                return

    def decide_requests(self) -> None:
        """Somebody looks at what the state of branches says: both texts of a conflict are kept, what is here only is merged."""
        rows = self._requests.rows()
        for branch in self.branches:
            row = rows.get(branch.name, {})
            if "changeRequest" not in row or "message" not in row:
                continue
            request = self._requests.get(row["changeRequest"])
            if request["status"] != "open":
                continue
            if UNDECIDED in row["message"]:
                branch.decided = True
                self._requests.merge(request["id"])
                continue
            for path, text in self._requests.texts(request["id"]).items():
                if _MARK.search(text):
                    self._requests.edit(request["id"], path, _MARK.sub("", text))
                    self.decided += 1

    # Between both.

    def sync(self) -> dict[str, Any]:
        if self.requests is None:
            return super().sync()
        made = self.world.api.post(f"{self.space.path}/git/sync", {})
        assert made.status == 201
        self.operations += 1
        if self.chance.random() < 0.3:
            self.deaths.writes = self.chance.randint(1, 40)
        elif self.chance.random() < 0.2:
            self.deaths.words = self.chance.randint(1, 12)
        self.work()
        self.deaths.writes = self.deaths.words = -1
        path = f"{self.space.path}/git/operations"
        while waiting := [one for one in self.world.api.get(f"{path}?limit=40").json["items"] if "endedAt" not in one]:
            assert any((one.get("message"), one.get("retryAt")) > ("", "") for one in waiting if one.get("retryAt"))
            self.retried += 1
            self.clock.advance(3 * 3_600_000)
            self.served.pages.clear()
            self.work()
        for one in self.world.api.get(f"{path}?limit=40").json["items"]:
            if one["state"] != "success" and one["ref"] != BRANCH:
                assert one["message"], one
                self.stopped += 1
        if "pullsMessage" in self.world.api.get(f"{self.space.path}/git/connection").json:
            self.unasked += 1
        last: dict[str, Any] = self.world.api.get(f"{path}/{made.json['id']}").json
        self.space.last = lambda: last  # type: ignore[method-assign]
        return self.settle()

    def hour(self) -> None:
        for _ in range(self.chance.randint(0, 3)):
            self.act()
        if self.chance.random() < 0.5:
            self.decide_requests()
        if self.chance.random() < 0.15:
            self.api.refuse += [(502, {}, b"")] * self.chance.randint(1, 3)
        super().hour()
        if self.chance.random() < 0.1:
            self.merge_here()


@pytest.mark.parametrize("engine", ["sqlite", "postgres"] if DEEP else ["sqlite"], indirect=True)
@pytest.mark.parametrize("seed", range(3 if DEEP else 1))
def test_in_the_end_every_change_request_is_as_its_branch_is(
    near: World, tmp_path: Path, served: Served, clock: FakeClock, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    week = Busy(near, Repository(tmp_path, served), served, clock, seed, monkeypatch)
    week.begin()
    for _ in range(HOURS):
        week.hour()
    served.pages.clear()
    week.api.refuse.clear()
    served.lost = 0
    monkeypatch.undo()
    for _ in range(ROUNDS):
        week.sync()
        week.decide()
        week.decide_requests()
    clock.advance(24 * 3_600_000)
    assert week.sync()["state"] == "success"
    if DEEP:
        states = [one.state for one in week.branches]
        print(  # what the run was, for whoever reports it
            f"{week.api.kind}: {HOURS} hours, {len(week.lines)} lines, {week.operations} syncs, {week.retried} tries more; "
            f"{len(states)} branches: {states.count('open')} open, {states.count('merged')} merged ({week.here} here), "
            f"{states.count('closed')} closed; {len(week.api.pulls)} pull requests, {week.given} edits here, {week.decided} "
            f"pages decided, {week.failed} + {week.stopped} failed, {week.unasked} times not asked, "
            f"{week.deaths.workers} workers and {week.deaths.children} children killed"
        )
    _check(near, week, served)


def _check(near: World, week: Busy, served: Served) -> None:
    week.repository.check()
    assert week.api.wrong == []
    requests, rows = week._requests, week._requests.rows()
    there = week.repository.files()
    main = b"\n".join(there.values()).decode()
    elsewhere = {line for one in week.branches if one.state != "merged" and not one.decided for line in one.lines}
    assert not [line for line in week.lines if line not in main and line not in elsewhere]
    assert {rows[one.name]["changeRequest"] for one in week.branches if one.state == "open"} == requests.open()
    for branch in week.branches:
        row = rows.get(branch.name)
        if row is None or "changeRequest" not in row:
            assert branch.state == "merged", "it was merged before anybody looked"
            continue
        status = requests.get(row["changeRequest"])["status"]
        texts = requests.texts(row["changeRequest"])
        held = "\n".join(texts.values())
        told = (branch, row, status)
        assert row["state"] == branch.state or branch.decided, told
        assert status == ("merged" if branch.decided else _STATUS[branch.state]), told
        if branch.state == "merged" or branch.decided:
            continue
        assert not [line for line in branch.lines if line not in held], told
        if branch.state == "open":
            files = b"\n".join(week.repository.files(branch.name).values()).decode()
            assert not [line for line in branch.lines if line not in files], told
            fresh = Written(near, empty=True)
            fresh.order("import", week.repository.url, ref=f"refs/heads/{branch.name}")
            assert _texts(fresh) == texts, told
    fresh = Written(near, empty=True)
    assert fresh.order("import", week.repository.url)["state"] == "success"
    assert _texts(fresh) == _texts(week.space)
    titles = sorted(text.decode().partition("\n")[0] for name, text in there.items() if name.endswith(".md"))
    assert len(titles) == len({*titles}), "a page was written twice"
    assert there["src/main.py"] == START["src/main.py"]


def _listed(line: str) -> str:
    """The file that a line of a table of contents names; one that is nowhere where it names none."""
    return line.partition("](")[2].partition(")")[0] if "/topic-" in line else "-"


_STATUS = {"open": "open", "merged": "merged", "closed": "archived"}
