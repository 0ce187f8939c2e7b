"""Importing content from an address into a change request: fetched and read by a job, applied as one revision."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec
from msgspec import UNSET

from octavo.content.importing import Imported
from octavo.history import importing
from octavo.history.edits import Drafted
from octavo.kernel.errors import BadRequest
from octavo.kernel.events import ContentImportRequested
from octavo.kernel.operation import writes
from octavo.resources.call import Ahead, Call
from octavo.resources.places import AtChangeRequest
from octavo.wire.content.importing import ContentImport, ContentImported, ImportedPage, ImportWarning
from octavo.wire.fields import maybe
from octavo.wire.view import View

SECONDS = 160.0
"""How long a request waits: a little longer than the job may take."""

UPLOADED = ("zip", "notion", "confluence", "docx", "html", "markdown")
"""Sources that are one file, which may be uploaded."""


@dataclass(frozen=True)
class Done:
    """The revision that an import made, and what is in it."""

    revision: str
    made: Imported


async def fetch(prior: Ahead, at: AtChangeRequest, body: ContentImport) -> tuple[Imported, Drafted, str]:
    """Have the content fetched and read, and made into changes; with the organization that has its files.

    Raises BadRequest with a sentence where that fails.
    """
    importing.require_open(at.change_request.record)
    organization = at.space.record.organization
    result = await prior.done(_wanted(prior, organization, body), SECONDS)
    packed = await prior.blobs.get(organization, result["plan"])
    if packed is None:
        raise BadRequest("what was imported is not there any more; ask again")
    made = msgspec.msgpack.decode(packed, type=Imported)
    return made, await importing.prepare(prior.store, at.change_request.record.revision, made), organization


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
    made, drafted, organization = call.prepared
    return Done(await importing.add(call.unit, space, request, made, drafted, organization, call.caller.user.id), made)


def _present(done: Done, view: View) -> ContentImported:
    made = done.made
    return ContentImported(
        revision=done.revision,
        imported_resources=made.resources,
        total_resources=made.total,
        pages=[ImportedPage(page.id, page.title) for page in made.pages],
        warnings=[ImportWarning(one.message, maybe(one.page)) for one in made.warnings],
    )


OPERATIONS = (
    writes("POST", "importContentInChangeRequest", "/spaces/{space}/change-requests/{change_request}/content/import",
           import_content, _present,
           before=fetch, lock="space", status=201, needs="space.edit", scope="space:write",
           audit="change-request.content.import", summary="Import content from an address into a change request"),
)  # fmt: skip
