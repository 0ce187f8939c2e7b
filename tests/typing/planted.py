"""Rows with planted errors, one a line: mypy must refuse each line that says so. Never imported."""

from __future__ import annotations

from dataclasses import dataclass

from octavo.access.locate import SeenSpace
from octavo.kernel.operation import READ, Nothing, Operation
from octavo.resources.call import Call
from octavo.wire.fields import Body
from octavo.wire.view import View


@dataclass(frozen=True)
class AtSpace:
    space: SeenSpace


class Other(Body, frozen=True):
    title: str


async def right(call: Call, at: AtSpace, takes: Nothing) -> str:
    return at.space.record.id


def shown(record: str, view: View) -> int:
    return len(record)


OPERATIONS = (
    Operation("a", "GET", "/a/{space}", AtSpace, Nothing, right, shown, int, 200, "space.view", "read", READ, None, "fine"),
    Operation("b", "GET", "/b", Nothing, Nothing, right, shown, int, 200, "x", "read", READ, None, "at"),  # planted
    Operation("c", "GET", "/c", AtSpace, Other, right, shown, int, 200, "x", "read", READ, None, "takes"),  # planted
    Operation("d", "LOOK", "/d", AtSpace, Nothing, right, shown, int, 200, "x", "read", READ, None, "method"),  # planted
    Operation("e", "GET", "/e", AtSpace, Nothing, right, len, int, 200, "x", "read", READ, None, "present"),  # planted
    Operation("f", "GET", "/f", AtSpace, Nothing, right, shown, int, "200", "x", "read", READ, None, "code"),  # planted
    Operation("g", "GET", "/g", AtSpace, Nothing, right, shown, int, 200, "x", "idle", READ, None, "pace"),  # planted
)
