"""A space that follows a repository with its branches, and what people do there and tell of it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.client import World
from tests.git_compat.server import git
from tests.jobs.conftest import near as near  # fixtures here too
from tests.jobs.conftest import repository as repository
from tests.jobs.repositories import BRANCH, Files, Repository, Written
from tests.jobs.test_git_pushes import Host

FIRST: Files = {
    "SUMMARY.md": b"# Contents\n\n* [Home](README.md)\n* [Fish](fish.md)\n",
    "README.md": b"# Home\n\nWelcome.\n",
    "fish.md": b"# Fish\n\none\n\ntwo\n\nthree\n",
}
FEATURE = "refs/heads/feature"


class Followed:
    """A space with its repository, and posts of the repository's host."""

    def __init__(self, world: World, repository: Repository, **more: Any) -> None:
        self.world, self.repository = world, repository
        repository.commit("Begin", dict(FIRST))
        self.space = Written(world, empty=True)
        self.connect(**more)
        self.sync()
        self.host = Host(world, self.space)
        self.posts = 0

    def connect(self, **more: Any) -> None:
        previews = more.pop("previews", {})
        body = {"url": self.repository.url, "ref": BRANCH, "previews": previews} | more
        reply = self.world.api.put(f"{self.space.path}/git/connection", body)
        assert reply.status == 200, reply.text

    def sync(self) -> None:
        assert self.world.api.post(f"{self.space.path}/git/sync", {}).status == 201
        self.world.work()

    def commit(
        self,
        files: Files,
        *,
        branch: str = "feature",
        since: str | None = None,
        force: bool = False,
        by: str = "Ada <ada@example.com>",
    ) -> str:
        """Write upon a branch, which begins where main is or at a commit, and push it."""
        work, repository = self.repository.work, self.repository
        git(work, "fetch", "-q", "origin")
        begin = since or (f"origin/{branch}" if repository.head(branch) else "origin/main")
        git(work, "checkout", "-q", "-B", branch, begin)
        for name, content in files.items():
            path = work / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.unlink() if content is None else path.write_bytes(content)
        git(work, "add", "-A")
        git(work, "commit", "-q", "--allow-empty", "--author", by, "-m", f"Edit {branch}")
        git(work, "push", "-q", *(["-f"] if force else []), "origin", f"HEAD:{branch}")
        made = git(work, "rev-parse", "HEAD").decode().strip()
        git(work, "checkout", "-q", "main")
        return made

    def pushed(self, branch: str = "feature") -> None:
        """The host tells of a push, and it is worked on."""
        self.posts += 1
        said = self.host.says(json.dumps({"ref": f"refs/heads/{branch}", "n": self.posts}).encode())
        assert "queued" in said, said
        self.world.work()

    def pull(self, state: str, **more: Any) -> str:
        """The host tells of a pull request as GitHub does, and it is worked on."""
        self.posts += 1
        merged = state == "merged"
        repo = {"repo": {"full_name": "team/docs"}}
        pull = {
            "number": 7, "title": "Describe fish", "html_url": "https://git.example.org/docs/pull/7", "merged": merged,
            "state": "open" if state == "open" else "closed",
            "head": {"ref": "feature", **repo}, "base": {"ref": "main", **repo}, **more,
        }  # fmt: skip
        said = self.host.says(json.dumps({"pull_request": pull, "n": self.posts}).encode(), event="pull_request")
        self.world.work()
        return said

    def branches(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.world.api.get(f"{self.space.path}/git/branches").json["items"]
        return found

    def branch(self, ref: str = FEATURE) -> dict[str, Any]:
        [found] = [one for one in self.branches() if one["ref"] == ref]
        return found

    def request(self) -> dict[str, Any]:
        """The change request that follows the branch."""
        found: dict[str, Any] = self.world.api.get(self.at()).json
        return found

    def at(self) -> str:
        return f"{self.space.path}/change-requests/{self.branch()['changeRequest']}"

    def pages(self) -> dict[str, dict[str, Any]]:
        return {one["path"]: one for one in self.world.api.get(f"{self.at()}/content/pages").json["pages"]}

    def text(self, path: str = "fish") -> str:
        page = self.pages()[path]["id"]
        return str(self.world.api.get(f"{self.at()}/content/page/{page}?format=markdown").json["markdown"])

    def edit(self, text: str, path: str = "fish") -> None:
        """Another text for a page in the change request."""
        change = {"operation": "update_page", "page": self.pages()[path]["id"], "document": {"markdown": text}}
        reply = self.world.api.post(f"{self.at()}/content", {"changes": [change]})
        assert reply.status == 200, reply.text


@pytest.fixture
def followed(near: World, repository: Repository) -> Followed:
    return Followed(near, repository)
