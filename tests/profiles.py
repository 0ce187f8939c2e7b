"""How much a run looks at: what a change waits for, the long profile of `make deep`, and that of mutants."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, TypeVar

from hypothesis import Phase, settings

_PROFILE = os.environ.get("OCTAVO_TEST_PROFILE")
DEEP = _PROFILE == "deep"
T = TypeVar("T")
MANY = 2_000
"""Examples of a law in the long profile."""

# The same examples each day: a change is judged by what it changes, new examples are looked for in the long profile.
settings.register_profile("daily", database=None, deadline=None, derandomize=True)
settings.register_profile("deep", max_examples=MANY, deadline=None)
# A mutant dies of the first example that tells it apart; which is the smallest one is nobody's question.
settings.register_profile(
    "mutants", database=None, deadline=None, derandomize=True, phases=(Phase.explicit, Phase.generate)
)
settings.load_profile(_PROFILE or "daily")


def law(examples: int, *, deep: int = MANY, **more: Any) -> settings:
    """Settings of a law that is shown so many examples each day; `deep` says how many in the long profile."""
    return settings(deadline=None, max_examples=deep if DEEP else examples, **more)


def some(items: Sequence[T], each: int) -> Sequence[T]:
    """Every so manieth of them each day, in the long profile all."""
    return items if DEEP else items[::each]
