"""Git: the repository of a space and its commits."""

from __future__ import annotations

from typing import Literal

from octavo.kernel.records import Record


class GitSync(Record, frozen=True):
    """The last Git operation of a space, and what it was about."""

    space: str
    organization: str
    url: str
    """Without credentials."""
    repo_name: str
    updated_at: int
    provider: str | None = None
    integration: str | None = None
    ref: str = ""
    directory: str = ""
    """Root of the content in the repository."""
    state: Literal["running", "failure", "success", "timeout"] = "running"
    direction: Literal["export", "import"] = "import"
    message: str | None = None
    ordered_at: int = 0
    """`timestamp` of the newest operation that was accepted; older ones are dropped unless forced."""
    operation: str | None = None
    """Which operation it is; one that is no longer the last says nothing here."""


class GitCommit(Record, frozen=True):
    """Where a revision came from, or went to, in Git."""

    oid: str
    message: str
    url: str | None = None
    ref: str | None = None
    created_by_service: bool = False
