"""Primary content and two change requests, written, updated and merged at random beside a naive model (see `walking`)."""

from __future__ import annotations

import pytest

from tests.content.merging.walking import STEPS, Walk
from tests.profiles import DEEP

SIZES = (3, 10, 30, 80)
"""Pages that a world begins with: fewer meet more often, more are several objects of a trie."""
WORLDS, LONG = (60, 10_000) if DEEP else (len(SIZES), 1_375)
"""Worlds, and steps in each."""

OFTEN = dict.fromkeys(STEPS, 25) | {
    "merge with conflicts": 15,
    "update with conflicts": 25,
    "refused": 25,
    "conflict: edited": 10,
    "conflict: deleted": 25,
    "conflict: parent": 10,
    "conflict: slug": 5,
    "conflict: edited of texts": 1,
}
"""What has to happen in a world, and how often at least; a third of that in the shorter ones of each day."""


@pytest.mark.parametrize("seed", range(WORLDS))
def test_content_is_what_the_model_says(seed: int) -> None:
    walk = Walk(seed, SIZES[seed % len(SIZES)])
    for number in range(LONG):
        try:
            walk.step()
        except AssertionError as error:
            raise AssertionError(f"step {number} of seed {seed}") from error
    rare = {
        what: walk.counts[what] for what, least in OFTEN.items() if walk.counts[what] < (least if DEEP else least // 3)
    }
    assert not rare
