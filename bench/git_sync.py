"""The part `git`: a space and a repository of 10,000 pages over smart HTTP, served by `git http-backend` on this machine.

Each figure is of one operation as somebody sees it: from the request that orders it until the API says that it ended. CPU
is that of the server with the children that did the work; memory is what these children hold together, what forks share
counted once, looked at every 50 ms.
"""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.git_compat.server import git, serving

from bench import world as worlds
from bench.client import Process, Refused, free_port, request
from bench.figures import within
from bench.rounds import Bench
from bench.sampling import Sampling, read

PAGES = 10_000
CHANGED = 5
PATIENCE = 600.0
"""Seconds for one operation."""
REF = "refs/heads/main"
CPU, WALL, MEMORY = "s", "s", "MiB"


class Watch(Sampling):
    """The most memory, in MiB, that the processes below a server hold together while the block runs."""

    def __init__(self, server: int) -> None:
        super().__init__(server)
        self.most = 0.0

    def look(self) -> None:
        self.most = max(self.most, sum(_held(one) for one in _below(self.server)))


def _below(process: int) -> Iterator[int]:
    for task in Path("/proc").glob(f"{process}/task/*/children"):
        for child in read(task).split():
            yield int(child)
            yield from _below(int(child))


def _held(process: int) -> float:
    for line in read(Path(f"/proc/{process}/smaps_rollup")).splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1]) / 1024
    return 0.0


def _cpu(process: Process) -> float:
    """Seconds of the server, and of the children that it had."""
    fields = read(Path(f"/proc/{process.pid}/stat")).rpartition(")")[2].split()
    return process.cpu() + (int(fields[13]) + int(fields[14])) / 100


class _Space:
    """A space on a server, and the repository that it is imported from and exported to."""

    def __init__(self, bench: Bench, server: Process, url: str, pages: int) -> None:
        self._bench, self._server, self._url, self._pages = bench, server, url, pages
        self.path = f"/v1/spaces/{bench.world.spaces[0]}"

    def ask(self, method: str, path: str, body: object = None) -> dict[str, object]:
        headers = self._bench.world.authorized(self._bench.world.admin)
        data = b"" if body is None else json.dumps(body).encode()
        line = self._server.line()  # one of its own: the server takes long to settle, and closes those that are silent
        reply = line.ask(request(self.path + path, headers, method=method, body=data))
        line.close()
        if reply.status not in (200, 201, 204):
            raise Refused(f"{reply.status}: {reply.body[:300]!r}")
        made: dict[str, object] = json.loads(reply.body) if reply.body else {}
        return made

    def measured(self, verb: str, name: str, most: float) -> None:
        """Order an import or export, and what it took until it ended."""
        self._server.settle()
        message = {"commitMessage": "Bench"} if verb == "export" else {}
        before, started = _cpu(self._server), time.perf_counter()
        with Watch(self._server.pid) as watch:
            self.ask("POST", f"/git/{verb}", {"url": self._url, "ref": REF, **message})
            ended = self._ended()
        seconds = time.perf_counter() - started
        if ended["state"] != "success":
            raise Refused(f"{verb}: {ended}")
        engine, told = self._bench.world.engine, f"{verb} of {self._pages} pages, {name}"
        full = self._pages >= PAGES
        self._bench.add(within("Git", engine, told, [seconds], WALL, most if full else None))
        self._bench.add(within("Git", engine, f"{told}: CPU", [_cpu(self._server) - before], CPU))
        self._bench.add(within("Git", engine, f"{told}: memory", [watch.most], MEMORY, 500 if full else None))

    def _ended(self) -> dict[str, object]:
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            # Two looks a second would be half of what is measured.
            time.sleep(0.05)
            info = self.ask("GET", "/git/info")["operation"]
            assert isinstance(info, dict)
            if info["state"] != "running":
                return info
        raise Refused("the operation did not end")


def both_ways(bench: Bench) -> None:
    """Import a large repository, again unchanged and with some files changed, and export one edited page."""
    pages = PAGES if bench.scale.pages >= 1000 else bench.scale.pages
    world = bench.world
    if world.engine != "sqlite":
        return  # a worker beside the server would have to be watched too, and the database has little part in it
    with _repository(world.folder, pages) as (work, root), serving(root) as served:
        environment = world.environment | {"OCTAVO_ALLOWED_HOSTS": "127.0.0.1"}
        port = free_port()
        server = Process(["octavo.cli", "serve", "--port", str(port)], environment, port)
        try:
            space = _Space(bench, server, served.url("docs.git"), pages)
            space.measured("import", "cold", 30)
            space.measured("import", "nothing changed", 2)
            _edit(work, root)
            space.measured("import", f"{CHANGED} files changed", 2)
            _edit_page(space)
            space.measured("export", "1 page changed", 2)
        finally:
            server.end()


@contextmanager
def _repository(folder: Path, pages: int) -> Iterator[tuple[Path, Path]]:
    work, root = worlds.generated(folder, pages), folder / "served"
    git(work, "init", "-q", "-b", "main")
    git(work, "add", "-A")
    git(work, "commit", "-q", "-m", "Begin")
    root.mkdir()
    git(root, "clone", "-q", "--bare", str(work), "docs.git")
    git(root / "docs.git", "config", "http.receivepack", "true")
    yield work, root
    subprocess.run(["rm", "-rf", str(work / ".git")], check=True)


def _edit(work: Path, root: Path) -> None:
    files = sorted(work.rglob("page-*.md"))
    for file in files[:: max(1, len(files) // CHANGED)][:CHANGED]:
        file.write_text(file.read_text("utf-8") + "\nOne more line.\n", "utf-8")
    git(work, "commit", "-q", "-a", "-m", "Edit")
    git(work, "push", "-q", str(root / "docs.git"), "main")


def _edit_page(space: _Space) -> None:
    space.ask("PATCH", "", {"editMode": "live"})
    page = space.ask("GET", "/content/path/group-0%2Ftopic-1%2Fpage-2?format=markdown")
    text = str(page["markdown"]) + "\nWritten in the space.\n"
    change = {"operation": "update_page", "page": page["id"], "document": {"markdown": text}}
    space.ask("POST", "/content", {"changes": [change]})
