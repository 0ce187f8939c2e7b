"""Carrying an edit over: what changes between two canonical texts of a block changes in the author's own text of it.

Authors write `-` where the printer writes `*`, indent by four, wrap lines, pad tables, use HTML. Their text is aligned with
the canonical text of what it says; each change from there to the canonical text of what it is to say is made in theirs,
and lines that are new begin as theirs do. Nothing here knows what Markdown means: whether the result reads as it should
is for the caller to see.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from octavo.content.diff import Hunk, align

_TOKEN: Final = re.compile(
    # Line breaks with what the next line begins with: indentation, marks of quotes, the marker of an item.
    r"(?:[ \t\r]*\n[ \t>]*)+(?:(?:[-*+]|\d{1,9}[.)])(?=\s|\Z)[ \t]*)?"
    # An address is changed whole, as it may need brackets or no longer need them.
    r"|(?<=\]\()(?:<[^<>\n]+>|[^\s()<>]+)|(?:(?<=src=\")|(?<=href=\")|(?<=url=\"))[^\"\n]+"
    r"|[ \t\r]+|[^\W_]+|([^\w\s]|_)\1*|."
)
_ITEM: Final = re.compile(r"(?:([-*+])|\d+[.)])[ \t]*\Z")
_DIGITS: Final = re.compile(r"\d+")
_ALIKE: Final = 0.3
"""Of the words of the canonical text that have to be in the author's, and in what is to be said: else it is no edit."""


def carried(raw: str, before: str, after: str) -> str | None:
    """The author's text `raw`, which says what `before` says, edited to say what `after` says.

    None where two of the three have too little in common, or where a change has no place of its own in `raw`.
    """
    mine, old, new = _tokens(raw), _tokens(before), _tokens(after)
    place = _places(old, mine)
    changes = align(old, new)
    if not _akin(old, place, changes):
        return None
    author = _Author(mine, old, place)
    made: list[str] = []
    reached = 0
    for change in changes:
        found = author.change(change, new)
        if found is None or found[0] < reached:
            return None
        start, end, text = found
        made += [*mine[reached:start], *text]
        reached = end
    return "".join([*made, *mine[reached:]]).removeprefix("\n")


class _Author:
    """How the tokens of a canonical text stand in the author's."""

    def __init__(self, mine: Sequence[str], old: Sequence[str], place: dict[int, int]) -> None:
        self._mine = mine
        self._old = old
        self._place = place
        self._beginnings: dict[str, list[int]] = {}
        """Where the canonical text begins a line in this way, and the author's text does so too, in its own."""
        for at in sorted(place):
            if "\n" in old[at] and "\n" in mine[place[at]]:
                self._beginnings.setdefault(_DIGITS.sub("1", _tail(old[at])), []).append(at)

    def change(self, change: Hunk, new: Sequence[str]) -> tuple[int, int, list[str]] | None:
        """A change of canonical text as (start, end, tokens) of the author's; it is widened to where both agree."""
        begin, end, first, last = change
        place, stop = self._place, len(self._old)
        while begin > 0 and begin not in place and begin - 1 not in place:
            begin, first = begin - 1, first - 1
        while end < stop and end not in place and end - 1 not in place:
            end, last = end + 1, last + 1
        # What is removed goes from its own first token to its own last one; what is new follows what it follows.
        if begin in place and (begin < end or begin - 1 not in place):
            start = place[begin]
        else:
            start = place[begin - 1] + 1 if begin else 0
        if begin == end:
            until = start
        elif end - 1 in place:
            until = place[end - 1] + 1
        else:
            until = place.get(end, len(self._mine))
        return None if until < start else (start, until, [self._own(one, begin) for one in new[first:last]])

    def _own(self, token: str, near: int) -> str:
        """A token as the author would write it: the beginning of a line is that of the nearest one of its kind."""
        if "\n" not in token:
            return token
        known = self._beginnings.get(_DIGITS.sub("1", _tail(token)))
        if not known:
            return token
        at = min(known, key=lambda one: abs(one - near))
        own = self._mine[self._place[at]]
        breaks = own if _breaks(self._old[at]) == _breaks(token) else token
        return _breaks(breaks) + _numbered(_tail(own), token)


def _tokens(text: str) -> list[str]:
    return [found[0] for found in _TOKEN.finditer("\n" + text)]


def _key(token: str) -> str:
    """What is the same in every hand: space, an item, emphasis by either mark, a word."""
    if "\n" in token:
        item = _ITEM.search(token)
        return "*" if item and item[1] else "1." if item else " "
    if token.isspace():
        return " "
    return token[1:-1] if token[0] + token[-1] == "<>" else token.replace("_", "*")


def _places(old: Sequence[str], mine: Sequence[str]) -> dict[int, int]:
    """Of each token of the canonical text that the author's has too: where."""
    place: dict[int, int] = {}
    at = shift = 0
    for a0, a1, _, b1 in [*align([_key(one) for one in old], [_key(one) for one in mine]), (len(old), 0, 0, 0)]:
        place |= {one: one + shift for one in range(at, a0)}
        at, shift = a1, b1 - a1
    return place


def _akin(old: Sequence[str], place: dict[int, int], changes: Sequence[Hunk]) -> bool:
    words = [at for at, token in enumerate(old) if token[0].isalnum()]
    gone = {at for a0, a1, _, _ in changes for at in range(a0, a1)}
    least = _ALIKE * len(words)
    return sum(at in place for at in words) >= least and sum(at not in gone for at in words) >= least


def _breaks(beginning: str) -> str:
    return beginning[: beginning.rindex("\n") + 1]


def _tail(beginning: str) -> str:
    return beginning[beginning.rindex("\n") + 1 :]


def _numbered(tail: str, token: str) -> str:
    """The beginning of a line with the number of another one."""
    number = _DIGITS.search(_tail(token))
    return _DIGITS.sub(number[0], tail, count=1) if number else tail
