"""Laws of merging: what one side left alone is the other's, sides can be exchanged, and nothing is lost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from octavo.content.diff import align
from octavo.content.diff3 import Conflict, Piece, Stable, clean, merge, merge_text
from tests.content.edits import case, lines

POOL = [
    *["\n"] * 4, "  \n", "# Title\n", "## Usage\n", "## Usage\n", "* Yes\n", "* No\n", "```\n", "| --- | --- |\n",
    "{% endhint %}\n", "One sentence.\n", "Another sentence.\n", "A third one.\n",
]  # fmt: skip
LINES = st.lists(st.sampled_from(POOL), max_size=24)
EDIT = st.tuples(st.integers(0, 24), st.integers(0, 4), st.lists(st.sampled_from([*POOL, "New.\n"]), max_size=4))


def applied(base: list[str], edits: list[tuple[int, int, list[str]]]) -> list[str]:
    made = list(base)
    for at, removed, added in edits:
        made[at : at + removed] = added
    return made


@st.composite
def trios(draw: st.DrawFn) -> tuple[list[str], list[str], list[str]]:
    """Base, ours and theirs; some edits are both sides'."""
    base = draw(LINES)
    shared = draw(st.lists(EDIT, max_size=1))
    ours, theirs = (applied(base, [*shared, *draw(st.lists(EDIT, max_size=3))]) for _ in range(2))
    return base, ours, theirs


def side(pieces: Sequence[Piece], name: str) -> list[str]:
    """The merged sequence where every conflict is decided for one side."""
    return [unit for piece in pieces for unit in (piece.units if isinstance(piece, Stable) else getattr(piece, name))]


def mirrored(pieces: Sequence[Piece]) -> list[Piece]:
    return [Conflict(p.base, p.theirs, p.ours) if isinstance(p, Conflict) else p for p in pieces]


def removed(base: list[str], other: list[str]) -> set[int]:
    return {place for a0, a1, _, _ in align(base, other) for place in range(a0, a1)}


def surviving(base: list[str], mine: list[str], gone: set[int]) -> Iterator[str]:
    """The units of a side without those it left alone and the other side removed."""
    at_base = at_mine = 0
    for a0, a1, b0, b1 in [*align(base, mine), (len(base), len(base), len(mine), len(mine))]:
        yield from (unit for place, unit in enumerate(mine[at_mine:b0], at_base) if place not in gone)
        yield from mine[b0:b1]
        assert a0 - at_base == b0 - at_mine
        at_base, at_mine = a1, b1


def is_subsequence(few: Iterator[str], many: list[str]) -> bool:
    rest = iter(many)
    return all(unit in rest for unit in few)


def check(base: list[str], ours: list[str], theirs: list[str]) -> None:
    pieces = merge(base, ours, theirs)
    assert merge(base, theirs, ours) == mirrored(pieces)
    assert is_subsequence(surviving(base, ours, removed(base, theirs)), side(pieces, "ours"))
    assert is_subsequence(surviving(base, theirs, removed(base, ours)), side(pieces, "theirs"))
    assert set(side(pieces, "ours")) <= {*ours, *theirs}
    for piece, following in pairwise(pieces):
        assert isinstance(piece, Conflict) or isinstance(following, Conflict)
    for piece in pieces:
        if isinstance(piece, Conflict):
            # Nothing that both sides begin or end with is left in a conflict, nor a side that is the other one.
            assert piece.ours[:1] != piece.theirs[:1]
            assert piece.ours[-1:] != piece.theirs[-1:]
        else:
            assert piece.units


@settings(max_examples=150, deadline=None)
@given(LINES, LINES)
def test_what_one_side_left_alone_is_the_others(base: list[str], changed: list[str]) -> None:
    whole = [Stable(changed)] if changed else []
    assert merge(base, base, changed) == whole
    assert merge(base, changed, base) == whole
    assert merge(base, changed, changed) == whole


@settings(max_examples=300, deadline=None)
@given(trios())
def test_sides_can_be_exchanged_and_nothing_is_lost(trio: tuple[list[str], list[str], list[str]]) -> None:
    check(*trio)


