"""bench/RESULTS.md: the machine, the method, every figure with its budget."""

from __future__ import annotations

import asyncio
import os
import platform
from collections.abc import Sequence
from importlib.metadata import version
from itertools import groupby
from pathlib import Path

import apsw
import asyncpg

from bench.client import IN_FLIGHT
from bench.figures import Figure
from bench.keeping import Run
from bench.rounds import Scale
from bench.world import POSTGRES

_ENGINES = {"sqlite": "SQLite", "postgres": "PostgreSQL", "no database": "none"}
_METHOD = """\
`python -m bench` made this file. The application runs as `octavo serve`: all production middleware, real sockets,
real fsync, a database file on disk (SQLite) or a database of its own (PostgreSQL). Content is generated from a seed:
no two spaces or pages are alike. The load comes from another process, over {in_flight} keep-alive connections.

**CPU a request** is the CPU time, user and system, that all threads of the serving process used for a few hundred or
thousand requests, divided by their number. It stands beside two floors, measured in the same run, {rounds} rounds
interleaved in changing order: **floor 1** is a raw ASGI application that answers constant bytes of the same size;
**floor 2** runs the same SQL on the raw driver (apsw, asyncpg) and encodes the same shape with msgspec. Both run on
uvicorn, uvloop and httptools. "The same SQL" is taken down from the application at work, its BEGIN and COMMIT
included; the number of statements stands behind the name. On PostgreSQL floor 2 takes a pooled connection once for
each read unit and does not reset it. The ratio is floor 2 divided by the application, round by round.
CPU of the database server is not counted.

**Cold** pages are rendered for the first time in a process, each measured alone after one other page; {cold} pages in
each of {fresh} fresh processes. **Latency** is measured from when a request was due, one every {pace} ms, so that a
stall counts for everybody who would have waited. An import is measured from the start of its command.

Values are medians; the quartiles stand in parentheses. "met" and "missed" compare the median with the budget.
"""


def write_results(target: Path, runs: Sequence[Run], notes: Sequence[str], scale: Scale) -> None:
    """Write the file anew."""
    method = _METHOD.format(
        in_flight=IN_FLIGHT, rounds=scale.rounds, cold=scale.cold - 1, fresh=scale.fresh, pace=f"{scale.pace * 1000:g}"
    )
    figures = [figure for run in runs for figure in run.figures]
    missed = [figure for figure in figures if figure.met is False]
    budgets = sum(figure.met is not None for figure in figures)
    parts = [
        "# What Octavo costs",
        f"{_machine(runs)}\n\n{budgets - len(missed)} of {budgets} budgets are met.",
        method.rstrip(),
    ]
    parts += [note for note in [_busy(runs)] if note]
    parts += notes
    for part, found in groupby(sorted(figures, key=lambda one: _order(figures, one)), key=lambda one: one.part):
        parts.append(f"## {part}\n\n{_table([*found])}")
    target.write_text("\n\n".join(parts) + "\n", "utf-8")


def _busy(runs: Sequence[Run]) -> str:
    """Which runs shared the machine with other work: what takes time took longer there than it has to."""
    cores = os.cpu_count() or 1
    found = [f"`{run.part}` on {_ENGINES[run.engine]} ({run.load:g})" for run in runs if run.load > 2 * cores]
    return (
        f"The machine did other work as well while these parts were measured; the load of its {cores} cores stands behind"
        f" them: {', '.join(found)}."
        if found
        else ""
    )


def _order(figures: Sequence[Figure], one: Figure) -> int:
    """Parts in the order in which they first came."""
    return [figure.part for figure in figures].index(one.part)


def _table(figures: list[Figure]) -> str:
    floors = any(figure.ratio for figure in figures)
    head = ["", "Engine", "CPU a request" if floors else "Value"]
    head += ["Floor 1", "Floor 2", "Floor 2 / Octavo"] * floors + ["Budget", ""]
    lines = [head, ["---"] * len(head)]
    for one in figures:
        middle = [*one.floors, one.ratio] if floors else []
        lines.append([one.name, _ENGINES[one.engine], one.value, *middle, one.budget, one.verdict])
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def _machine(runs: Sequence[Run]) -> str:
    days = sorted({run.day for run in runs})
    words = [
        days[0] if len(days) == 1 else f"{days[0]} to {days[-1]}",
        f"{_processor()}, {os.cpu_count()} cores",
        f"Linux {platform.release().split('-')[0]}",
        f"Python {platform.python_version()}",
        f"SQLite {apsw.sqlite_lib_version()}",
    ]
    words += [f"PostgreSQL {found}"] if (found := asyncio.run(_postgres())) else []
    words += [f"{name} {version(name)}" for name in ("uvicorn", "msgspec", "apsw", "asyncpg")]
    return "Measured on " + "; ".join(words) + "."


def _processor() -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()


async def _postgres() -> str:
    try:
        connection = await asyncpg.connect(POSTGRES, timeout=5)
    except (OSError, asyncpg.PostgresError):
        return ""
    try:
        return str(await connection.fetchval("SHOW server_version")).split(" ")[0]
    finally:
        await connection.close()
