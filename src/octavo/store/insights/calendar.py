"""Hours, days, weeks and months of a time zone: as arithmetic on milliseconds, which every engine knows."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

from sqlglot import exp

from octavo.kernel.clock import DAY, HOUR, SECOND

_WEEK = 7 * DAY
_THURSDAY = 3 * DAY
"""1970 began three days into a week."""
_STEPS = {"hour": HOUR, "day": DAY, "week": _WEEK}


class Zone:
    """A time zone as far as a range reaches, in milliseconds since 1970."""

    def __init__(self, name: str, since: int, until: int) -> None:
        self._zone = ZoneInfo(name)
        self._since = since
        self._until = until
        self._offsets = self._found()

    def _found(self) -> list[tuple[int, int]]:
        """(until when, milliseconds ahead of UTC), in order; the last one is for all that follows."""
        made: list[tuple[int, int]] = []
        at = self._since
        while True:
            ahead = self._ahead(at)
            end = min(at + 20 * DAY, self._until)
            while end < self._until and self._ahead(end) == ahead:
                end = min(end + 20 * DAY, self._until)
            if self._ahead(end) == ahead or end <= at:
                return [*made, (self._until, ahead)]
            low, high = max(at, end - 20 * DAY), end
            while high - low > 1:
                middle = (low + high) // 2
                low, high = (middle, high) if self._ahead(middle) == ahead else (low, middle)
            made.append((high, ahead))
            at = high

    def _ahead(self, moment: int) -> int:
        offset = datetime.fromtimestamp(moment // SECOND, self._zone).utcoffset() or timedelta()
        return round(offset / timedelta(milliseconds=1))

    @property
    def _past(self) -> int | None:
        """How long past the hour of UTC its own hours begin; None where that changes."""
        past = {ahead % HOUR for _, ahead in self._offsets}
        return past.pop() if len(past) == 1 else None

    def _local(self, moment: exp.Expr) -> exp.Expr:
        """What a clock on the wall shows."""
        never = len(self._offsets) == 1 and self._offsets[0][1] == 0
        return moment if never else _added(moment, self._ahead_of(moment))

    def _ahead_of(self, moment: exp.Expr) -> exp.Expr:
        """How far that is ahead of UTC."""
        offset = _signed(self._offsets[-1][1])
        if len(self._offsets) == 1:
            return exp.paren(offset)
        chosen = exp.case()
        for end, ahead in self._offsets[:-1]:
            chosen = chosen.when(moment.copy() < exp.Literal.number(end), _signed(ahead))
        return exp.paren(chosen.else_(offset))

    def bucket(self, moment: exp.Expr, interval: str | None) -> exp.Expr:
        """The number of the interval that a moment is in; `start` says where that begins."""
        if interval is None:
            return moment
        if interval == "month":
            starts = self._months()
            chosen = exp.case()
            for start, following in pairwise(starts):
                chosen = chosen.when(moment.copy() < exp.Literal.number(following), exp.Literal.number(start))
            last = starts[-1]
            return chosen.else_(exp.Literal.number(last)) if len(starts) > 1 else exp.paren(_constant(moment, last))
        if interval == "hour":
            return self._hour(moment)
        return _whole(self._weekly(moment) if interval == "week" else self._local(moment), _STEPS[interval])

    def start(self, number: int, interval: str | None) -> int:
        """The beginning of a bucket: of hours and months its moment, else what the clock on the wall showed then."""
        if interval == "hour":
            return number if self._past is None else number * HOUR - self._past
        if interval in ("day", "week"):
            return number * _STEPS[interval] - (_THURSDAY if interval == "week" else 0)
        return number

    def _hour(self, moment: exp.Expr) -> exp.Expr:
        if self._past is not None:
            return _whole(_added(moment, exp.Literal.number(self._past)) if self._past else moment, HOUR)
        # Clocks that were put forward by half an hour.
        local, ahead = self._local(moment), self._ahead_of(moment)
        rest = exp.paren(exp.Mod(this=local.copy(), expression=exp.Literal.number(HOUR)))
        return exp.Sub(this=exp.paren(exp.Sub(this=local, expression=rest)), expression=ahead)

    def weekday(self, moment: exp.Expr) -> exp.Expr:
        """Days since Monday."""
        return _whole(exp.paren(exp.Mod(this=self._weekly(moment), expression=exp.Literal.number(_WEEK))), DAY)

    def hour(self, moment: exp.Expr) -> exp.Expr:
        """Hours since midnight."""
        return _whole(exp.paren(exp.Mod(this=self._local(moment), expression=exp.Literal.number(DAY))), HOUR)

    def _weekly(self, moment: exp.Expr) -> exp.Expr:
        return _added(self._local(moment), exp.Literal.number(_THURSDAY))

    def starts(self, interval: str | None) -> list[int]:
        """Every bucket of the range, as `bucket` makes them."""
        if interval == "month":
            return self._months()
        if interval == "hour":
            return self._hours()
        local = self._since + self._ahead(self._since)
        end = self._until - 1 + self._ahead(self._until - 1)
        step, shift = _STEPS[interval or "day"], _THURSDAY if interval == "week" else 0
        return list(range((local + shift) // step * step - shift, end + 1, step))

    def _hours(self) -> list[int]:
        made: list[int] = []
        begin = self._since
        for end, ahead in self._offsets:
            first = (begin + ahead) // HOUR * HOUR - ahead
            made += range(first, end, HOUR)
            begin = end
        return sorted(set(made))

    def _months(self) -> list[int]:
        """The moments at which the months of the range begin."""
        at = datetime.fromtimestamp(self._since // SECOND, self._zone)
        year, month = at.year, at.month
        made: list[int] = []
        while True:
            start = round(datetime(year, month, 1, tzinfo=self._zone).timestamp()) * SECOND
            if start >= self._until:
                return made
            made.append(start)
            year, month = (year, month + 1) if month < 12 else (year + 1, 1)

    def moment(self, bucket: int, interval: str | None) -> int:
        """The moment at which a bucket begins."""
        if interval not in ("day", "week"):
            return bucket
        shown = datetime.fromtimestamp(bucket // SECOND, UTC).replace(tzinfo=self._zone)
        return round(shown.timestamp()) * SECOND


def _signed(value: int) -> exp.Expr:
    return exp.Literal.number(value) if value >= 0 else exp.Neg(this=exp.Literal.number(-value))


def _constant(moment: exp.Expr, value: int) -> exp.Expr:
    """The same number for every event, of which a group can be made."""
    nothing = exp.Mul(this=moment.copy(), expression=exp.Literal.number(0))
    return exp.Add(this=nothing, expression=exp.Literal.number(value))


def _added(value: exp.Expr, more: exp.Expr) -> exp.Expr:
    return exp.paren(exp.Add(this=value.copy(), expression=more))


def _whole(value: exp.Expr, step: int) -> exp.Expr:
    """How many whole steps a number has."""
    return exp.IntDiv(this=value, expression=exp.Literal.number(step))
