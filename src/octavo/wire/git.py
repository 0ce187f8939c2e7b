"""Git: what a space was last synchronised with, and the body that starts an import."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta, field

from octavo.kernel.clock import iso
from octavo.kernel.ids import made_at
from octavo.kernel.records import git as records
from octavo.wire.fields import Body, DateTime, Instant, Maybe, Shape, Url2048, matching, maybe

BranchRef = Annotated[
    str,
    matching(r"^refs/heads/[^\s~^:?*\[\\]+", "the name of a branch in full, as in refs/heads/main", max_length=512),
]


class GitOperation(Shape, frozen=True):
    """The last import or export."""

    state: Literal["running", "failure", "success", "timeout"]
    direction: Literal["export", "import"]
    started_at: DateTime
    ended_at: Maybe[DateTime] = UNSET
    message: Maybe[str] = UNSET


class GitInfo(Shape, frozen=True):
    """Served as the space's `gitSync` and by `GET …/git/info`."""

    repo_name: str
    url: str
    updated_at: DateTime
    installation_status: Literal["unauthenticated", "active", "pending"]
    installation_id: str
    installation_provider: Maybe[str] = UNSET
    integration: Maybe[str] = UNSET
    operation: Maybe[GitOperation] = UNSET


class GitProvider(Body, frozen=True):
    provider: Literal["github", "gitlab"]
    url: Url2048


class ImportGit(Body, frozen=True):
    """`POST …/git/import`."""

    url: Annotated[Url2048, Meta(description="Of the repository; may hold a name and a password")]
    ref: BranchRef
    repo_cache_id: Maybe[str] = field(name="repoCacheID", default=UNSET)
    repo_tree_url: Maybe[Url2048] = field(name="repoTreeURL", default=UNSET)
    """Prefix of addresses of files in the repository."""
    repo_commit_url: Maybe[Url2048] = field(name="repoCommitURL", default=UNSET)
    """Prefix of addresses of commits."""
    repo_project_directory: Maybe[Annotated[str, Meta(max_length=1024)]] = UNSET
    timestamp: Maybe[Instant] = UNSET
    """Orders operations: an older one than the newest accepted does nothing."""
    force: bool = False
    standalone: bool = False
    """Make a revision, leave primary content alone."""
    git_info: Maybe[GitProvider] = UNSET


def present(sync: records.GitSync) -> GitInfo:
    """What was synchronised; the space stands for the installation that did it."""
    return GitInfo(
        repo_name=sync.repo_name,
        url=sync.url,
        updated_at=iso(sync.updated_at),
        installation_status="active",
        installation_id=sync.space,
        installation_provider=maybe(sync.provider),
        integration=maybe(sync.integration),
        operation=_operation(sync),
    )


def _operation(sync: records.GitSync) -> GitOperation:
    """Begun when it was asked for, which its id tells; one that does not run any more changed nothing since its end."""
    started = sync.updated_at if sync.operation is None else made_at(sync.operation)
    ended = UNSET if sync.state == "running" else iso(sync.updated_at)
    return GitOperation(sync.state, sync.direction, iso(started), ended, maybe(sync.message))
