"""Places of pages after a merge: parents that exist, no page below itself, one address each, everyone's order kept.

Rules, in this order:

* A page below one that the other side deleted moves up to the nearest page above that is still there.
* Where two moves put pages below each other, the other side's moves are taken back.
* What would come to stand deeper than pages may goes to the top, with what is below it.
* Of two pages with one address primary's keeps it; the other gets the next free one, `-2`, `-3`, ….
* Entries that both sides put at one place stand there together, primary's first, each side's in its own order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Set
from typing import TypeAlias

import msgspec

from octavo.content import trie
from octavo.content.above import climb, levels
from octavo.content.merge.model import Conflict, Sides
from octavo.content.ordering import spread
from octavo.content.revision import DEEPEST, Digest, Page
from octavo.content.trie import Steps

replace = msgspec.structs.replace
_decode = msgspec.msgpack.Decoder(Page).decode
_UNTOUCHED = object()


class _Parent(msgspec.Struct):
    """What alone is read of most pages where all of them are looked through."""

    parent: str | None = None


_parent = msgspec.msgpack.Decoder(_Parent).decode


Beside: TypeAlias = Callable[[Set[str | None]], Steps[list[Page]]]
"""Finds primary's pages whose `parent` is one of these, also those that no table of contents lists."""


def settle(
    root: Digest | None, pages: Sides[Page], conflicts: list[Conflict], beside: Beside | None = None
) -> Steps[None]:
    """Mend the places of `pages.changed`; `root` is the trie of primary's pages, which is gone through as a whole where
    pages are put at one place and nobody can tell sooner what is `beside` them."""
    if not any(_is_placed_anew(*pair) for side in (pages.ours, pages.theirs) for pair in side.values()):
        return
    merged = {key: pages.merged(key) for key in (*pages.ours, *pages.theirs)}
    known = _Known(dict(merged))
    beside = beside or _searched(root)
    moved_up, looped = yield from _settle_parents(root, known, pages)
    lifted = yield from _lift(root, known, pages, beside)
    touched = [page for key in sorted(known.touched) if (page := known.pages[key]) is not None]
    if _twice(touched, _address) or _twice(touched, _place) or any(_is_mixed(pages, page) for page in touched):
        known.complete((yield from beside(known.parents)))
        renamed = _rename(known, pages)
        _reorder(known, pages)
    else:
        renamed = set()
    for reason, keys in (("parent", moved_up), ("cycle", looped), ("depth", lifted), ("slug", renamed)):
        conflicts += [_conflict(known, key, reason) for key in sorted(keys)]
    pages.changed |= {key: known.pages[key] for key in known.touched if known.pages[key] != merged.get(key, _UNTOUCHED)}


def _settle_parents(root: Digest | None, known: _Known, pages: Sides[Page]) -> Steps[tuple[set[str], set[str]]]:
    """Give every page a parent that exists and is not below it; those that moved up, and those of loops."""
    yield from climb(root, known.pages)
    moved_up: set[str] = set()
    looped: set[str] = set()
    while True:
        orphans = {key for key in known.touched if _reattach(known, pages, key)}
        yield from climb(root, known.pages)
        loops = _untie(known, pages, looped)
        # Where a page is taken back to, its parent may be gone, or another loop begin.
        yield from climb(root, known.pages)
        moved_up |= orphans
        looped |= loops
        if not orphans and not loops:
            return moved_up, looped


def _searched(root: Digest | None) -> Beside:
    """Finds pages by their parents in the whole of the trie, which is read the first time."""
    found: dict[str | None, list[bytes]] = {}

    def beside(parents: Set[str | None]) -> Steps[list[Page]]:
        if not found:
            everything = yield from trie.items(root)
            for data in everything.values():
                found.setdefault(_parent(data).parent, []).append(data)
        return [_decode(data) for parent in parents for data in found.get(parent, ())]

    return beside


class _Known:
    """Pages as the merge has them, as far as they were needed; None is one that is gone."""

    def __init__(self, touched: dict[str, Page | None]) -> None:
        self.touched = set(touched)
        """What a side changed."""
        self.pages = touched

    @property
    def parents(self) -> set[str | None]:
        """What stands above the pages that a side changed."""
        return {page.parent for key in self.touched if (page := self.pages[key]) is not None}

    def complete(self, beside: Iterable[Page]) -> None:
        """Learn of all pages beside those that a side changed."""
        self.pages = {**{page.id: page for page in beside}, **self.pages}

    def families(self, parents: Set[str | None]) -> dict[str | None, list[Page]]:
        """The listed pages below each of these, in order; all pages are gone through once."""
        found: dict[str | None, list[Page]] = {parent: [] for parent in parents}
        for page in self.pages.values():
            if page is not None and page.listed and page.parent in found:
                found[page.parent].append(page)
        for siblings in found.values():
            siblings.sort(key=lambda page: (page.position, page.id))
        return found


