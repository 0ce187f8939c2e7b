"""Which files a visitor is not told of: those that stand only in parts of pages that are not for her."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any, NamedTuple

from octavo.content.document import Node
from octavo.content.naming import named_by, names_in, reached
from octavo.content.reading import evaluated, reads_of
from octavo.content.revision import Page, Reusable
from octavo.history.contents import Contents, opened
from octavo.site.visitor import Visitor
from octavo.store.kept import Kind
from octavo.store.unit import Unit


class _Divided(NamedTuple):
    """Pages and reusable contents with parts that are not for everybody, and what decides about these."""

    entries: frozenset[str] = frozenset()
    reads: frozenset[str] = frozenset()


_DIVIDED: Kind[_Divided] = Kind("texts with conditions", lambda one: 300 + 80 * (len(one.entries) + len(one.reads)))
_HIDDEN: Kind[frozenset[str]] = Kind("files that somebody does not see", lambda ids: 300 + 80 * len(ids))


async def hidden_files(unit: Unit, contents: Contents, visitor: Visitor) -> Collection[str]:
    """Ids of the files that pages name, and none of them in a part that the visitor reads; `contents` are as she sees them.

    Texts are read once for those of whom the same is known, and of these texts the ones that have a condition at all.
    """
    divided = contents.derived.get(_DIVIDED)
    hidden = None if divided is None else _known(contents, divided, visitor)
    return decided(contents, visitor, await deciding(unit, contents)) if hidden is None else hidden


async def undecided(unit: Unit, contents: Contents, visitor: Visitor) -> Mapping[str, bytes] | None:
    """The texts on which that still hangs; None where it is known."""
    divided = contents.derived.get(_DIVIDED)
    known = divided is not None and _known(contents, divided, visitor) is not None
    return None if known else await deciding(unit, contents)


async def deciding(unit: Unit, contents: Contents) -> Mapping[str, bytes]:
    """All texts that name something and have a condition, in one query."""
    divided = contents.derived.get(_DIVIDED)
    wanted = _with_files(contents) if divided is None else divided.entries
    digests = {one.id: one.document for one in _entries(contents) if one.id in wanted and one.document is not None}
    found = await unit.objects.get(contents.organization, set(digests.values())) if digests else {}
    return {key: found[one] for key, one in digests.items() if one in found and b'"if"' in found[one]}


def decided(contents: Contents, visitor: Visitor, texts: Mapping[str, bytes]) -> Collection[str]:
    """The files, by all texts of `deciding`, in whichever thread: opening many takes its time."""
    divided, documents = contents.derived.get(_DIVIDED), opened(texts)
    if divided is None:
        reads = frozenset[str]().union(*map(reads_of, documents.values()))
        divided = contents.derived.put(_DIVIDED, _Divided(frozenset(documents), reads))
    hidden = _known(contents, divided, visitor)
    if hidden is None:
        named = reached(contents.pages.values(), contents.reusables) & contents.files.keys()
        found = frozenset(named - _shown(contents, documents, visitor))
        hidden = contents.derived.put(_HIDDEN, found, visitor.known(divided.reads))
    return hidden


def _known(contents: Contents, divided: _Divided, visitor: Visitor) -> Collection[str] | None:
    return contents.derived.get(_HIDDEN, visitor.known(divided.reads)) if divided.entries else ()


def _with_files(contents: Contents) -> set[str]:
    """Pages and reusable contents that name a file, or a reusable content, which may."""
    return {entry.id for entry in _entries(contents) if named_by(entry)}


def _entries(contents: Contents) -> Iterator[Page | Reusable]:
    yield from contents.pages.values()
    yield from contents.reusables.values()


def _shown(contents: Contents, documents: Mapping[str, Node], visitor: Visitor) -> set[str]:
    """What pages name where the visitor reads it, be it by way of reusable contents."""
    found: set[str] = set()
    for page in contents.pages.values():
        scope = visitor.scope(contents.root.variables, page.variables)
        waiting: list[Page | Reusable] = [page]
        met: set[str] = set()
        while waiting:
            inside = _read(waiting.pop(), documents, scope) - met
            met |= inside
            waiting += [contents.reusables[one] for one in inside if one in contents.reusables]
        found |= met
    return found


def _read(entry: Page | Reusable, documents: Mapping[str, Node], scope: Mapping[str, Any]) -> set[str]:
    document = documents.get(entry.id)
    if document is None:
        return named_by(entry)
    cover = entry.cover if isinstance(entry, Page) else None
    return names_in(evaluated(document, scope, expressions=True)) | names_in(cover)
