"""How long the event loop was held: while one piece of work has it, nobody else is answered."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable

from octavo.kernel.figures import Histogram, Sample, histograms, written

PERIOD = 0.02
"""Seconds between two beats: what is shorter is not seen, and what is longer is told up to so much too short."""
BOUNDS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
"""Upper bounds of the histogram, in seconds."""
TOLD = 0.25
"""Seconds from which the log tells of it."""
_SPAN = 60.0
"""Seconds for which the longest is remembered, at least; twice as many at most."""
_log = logging.getLogger("octavo.loop")


class Pulse:
    """Beats on the event loop, and notes by how much each beat is late."""

    def __init__(self, now: Callable[[], float] = time.monotonic, cpu: Callable[[], float] = time.thread_time) -> None:
        self._now = now
        self._cpu = cpu
        self._late = Histogram(BOUNDS)
        self._due = self._computed = self._turned = 0.0
        self._longest = [0.0, 0.0]
        """In the present span of time, and in the one before."""
        self._timer: asyncio.TimerHandle | None = None

    def start(self) -> None:
        """Begin, on the loop that runs."""
        self._turned = self._now()
        self._wait(asyncio.get_running_loop())

    def stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _wait(self, loop: asyncio.AbstractEventLoop) -> None:
        self._due, self._computed = self._now() + PERIOD, self._cpu()
        self._timer = loop.call_later(PERIOD, self._beat, loop)

    def _beat(self, loop: asyncio.AbstractEventLoop) -> None:
        self.note(max(0.0, self._now() - self._due), self._cpu() - self._computed)
        self._wait(loop)

    def note(self, late: float, computed: float) -> None:
        """A beat came `late`; in the time until then the loop's own thread computed for `computed` seconds."""
        self._late.note(late)
        now = self._now()
        if now - self._turned >= _SPAN:
            recent = now - self._turned < 2 * _SPAN
            self._longest, self._turned = [0.0, self._longest[0] if recent else 0.0], now
        self._longest[0] = max(self._longest[0], late)
        if late >= TOLD:
            # Without computing it waited: for the disk, or for a processor that others had.
            _log.warning("the event loop was held", extra={"ms": round(late * 1000), "cpu_ms": round(computed * 1000)})

    def text(self) -> str:
        """As Prometheus reads it."""
        name = "octavo_event_loop_held_seconds"
        late = histograms(name, f"By how much a beat of every {PERIOD * 1000:g} ms was late", [({}, self._late)])
        longest: list[Sample] = [({}, round(max(self._longest), 6))]
        return late + written(f"{name}_longest", "gauge", "The longest of the last minute or two", longest)
