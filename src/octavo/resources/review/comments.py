"""Comments and replies: on primary content, and by the same code on change requests."""

from __future__ import annotations

from typing import Any

from msgspec import UNSET

from octavo.access.caller import Caller
from octavo.access.locate import SeenComment, SeenCommentReply
from octavo.access.review.comments import comment_permissions
from octavo.content.attachment import node_of
from octavo.content.document import plain
from octavo.content.revision import Branch
from octavo.history.contents import document_of
from octavo.kernel import limits
from octavo.kernel.errors import BadRequest
from octavo.kernel.events import CommentReplied, CommentResolved
from octavo.kernel.ids import new_id
from octavo.kernel.operation import Nothing, Rule, nothing, reads, writes
from octavo.kernel.records.review import ChangeRequest, Comment, CommentReply, Reaction
from octavo.resources import threads
from octavo.resources.call import Call, EncodedSlice, Slice, listed
from octavo.resources.embedded import show_members
from octavo.resources.emoji import emoji_in
from octavo.resources.places import AtChangeRequest, AtSpace, contents_at
from octavo.store.review.comments import Commented, Order, Wanted
from octavo.wire.lists import ListQuery
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


class AtComment(AtSpace, frozen=True):
    comment: SeenComment


class AtReply(AtComment, frozen=True):
    reply: SeenCommentReply


class AtDraftComment(AtChangeRequest, frozen=True):
    comment: SeenComment


class AtDraftReply(AtDraftComment, frozen=True):
    reply: SeenCommentReply


At = AtSpace | AtChangeRequest
One = AtComment | AtDraftComment
OneReply = AtReply | AtDraftReply


def _request(at: At) -> ChangeRequest | None:
    return at.change_request.record if isinstance(at, AtChangeRequest) else None


def _place(at: At) -> Commented:
    request = _request(at)
    return Commented(at.space.record.id, None if request is None else request.id)


def _head(at: At) -> str:
    return (_request(at) or at.space.record).revision


async def list_all(call: Call, at: At, query: CommentsQuery) -> Slice[CommentView] | EncodedSlice:
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
    if threads.in_documents(query):
        # To read Markdown takes long: they are presented beside the loop.
        shown = await threads.show_comments(call, at.space, _head(at), page.items, query.format)
        return Slice(shown, page.count, page.next)
    encoded = await threads.encode_comments(call, at.space, _head(at), page.items)
    return EncodedSlice(encoded, page.count, page.next)


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
    await call.unit.comments.remove(at.comment.record)


_AUTHOR = "its author, who may still `comment` on the space; `admin` on the space"
_OTHERS = "your role does not allow that; others' words only admins of the space change"


def _may(caller: Caller, at: One, said: Comment | CommentReply, word: str) -> bool:
    return comment_permissions(at.space.role, said.posted_by == caller.user.id)[word]


def _authors(caller: Caller, at: One, takes: object) -> bool:
    return _may(caller, at, at.comment.record, "delete")


def _changers(caller: Caller, at: One, body: UpdateComment) -> bool:
    changes = body.body is not UNSET or body.resolved is not UNSET
    return _may(caller, at, at.comment.record, "edit" if changes else "reply")


def _reply_authors(caller: Caller, at: OneReply, takes: object) -> bool:
    return _may(caller, at, at.reply.record, "delete")


def _reply_changers(caller: Caller, at: OneReply, body: UpdateReply) -> bool:
    return _may(caller, at, at.reply.record, "reply" if body.body is UNSET else "edit")


AUTHORS: Rule[One, Any] = Rule(_AUTHOR, _authors, _OTHERS)
CHANGERS: Rule[One, UpdateComment] = Rule(_AUTHOR + "; for emoji alone `comment` is enough", _changers, _OTHERS)
REPLY_AUTHORS: Rule[OneReply, Any] = Rule(_AUTHOR, _reply_authors, _OTHERS)
REPLY_CHANGERS: Rule[OneReply, UpdateReply] = Rule(CHANGERS.who, _reply_changers, _OTHERS)


async def _react(call: Call, comment: Comment, reply: str, body: UpdateReply) -> None:
    """Leave and take back emoji; those that are asked for both ways are taken back."""
    if not body.added_reactions and not body.removed_reactions:
        return
    spelled = await _spelled(call, comment.id, reply)
    for name, given, act in (
        ("addedReactions", body.added_reactions, call.unit.comments.react),
        ("removedReactions", body.removed_reactions, call.unit.comments.withdraw),
    ):
        for place, word in enumerate(given):
            await act(
                Reaction(
                    organization=comment.organization,
                    comment=comment.id,
                    reply=reply,
                    user=call.caller.user.id,
                    emoji=spelled.setdefault(emoji_in(f"{name}[{place}]", word), word),
                    reacted_at=call.now,
                )
            )


