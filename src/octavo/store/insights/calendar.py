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

    def _local(self, moment: exp.Expr) -> tuple[exp.Expr, exp.Expr | None]:
        """What a clock on the wall shows, and how far it is ahead; None where that is nothing."""
        if len(self._offsets) == 1 and self._offsets[0][1] == 0:
            return moment, None
        offset = _signed(self._offsets[-1][1])
        if len(self._offsets) > 1:
            chosen = exp.case()
            for end, ahead in self._offsets[:-1]:
                chosen = chosen.when(moment.copy() < exp.Literal.number(end), _signed(ahead))
            offset = chosen.else_(offset)
        offset = exp.paren(offset)
        return exp.paren(exp.Add(this=moment.copy(), expression=offset)), offset.copy()

    def bucket(self, moment: exp.Expr, interval: str | None) -> exp.Expr:
        """The beginning of the interval: for hours its moment, for the others what the clock on the wall showed then."""
        if interval is None:
            return moment
        if interval == "month":
            starts = self._months()
            chosen = exp.case()
            for start, following in pairwise(starts):
                chosen = chosen.when(moment.copy() < exp.Literal.number(following), exp.Literal.number(start))
            last = starts[-1]
            return chosen.else_(exp.Literal.number(last)) if len(starts) > 1 else exp.paren(_constant(moment, last))
        local, ahead = self._local(moment)
        if interval == "week":
            shifted = exp.paren(exp.Add(this=local, expression=exp.Literal.number(_THURSDAY)))
            return exp.Sub(this=_floor(shifted, _WEEK), expression=exp.Literal.number(_THURSDAY))
        floor = _floor(local, _STEPS[interval])
        return exp.Sub(this=floor, expression=ahead) if interval == "hour" and ahead is not None else floor

    def weekday(self, moment: exp.Expr) -> exp.Expr:
        """Days since Monday, in milliseconds."""
        local, _ = self._local(moment)
        shifted = exp.paren(exp.Add(this=local, expression=exp.Literal.number(_THURSDAY)))
        within = exp.paren(exp.Mod(this=shifted, expression=exp.Literal.number(_WEEK)))
        return _floor(within, DAY)

    def hour(self, moment: exp.Expr) -> exp.Expr:
        """Hours since midnight, in milliseconds."""
        local, _ = self._local(moment)
        return _floor(exp.paren(exp.Mod(this=local, expression=exp.Literal.number(DAY))), HOUR)

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


def _floor(value: exp.Expr, step: int) -> exp.Expr:
    rest = exp.paren(exp.Mod(this=value.copy(), expression=exp.Literal.number(step)))
    return exp.paren(exp.Sub(this=value, expression=rest))
