"""Alignment: a valid script, as short as any, with groups where Git leaves them, and bounded in what it compares."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from octavo.content import diff
from octavo.content.diff import Hunk, align
from tests.content.edits import case, lines

FEW = st.lists(st.sampled_from(["a", "b", "c", ""]), max_size=14)


def kept(a: Sequence[str], b: Sequence[str], hunks: list[Hunk]) -> list[str]:
    """What the hunks leave; fails where they are no script from `a` to `b`."""
    left: list[str] = []
    at_a = at_b = 0
    for a0, a1, b0, b1 in [*hunks, (len(a), len(a), len(b), len(b))]:
        assert at_a <= a0 <= a1
        assert at_b <= b0 <= b1
        assert list(a[at_a:a0]) == list(b[at_b:b0])
        left += a[at_a:a0]
        at_a, at_b = a1, b1
    assert all(before[1] < after[0] for before, after in pairwise(hunks))
    assert all(a0 < a1 or b0 < b1 for a0, a1, b0, b1 in hunks)
    return left


def longest(a: Sequence[str], b: Sequence[str]) -> int:
    """The length of a longest common subsequence, by the book."""
    row = [0] * (len(b) + 1)
    for one in a:
        above = row
        row = [0]
        for j, other in enumerate(b):
            row.append(above[j] + 1 if one == other else max(above[j + 1], row[j]))
    return row[-1]


@settings(max_examples=300, deadline=None)
@given(FEW, FEW)
def test_what_is_kept_is_a_longest_common_subsequence(a: list[str], b: list[str]) -> None:
    assert len(kept(a, b, align(a, b))) == longest(a, b)


@pytest.mark.parametrize("seed", range(40))
def test_pages_are_aligned_with_as_little_change_as_can_be(seed: int) -> None:
    base, ours, theirs = map(lines, case(seed))
    for a, b in ((base, ours), (base, theirs), (ours, theirs)):
        assert len(kept(a, b, align(a, b))) == longest(a, b)


@settings(max_examples=100, deadline=None)
@given(FEW, FEW)
def test_units_mean_nothing_but_equal_or_not(a: list[str], b: list[str]) -> None:
    names = {"a": "one\n", "b": "\u2028", "c": "c" * 99, "": "\n"}
    assert align([names[unit] for unit in a], tuple(names[unit] for unit in b)) == align(a, b)
    assert align(a, a) == []


@pytest.mark.parametrize(
    ("a", "b", "hunks"),
    [
        ("", "", []),
        ("", "ab", [(0, 0, 0, 2)]),
        ("ab", "", [(0, 2, 0, 0)]),
        # A paragraph and its blank line, rather than the blank line before it.
        ("p q ", "p n q ", [(2, 2, 2, 4)]),
        ("p n q ", "p q ", [(2, 4, 2, 2)]),
        # Of three equal units the last one is the new one, or the one that went.
        ("xx", "xxx", [(2, 2, 2, 3)]),
        ("axxxb", "axb", [(2, 4, 2, 2)]),
        # Groups that meet are one; what is replaced stays beside what replaces it.
        ("axbxc", "axxc", [(2, 3, 2, 2)]),
        ("axxb", "axnb", [(2, 3, 2, 3)]),
        ("axxb", "anxb", [(1, 2, 1, 2)]),
    ],
)
def test_groups_rest_where_git_leaves_them(a: str, b: str, hunks: list[Hunk]) -> None:
    assert align(a, b) == hunks


def test_long_texts_are_split_at_lines_that_they_have_once() -> None:
    rng = random.Random(1)
    a = [rng.choice(["\n", "* Yes\n", f"Line {number}.\n"]) for number in range(30_000)]
    b = list(a)
    for at in (29_000, 15_000, 14_990, 3_000, 40):
        b[at : at + rng.randint(0, 3)] = [f"New {at}.\n", "\n"]
    assert len(a) * len(b) > diff.MAX_CELLS
    hunks = align(a, b)
    assert len(kept(a, b, hunks)) >= len(a) - 5 * 3
    assert all(a1 - a0 <= 4 and b1 - b0 <= 4 for a0, a1, b0, b1 in hunks)


def test_long_texts_keep_most_of_what_was_shuffled() -> None:
    a = [f"Line {number}.\n" for number in range(12_000)]
    b = [*a[6_000:], *a[1_000:6_000], *a[:1_000]]
    assert kept(a, b, align(a, b)) == a[6_000:]


def test_what_is_left_of_a_long_text_that_was_rewritten_is_kept() -> None:
    a = [line for number in range(12_000) for line in ([f"Old {number}.\n"] + ["* Yes\n"] * (number % 4_000 == 7))]
    b = ["* Yes\n", *(f"New {number}.\n" for number in range(12_000)), "* Yes\n", "Last.\n"]
    assert kept(a, b, align(a, b)) == ["* Yes\n"] * 2


def test_what_is_too_large_to_compare_counts_as_changed() -> None:
    a, b = ["x", "y"] * 8_000, ["y", "y", "x"] * 5_000
    assert len(a) * len(b) > diff.MAX_CELLS
    assert align(["first", *a, "last"], ["first", *b, "last"]) == [(1, 16_001, 1, 15_001)]
    assert align([*a, "middle", *a], [*b, "middle", *b]) == [(0, 16_000, 0, 15_000), (16_001, 32_001, 15_001, 30_001)]


def test_stretches_are_compared_as_long_as_they_fit_together() -> None:
    a, b = ["x", "y"] * 4_000, ["y", "y", "x"] * 2_500
    assert len(a) * len(b) < diff.MAX_CELLS < 2 * len(a) * len(b)
    hunks = align([*a, "middle", *a], [*b, "middle", *b])
    assert len(hunks) > 1_000
    assert hunks[-1] == (8_001, 16_001, 7_501, 15_001)
