"""Merging of entries that both sides changed: pages, files and reusable contents, field by field."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from hashlib import blake2b
from itertools import islice
from typing import Any, TypeVar

import msgspec

from octavo.content.layout.config import front_fields
from octavo.content.layout.report import Report
from octavo.content.markdown.reparse import Before, Reread, reparse
from octavo.content.merge.fields import merge_mappings, three
from octavo.content.merge.model import Conflict, E, Sides
from octavo.content.merge.texts import merge_texts
from octavo.content.revision import Digest, File, Page, Reusable
from octavo.content.trie import Objects, Steps, digest

PLACE = frozenset(("parent", "position"))
"""Where a page stands: to move it is no reason to keep what the other side deleted."""
_FOLLOWS = frozenset(("text", "document", "links", "oid", "updated", "created", "title"))
"""Fields that are merged with the text, or follow from it."""
_FROM_FRONT = (
    "description", "icon", "emoji", "condition", "hidden", "no_index", "no_robots_index", "layout", "cover", "tags",
    "variables", "meta_links",
)  # fmt: skip
"""Fields that the front matter sets; see `layout.config.front_fields`."""
_NAMES = {
    "if": "condition", "vars": "variables", "noIndex": "no_index", "noRobotsIndex": "no_robots_index",
    "metaLinks": "meta_links", "linkTitle": "link_title", "coverY": "cover", "coverHeight": "cover",
}  # fmt: skip
"""Key of the front matter -> the field that it sets, where they differ."""
PORTION = 4
"""Entries whose texts are read and merged in one step."""
_json = msgspec.json.Encoder(order="deterministic")
W = TypeVar("W", Page, Reusable)


def _side(base: W | None, ours: W, theirs: W) -> W | None:
    """The side whose text is the merge, with what its addresses mean; None where both have to be merged."""
    side, clear = three(_writing(base), _writing(ours), _writing(theirs))
    return None if not clear else ours if side == _writing(ours) else theirs


def _writing(entry: W | None) -> tuple[Any, ...] | None:
    # The document is what a text says when its addresses mean this, so that the two cannot be merged apart.
    return None if entry is None else (entry.text, entry.links)


class Texts:
    """Merges texts by their digests and collects the objects that are new."""

    def __init__(self, label: str, objects: Objects) -> None:
        self._known: Mapping[Digest, bytes] = {}
        self._label = label
        self._objects = objects

    def read(self, sides: Sides[W], keys: Iterable[str]) -> Steps[None]:
        """Read the texts of entries whose text, or what it means, both sides changed, and primary's documents of them,
        most of whose blocks are those of the merge; what was read before is let go."""
        wanted: set[Digest | None] = set()
        for key in keys:
            (base, ours), theirs = sides.ours[key], sides.theirs[key][1]
            if ours is not None and theirs is not None and _side(base, ours, theirs) is None:
                wanted |= {None if base is None else base.text, ours.text, theirs.text, ours.document}
        named = frozenset(name for name in wanted if name is not None)
        self._known = (yield named) if named else {}

    def merge(self, base: W | None, ours: W, theirs: W) -> tuple[Reread, dict[str, Any], list[str]]:
        """The merged text read, the fields that hold it, and those in conflict."""
        before, mine, other = (self._source(side) for side in (base, ours, theirs))
        source, conflicts = merge_texts(before, mine, other, self._label)
        meant, _ = merge_mappings(base.links if base else {}, ours.links, theirs.links)
        # The merged text may hold what one side took out, and its addresses go on meaning what they meant.
        links = {**theirs.links, **ours.links, **meant}
        known = self._known.get(ours.document or b"")
        parsed = reparse(source, links.get, None if known is None else Before(mine, known, ours.links))
        named = {"text": self._put(source.encode()), "document": self._put(_json.encode(parsed.document))}
        return parsed, {**named, "links": links, "oid": None}, conflicts

    def _source(self, entry: W | None) -> str:
        return "" if entry is None or entry.text is None else self._known[entry.text].decode()

    def _put(self, data: bytes) -> Digest:
        name = digest(data)
        self._objects[name] = data
        return name


def merge_entries(
    sides: Sides[E],
    keys: Iterable[str],
    kind: str,
    merge: Callable[[E | None, E, E], tuple[E, list[str]]],
    conflicts: list[Conflict],
) -> None:
    """Fill `sides.changed` for these that both sides changed, by `merge`."""
    for key in keys:
        (base, ours), theirs = sides.ours[key], sides.theirs[key][1]
        if ours is None or theirs is None:
            _merge_deletion(sides, key, kind, conflicts)
        elif ours != theirs:
            merged, fields = merge(base, ours, theirs)
            sides.changed[key] = merged
            if fields:
                conflicts.append(
                    Conflict(kind=kind, reason="edited", id=key, title=_title(merged), fields=sorted(set(fields)))
                )


def _merge_deletion(sides: Sides[E], key: str, kind: str, conflicts: list[Conflict]) -> None:
    """What one side deleted and the other wrote into stays, and is listed; a move alone does not hold it."""
    (base, ours), theirs = sides.ours[key], sides.theirs[key][1]
    left = ours or theirs
    if left is None:
        return
    if base is not None and not _differences(base, left) - PLACE - {"updated"}:
        sides.changed[key] = None
        return
    sides.changed[key] = left
    conflicts.append(Conflict(kind=kind, reason="deleted", id=key, title=_title(left)))


def _differences(one: Any, other: Any) -> set[str]:
    return {name for name in one.__struct_fields__ if getattr(one, name) != getattr(other, name)}


def _title(entry: Page | File | Reusable) -> str:
    return entry.name if isinstance(entry, File) else entry.title


def _in_portions(
    sides: Sides[W],
    kind: str,
    merge: Callable[[W | None, W, W], tuple[W, list[str]]],
    texts: Texts,
    conflicts: list[Conflict],
) -> Steps[None]:
    """Merge a few entries a step: none of them takes long, and few texts are held at once."""
    sides.changed |= sides.alone
    waiting = iter(sides.both)
    while keys := list(islice(waiting, PORTION)):
        yield from texts.read(sides, keys)
        merge_entries(sides, keys, kind, merge, conflicts)


def merge_pages(sides: Sides[Page], texts: Texts, conflicts: list[Conflict]) -> Steps[None]:
    """Pages: text with what follows from it, the place as one, each other field on its own."""

    def merge(base: Page | None, ours: Page, theirs: Page) -> tuple[Page, list[str]]:
        old = base or Page(id=ours.id, type="", title="", slug="", position="")
        made, fields = _merge_fields(old, ours, theirs, _FOLLOWS | PLACE)
        place, clear = three(_place(old), _place(ours), _place(theirs))
        made |= {"parent": place[0], "position": place[1]}
        if not clear and ours.parent != theirs.parent:
            fields.append("parent")
        written, wrong = _merge_written(base, ours, theirs, texts)
        if _side(base, ours, theirs) is None:
            # The front matter was merged with the text: what its fields say is read from there.
            fields = [name for name in fields if name not in _FROM_FRONT]
        times = {"created": min(ours.created, theirs.created), "updated": max(ours.updated, theirs.updated)}
        return msgspec.structs.replace(ours, **made | written | times), fields + wrong

    yield from _in_portions(sides, "page", merge, texts, conflicts)


def _place(page: Page) -> tuple[str | None, str]:
    return page.parent, page.position


def _merge_written(base: Page | None, ours: Page, theirs: Page, texts: Texts) -> tuple[dict[str, Any], list[str]]:
    """Text, document and title; with a text that had to be merged also what its front matter says."""
    titles = [side.title if side else "" for side in (base, ours, theirs)]
    side = _side(base, ours, theirs)
    if side is not None:
        title, clear = three(*titles)
        return _held(side) | {"title": title}, [] if clear else ["title"]
    parsed, named, wrong = texts.merge(base, ours, theirs)
    links = named["links"]
    if (named["text"], links) == (ours.text, ours.links):
        # Primary has all of it: it stays what it is, down to where it came from.
        named |= _held(ours)
    found = front_fields("", parsed.front, lambda href: links.get(href) or {"kind": "url", "url": href}, Report())
    blank = {name: getattr(Page(id="", type="", title="", slug="", position=""), name) for name in _FROM_FRONT}
    title = parsed.title or three(*titles)[0]
    return {**named, "title": title} | blank | found, [_NAMES.get(name, name) for name in wrong]


def _held(entry: Page | Reusable) -> dict[str, Any]:
    return {name: getattr(entry, name) for name in ("text", "document", "links", "oid")}


def _merge_fields(base: E, ours: E, theirs: E, apart: Iterable[str]) -> tuple[dict[str, Any], list[str]]:
    """Every field but those `apart`; mappings key by key, but a reference as one: half of one means nothing."""
    made: dict[str, Any] = {}
    conflicts: list[str] = []
    for name in ours.__struct_fields__:
        if name in apart:
            continue
        trio = [getattr(side, name) for side in (base, ours, theirs)]
        if name != "target" and any(isinstance(value, dict) for value in trio):
            made[name], wrong = merge_mappings(*(value or {} for value in trio))
            made[name] = made[name] or (None if None in trio else {})
            conflicts += [name] if wrong else []
        else:
            made[name], clear = three(*trio)
            conflicts += [] if clear else [name]
    return made, conflicts


def merge_reusables(sides: Sides[Reusable], texts: Texts, conflicts: list[Conflict]) -> Steps[None]:
    """Reusable contents: like pages without a place."""

    def merge(base: Reusable | None, ours: Reusable, theirs: Reusable) -> tuple[Reusable, list[str]]:
        old = base or Reusable(id=ours.id, title="", text=digest(b""))
        made, fields = _merge_fields(old, ours, theirs, ("text", "document", "links", "oid"))
        side = _side(base, ours, theirs)
        if side is not None:
            return msgspec.structs.replace(ours, **made | _held(side)), fields
        _, named, wrong = texts.merge(base, ours, theirs)
        return msgspec.structs.replace(ours, **made | named), fields + wrong

    yield from _in_portions(sides, "reusable-content", merge, texts, conflicts)


def merge_files(sides: Sides[File], label: str, conflicts: list[Conflict]) -> None:
    """Files: where both sides put other bytes, primary's keep the place, the other side's become a file of their own."""
    beside: dict[str, File] = {}

    def merge(base: File | None, ours: File, theirs: File) -> tuple[File, list[str]]:
        bytes_of = ("blob", "size", "content_type", "width", "height", "oid")
        old = base or File(id=ours.id, name="", content_type="", size=0, blob="")
        made, fields = _merge_fields(old, ours, theirs, bytes_of)
        _, clear = three(old.blob, ours.blob, theirs.blob)
        side = theirs if ours.blob == old.blob else ours
        if not clear:
            key = blake2b(f"{ours.id}/{theirs.blob}".encode(), digest_size=15).hexdigest()
            beside[key] = msgspec.structs.replace(theirs, id=key, name=f"{label} {theirs.name}", path=None, oid=None)
            fields.append("content")
        return msgspec.structs.replace(side, **made), fields

    sides.changed |= sides.alone
    merge_entries(sides, sides.both, "file", merge, conflicts)
    sides.changed |= beside
