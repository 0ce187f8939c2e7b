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


class ContentImported(Shape, frozen=True):
    """What an import added."""

    revision: str
    imported_resources: Annotated[int, Meta(description="Pages and files that were taken over")]
    total_resources: Annotated[int, Meta(description="Pages and files that were found")]
