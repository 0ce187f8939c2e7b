"""What a merge works on and what it finds: the changes of two sides, and conflicts."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Generic, TypeVar

import msgspec

from octavo.content.revision import File, Page, Reusable

E = TypeVar("E", Page, File, Reusable)


class Conflict(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Something that both sides changed and that somebody has to look at."""

    kind: str
    """page, file, reusable-content; space for what belongs to none of them."""
    reason: str
    """edited: both changed `fields`; deleted: one removed what the other changed, it stays; parent: what it stood below
    is gone, it moved up; cycle: each of two pages was moved below the other; depth: it came to stand too deep, it went
    to the top; slug: two pages took one address; marked: the text still holds both sides of an earlier conflict."""
    id: str = ""
    title: str = ""
    fields: list[str] = []


@dataclass
class Sides(Generic[E]):
    """What each side changed of one kind of entries: id -> (before, after)."""

    ours: dict[str, tuple[E | None, E | None]]
    """Primary content's side."""
    theirs: dict[str, tuple[E | None, E | None]]
    changed: dict[str, E | None] = field(default_factory=dict)
    """What has to change in `ours` to become the merge."""

    @property
    def both(self) -> list[str]:
        """Ids that both sides changed, in order."""
        return sorted(self.ours.keys() & self.theirs.keys())

    @property
    def alone(self) -> dict[str, E | None]:
        """What only the other side changed, as that has it."""
        return {key: after for key, (_, after) in self.theirs.items() if key not in self.ours}

    def merged(self, key: str) -> E | None:
        """An entry that a side changed, as the merge has it."""
        return self.changed[key] if key in self.changed else self.ours[key][1]
