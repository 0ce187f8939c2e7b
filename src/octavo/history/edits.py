"""Edits: a batch of changes upon a revision becomes the root of the next one."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec

from octavo.content import trie
from octavo.content.draft import Base, Change, Outcome, Refused, ResolveConflict, RevertPage, UpdatePage
from octavo.content.revision import Digest, File
from octavo.content.trie import Objects
from octavo.history.contents import Contents, contents_of, walk
from octavo.kernel import limits
from octavo.kernel.errors import BadRequest, Stale
from octavo.kernel.ids import new_id
from octavo.kernel.records.content import Revision
from octavo.store.unit import Unit

if TYPE_CHECKING:
    from octavo.content.draft.draft import Draft

QUICK = 0.1
"""Seconds of work that a write unit may do: others wait for it."""
_LONGEST = {
    "title": limits.PAGE_TITLE_MAX,
    "emoji": limits.SPACE_EMOJI_MAX,
    "icon": limits.ICON_NAME_MAX,
    "condition": limits.CONDITION_MAX,
}
_encode = msgspec.msgpack.Encoder(order="deterministic").encode


@dataclass(frozen=True)
class Edited:
    """The root of the next revision, the objects that are new, and what became of pages and files."""

    root: Digest
    objects: Objects
    outcomes: list[Outcome]
    files: list[File]


Numbered = tuple[int, Change]
"""A change with the place of the one in the body that it came from: several may come from one."""


@dataclass(frozen=True)
class Drafted:
    """Changes made upon a revision, not stored yet, and how many seconds of work they were."""

    head: str
    draft: Draft
    seconds: float


async def stand(
    unit: Unit, revision: Revision, numbered: Sequence[Numbered], others: Mapping[str, Revision]
) -> tuple[Contents, Base]:
    """Everything that changes upon a revision read; `others` are the revisions that they revert to, by id."""
    contents = await contents_of(unit, revision)
    changes = [change for _, change in numbered]
    reverts = {key: (await contents_of(unit, one)).pages for key, one in others.items()}
    read = UpdatePage | RevertPage | ResolveConflict
    wanted = [contents.pages.get(change.page) for change in changes if isinstance(change, read)]
    wanted += [reverts[change.revision].get(change.page) for change in changes if isinstance(change, RevertPage)]
    texts = {page.text for page in wanted if page is not None and page.text is not None}
    known = await unit.objects.get(contents.organization, texts) if texts else {}
    return contents, Base(contents.pages, contents.files, contents.reusables, known, reverts, revision.space)


def draft(revision: str, base: Base, numbered: Sequence[Numbered], now: int) -> Drafted:
    """All changes in order, or none: raises BadRequest that names the first one that cannot be made.

    Reading long texts takes its time, so this wants a thread of its own; it reads and writes nothing.
    """
    # What reads Markdown is imported with the first change, not with the server.
    from octavo.content.draft.draft import Draft

    began = time.thread_time()
    made = Draft(base, new_id, now, _LONGEST)
    for step in (made.announce, made.apply):
        for number, change in numbered:
            try:
                step(number, change)
            except Refused as refused:
                raise BadRequest(f"changes[{number}]: {refused}") from refused
    return Drafted(revision, made, time.thread_time() - began)


async def edit(
    unit: Unit,
    revision: Revision,
    numbered: Sequence[Numbered],
    others: Mapping[str, Revision],
    drafted: Drafted | None = None,
) -> Edited:
    """What the changes make of a revision; raises BadRequest as `draft` does.

    What was `drafted` ahead upon this very revision is taken. Upon another one the changes are made again, which raises
    Stale where that takes so long that it should be done outside of the unit.
    """
    if drafted is not None and drafted.head != revision.id and drafted.seconds > QUICK:
        raise Stale
    contents, base = await stand(unit, revision, numbered, others)
    if drafted is None or drafted.head != revision.id:
        drafted = draft(revision.id, base, numbered, unit.now)
    return await _finished(unit, contents, drafted.draft)


async def _finished(unit: Unit, contents: Contents, draft: Draft) -> Edited:
    pages, files = draft.pages, draft.files
    entries = {key: None if page is None else _encode(page) for key, page in pages.items()}
    pages_root, objects = await walk(unit, contents.organization, trie.apply(contents.root.pages, entries))
    added = {key: None if file is None else _encode(file) for key, file in files.items()}
    files_root, more = await walk(unit, contents.organization, trie.apply(contents.root.files, added))
    root = msgspec.structs.replace(contents.root, pages=pages_root, files=files_root)
    data = _encode(root)
    everything = draft.objects | objects | more | {trie.digest(data): data}
    return Edited(trie.digest(data), everything, draft.outcomes, draft.added)
