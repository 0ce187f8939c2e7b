"""Comments as several rooms post and serve them: with everything that they name, in batches."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import msgspec
from msgspec import UNSET

from octavo.access.locate import SeenSpace
from octavo.access.review.comments import comment_permissions
from octavo.content.attachment import attached
from octavo.content.revision import Branch
from octavo.history.contents import Contents, contents_of, documents_of
from octavo.kernel import limits
from octavo.kernel.errors import BadRequest
from octavo.kernel.events import CommentPosted
from octavo.kernel.records import Json
from octavo.kernel.records.people import User
from octavo.kernel.records.review import ChangeRequest, Comment, CommentReply, Reaction
from octavo.resources.call import Call
from octavo.resources.embedded import users_by_id
from octavo.resources.encoded import encoded, lists
from octavo.store.kept import Kind
from octavo.store.review.comments import Replier
from octavo.wire.content import documents
from octavo.wire.review import comments as shapes
from octavo.wire.review.comments import Around, CommentView, ReplierView, ReplyView, TargetView

_TOGETHER = 64
"""Documents that are read at a time to find nodes again."""
_LISTS = lists("lists of comments")
_TARGETS: Kind[TargetView] = Kind("places of comments", lambda target: 300)


async def post(call: Call, request: ChangeRequest | None, comment: Comment) -> None:
    """Write down a comment of the caller, and tell of it."""
    await call.unit.comments.add(comment)
    if request is not None:
        await call.unit.change_requests.contributed(request, comment.posted_by, "comment", call.now)
    await call.unit.emit(
        CommentPosted(
            organization=comment.organization,
            space=comment.space,
            comment=comment.id,
            user=comment.posted_by,
            change_request=comment.change_request,
            mentions=await mentions(call, comment.organization, comment.markdown),
        )
    )


async def mentions(call: Call, organization: str, markdown: str) -> list[str]:
    """Ids of the members and guests of the organization whom a text names."""
    if "@" not in markdown and '"mention"' not in markdown:
        return []
    # The parser beside it costs 100 ms to import, and few processes ever need it.
    from octavo.content.remarks import mentioned

    ids, emails = mentioned(markdown)
    return await call.unit.people.named(organization, ids, emails)


def written(given: documents.Words, name: str = "body") -> str:
    """What somebody wrote, as it is kept. Raises BadRequest that begins with the name of its field."""
    document = documents.tree(given)
    if document is None:
        markdown = "" if given.markdown is UNSET else given.markdown
    else:
        # As above.
        from octavo.content.remarks import remark_of_document

        try:
            markdown = remark_of_document(document["nodes"])
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            raise BadRequest(f"{name}.document: not a document: {type(error).__name__}: {error}") from error
    if len(markdown) > limits.COMMENT_MAX:
        raise BadRequest(f"{name}: longer than {limits.COMMENT_MAX} characters of Markdown")
    return markdown


def described(given: documents.Words) -> Json:
    """A description as it is kept, which is a document. Raises BadRequest for one that is too long, or that is none."""
    document = documents.tree(given)
    if document is not None:
        return document
    if given.markdown is UNSET:
        raise BadRequest("description: give `markdown` or `document`")
    # As above.
    from octavo.content.remarks import document_of_remark

    return document_of_remark(written(given, "description"))


class Formatted(Protocol):
    @property
    def format(self) -> str: ...


def in_documents(query: Formatted) -> bool:
    """Whether an answer's bodies have to be read as Markdown first."""
    return query.format == "document"


class Bodies:
    """The bodies of one answer in the form that was asked for; those that are documents share one budget of reading."""

    def __init__(self, format_: str) -> None:
        self._format = format_
        self._reader: Any = None

    def of(self, markdown: str) -> Callable[[], Json]:
        """What makes the body, outside of the unit."""
        return lambda: self._made(markdown)

    def _made(self, markdown: str) -> Json:
        if self._format != "document":
            return {"markdown": markdown}
        if self._reader is None:
            # As above.
            from octavo.content.remarks import Reader

            self._reader = Reader()
        return {"document": self._reader.document(markdown)}


class _Added(msgspec.Struct, frozen=True):
    """What others added to the comments of one answer, and everybody who is named there."""

    repliers: list[Replier]
    reactions: list[Reaction]
    people: dict[str, User]


async def _added(call: Call, comments: Sequence[Comment]) -> _Added:
    ids = [comment.id for comment in comments]
    repliers = await call.unit.comments.repliers(ids)
    reactions = await call.unit.comments.reactions(ids)
    named = {user for comment in comments for user in (comment.posted_by, comment.resolved_by)}
    named.update(one.user for one in repliers)
    named.update(one.user for one in reactions)
    return _Added(repliers, reactions, await users_by_id(call, named))


