"""Importing content from an address: what is asked for, and what came of it."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from octavo.wire.fields import Body, Shape, WebUrl

Source = Literal["website", "docx", "markdown", "html", "zip", "confluence", "github-wiki", "notion", "google-docs"]


class ContentImport(Body, frozen=True):
    """Where content is fetched from, and what it is."""

    url: WebUrl
    source: Source


class ContentImported(Shape, frozen=True):
    """What an import added."""

    revision: str
    imported_resources: Annotated[int, Meta(description="Pages and files that were taken over")]
    total_resources: Annotated[int, Meta(description="Pages and files that were found")]
