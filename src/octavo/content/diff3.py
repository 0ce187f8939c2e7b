"""Merging of two sequences of units over their common base, with the verdicts of `git merge-file`.

* What one side changed is taken; what both changed alike is taken once.
* Changes of both sides that overlap, or touch without an unchanged unit between them, are a conflict.
* What the two sides of a conflict have in common, at its beginning, its end and inside, is taken out of it, so that one
  may become several, or none. Git writes some that stand close together as one again; here they stay apart.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from io import StringIO
from itertools import groupby
from typing import TypeAlias

from octavo.content.diff import Hunk, align

Aligner: TypeAlias = Callable[[Sequence[str], Sequence[str]], list[Hunk]]


@dataclass(frozen=True, slots=True)
class Stable:
    """Units of the merged sequence: unchanged, changed by one side, or changed by both alike."""

    units: list[str]


@dataclass(frozen=True, slots=True)
class Conflict:
    """A place that both sides changed and that nobody can decide; a side that removed it is empty."""

    base: list[str] | None
    """Empty where both sides only added; None where several were cut out of one and nobody can tell whose base is whose."""
    ours: list[str]
    theirs: list[str]


Piece: TypeAlias = Stable | Conflict


def merge(base: Sequence[str], ours: Sequence[str], theirs: Sequence[str], *, aligner: Aligner = align) -> list[Piece]:
    """The merged sequence in pieces, of which no two stable ones follow each other.

    Exchanging the sides exchanges them in the conflicts and changes nothing else. Of either side everything is in a
    stable piece or on its side of a conflict, in its order, except units of the base that the other side removed.
    """
    return list(_joined(_pieces(list(base), list(ours), list(theirs), aligner)))


def merge_text(base: str, ours: str, theirs: str) -> list[Piece]:
    """`merge` by lines. Only a line feed ends one, and units keep it, so that joining them gives back every byte."""
    return merge(*(StringIO(text, newline="\n").readlines() for text in (base, ours, theirs)))


def clean(pieces: Iterable[Piece]) -> bool:
    """Whether there is no conflict."""
    return all(isinstance(piece, Stable) for piece in pieces)


def _pieces(base: list[str], ours: list[str], theirs: list[str], aligner: Aligner) -> Iterator[Piece]:
    at = 0
    for place, mine, other in _places(aligner(base, ours), aligner(base, theirs)):
        yield Stable(base[at : place.start])
        yield from _settled(base[place], ours[mine], theirs[other], aligner)
        at = place.stop
    yield Stable(base[at:])


def _places(mine: list[Hunk], other: list[Hunk]) -> Iterator[tuple[slice, slice, slice]]:
    """Places in base, ours and theirs that a side changed; hunks that overlap or touch are in one."""
    hunks = sorted([*((*hunk, 0) for hunk in mine), *((*hunk, 1) for hunk in other)])
    shifts = [0, 0]
    at = 0
    while at < len(hunks):
        first, last = hunks[at][:2]
        starts = [first + shift for shift in shifts]
        while at < len(hunks) and hunks[at][0] <= last:
            _, end, _, end_there, side = hunks[at]
            last = max(last, end)
            shifts[side] = end_there - end
            at += 1
        yield slice(first, last), slice(starts[0], last + shifts[0]), slice(starts[1], last + shifts[1])


def _settled(base: list[str], ours: list[str], theirs: list[str], aligner: Aligner) -> Iterator[Piece]:
    if theirs in (base, ours):
        yield Stable(ours)
    elif ours == base:
        yield Stable(theirs)
    elif ours and theirs:
        yield from _refined(base, ours, theirs, aligner)
    else:
        yield Conflict(base, ours, theirs)


def _refined(base: list[str], ours: list[str], theirs: list[str], aligner: Aligner) -> Iterator[Piece]:
    # Of several alignments one is picked: it must be the same whichever side is called ours.
    if ours <= theirs:
        hunks = aligner(ours, theirs)
    else:
        hunks = [(b0, b1, a0, a1) for a0, a1, b0, b1 in aligner(theirs, ours)]
    alike = len(base) == len(ours) == len(theirs)
    whole = base if len(hunks) == 1 or not base else None
    at = 0
    for a0, a1, b0, b1 in hunks:
        yield Stable(ours[at:a0])
        # Three sides of one length were most likely edited unit by unit.
        own = base[a0:a1] if alike and (a0, a1) == (b0, b1) else whole
        yield Conflict(own, ours[a0:a1], theirs[b0:b1])
        at = a1
    yield Stable(ours[at:])


def _joined(pieces: Iterable[Piece]) -> Iterator[Piece]:
    for kind, run in groupby(pieces, type):
        if kind is Conflict:
            yield from run
        elif units := [unit for piece in run if isinstance(piece, Stable) for unit in piece.units]:
            yield Stable(units)
