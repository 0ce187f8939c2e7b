"""Which entries of a level of the table of contents a page shows, where it has very many; links lead to the others."""

from __future__ import annotations

from typing import NamedTuple

MOST = 150
"""Entries of a level that are shown at once."""
AROUND = 40
"""Of a larger one, those that stand before and behind the one on the way to the page; browsers fetch others in portions."""


class Window(NamedTuple):
    """The places of a level that are shown: from `start` up to `stop`, of `whole`."""

    start: int
    stop: int
    whole: int


def window(count: int, here: int | None) -> Window:
    """Around a place, or from the beginning where none is on the way to the page.

    >>> window(10, None), window(1000, None), window(1000, 500), window(1000, 990)
    (Window(start=0, stop=10, whole=10), Window(start=0, stop=81, whole=1000), Window(start=460, stop=541, whole=1000), \
Window(start=919, stop=1000, whole=1000))
    """
    if count <= MOST:
        return Window(0, count, count)
    length = 2 * AROUND + 1
    start = 0 if here is None else min(max(0, here - AROUND), count - length)
    return Window(start, start + length, count)


def behind(count: int, at: int) -> Window:
    """The portion that follows a place.

    >>> behind(1000, 80), behind(100, 80)
    (Window(start=81, stop=231, whole=1000), Window(start=81, stop=100, whole=100))
    """
    return Window(at + 1, min(count, at + 1 + MOST), count)


def ahead(count: int, at: int) -> Window:
    """The portion that stands before a place.

    >>> ahead(1000, 460), ahead(100, 80)
    (Window(start=310, stop=460, whole=1000), Window(start=0, stop=80, whole=100))
    """
    return Window(max(0, at - MOST), at, count)
