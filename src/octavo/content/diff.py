"""Alignment of two sequences of units (lines, blocks, sentences): which runs became which others, the rest being equal."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence

Hunk = tuple[int, int, int, int]
"""(a0, a1, b0, b1): `a[a0:a1]` became `b[b0:b1]`; one of the two may be empty."""

MAX_CELLS = 100_000_000
"""Pairs of units that an alignment compares: one bit each, so at most 12.5 MB, and some 20 ms."""


def align(a: Sequence[str], b: Sequence[str]) -> list[Hunk]:
    """What changed, in order; between two hunks there is at least one unit, and only units that both have.

    What is kept is a longest common subsequence; of several, always the same one. Groups of removed and of added units
    are then slid where that changes nothing else, as Git slides them; see `_slide`.

    Sequences that differ over more than `MAX_CELLS` pairs of units are first split at those that each of them has once,
    in common order. The stretches between are compared from the beginning as long as their pairs are not too many
    together; one that no longer fits counts as changed.
    """
    head = _common(a, b)
    tail = _common(a[head:][::-1], b[head:][::-1])
    end_a, end_b = len(a) - tail, len(b) - tail
    kept_a, kept_b = _kept(a[head:end_a], b[head:end_b])
    removed = _groups(head, kept_a, end_a)
    added = _groups(head, kept_b, end_b)
    removed = _slide(a, removed, added)
    added = _slide(b, added, removed)
    return list(_hunks(removed, added))


def _common(a: Sequence[str], b: Sequence[str]) -> int:
    """How many units at the beginning are equal."""
    return next((i for i, (one, other) in enumerate(zip(a, b)) if one != other), min(len(a), len(b)))


def _kept(a: Sequence[str], b: Sequence[str]) -> tuple[list[int], list[int]]:
    """Places of the units that are kept, in `a` and in `b`."""
    kept_a: list[int] = []
    kept_b: list[int] = []
    budget = MAX_CELLS
    anchors = _anchors(a, b) if len(a) * len(b) > MAX_CELLS else []
    i = j = 0
    for next_i, next_j in [*anchors, (len(a), len(b))]:
        if next_i < i:
            continue
        # What only one stretch has is never kept: without it, a text that was rewritten is hardly anything to compare.
        shared = set(a[i:next_i]) & set(b[j:next_j])
        left = [place for place in range(i, next_i) if a[place] in shared]
        right = [place for place in range(j, next_j) if b[place] in shared]
        if len(left) * len(right) <= budget:
            budget -= len(left) * len(right)
            for k, m, size in _longest([a[place] for place in left], [b[place] for place in right]):
                kept_a += left[k : k + size]
                kept_b += right[m : m + size]
        i, j = next_i, next_j
        while i < len(a) and j < len(b) and a[i] == b[j]:
            i, j = i + 1, j + 1
        kept_a += range(next_i, i)
        kept_b += range(next_j, j)
    return kept_a, kept_b


def _longest(a: list[str], b: list[str]) -> Iterable[tuple[int, int, int]]:
    """A longest common subsequence in runs (i, j, size); time and bits in proportion to `len(a) * len(b)`."""
    if not a or not b:
        return ()
    # Only merging needs it: commands that do not merge start without it.
    from rapidfuzz.distance import LCSseq

    numbers = {unit: number for number, unit in enumerate(dict.fromkeys(a))}
    first, second = [numbers[unit] for unit in a], [numbers[unit] for unit in b]
    # Asked this way round it nearly always picks the subsequence that Git picks.
    return [(match.b, match.a, match.size) for match in LCSseq.editops(second, first).as_matching_blocks()]


def _anchors(a: Sequence[str], b: Sequence[str]) -> list[tuple[int, int]]:
    """Places of units that each side has once: as many of them as ascend in both (patience sorting)."""
    once = _once(a) & _once(b)
    places = {unit: j for j, unit in enumerate(b) if unit in once}
    left = [i for i, unit in enumerate(a) if unit in once]
    right = [places[a[i]] for i in left]
    tops: list[int] = []
    ends: list[int] = []
    previous: list[int] = []
    for at, j in enumerate(right):
        pile = bisect_left(tops, j)
        previous.append(ends[pile - 1] if pile else -1)
        tops[pile : pile + 1] = [j]
        ends[pile : pile + 1] = [at]
    found: list[tuple[int, int]] = []
    at = ends[-1] if ends else -1
    while at >= 0:
        found.append((left[at], right[at]))
        at = previous[at]
    return found[::-1]


def _once(units: Sequence[str]) -> set[str]:
    return {unit for unit, count in Counter(units).items() if count == 1}


def _groups(head: int, kept: list[int], end: int) -> dict[int, int]:
    """Lengths of the groups of units that are not kept, each by its gap: the number of kept units before it.

    Kept are the first `head` units, those at `head + place` for each place, and all from `end`.
    """
    groups: dict[int, int] = {}
    following = 0
    for gap, place in enumerate([*kept, end - head]):
        if place > following:
            groups[head + gap] = place - following
        following = place + 1
    return groups


def _slide(units: Sequence[str], groups: dict[int, int], beside: Container[int]) -> dict[int, int]:
    """The groups of one sequence where Git lets them rest; `beside` are the gaps of the other sequence's groups.

    A group that begins with what follows it can as well stand one unit later, and one that ends with what stands before
    it, one unit earlier. Git moves a group to the beginning and to the end as far as that goes, and joins it with each
    one that it meets. It then rests in the last gap where the other sequence has a group too, so that a replacement
    stays one; else where it is, at the end.
    """
    waiting = sorted(groups.items(), reverse=True)
    rested: list[tuple[int, int]] = []
    shift = 0
    while waiting:
        gap, size = waiting.pop()
        before = 0
        while size != before:
            before = size
            while gap and units[gap + shift - 1] == units[gap + shift + size - 1]:
                gap -= 1
                if rested and rested[-1][0] == gap:
                    met = rested.pop()[1]
                    size, shift = size + met, shift - met
            paired = gap if gap in beside else None
            while gap + shift + size < len(units) and units[gap + shift] == units[gap + shift + size]:
                gap += 1
                if waiting and waiting[-1][0] == gap:
                    size += waiting.pop()[1]
                paired = gap if gap in beside else paired
        rested.append((gap if paired is None else paired, size))
        shift += size
    return dict(rested)


def _hunks(removed: dict[int, int], added: dict[int, int]) -> Iterator[Hunk]:
    gone = new = 0
    for gap in sorted(removed.keys() | added.keys()):
        a0, b0 = gap + gone, gap + new
        gone += removed.get(gap, 0)
        new += added.get(gap, 0)
        yield a0, gap + gone, b0, gap + new
