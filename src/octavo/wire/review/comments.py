"""Comments on content, their replies and the emoji that people leave at them.

Lists of them are long and nested: what is made for each is no work for the garbage collector, which costs a fifth else.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta

from octavo.content.revision import Branch
from octavo.kernel import limits
from octavo.kernel.clock import iso
from octavo.kernel.records import review as records
from octavo.kernel.records.people import User
from octavo.wire.content import documents
from octavo.wire.fields import (
    Body,
    DateTime,
    Emoji,
    Id,
    Json,
    Located,
    Maybe,
    Query,
    Shape,
    ShownEmoji,
    code_points,
    maybe,
    permissions,
)
from octavo.wire.lists import ListQuery
from octavo.wire.people import users
from octavo.wire.view import View

PERMISSIONS = ("view", "edit", "reply", "delete")

Format = Literal["document", "markdown"]
Permissions = Annotated[dict[str, bool], permissions(*PERMISSIONS)]
Written = Annotated[Json, Meta(description="`{markdown}`, or `{document}` where that form was asked for")]
Emojis = Annotated[list[Emoji], Meta(max_length=limits.COMMENT_REACTIONS_MAX)]


class ReactionUser(Shape, frozen=True, gc=False):
    user: users.User
    reacted_at: DateTime


class Reaction(Shape, frozen=True, gc=False):
    """One emoji, and who left it; the first one first."""

    emoji: str
    count: int
    users: list[ReactionUser]


class Replier(Shape, frozen=True, gc=False):
    user: users.User
    count: int
    updated_at: DateTime


class NodeTarget(Shape, frozen=True, gc=False):
    id: str
    """Its key in the page as the page is now, or was before the node went."""
    preview: str
    """The beginning of its text, as it was when the comment was posted."""


class PageTarget(Shape, frozen=True, gc=False):
    id: str
    outdated: bool
    """The page or the node is gone, or the node was changed since."""
    title: str
    path: Maybe[str] = UNSET
    """This and what follows: only while the page is there."""
    created_at: Maybe[DateTime] = UNSET
    updated_at: Maybe[DateTime] = UNSET
    emoji: Maybe[ShownEmoji] = UNSET
    icon: Maybe[str] = UNSET


class Target(Shape, frozen=True, gc=False):
    """What the comment is about. `revision` is what its author saw."""

    space: str
    revision: str
    change_request: Maybe[str] = UNSET
    review: Maybe[str] = UNSET
    page: Maybe[PageTarget] = UNSET
    node: Maybe[NodeTarget] = UNSET


class Comment(Shape, tag_field="object", tag="comment", frozen=True, gc=False):
    id: str
    posted_at: DateTime
    status: Literal["open", "resolved"]
    body: Written
    replies: int
    repliers: list[Replier]
    """The latest first."""
    reactions: list[Reaction]
    target: Target
    urls: Located
    permissions: Permissions
    posted_by: Maybe[users.User] = UNSET
    """Absent when the account is gone."""
    edited_at: Maybe[DateTime] = UNSET
    resolved_at: Maybe[DateTime] = UNSET
    resolved_by: Maybe[users.User] = UNSET


class CommentReply(Shape, tag_field="object", tag="comment-reply", frozen=True, gc=False):
    id: str
    posted_at: DateTime
    body: Written
    reactions: list[Reaction]
    urls: Located
    permissions: Permissions
    posted_by: Maybe[users.User] = UNSET
    edited_at: Maybe[DateTime] = UNSET


class PostComment(Body, frozen=True):
    """Without `page` about all of the space or change request; `node` is the key of a node in the page's document."""

    body: documents.Words
    page: Maybe[Id] = UNSET
    node: Maybe[Id] = UNSET

    def __post_init__(self) -> None:
        if self.node is not UNSET and self.page is UNSET:
            raise ValueError("Expected the `page` that the node is in - at `$.page`")


class PostReply(Body, frozen=True):
    body: documents.Words


class UpdateReply(Body, frozen=True):
    """Emoji that are there already, or are not there, stay so."""

    body: Maybe[documents.Words] = UNSET
    added_reactions: Emojis = []
    removed_reactions: Emojis = []


class UpdateComment(UpdateReply, frozen=True):
    resolved: Maybe[bool] = UNSET


class CommentQuery(Query, frozen=True):
    """`format` chooses the form of bodies; Markdown without it."""

    format: Format = "markdown"


class CommentsQuery(ListQuery, frozen=True):
    format: Format = "markdown"
    order: Literal["asc", "desc"] = "desc"
    status: Literal["all", "open", "resolved"] = "all"
    target_page: Maybe[str] = UNSET
    authors: Maybe[list[str]] = UNSET
    """Ids of users."""


class RepliesQuery(ListQuery, frozen=True):
    format: Format = "markdown"
    order: Literal["asc", "desc"] = "desc"


class TargetView(msgspec.Struct, frozen=True, gc=False):
    """Where a comment belongs now: its page, and the key of its node there."""

    branch: Branch | None
    """None = the page is gone."""
    node: str | None
    outdated: bool


