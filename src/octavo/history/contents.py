"""What a revision holds, read once and kept by the digest of its root: pages, their tree and paths, files."""

from __future__ import annotations

from collections.abc import Collection, Generator, Hashable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import blake2b
from typing import Any, TypeVar

import msgspec

from octavo.content import conditions, trie
from octavo.content.document import Node
from octavo.content.naming import reached
from octavo.content.planting import is_listed, replanted
from octavo.content.revision import (
    Branch,
    Digest,
    File,
    Page,
    Reusable,
    Root,
    flatten,
    landing,
    outside,
    tree,
)
from octavo.content.trie import Steps
from octavo.kernel.records.content import Revision
from octavo.store.kept import Kept, Kind
from octavo.store.unit import Unit

T = TypeVar("T")
E = TypeVar("E", Page, File, Reusable)

_ROOT = msgspec.msgpack.Decoder(Root)
_PAGE = msgspec.msgpack.Decoder(Page)
_FILE = msgspec.msgpack.Decoder(File)
_REUSABLE = msgspec.msgpack.Decoder(Reusable)
_DOCUMENT: msgspec.json.Decoder[dict[str, Any]] = msgspec.json.Decoder(dict[str, Any])

ADDRESSED = frozenset(("document", "group", "computed"))
"""Types of pages that have an address."""
DECODED = 6
"""Bytes of memory for each byte of an entry as it is stored, its places in the tree included: it was measured."""
SHARED = 370
"""Bytes of memory for an entry that is also in contents at hand: its places in dictionaries and in the tree."""

_ENTRY = msgspec.msgpack.Encoder(order="deterministic")
_WRAP = 1 << 256

_CONTENTS: Kind[Contents] = Kind("contents of revisions", lambda contents: contents.weight)
_NEWEST: Kind[Digest] = Kind("roots last asked for", len)
"""(Organization, space) -> what was asked for last of it."""
_READ: Kind[bytes] = Kind("texts and documents", len)


class Derived:
    """What others made of the entries of one revision and want to find again, kept beside these under its name."""

    def __init__(self, kept: Kept, name: tuple[Hashable, ...]) -> None:
        self._kept = kept
        self._name = name

    def apart(self, word: str) -> Derived:
        """A place of its own for what is made of a part of these entries, which the word names."""
        return Derived(self._kept, (*self._name, blake2b(word.encode(), digest_size=16).digest()))

    def get(self, kind: Kind[T], key: Hashable = None) -> T | None:
        return self._kept.get(kind, (self._name, key))

    def put(self, kind: Kind[T], value: T, key: Hashable = None) -> T:
        """Keep a value; returns the one that is kept."""
        return self._kept.put(kind, (self._name, key), value)


def _leads(page: Page) -> str | None:
    """The page of the same space that an entry leads to, which is no page itself."""
    target = page.target or {}
    return target.get("page") if page.type == "link" and not target.get("space") else None


def _apart() -> Derived:
    """For contents that no store knows."""
    return Derived(Kept(1 << 20), ("", b""))


