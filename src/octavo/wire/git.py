"""Git: what a space was last synchronised with, and the bodies that start imports and exports, or follow a branch."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta, convert, field

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


Pattern = Annotated[str, Meta(min_length=1, max_length=200)]


class GitPreviews(Body, frozen=True):
    """Which other branches of the repository become change requests, and what their host is told of them."""

    branches: Annotated[list[Pattern], Meta(min_length=1, max_length=20)] = field(default_factory=lambda: ["*"])
    """Short names; `*` and `?` stand for any letters. Tags, and the branch of the space itself, never count."""
    most: Annotated[int, Meta(ge=1, le=limits.GIT_BRANCHES_OPEN_MAX)] = 10
    """Change requests that follow branches at a time; further branches wait."""
    push: bool = True
    """Whether edits in such a change request are pushed to its branch."""
    forks: bool = False
    """Whether pull requests from other repositories count too; nothing is ever pushed to them."""
    context: Annotated[str, Meta(min_length=1, max_length=100)] = "octavo"
    """What the status of a commit is called at the host."""
    comment: bool = True
    """Whether a pull request gets a comment with the address of the preview."""


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
    previews: Maybe[GitPreviews | None] = UNSET
    """Makes change requests of other branches; left out or null, none."""
    api_token: Maybe[Annotated[str, Meta(min_length=1, max_length=4096)] | None] = UNSET
    """For statuses and comments, where `token` is not for them; null takes it away. It is never shown."""


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
    previews: Maybe[GitPreviews] = UNSET
    has_api_token: bool = False
    pulls_message: Maybe[str] = UNSET
    """Why the host could not be asked for its pull requests when that was last tried."""


class GitPull(Shape, frozen=True):
    """The pull request, or merge request, of a branch."""

    number: int
    state: Literal["open", "closed", "merged"]
    title: Maybe[str] = UNSET
    url: Maybe[str] = UNSET


class GitTold(Shape, frozen=True):
    """What the host knows of a branch."""

    state: Literal["pending", "success", "failure"]
    """What it is told, of the commit `oid`."""
    oid: str
    told: bool
    """Whether it has been told this."""
    told_at: Maybe[DateTime] = UNSET
    comment: Maybe[str] = UNSET
    """The comment of the pull request, as the host names it."""
    retry_at: Maybe[DateTime] = UNSET
    message: Maybe[str] = UNSET
    """Why it does not know."""


class GitBranchView(Shape, frozen=True):
    """A branch that a change request follows."""

    id: str
    ref: str
    state: Literal["waiting", "open", "merged", "closed"]
    """`waiting`: it has no change request, as `message` explains."""
    created_at: DateTime
    updated_at: DateTime
    oid: Maybe[str] = UNSET
    """The commit that was read last."""
    change_request: Maybe[str] = UNSET
    pull_request: Maybe[GitPull] = UNSET
    status: Maybe[GitTold] = UNSET
    message: Maybe[str] = UNSET


class TryGit(Body, frozen=True):
    """`POST …/git/try`: what is about to be connected. A token that is not sent is the one that is kept for the same host."""

    url: Annotated[Url2048, Meta(description="Of the repository, by https or http; it holds neither name nor token")]
    username: Maybe[Annotated[str, Meta(max_length=256)]] = UNSET
    token: Maybe[Annotated[str, Meta(max_length=4096)]] = UNSET


class GitTried(Shape, frozen=True):
    """A repository that can be read."""

    branches: Annotated[list[str], Meta(description="Short names, sorted; at most 200")]
    writable: Annotated[bool, Meta(description="Whether it takes pushes")]
    message: Maybe[str] = UNSET
    """Why it takes none."""


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
    """The connection without its secrets; only that of a space makes change requests of branches."""
    own = connection if isinstance(connection, records.GitConnection) else None
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
        previews=UNSET if own is None or own.previews is None else convert(own.previews, GitPreviews),
        has_api_token=own is not None and own.sealed_api_token is not None,
        pulls_message=UNSET if own is None else maybe(own.pulls_message),
    )


def present_branch(branch: records.GitBranch) -> GitBranchView:
    """A branch with its pull request, and what its host knows."""
    return GitBranchView(
        id=branch.id,
        ref=branch.ref,
        state=branch.state,
        created_at=iso(branch.created_at),
        updated_at=iso(branch.updated_at),
        oid=branch.oid or UNSET,
        change_request=maybe(branch.change_request),
        pull_request=UNSET
        if branch.pull is None
        else GitPull(branch.pull, branch.pull_state or "open", maybe(branch.title), maybe(branch.link)),
        status=UNSET if branch.status is None or not branch.head else _told(branch, branch.status),
        message=maybe(branch.message),
    )


def _told(branch: records.GitBranch, state: Literal["pending", "success", "failure"]) -> GitTold:
    return GitTold(
        state=state,
        oid=branch.head,
        told=branch.told is not None and branch.untold is None,
        told_at=_time(branch.told_at),
        comment=maybe(branch.comment),
        retry_at=_time(branch.told_next),
        message=maybe(branch.untold),
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
