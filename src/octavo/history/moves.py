"""Old addresses: where pages stood before they moved, kept with the revision so that links to them go on working.

One entry holds for everything below the page too: the rest of an address is looked up where the page is now. So moving
a group of a thousand pages writes one entry.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

import msgspec

from octavo.content import trie
from octavo.content.above import climb
from octavo.content.above import path as path_of
from octavo.content.revision import Branch, Digest, Page, Root
from octavo.content.trie import Objects, Steps
from octavo.history.contents import Contents, walk
from octavo.store.unit import Unit

HOPS = 8
"""Moves that one address is followed through."""
_encode = msgspec.msgpack.Encoder(order="deterministic").encode
_ROOT = msgspec.msgpack.Decoder(Root)
_PAGE = msgspec.msgpack.Decoder(Page)
Changed: TypeAlias = Mapping[str, tuple[bytes | None, bytes | None]]
"""Page id -> its entry in one revision and in another, of pages that differ."""


async def with_old_addresses(
    unit: Unit, organization: str, head: Digest, root: Digest
) -> tuple[Digest, Mapping[Digest, bytes]]:
    """`root`, made to follow `head`: with the old addresses of that, and those of pages that moved between the two.

    Returns its digest and the objects to store; both revisions' entries are in the store already.
    """
    return await walk(unit, organization, following(head, root))


def following(head: Digest, root: Digest) -> Steps[tuple[Digest, Objects]]:
    """The same as steps of an algorithm."""
    found = yield frozenset((head, root))
    old, new = _ROOT.decode(found[head]), _ROOT.decode(found[root])
    changed = yield from trie.diff(old.pages, new.pages)
    made, objects = yield from addressed(old, new, changed)
    if made.moved == new.moved:
        return root, objects
    data = _encode(made)
    named = trie.digest(data)
    return named, {**objects, named: data}


def addressed(old: Root, new: Root, changed: Changed) -> Steps[tuple[Root, Objects]]:
    """`new` with the old addresses of `old`, and those of pages that moved; `changed` are the pages that differ."""
    moved = yield from _moved(old, changed)
    entries, objects = yield from trie.apply(old.moved, moved)
    return msgspec.structs.replace(new, moved=entries), objects


async def follow(unit: Unit, contents: Contents, path: str) -> Branch | None:
    """The page that an address led to before something moved; None where nothing is known of it."""
    path = path.lower()
    for _ in range(HOPS):
        ends = [at for at, letter in enumerate(path) if letter == "/"] + [len(path)]
        known = await walk(unit, contents.organization, trie.get(contents.root.moved, [path[:end] for end in ends]))
        # The longest known beginning is the most particular.
        end = next((end for end in reversed(ends) if path[:end] in known), None)
        branch = None if end is None else contents.by_id.get(known[path[:end]].decode())
        if branch is None:
            return None
        path = (branch.path + path[end:]).lower()
        if (found := contents.by_path.get(path)) is not None:
            return found
    return None


def _moved(old: Root, changed: Changed) -> Steps[dict[str, bytes | None]]:
    """Old path -> id of each page that has another one now, but not of pages that moved with one above them."""
    known: dict[str, Page | None] = {}
    moved: list[Page] = []
    for before, after in changed.values():
        if before is None or after is None:
            continue
        was, now = _PAGE.decode(before), _PAGE.decode(after)
        if was.type in ("document", "group") and _place(was) != _place(now):
            moved.append(was)
            known[was.id] = was
    yield from climb(old.pages, known)
    return {path_of(page, known).lower(): page.id.encode() for page in moved}


def _place(page: Page) -> tuple[bool, str | None, str]:
    return page.listed, page.parent, page.slug
