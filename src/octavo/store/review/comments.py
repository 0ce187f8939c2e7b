"""Comments, replies and reactions; the counters of open comments move with them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

import msgspec

from octavo.kernel.records.people import Member
from octavo.kernel.records.review import Comment, CommentReply, Reaction
from octavo.store.database.engine import Connection
from octavo.store.database.families import NOTHING
from octavo.store.database.statement import Statement
from octavo.store.people.people import MEMBERS
from octavo.store.shelf import Table, count

COMMENTS = Table("comments", Comment)
COMMENT_REPLIES = Table("comment_replies", CommentReply)
REACTIONS = Table("reactions", Reaction, key=("comment", "reply", "user", "emoji"))

Order = Literal["asc", "desc"]


class Commented(msgspec.Struct, frozen=True):
    """What comments are about: the primary content of a space, or one of its change requests."""

    space: str
    change_request: str | None = None


class Wanted(msgspec.Struct, frozen=True):
    """Which comments a list holds; None asks nothing."""

    status: Literal["open", "resolved"] | None = None
    page: str | None = None
    authors: Sequence[str] | None = None
    order: Order = "desc"


class Replier(msgspec.Struct, frozen=True, gc=False):
    """How often somebody replied to a comment, and when last."""

    comment: str
    user: str
    count: int
    updated_at: int


_HERE = {
    False: "space = :space AND change_request IS NULL",
    True: "space = :space AND change_request = :change_request",
}
"""By whether the place is a change request."""
_LISTED = {
    (draft, of_page): here + " AND page = :page" * of_page for draft, here in _HERE.items() for of_page in (False, True)
}
"""The same by whether one page is asked for: with its condition in the statement, its index is used."""
_FILTER = (
    " AND (CAST(:status AS TEXT) IS NULL OR :status = CASE WHEN resolved_at IS NULL THEN 'open' ELSE 'resolved' END)"
    " AND (CAST(:anybody AS INTEGER) = 1 OR posted_by IN :authors[])"
)
_CUT = {
    "desc": " AND (posted_at, id) < (:at, :id) ORDER BY posted_at DESC, id DESC LIMIT :limit",
    "asc": " AND (posted_at, id) > (:at, :id) ORDER BY posted_at, id LIMIT :limit",
}
_PAGE = {
    (listed, order): COMMENTS.select(f"WHERE {here}{_FILTER}{cut}")
    for listed, here in _LISTED.items()
    for order, cut in _CUT.items()
}
_COUNT = {listed: Statement(f"SELECT count(*) FROM comments WHERE {here}{_FILTER}") for listed, here in _LISTED.items()}
_OF_REVIEWS = COMMENTS.select("WHERE review IN :reviews[]")
_RESOLVE = Statement("UPDATE comments SET resolved_at = :now, resolved_by = :by WHERE id = :id AND resolved_at IS NULL")
_REOPEN = Statement(
    "UPDATE comments SET resolved_at = NULL, resolved_by = NULL WHERE id = :id AND resolved_at IS NOT NULL"
)
_REMOVE_OPEN = Statement("DELETE FROM comments WHERE id = :id AND resolved_at IS NULL")
_COUNT_ON = {
    # No site shows how many there are.
    False: Statement("UPDATE spaces SET comments = comments + :by WHERE id = :id", stale=NOTHING),
    True: Statement("UPDATE change_requests SET comments = comments + :by WHERE id = :id"),
}
_REPLIES = {order: COMMENT_REPLIES.select(f"WHERE comment = :comment{cut}") for order, cut in _CUT.items()}
_COUNT_REPLIES = Statement("SELECT count(*) FROM comment_replies WHERE comment = :comment")
_REPLIERS = Statement(
    "SELECT comment, posted_by, count(*), max(posted_at) AS updated_at FROM comment_replies"
    " WHERE comment IN :comments[] GROUP BY comment, posted_by ORDER BY updated_at DESC, posted_by"
)
_REACTIONS = REACTIONS.select("WHERE comment IN :comments[] AND reply = '' ORDER BY reacted_at, emoji, \"user\"")
_REACTIONS_OF_REPLIES = REACTIONS.select(
    'WHERE comment = :comment AND reply IN :replies[] ORDER BY reacted_at, emoji, "user"'
)
_REACT = Statement(
    'INSERT INTO reactions (organization, comment, reply, "user", emoji, reacted_at)'
    " VALUES (:organization, :comment, :reply, :user, :emoji, :reacted_at)"
    ' ON CONFLICT (comment, reply, "user", emoji) DO NOTHING'
)
_REMOVE_REACTIONS = Statement("DELETE FROM reactions WHERE comment = :comment AND reply = :reply")
_COMMENTERS = {
    draft: Statement(
        f"SELECT {MEMBERS.columns}, said.at FROM members JOIN (SELECT who, max(at) AS at FROM ("
        f"SELECT posted_by AS who, posted_at AS at FROM comments WHERE {here} UNION ALL"
        " SELECT r.posted_by, r.posted_at FROM comment_replies r JOIN comments ON comments.id = r.comment"
        f' WHERE {here}) AS each GROUP BY who) AS said ON said.who = members."user"'
        " WHERE members.organization = :organization ORDER BY said.at DESC, said.who"
    )
    for draft, here in _HERE.items()
}


class Comments:
    """What people say of content. Who writes holds the lock of the space."""

    def __init__(self, at: Connection) -> None:
        self._at = at

    async def get(self, comment: str) -> Comment | None:
        return await COMMENTS.get(self._at, id=comment)

    async def page(
        self, place: Commented, wanted: Wanted, behind: tuple[int, str], limit: int
    ) -> tuple[list[Comment], int]:
        """Those of a place from behind (posted, id), and how many there are."""
        listed = place.change_request is not None, wanted.page is not None
        authors = wanted.authors
        values: dict[str, object] = {
            "space": place.space,
            "change_request": place.change_request,
            "status": wanted.status,
            "page": wanted.page,
            "anybody": int(authors is None),
            "authors": authors or (),
        }
        cut = {"at": behind[0], "id": behind[1], "limit": limit}
        page = await COMMENTS.list(self._at, _PAGE[listed, wanted.order], values | cut)
        return page, await count(self._at, _COUNT[listed], values)

    async def of_reviews(self, reviews: Iterable[str]) -> dict[str, Comment]:
        """The comments that reviews were submitted with, by the review."""
        wanted = sorted(reviews)
        found = await COMMENTS.list(self._at, _OF_REVIEWS, {"reviews": wanted}) if wanted else []
        return {one.review: one for one in found if one.review is not None}

    async def add(self, comment: Comment) -> None:
        await COMMENTS.add(self._at, comment)
        await self._count(comment, 1)

    async def edit(self, comment: Comment, markdown: str, now: int) -> Comment:
        return await COMMENTS.change(self._at, comment, markdown=markdown, edited_at=now)

    async def resolve(self, comment: Comment, by: str, now: int) -> bool:
        """False when it is resolved already."""
        done = await self._at.run(_RESOLVE, {"id": comment.id, "by": by, "now": now}) > 0
        if done:
            await self._count(comment, -1)
        return done

    async def reopen(self, comment: Comment) -> bool:
        """False when it is open already."""
        done = await self._at.run(_REOPEN, {"id": comment.id}) > 0
        if done:
            await self._count(comment, 1)
        return done

    async def remove(self, comment: Comment) -> None:
        """With its replies, and all reactions."""
        if await self._at.run(_REMOVE_OPEN, {"id": comment.id}) > 0:
            await self._count(comment, -1)
        else:
            await COMMENTS.remove(self._at, id=comment.id)

    async def _count(self, comment: Comment, by: int) -> None:
        draft = comment.change_request is not None
        await self._at.run(_COUNT_ON[draft], {"id": comment.change_request or comment.space, "by": by})

    async def reply(self, reply: str) -> CommentReply | None:
        return await COMMENT_REPLIES.get(self._at, id=reply)

    async def replies(
        self, comment: str, order: Order, behind: tuple[int, str], limit: int
    ) -> tuple[list[CommentReply], int]:
        """Those to a comment from behind (posted, id), and how many there are."""
        cut = {"at": behind[0], "id": behind[1], "limit": limit}
        page = await COMMENT_REPLIES.list(self._at, _REPLIES[order], {"comment": comment} | cut)
        return page, await count(self._at, _COUNT_REPLIES, {"comment": comment})

    async def add_reply(self, reply: CommentReply) -> None:
        await COMMENT_REPLIES.add(self._at, reply)

    async def edit_reply(self, reply: CommentReply, markdown: str, now: int) -> CommentReply:
        return await COMMENT_REPLIES.change(self._at, reply, markdown=markdown, edited_at=now)

    async def remove_reply(self, reply: CommentReply) -> None:
        await self._at.run(_REMOVE_REACTIONS, {"comment": reply.comment, "reply": reply.id})
        await COMMENT_REPLIES.remove(self._at, id=reply.id)

    async def repliers(self, comments: Sequence[str]) -> list[Replier]:
        """Who replied to these comments, the latest first."""
        rows = await self._at.rows(_REPLIERS, {"comments": comments}) if comments else ()
        return [Replier(row[0], row[1], row[2], row[3]) for row in rows]

    async def reactions(self, comments: Sequence[str]) -> list[Reaction]:
        """Those to the comments themselves, the oldest first."""
        return await REACTIONS.list(self._at, _REACTIONS, {"comments": comments}) if comments else []

    async def reactions_of_replies(self, comment: str, replies: Sequence[str]) -> list[Reaction]:
        """Those to these replies to one comment, the oldest first."""
        values = {"comment": comment, "replies": replies}
        return await REACTIONS.list(self._at, _REACTIONS_OF_REPLIES, values) if replies else []

    async def react(self, reaction: Reaction) -> None:
        """Leave an emoji; one that is there already stays as it is."""
        await self._at.run(_REACT, REACTIONS.values(reaction))

    async def withdraw(self, reaction: Reaction) -> None:
        """Take an emoji back, if it is there."""
        await REACTIONS.remove(
            self._at, comment=reaction.comment, reply=reaction.reply, user=reaction.user, emoji=reaction.emoji
        )

    async def commenters(self, place: Commented, organization: str) -> list[tuple[Member, int]]:
        """Members who commented or replied there, and when last; the latest first."""
        draft = place.change_request is not None
        values = {"space": place.space, "change_request": place.change_request, "organization": organization}
        rows = await self._at.rows(_COMMENTERS[draft], values)
        return [(MEMBERS.read(tuple(row)[:-1]), row[-1]) for row in rows]
