"""PDFs of content."""

from __future__ import annotations

from typing import Literal

from msgspec import UNSET

from octavo.wire.fields import Maybe, Query, Shape


class PdfQuery(Query, frozen=True):
    """What of the content; without a page, all of it."""

    page: Maybe[str] = UNSET
    """Id of a page: that page and what is below it."""
    only: bool = False
    """That page alone."""


class Pdf(Shape, frozen=True):
    """Where the PDF is fetched; for an hour."""

    url: str


class PdfProgress(Shape, frozen=True):
    """How far a PDF is: `absent` until somebody asks for it, and after it failed; `done` of `total` pages are set."""

    state: Literal["absent", "waiting", "running", "ready"]
    done: Maybe[int] = UNSET
    total: Maybe[int] = UNSET
    job: Maybe[str] = UNSET
    """Its id."""
