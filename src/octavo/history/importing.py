"""What an import read becomes a revision of a change request: all its pages and files at once, behind what is there."""

from __future__ import annotations

import asyncio

from octavo.content import draft
from octavo.content.importing import Imported
from octavo.history import heads
from octavo.history.edits import Drafted, Numbered, edit, stand
from octavo.history.edits import draft as draft_changes
from octavo.kernel.errors import Conflict, Stale
from octavo.kernel.records.library import Space
from octavo.kernel.records.review import ChangeRequest
from octavo.store.unit import Store, Unit


async def prepare(store: Store, revision: str, made: Imported, into: str | None = None) -> Drafted:
    """Make the changes upon the revision ahead of the unit. Raises BadRequest for those that cannot be made."""
    numbered = changes(made, into)

    async def read(unit: Unit) -> draft.Base:
        head = await unit.revisions.get(revision)
        assert head is not None  # a head is written in the unit that makes the revision
        return (await stand(unit, head, numbered, {}))[1]

    base = await store.read(read)
    return await asyncio.to_thread(draft_changes, revision, base, numbered, store.clock())


async def add(
    unit: Unit,
    space: Space,
    request: ChangeRequest,
    made: Imported,
    drafted: Drafted,
    organization: str,
    user: str,
    into: str | None = None,
) -> str:
    """Add all pages and files to the change request as one revision, in the unit that holds the lock of the space; its id.

    Raises Conflict for a change request that nothing is written into any more, Stale where the space is not of the
    `organization` any more that has the bytes of the files, and as `edits.edit`.
    """
    require_open(request)
    if space.organization != organization:
        raise Stale
    head = await unit.revisions.get(request.revision)
    assert head is not None  # a change request's head is written in the unit that makes the revision
    await unit.blobs.put(space.organization, {file.blob: file.size for file in made.files}, unit.now)
    edited = await edit(unit, head, changes(made, into), {}, drafted)
    revision = await heads.apart(unit, space, edited.root, edited.objects, parents=[head.id])
    changed = await unit.change_requests.change(request, unit.now, revision=revision.id)
    await unit.change_requests.contributed(changed, user, "edit", unit.now)
    return revision.id


def require_open(request: ChangeRequest) -> None:
    """Raises Conflict."""
    if request.status not in ("draft", "open"):
        raise Conflict(f"the change request is {request.status}: only a draft or an open one can be written into")


def changes(made: Imported, into: str | None) -> list[Numbered]:
    """Pages at the top go below the page `into`."""
    steps: list[draft.Change] = [draft.InsertFile(file=file) for file in made.files]
    steps += [
        draft.InsertPage(
            body=page.text,
            into=page.parent or into,
            id=page.id,
            # So that pages can name those that come behind them, which are not there yet when the text is written.
            ref=f"/pages/{page.id}",
            metadata=draft.Metadata(title=page.title),
        )
        for page in made.pages
    ]
    return list(enumerate(steps))
