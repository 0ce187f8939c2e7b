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


def named_by(entry: Page | Reusable) -> set[str]:
    """Ids of what an entry names itself."""
    return {*(_named(entry) if isinstance(entry, Page) else _refs(entry.links.values()))}


def names_in(value: Any) -> set[str]:
    """The same of a document or a part of one, wherever in it the references stand."""
    found: set[str] = set()
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict):
            found.update(_refs((one,)))
            waiting += one.values()
        elif isinstance(one, list):
            waiting += one
    return found


def includes(page: Page, reusables: Mapping[str, Reusable], reusable: str) -> bool:
    """Whether a page names a reusable content, be it by way of others."""
    return reusable in reached((page,), reusables)


def _named(page: Page) -> Iterator[str]:
    yield from _refs(page.links.values())
    yield from _refs(page.cover.values() if page.cover else ())


def _refs(values: Iterable[Any]) -> Iterator[str]:
    for ref in values:
        held = _HELD.get(str(ref.get("kind"))) if isinstance(ref, dict) else None
        if held is not None and isinstance(ref.get(held), str):
            yield ref[held]
