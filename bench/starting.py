"""Measure a start: CPU of `octavo serve` on a new installation until its first reply under /v1, beside another checkout.

    python -m bench.starting [--beside DIR] [--rounds 15] [--engine sqlite|postgres]

DIR is the `src` of another checkout; its processes and ours take turns, so that whatever else the machine does meets
both. Compile both beforehand (`python -m compileall -q DIR`), else what is measured is Python's compiler.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import statistics
import subprocess
import sys
import tempfile
import uuid
from pathlib import Path

import asyncpg

from bench.client import Process, free_port, request
from bench.world import POSTGRES

OURS = Path(__file__).parents[1] / "src"
BOOTSTRAP = [sys.executable, "-m", "octavo.cli", "bootstrap", "--email", "a@example.org", "--name", "A",
             "--organization", "Bench"]  # fmt: skip


def main() -> None:
    """Run rounds of one start of each, and print medians and least values."""
    given = argparse.ArgumentParser(description=__doc__)
    given.add_argument("--beside", type=Path)
    given.add_argument("--rounds", type=int, default=15)
    given.add_argument("--engine", choices=("sqlite", "postgres"), default="sqlite")
    asked = given.parse_args()
    sources = [OURS] if asked.beside is None else [asked.beside, OURS]
    seconds: dict[Path, list[float]] = {source: [] for source in sources}
    for at in range(asked.rounds):
        for source in sources if at % 2 else reversed(sources):
            seconds[source].append(_start(source, asked.engine))
    for source, times in seconds.items():
        print(f"{source}: median {statistics.median(times):.3f} s, least {min(times):.3f} s of {len(times)}")
    if asked.beside is not None:
        ratios = [ours / other for ours, other in zip(seconds[OURS], seconds[asked.beside])]
        print(f"median of the ratios of pairs: {statistics.median(ratios):.3f}")


def _start(source: Path, engine: str) -> float:
    """CPU seconds of one start, of all threads."""
    with tempfile.TemporaryDirectory() as folder:
        given = {"OCTAVO_DATA": folder, "OCTAVO_BASE_URL": "http://localhost:8000", "PYTHONPATH": str(source)}
        name = f"octavo_start_{uuid.uuid4().hex[:12]}"
        if engine == "postgres":
            asyncio.run(_ask(f"CREATE DATABASE {name}"))
            given["OCTAVO_DATABASE_URL"] = POSTGRES.rsplit("/", 1)[0] + "/" + name
        try:
            subprocess.run(BOOTSTRAP, env=os.environ | given, capture_output=True, check=True)
            return _until_replied(given)
        finally:
            if engine == "postgres":
                asyncio.run(_ask(f"DROP DATABASE {name} WITH (FORCE)"))


def _until_replied(given: dict[str, str]) -> float:
    port = free_port()
    server = Process(["octavo.cli", "serve", "--port", str(port)], os.environ | given, port)
    line = server.line()
    reply = line.ask(request("/v1/user"))
    used = server.cpu()
    line.close()
    server.end()
    assert reply.status == 401, reply.body
    return used


async def _ask(command: str) -> None:
    connection = await asyncpg.connect(POSTGRES)
    await connection.execute(command)
    await connection.close()


if __name__ == "__main__":
    main()
