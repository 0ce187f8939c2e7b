"""Measure PDFs of whole spaces over HTTP: seconds until the answer, and what the processes of one take.

    python -m bench.pdf [--pages 200] [--rounds 3] [--folder DIR] [--keep DIR]

The repositories are generated ones, and the corpus of real documentation where it lies in `../shared/corpora`. Every round
prints a space that was imported anew, on SQLite. Memory is the high-water mark that Linux keeps for each process, read
every 10 ms until the process ends, and CPU is read with it. Budgets hold for 200 generated pages.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

from pikepdf import Pdf

from bench import world as worlds
from bench.client import Refused
from bench.figures import within
from bench.sampling import Sampling, high_water, read
from bench.world import World

SECONDS = 15.0
MEMORY = 700.0
"""MiB, resident."""
PAGES = 200


class Watch(Sampling):
    """The most memory of the processes that set PDFs for a server, and their CPU seconds, while the block runs."""

    EVERY = 0.01

    def __init__(self, server: int) -> None:
        super().__init__(server)
        self.most = 0.0
        self._cpu: dict[int, float] = {}

    @property
    def cpu(self) -> float:
        """Of all of them: one sets the pages, another binds them."""
        return sum(self._cpu.values())

    def look(self) -> None:
        for child in _children(self.server):
            self.most = max(self.most, high_water(read(Path(f"/proc/{child}/status"))))
            self._cpu[child] = max(self._cpu.get(child, 0.0), _cpu(child))


def _children(server: int) -> list[int]:
    found = [one for task in Path(f"/proc/{server}/task").iterdir() for one in read(task / "children").split()]
    return [int(one) for one in found if "octavo.jobs.content.pdf" in read(Path(f"/proc/{one}/cmdline"))]


def _cpu(process: int) -> float:
    """User and system."""
    fields = read(Path(f"/proc/{process}/stat")).rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK") if fields else 0.0


def measure(world: World, name: str, source: Path, rounds: int, keep: Path | None) -> None:
    """Print a repository some times."""
    seconds, memory, cpu, pages, data = [], [], [], 0, b""
    for at in range(rounds):
        made = world.import_directory(source, f"Print {at}")
        pages = made.pages
        server = world.server()
        base = f"http://127.0.0.1:{server.port}"
        try:
            server.line().close()
            server.settle()
            with Watch(server.pid) as watch:
                started = time.perf_counter()
                url: str = json.loads(_fetched(f"{base}/v1/spaces/{made.space}/pdf", world))["url"]
                seconds.append(time.perf_counter() - started)
            memory.append(watch.most)
            cpu.append(watch.cpu)
            data = _fetched(f"{base}/{url.split('/', 3)[3]}", world)
        finally:
            server.end()
    if keep is not None:
        (keep / f"{name}.pdf").write_bytes(data)
    with Pdf.open(io.BytesIO(data)) as pdf:
        told = f"{name}, {pages} pages on {len(pdf.pages)} sheets, {len(data) / 1e6:.1f} MB"
    budgets = (SECONDS, MEMORY) if name == "generated" and pages <= PAGES else (None, None)
    for figure in (
        within("PDF", world.engine, f"{told}: until the answer", seconds, "s", budgets[0]),
        within("PDF", world.engine, f"{told}: CPU of its processes", cpu, "s"),
        within("PDF", world.engine, f"{told}: memory of the larger of its processes", memory, "MiB", budgets[1]),
    ):
        words = (figure.name, figure.value, figure.budget, figure.verdict)
        sys.stdout.write("   ".join(word for word in words if word) + "\n")
        sys.stdout.flush()


def _fetched(address: str, world: World) -> bytes:
    """The body of an answer; one that takes longer than a request may wait is asked for again."""
    asked = urllib.request.Request(address, headers=world.authorized(world.admin))
    while True:
        try:
            with urllib.request.urlopen(asked, timeout=300) as reply:
                body: bytes = reply.read()
                return body
        except urllib.error.HTTPError as error:
            if error.code != 504:
                raise Refused(f"{error.code}: {error.read()[:300]!r}") from None


def main() -> None:
    options = argparse.ArgumentParser(description="Measure PDFs of whole spaces.")
    options.add_argument("--pages", type=int, default=PAGES, help="of the generated repository")
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument(
        "--folder", type=Path, help="where the data lies meanwhile; else the system's temporary folder"
    )
    options.add_argument("--keep", type=Path, help="a folder for the last PDF of each repository")
    asked = options.parse_args()
    with tempfile.TemporaryDirectory(prefix="octavo-bench-", dir=asked.folder) as name:
        folder = Path(name)
        with worlds.opened("sqlite", folder) as world:
            assert world is not None  # SQLite is always there
            world.prepare(1)
            sources = {"generated": worlds.generated(folder, asked.pages), "corpus": worlds.corpus(folder)}
            for title, source in sources.items():
                if source is not None:
                    measure(world, title, source, asked.rounds, asked.keep)


if __name__ == "__main__":
    main()
