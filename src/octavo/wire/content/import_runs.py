"""Imports as runs: what is asked for, how far it is, and what came of it."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta

from octavo.kernel import limits
from octavo.kernel.clock import iso
from octavo.kernel.records import imports as records
from octavo.wire.content.importing import ImportWarning
from octavo.wire.fields import Body, DateTime, Id, Located, Maybe, Shape, WebUrl, maybe
from octavo.wire.lists import ListQuery
from octavo.wire.view import View

AddressFormat = Literal[
    "website", "html", "markdown", "docx", "google-docs", "github-wiki", "zip", "notion", "confluence"
]
FileFormat = Literal["repository", "zip", "notion", "confluence", "docx", "html", "markdown"]
Status = Literal["pending", "in-progress", "completed", "failed", "cancelled"]


class WebsiteSource(Body, tag_field="type", tag="website", frozen=True):
    """Content at an address; without `format` the pages of a website."""

    url: WebUrl
    format: AddressFormat = "website"


class FileSource(Body, tag_field="type", tag="file", frozen=True):
    """Files that were uploaded; without `format` they are taken for what they look like."""

    files: Annotated[list[str], Meta(min_length=1, max_length=limits.IMPORT_FILES_MAX)]
    format: Maybe[FileFormat] = UNSET


class ImportTarget(Body, frozen=True):
    """Where the pages go: without `changeRequest` into one that the import opens."""

    space: Id
    change_request: Maybe[Id] = UNSET
    page: Maybe[Id] = UNSET


class StartImportRun(Body, frozen=True):
    """What to import, and where to."""

    source: WebsiteSource | FileSource
    target: ImportTarget
    site: Maybe[Id] = UNSET
    enhance: bool = True


class ImportRunsQuery(ListQuery, frozen=True):
    """`active` are those that wait or run."""

    space: Maybe[Id] = UNSET
    change_request: Maybe[Id] = UNSET
    site: Maybe[Id] = UNSET
    status: Maybe[Literal["active", "pending", "in-progress", "completed", "failed", "cancelled"]] = UNSET


class ShownSource(Shape, frozen=True):
    """Where the content comes from; an address is shown without user, password and query."""

    type: Literal["website", "file"]
    url: Maybe[str] = UNSET
    format: Maybe[str] = UNSET


class ShownTarget(Shape, frozen=True):
    """Where the pages go, or went."""

    space: str
    change_request: Maybe[str] = UNSET
    page: Maybe[str] = UNSET


class ImportProgress(Shape, frozen=True):
    """Pages and files: those that were had, and those that are known to be there so far."""

    done: int
    total: int
    step: Maybe[Literal["fetching", "reading", "writing"]] = UNSET


class ImportRunPage(Shape, frozen=True):
    """A page that was added."""

    id: str
    title: str
    type: Literal["page", "folder"] = "page"
    status: Literal["complete", "pending"] = "complete"


class ImportRun(Shape, tag_field="object", tag="import-run", frozen=True):
    """`reason` says why a run failed. `pages` and `warnings` are those of one that is over, and left out of lists."""

    id: str
    status: Status
    source: ShownSource
    target: ShownTarget
    created_by: str
    created_at: DateTime
    updated_at: DateTime
    progress: ImportProgress
    urls: Located
    site: Maybe[str] = UNSET
    started_at: Maybe[DateTime] = UNSET
    completed_at: Maybe[DateTime] = UNSET
    reason: Maybe[str] = UNSET
    revision: Maybe[str] = UNSET
    pages: Maybe[list[ImportRunPage]] = UNSET
    warnings: Maybe[list[ImportWarning]] = UNSET


def present(run: records.ImportRun, view: View) -> ImportRun:
    """The run as the API serves it."""
    pages = [ImportRunPage(id=one["id"], title=one["title"]) for one in run.pages]
    warnings = [ImportWarning(one["message"], maybe(one.get("page"))) for one in run.warnings]
    return _presented(run, view, pages, warnings)


def present_one_of(run: records.ImportRun, view: View) -> ImportRun:
    """The same in a list."""
    return _presented(run, view, UNSET, UNSET)


def _presented(
    run: records.ImportRun, view: View, pages: Maybe[list[ImportRunPage]], warnings: Maybe[list[ImportWarning]]
) -> ImportRun:
    return ImportRun(
        id=run.id,
        status=run.status,
        source=ShownSource(run.kind, maybe(run.url), maybe(run.format)),
        target=ShownTarget(run.space, maybe(run.change_request), maybe(run.page)),
        created_by=run.created_by,
        created_at=iso(run.created_at),
        updated_at=iso(run.updated_at),
        progress=ImportProgress(run.done, run.total, maybe(run.step)),  # type: ignore[arg-type]
        urls=Located(view.location("orgs", run.organization, "imports", run.id)),
        site=maybe(run.site),
        started_at=maybe(None if run.started_at is None else iso(run.started_at)),
        completed_at=maybe(None if run.finished_at is None else iso(run.finished_at)),
        reason=maybe(run.message),
        revision=maybe(run.revision),
        pages=pages,
        warnings=warnings,
    )
