"""Time: milliseconds since 1970 in UTC, from a clock that tests can move."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import lru_cache

Clock = Callable[[], int]

SECOND = 1000
MINUTE = 60 * SECOND
HOUR = 60 * MINUTE
DAY = 24 * HOUR

_EPOCH = datetime(1970, 1, 1)
FIRST, LAST = -62_135_596_800_000, 253_402_300_799_999
"""The first and the last millisecond that a date has a name for: of the years 1 and 9999, in UTC."""


def system_clock() -> int:
    """Now, in milliseconds since 1970."""
    return time.time_ns() // 1_000_000


def within(at: int) -> int:
    """The nearest moment that a date has a name for. With an offset, or rounded, others can be sent and may be stored.

    >>> within(LAST + 1) == LAST, within(0)
    (True, 0)
    """
    return min(max(at, FIRST), LAST)


def moment(at: int) -> datetime:
    """The same as a datetime in UTC."""
    return datetime.fromtimestamp(within(at) / 1000, UTC)


@lru_cache(maxsize=50_000)
def iso(at: int) -> str:
    """ISO 8601 in UTC with milliseconds and Z.

    >>> iso(0)
    '1970-01-01T00:00:00.000Z'
    >>> iso(FIRST - 1), iso(LAST + 1)
    ('0001-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z')
    """
    return (_EPOCH + timedelta(milliseconds=within(at))).isoformat(timespec="milliseconds") + "Z"
