"""Jobs: work that was asked for."""

from __future__ import annotations

from typing import Literal

from octavo.kernel.records import Json, Record

FORGET_UPLOAD = "forget_upload"
"""The kind of the jobs that are the register of uploads: each waits until the bytes are to go."""
COLLECT = "collect"
"""The kind of the jobs that remove what nothing of an organization reaches."""


ONCE = frozenset(
    (
        "mail",
        "login_code",
        "login_failed",
        "fetch_files",
        "content_import",
        "integration_render",
        "integration_fetch",
        "integration_block",
    )
)
"""Kinds that are not begun anew when they failed: what they were told in confidence is forgotten by then, or whoever waited
for them has left."""


EXAMINE = "examine"
"""The kind of the jobs whose results say whether the installation is well."""


class Job(Record, frozen=True):
    id: str
    organization: str | None
    kind: str
    payload: Json
    state: Literal["waiting", "running", "done", "failed"]
    attempts: int
    run_at: int
    created_at: int
    finished_at: int | None = None
    error: str | None = None
    """A sentence, without credentials."""
    result: Json | None = None
    progress: Json | None = None
    lease: str | None = None
    lease_until: int | None = None

    @property
    def broken(self) -> bool:
        """Whether it failed for a reason of this installation, not of what was asked for."""
        return self.state == "failed" and (self.result or {}).get("broken") is True

    @property
    def late(self) -> bool:
        """Whether it failed because it took too long."""
        return self.broken and (self.result or {}).get("late") is True