async def _spelled(call: Call, comment: str, reply: str) -> dict[str, str]:
    """The emoji that are there: characters -> as whoever left one first gave it, for it is one in every form."""
    known = call.unit.comments
    there = await (known.reactions_of_replies(comment, [reply]) if reply else known.reactions([comment]))
    return {emoji_in("emoji", one.emoji): one.emoji for one in reversed(there)}


async def list_replies(call: Call, at: One, query: RepliesQuery) -> Slice[ReplyView]:
    """The newest first, unless `order` says otherwise."""
    behind = _behind(call, query, query.order)
    within = at.comment.record
    found, total = await call.unit.comments.replies(within.id, query.order, behind, query.limit + 1)
    page = call.listing(found, total, query, lambda one: (one.posted_at, one.id))
    shown = await threads.show_replies(call, at.space, within, page.items, query.format)
    return Slice(shown, page.count, page.next)


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
    await _react(call, at.comment.record, said.id, body)
    if body.body is not UNSET and (markdown := threads.written(body.body)) != said.markdown:
        said = await call.unit.comments.edit_reply(said, markdown, call.now)
    return await _shown_reply(call, at, said)


async def delete_reply(call: Call, at: OneReply, takes: Nothing) -> None:
    """The comment stays."""
    await call.unit.comments.remove_reply(at.reply.record)


async def list_commenters(call: Call, at: At, query: ListQuery) -> Slice[MemberView]:
    """Members who commented or replied there, whoever did so last first."""
    organization = at.space.record.organization
    found = await call.unit.comments.commenters(_place(at), organization)
    page = call.cut(found, query, lambda one: (-one[1], one[0].user))
    return Slice(await show_members(call, organization, [one[0] for one in page.items]), page.count, page.next)


_SPACE = "/spaces/{space}"
_DRAFT = "/spaces/{space}/change-requests/{change_request}"
_COMMENT = "/comments/{comment}"
_REPLY = "/comments/{comment}/replies/{reply}"


