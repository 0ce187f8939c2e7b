"""Figures of all parts, each as it was measured last: a run of some parts leaves those of the others."""

from __future__ import annotations

import datetime
import os
from collections.abc import Iterable, Mapping
from pathlib import Path

import msgspec

from bench.figures import Figure

FILE = Path(__file__).with_name("figures.json")


class Run(msgspec.Struct):
    """What one run of a part found on an engine."""

    part: str
    engine: str
    day: str
    load: float
    """Processes that ran or waited while it was measured, on average; above the number of cores, times are too long."""
    figures: list[Figure]


def known() -> list[Run]:
    """The last run of each part on each engine, in the order of the results."""
    return msgspec.json.decode(FILE.read_bytes(), type=list[Run]) if FILE.exists() else []


def keep(found: Mapping[tuple[str, str], list[Figure]], order: Iterable[str]) -> list[Run]:
    """Put what was found now, by part and engine, in the place of what was known; all of it, parts in that order."""
    runs = {(run.part, run.engine): run for run in known()}
    day = f"{datetime.datetime.now(datetime.UTC):%Y-%m-%d}"
    for (part, engine), figures in found.items():
        runs[part, engine] = Run(part, engine, day, round(os.getloadavg()[2], 1), figures)
    places = {part: at for at, part in enumerate(order)}
    engines = ("sqlite", "postgres", "no database")
    made = sorted(runs.values(), key=lambda run: (places.get(run.part, len(places)), engines.index(run.engine)))
    FILE.write_bytes(msgspec.json.format(msgspec.json.encode(made), indent=1) + b"\n")
    return made
