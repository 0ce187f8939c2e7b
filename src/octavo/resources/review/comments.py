"""Comments and replies: on primary content, and by the same code on change requests."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from msgspec import UNSET

from octavo.access.locate import SeenComment, SeenCommentReply
from octavo.access.review.comments import comment_permissions
from octavo.content.attachment import node_of
from octavo.content.document import plain
from octavo.content.revision import Branch
from octavo.history.contents import document_of
from octavo.kernel import limits
from octavo.kernel.errors import BadRequest, Forbidden
from octavo.kernel.events import CommentReplied, CommentResolved
from octavo.kernel.ids import new_id
from octavo.kernel.operation import READ, Nothing, Operation, write
from octavo.kernel.records.review import ChangeRequest, Comment, CommentReply, Reaction
from octavo.resources import threads
from octavo.resources.call import Call, Page
from octavo.resources.embedded import show_members
from octavo.resources.places import AtContent, AtDraft, contents_at
from octavo.store.review.comments import Order, Place, Wanted
from octavo.wire.lists import Listing, ListQuery
from octavo.wire.people import members
from octavo.wire.people.members import MemberView
from octavo.wire.review import comments
from octavo.wire.review.comments import (
    CommentQuery,
    CommentsQuery,
    CommentView,
    PostComment,
    PostReply,
    RepliesQuery,
    ReplyView,
    UpdateComment,
    UpdateReply,
)
from octavo.wire.view import View


@dataclass(frozen=True)
class AtComment(AtContent):
    comment: SeenComment


@dataclass(frozen=True)
class AtReply(AtComment):
    reply: SeenCommentReply


@dataclass(frozen=True)
class AtDraftComment(AtDraft):
    comment: SeenComment


@dataclass(frozen=True)
class AtDraftReply(AtDraftComment):
    reply: SeenCommentReply


At = AtContent | AtDraft
One = AtComment | AtDraftComment
OneReply = AtReply | AtDraftReply


def _request(at: At) -> ChangeRequest | None:
    return at.change_request.record if isinstance(at, AtDraft) else None


def _place(at: At) -> Place:
    request = _request(at)
    return Place(at.space.record.id, None if request is None else request.id)


def _head(at: At) -> str:
    return (_request(at) or at.space.record).revision


async def list_all(call: Call, at: At, query: CommentsQuery) -> Page[CommentView]:
    """The newest first, unless `order` says otherwise."""
    wanted = Wanted(
        status=None if query.status == "all" else query.status,
        page=None if query.target_page is UNSET else query.target_page,
        authors=None if query.authors is UNSET else query.authors,
        order=query.order,
    )
    behind = _behind(call, query, query.order)
    found, total = await call.unit.comments.page(_place(at), wanted, behind, query.limit + 1)
    page = call.listing(found, total, query, lambda one: (one.posted_at, one.id))
    shown = await threads.show_comments(call, at.space, _head(at), page.items, query.format)
    return Page(shown, page.count, page.next)


def _behind(call: Call, query: ListQuery, order: Order) -> tuple[int, str]:
    if order == "desc":
        return call.newest_behind(query)
    key = call.behind(query)
    return (-1, "") if key is None else (int(key[0]), str(key[1]))


async def post(call: Call, at: At, body: PostComment) -> CommentView:
    """On a page, on a node of its document, or on everything there is."""
    space, request = at.space, _request(at)
    about, branch = await _about(call, at, body)
    comment = Comment(
        id=new_id(),
        organization=space.record.organization,
        space=space.record.id,
        change_request=None if request is None else request.id,
        revision=_head(at),
        posted_by=call.caller.user.id,
        posted_at=call.now,
        markdown=threads.written(body.body),
        **about,
    )
    await threads.post(call, request, comment)
    return threads.show_posted(call, space, comment, branch)


async def _about(call: Call, at: At, body: PostComment) -> tuple[dict[str, Any], Branch | None]:
    """What a comment keeps of its page and node, and the page. Raises BadRequest for those that are not there."""
    if body.page is UNSET:
        return {}, None
    _, contents = await contents_at(call, at)
    branch = contents.by_id.get(body.page)
    if branch is None:
        raise BadRequest(f"page: there is no page {body.page!r}")
    entry = branch.page
    about: dict[str, Any] = {"page": entry.id, "page_title": entry.title}
    if body.node is UNSET:
        return about, branch
    document = await document_of(call.unit, contents.organization, entry.document)
    node = None if document is None else node_of(document, body.node)
    if node is None:
        raise BadRequest(f"node: the page {body.page!r} has no node {body.node!r}")
    preview = " ".join(plain(node).split())[: limits.COMMENT_PREVIEW_MAX]
    return about | {"node": body.node, "document": entry.document, "preview": preview}, branch


async def get(call: Call, at: One, query: CommentQuery) -> CommentView:
    """One comment."""
    return await _shown(call, at, at.comment.record, query.format)


async def _shown(call: Call, at: One, comment: Comment, format_: str = "markdown") -> CommentView:
    return (await threads.show_comments(call, at.space, _head(at), [comment], format_))[0]


async def update(call: Call, at: One, body: UpdateComment) -> CommentView:
    """Another text, resolved or open again, emoji; only what was sent."""
    comment, me = at.comment.record, call.caller.user.id
    changes = body.body is not UNSET or body.resolved is not UNSET
    _must_be_allowed(call, at, comment.posted_by, "edit" if changes else "reply")
    await _react(call, comment, "", body)
    if body.body is not UNSET and (markdown := threads.written(body.body)) != comment.markdown:
        await call.unit.comments.edit(comment, markdown, call.now)
    if body.resolved is True and await call.unit.comments.resolve(comment, me, call.now):
        await call.unit.emit(
            CommentResolved(
                organization=comment.organization,
                space=comment.space,
                comment=comment.id,
                user=me,
                change_request=comment.change_request,
            )
        )
    elif body.resolved is False:
        await call.unit.comments.reopen(comment)
    changed = await call.unit.comments.get(comment.id)
    assert changed is not None  # it was found in this unit
    return await _shown(call, at, changed)


async def delete(call: Call, at: One, takes: Nothing) -> None:
    """With its replies."""
    _must_be_allowed(call, at, at.comment.record.posted_by, "delete")
    await call.unit.comments.remove(at.comment.record)


def _must_be_allowed(call: Call, at: One, author: str, word: str) -> None:
    if not comment_permissions(at.space.role, author == call.caller.user.id)[word]:
        raise Forbidden(f"your role does not allow that (needs {word}); others' words only admins of the space change")


async def _react(call: Call, comment: Comment, reply: str, body: UpdateReply) -> None:
    """Leave and take back emoji; those that are asked for both ways are taken back."""
    if not body.added_reactions and not body.removed_reactions:
        return
    # The names of all emoji take 30 ms to import.
    from octavo.content.markdown.emoji import emoji_of

    for name, given, act in (
        ("addedReactions", body.added_reactions, call.unit.comments.react),
        ("removedReactions", body.removed_reactions, call.unit.comments.withdraw),
    ):
        for place, word in enumerate(given):
            emoji = emoji_of(word)
            if emoji is None:
                raise BadRequest(f"{name}[{place}]: {word!r} is no emoji")
            await act(
                Reaction(
                    organization=comment.organization,
                    comment=comment.id,
                    reply=reply,
                    user=call.caller.user.id,
                    emoji=emoji,
                    reacted_at=call.now,
                )
            )


async def list_replies(call: Call, at: One, query: RepliesQuery) -> Page[ReplyView]:
    """The newest first, unless `order` says otherwise."""
    behind = _behind(call, query, query.order)
    within = at.comment.record
    found, total = await call.unit.comments.replies(within.id, query.order, behind, query.limit + 1)
    page = call.listing(found, total, query, lambda one: (one.posted_at, one.id))
    shown = await threads.show_replies(call, at.space, within, page.items, query.format)
    return Page(shown, page.count, page.next)


async def reply(call: Call, at: One, body: PostReply) -> ReplyView:
    """Also to a resolved comment, which stays so."""
    within = at.comment.record
    made = CommentReply(
        id=new_id(),
        organization=within.organization,
        comment=within.id,
        posted_by=call.caller.user.id,
        posted_at=call.now,
        markdown=threads.written(body.body),
    )
    await call.unit.comments.add_reply(made)
    if (request := _request(at)) is not None:
        await call.unit.change_requests.contributed(request, made.posted_by, "comment", call.now)
    await call.unit.emit(
        CommentReplied(
            organization=made.organization,
            space=within.space,
            comment=within.id,
            reply=made.id,
            user=made.posted_by,
            change_request=within.change_request,
            mentions=await threads.mentions(call, made.organization, made.markdown),
        )
    )
    return await _shown_reply(call, at, made)


async def get_reply(call: Call, at: OneReply, query: CommentQuery) -> ReplyView:
    """One reply."""
    return await _shown_reply(call, at, at.reply.record, query.format)


async def _shown_reply(call: Call, at: One, reply: CommentReply, format_: str = "markdown") -> ReplyView:
    return (await threads.show_replies(call, at.space, at.comment.record, [reply], format_))[0]


async def update_reply(call: Call, at: OneReply, body: UpdateReply) -> ReplyView:
    """Another text, emoji; only what was sent."""
    said = at.reply.record
    _must_be_allowed(call, at, said.posted_by, "reply" if body.body is UNSET else "edit")
    await _react(call, at.comment.record, said.id, body)
    if body.body is not UNSET and (markdown := threads.written(body.body)) != said.markdown:
        said = await call.unit.comments.edit_reply(said, markdown, call.now)
    return await _shown_reply(call, at, said)


async def delete_reply(call: Call, at: OneReply, takes: Nothing) -> None:
    """The comment stays."""
    _must_be_allowed(call, at, at.reply.record.posted_by, "delete")
    await call.unit.comments.remove_reply(at.reply.record)


async def list_commenters(call: Call, at: At, query: ListQuery) -> Page[MemberView]:
    """Members who commented or replied there, whoever did so last first."""
    organization = at.space.record.organization
    found = await call.unit.comments.commenters(_place(at), organization)
    page = call.cut(found, query, lambda one: (-one[1], one[0].user))
    return Page(await show_members(call, organization, [one[0] for one in page.items]), page.count, page.next)


def _present_page(page: Page[CommentView], view: View) -> Listing[comments.Comment]:
    return page.present(lambda one: comments.present(one, view))


def _present_replies(page: Page[ReplyView], view: View) -> Listing[comments.CommentReply]:
    return page.present(lambda one: comments.present_reply(one, view))


def _present_commenters(page: Page[MemberView], view: View) -> Listing[members.Member]:
    return page.present(lambda one: members.present(one, view))


def _nothing(done: None, view: View) -> None:
    """205 carries no body."""


AnyPlace = TypeVar("AnyPlace")
Takes = TypeVar("Takes")
Rec = TypeVar("Rec")
Out = TypeVar("Out")

_SPACE = "/spaces/{space}"
_DRAFT = "/spaces/{space}/change-requests/{change_request}"
_COMMENT = "/comments/{comment}"
_REPLY = "/comments/{comment}/replies/{reply}"


def _row(
    id_: str,
    method: Literal["GET", "POST", "PUT", "DELETE"],
    path: str,
    at: type[AnyPlace],
    takes: type[Takes],
    does: Callable[[Call, AnyPlace, Takes], Awaitable[Rec]],
    present: Callable[[Rec, View], Out],
    gives: Any,
    summary: str,
) -> Operation[AnyPlace, Takes, Rec, Out]:
    """Who may comment posts; what is changed or deleted is decided by whose words it is, in `_must_be_allowed`."""
    reads = method == "GET"
    return Operation(
        id=id_,
        method=method,
        path=path,
        at=at,
        takes=takes,
        does=does,
        present=present,
        gives=gives,
        status=205 if method == "DELETE" else 200,
        needs="space.view" if reads else "space.comment" if method == "POST" else "relation",
        pace="read" if reads else "write",
        unit=READ if reads else write("space"),
        scope="space:read" if reads else "space:write",
        summary=summary,
        tag="comments",
    )


OPERATIONS = (
    _row(
        "listCommentsInSpace", "GET", _SPACE + "/comments", AtContent, CommentsQuery, list_all,
        _present_page, Listing[comments.Comment], "List the comments on primary content",
    ),
    _row(
        "postCommentInSpace", "POST", _SPACE + "/comments", AtContent, PostComment, post,
        comments.present, comments.Comment, "Comment on primary content",
    ),
    _row(
        "getCommentInSpace", "GET", _SPACE + _COMMENT, AtComment, CommentQuery, get,
        comments.present, comments.Comment, "Get a comment on primary content",
    ),
    _row(
        "updateCommentInSpace", "PUT", _SPACE + _COMMENT, AtComment, UpdateComment, update,
        comments.present, comments.Comment, "Change, resolve or react to a comment on primary content",
    ),
    _row(
        "deleteCommentInSpace", "DELETE", _SPACE + _COMMENT, AtComment, Nothing, delete,
        _nothing, None, "Delete a comment on primary content and its replies",
    ),
    _row(
        "listCommentRepliesInSpace", "GET", _SPACE + _COMMENT + "/replies", AtComment, RepliesQuery, list_replies,
        _present_replies, Listing[comments.CommentReply], "List the replies to a comment on primary content",
    ),
    _row(
        "postCommentReplyInSpace", "POST", _SPACE + _COMMENT + "/replies", AtComment, PostReply, reply,
        comments.present_reply, comments.CommentReply, "Reply to a comment on primary content",
    ),
    _row(
        "getCommentReplyInSpace", "GET", _SPACE + _REPLY, AtReply, CommentQuery, get_reply,
        comments.present_reply, comments.CommentReply, "Get a reply to a comment on primary content",
    ),
    _row(
        "updateCommentReplyInSpace", "PUT", _SPACE + _REPLY, AtReply, UpdateReply, update_reply,
        comments.present_reply, comments.CommentReply, "Change or react to a reply to a comment on primary content",
    ),
    _row(
        "deleteCommentReplyInSpace", "DELETE", _SPACE + _REPLY, AtReply, Nothing, delete_reply,
        _nothing, None, "Delete a reply to a comment on primary content",
    ),
    _row(
        "listCommentersInSpace", "GET", _SPACE + "/commenters", AtContent, ListQuery, list_commenters,
        _present_commenters, Listing[members.Member], "List who commented on primary content",
    ),
    _row(
        "listCommentsInChangeRequest", "GET", _DRAFT + "/comments", AtDraft, CommentsQuery, list_all,
        _present_page, Listing[comments.Comment], "List the comments on a change request",
    ),
    _row(
        "postCommentInChangeRequest", "POST", _DRAFT + "/comments", AtDraft, PostComment, post,
        comments.present, comments.Comment, "Comment on a change request",
    ),
    _row(
        "getCommentInChangeRequest", "GET", _DRAFT + _COMMENT, AtDraftComment, CommentQuery, get,
        comments.present, comments.Comment, "Get a comment on a change request",
    ),
    _row(
        "updateCommentInChangeRequest", "PUT", _DRAFT + _COMMENT, AtDraftComment, UpdateComment, update,
        comments.present, comments.Comment, "Change, resolve or react to a comment on a change request",
    ),
    _row(
        "deleteCommentInChangeRequest", "DELETE", _DRAFT + _COMMENT, AtDraftComment, Nothing, delete,
        _nothing, None, "Delete a comment on a change request and its replies",
    ),
    _row(
        "listCommentRepliesInChangeRequest", "GET", _DRAFT + _COMMENT + "/replies", AtDraftComment, RepliesQuery,
        list_replies, _present_replies, Listing[comments.CommentReply],
        "List the replies to a comment on a change request",
    ),
    _row(
        "postCommentReplyInChangeRequest", "POST", _DRAFT + _COMMENT + "/replies", AtDraftComment, PostReply, reply,
        comments.present_reply, comments.CommentReply, "Reply to a comment on a change request",
    ),
    _row(
        "getCommentReplyInChangeRequest", "GET", _DRAFT + _REPLY, AtDraftReply, CommentQuery, get_reply,
        comments.present_reply, comments.CommentReply, "Get a reply to a comment on a change request",
    ),
    _row(
        "updateCommentReplyInChangeRequest", "PUT", _DRAFT + _REPLY, AtDraftReply, UpdateReply, update_reply,
        comments.present_reply, comments.CommentReply, "Change or react to a reply to a comment on a change request",
    ),
    _row(
        "deleteCommentReplyInChangeRequest", "DELETE", _DRAFT + _REPLY, AtDraftReply, Nothing, delete_reply,
        _nothing, None, "Delete a reply to a comment on a change request",
    ),
    _row(
        "listCommentersInChangeRequest", "GET", _DRAFT + "/commenters", AtDraft, ListQuery, list_commenters,
        _present_commenters, Listing[members.Member], "List who commented on a change request",
    ),
)  # fmt: skip
