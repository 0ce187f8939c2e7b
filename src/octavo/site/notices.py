"""What somebody was told, as far as she may see it at this moment: for the list, and for letters."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from octavo.access.caller import Person
from octavo.access.standing import roles_on_spaces
from octavo.kernel import limits
from octavo.kernel.records.library import Space
from octavo.kernel.records.notifications import (
    NOTIFICATION_KINDS,
    Notification,
    NotificationKind,
    NotificationPreference,
)
from octavo.store.shelf import by_id
from octavo.store.unit import Unit
from octavo.wire.people.notifications import NotificationView

_LINK = re.compile(r"!?\[([^\]\n]*)\]\([^)\n]*\)")


async def seen_spaces(unit: Unit, person: Person) -> dict[str, Space]:
    """The spaces that somebody was told of and may see, by id."""
    spaces = await unit.spaces.by_ids(await unit.notifications.spaces_of(person.user.id))
    return await visible(unit, person, spaces)


async def visible(unit: Unit, person: Person, spaces: Sequence[Space]) -> dict[str, Space]:
    """Those of these spaces that somebody may see, by id."""
    active = [space for space in spaces if space.deleted_at is None]
    roles = await roles_on_spaces(unit, person, active)
    return {space.id: space for space in active if roles[space.id] is not None}


async def show(unit: Unit, told: Sequence[Notification], spaces: Mapping[str, Space]) -> list[NotificationView]:
    """Notifications about these spaces with what they name, in five queries for any number of them."""
    people = by_id(await unit.people.users(one.actor for one in told if one.actor is not None))
    requests = await unit.change_requests.by_ids(_ids(one.change_request for one in told))
    words = await unit.notifications.comments(_ids(one.comment for one in told))
    words |= await unit.notifications.replies(_ids(one.reply for one in told))
    reviews = await unit.notifications.reviews(_ids(one.review for one in told))
    made = []
    for one in told:
        said = words.get(one.reply or one.comment or "")
        made.append(
            NotificationView(
                one,
                spaces[one.space],
                people.get(one.actor or ""),
                requests.get(one.change_request or ""),
                reviews.get(one.review or ""),
                None if said is None else excerpt(said.markdown),
                None if said is None else said.page,
            )
        )
    return made


def excerpt(markdown: str) -> str:
    """The beginning of what somebody wrote, in one line; of links and mentions, their words."""
    line = " ".join(_LINK.sub(r"\1", markdown).split())
    return line if len(line) <= limits.EXCERPT_MAX else line[: limits.EXCERPT_MAX - 1] + "…"


async def preferences(unit: Unit, users: Sequence[str]) -> dict[tuple[str, NotificationKind], NotificationPreference]:
    """(User, kind) -> what holds for these users, for every kind."""
    chosen = {(one.user, one.kind): one for one in await unit.notifications.preferences(users)}
    every = ((user, kind) for user in users for kind in NOTIFICATION_KINDS)
    return {key: chosen.get(key) or NotificationPreference(user=key[0], kind=key[1]) for key in every}


def _ids(given: Iterable[str | None]) -> set[str]:
    return {one for one in given if one is not None}
