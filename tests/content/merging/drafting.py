"""A small space to write into, in memory."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from octavo.content.document import Node
from octavo.content.draft import Base, Change
from octavo.content.draft.draft import Draft
from octavo.content.revision import File, Page, Reusable
from tests.content.merging.helpers import Memory, misplaced, order

NOW = 7
PICTURE = File(id="picture", name="a.png", content_type="image/png", size=1, blob="00")


class Space:
    """Pages by id, as batches of changes leave them."""

    def __init__(self, *pages: Page, memory: Memory | None = None) -> None:
        self.memory = memory or Memory()
        self.pages = {page.id: page for page in pages}
        self.files = {PICTURE.id: PICTURE}
        self.reusables: dict[str, Reusable] = {}
        self.others: dict[str, Mapping[str, Page]] = {}
        """Revisions to revert to."""
        self._made = 0

    def write(self, *changes: Change) -> Draft:
        """Apply changes, all or none; what they made is there from then on, and sound."""
        sound = not misplaced(self.pages.values())
        base = Base(self.pages, self.files, self.reusables, self.memory.objects, self.others)
        draft = Draft(base, self._new_id, NOW)
        for apply in (draft.announce, draft.apply):
            for number, change in enumerate(changes):
                apply(number, change)
        self.memory.objects |= draft.objects
        changed = {**self.pages, **draft.pages}
        self.pages = {key: page for key, page in changed.items() if page is not None}
        self.files = {**self.files, **draft.files}
        touched = [page for page in draft.pages.values() if page is not None]
        root = self.memory.root(
            msgspec.structs.replace(page, parent=None, position=str(n), slug=str(n), listed=False)
            for n, page in enumerate(touched)
        )
        assert not self.memory.problems(root)
        assert not sound or not misplaced(self.pages.values())
        return draft

    def _new_id(self) -> str:
        self._made += 1
        return f"new{self._made}"

    def text(self, page: str) -> str:
        return self.memory.text(self.pages[page])

    def document(self, page: str) -> Node:
        named = self.pages[page].document
        made: dict[str, Any] = msgspec.json.decode(self.memory.objects[named]) if named else {"nodes": []}
        return made

    def keys(self, page: str) -> list[str]:
        """Keys of the blocks at the top."""
        return [node["key"] for node in self.document(page)["nodes"]]

    def below(self, parent: str | None = None) -> list[str]:
        return order(self.pages.values(), parent)

    def keep(self, revision: str) -> None:
        """Remember the pages as those of a revision."""
        self.others[revision] = dict(self.pages)