@dataclass(frozen=True)
class Contents:
    """A revision's entries, with the tree and the addresses that follow from them."""

    organization: str
    root: Root
    pages: dict[str, Page]
    files: dict[str, File]
    reusables: dict[str, Reusable]
    derived: Derived = field(default_factory=_apart, compare=False, repr=False)
    weight: int = field(default=0, compare=False)
    """Bytes of memory, about: what is shared with contents at hand counts once."""

    @cached_property
    def branches(self) -> list[Branch]:
        """The table of contents."""
        return tree(self.pages.values())

    @cached_property
    def outside(self) -> list[Branch]:
        """Pages that no table of contents lists."""
        return outside(self.pages.values())

    @cached_property
    def by_id(self) -> dict[str, Branch]:
        """Every page with its place."""
        return {branch.page.id: branch for branch in (*flatten(self.branches), *self.outside)}

    @cached_property
    def by_path(self) -> dict[str, Branch]:
        """Documents and groups by their lower-cased paths; the table of contents wins over what is outside of it."""
        known: dict[str, Branch] = {}
        for branch in (*flatten(self.branches), *self.outside):
            if branch.page.type in ADDRESSED:
                known.setdefault(branch.path.lower(), branch)
        return known

    @cached_property
    def is_plain(self) -> bool:
        """Whether no two pages have one path."""
        return len(self.by_path) == sum(branch.page.type in ADDRESSED for branch in self.by_id.values())

    @cached_property
    def landing(self) -> Branch | None:
        """What the root of the space shows."""
        return landing(self.branches)

    @cached_property
    def hrefs(self) -> dict[str, str]:
        """Where link entries lead inside the space, by their ids."""
        made: dict[str, str] = {}
        for page in self.pages.values():
            target = page.target or {}
            leads = self.by_id.get(target.get("page", "")) if page.type == "link" else None
            if leads is not None:
                anchor = target.get("anchor")
                made[page.id] = f"/{leads.path}" + (f"#{anchor}" if anchor else "")
        return made

    @cached_property
    def by_source(self) -> dict[str, Branch]:
        """Documents by where their files lie: addresses follow the table of contents, which may differ."""
        known: dict[str, Branch] = {}
        for branch in self.by_id.values():
            if branch.page.type == "document" and branch.page.path is not None:
                path = branch.page.path.removesuffix(".md")
                known.setdefault(path.removesuffix("/README"), branch)
                known[path] = branch
        return known

    @cached_property
    def outlines(self) -> int:
        """A number made of what the pages say of themselves besides their texts: the sum of a digest of each, so that it is
        known from that of contents at hand and what differs."""
        return sum(_outline(page) for page in self.pages.values()) % _WRAP

    @cached_property
    def shape(self) -> bytes:
        """A digest of all that a page can show of the others of its space, whoever reads it: their titles, places and
        descriptions, files, reusable contents, variables, tags; not their texts."""
        root = self.root
        parts = (root.files, root.reusables, root.variables, root.tags, self.outlines.to_bytes(32, "big"))
        return blake2b(_ENTRY.encode(parts), digest_size=16).digest()

    @cached_property
    def conditional(self) -> list[Page]:
        """The pages that are not for everybody."""
        return [page for page in self.pages.values() if page.condition]

    @cached_property
    def reads(self) -> frozenset[str]:
        """What decides who sees which of its pages: names of `content.conditions`."""
        return frozenset[str]().union(*(conditions.names(page.condition or "") for page in self.conditional))

    def without(self, closed: Collection[str]) -> Contents:
        """The same where these pages, what is below them, entries that lead to them and what they alone name are not; what
        decides that, and which page the root shows, stays known."""
        gone = {*closed}
        below: dict[str, list[str]] = {}
        for page in self.pages.values():
            if page.parent is not None:
                below.setdefault(page.parent, []).append(page.id)
        waiting = [*gone]
        while waiting:
            inside = [one for one in below.get(waiting.pop(), ()) if one not in gone]
            gone.update(inside)
            waiting += inside
        pages = {key: page for key, page in self.pages.items() if key not in gone and _leads(page) not in gone}
        hidden = reached((self.pages[key] for key in gone if key in self.pages), self.reusables)
        hidden -= reached(pages.values(), self.reusables) if hidden else set()
        made = replace(
            self,
            pages=pages,
            files=_without(self.files, hidden),
            reusables=_without(self.reusables, hidden),
            derived=self.derived.apart("\0".join(sorted(gone))),
            weight=SHARED * len(pages),
        )
        home = self.landing
        made.__dict__.update(
            reads=self.reads, shape=self.shape, landing=home if home is None or home.page.id in pages else None
        )
        return made

    def __len__(self) -> int:
        return len(self.pages) + len(self.files) + len(self.reusables)


def _without(entries: dict[str, E], hidden: Collection[str]) -> dict[str, E]:
    kept = {key: one for key, one in entries.items() if key not in hidden} if hidden else entries
    return kept if len(kept) < len(entries) else entries


async def contents_of(unit: Unit, revision: Revision) -> Contents:
    """Everything that a revision holds but the texts."""
    return await walk(unit, revision.organization, reading(unit.kept, revision))


def reading(kept: Kept, revision: Revision) -> Steps[Contents]:
    """The same as an algorithm in steps: reads what differs from contents of that space that are kept, else everything."""
    organization, root = revision.organization, revision.root
    made = kept.get(_CONTENTS, (organization, root))
    if made is None:
        near = at_hand(kept, revision)
        made = yield from (_read_all(kept, organization, root) if near is None else _derived(kept, near, root))
    kept.renew(_NEWEST, (organization, revision.space), root)
    return made


