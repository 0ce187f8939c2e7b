"""PDFs of content."""

from __future__ import annotations

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
