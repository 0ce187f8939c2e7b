"""Which files and reusable contents entries name, in their texts and beside them, without reading any text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from octavo.content.revision import Page, Reusable

_HELD = {"file": "file", "reusable-content": "reusableContent"}


def reached(pages: Iterable[Page], reusables: Mapping[str, Reusable]) -> set[str]:
    """Ids of what the pages name, and of what reusable contents name that they include."""
    waiting = [name for page in pages for name in _named(page)]
    found: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            if name in reusables:
                waiting += _refs(reusables[name].links.values())
    return found


def includes(page: Page, reusables: Mapping[str, Reusable], reusable: str) -> bool:
    """Whether a page names a reusable content, be it by way of others."""
    return reusable in reached((page,), reusables)


def _named(page: Page) -> Iterator[str]:
    yield from _refs(page.links.values())
    yield from _refs(page.cover.values() if page.cover else ())


def _refs(values: Iterable[Any]) -> Iterator[str]:
    for ref in values:
        held = _HELD.get(ref.get("kind", "")) if isinstance(ref, dict) else None
        if held is not None and isinstance(ref.get(held), str):
            yield ref[held]