def _conflict(known: _Known, key: str, reason: str) -> Conflict:
    page = known.pages[key]
    return Conflict(kind="page", reason=reason, id=key, title=page.title if page else "")


def _reattach(known: _Known, pages: Sides[Page], key: str) -> bool:
    """Move a page up whose parent a side deleted; False where there is nothing to do."""
    page = known.pages[key]
    parent = page.parent if page else None
    seen: set[str] = set()
    while parent is not None and parent not in seen and known.pages.get(parent) is None and _was(pages, parent):
        seen.add(parent)
        gone = _was(pages, parent)
        parent = gone.parent if gone else None
    if page is None or parent == page.parent:
        return False
    known.pages[key] = replace(page, parent=None if parent in seen else parent)
    return True


def _was(pages: Sides[Page], key: str) -> Page | None:
    """A page that is gone, as it was."""
    for side in (pages.ours, pages.theirs):
        if key in side:
            return side[key][0]
    return None


def _untie(known: _Known, pages: Sides[Page], before: Set[str]) -> set[str]:
    """Take back the other side's moves that put pages below themselves; the pages that this was about.

    A page that is below itself again, after those `before` were taken back, goes to the top.
    """
    looped: set[str] = set()
    for key in sorted(known.touched):
        loop = _loop(known, key)
        looped.update(loop)
        moved = [(page, mine) for page, mine in _moves(known, pages, loop) if page.id not in before]
        for page, mine in moved:
            known.pages[page.id] = replace(page, parent=mine.parent, position=mine.position)
        left = known.pages[key]
        if loop and not moved and left is not None:
            known.pages[key] = replace(left, parent=None)
    return looped


def _moves(known: _Known, pages: Sides[Page], keys: Iterable[str]) -> Iterator[tuple[Page, Page]]:
    """(a page, the same as primary has it) for those that the other side put below another one."""
    for key in keys:
        page = known.pages[key]
        mine = _ours(pages, page) if page else None
        if page is not None and mine is not None and mine.parent != page.parent:
            yield page, mine


def _loop(known: _Known, key: str) -> list[str]:
    """The pages from one upwards to itself; empty where the way up ends."""
    chain: list[str] = []
    at: str | None = key
    while at is not None and (page := known.pages.get(at)) is not None:
        if at in chain:
            return chain if at == key else []
        chain.append(at)
        at = page.parent
    return []


def _lift(root: Digest | None, known: _Known, pages: Sides[Page], beside: Beside) -> Steps[set[str]]:
    """Put pages to the top that came to stand, or whose children did, deeper than DEEPEST: each side alone was not as deep.

    A page takes along what stands below it in primary content; it is looked for where the page went deeper than it was.
    """
    before: dict[str, Page | None] = {}
    moved: set[str] = set()
    for key in known.touched:
        page = known.pages[key]
        if page is not None and page.listed:
            mine = _ours(pages, page)
            if mine is None or (mine.listed, mine.parent) != (True, page.parent):
                moved.add(key)
                before[key] = mine
    yield from climb(root, before)
    now, was = levels(known.pages, moved), levels(before, moved)
    yield from _complete_below(known, {key for key in moved if before[key] and now[key] > was.get(key, 0)}, beside)
    lifted: set[str] = set()
    while deep := set(_too_deep(known, moved)):
        lifted |= deep
        known.pages |= {key: replace(page, parent=None) for key in deep if (page := known.pages[key]) is not None}
    return lifted


def _complete_below(known: _Known, above: set[str], beside: Beside) -> Steps[None]:
    """Learn of all that primary content has below some pages."""
    seen = set(above)
    while above:
        below = yield from beside(frozenset(above))
        known.pages = {**{page.id: page for page in below}, **known.pages}
        above = {page.id for page in below} - seen
        seen |= above


def _too_deep(known: _Known, moved: Set[str]) -> Iterator[str]:
    """Of the pages that moved those with which others went one level too deep; what is below these follows."""
    depths = levels(known.pages, [key for key, page in known.pages.items() if page is not None])
    for key, depth in depths.items():
        if depth == DEEPEST + 1:
            at: str | None = key
            while at is not None and at not in moved and (page := known.pages.get(at)) is not None:
                at = page.parent
            # What stood as deep before stays: nothing that moved is to blame.
            if at in moved and at is not None and depths[at] > 1:
                yield at


