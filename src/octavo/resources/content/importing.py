"""Importing content from an address into a change request: fetched and read by a job, applied as one revision."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

import msgspec
from msgspec import UNSET

from octavo.content import draft
from octavo.content.draft import Base
from octavo.content.importing import Imported
from octavo.history import heads
from octavo.history.edits import Drafted, Numbered, edit, stand
from octavo.history.edits import draft as draft_changes
from octavo.kernel.errors import BadRequest, Conflict
from octavo.kernel.events import ContentImportRequested
from octavo.kernel.operation import writes
from octavo.kernel.records.review import ChangeRequest
from octavo.resources.call import Ahead, Call
from octavo.resources.places import AtChangeRequest
from octavo.store.unit import Unit
from octavo.wire.content.importing import ContentImport, ContentImported
from octavo.wire.view import View

SECONDS = 160.0
"""How long a request waits: a little longer than the job may take."""

UPLOADED = ("zip", "notion", "confluence", "docx")
"""Sources that are one file, which may be uploaded."""


@dataclass(frozen=True)
class Done:
    """The revision that an import made, and how much of what it found is in it."""

    revision: str
    imported: int
    total: int


async def fetch(prior: Ahead, at: AtChangeRequest, body: ContentImport) -> tuple[Imported, Drafted]:
    """Have the content fetched and read, and made into changes. Raises BadRequest with a sentence where that fails."""
    _require_open(at.change_request.record)
    organization = at.space.record.organization
    result = await prior.done(_wanted(prior, organization, body), SECONDS)
    packed = await prior.blobs.get(organization, result["plan"])
    if packed is None:
        raise BadRequest("what was imported is not there any more; ask again")
    made = msgspec.msgpack.decode(packed, type=Imported)
    numbered = _changes(made)

    async def read(unit: Unit) -> tuple[str, Base]:
        head = await unit.revisions.get(at.change_request.record.revision)
        assert head is not None  # a change request's head is written in the unit that makes the revision
        return head.id, (await stand(unit, head, numbered, {}))[1]

    head, base = await prior.read(read)
    return made, await asyncio.to_thread(draft_changes, head, base, numbered, prior.store.clock())


def _wanted(prior: Ahead, organization: str, body: ContentImport) -> ContentImportRequested:
    """Raises BadRequest unless the body says by one way where the content is, and by one that its source has."""
    user = prior.caller.user.id
    if body.url is not UNSET and body.key is UNSET:
        sealed = prior.signer.seal(body.url)
        return ContentImportRequested(organization=organization, source=body.source, sealed_url=sealed, user=user)
    if body.url is not UNSET or body.key is UNSET:
        raise BadRequest(
            "url: either `url`, the address of the content, or `key`, of a file that was uploaded, is needed"
        )
    if body.source not in UPLOADED:
        raise BadRequest(f"key: of a file that was uploaded, `source` is one of {', '.join(UPLOADED)}")
    blob = prior.signer.read_upload(organization, body.key, prior.store.clock())
    return ContentImportRequested(organization=organization, source=body.source, upload=blob, user=user)


async def import_content(call: Call, at: AtChangeRequest, body: ContentImport) -> Done:
    """Add all pages and files to the change request as one revision, behind the pages that it has."""
    request, space = at.change_request.record, at.space.record
    made, drafted = call.prepared
    _require_open(request)
    head = await call.unit.revisions.get(request.revision)
    assert head is not None  # a change request's head is written in the unit that makes the revision
    await call.unit.blobs.put(space.organization, {file.blob: file.size for file in made.files}, call.now)
    edited = await edit(call.unit, head, _changes(made), {}, drafted)
    revision = await heads.apart(call.unit, space, edited.root, edited.objects, parents=[head.id])
    changed = await call.unit.change_requests.change(request, call.now, revision=revision.id)
    await call.unit.change_requests.contributed(changed, call.caller.user.id, "edit", call.now)
    return Done(revision.id, made.resources, made.total)


def _require_open(request: ChangeRequest) -> None:
    if request.status not in ("draft", "open"):
        raise Conflict(f"the change request is {request.status}: only a draft or an open one can be written into")


def _changes(made: Imported) -> list[Numbered]:
    changes: list[draft.Change] = [draft.InsertFile(file=file) for file in made.files]
    changes += [
        draft.InsertPage(
            body=page.text,
            into=page.parent,
            id=page.id,
            # So that pages can name those that come behind them, which are not there yet when the text is written.
            ref=f"/pages/{page.id}",
            metadata=draft.Metadata(title=page.title),
        )
        for page in made.pages
    ]
    return list(enumerate(changes))


def _present(done: Done, view: View) -> ContentImported:
    return ContentImported(done.revision, done.imported, done.total)


OPERATIONS = (
    writes("POST", "importContentInChangeRequest", "/spaces/{space}/change-requests/{change_request}/content/import",
           import_content, _present,
           before=fetch, lock="space", status=201, needs="space.edit", scope="space:write",
           audit="change-request.content.import", summary="Import content from an address into a change request"),
)  # fmt: skip
