"""Rows with planted errors, one a line: mypy must refuse each line that says so. Never imported."""

from __future__ import annotations

from typing import Any

from octavo.access.caller import Caller
from octavo.kernel.operation import Nothing, Rule, nothing, reads, writes
from octavo.resources.call import Call, Slice, listed
from octavo.resources.places import AtCollection, AtSpace
from octavo.wire.fields import Body
from octavo.wire.view import View


class Other(Body, frozen=True):
    title: str


async def right(call: Call, at: AtSpace, takes: Nothing) -> str:
    return at.space.record.id


async def either(call: Call, at: AtSpace | AtCollection, takes: Other) -> None:
    """A place of two kinds, and no answer."""


async def several(call: Call, at: AtSpace, takes: Nothing) -> Slice[str]:
    return Slice([at.space.record.id], 1, None)


def shown(record: str, view: View) -> int:
    return len(record)


def counted(record: int, view: View) -> int:
    return record


def may(caller: Caller, at: AtSpace, takes: object) -> bool:
    return True


def may_there(caller: Caller, at: AtCollection, takes: object) -> bool:
    return True


def late(call: Call, at: AtSpace, takes: Nothing) -> str:
    return ""


HERE: Rule[AtSpace, Any] = Rule("who is here", may, "no")
THERE: Rule[AtCollection, Any] = Rule("who is there", may_there, "no")

OPERATIONS = (
    reads("a", "/a", right, shown, needs="space.view", scope=None, summary="fine"),
    reads("b", "/b", right, counted, needs="space.view", scope=None, summary="present"),  # planted
    reads("c", "/c", right, len, needs="space.view", scope=None, summary="present"),  # planted
    reads("d", "/d", late, shown, needs="space.view", scope=None, summary="not async"),  # planted
    reads("e", "/e", several, listed(shown), needs="space.view", scope=None, summary="fine"),
    reads("f", "/f", several, listed(counted), needs="space.view", scope=None, summary="of another entry"),  # planted
    reads("g", "/g", right, shown, needs=HERE, scope=None, summary="fine"),
    reads("h", "/h", right, shown, needs=THERE, scope=None, summary="a rule of another place"),  # planted
    reads("i", "/i", right, shown, needs="space.view", scope="space:see", summary="scope"),  # planted
    reads("j", "/j", right, nothing, needs="space.view", scope=None, summary="an answer is dropped"),  # planted
    writes("PUT", "k", "/k", either, nothing, at=AtSpace, needs="x", scope=None, audit=None, summary="fine"),
    writes("PUT", "l", "/l", either, nothing, at=Other, needs="x", scope=None, audit=None, summary="at"),  # planted
    writes("LOOK", "m", "/m", either, nothing, at=AtSpace, needs="x", scope=None, audit=None, summary="?"),  # planted
    writes("PUT", "n", "/n", right, shown, needs="x", scope=None, summary="audit is not said"),  # planted
    writes("PUT", "o", "/o", right, shown, needs="x", scope=None, audit=None, lock="page", summary="?"),  # planted
)
