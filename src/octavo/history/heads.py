"""Heads: how a space's primary content begins and grows, one revision and one move of the head at a time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal

import msgspec

from octavo.content import trie
from octavo.content.ordering import spread
from octavo.content.revision import Digest, File, Page, Reusable, Root, computed_title
from octavo.content.slugs import slugify
from octavo.kernel.errors import Conflict
from octavo.kernel.events import ContentChanged, SourceChanged
from octavo.kernel.ids import new_id
from octavo.kernel.records import Json
from octavo.kernel.records.content import Revision
from octavo.kernel.records.library import Space
from octavo.store.unit import Unit

_encode = msgspec.msgpack.Encoder(order="deterministic").encode

Kind = Literal["edits", "rollback", "update", "merge", "computed"]


async def start(
    unit: Unit, organization: str, space: str, *, empty: bool, text: str | None = None, computed: Json | None = None
) -> Revision:
    """The first revision of a new space: without pages, or with one page that is empty, has this text, or stands for what
    it is computed from."""
    pages: list[Page] = []
    objects: dict[Digest, bytes] = {}
    if not empty:
        page, objects = _first_page(unit.now, text)
        if computed is not None:
            title = computed_title(computed)
            page = msgspec.structs.replace(page, type="computed", title=title, slug=title, computed=computed)
        pages = [page]
    root, assembled = assemble(pages=pages)
    await unit.objects.put(organization, objects | assembled, unit.now)
    return await record(unit, organization, space, root, parents=[], kind="edits")


def _first_page(now: int, text: str | None) -> tuple[Page, dict[Digest, bytes]]:
    blank = Page(
        id=new_id(),
        type="document",
        title="Untitled",
        slug="untitled",
        position=spread(1)[0],
        created=now,
        updated=now,
    )
    if text is None:
        return blank, {}
    # The parser costs 100 ms to import, and few processes ever need it.
    from octavo.content.markdown import parse

    parsed = parse(text)
    title = parsed.title or blank.title
    source, document = text.encode(), msgspec.json.encode(parsed.document)
    page = msgspec.structs.replace(
        blank,
        title=title,
        slug=slugify(title),
        text=trie.digest(source),
        document=trie.digest(document),
        description=parsed.front.get("description"),
        icon=parsed.front.get("icon"),
    )
    return page, {trie.digest(source): source, trie.digest(document): document}


async def append(
    unit: Unit,
    space: Space,
    root: Digest,
    objects: Mapping[Digest, bytes],
    *,
    kind: Kind = "edits",
    merged: str | None = None,
    **fields: Any,
) -> Revision:
    """Make `root`, which holds the old addresses of the head, the newest revision of primary content.

    `merged` is the revision that came in beside the head; `fields` are further ones of the record. Raises Conflict when
    the head moved meanwhile.
    """
    await unit.objects.put(space.organization, objects, unit.now)
    parents = [space.revision] if merged is None else [space.revision, merged]
    revision = await record(unit, space.organization, space.id, root, parents=parents, kind=kind, **fields)
    if not await unit.spaces.move_head(space.id, space.revision, revision.id, unit.now):
        raise Conflict("the content of the space changed meanwhile; try again")
    await unit.emit(ContentChanged(organization=space.organization, space=space.id, revision=revision.id))
    if await unit.translations.following(space.id):
        await unit.emit(SourceChanged(organization=space.organization, space=space.id))
    return revision


async def apart(
    unit: Unit,
    space: Space,
    root: Digest,
    objects: Mapping[Digest, bytes],
    *,
    parents: list[str] | None = None,
    kind: Kind = "edits",
    **fields: Any,
) -> Revision:
    """A revision beside the head, which it follows unless other `parents` are given; primary content stays as it is."""
    await unit.objects.put(space.organization, objects, unit.now)
    before = [space.revision] if parents is None else parents
    return await record(unit, space.organization, space.id, root, parents=before, kind=kind, **fields)


def assemble(
    *,
    pages: Iterable[Page] = (),
    files: Iterable[File] = (),
    reusables: Iterable[Reusable] = (),
    **fields: Any,
) -> tuple[Digest, dict[Digest, bytes]]:
    """The root of a revision that holds exactly this, and every object that it needs but texts and documents."""
    objects: dict[Digest, bytes] = {}
    roots: list[Digest | None] = []
    for entries in (pages, files, reusables):
        root, made = trie.build({entry.id: _encode(entry) for entry in entries})
        roots.append(root)
        objects |= made
    data = _encode(Root(pages=roots[0], files=roots[1], reusables=roots[2], **fields))
    named = trie.digest(data)
    return named, objects | {named: data}


async def record(
    unit: Unit, organization: str, space: str, root: Digest, *, parents: list[str], kind: Kind, **fields: Any
) -> Revision:
    """Write down a revision, by whoever acts; its objects are stored already."""
    revision = Revision(
        id=new_id(),
        organization=organization,
        space=space,
        root=root,
        parents=parents,
        type=kind,
        created_at=unit.now,
        author=unit.provenance.actor,
        **fields,
    )
    await unit.revisions.add(revision)
    return revision