OPERATIONS = (
    reads("listCommentsInSpace", _SPACE + "/comments", list_all, listed(comments.present),
          at=AtSpace, needs="space.view", scope="space:read", tag="comments", long=threads.in_documents,
          summary="List the comments on primary content"),
    writes("POST", "postCommentInSpace", _SPACE + "/comments", post, comments.present,
           at=AtSpace, lock="space", needs="space.comment", scope="space:write", audit="space.comment.create",
           tag="comments", about=lambda made: made.comment,
           summary="Comment on primary content"),
    reads("getCommentInSpace", _SPACE + "/comments/{comment}", get, comments.present,
          at=AtComment, needs="space.view", scope="space:read", tag="comments", long=threads.in_documents,
          summary="Get a comment on primary content"),
    writes("PUT", "updateCommentInSpace", _SPACE + "/comments/{comment}", update, comments.present,
           at=AtComment, lock="space", needs=CHANGERS, scope="space:write", audit="space.comment.update",
           tag="comments", summary="Change, resolve or react to a comment on primary content"),
    writes("DELETE", "deleteCommentInSpace", _SPACE + "/comments/{comment}", delete, nothing,
           at=AtComment, lock="space", needs=AUTHORS, scope="space:write", audit="space.comment.delete",
           tag="comments", summary="Delete a comment on primary content and its replies"),
    reads("listCommentRepliesInSpace", _SPACE + "/comments/{comment}/replies", list_replies,
          listed(comments.present_reply),
          at=AtComment, needs="space.view", scope="space:read", tag="comments", long=threads.in_documents,
          summary="List the replies to a comment on primary content"),
    writes("POST", "postCommentReplyInSpace", _SPACE + "/comments/{comment}/replies", reply, comments.present_reply,
           at=AtComment, lock="space", needs="space.comment", scope="space:write", audit="space.comment-reply.create",
           tag="comments", about=lambda made: made.reply,
           summary="Reply to a comment on primary content"),
    reads("getCommentReplyInSpace", _SPACE + "/comments/{comment}/replies/{reply}", get_reply, comments.present_reply,
          at=AtReply, needs="space.view", scope="space:read", tag="comments", long=threads.in_documents,
          summary="Get a reply to a comment on primary content"),
    writes("PUT", "updateCommentReplyInSpace", _SPACE + "/comments/{comment}/replies/{reply}", update_reply,
           comments.present_reply,
           at=AtReply, lock="space", needs=REPLY_CHANGERS, scope="space:write", audit="space.comment-reply.update",
           tag="comments", summary="Change or react to a reply to a comment on primary content"),
    writes("DELETE", "deleteCommentReplyInSpace", _SPACE + "/comments/{comment}/replies/{reply}", delete_reply,
           nothing,
           at=AtReply, lock="space", needs=REPLY_AUTHORS, scope="space:write", audit="space.comment-reply.delete",
           tag="comments", summary="Delete a reply to a comment on primary content"),
    reads("listCommentersInSpace", _SPACE + "/commenters", list_commenters, listed(members.present),
          at=AtSpace, needs="space.view", scope="space:read", tag="comments",
          summary="List who commented on primary content"),
    reads("listCommentsInChangeRequest", _DRAFT + "/comments", list_all, listed(comments.present),
          at=AtChangeRequest, needs="space.view", scope="space:read", tag="comments", long=threads.in_documents,
          summary="List the comments on a change request"),
    writes("POST", "postCommentInChangeRequest", _DRAFT + "/comments", post, comments.present,
           at=AtChangeRequest, lock="space", needs="space.comment", scope="space:write",
           audit="change-request.comment.create", tag="comments", about=lambda made: made.comment,
           summary="Comment on a change request"),
    reads("getCommentInChangeRequest", _DRAFT + "/comments/{comment}", get, comments.present,
          at=AtDraftComment, needs="space.view", scope="space:read", tag="comments", long=threads.in_documents,
          summary="Get a comment on a change request"),
    writes("PUT", "updateCommentInChangeRequest", _DRAFT + "/comments/{comment}", update, comments.present,
           at=AtDraftComment, lock="space", needs=CHANGERS, scope="space:write",
           audit="change-request.comment.update", tag="comments",
           summary="Change, resolve or react to a comment on a change request"),
    writes("DELETE", "deleteCommentInChangeRequest", _DRAFT + "/comments/{comment}", delete, nothing,
           at=AtDraftComment, lock="space", needs=AUTHORS, scope="space:write",
           audit="change-request.comment.delete", tag="comments",
           summary="Delete a comment on a change request and its replies"),
    reads("listCommentRepliesInChangeRequest", _DRAFT + "/comments/{comment}/replies", list_replies,
          listed(comments.present_reply),
          at=AtDraftComment, needs="space.view", scope="space:read", tag="comments", long=threads.in_documents,
          summary="List the replies to a comment on a change request"),
    writes("POST", "postCommentReplyInChangeRequest", _DRAFT + "/comments/{comment}/replies", reply,
           comments.present_reply,
           at=AtDraftComment, lock="space", needs="space.comment", scope="space:write",
           audit="change-request.comment-reply.create", tag="comments",
           about=lambda made: made.reply,
           summary="Reply to a comment on a change request"),
    reads("getCommentReplyInChangeRequest", _DRAFT + "/comments/{comment}/replies/{reply}", get_reply,
          comments.present_reply,
          at=AtDraftReply, needs="space.view", scope="space:read", tag="comments", long=threads.in_documents,
          summary="Get a reply to a comment on a change request"),
    writes("PUT", "updateCommentReplyInChangeRequest", _DRAFT + "/comments/{comment}/replies/{reply}", update_reply,
           comments.present_reply,
           at=AtDraftReply, lock="space", needs=REPLY_CHANGERS, scope="space:write",
           audit="change-request.comment-reply.update", tag="comments",
           summary="Change or react to a reply to a comment on a change request"),
    writes("DELETE", "deleteCommentReplyInChangeRequest", _DRAFT + "/comments/{comment}/replies/{reply}",
           delete_reply, nothing,
           at=AtDraftReply, lock="space", needs=REPLY_AUTHORS, scope="space:write",
           audit="change-request.comment-reply.delete", tag="comments",
           summary="Delete a reply to a comment on a change request"),
    reads("listCommentersInChangeRequest", _DRAFT + "/commenters", list_commenters, listed(members.present),
          at=AtChangeRequest, needs="space.view", scope="space:read", tag="comments",
          summary="List who commented on a change request"),
)  # fmt: skip
