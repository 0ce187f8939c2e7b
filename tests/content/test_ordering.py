"""Positions: the same as the library's that is known from the browser, in order, and short."""

from __future__ import annotations

import fractional_indexing as library
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from octavo.content.ordering import between, spread

PLACES = st.lists(st.integers(min_value=0, max_value=1 << 16), max_size=120)
"""Where each further entry is put, modulo how many places there are then."""
DIGITS = library.BASE_62_DIGITS


@st.composite
def positions(draw: st.DrawFn) -> str:
    """Any position, also of numbers that nobody counts to."""
    head = draw(st.sampled_from("AByzZYXabc"))
    number = draw(
        st.text(DIGITS[0] + DIGITS[-1] + "1Vy", min_size=(n := library.get_integer_length(head) - 1), max_size=n)
    )
    fraction = draw(st.text(DIGITS, max_size=4)).rstrip("0")
    return head + number + fraction if fraction or head + number != "A" + "0" * 26 else "a0"


@given(PLACES)
def test_insertions_anywhere_make_what_the_library_makes(places: list[int]) -> None:
    made: list[str] = []
    for place in places:
        at = place % (len(made) + 1)
        before, after = (made[at - 1] if at else None), (made[at] if at < len(made) else None)
        position = between(before, after)
        assert position == library.generate_key_between(before, after)
        made.insert(at, position)
    assert made == sorted(set(made))


@given(st.none() | positions(), st.none() | positions(), st.integers(min_value=0, max_value=70))
@example("A" + "0" * 25 + "1", None, 3)
@example(None, "A" + "0" * 26 + "1", 3)
@example("z" * 27, None, 3)
@example("Zz", "a0", 9)
def test_between_any_two_as_the_library_does(one: str | None, other: str | None, count: int) -> None:
    if one is not None and other is not None and one > other:
        one, other = other, one
    try:
        expected = library.generate_n_keys_between(one, other, count)
    except library.FIError:
        with pytest.raises(ValueError, match=r"position|before"):
            spread(count, one, other)
        return
    made = spread(count, one, other)
    assert made == expected
    ordered = [*([one] if one is not None else []), *made, *([other] if other is not None else [])]
    assert not count or ordered == sorted(set(ordered))


@pytest.mark.parametrize("wrong", ["", "a", "a00", "A" + "0" * 26, "b0", "0", "a-", "é0"])
def test_what_is_no_position_is_refused(wrong: str) -> None:
    with pytest.raises(ValueError, match="position"):
        between(wrong, None)
    with pytest.raises(ValueError, match="position"):
        between(None, wrong)


def test_positions_stay_short() -> None:
    after = between(None, None)
    for _ in range(20_000):
        after = between(None, after)
    assert len(after) <= 5
    low, high = "a0", "a1"
    for _ in range(600):
        high = between(low, high)
    assert len(high) <= 130
