"""All jobs on one page: what runs, how often it is tried, how long it may take, and which events ask for it."""

from __future__ import annotations

from octavo.jobs import content_import, copy_content, fetch_files, git_import, pdf, purge, reindex, relink
from octavo.jobs.work import JobKind
from octavo.kernel.events import (
    ContentChanged,
    ContentCopyWanted,
    ContentImportRequested,
    Event,
    FilesWanted,
    GitImportRequested,
    PdfWanted,
    SpaceDeleted,
)
from octavo.store.unit import Reaction

JOBS: dict[str, JobKind] = {
    "git_import": JobKind(run=git_import.run, tries=3, seconds=900, failed=git_import.failed),
    "copy_content": JobKind(run=copy_content.run, tries=2, seconds=3600),
    "content_import": JobKind(run=content_import.run, tries=1, seconds=content_import.SECONDS),
    "fetch_files": JobKind(run=fetch_files.run, tries=1, seconds=120),
    "pdf": JobKind(run=pdf.run, tries=2, seconds=pdf.SECONDS),
    "purge_space": JobKind(run=purge.run, tries=5, seconds=3600),
    "relink": JobKind(run=relink.run, tries=5, seconds=600),
    "reindex": JobKind(run=reindex.run, tries=5, seconds=600),
}


def reactions(event: Event) -> list[Reaction]:
    """The jobs that an event asks for."""
    match event:
        case GitImportRequested():
            payload = event.payload | {"space": event.space, "user": event.user}
            return [Reaction("git_import", payload)]
        case FilesWanted():
            return [Reaction("fetch_files", {"sealed_urls": event.sealed_urls, "user": event.user})]
        case ContentImportRequested():
            payload = {"source": event.source, "sealed_url": event.sealed_url, "user": event.user}
            return [Reaction("content_import", payload)]
        case PdfWanted():
            return [Reaction("pdf", {"order": event.order, "user": event.user}, dedup=event.blob)]
        case SpaceDeleted():
            payload = {"space": event.space, "deleted_at": event.deleted_at}
            return [*_following(event.space), Reaction("purge_space", payload, delay=purge.DAYS)]
        case ContentCopyWanted():
            payload = {"organization": event.organization, "to": event.to, "spaces": event.spaces, "user": event.user}
            return [Reaction("copy_content", payload)]
        case ContentChanged():
            return _following(event.space)
        case _:
            return []


def _following(space: str) -> list[Reaction]:
    """What follows the content of a space."""
    return [Reaction(kind, {"space": space}, dedup=f"{kind} {space}") for kind in ("reindex", "relink")]
