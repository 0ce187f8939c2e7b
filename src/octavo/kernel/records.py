"""Records: what the store keeps of each resource, as plain frozen values; times are milliseconds since 1970 (UTC)."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

Role = Literal["read", "comment", "edit", "review", "create", "admin"]
ROLES: tuple[Role, ...] = ("read", "comment", "edit", "review", "create", "admin")
"""Cumulative, weakest first."""

Level = Literal["inherit", "read", "comment", "edit", "review", "create", "admin"]
"""A `defaultLevel`; None is nobody but holders of grants and admins of the organization."""

Json = dict[str, Any]


class Record(msgspec.Struct, frozen=True, kw_only=True):
    """The base of all records."""


class User(Record, frozen=True, kw_only=True):
    id: str
    email: str
    """As written; compares by its lower-cased form."""
    name: str
    photo_url: str | None = None
    created_at: int = 0
    email_verified: bool = False
    """Somebody showed that the address is hers, or the operator says so."""
    deleted_at: int | None = None
    """Nobody comes in any more; removed when its days are over, unless it is restored."""


class Token(Record, frozen=True, kw_only=True):
    id: str
    user: str
    hash: str
    label: str = ""
    scopes: list[str] | None = None
    """None = every scope."""
    provider: str | None = None
    """The SAML provider that proved who made it; None = a password, a code by mail, or the command line did."""
    created_at: int = 0
    expires_at: int | None = None
    last_used_at: int | None = None


Proof = Literal["password", "code", "saml"]
"""What shows who somebody is who signs in."""


class Session(Record, frozen=True, kw_only=True):
    """A browser that is signed in."""

    id: str
    user: str
    hash: str
    """Of the cookie's value."""
    how: Proof
    provider: str | None = None
    """With `saml`: the id of the provider."""
    created_at: int
    used_at: int
    """True within minutes."""
    expires_at: int
    """When it ends, however much it is used."""


class LoginCode(Record, frozen=True, kw_only=True):
    """A code that was asked for by mail, and waits to be typed."""

    visit: str
    """Hash of the word in the cookie of the browser that asked: the code serves nowhere else."""
    sealed_email: str
    """What was typed as the address; it may be anything, a password too."""
    sign: str
    """Signature of the code, which is told by mail only."""
    tries: int = 0
    expires_at: int


class Organization(Record, frozen=True, kw_only=True):
    id: str
    title: str
    created_at: int
    hostname: str | None = None
    default_role: Role | None = None
    """What new members become; None = guests."""
    email_domains: list[str] = []
    default_content: str | None = None
    """Id of the site that the organization's hostname shows."""
    logo: str | None = None
    sso: bool = False
    ai: bool = True
    invite_links: bool = True
    use_case: str | None = None
    community_type: str | None = None
    merge_rules: Json | None = None
    deleted_at: int | None = None
    """Nobody sees it any more; removed when its days are over, unless it is restored."""


class Member(Record, frozen=True, kw_only=True):
    organization: str
    user: str
    role: Role | None
    """None = guest."""
    joined_at: int
    last_seen_at: int | None = None
    disabled: bool = False
    sso: bool = False
    """Comes in by the organization's single sign-on."""


class Team(Record, frozen=True, kw_only=True):
    id: str
    organization: str
    title: str
    created_at: int


class TeamMember(Record, frozen=True, kw_only=True):
    """Somebody's place in a team."""

    organization: str
    team: str
    user: str
    role: Literal["owner", "member"] = "member"
    """Owners say who is in the team."""


class Collection(Record, frozen=True, kw_only=True):
    id: str
    organization: str
    title: str
    position: str
    created_at: int
    description: str | None = None
    parent: str | None = None
    default_level: Level | None = "inherit"


class Space(Record, frozen=True, kw_only=True):
    id: str
    organization: str
    title: str
    emoji: str
    position: str
    created_at: int
    updated_at: int
    revision: str
    """The head of primary content."""
    parent: str | None = None
    icon: str | None = None
    """Address of an icon image; exclusive with an emoji that was set."""
    edit_mode: Literal["live", "locked"] = "locked"
    default_level: Level | None = "inherit"
    language: str | None = None
    merge_rules: Json | None = None
    deleted_at: int | None = None
    comments: int = 0
    change_requests: int = 0
    change_requests_open: int = 0
    change_requests_draft: int = 0


class GitSync(Record, frozen=True, kw_only=True):
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


class GitCommit(Record, frozen=True, kw_only=True):
    """Where a revision came from, or went to, in Git."""

    oid: str
    message: str
    url: str | None = None
    ref: str | None = None
    created_by_service: bool = False


class Revision(Record, frozen=True, kw_only=True):
    id: str
    organization: str
    space: str
    root: bytes
    """Digest of the `content.revision.Root` object."""
    parents: list[str]
    type: Literal["edits", "rollback", "update", "merge", "computed"]
    created_at: int
    author: str | None = None
    git: GitCommit | None = None
    merged_from: str | None = None
    """The change request that a merge brought in."""
    conflicts: list[Json] | None = None
    """What a merge or an update could not decide; `content.merge.Conflict` each."""