def at_hand(kept: Kept, revision: Revision) -> Contents | None:
    """What is kept of the revision's space: what somebody asked for last, whichever revision it was."""
    last = kept.get(_NEWEST, (revision.organization, revision.space))
    return None if last is None else kept.get(_CONTENTS, (revision.organization, last))


def _derived(kept: Kept, before: Contents, root: Digest) -> Steps[Contents]:
    """The contents of a revision from those of another one of its space: reads what differs."""
    organization, entry = before.organization, _ROOT.decode((yield frozenset((root,)))[root])
    old = before.root
    pages, files, reusables = yield from trie.together(
        trie.diff(was, now)
        for was, now in ((old.pages, entry.pages), (old.files, entry.files), (old.reusables, entry.reusables))
    )
    changed = [after for differing in (pages, files, reusables) for _, after in differing.values() if after is not None]
    made = Contents(
        organization=organization,
        root=entry,
        pages=_patched(before.pages, pages, _PAGE),
        files=_patched(before.files, files, _FILE),
        reusables=_patched(before.reusables, reusables, _REUSABLE),
        derived=Derived(kept, (organization, root)),
        weight=SHARED * len(before) + DECODED * sum(map(len, changed)),
    )
    _carry_tree(before, made, pages.keys())
    if "outlines" in before.__dict__:
        went = sum(_outline(before.pages[key]) for key in pages if key in before.pages)
        came = sum(_outline(made.pages[key]) for key in pages if key in made.pages)
        made.__dict__["outlines"] = (before.outlines - went + came) % _WRAP
    return kept.put(_CONTENTS, (organization, root), made)


def _outline(page: Page) -> int:
    """A digest of an entry without its text, as a number."""
    said = msgspec.structs.replace(page, text=None, document=None, links={}, oid=None, created=0, updated=0)
    return int.from_bytes(blake2b(_ENTRY.encode(said), digest_size=32).digest(), "big")


def grow(contents: Contents) -> None:
    """Make the tree where it is not made yet, in whichever thread: a cached property would keep all others waiting that
    ask for any other tree."""
    known = contents.__dict__
    if "by_id" not in known:
        branches, loose = tree(contents.pages.values()), outside(contents.pages.values())
        by_id = {branch.page.id: branch for branch in (*flatten(branches), *loose)}
        known.update(branches=branches, outside=loose, by_id=by_id)


def _carry_tree(before: Contents, made: Contents, changed: Collection[str]) -> None:
    """Make the tree from the one at hand; what is not known there, or was not asked for yet, is made when asked for."""
    known = before.__dict__
    if "by_id" not in known:
        return
    found = replanted(before.branches, before.by_id, before.pages, made.pages, changed)
    if found is None:
        return
    branches, renewed = found
    gone = {key for key in changed if key in before.by_id and not is_listed(key, made.pages)}
    aside = any(not page.listed for key in changed for page in (before.pages.get(key), made.pages.get(key)) if page)
    loose = outside(made.pages.values()) if aside else before.outside
    renewed |= {branch.page.id: branch for branch in loose} if aside else {}
    by_id = before.by_id | renewed
    for key in gone - renewed.keys():
        del by_id[key]
    made.__dict__.update(branches=branches, outside=loose, by_id=by_id)
    if "by_path" in known and before.is_plain:
        _carry_paths(before, made, gone | renewed.keys())


def _carry_paths(before: Contents, made: Contents, changed: Collection[str]) -> None:
    """Make the addresses from those at hand, as long as no two pages have the same."""
    by_path = dict(before.by_path)
    for key in changed:
        if (was := before.by_id.get(key)) is not None and was.page.type in ADDRESSED:
            del by_path[was.path.lower()]
    for key in changed:
        now = made.by_id.get(key)
        if now is not None and now.page.type in ADDRESSED and by_path.setdefault(now.path.lower(), now) is not now:
            return
    made.__dict__.update(by_path=by_path, is_plain=True)


