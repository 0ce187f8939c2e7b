"""Reviews of change requests, and who was asked for one."""

from __future__ import annotations

from collections.abc import Iterable

from octavo.kernel.ids import order_of
from octavo.kernel.records.review import ChangeRequest, RequestedReviewer, Review
from octavo.store.database.engine import Connection
from octavo.store.database.statement import Statement
from octavo.store.shelf import Table, count

REQUESTED_REVIEWERS = Table("requested_reviewers", RequestedReviewer)
REVIEWS = Table("reviews", Review)

_REQUESTED = REQUESTED_REVIEWERS.select("WHERE change_request = :change_request")
_REQUESTED_OF = REQUESTED_REVIEWERS.select(
    'WHERE change_request = :change_request AND ("user" = :user OR team IN :teams[]) ORDER BY created_at DESC, id'
)
_FILTER = (
    "WHERE change_request = :change_request AND (CAST(:outdated AS INTEGER) IS NULL OR :outdated ="
    " CASE WHEN superseded = 1 OR asked_again = 1 OR revision <> :revision THEN 1 ELSE 0 END)"
)
_PAGE = REVIEWS.select(
    f"{_FILTER} AND (created_at, id) < (:before, :before_id) ORDER BY created_at DESC, id DESC LIMIT :limit"
)
_COUNT = Statement(f"SELECT count(*) FROM reviews {_FILTER}")
_STANDING = REVIEWS.select("WHERE change_request = :change_request AND superseded = 0 ORDER BY created_at, id")
_SUPERSEDE = Statement(
    "UPDATE reviews SET superseded = 1"
    " WHERE change_request = :change_request AND reviewer = :reviewer AND superseded = 0"
)
_ASK_AGAIN = Statement(
    "UPDATE reviews SET asked_again = 1 WHERE change_request = :change_request AND reviewer = :reviewer"
    " AND superseded = 0 AND asked_again = 0"
)


def asked_order(one: RequestedReviewer) -> tuple[int, str]:
    """Sorts who was asked: the latest first, those who were asked together in their order."""
    return -one.created_at, order_of(one.id)


class Reviews:
    """What people said of a change request, and of whom it was asked."""

    def __init__(self, at: Connection) -> None:
        self._at = at

    async def requested(self, request: str) -> list[RequestedReviewer]:
        """Everybody who was asked, the latest first; those who were asked together in their order."""
        found = await REQUESTED_REVIEWERS.list(self._at, _REQUESTED, {"change_request": request})
        return sorted(found, key=asked_order)

    async def requested_of(self, request: str, user: str, teams: Iterable[str] = ()) -> list[RequestedReviewer]:
        """How the user was asked, alone or in one of the teams."""
        values = {"change_request": request, "user": user, "teams": sorted(teams)}
        return await REQUESTED_REVIEWERS.list(self._at, _REQUESTED_OF, values)

    async def ask(self, asked: RequestedReviewer) -> None:
        await REQUESTED_REVIEWERS.add(self._at, asked)

    async def withdraw(self, asked: RequestedReviewer) -> None:
        await REQUESTED_REVIEWERS.remove(self._at, id=asked.id)

    async def ask_again(self, request: str, user: str) -> bool:
        """Note on the user's standing review that another one was asked for; False when there is none."""
        return await self._at.run(_ASK_AGAIN, {"change_request": request, "reviewer": user}) > 0

    async def page(
        self, request: ChangeRequest, outdated: bool | None, before: tuple[int, str], limit: int
    ) -> tuple[list[Review], int]:
        """Reviews, newest first, and how many there are."""
        values = {
            "change_request": request.id,
            "revision": request.revision,
            "outdated": None if outdated is None else int(outdated),
        }
        cut = {"before": before[0], "before_id": before[1], "limit": limit}
        return await REVIEWS.list(self._at, _PAGE, values | cut), await count(self._at, _COUNT, values)

    async def standing(self, request: str) -> list[Review]:
        """The last review of each reviewer."""
        return await REVIEWS.list(self._at, _STANDING, {"change_request": request})

    async def get(self, review: str) -> Review | None:
        return await REVIEWS.get(self._at, id=review)

    async def submit(self, review: Review) -> None:
        """Add a review; the reviewer's one before it does not stand any more."""
        await self._at.run(_SUPERSEDE, {"change_request": review.change_request, "reviewer": review.reviewer})
        await REVIEWS.add(self._at, review)