class ChangeRequest(Record, frozen=True, kw_only=True):
    """A proposed edit of a space: a line of revisions of its own, until it is merged."""

    id: str
    organization: str
    space: str
    number: int
    """1, 2, 3 … within the space."""
    subject: str
    status: Literal["draft", "open", "archived", "merged"]
    created_by: str
    created_at: int
    updated_at: int
    revision: str
    """The head of its own line; without edits it is `revision_initial`."""
    revision_initial: str
    """The head of primary content when it was created."""
    merged_ancestor: str | None = None
    """The head of primary content that was last brought into it."""
    revision_merged: str | None = None
    merged_at: int | None = None
    merged_by: str | None = None
    comments: int = 0
    """Open ones."""
    description: Json | None = None
    """A document."""
    links: list[Json] = []
    """{id, ref, title?}: addresses elsewhere."""

    @property
    def base(self) -> str:
        """The newest revision of primary content that it holds."""
        return self.merged_ancestor or self.revision_initial

    def outdated(self, head: str) -> bool:
        """Whether primary content, whose newest revision is `head`, holds what this does not; merged, it is past that."""
        return self.status != "merged" and head != self.base


class RequestedReviewer(Record, frozen=True, kw_only=True):
    """A user or a team that was asked to review a change request."""

    id: str
    organization: str
    change_request: str
    revision: str
    """What it held when the review was asked for."""
    requested_by: str
    created_at: int
    user: str | None = None
    team: str | None = None


class Review(Record, frozen=True, kw_only=True):
    id: str
    organization: str
    change_request: str
    revision: str
    """What the reviewer saw."""
    reviewer: str
    status: Literal["changes-requested", "approved"]
    created_at: int
    updated_at: int
    requested_by: str | None = None
    superseded: bool = False
    """The same reviewer has submitted a newer one."""
    asked_again: bool = False
    """Another review was asked of the reviewer since."""


class Comment(Record, frozen=True, gc=False):
    """What somebody said: of a node of a page, of a page, or of all of a space or change request."""

    id: str
    organization: str
    space: str
    revision: str
    """The head of what it is about, when it was posted."""
    posted_by: str
    posted_at: int
    markdown: str
    change_request: str | None = None
    """What it is about, and whose comments count it; None = primary content."""
    review: str | None = None
    """The review that it was submitted with."""
    page: str | None = None
    page_title: str | None = None
    """As it was; told when the page is gone."""
    node: str | None = None
    """Key of a node in that page's document of that revision."""
    document: bytes | None = None
    """Digest of that document; with a node."""
    preview: str | None = None
    """The beginning of the node's text, as it was."""
    edited_at: int | None = None
    resolved_at: int | None = None
    """None = open."""
    resolved_by: str | None = None


class CommentReply(Record, frozen=True, gc=False):
    id: str
    organization: str
    comment: str
    posted_by: str
    posted_at: int
    markdown: str
    edited_at: int | None = None


class Reaction(Record, frozen=True, gc=False):
    """An emoji that somebody left at a comment or reply."""

    organization: str
    comment: str
    user: str
    emoji: str
    """Its characters, fully qualified."""
    reacted_at: int
    reply: str = ""
    """The reply that it is about; empty = the comment itself."""


class Contributor(Record, frozen=True, kw_only=True):
    """How often somebody edited or commented on a change request; creating it is the first edit."""

    organization: str
    change_request: str
    user: str
    action: Literal["edit", "comment"]
    count: int
    updated_at: int


class PageLink(Record, frozen=True, kw_only=True):
    """A reference from a page of primary content."""

    organization: str
    space: str
    page: str
    number: int
    """Its place on the page."""
    target: str
    """See `content.references.target_of`."""
    ref: Json
    """The content reference as it was written."""
    node: str | None = None
    broken: bool = False


class Site(Record, frozen=True, kw_only=True):
    id: str
    organization: str
    title: str
    created_at: int
    type: str = "basic"
    basename: str | None = None
    hostname: str | None = None
    visibility: Literal["public", "unlisted", "share-link", "visitor-auth"] = "public"
    published: bool = False
    agents_context: Literal["included", "excluded"] = "included"
    adaptive_enabled: bool = False
    icon: Json | None = None
    proxy: str | None = None
    default_level: Level | None = "inherit"
    customization: Json | None = None
    site_spaces: int = 0


class SiteSection(Record, frozen=True, kw_only=True):
    id: str
    organization: str
    site: str
    title: str
    path: str
    position: str
    default: bool = False
    description: str | None = None
    condition: str | None = None
    group: str | None = None
    icon: str | None = None
    draft: bool = False


class SiteSectionGroup(Record, frozen=True, kw_only=True):
    id: str
    organization: str
    site: str
    title: str
    position: str
    icon: str | None = None
    parent: str | None = None
    draft: bool = False


class SiteSpace(Record, frozen=True, kw_only=True):
    id: str
    organization: str
    site: str
    space: str
    title: str
    path: str
    position: str
    default: bool = False
    section: str | None = None
    condition: str | None = None
    hidden: bool = False
    draft: bool = False


class ShareLink(Record, frozen=True, kw_only=True):
    id: str
    organization: str
    site: str
    name: str
    key: str
    active: bool
    created_at: int


class Grant(Record, frozen=True, kw_only=True):
    """A role given to a user or a team on a space, collection or site."""

    organization: str
    kind: Literal["space", "collection", "site"]
    resource: str
    role: Role
    user: str | None = None
    team: str | None = None


class Job(Record, frozen=True, kw_only=True):
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
