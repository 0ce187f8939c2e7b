"""How often a process looks for garbage: while it does, every thread of it waits. And what it gives back of its memory."""

import contextlib
import gc

THRESHOLDS = (10_000, 5, 50)
"""Objects that were made and not freed until the young are looked at; how often until those that stayed are, and the old.

Trees of a thousand pages are in the hands of a merge at once. Python's 700 and 10 looked at all of them dozens of times,
up to 114 ms each; with these nothing takes longer than 8 ms (`make bench`, part `merges`), and a long list of a request is
still freed without having been looked through."""
_TRIM, _MAP = (-1, 2 << 20), (-3, 1 << 20)
"""M_TRIM_THRESHOLD and M_MMAP_THRESHOLD of the C library, in bytes.

Left alone, what SQLite takes for a list in a query, 88 KiB, goes back to the system when the query has ended, and is asked
for page by page with the next one: to take a job took 530 µs instead of 265."""


def seldom() -> None:
    """From now on; what there is already stays and is not looked at again."""
    gc.freeze()
    gc.set_threshold(*THRESHOLDS)
    gc.enable()
    _keep_what_is_small()


def _keep_what_is_small() -> None:
    """Have the C library keep so much of what is freed, where it is one that can."""
    with contextlib.suppress(ImportError, OSError, AttributeError, TypeError):
        import ctypes  # with the first process that stays, not with every command

        library = ctypes.CDLL(None)
        for option, size in (_TRIM, _MAP):
            library.mallopt(option, size)
