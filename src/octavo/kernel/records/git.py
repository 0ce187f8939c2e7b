"""Git: the repository of a space and its commits."""

from __future__ import annotations

from typing import Literal

from octavo.kernel.records import Json, Record


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
    tree_url: str | None = None
    """Where people see the repository; `url` where nobody said so."""


class GitCommit(Record, frozen=True):
    """Where a revision came from, or went to, in Git."""

    oid: str
    message: str
    url: str | None = None
    ref: str | None = None
    created_by_service: bool = False


class GitOperation(Record, frozen=True):
    """One import, export or synchronisation: asked for, waiting, at work, ended."""

    id: str
    organization: str
    space: str
    number: int
    """1, 2, 3 … within the space: their turns."""
    direction: Literal["import", "export", "sync"]
    state: Literal["queued", "running", "success", "failure", "timeout", "ignored"]
    url: str
    """Without credentials."""
    ref: str
    directory: str
    payload: Json
    """What was asked for; the address with its credentials is in it only sealed."""
    ordered_at: int
    created_at: int
    attempts: int = 0
    started_at: int | None = None
    ended_at: int | None = None
    retry_at: int | None = None
    """When it is tried again, where the last attempt came to nothing."""
    message: str | None = None
    log: list[Json] = []
    """{at, message}: what was done, step by step."""
    revision: str | None = None
    """What it made of the space, or took from it."""
    oid: str | None = None
    """The commit that the branch then was at."""
    commit_url: str | None = None
    change_request: str | None = None
    """Holds what could not be joined."""
    user: str | None = None


class GitBase(Record, frozen=True):
    """Where a space and a branch were last the same: what further operations compare both with."""

    space: str
    organization: str
    url: str
    ref: str
    directory: str
    revision: str = ""
    """Holds what the branch held; empty before both were ever the same."""
    oid: str = ""
    """The commit of the branch."""
    read_as: str | None = None
    """What else than the commit decided what the revision holds: the version of the reader and the address for files
    beside the content. Where another reading would say the same, only what changed since is read."""
    pushed_revision: str | None = None
    """What is being pushed; when the process dies meanwhile, the branch may hold it or not."""
    pushed_oid: str | None = None
    held_request: str | None = None
    """The change request that holds what could not be joined."""
    held_revision: str | None = None
    held_oid: str | None = None

    def is_of(self, url: str, ref: str, directory: str) -> bool:
        """Whether it is about this place."""
        return (self.url, self.ref, self.directory) == (url, ref, directory)


class TakenPost(Record, frozen=True):
    """A post of a Git host that was taken, so that it is taken once."""

    digest: str
    organization: str
    taken_at: int


class GitPush(TakenPost, frozen=True, kw_only=True):
    """One to a space."""

    space: str


class GitSitePush(TakenPost, frozen=True, kw_only=True):
    """One to a site."""

    site: str


class Connected(Record, frozen=True):
    """A branch that something is kept the same as, both ways."""

    organization: str
    url: str
    """Without credentials."""
    ref: str
    directory: str
    first: Literal["git", "space"]
    """Whose content counts where both were never the same."""
    created_by: str
    created_at: int
    updated_at: int
    provider: Literal["github", "gitlab", "gitea", "bitbucket", "generic"] | None = None
    username: str | None = None
    sealed_token: str | None = None
    sealed_webhook_secret: str | None = None
    sealed_key: str | None = None
    """The deploy key with which it comes in by SSH, as OpenSSH writes it."""
    public_key: str | None = None
    host_key: str | None = None
    """The key that the host has to show."""
    poll_minutes: int | None = None
    """How often it is looked whether either side changed; None = only when it is asked for or told."""
    paused: bool = False


class GitConnection(Connected, frozen=True, kw_only=True):
    """A branch that a space is kept the same as."""

    space: str
    previews: Json | None = None
    """Which other branches become change requests: {branches, most, push, forks, context, comment}; None = none do."""
    sealed_api_token: str | None = None
    """For the API of the host, where it is another than the one for the repository."""
    pulls_message: str | None = None
    """Why the host could not be asked for its pull requests when that was last tried."""


class GitSiteConnection(Connected, frozen=True, kw_only=True):
    """A branch that a site is kept the same as: `directory` is the folder of its `docs.yaml`."""

    site: str


class GitSiteOperation(Record, frozen=True):
    """Bringing a site and its branch together: first its structure, then each of its spaces."""

    id: str
    organization: str
    site: str
    number: int
    """1, 2, 3 … within the site: their turns."""
    state: Literal["queued", "running", "success", "failure", "timeout"]
    url: str
    ref: str
    directory: str
    created_at: int
    phase: Literal["structure", "spaces"] = "structure"
    keep: Literal["git", "site"] | None = None
    """Whose structure counts where both sides changed one thing; None = that is a failure which says so."""
    quiet: bool = False
    """Nobody asked for it: where nothing was to do, it is forgotten."""
    attempts: int = 0
    changed: bool = False
    """Whether the structure of either side changed by it, or the content of a space."""
    started_at: int | None = None
    ended_at: int | None = None
    retry_at: int | None = None
    message: str | None = None
    log: list[Json] = []
    """{at, message}: what was done, step by step."""
    oid: str | None = None
    """The commit that held the structure."""
    spaces: list[Json] = []
    """{directory, space, state, operation?, message?}: in their order; one is at work at a time."""
    gone: list[Json] = []
    """{space, title}: what the site shows no more; the spaces themselves stay."""
    user: str | None = None


class GitSiteBase(Record, frozen=True):
    """Where a site and a branch were last the same: what the next operation compares both with."""

    site: str
    organization: str
    url: str
    ref: str
    directory: str
    oid: str
    file: str
    """The `docs.yaml` of the branch."""
    described: str
    """The structure of the site, written the same way, with the keys of the file."""
    keys: Json
    """What a key of the file, with its type in front, is called on the site: its id."""
    spaces: Json
    """Space -> directory of its content."""

    def is_of(self, url: str, ref: str, directory: str) -> bool:
        """Whether it is about this place."""
        return (self.url, self.ref, self.directory) == (url, ref, directory)


class GitBranch(Record, frozen=True):
    """A branch, or a pull request from elsewhere, that a change request of a space follows."""

    id: str
    space: str
    organization: str
    ref: str
    state: Literal["waiting", "open", "merged", "closed"]
    """`waiting`: there is no change request yet."""
    created_at: int
    updated_at: int
    oid: str = ""
    """The commit of the branch that was last read."""
    revision: str = ""
    """Holds what the branch held then."""
    base_oid: str = ""
    """The commit from which the branch goes on beside the branch of the space."""
    base_revision: str = ""
    pushed_revision: str | None = None
    pushed_oid: str | None = None
    """As those of a `GitBase`."""
    change_request: str | None = None
    message: str | None = None
    """Why it is not further."""
    pull: int | None = None
    """The number of its pull request."""
    pull_state: Literal["open", "closed", "merged"] | None = None
    title: str | None = None
    link: str | None = None
    """Where people see the pull request."""
    archived: bool = False
    """The change request was archived because of what happened to the branch."""
    head: str = ""
    """The commit that the host is told of."""
    status: Literal["pending", "success", "failure"] | None = None
    """What it is told."""
    told: str | None = None
    """What it was told last: a digest of all of it."""
    told_at: int | None = None
    comment: str | None = None
    """The one comment of the pull request, as the host names it."""
    tries: int = 0
    """Times that it could not be told since it last was."""
    untold: str | None = None
    """Why the host does not know yet."""
    told_next: int | None = None
    """When it is tried again."""
