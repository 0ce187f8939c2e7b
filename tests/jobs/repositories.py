"""What tests of Git over HTTP share: a repository that a real server serves, and a space that is written to."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.client import World
from tests.git_compat.server import Served, git

BRANCH = "refs/heads/main"
Files = dict[str, bytes | None]


class Repository:
    """A bare repository that the server takes pushes to, and a work tree of somebody who uses it too."""

    def __init__(self, folder: Path, served: Served) -> None:
        self.bare = served.root / "docs.git"
        self.work = folder / "work"
        self.work.mkdir()
        self.url = served.url("docs.git")
        git(served.root, "init", "-q", "--bare", "-b", "main", "docs.git")
        git(self.bare, "config", "http.receivepack", "true")
        git(self.work, "init", "-q", "-b", "main")
        git(self.work, "remote", "add", "origin", str(self.bare))

    def commit(self, message: str, files: Files, *, push: bool = True) -> str:
        """Write upon what the branch holds (None removes) and push; the commit's id."""
        self.pull()
        for name, content in files.items():
            path = self.work / name
            path.parent.mkdir(parents=True, exist_ok=True)
            if content is None:
                path.unlink()
            else:
                path.write_bytes(content)
        git(self.work, "add", "-A")
        git(self.work, "commit", "-q", "-m", message)
        if push:
            git(self.work, "push", "-q", "origin", "HEAD:main")
        return git(self.work, "rev-parse", "HEAD").decode().strip()

    def pull(self) -> None:
        """Have the work tree hold what the branch holds."""
        if self.head():
            git(self.work, "fetch", "-q", "origin")
            git(self.work, "reset", "-q", "--hard", "origin/main")

    def head(self, branch: str = "main") -> str:
        """The commit of the branch; empty where there is none."""
        found = git(self.bare, "for-each-ref", "--format=%(objectname)", f"refs/heads/{branch}")
        return found.decode().strip()

    def files(self, branch: str = "main") -> dict[str, bytes]:
        """Every file of the branch."""
        names = git(self.bare, "ls-tree", "-r", "-z", "--name-only", branch).decode().split("\0")
        return {name: git(self.bare, "show", f"{branch}:{name}") for name in names if name}

    def changed(self, since: str) -> dict[str, str]:
        """Path -> A, M, D or R of what differs between a commit and the branch."""
        rows = git(self.bare, "diff-tree", "-r", "-M40%", "--name-status", since, "main").decode().splitlines()
        return {row.split("\t")[-1]: row[0] for row in rows}

    def check(self) -> None:
        """What git itself has to say against it: nothing."""
        git(self.bare, "fsck", "--strict", "--no-dangling")


class Written:
    """A live space: its content is written to at once."""

    def __init__(self, world: World, **body: Any) -> None:
        self.world = world
        self.id: str = world.space(**body)["id"]
        self.path = f"/v1/spaces/{self.id}"
        assert world.api.patch(self.path, {"editMode": "live"}).status == 200

    def write(self, *changes: dict[str, Any]) -> list[dict[str, Any]]:
        """Apply a batch; what became of each page."""
        reply = self.world.api.post(f"{self.path}/content", {"changes": list(changes)})
        assert reply.status == 200, reply.text
        made: list[dict[str, Any]] = reply.json["changes"]
        return made

    def insert(self, markdown: str, **more: Any) -> str:
        """A new page; its id."""
        [made] = self.write({"operation": "insert_page", "document": {"markdown": markdown}, **more})
        return str(made["page"]["id"])

    def edit(self, page: str, markdown: str) -> None:
        """Another text for a page."""
        self.write({"operation": "update_page", "page": page, "document": {"markdown": markdown}})

    def order(self, verb: str, url: str, **more: Any) -> dict[str, Any]:
        """Order an import or export and do it; what is said of it then."""
        message = {"commitMessage": "From Octavo"} if verb == "export" else {}
        reply = self.world.api.post(f"{self.path}/git/{verb}", {"url": url, "ref": BRANCH, **message, **more})
        assert reply.status == 204, reply.text
        self.world.work()
        return self.last()

    def last(self) -> dict[str, Any]:
        """The newest operation, with its log."""
        [newest] = self.world.api.get(f"{self.path}/git/operations?limit=1").json["items"]
        made: dict[str, Any] = self.world.api.get(f"{self.path}/git/operations/{newest['id']}").json
        return made

    def pages(self) -> dict[str, str]:
        """Path of each page -> its id."""
        return {
            page.get("path", page["title"]): page["id"]
            for page in _every(self.world.api.get(f"{self.path}/content/pages").json["pages"])
        }

    def text(self, page: str) -> str:
        """The Markdown of a page."""
        reply = self.world.api.get(f"{self.path}/content/page/{page}?format=markdown")
        return str(reply.json["markdown"])

    def revision(self) -> dict[str, Any]:
        """The newest revision of primary content."""
        made: dict[str, Any] = self.world.api.get(f"{self.path}/content").json
        return made


def _every(pages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [one for page in pages for one in (page, *_every(page.get("pages", [])))]
