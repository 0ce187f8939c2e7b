"""Positions among siblings: short strings that sort as the entries do, with room between any two of them.

A position is a whole number and a fraction, both in digits of base 62 (https://observablehq.com/@dgreensp/implementing-fractional-indexing).
The first letter says how many digits the number has: `a0`, …, `az`, `b00`, …; below `a0` come `Zz`, …, `Z0`, `Yzz`, …. At
either end positions count on, so that they stay short; between two a fraction begins. No fraction ends with 0.
"""

from __future__ import annotations

_DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_LEAST = "A" + _DIGITS[0] * 26
"""The number below which there is none, and which is no position by itself: nothing would come before it."""


def between(before: str | None, after: str | None) -> str:
    """A position that sorts behind `before` (None = the start) and ahead of `after` (None = the end). Raises ValueError for
    what is no position, and where there is no room as they are not in order."""
    low = None if before is None else _parts(before)
    high = None if after is None else _parts(after)
    if before is not None and after is not None and before >= after:
        raise ValueError(f"{before} does not come before {after}")
    if low is None:
        return "a0" if high is None else _ahead(*high)
    number, fraction = low
    if high is not None and number == high[0]:
        return number + _middle(fraction, high[1])
    following = _stepped(number, 1)
    if following is not None and (after is None or following < after):
        return following
    return number + _middle(fraction, None)


def spread(count: int, before: str | None = None, after: str | None = None) -> list[str]:
    """`count` positions in order between the two."""
    if count == 0:
        return []
    if after is None or before is None:
        made: list[str] = []
        for _ in range(count):
            if after is None:
                made.append(between(made[-1] if made else before, None))
            else:
                made.append(between(None, made[-1] if made else after))
        return made if after is None else made[::-1]
    half = count // 2
    middle = between(before, after)
    return [*spread(half, before, middle), middle, *spread(count - half - 1, middle, after)]


def _parts(position: str) -> tuple[str, str]:
    """Number and fraction. Raises ValueError."""
    length = _length(position[:1])
    number, fraction = position[:length], position[length:]
    if len(number) < length or position == _LEAST or fraction.endswith(_DIGITS[0]) or set(position) - set(_DIGITS):
        raise ValueError(f"{position!r} is no position")
    return number, fraction


def _length(head: str) -> int:
    """Of a number that begins so, with this letter."""
    if "a" <= head <= "z":
        return ord(head) - ord("a") + 2
    if "A" <= head <= "Z":
        return ord("Z") - ord(head) + 2
    raise ValueError(f"no position begins with {head!r}")


def _ahead(number: str, fraction: str) -> str:
    """A position before all that begin with this number and end with this fraction."""
    if number == _LEAST:
        return number + _middle("", fraction)
    if fraction:
        return number
    made = _stepped(number, -1)
    assert made is not None  # only the least has none before it
    return made


def _stepped(number: str, step: int) -> str | None:
    """The next number, or (step -1) the one before; None where there is none."""
    head, digits = number[0], list(number[1:])
    last = _DIGITS[-1] if step > 0 else _DIGITS[0]
    first = _DIGITS[0] if step > 0 else _DIGITS[-1]
    for place in reversed(range(len(digits))):
        if digits[place] != last:
            digits[place] = _DIGITS[_DIGITS.index(digits[place]) + step]
            return head + "".join(digits)
        digits[place] = first
    # All of them ran over: the number gets a digit more, or less, as its letter says.
    if head == ("z" if step > 0 else "A"):
        return None
    if head == ("Z" if step > 0 else "a"):
        return ("a" if step > 0 else "Z") + first
    following = chr(ord(head) + step)
    return following + first * (_length(following) - 1)


def _middle(low: str, high: str | None) -> str:
    """A fraction between two, as short as it can be; None = the end."""
    made = ""
    while True:
        same = 0
        while high is not None and same < len(high) and low[same : same + 1].rjust(1, _DIGITS[0]) == high[same]:
            same += 1
        if high is not None and same:
            made, low, high = made + high[:same], low[same:], high[same:]
        at = _DIGITS.index(low[0]) if low else 0
        to = len(_DIGITS) if high is None else _DIGITS.index(high[0])
        if to - at > 1:
            return made + _DIGITS[(at + to + 1) // 2]
        if high is not None and len(high) > 1:
            return made + high[0]
        # They are neighbours: behind the digit of the lower one there is room up to the end.
        made, low, high = made + _DIGITS[at], low[1:], None
