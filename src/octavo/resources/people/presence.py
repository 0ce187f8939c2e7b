"""Who is here: tabs of the application say where they are, and hear of the others. To ask writes nothing; a tab says it anew
when it goes elsewhere, and every twenty seconds."""

from __future__ import annotations

from typing import Any

from msgspec import UNSET

from octavo.access import locate
from octavo.access.caller import Caller
from octavo.access.policy import allows
from octavo.kernel.operation import NOTHING, Nothing, Rule, reads, writes
from octavo.kernel.records.presence import Presence
from octavo.resources.call import Call
from octavo.resources.places import AtSpace
from octavo.wire.people import presence
from octavo.wire.people.presence import AnnouncePresence, PresenceView


async def list_here(call: Call, at: AtSpace, takes: Nothing) -> list[PresenceView]:
    """All who have the space open, the caller too."""
    found = await call.unit.presences.here(at.space.record.id, call.now)
    users = {one.id: one for one in await call.unit.people.users({one.user for one in found})}
    return [PresenceView(one, users[one.user]) for one in found if one.user in users]


async def announce(call: Call, at: AtSpace, body: AnnouncePresence) -> list[PresenceView]:
    """A tab is here for some seconds, or is gone; who is here then. The word of a tab is its own choice, and stands for nothing
    of others."""
    space, user = at.space.record, call.caller.user.id
    if body.doing == "gone":
        await call.unit.presences.leave(space.id, user, body.tab)
        return await list_here(call, at, NOTHING)
    request = None
    if body.change_request is not UNSET:
        request = (await locate.change_request(call.unit, call.caller, body.change_request, space)).record.id
    one = Presence(
        space=space.id,
        organization=space.organization,
        user=user,
        word=body.tab,
        change_request=request,
        page=None if body.page is UNSET else body.page,
        doing=body.doing,
        node=None if body.node is UNSET else body.node,
        since=call.now,
        seen_at=call.now,
    )
    await call.unit.presences.say(one)
    return await list_here(call, at, NOTHING)


def _people(caller: Caller, at: AtSpace, takes: object) -> bool:
    return caller.is_somebody and allows("space", "view", at.space.role)


PEOPLE: Rule[Any, Any] = Rule("`view` on the space; people alone", _people, "this is for people who may see the space")
_ALL = "/spaces/{space}/presence"

OPERATIONS = (
    reads("listPresence", _ALL, list_here, presence.present_all,
          needs=PEOPLE, scope="space:read", summary="List who has a space open"),
    writes("PUT", "announcePresence", _ALL, announce, presence.present_all,
           needs=PEOPLE, scope="space:read", audit=None, summary="Say where one is in a space, or that one has left it"),
)  # fmt: skip