@pytest.mark.parametrize("start", range(0, 200, 50))
def test_sides_of_pages_can_be_exchanged_and_nothing_is_lost(start: int) -> None:
    for seed in range(start, start + 50):
        base, ours, theirs = map(lines, case(seed))
        check(base, ours, theirs)


@settings(max_examples=100, deadline=None)
@given(trios())
def test_where_the_sides_met_nowhere_the_merge_is_clean(trio: tuple[list[str], list[str], list[str]]) -> None:
    base, ours, theirs = trio
    apart = [f"Line {number} that nobody changes.\n" for number in range(3)]
    pieces = merge([*base, *apart, *base], [*ours, *apart, *base], [*base, *apart, *theirs])
    assert clean(pieces)
    assert side(pieces, "ours") == [*ours, *apart, *theirs]


@settings(max_examples=100, deadline=None)
@given(trios())
def test_kinds_of_sequences_do_not_matter(trio: tuple[list[str], list[str], list[str]]) -> None:
    assert merge(*map(tuple, trio)) == merge(*trio)


def pieces_of(*trio: str) -> list[tuple[str | None, ...]]:
    """Letters merged: (stable,) or (base, ours, theirs)."""
    return [
        ("".join(piece.units),)
        if isinstance(piece, Stable)
        else (None if piece.base is None else "".join(piece.base), "".join(piece.ours), "".join(piece.theirs))
        for piece in merge(*trio)
    ]


@pytest.mark.parametrize(
    ("base", "ours", "theirs", "pieces"),
    [
        ("", "", "", []),
        ("", "x", "y", [("", "x", "y")]),
        ("abc", "abcx", "yabc", [("yabcx",)]),
        # One unchanged unit between two changes keeps them apart, none does not.
        ("abc", "xbc", "aby", [("xby",)]),
        ("ab", "xb", "ay", [("ab", "xb", "ay")]),
        ("ab", "b", "axb", [("a", "", "ax"), ("b",)]),
        # Both added at one place.
        ("ab", "axb", "ayb", [("a",), ("", "x", "y"), ("b",)]),
        ("ab", "axb", "axb", [("axb",)]),
        ("ab", "axyb", "axzb", [("ax",), ("", "y", "z"), ("b",)]),
        # Removed by one, changed by the other.
        ("abc", "ac", "axc", [("a",), ("b", "", "x"), ("c",)]),
        ("abc", "", "axc", [("abc", "", "axc")]),
        # What both have is taken out: at the ends, and inside.
        ("b", "xpy", "xqy", [("x",), ("b", "p", "q"), ("y",)]),
        ("abc", "pxq", "rxs", [("a", "p", "r"), ("x",), ("c", "q", "s")]),
        ("ab", "pxq", "rxs", [(None, "p", "r"), ("x",), (None, "q", "s")]),
        ("b", "pbx", "xq", [(None, "pb", ""), ("x",), (None, "", "q")]),
        ("abc", "axc", "axy", [("ax",), ("c", "c", "y")]),
    ],
)
def test_pieces(base: str, ours: str, theirs: str, pieces: list[tuple[str | None, ...]]) -> None:
    assert pieces_of(base, ours, theirs) == pieces


def test_only_line_feeds_end_lines_and_every_byte_stays() -> None:
    base = "One\r\nTwo\x0b\x0c\x1c\x85\u2028\u2029\rstill two\r\n\r\nThree\nFour"
    ours, theirs = base.replace("One", "Eins"), base.replace("Four", "Vier")
    pieces = merge_text(base, ours, theirs)
    assert pieces == [Stable(["Eins\r\n", "Two\x0b\x0c\x1c\x85\u2028\u2029\rstill two\r\n", "\r\n", "Three\n", "Vier"])]


def test_a_last_line_without_its_end_is_another_line() -> None:
    assert merge_text("a\nb", "a\nb\n", "x\nb") == [Conflict(["a\n", "b"], ["a\n", "b\n"], ["x\n", "b"])]
    assert merge_text("a\n\nb", "a\n\nb\n", "x\n\nb") == [Stable(["x\n", "\n", "b\n"])]
    assert merge_text("a\n\nb\n", "a\n\nb", "a\n\nb\nc\n") == [
        Stable(["a\n", "\n"]),
        Conflict(["b\n"], ["b"], ["b\n", "c\n"]),
    ]
    assert merge_text("", "", "") == []
