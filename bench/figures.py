"""Figures: what was measured, how far it spreads, and what it should be."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Spread:
    """The median of some values, and the quartiles around it."""

    median: float
    low: float
    high: float

    def text(self, digits: int) -> str:
        return f"{self.median:.{digits}f} ({self.low:.{digits}f}–{self.high:.{digits}f})"


def spread(values: Sequence[float]) -> Spread:
    if len(values) < 2:
        return Spread(values[0], values[0], values[0])
    low, median, high = statistics.quantiles(values, n=4, method="inclusive")
    return Spread(median, low, high)


def percentile(values: Sequence[float], share: float) -> float:
    """The nearest-rank percentile."""
    return sorted(values)[max(0, math.ceil(len(values) * share) - 1)]


@dataclass(frozen=True)
class Figure:
    """One line of the results."""

    part: str
    engine: str
    name: str
    value: str
    floors: tuple[str, str] = ("", "")
    ratio: str = ""
    budget: str = ""
    met: bool | None = None
    """None where there is no budget."""

    @property
    def verdict(self) -> str:
        return "" if self.met is None else "met" if self.met else "**missed**"


def within(part: str, engine: str, name: str, values: Sequence[float], unit: str, most: float | None = None) -> Figure:
    """A figure whose median may not be more than `most`."""
    found = spread(values)
    digits = 3 if found.median < 1 else 2 if found.median < 10 else 1
    budget = "" if most is None else f"≤ {most:g} {unit}"
    met = None if most is None else found.median <= most
    return Figure(part, engine, name, f"{found.text(digits)} {unit}", budget=budget, met=met)


def paired(
    part: str,
    engine: str,
    name: str,
    seconds: Sequence[Sequence[float]],
    least: float | None,
    most: float | None = None,
) -> Figure:
    """A request beside its floors: `seconds` are rounds of (application, floor 1, floor 2) CPU seconds a request.

    `least` is the smallest allowed ratio of floor 2 to the application, `most` the most milliseconds that it may cost.
    """
    ours, first, second = (spread([one[at] * 1e6 for one in seconds]) for at in range(3))
    ratio = spread([one[2] / one[0] for one in seconds])
    budgets = [] if least is None else [f"≥ {least:.2f} of floor 2"]
    budgets += [] if most is None else [f"≤ {most} ms"]
    met = (least is None or ratio.median >= least) and (most is None or ours.median <= most * 1000)
    return Figure(
        part,
        engine,
        name,
        f"{ours.text(0)} µs",
        (f"{first.text(0)} µs", f"{second.text(0)} µs"),
        ratio.text(2),
        ", ".join(budgets),
        met if budgets else None,
    )