def _patched(
    held: dict[str, E], changed: Mapping[str, tuple[bytes | None, bytes | None]], kind: msgspec.msgpack.Decoder[E]
) -> dict[str, E]:
    made = dict(held) if changed else held
    for key, (_, after) in changed.items():
        if after is None:
            del made[key]
        else:
            made[key] = kind.decode(after)
    return made


async def contents_at(unit: Unit, organization: str, root: Digest) -> Contents:
    """Everything below a root object but the texts."""
    found = unit.kept.get(_CONTENTS, (organization, root))
    return await walk(unit, organization, _read_all(unit.kept, organization, root)) if found is None else found


def _read_all(kept: Kept, organization: str, root: Digest) -> Steps[Contents]:
    entry = _ROOT.decode((yield frozenset((root,)))[root])
    pages, files, reusables = yield from trie.together(
        trie.items(one) for one in (entry.pages, entry.files, entry.reusables)
    )
    made = Contents(
        organization=organization,
        root=entry,
        pages={key: _PAGE.decode(value) for key, value in pages.items()},
        files={key: _FILE.decode(value) for key, value in files.items()},
        reusables={key: _REUSABLE.decode(value) for key, value in reusables.items()},
        derived=Derived(kept, (organization, root)),
        weight=DECODED * sum(sum(map(len, values.values())) for values in (pages, files, reusables)),
    )
    return kept.put(_CONTENTS, (organization, root), made)


async def root_at(unit: Unit, organization: str, root: Digest) -> Root:
    """The root object itself."""
    return _ROOT.decode((await unit.objects.get(organization, [root]))[root])


async def text_of(unit: Unit, organization: str, digest: Digest | None) -> str:
    """The source text of a page or reusable content; empty where there is none."""
    if digest is None:
        return ""
    found = await _read(unit, organization, digest)
    if found is None:
        raise KeyError(digest)
    return found.decode()


async def document_of(unit: Unit, organization: str, digest: Digest | None) -> Node | None:
    """A stored document; None where there is none."""
    if digest is None:
        return None
    found = (await unit.objects.get(organization, [digest])).get(digest)
    return None if found is None else _DOCUMENT.decode(found)


async def raw_document_of(unit: Unit, organization: str, digest: Digest) -> msgspec.Raw | None:
    """A stored document as the JSON that it is, not read on the way; None where there is none."""
    found = await _read(unit, organization, digest)
    return None if found is None else msgspec.Raw(found)


async def _read(unit: Unit, organization: str, digest: Digest) -> bytes | None:
    """An object that is served as it is, kept inflated: to find and inflate it was half of what a page takes."""
    found = unit.kept.get(_READ, (organization, digest))
    if found is None:
        found = (await unit.objects.get(organization, [digest])).get(digest)
        if found is not None:
            unit.kept.put(_READ, (organization, digest), found)
    return found


async def reusable_documents(unit: Unit, contents: Contents) -> dict[str, Node]:
    """The documents of all reusable contents of a revision, by their ids."""
    return opened(await raw_reusable_documents(unit, contents))


async def raw_reusable_documents(unit: Unit, contents: Contents) -> dict[str, bytes]:
    """The same as the JSON that they are: a megabyte of it takes a hundredth of a second to open."""
    digests = {one.id: one.document for one in contents.reusables.values() if one.document is not None}
    found = await unit.objects.get(contents.organization, set(digests.values())) if digests else {}
    return {key: found[digest] for key, digest in digests.items() if digest in found}


def opened(stored: Mapping[str, bytes]) -> dict[str, Node]:
    """Stored documents, in whichever thread."""
    return {key: _DOCUMENT.decode(data) for key, data in stored.items()}


async def documents_of(unit: Unit, organization: str, digests: set[Digest]) -> Mapping[Digest, Node]:
    """Several stored documents by their digests, in one query."""
    found = await unit.objects.get(organization, digests) if digests else {}
    return {digest: _DOCUMENT.decode(data) for digest, data in found.items()}


async def walk(unit: Unit, organization: str, steps: Generator[frozenset[Digest], Mapping[Digest, bytes], T]) -> T:
    """Drive an algorithm over the trie with objects from the store, one query for each level."""
    try:
        wanted = next(steps)
        while True:
            wanted = steps.send(await unit.objects.get(organization, wanted))
    except StopIteration as done:
        result: T = done.value
        return result
