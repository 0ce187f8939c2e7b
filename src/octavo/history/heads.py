"""Heads: how a space's primary content begins and grows, one revision and one move of the head at a time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal

import msgspec

from octavo.content import trie
from octavo.content.ordering import spread
from octavo.content.revision import Digest, File, Page, Reusable, Root
from octavo.content.slugs import slugify
from octavo.kernel.errors import Conflict
from octavo.kernel.events import ContentChanged
from octavo.kernel.ids import new_id
from octavo.kernel.records import GitCommit, Revision, Space
from octavo.store.unit import Unit

_encode = msgspec.msgpack.Encoder(order="deterministic").encode

Kind = Literal["edits", "rollback", "update", "merge", "computed"]


async def start(unit: Unit, organization: str, space: str, *, empty: bool, text: str | None = None) -> Revision:
    """The first revision of a new space: without pages, or with one page that is empty or has this text."""
    pages: list[Page] = []
    objects: dict[Digest, bytes] = {}
    if not empty:
        page, objects = _first_page(unit.now, text)
        pages = [page]
    root, assembled = assemble(pages=pages)
    await unit.objects.put(organization, objects | assembled, unit.now)
    return await _record(unit, organization, space, root, parents=[], kind="edits", git=None)


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
    git: GitCommit | None = None,
) -> Revision:
    """Make `root` the newest revision of primary content. Raises Conflict when the head moved meanwhile."""
    await unit.objects.put(space.organization, objects, unit.now)
    revision = await _record(unit, space.organization, space.id, root, parents=[space.revision], kind=kind, git=git)
    if not await unit.spaces.move_head(space.id, space.revision, revision.id, unit.now):
        raise Conflict("the content of the space changed meanwhile; try again")
    await unit.emit(ContentChanged(organization=space.organization, space=space.id, revision=revision.id))
    return revision


async def apart(
    unit: Unit, space: Space, root: Digest, objects: Mapping[Digest, bytes], *, git: GitCommit | None = None
) -> Revision:
    """A revision beside the head: it can be read by its id, primary content stays as it is."""
    await unit.objects.put(space.organization, objects, unit.now)
    return await _record(unit, space.organization, space.id, root, parents=[space.revision], kind="edits", git=git)


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


async def _record(
    unit: Unit,
    organization: str,
    space: str,
    root: Digest,
    *,
    parents: list[str],
    kind: Kind,
    git: GitCommit | None,
) -> Revision:
    revision = Revision(
        id=new_id(),
        organization=organization,
        space=space,
        root=root,
        parents=parents,
        type=kind,
        created_at=unit.now,
        author=unit.provenance.actor,
        git=git,
    )
    await unit.revisions.add(revision)
    return revision
