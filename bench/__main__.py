"""Measure Octavo and write bench/RESULTS.md.

    python -m bench [--quick] [--part PART …] [--engine sqlite|postgres] [--folder DIR]

A quick run (of SQLite, where no engine is named) prints its figures and leaves the file alone. Any other writes them down
part by part, and leaves those of other parts as they were measured last (`figures.json`).
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

from bench import world as worlds
from bench.keeping import keep
from bench.parts import PARTS
from bench.report import write_results
from bench.rounds import Bench, Scale

RESULTS = Path(__file__).with_name("RESULTS.md")
QUICK = Scale(
    rounds=3, requests=160, writes=40, spaces=10, pages=40, fresh=1, cold=10, starts=1, imports=0,
    merges=(5,), merged=1, revisions=((200, 3),), events=100_000,
)  # fmt: skip


def main() -> None:
    asked = _arguments()
    scale = QUICK if asked.quick else Scale()
    notes: list[str] = []
    started = time.perf_counter()
    for engine in [asked.engine] if asked.engine else ["sqlite"] if asked.quick else ["sqlite", "postgres"]:
        with (
            tempfile.TemporaryDirectory(prefix="octavo-bench-", dir=asked.folder) as folder,
            worlds.opened(engine, Path(folder)) as world,
        ):
            if world is None:
                notes.append("PostgreSQL was not measured: no server answers at OCTAVO_TEST_DATABASE_URL.")
                say(notes[-1])
                continue
            world.prepare(scale.spaces)
            bench = Bench(world, scale, say)
            for part in asked.part or PARTS:
                before = len(bench.figures)
                PARTS[part](bench)
                if not asked.quick:
                    runs = keep({(part, engine): bench.figures[before:]}, PARTS)
                    write_results(RESULTS, runs, notes, scale)
    say(f"{time.perf_counter() - started:.0f} s")


def _arguments() -> argparse.Namespace:
    given = argparse.ArgumentParser(prog="python -m bench", description="Measure Octavo.")
    given.add_argument("--quick", action="store_true", help="a smoke run of less than a minute, its figures rough")
    given.add_argument("--part", action="append", choices=[*PARTS], help="only this part; may be given again")
    given.add_argument("--engine", choices=("sqlite", "postgres"), help="only this engine")
    given.add_argument("--folder", type=Path, help="where the data lies meanwhile; else the system's temporary folder")
    return given.parse_args()


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