async def show_comments(
    call: Call, space: SeenSpace, head: str, comments: Sequence[Comment], format_: str
) -> list[CommentView]:
    """Comments of one place, whose newest revision is `head`."""
    return await _show(call, space, head, comments, format_, await _added(call, comments))


async def encode_comments(call: Call, space: SeenSpace, head: str, comments: Sequence[Comment]) -> msgspec.Raw:
    """The same as JSON, with bodies of Markdown."""
    added, me = await _added(call, comments), call.caller.user.id
    mine = [comment.posted_by == me for comment in comments]

    async def make() -> list[shapes.Comment]:
        shown = await _show(call, space, head, comments, "markdown", added)
        return [shapes.present(one, call.view) for one in shown]

    return await encoded(call, _LISTS, (head, space.role, mine, comments, added), make)


async def _show(
    call: Call, space: SeenSpace, head: str, comments: Sequence[Comment], format_: str, added: _Added
) -> list[CommentView]:
    around = Around(added.people)
    targets = await _targets(call, head, comments)
    those: dict[str, list[ReplierView]] = {}
    for one in added.repliers:
        those.setdefault(one.comment, []).append(ReplierView(one.user, one.count, one.updated_at))
    left: dict[str, list[Reaction]] = {}
    for reaction in added.reactions:
        left.setdefault(reaction.comment, []).append(reaction)
    me, bodies = call.caller.user.id, Bodies(format_)
    own, others = comment_permissions(space.role, True), comment_permissions(space.role, False)
    return [
        CommentView(
            comment,
            bodies.of(comment.markdown),
            own if comment.posted_by == me else others,
            around,
            targets.get(comment.id),
            those.get(comment.id, ()),
            left.get(comment.id, ()),
        )
        for comment in comments
    ]


def show_posted(call: Call, space: SeenSpace, comment: Comment, branch: Branch | None = None) -> CommentView:
    """A comment that the caller posted this moment."""
    return CommentView(
        comment,
        Bodies("markdown").of(comment.markdown),
        comment_permissions(space.role, True),
        Around({call.caller.user.id: call.caller.user}),
        None if comment.page is None else TargetView(branch, comment.node, False),
    )


async def show_replies(
    call: Call, space: SeenSpace, within: Comment, replies: Sequence[CommentReply], format_: str
) -> list[ReplyView]:
    """Replies to one comment."""
    reactions = await call.unit.comments.reactions_of_replies(within.id, [reply.id for reply in replies])
    people = await users_by_id(call, {*(reply.posted_by for reply in replies), *(one.user for one in reactions)})
    around = Around(people)
    me, bodies = call.caller.user.id, Bodies(format_)
    return [
        ReplyView(
            reply,
            within,
            bodies.of(reply.markdown),
            comment_permissions(space.role, reply.posted_by == me),
            around,
            [one for one in reactions if one.reply == reply.id],
        )
        for reply in replies
    ]


async def _targets(call: Call, head: str, comments: Sequence[Comment]) -> dict[str, TargetView]:
    """Where the comments that are about pages belong in the revision `head`, by their ids."""
    if all(comment.page is None for comment in comments):
        return {}
    revision = await call.unit.revisions.get(head)
    assert revision is not None  # a head is written in the unit that makes the revision
    contents = await contents_of(call.unit, revision)
    made: dict[str, TargetView] = {}
    whole: dict[str, TargetView] = {}
    moved: list[tuple[Comment, Branch]] = []
    for comment in comments:
        if comment.page is None:
            continue
        branch = contents.by_id.get(comment.page)
        if branch is None:
            made[comment.id] = TargetView(None, comment.node, True)
        elif comment.node is None:
            made[comment.id] = whole.get(comment.page) or whole.setdefault(
                comment.page, TargetView(branch, None, False)
            )
        elif branch.page.document == comment.document:
            made[comment.id] = TargetView(branch, comment.node, False)
        elif (known := contents.derived.get(_TARGETS, comment.id)) is not None:
            made[comment.id] = known
        else:
            moved.append((comment, branch))
    for at in range(0, len(moved), _TOGETHER // 2):
        made |= await _found_again(call, contents, moved[at : at + _TOGETHER // 2])
    return made


async def _found_again(
    call: Call, contents: Contents, moved: Sequence[tuple[Comment, Branch]]
) -> dict[str, TargetView]:
    """The nodes of comments whose page has another document by now; kept with the contents, which never change."""
    wanted = {digest for comment, branch in moved for digest in (comment.document, branch.page.document) if digest}
    known = await documents_of(call.unit, contents.organization, wanted)
    made: dict[str, TargetView] = {}
    for comment, branch in moved:
        before, after = known.get(comment.document or b""), known.get(branch.page.document or b"")
        found = None if after is None else attached(comment.node or "", before, after)
        target = (
            TargetView(branch, comment.node, True) if found is None else TargetView(branch, found.node, found.changed)
        )
        made[comment.id] = contents.derived.put(_TARGETS, target, comment.id)
    return made
