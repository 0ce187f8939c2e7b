"""Notifications and what users want to be told of; every question is asked for many users or many rows at once."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Literal, NamedTuple

import msgspec

from octavo.kernel import limits
from octavo.kernel.records.notifications import Notification, NotificationPreference
from octavo.store.database.engine import Connection, Row
from octavo.store.database.statement import Statement
from octavo.store.shelf import Table, count

NOTIFICATIONS = Table("notifications", Notification)
PREFERENCES = Table("notification_preferences", NotificationPreference, key=("user", "kind"))

Status = Literal["all", "unread", "read"]
Mail = Literal["digest", "immediate"]


class Waiting(NamedTuple):
    """A user who is to be written to, and when the newest and the oldest that waits for that came."""

    user: str
    newest: int
    oldest: int


class Words(NamedTuple):
    """What was said in a comment or a reply, and the page it is about."""

    markdown: str
    page: str | None


_TOLD = [field.name for field in msgspec.structs.fields(Notification)]
_ADD = Statement(
    f"INSERT INTO notifications ({NOTIFICATIONS.columns}) VALUES ({', '.join(f':{name}' for name in _TOLD)})"
    ' ON CONFLICT ("user", happening) DO NOTHING'
)
_MINE = 'WHERE "user" = :user AND listed = 1 AND space IN :spaces[]'
_WITH = {"all": "", "unread": " AND read_at IS NULL", "read": " AND read_at IS NOT NULL"}
_PAGE = {
    status: NOTIFICATIONS.select(
        f"{_MINE}{with_} AND (created_at, id) < (:before, :before_id) ORDER BY created_at DESC, id DESC LIMIT :limit"
    )
    for status, with_ in _WITH.items()
}
_COUNT = {status: Statement(f"SELECT count(*) FROM notifications {_MINE}{with_}") for status, with_ in _WITH.items()}
_SPACES = Statement('SELECT DISTINCT space FROM notifications WHERE "user" = :user')
_READ_ALL = Statement(f"UPDATE notifications SET read_at = :now, mail = NULL {_MINE} AND read_at IS NULL")
_FORGET = Statement("DELETE FROM notifications WHERE organization = :organization AND created_at < :before")
_WAITING = Statement(
    'SELECT "user", max(created_at), min(created_at) FROM notifications WHERE mail = :mail'
    ' GROUP BY "user" ORDER BY min(created_at), "user"'
)
_TO_MAIL = NOTIFICATIONS.select(
    'WHERE mail = :mail AND "user" = :user AND created_at <= :newest ORDER BY created_at DESC, id DESC'
)
_MAILED = Statement(
    'UPDATE notifications SET mail = NULL WHERE mail = :mail AND "user" = :user AND created_at <= :newest'
)
_PREFERENCES = PREFERENCES.select('WHERE "user" IN :users[] ORDER BY "user", kind')
_PREFER = Statement(
    'INSERT INTO notification_preferences ("user", kind, list, email) VALUES (:user, :kind, :list, :email)'
    ' ON CONFLICT ("user", kind) DO UPDATE SET list = excluded.list, email = excluded.email'
)
_COMMENTS = Statement(
    f"SELECT id, substr(markdown, 1, {4 * limits.EXCERPT_MAX}), page FROM comments WHERE id IN :ids[]"
)
_REPLIES = Statement(
    f"SELECT comment_replies.id, substr(comment_replies.markdown, 1, {4 * limits.EXCERPT_MAX}), page"
    " FROM comment_replies JOIN comments ON comments.id = comment WHERE comment_replies.id IN :ids[]"
)
_REVIEWS = Statement("SELECT id, status FROM reviews WHERE id IN :ids[]")
_SAID = {
    of_page: f"space = :space AND change_request IS NULL AND page {of}"
    for of_page, of in ((False, "IS NULL"), (True, "= :page"))
}
_VOICES = {
    of_page: Statement(
        f"SELECT posted_by FROM comments WHERE {said} UNION"
        f" SELECT r.posted_by FROM comment_replies r JOIN comments ON comments.id = r.comment WHERE {said}"
    )
    for of_page, said in _SAID.items()
}
_PEERS = Statement(
    'SELECT "user" FROM contributors WHERE change_request = :change_request UNION'
    " SELECT reviewer FROM reviews WHERE change_request = :change_request UNION"
    " SELECT created_by FROM change_requests WHERE id = :change_request"
)
_ASKED = Statement(
    'SELECT "user" FROM requested_reviewers WHERE change_request = :change_request AND id IN :ids[]'
    ' AND "user" IS NOT NULL UNION SELECT team_members."user" FROM requested_reviewers'
    " JOIN team_members ON team_members.team = requested_reviewers.team"
    " WHERE change_request = :change_request AND id IN :ids[]"
)
_IN_THREAD = Statement(
    "SELECT posted_by FROM comments WHERE id = :comment UNION"
    " SELECT posted_by FROM comment_replies WHERE comment = :comment"
)


class Notifications:
    """What users were told; whether a user may still see it is asked by those who show it."""

    def __init__(self, at: Connection) -> None:
        self._at = at

    async def add(self, told: Sequence[Notification]) -> None:
        """Tell; whoever was told of the same happening before is not told again."""
        if told:
            await self._at.many(_ADD, [NOTIFICATIONS.values(one) for one in told])

    async def get(self, notification: str) -> Notification | None:
        return await NOTIFICATIONS.get(self._at, id=notification)

    async def spaces_of(self, user: str) -> list[str]:
        """The spaces that anything the user was told is about."""
        return [row[0] for row in await self._at.rows(_SPACES, {"user": user})]

    async def page(
        self, user: str, spaces: Collection[str], status: Status, before: tuple[int, str], limit: int
    ) -> tuple[list[Notification], int]:
        """What the user was told about these spaces, newest first, and how much it is in all."""
        values = {"user": user, "spaces": list(spaces)}
        cut = {"before": before[0], "before_id": before[1], "limit": limit}
        page = await NOTIFICATIONS.list(self._at, _PAGE[status], values | cut)
        return page, await count(self._at, _COUNT[status], values)

    async def unread(self, user: str, spaces: Collection[str]) -> int:
        return await count(self._at, _COUNT["unread"], {"user": user, "spaces": list(spaces)})

    async def mark(self, notification: Notification, read_at: int | None) -> Notification:
        """Read, or (None) unread again. No letter goes out about what was read."""
        changed = {"read_at": read_at} | ({} if read_at is None else {"mail": None})
        return await NOTIFICATIONS.change(self._at, notification, **changed)

    async def mark_all(self, user: str, spaces: Collection[str], now: int) -> None:
        await self._at.run(_READ_ALL, {"user": user, "spaces": list(spaces), "now": now})

    async def forget(self, organization: str, before: int) -> int:
        """Remove what is older; how many they were."""
        return await self._at.run(_FORGET, {"organization": organization, "before": before})

    async def waiting(self, mail: Mail) -> list[Waiting]:
        """Who is to be written to, who waits longest first."""
        return [Waiting(*row) for row in await self._at.rows(_WAITING, {"mail": mail})]

    async def to_mail(self, mail: Mail, user: str, newest: int) -> list[Notification]:
        """What a letter would tell, newest first."""
        return await NOTIFICATIONS.list(self._at, _TO_MAIL, {"mail": mail, "user": user, "newest": newest})

    async def mailed(self, mail: Mail, user: str, newest: int) -> None:
        """The letter about all that was there is on its way."""
        await self._at.run(_MAILED, {"mail": mail, "user": user, "newest": newest})

    async def preferences(self, users: Iterable[str]) -> list[NotificationPreference]:
        """What these users have chosen, where they have."""
        return await PREFERENCES.list(self._at, _PREFERENCES, {"users": sorted(users)})

    async def prefer(self, chosen: Sequence[NotificationPreference]) -> None:
        if chosen:
            await self._at.many(_PREFER, [PREFERENCES.values(one) for one in chosen])

    async def comments(self, ids: Iterable[str]) -> dict[str, Words]:
        """How these comments begin."""
        return {row[0]: Words(*row[1:]) for row in await self._of(_COMMENTS, ids)}

    async def replies(self, ids: Iterable[str]) -> dict[str, Words]:
        """How these replies begin."""
        return {row[0]: Words(*row[1:]) for row in await self._of(_REPLIES, ids)}

    async def reviews(self, ids: Iterable[str]) -> dict[str, str]:
        """Review -> what it says."""
        return {row[0]: row[1] for row in await self._of(_REVIEWS, ids)}

    async def _of(self, statement: Statement, ids: Iterable[str]) -> Sequence[Row]:
        wanted = sorted(ids)
        return await self._at.rows(statement, {"ids": wanted}) if wanted else ()

    async def voices(self, space: str, page: str | None) -> set[str]:
        """Who said something about a page of primary content, or (None) about all of it."""
        return _users(await self._at.rows(_VOICES[page is not None], {"space": space, "page": page}))

    async def peers(self, change_request: str) -> set[str]:
        """Who made, edited, commented or reviewed a change request."""
        return _users(await self._at.rows(_PEERS, {"change_request": change_request}))

    async def asked(self, change_request: str, ids: Iterable[str]) -> set[str]:
        """Whom these requests for a review mean, teams by who is in them now."""
        return _users(await self._at.rows(_ASKED, {"change_request": change_request, "ids": sorted(ids)}))

    async def in_thread(self, comment: str) -> set[str]:
        """Who commented, and who replied to it."""
        return _users(await self._at.rows(_IN_THREAD, {"comment": comment}))


def _users(rows: Iterable[Sequence[str]]) -> set[str]:
    return {row[0] for row in rows}
