"""All jobs on one page: what runs, how often it is tried, how long it may take, and which events ask for it."""

from __future__ import annotations

from octavo.jobs import git_import, reindex
from octavo.jobs.work import JobKind
from octavo.kernel.events import ContentChanged, Event, GitImportRequested
from octavo.store.unit import Reaction

JOBS: dict[str, JobKind] = {
    "git_import": JobKind(run=git_import.run, tries=3, seconds=900, failed=git_import.failed),
    "reindex": JobKind(run=reindex.run, tries=5, seconds=600),
}


def reactions(event: Event) -> list[Reaction]:
    """The jobs that an event asks for."""
    match event:
        case GitImportRequested():
            payload = event.payload | {"space": event.space, "user": event.user}
            return [Reaction("git_import", payload)]
        case ContentChanged():
            return [Reaction("reindex", {"space": event.space}, dedup=f"reindex {event.space}")]
        case _:
            return []