def _ours(pages: Sides[Page], page: Page) -> Page | None:
    """The page as primary content has it; one that no side changed is the same everywhere."""
    if page.id in pages.ours:
        return pages.ours[page.id][1]
    return pages.theirs[page.id][0] if page.id in pages.theirs else page


def _theirs(pages: Sides[Page], page: Page) -> Page | None:
    """The page as the other side has it; None also where only primary changed it."""
    return pages.theirs[page.id][1] if page.id in pages.theirs else None


def _address(page: Page) -> tuple[object, ...] | None:
    if page.type not in ("document", "group", "computed"):
        return None
    return (page.listed, page.parent if page.listed else None, page.slug.lower())


def _place(page: Page) -> tuple[object, ...] | None:
    return (page.parent, page.position) if page.listed else None


def _twice(pages: Iterable[Page], of: Callable[[Page], tuple[object, ...] | None]) -> bool:
    found = [value for page in pages if (value := of(page)) is not None]
    return len(found) > len(set(found))


def _rename(known: _Known, pages: Sides[Page]) -> set[str]:
    """Give the other side's pages addresses of their own where they have one that is taken; their ids."""
    everyone = [page for page in known.pages.values() if page is not None]
    fresh = sorted((page for page in everyone if page.id in known.touched and _is_new(pages, page)), key=_id)
    news = {page.id for page in fresh}
    taken = {_address(page) for page in everyone if page.id not in news}
    renamed: set[str] = set()
    for page in fresh:
        made, number = page, 1
        while _address(made) is not None and _address(made) in taken:
            number += 1
            made = replace(page, slug=f"{page.slug}-{number}")
        taken.add(_address(made))
        if made is not page:
            known.pages[page.id] = made
            renamed.add(page.id)
    return renamed


def _id(page: Page) -> str:
    return page.id


def _is_new(pages: Sides[Page], page: Page) -> bool:
    """Whether a page has its address from the other side, or from the merge."""
    mine = _ours(pages, page)
    return mine is None or _address(mine) != _address(page)


def _reorder(known: _Known, pages: Sides[Page]) -> None:
    """Where places are taken twice, put the other side's entries behind primary's of the same place."""
    parents = {page.parent for key in known.touched if (page := known.pages[key]) is not None and page.listed}
    families = known.families(parents)
    for parent in sorted(parents, key=str):
        siblings = families[parent]
        if len({page.position for page in siblings}) == len(siblings):
            continue
        moved = {page.id for page in siblings if _moved(_ours(pages, page), page)}
        fresh = {page.id for page in siblings if _is_fresh(pages, page)} - moved
        order = _together(siblings, moved, fresh)
        for page, position in zip(order, _positions(order)):
            if position != page.position:
                known.pages[page.id] = replace(page, position=position)
                known.touched.add(page.id)


def _is_mixed(pages: Sides[Page], page: Page) -> bool:
    """Whether a page has an address or a place that it has on neither side: pages that nobody changed may have it."""
    sides = [one for one in (_ours(pages, page), _theirs(pages, page)) if one is not None]
    return any(all(of(side) != of(page) for side in sides) for of in (_address, _place))


def _is_placed_anew(before: Page | None, after: Page | None) -> bool:
    if before is None or after is None:
        return before is not after
    return _place(before) != _place(after) or _address(before) != _address(after)


def _moved(before: Page | None, page: Page) -> bool:
    return before is None or _place(before) != _place(page)


def _is_fresh(pages: Sides[Page], page: Page) -> bool:
    """Whether primary put a page where the other side does not have it."""
    return page.id in pages.ours and _moved(pages.ours[page.id][0], page) and _moved(_theirs(pages, page), page)


def _together(siblings: list[Page], moved: set[str], fresh: set[str]) -> list[Page]:
    """Siblings with each entry of `moved` behind the one that it followed on its own side, and behind those of `fresh`,
    primary's own new ones, that follow the same entry."""
    order = [page for page in siblings if page.id not in moved]
    previous: Page | None = None
    for page in siblings:
        if page.id in moved:
            at = 0 if previous is None else order.index(previous) + 1
            while (previous is None or previous.id not in moved) and at < len(order) and order[at].id in fresh:
                at += 1
            order.insert(at, page)
        if page.id in moved or page.id not in fresh:
            previous = page
    return order


def _positions(order: list[Page]) -> list[str]:
    """Positions for entries in this order; those that sort already keep theirs."""
    made: list[str] = []
    for at, page in enumerate(order):
        before = made[-1] if made else None
        if before is None or page.position > before:
            made.append(page.position)
            continue
        after = next((one.position for one in order[at + 1 :] if one.position > before), None)
        made.append(spread(1, before, after)[0])
    return made
