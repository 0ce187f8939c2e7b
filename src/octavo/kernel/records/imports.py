"""Records of imports: content that somebody wants in a space, how far that is, and what came of it."""

from __future__ import annotations

from typing import Literal

from octavo.kernel.records import Json, Record

ImportStatus = Literal["pending", "in-progress", "completed", "failed", "cancelled"]
ACTIVE: tuple[ImportStatus, ...] = ("pending", "in-progress")


class ImportRun(Record, frozen=True):
    """One time that content was brought into a space."""

    id: str
    organization: str
    space: str
    status: ImportStatus
    kind: Literal["website", "file"]
    format: str | None
    """What is read; None = files say themselves what they are."""
    url: str | None
    """As it may be shown: without user and password."""
    files: int
    created_by: str
    created_at: int
    updated_at: int
    change_request: str | None = None
    """Where the pages are, or will be; None until an import has made one of its own."""
    page: str | None = None
    """Below which the pages stand."""
    site: str | None = None
    started_at: int | None = None
    finished_at: int | None = None
    message: str | None = None
    """Why it failed; a sentence."""
    step: str | None = None
    """fetching, reading or writing, while it is in progress."""
    done: int = 0
    """Pages and files that were had so far; in the end those that were taken over."""
    total: int = 0
    """That are known to be there so far; in the end those that were found."""
    revision: str | None = None
    pages: list[Json] = []
    """{id, title} of the pages that were added, in their order."""
    warnings: list[Json] = []
    """{message, page?}"""

    @property
    def over(self) -> bool:
        """Whether nothing more becomes of it."""
        return self.status not in ACTIVE
