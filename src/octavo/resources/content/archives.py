"""Content as files: a space as a zip in the layout of its repository, and such a zip as the content of a space."""

from __future__ import annotations

from octavo.access.signing import Download
from octavo.kernel.errors import NotFound
from octavo.kernel.events import ArchiveImportWanted, ArchiveWanted
from octavo.kernel.operation import Nothing, reads, writes
from octavo.kernel.records import Json
from octavo.resources.call import Ahead, Call
from octavo.resources.places import AtSpace
from octavo.wire.content.archives import Archive, ArchiveImport, ArchiveImported
from octavo.wire.view import View

SECONDS = 160.0
"""How long a request waits for its job."""


async def make(prior: Ahead, at: AtSpace, takes: Nothing) -> Json:
    """Have the zip made."""
    space = at.space.record
    wanted = ArchiveWanted(organization=space.organization, space=space.id, user=prior.caller.user.id)
    return await prior.done(wanted, SECONDS)


async def give(call: Call, at: AtSpace, takes: Nothing) -> Archive:
    """Where the zip is fetched, for an hour."""
    space, made = at.space.record, call.prepared
    download = Download(space.organization, space.id, made["blob"], "application/zip")
    name = space.title.replace("/", "-").strip() or "Untitled"
    return Archive(call.view.app + call.signer.passing_path(download, f"{name}.zip", call.now), made["files"])


async def take(prior: Ahead, at: AtSpace, body: ArchiveImport) -> Json:
    """Have the zip read, and its content made that of the space."""
    space = at.space.record
    blob = prior.signer.read_upload(space.organization, body.key, prior.store.clock())
    wanted = ArchiveImportWanted(
        organization=space.organization, space=space.id, archive=blob, user=prior.caller.user.id
    )
    return await prior.done(wanted, SECONDS)


async def taken(call: Call, at: AtSpace, body: ArchiveImport) -> ArchiveImported:
    """What came of it."""
    made = call.prepared
    if await call.unit.revisions.get(made["revision"]) is None:
        raise NotFound("what was imported is not there any more")
    counts = made["counts"]
    return ArchiveImported(made["revision"], counts["pages"], counts["files"], made["warnings"])


def _present(archive: Archive, view: View) -> Archive:
    return archive


def _present_imported(imported: ArchiveImported, view: View) -> ArchiveImported:
    return imported


OPERATIONS = (
    reads("exportSpaceContent", "/spaces/{space}/content/export", give, _present,
          method="POST", before=make, needs="space.triggerGitSync", scope="space:read",
          summary="Get the content of a space as a zip of files"),
    writes("POST", "importSpaceContent", "/spaces/{space}/content/import", taken, _present_imported,
           before=take, lock="space", needs="space.triggerGitSync", scope="space:write", audit="space.content.import",
           summary="Make the content of an uploaded zip that of a space"),
)  # fmt: skip
