"""Review: change requests, reviews, comments."""

from __future__ import annotations

from typing import Literal

from octavo.kernel.records import Json, Record


class ChangeRequest(Record, frozen=True):
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


class RequestedReviewer(Record, frozen=True):
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


class Review(Record, frozen=True):
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
    """As whoever left this emoji there first gave it: characters, a short name or code points."""
    reacted_at: int
    reply: str = ""
    """The reply that it is about; empty = the comment itself."""


class Contributor(Record, frozen=True):
    """How often somebody edited or commented on a change request; creating it is the first edit."""

    organization: str
    change_request: str
    user: str
    action: Literal["edit", "comment"]
    count: int
    updated_at: int
