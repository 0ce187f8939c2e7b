"""Git: what a space was last synchronised with, and the bodies that start imports and exports, or follow a branch."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta, field

from octavo.kernel import limits
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


class GitStep(Shape, frozen=True):
    """A line of an operation's log."""

    at: DateTime
    message: str


class GitOperationView(Shape, frozen=True):
    """An operation in the queue of its space; `log` only where one is asked for alone."""

    id: str
    state: Literal["queued", "running", "success", "failure", "timeout", "ignored"]
    direction: Literal["import", "export", "sync"]
    url: str
    ref: str
    created_at: DateTime
    attempts: int
    started_at: Maybe[DateTime] = UNSET
    ended_at: Maybe[DateTime] = UNSET
    retry_at: Maybe[DateTime] = UNSET
    """When it is tried again."""
    message: Maybe[str] = UNSET
    revision: Maybe[str] = UNSET
    oid: Maybe[str] = UNSET
    """The commit at which the branch was then."""
    commit_url: Maybe[str] = field(name="commitURL", default=UNSET)
    change_request: Maybe[str] = UNSET
    """Holds what both sides changed in ways that contradict each other."""
    log: Maybe[list[GitStep]] = UNSET


class GitProvider(Body, frozen=True):
    provider: Literal["github", "gitlab"]
    url: Url2048


class _Transfer(Body, frozen=True, kw_only=True):
    """What is said of a repository, whichever way content goes."""

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
    git_info: Maybe[GitProvider] = UNSET


class ImportGit(_Transfer, frozen=True, kw_only=True):
    """`POST …/git/import`."""

    force: bool = False
    standalone: bool = False
    """Make a revision, leave primary content alone."""


class ExportGit(_Transfer, frozen=True, kw_only=True):
    """`POST …/git/export`."""

    commit_message: Annotated[str, Meta(min_length=1, max_length=limits.GIT_MESSAGE_MAX)]
    force: bool = False
    """What the space holds counts, also where the branch was edited since both were the same."""


Provider = Literal["github", "gitlab", "gitea", "bitbucket", "generic"]


class ConnectGit(Body, frozen=True):
    """`PUT …/git/connection`: the whole of it; a token that is not sent stays the one that was given before."""

    url: Annotated[Url2048, Meta(description="Of the repository, by https, http or ssh; may hold a name and a token")]
    ref: BranchRef
    directory: Maybe[Annotated[str, Meta(max_length=1024)]] = UNSET
    """Where the content lies in the repository."""
    first: Literal["git", "space"] = "git"
    """Whose content counts where both were never the same."""
    username: Maybe[Annotated[str, Meta(max_length=256)]] = UNSET
    token: Maybe[Annotated[str, Meta(max_length=4096)] | None] = UNSET
    """Of the host; null takes it away. It is never shown."""
    host_key: Maybe[Annotated[str, Meta(max_length=2048)]] = UNSET
    """The key that the host of an ssh address has to show, as `ssh-keyscan` prints it."""
    provider: Maybe[Provider] = UNSET
    poll_minutes: Maybe[Annotated[int, Meta(ge=1, le=1440)] | None] = UNSET
    """How often it is looked whether either side changed; null = only when it is asked for."""
    paused: bool = False


class GitConnectionView(Shape, frozen=True):
    """The branch that a space or a site is kept the same as."""

    url: str
    ref: str
    directory: str
    first: Literal["git", "space"]
    has_token: bool
    takes_pushes: bool
    """Whether the host may post to it when somebody pushes."""
    paused: bool
    created_at: DateTime
    updated_at: DateTime
    username: Maybe[str] = UNSET
    provider: Maybe[Provider] = UNSET
    poll_minutes: Maybe[int] = UNSET
    public_key: Maybe[str] = UNSET
    """The deploy key that the host has to know, of an ssh address."""
    host_key: Maybe[str] = UNSET


class SyncSite(Body, frozen=True):
    """`POST …/sites/{site}/git/sync`."""

    keep: Maybe[Literal["git", "site"]] = UNSET
    """Whose structure counts where the file and the site contradict each other; without it that is a failure which says
    what does."""