class Around:
    """What the comments and replies of one answer have in common, each presented once: people, pages, the place."""

    def __init__(self, people: Mapping[str, User]) -> None:
        self._people = people
        self._users: dict[str | None, Maybe[users.User]] = {None: UNSET}
        self._pages: dict[tuple[str, bool], PageTarget] = {}
        self._places: dict[tuple[str, str | None], str] = {}

    def user(self, user: str | None, view: View) -> Maybe[users.User]:
        """Absent when the account is gone."""
        shown = self._users.get(user)
        if shown is None:
            found = self._people.get(user or "")
            shown = self._users[user] = UNSET if found is None else users.present(found, view)
        return shown

    def page(self, page: str, found: TargetView, title: str | None) -> PageTarget:
        if found.branch is None:
            return PageTarget(page, True, title or "")
        shown = self._pages.get((page, found.outdated))
        if shown is None:
            shown = self._pages[page, found.outdated] = _page(found.branch, found.outdated)
        return shown

    def location(self, comment: records.Comment, view: View) -> str:
        """The address of a comment."""
        place = comment.space, comment.change_request
        base = self._places.get(place)
        if base is None:
            draft = ("change-requests", place[1]) if place[1] is not None else ()
            base = self._places[place] = view.location("spaces", place[0], *draft, "comments")
        return f"{base}/{comment.id}"


class ReplierView(msgspec.Struct, frozen=True, gc=False):
    user: str
    count: int
    updated_at: int


class CommentView(msgspec.Struct, frozen=True, gc=False):
    """A comment with what belongs to it; `body` makes the form that was asked for, which may take its time."""

    comment: records.Comment
    body: Callable[[], Json]
    permissions: dict[str, bool]
    around: Around
    target: TargetView | None = None
    """None = not about a page."""
    repliers: Sequence[ReplierView] = ()
    reactions: Sequence[records.Reaction] = ()


class ReplyView(msgspec.Struct, frozen=True, gc=False):
    """A reply, the same way; `within` is what it replies to."""

    reply: records.CommentReply
    within: records.Comment
    body: Callable[[], Json]
    permissions: dict[str, bool]
    around: Around
    reactions: Sequence[records.Reaction] = ()


def present(shown: CommentView, view: View) -> Comment:
    """The comment as the API serves it."""
    comment, around, repliers = shown.comment, shown.around, shown.repliers
    return Comment(
        comment.id,
        iso(comment.posted_at),
        "open" if comment.resolved_at is None else "resolved",
        shown.body(),
        sum(one.count for one in repliers) if repliers else 0,
        _repliers(repliers, around, view) if repliers else [],
        _reactions(shown.reactions, around, view) if shown.reactions else [],
        _target(comment, shown.target, around),
        Located(around.location(comment, view)),
        shown.permissions,
        around.user(comment.posted_by, view),
        UNSET if comment.edited_at is None else iso(comment.edited_at),
        UNSET if comment.resolved_at is None else iso(comment.resolved_at),
        around.user(comment.resolved_by, view),
    )


def present_reply(shown: ReplyView, view: View) -> CommentReply:
    """The reply as the API serves it."""
    reply, around = shown.reply, shown.around
    return CommentReply(
        id=reply.id,
        posted_at=iso(reply.posted_at),
        body=shown.body(),
        reactions=_reactions(shown.reactions, around, view),
        urls=Located(f"{around.location(shown.within, view)}/replies/{reply.id}"),
        permissions=shown.permissions,
        posted_by=around.user(reply.posted_by, view),
        edited_at=UNSET if reply.edited_at is None else iso(reply.edited_at),
    )


def _target(comment: records.Comment, found: TargetView | None, around: Around) -> Target:
    return Target(
        comment.space,
        comment.revision,
        maybe(comment.change_request),
        maybe(comment.review),
        around.page(comment.page, found, comment.page_title) if found is not None and comment.page else UNSET,
        NodeTarget(found.node, comment.preview or "") if found is not None and found.node else UNSET,
    )


def _page(branch: Branch, outdated: bool) -> PageTarget:
    entry = branch.page
    return PageTarget(
        id=entry.id,
        outdated=outdated,
        title=entry.title,
        path=branch.path,
        created_at=iso(entry.created),
        updated_at=iso(entry.updated),
        emoji=UNSET if entry.emoji is None else code_points(entry.emoji),
        icon=maybe(entry.icon),
    )


def _repliers(given: Sequence[ReplierView], around: Around, view: View) -> list[Replier]:
    shown = ((around.user(one.user, view), one) for one in given)
    return [Replier(user, one.count, iso(one.updated_at)) for user, one in shown if user is not UNSET]


def _reactions(given: Sequence[records.Reaction], around: Around, view: View) -> list[Reaction]:
    """Reactions by their emoji, which are in the order in which they were first left."""
    by_emoji: dict[str, list[ReactionUser]] = {}
    for one in given:
        user = around.user(one.user, view)
        if user is not UNSET:
            by_emoji.setdefault(one.emoji, []).append(ReactionUser(user, iso(one.reacted_at)))
    return [Reaction(emoji, len(those), those) for emoji, those in by_emoji.items()]
