"""What the lines of a space call the files of its repository: what came by a branch first is the same page when the branch of
the space brings it, and the other way round."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import chain
from typing import TypeVar

import msgspec

from octavo.content import trie
from octavo.content.layout.identity import Beside
from octavo.content.revision import Digest, File, Page, Reusable, Root
from octavo.content.trie import Steps
from octavo.history.contents import Contents, walk
from octavo.kernel import limits
from octavo.kernel.records import Json
from octavo.kernel.records.content import Revision
from octavo.kernel.records.git import GitBranch
from octavo.store.unit import Unit

E = TypeVar("E", Page, File, Reusable)

_Pair = tuple[str, str]
"""A revision, and one of a line that went on from it."""
_root = msgspec.msgpack.Decoder(Root).decode


async def beside(unit: Unit, payload: Json, known: Revision, contents: Contents) -> Beside:
    """What primary content and the change requests of branches have where a revision has nothing; nothing where the payload
    is about another place than that which the space follows."""
    connection = await unit.git.connection(known.space)
    if connection is None or connection.previews is None:
        return Beside()
    if (connection.url, connection.directory) != (payload.get("url"), payload.get("directory") or ""):
        return Beside()
    pairs = [*await _primary(unit, known), *_of_branches(await unit.git.branches(known.space, limits.GIT_BRANCHES * 2))]
    found = {one.id: one.root for one in await unit.revisions.by_ids(chain.from_iterable(pairs))}
    roots = dict.fromkeys((found[old], found[new]) for old, new in pairs if old in found and new in found)
    differing = (_came(old, new) for old, new in roots if old != new)
    came = await walk(unit, known.organization, trie.together(differing))
    return Beside(
        _first((one for pages, _, _ in came for one in pages), contents.pages),
        _first((one for _, files, _ in came for one in files), contents.files),
        _first((one for _, _, reusables in came for one in reusables), contents.reusables),
    )


async def _primary(unit: Unit, known: Revision) -> list[_Pair]:
    """What primary content has beyond the revision, and what Git is about to hold of it."""
    space, base = await unit.spaces.get(known.space), await unit.git.base(known.space)
    if space is None or base is None or not base.revision:
        return []
    further = (base.pushed_revision, base.held_revision, space.revision)
    return [(known.id, base.revision), *((base.revision, one) for one in further if one)]


def _of_branches(branches: Iterable[GitBranch]) -> list[_Pair]:
    """What branches have beyond what they began from: open ones first, of the others the newest."""
    ordered = sorted(branches, key=lambda one: one.state != "open")
    return [
        (one.base_revision, held)
        for one in ordered
        for held in (one.pushed_revision, one.revision)
        if held and one.base_revision
    ]


def _came(old: Digest, new: Digest) -> Steps[tuple[list[Page], list[File], list[Reusable]]]:
    """What the second root has at places where the first has nothing, or something else."""
    found = yield frozenset((old, new))
    before, after = _root(found[old]), _root(found[new])
    pages, files, reusables = yield from trie.together(
        trie.diff(was, now)
        for was, now in (
            (before.pages, after.pages),
            (before.files, after.files),
            (before.reusables, after.reusables),
        )
    )
    return _moved(pages, Page), _moved(files, File), _moved(reusables, Reusable)


def _moved(differing: Mapping[str, tuple[bytes | None, bytes | None]], kind: type[E]) -> list[E]:
    decode = msgspec.msgpack.Decoder(kind).decode
    made = ((None if was is None else decode(was), decode(now)) for was, now in differing.values() if now is not None)
    return [now for was, now in made if was is None or was.path != now.path]


def _first(entries: Iterable[E], known: Mapping[str, E]) -> list[E]:
    """The first entry at each path where nothing is known to lie; of those without a path each once."""
    taken = {one.path for one in known.values() if one.path}
    made: list[E] = []
    for entry in entries:
        place = entry.path or entry.id
        if place not in taken and not (entry.path is None and entry.id in known):
            taken.add(place)
            made.append(entry)
    return made
