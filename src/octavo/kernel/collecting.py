"""How often a process looks for garbage: while it does, every thread of it waits."""

import gc

THRESHOLDS = (10_000, 5, 50)
"""Objects that were made and not freed until the young are looked at; how often until those that stayed are, and the old.

Trees of a thousand pages are in the hands of a merge at once. Python's 700 and 10 looked at all of them dozens of times,
up to 114 ms each; with these nothing takes longer than 8 ms (`make bench`, part `merges`), and a long list of a request is
still freed without having been looked through."""


def seldom() -> None:
    """From now on; what there is already stays and is not looked at again."""
    gc.freeze()
    gc.set_threshold(*THRESHOLDS)
    gc.enable()
