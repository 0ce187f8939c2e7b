"""The pages of a draft as a forest: who stands below whom, in order, while pages come, go and move."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterator, Mapping

import msgspec

from octavo.content.draft.changes import Refused
from octavo.content.ordering import spread
from octavo.content.revision import DEEPEST, Page


class Forest:
    """Pages by id over those of a revision; only what changed is copied."""

    def __init__(self, pages: Mapping[str, Page]) -> None:
        self._base = pages
        self.changed: dict[str, Page | None] = {}
        self._below: dict[str | None, list[str]] | None = None

    def get(self, page: str) -> Page | None:
        """The page as it is now."""
        return self.changed[page] if page in self.changed else self._base.get(page)

    def put(self, page: Page) -> None:
        """Add a page or replace it."""
        old = self.get(page.id)
        moved = self._below is not None and (old is None or _place(old) != _place(page))
        if moved and old is not None:
            self._forget(old)
        self.changed[page.id] = page
        if moved and page.listed:
            insort(self._index().setdefault(page.parent, []), page.id, key=self._order)

    def remove(self, page: Page) -> None:
        """Take one page away; what is below it is the caller's."""
        self._forget(page)
        self.changed[page.id] = None

    def siblings(self, parent: str | None) -> list[Page]:
        """The listed pages below one, in order."""
        return [page for key in self._index().get(parent, ()) if (page := self.get(key)) is not None]

    def family(self, page: Page) -> Iterator[Page]:
        """The page and everything below it."""
        yield page
        for child in self.siblings(page.id):
            yield from self.family(child)

    def above(self, page: str | None) -> Iterator[Page]:
        """The page and the pages above it, inside out."""
        seen: set[str] = set()
        while page is not None and page not in seen and (found := self.get(page)) is not None:
            seen.add(page)
            yield found
            page = found.parent

    def path(self, page: Page) -> str:
        """The slugs from the top, joined."""
        if not page.listed:
            return page.slug
        return "/".join([one.slug for one in self.above(page.id)][::-1])

    def at_path(self, path: str) -> Page | None:
        """The document or group at a path, whatever the case of its letters."""
        found: Page | None = None
        for slug in path.lower().split("/"):
            below = self.siblings(None if found is None else found.id)
            named = [page for page in below if page.slug.lower() == slug and page.type in ("document", "group")]
            if not named:
                return None
            found = named[0]
        return found

    def place(self, page: Page, parent: str | None, at: int | None) -> Page:
        """The page as an entry below `parent`, before the sibling that is `at` there; None = at the end.

        Siblings whose positions leave no room between them are given new ones.
        """
        self._check(page, parent)
        siblings = [one for one in self.siblings(parent) if one.id != page.id]
        at = len(siblings) if at is None else min(at, len(siblings))
        before = siblings[at - 1].position if at else None
        end = at
        while end < len(siblings) and before is not None and siblings[end].position <= before:
            end += 1
        after = siblings[end].position if end < len(siblings) else None
        mine, *others = spread(1 + end - at, before, after)
        for sibling, position in zip(siblings[at:end], others):
            # Their order stays, and with it the index.
            self.changed[sibling.id] = msgspec.structs.replace(sibling, position=position)
        return msgspec.structs.replace(page, parent=parent, position=mine, listed=True)

    def _check(self, page: Page, parent: str | None) -> None:
        above = list(self.above(parent))
        if parent is not None and not above:
            raise Refused(f"there is no page {parent!r} to put it below")
        if page.type == "group" and above:
            raise Refused(f"group {page.id!r} can only stand at the top")
        if above and above[0].type not in ("document", "group"):
            raise Refused(f"nothing can stand below {parent!r}: it is a {above[0].type}")
        if any(one.id == page.id for one in above):
            raise Refused(f"page {page.id!r} cannot be moved below itself")
        self.require_depth(page, parent)

    def require_depth(self, page: Page, parent: str | None) -> None:
        """Raises Refused where the page, with all that is below it, would reach too deep below `parent`."""
        if len(list(self.above(parent))) + self._height(page) > DEEPEST:
            raise Refused(f"pages can be nested {DEEPEST} deep at most")

    def _height(self, page: Page) -> int:
        level, height = [page], 0
        while level:
            height += 1
            level = [child for one in level for child in self.siblings(one.id)]
        return height

    def _index(self) -> dict[str | None, list[str]]:
        if self._below is None:
            below: dict[str | None, list[str]] = {}
            everything = {**self._base, **self.changed}
            for page in everything.values():
                if page is not None and page.listed:
                    parent = everything.get(page.parent) if page.parent else None
                    # As in `revision.tree`: below what is absent or not listed, a page stands at the top.
                    below.setdefault(page.parent if parent is not None and parent.listed else None, []).append(page.id)
            self._below = below
            for siblings in below.values():
                siblings.sort(key=self._order)
        return self._below

    def _order(self, key: str) -> tuple[str, str]:
        page = self.get(key)
        return (page.position if page else "", key)

    def _forget(self, page: Page) -> None:
        """Take a page, which is still as it was, out of the index."""
        for siblings in (self._index().get(page.parent, []), self._index().get(None, [])):
            at = bisect_left(siblings, self._order(page.id), key=self._order)
            if siblings[at : at + 1] == [page.id]:
                del siblings[at]


def _place(page: Page) -> tuple[bool, str | None, str]:
    return page.listed, page.parent, page.position