class GitSiteSpace(Shape, frozen=True):
    """A space of a site and its directory, in one operation."""

    directory: str
    space: str
    state: Literal["queued", "running", "success", "failure", "timeout"]
    operation: Maybe[str] = UNSET
    """Of the space: where its own log is."""
    message: Maybe[str] = UNSET


class GitSiteGone(Shape, frozen=True):
    """A space that the site shows no more; it is still there."""

    space: str
    title: str


class GitSiteOperationView(Shape, frozen=True):
    """An operation in the queue of its site: structure first, then each space; `log` only where one is asked for alone."""

    id: str
    state: Literal["queued", "running", "success", "failure", "timeout"]
    stage: Literal["structure", "spaces"]
    url: str
    ref: str
    created_at: DateTime
    attempts: int
    spaces: list[GitSiteSpace]
    gone: list[GitSiteGone]
    started_at: Maybe[DateTime] = UNSET
    ended_at: Maybe[DateTime] = UNSET
    retry_at: Maybe[DateTime] = UNSET
    """When it is tried again."""
    message: Maybe[str] = UNSET
    oid: Maybe[str] = UNSET
    """The commit that held the structure."""
    log: Maybe[list[GitStep]] = UNSET


class GitWebhook(Shape, frozen=True):
    """Where the host posts to, and the secret that it signs with, which is told once."""

    url: str
    secret: str


def present_connection(connection: records.Connected) -> GitConnectionView:
    """The connection without its secrets."""
    return GitConnectionView(
        url=connection.url,
        ref=connection.ref,
        directory=connection.directory,
        first=connection.first,
        has_token=connection.sealed_token is not None,
        takes_pushes=connection.sealed_webhook_secret is not None,
        paused=connection.paused,
        created_at=iso(connection.created_at),
        updated_at=iso(connection.updated_at),
        username=maybe(connection.username),
        provider=maybe(connection.provider),
        poll_minutes=maybe(connection.poll_minutes),
        public_key=maybe(connection.public_key),
        host_key=maybe(connection.host_key),
    )


def present_operation(operation: records.GitOperation, *, logged: bool) -> GitOperationView:
    """One operation, with its log where it is asked for alone."""
    return GitOperationView(
        id=operation.id,
        state=operation.state,
        direction=operation.direction,
        url=operation.url,
        ref=operation.ref,
        created_at=iso(operation.created_at),
        attempts=operation.attempts,
        started_at=_time(operation.started_at),
        ended_at=_time(operation.ended_at),
        retry_at=_time(operation.retry_at),
        message=maybe(operation.message),
        revision=maybe(operation.revision),
        oid=maybe(operation.oid),
        commit_url=maybe(operation.commit_url),
        change_request=maybe(operation.change_request),
        log=[GitStep(iso(step["at"]), step["message"]) for step in operation.log] if logged else UNSET,
    )


def present_site_operation(operation: records.GitSiteOperation, *, logged: bool) -> GitSiteOperationView:
    """One operation of a site, with its log where it is asked for alone."""
    return GitSiteOperationView(
        id=operation.id,
        state=operation.state,
        stage=operation.phase,
        url=operation.url,
        ref=operation.ref,
        created_at=iso(operation.created_at),
        attempts=operation.attempts,
        spaces=[
            GitSiteSpace(**{name: value for name, value in one.items() if name != "first"}) for one in operation.spaces
        ],
        gone=[GitSiteGone(**one) for one in operation.gone],
        started_at=_time(operation.started_at),
        ended_at=_time(operation.ended_at),
        retry_at=_time(operation.retry_at),
        message=maybe(operation.message),
        oid=maybe(operation.oid),
        log=[GitStep(iso(step["at"]), step["message"]) for step in operation.log] if logged else UNSET,
    )


def _time(at: int | None) -> Maybe[DateTime]:
    return UNSET if at is None else iso(at)


def present(sync: records.GitSync) -> GitInfo:
    """What was synchronised; the space stands for the installation that did it."""
    return GitInfo(
        repo_name=sync.repo_name,
        url=sync.tree_url or sync.url,
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
