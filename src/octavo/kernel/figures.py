"""Figures that a process keeps of its own work, as Prometheus reads them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping

Sample = tuple[Mapping[str, str], float]


class Histogram:
    """How often something took how long."""

    def __init__(self, bounds: tuple[float, ...]) -> None:
        """`bounds` are upper bounds, in seconds."""
        self._bounds = bounds
        self._counts = [0] * (len(bounds) + 1)
        self._sum = 0.0

    def note(self, seconds: float) -> None:
        """It took so long once more."""
        self._counts[bisect_left(self._bounds, seconds)] += 1
        self._sum += seconds

    def samples(self) -> list[tuple[str, Mapping[str, str], float]]:
        """What follows the name of the metric, labels, value."""
        total, told = 0, []
        for bound, number in zip((*self._bounds, None), self._counts, strict=True):
            total += number
            told.append(("_bucket", {"le": "+Inf" if bound is None else f"{bound:g}"}, float(total)))
        return [*told, ("_sum", {}, round(self._sum, 6)), ("_count", {}, float(total))]


def written(name: str, kind: str, means: str, samples: Iterable[Sample]) -> str:
    """One metric.

    >>> print(written("octavo_x", "gauge", "What it is", [({"kind": 'a"b'}, 2)]), end="")
    # HELP octavo_x What it is.
    # TYPE octavo_x gauge
    octavo_x{kind="a\\"b"} 2
    """
    lines = [_line(name, labels, value) for labels, value in samples]
    return "".join((_head(name, kind, means), *lines))


def histograms(name: str, means: str, held: Iterable[tuple[Mapping[str, str], Histogram]]) -> str:
    """One metric of histograms, each under its labels."""
    lines = [
        _line(name + part, {**labels, **more}, value)
        for labels, histogram in held
        for part, more, value in histogram.samples()
    ]
    return "".join((_head(name, "histogram", means), *lines))


def _head(name: str, kind: str, means: str) -> str:
    return f"# HELP {name} {means}.\n# TYPE {name} {kind}\n"


def _line(name: str, labels: Mapping[str, str], value: float) -> str:
    said = ",".join(f'{key}="{_escaped(word)}"' for key, word in labels.items())
    return f"{name}{'{' + said + '}' if said else ''} {value:.15g}\n"


def _escaped(word: str) -> str:
    return word.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
