"""Positions among siblings: short strings that sort as the entries do, with room between any two of them."""

from __future__ import annotations

from fractional_indexing import generate_key_between, generate_n_keys_between


def between(before: str | None, after: str | None) -> str:
    """A position that sorts behind `before` (None = the start) and ahead of `after` (None = the end)."""
    made: str = generate_key_between(before, after)
    return made


def spread(count: int, before: str | None = None, after: str | None = None) -> list[str]:
    """`count` positions in order between the two."""
    made: list[str] = generate_n_keys_between(before, after, count)
    return made
