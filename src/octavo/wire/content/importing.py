"""Importing content from an address: what is asked for, and what came of it."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta

from octavo.wire.fields import Body, Maybe, Shape, WebUrl

Source = Literal["website", "docx", "markdown", "html", "zip", "confluence", "github-wiki", "notion", "google-docs"]


class ContentImport(Body, frozen=True):
    """Where content is, and what it is: either an address, or the key of a file that was uploaded."""

    source: Source
    url: Maybe[WebUrl] = UNSET
    key: Maybe[str] = UNSET
    """Of `POST /orgs/{organization}/storage/upload`."""


class ImportedPage(Shape, frozen=True):
    """A page that was added."""

    id: str
    title: str


class ImportWarning(Shape, frozen=True):
    """Something that was left out, or is not as it was: a sentence, and the page to look at where there is one."""

    message: str
    page: Maybe[str] = UNSET


class ContentImported(Shape, frozen=True):
    """What an import added."""

    revision: str
    imported_resources: Annotated[int, Meta(description="Pages and files that were taken over")]
    total_resources: Annotated[int, Meta(description="Pages and files that were found")]
    pages: Annotated[list[ImportedPage], Meta(description="The pages that were added, in their order")]
    warnings: Annotated[list[ImportWarning], Meta(description="What was left out; at most 100")]
