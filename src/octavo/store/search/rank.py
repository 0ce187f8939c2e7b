"""Which of the sections that match answer a question best; the same on both engines.

A section is ranked by its analysed words: three lines, of its heading, of its page's title and of its body, every word
with a space on both sides. Counting in such a line needs no more than a look for letters.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import msgspec

from octavo.content.words import stem
from octavo.store.search.query import Query, Term

BODY_MAX = 4_000
"""Characters of a body that are counted; behind them, words are found all the same."""

_PAGE_TITLE = 6.0
_HEADING = 4.0
_CONTEXT = 2.5
"""The title of the page above a section."""
_BODY = 2.0
_EXACT = 4.0
"""The whole heading is what was asked for."""
_IS_TITLE, _IN_TITLE, _BEGINS_TITLE = 60.0, 30.0, 15.0
"""A page whose title is what was asked for, holds all of it, or holds words that begin so: each is more than all that
headings and texts come to. Who types a title wants that page."""
_PAIR = 1.0
"""Two words asked for stand side by side, as they were typed."""
_OFTEN = 1.5
"""Occurrences in a body that are worth half of what endlessly many would be."""
_LONG = 2_000
"""Characters of a body that halve what an occurrence says."""
_FURTHER = 0.1
"""What another section of a page adds to the best one."""
_LEAST = 0.01
"""What a section has that all terms are in, wherever."""
_BEGINNING, _STEM, _MEANT, _PARTS = 0.85, 0.8, 0.8, 0.5
"""What other forms of a word are worth beside the word itself: a beginning, its stem, what was meant, its parts apart."""


def analysed(heading: Sequence[str], page: Sequence[str], body: Sequence[str]) -> str:
    """The words of a section as they are kept for ranking."""
    return "\n".join((_line(heading), _line(page), _line(body)[:BODY_MAX]))


def _line(words: Sequence[str]) -> str:
    return f" {' '.join(words)} "


class _Wanted(msgspec.Struct, frozen=True):
    """One term as letters to look for, each with its worth, best first; all of them begin with `start`."""

    forms: tuple[tuple[str, float], ...]
    start: str
    parts: tuple[_Wanted, ...] = ()

    def found(self, line: str) -> tuple[float, int]:
        """What the best form there is worth, and how often it occurs."""
        if self.start in line:
            for letters, worth in self.forms:
                times = line.count(letters)
                if times:
                    return worth, times
        if self.parts:
            each = [part.found(line) for part in self.parts]
            worth = min(one for one, _ in each)
            if worth:
                return worth * (_PARTS if self.forms else 1), min(times for _, times in each)
        return _NOTHING


_NOTHING = (0.0, 0)


class Ranking:
    """Ranks the sections that a question found."""

    def __init__(self, query: Query) -> None:
        self._terms = [_wanted(query, term) for term in query.terms]
        self._exact = _line(query.typed)
        self._pairs = [*_pairs(query.typed)]
        self._stems = [stem(word) for word in query.typed]
        self._last = {stem(word) for word, prefix in query.terms[-1].words if prefix} if query.terms else set()
        self._starts = tuple(f" {word}" for word in query.typed[:1])

    def score(self, words: str, *, first: bool, every: bool) -> float:
        """The score of a section, 0 for one that has the words from its page's title alone.

        `first` is a page's own beginning; `every` says that all terms are known to be in the section.
        """
        heading, page, body = words.split("\n")
        titled = context = said = 0.0
        covered = in_heading = above_all = 0
        for term in self._terms:
            if term.start and term.start not in words and not term.parts:
                continue
            worth, _ = term.found(heading)
            above = 0.0 if first else term.found(page)[0]
            inside, times = term.found(body)
            if worth:
                titled += worth
                in_heading += 1
            if above:
                context += above
                above_all += 1
            if inside:
                said += inside * times / (times + _OFTEN)
            covered += bool(worth or above or inside)
        count = len(self._terms)
        if not titled and not said and (above_all == count or not every):
            return 0.0
        score = said / count * _BODY * (0.5 + 0.5 * _LONG / (_LONG + len(body)))
        if context:
            score += context / count * _CONTEXT
        if titled:
            focus = in_heading / max(count, heading.count(" ") - 1)
            score += titled / count * (_PAGE_TITLE if first else _HEADING) * (0.4 + 0.6 * focus)
            score += _EXACT * (heading == self._exact) + 0.5 * heading.startswith(self._starts)
            if first and in_heading == count:
                score += self._title(heading)
        for pair in self._pairs:
            if pair in words:
                score += _PAIR / count * (2 * (pair in heading) + (pair in body))
        return score + _LEAST if every else score * (covered / count) ** 2

    def _title(self, heading: str) -> float:
        """What it is worth that a page's title holds every term; the last one may be only the beginning of a word."""
        stems = [stem(word) for word in heading.split()]
        if stems == self._stems:
            return _IS_TITLE
        return _BEGINS_TITLE if self._last and self._last.isdisjoint(stems) else _IN_TITLE


def page_score(sections: Sequence[float]) -> float:
    """The score of a page from those of its sections, best first: one good section counts more than many poor ones."""
    return sections[0] + _FURTHER * sum(sections[1:4])


def _pairs(typed: Sequence[str]) -> list[str]:
    """Neighbours as they were typed; the second may have another ending."""
    return [f" {one} {_root(other)}" for one, other in pairwise(typed)]


def _wanted(query: Query, term: Term) -> _Wanted:
    each = [_one(query, word, prefix) for word, prefix in term.words]
    return (
        _Wanted((), "", tuple(each)) if term.whole is None else msgspec.structs.replace(each[0], parts=tuple(each[1:]))
    )


def _one(query: Query, word: str, prefix: bool) -> _Wanted:
    if word in query.meant:
        forms = [(f" {other} ", _MEANT) for other in query.meant[word]]
    else:
        forms = [(f" {word} ", 1.0)]
        if prefix:
            forms.append((f" {word}", _BEGINNING))
        if word.isalpha() and len(root := _root(word)) > 2:
            forms.append((f" {root}", _STEM))
    start = min((letters.rstrip() for letters, _ in forms), key=len)
    return _Wanted(tuple(forms), start if all(letters.startswith(start) for letters, _ in forms) else " ")


def _root(word: str) -> str:
    """The letters that words of one stem begin with; a stem in i stands for words in y as well."""
    root = stem(word)
    return root[:-1] if root != word and root.endswith("i") else root
