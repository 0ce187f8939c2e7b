"""Merging of values: what one side changed is taken, what both changed alike too; else primary's stands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

T = TypeVar("T")
_ABSENT: Any = object()


def three(base: T, ours: T, theirs: T) -> tuple[T, bool]:
    """(the merged value, whether it is clear); where both sides changed it to something else, `ours` stands."""
    if ours == theirs or theirs == base:
        return ours, True
    return (theirs, True) if ours == base else (ours, False)


def merge_mappings(
    base: Mapping[str, Any], ours: Mapping[str, Any], theirs: Mapping[str, Any]
) -> tuple[dict[str, Any], list[str]]:
    """The merged mapping, key by key, and the keys that both sides changed differently; the order is that of `ours`."""
    made: dict[str, Any] = {}
    conflicts: list[str] = []
    for key in dict.fromkeys((*ours, *theirs)):
        sides = [side.get(key, _ABSENT) for side in (base, ours, theirs)]
        value, clear = three(*sides)
        if not clear and _ABSENT in sides[1:]:
            # Changed on one side, removed on the other: what was written stays.
            value = next(side for side in sides[1:] if side is not _ABSENT)
        if not clear:
            conflicts.append(key)
        if value is not _ABSENT:
            made[key] = value
    return made, conflicts
