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


def system_clock() -> int:
    """Now, in milliseconds since 1970."""
    return time.time_ns() // 1_000_000


def moment(at: int) -> datetime:
    """The same as a datetime in UTC."""
    return datetime.fromtimestamp(at / 1000, UTC)


@lru_cache(maxsize=50_000)
def iso(at: int) -> str:
    """ISO 8601 in UTC with milliseconds and Z.

    >>> iso(0)
    '1970-01-01T00:00:00.000Z'
    """
    return (_EPOCH + timedelta(milliseconds=at)).isoformat(timespec="milliseconds") + "Z"
