"""Where the time of requests goes that miss their budgets: `python -m bench.profiles`, which needs `py-spy` on the path.

A sampling profiler looks at the server's threads that do something while requests come, 400 times a second. Each sample
counts for the function of Octavo that is deepest on its stack, with what that calls in libraries, or for the library where
none of Octavo is on it. Writes PROFILES.md.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from bench import world as worlds
from bench.client import Process, load, request
from bench.parts import comment_cases, some_pages
from bench.rounds import Bench, Case, Scale

TARGET = Path(__file__).with_name("PROFILES.md")
SECONDS = 12
RATE = 400
LEAST = 0.02
"""The smallest share that is told."""
PAGES = 400
READ = 2_000
"""Pages of the directory that is read."""
_FRAME = re.compile(r"(.+?) \((.+?)(?::\d+)?\)$")
_HEAD = """\
# Where the time goes

Written by `python -m bench.profiles`: shares of the samples of a sampling profiler (py-spy, {rate} a second, {seconds} s a
case) in which a thread of the server did something. A sample counts for the function of Octavo that is deepest on the
stack, with what that calls in libraries and in the kernel: `run` of `terminal.py` is the event loop, `seen` of
`web/metrics.py` the writing to the socket. Shares below {least:.0%} are left out.
"""


def main() -> None:
    """Profile the requests and the reading, on both engines where PostgreSQL answers."""
    told = [_HEAD.format(rate=RATE, seconds=SECONDS, least=LEAST)]
    for engine in ("sqlite", "postgres"):
        with (
            tempfile.TemporaryDirectory(prefix="octavo-bench-") as folder,
            worlds.opened(engine, Path(folder)) as world,
        ):
            if world is None:
                continue
            scale = Scale(spaces=100, pages=PAGES)
            world.prepare(scale.spaces)
            bench = Bench(world, scale, print)
            told += [_table(f"{case.name}, {engine}", shares) for case, shares in _requests(bench)]
            if engine == "sqlite":
                source = worlds.generated(world.folder, READ)
                told.append(
                    _table("Reading of a directory", _profiled([sys.executable, "-m", "bench.reading", str(source)]))
                )
    TARGET.write_text("\n".join(told))


def _requests(bench: Bench) -> Iterator[tuple[Case, Counter[str]]]:
    world, made = bench.world, bench.imported()
    admin, member = world.authorized(world.admin), world.authorized(world.member)
    spaces = [f"/v1/spaces/{space}" for space in world.spaces]
    pages = [f"/v1/spaces/{made.space}/content/page/{page}?format=markdown" for page in some_pages(world, made)]
    cases = (
        Case("GET space, as admin", spaces, admin),
        Case("GET space, as member with the role read", spaces, member),
        Case("GET page by id, Markdown", pages, admin),
        comment_cases(bench)[1],
    )
    server = world.server()
    try:
        for case in cases:
            yield case, _beside(server, case)
    finally:
        server.end()


def _beside(server: Process, case: Case) -> Counter[str]:
    """What the server does while requests come."""
    asked = [request(path, case.headers, method=case.method, body=case.body) for path in case.paths]
    lines, over = server.lines(), threading.Event()

    def go_on() -> None:
        while not over.is_set():
            load(lines, asked, 100, case.status)

    load(lines, asked, 2 * len(asked), case.status)
    client = threading.Thread(target=go_on)
    client.start()
    try:
        return _profiled(["--pid", str(server.pid)], "--duration", str(SECONDS))
    finally:
        over.set()
        client.join()
        for line in lines:
            line.close()


def _profiled(what: Sequence[str], *more: str) -> Counter[str]:
    """Samples by place: of a process that runs, or of a command."""
    with tempfile.NamedTemporaryFile("r", prefix="octavo-profile-") as raw:
        options = ("--rate", str(RATE), "--format", "raw", "--full-filenames", "--output", raw.name, *more)
        command = what if what[0] == "--pid" else ["--subprocesses", "--", *what]
        subprocess.run(["py-spy", "record", *options, *command], check=True, capture_output=True)
        made: Counter[str] = Counter()
        for line in raw:
            stack, _, count = line.rstrip("\n").rpartition(" ")
            made[_place(stack.split(";"))] += int(count)
    return made


def _place(stack: Sequence[str]) -> str:
    frames = [found.groups() for frame in stack if (found := _FRAME.search(frame))]
    own = next(((does, name) for does, name in reversed(frames) if "/src/octavo/" in name), None)
    if own is not None:
        return f"{own[1].partition('/src/octavo/')[2]}: {own[0]}"
    library = next((name for _, name in reversed(frames) if "/site-packages/" in name), None)
    return "Python" if library is None else library.partition("/site-packages/")[2].partition("/")[0]


def _table(title: str, shares: Counter[str]) -> str:
    whole = shares.total()
    rows = [f"| `{name}` | {count / whole:.0%} |" for name, count in shares.most_common() if count / whole >= LEAST]
    return "\n".join([f"## {title}\n", f"{whole} samples.\n", "| Where | Share |", "| --- | ---: |", *rows, ""])


if __name__ == "__main__":
    main()
