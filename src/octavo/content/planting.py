"""A tree of pages brought up to date: only what changed, and what stands above it, is made anew."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from octavo.content.revision import Branch, Page


class Plot:
    """The tree of one revision becoming that of the next: what changes parents, and what has to be made anew."""

    def __init__(self, old: Mapping[str, Page], new: Mapping[str, Page], by_id: Mapping[str, Branch]) -> None:
        self.old = old
        self.new = new
        self.by_id = by_id
        """Every branch of the tree as it was."""
        self.siblings: dict[str | None, set[str]] = {}
        """Pages that stand anew below a parent or do so no more: their parents have to be gone through."""
        self.renewed: set[str] = set()
        """Pages whose branches are made anew."""

    def move(self, key: str) -> bool:
        """See where a page stood and stands; False where it stands below itself, so that no tree shows it."""
        was, now = self.old.get(key), self.new.get(key)
        if was is not None and was.listed:
            if key not in self.by_id:
                return False
            self._touch(above(was, self.old), key)
        if now is not None and now.listed:
            self._touch(above(now, self.new), key)
            self.renewed.add(key)
            return not self._is_below_itself(now)
        return True

    def _touch(self, parent: str | None, key: str) -> None:
        self.siblings.setdefault(parent, set()).add(key)
        while parent is not None and parent not in self.renewed and is_listed(parent, self.new):
            self.renewed.add(parent)
            parent = above(self.new[parent], self.new)

    def _is_below_itself(self, page: Page) -> bool:
        seen = {page.id}
        parent = above(page, self.new)
        while parent is not None and parent not in seen:
            seen.add(parent)
            parent = above(self.new[parent], self.new)
        return parent is not None

    def grow(self, parent: str | None, prefix: str, siblings: list[Branch], made: dict[str, Branch]) -> list[Branch]:
        """The branches below a page, which were `siblings`; those that are not as they were are put into `made` too."""
        changed = self.siblings.get(parent, frozenset[str]())
        pages = [self.new[branch.page.id] for branch in siblings if branch.page.id not in changed]
        fresh = [
            self.new[key] for key in changed if is_listed(key, self.new) and above(self.new[key], self.new) == parent
        ]
        if fresh:
            pages = sorted((*pages, *fresh), key=lambda page: (page.position, page.id))
        grown: list[Branch] = []
        for page in pages:
            old, path = self.by_id.get(page.id), prefix + page.slug
            if old is None or page.id in self.renewed or old.path != path:
                below = [] if old is None else old.branches
                old = made[page.id] = Branch(page, path, self.grow(page.id, path + "/", below, made))
            grown.append(old)
        return grown


def is_listed(key: str | None, pages: Mapping[str, Page]) -> bool:
    """Whether a page exists and is one of the table of contents."""
    page = pages.get(key) if key is not None else None
    return page is not None and page.listed


def above(page: Page, pages: Mapping[str, Page]) -> str | None:
    """Below what a tree has a listed page: below what is absent or not listed it stands at the top."""
    return page.parent if is_listed(page.parent, pages) else None


def replanted(
    branches: list[Branch],
    by_id: Mapping[str, Branch],
    old: Mapping[str, Page],
    new: Mapping[str, Page],
    changed: Collection[str],
) -> tuple[list[Branch], dict[str, Branch]] | None:
    """The tree of `new` from that of `old`, which differ in the pages `changed`: its top, and the branches made anew.

    `by_id` holds every listed branch of the old tree. None where pages stand below themselves: a tree does not show
    them, so that it has to be grown from all pages.
    """
    plot = Plot(old, new, by_id)
    moved = set(changed)
    for key in changed:
        if is_listed(key, old) and not is_listed(key, new) and key in by_id:
            # What stood below a page that goes stands at the top from now on.
            moved |= {branch.page.id for branch in by_id[key].branches}
    if any(is_listed(key, new) and not is_listed(key, old) for key in changed):
        # And what stood there for want of its parent finds it.
        moved |= {branch.page.id for branch in branches if branch.page.parent in changed}
    if not all(plot.move(key) for key in sorted(moved)):
        return None
    made: dict[str, Branch] = {}
    return plot.grow(None, "", branches, made), made
