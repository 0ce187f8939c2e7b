"""What visitors think of pages: a rating and a few words of each, the last of which counts."""

from __future__ import annotations

from typing import Literal, get_args

import msgspec

from octavo.access.people.attempts import Allowance, spend
from octavo.kernel import limits
from octavo.kernel.clock import HOUR, MINUTE
from octavo.kernel.events import PageRated
from octavo.kernel.ids import new_id
from octavo.kernel.records import Json
from octavo.kernel.records.sites import PageFeedback
from octavo.site.snapshot import Place, Snapshot
from octavo.store.unit import Unit

Rating = Literal["bad", "ok", "good"]
RATINGS: tuple[Rating, ...] = get_args(Rating)


class Reader(msgspec.Struct, frozen=True):
    """Who rates a page, as far as it is known."""

    visitor: str
    """Names her on this site and tells nobody who she is."""
    household: str
    """Where she asks from, for what may be asked so often."""
    agent: str | None = None
    language: str | None = None


class Opinion(msgspec.Struct, frozen=True):
    """What she says of a page; without a comment, one of before stays."""

    page: str
    url: str
    """Where visitors find it."""
    rating: Rating
    comment: str | None = None


async def rate(unit: Unit, snapshot: Snapshot, place: Place, reader: Reader, said: Opinion) -> bool:
    """Keep it instead of what she said before, and tell of it; False where too much comes from there in an hour."""
    words = f"feedback {snapshot.site.id} {reader.household}"
    if not await spend(unit, [Allowance(words, limits.FEEDBACK_OF_ADDRESS, HOUR // MINUTE)]):
        return False
    site, space = snapshot.site, place.space.id
    old = await unit.feedback.of_visitor(site.id, said.page, reader.visitor)
    comment = said.comment or (None if old is None else old.comment)
    if old is not None and (old.rating, old.comment) == (said.rating, comment):
        return True
    changed: Json = {"space": space, "rating": said.rating, "comment": comment, "created_at": unit.now}
    if old is not None:
        kept = await unit.feedback.change(old, **changed)
    else:
        whose: Json = {"organization": site.organization, "site": site.id, "page": said.page, "visitor": reader.visitor}
        kept = PageFeedback(id=new_id(), **whose, **changed)
        await unit.feedback.add(kept)
    told = PageRated(
        organization=site.organization,
        site=site.id,
        site_space=place.site_space.id,
        space=space,
        page=said.page,
        revision=snapshot.revisions[space].id,
        feedback=kept.id,
        rating=said.rating,
        comment=said.comment,
        visitor=reader.visitor,
        url=said.url,
        agent=reader.agent,
        language=reader.language,
    )
    await unit.emit(told)
    return True
