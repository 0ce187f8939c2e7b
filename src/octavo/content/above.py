"""What stands above pages, read step by step, and the paths that follow from it: the rest of the tree is not needed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec

from octavo.content import trie
from octavo.content.revision import Digest, Page
from octavo.content.trie import Steps

_decode = msgspec.msgpack.Decoder(Page).decode


def climb(root: Digest | None, known: dict[str, Page | None]) -> Steps[None]:
    """Add to `known` every page above those that are in it; None is one that does not exist."""
    while wanted := {page.parent for page in known.values() if page and page.parent} - known.keys():
        found = yield from trie.get(root, sorted(wanted))
        known |= dict.fromkeys(wanted)
        known |= {key: _decode(data) for key, data in found.items()}


def path(page: Page, known: Mapping[str, Page | None]) -> str:
    """The path as `revision.tree` makes it: below a parent that is absent or not listed, a page stands at the top."""
    slugs = [page.slug]
    seen = {page.id}
    above = known.get(page.parent or "") if page.listed else None
    while above is not None and above.listed and above.id not in seen:
        seen.add(above.id)
        slugs.append(above.slug)
        above = known.get(above.parent or "")
    return "/".join(reversed(slugs))


def levels(known: Mapping[str, Page | None], keys: Iterable[str]) -> dict[str, int]:
    """How deep pages stand, and those above them, as `revision.tree` has them; 1 is the top."""
    found: dict[str, int] = {}
    for key in keys:
        chain: list[str] = []
        at: str | None = key
        while at is not None and at not in found and at not in chain:
            page = known.get(at)
            if page is None or not page.listed:
                break
            chain.append(at)
            at = page.parent
        top = found.get(at or "", 0)
        for depth, one in enumerate(reversed(chain), top + 1):
            found[one] = depth
    return found
