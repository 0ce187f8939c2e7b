"""How long the event loop was held: the CPU time of its own thread in one step, which no other work on the machine adds to."""

from __future__ import annotations

import asyncio
import gc
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from unittest.mock import patch


@dataclass
class Held:
    """The longest step so far, in seconds."""

    longest: float = 0.0


@contextmanager
def watched() -> Iterator[Held]:
    """Watch the loop of this thread for the block."""
    held, run = Held(), asyncio.Handle._run

    def timed(handle: asyncio.Handle) -> None:
        began = time.thread_time()
        run(handle)
        held.longest = max(held.longest, time.thread_time() - began)

    # To look for garbage among all that the tests before have left takes a tenth of a second and more, whatever the loop
    # does.
    gc.disable()
    try:
        with patch.object(asyncio.Handle, "_run", timed):
            yield held
    finally:
        gc.enable()
