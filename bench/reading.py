"""The reading of an import alone: `python -m bench.reading DIRECTORY` prints pages, seconds and CPU seconds as JSON."""

from __future__ import annotations

import io
import resource
import sys
import tempfile
import time
from pathlib import Path

import msgspec

from octavo.content.markdown import parse
from octavo.jobs.children.inside import Line
from octavo.jobs.git.import_child import import_into
from octavo.jobs.git.import_request import Request


def _cpu() -> float:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def main() -> None:
    source = Path(sys.argv[1])
    parse("Whatever the first text needs is loaded.")
    with tempfile.TemporaryDirectory(prefix="octavo-bench-") as folder:
        request = Request(
            url=None,
            ref="HEAD",
            directory="",
            local=str(source),
            allow_private=False,
            allowed_hosts=[],
            max_bytes=1 << 30,
            max_files=1_000_000,
            seconds=600,
            pages=[],
            files=[],
            reusables=[],
        )
        cpu, started = _cpu(), time.perf_counter()
        done = import_into(request, Line(Path(folder), io.BytesIO(), io.BytesIO()))
        seconds = time.perf_counter() - started
        made = {"pages": done["counts"]["pages"], "seconds": seconds, "cpu": _cpu() - cpu}
    sys.stdout.buffer.write(msgspec.json.encode(made))


if __name__ == "__main__":
    main()
