"""Comments of one page are found, and who made them, whatever was said of other pages."""

from __future__ import annotations

from typing import Any

from octavo.kernel.ids import new_id
from octavo.kernel.records.review import Comment, CommentReply
from octavo.store.review.comments import Commented, Wanted
from octavo.store.unit import Unit
from tests.client import World
from tests.store.steps import steps_of


def test_what_is_said_of_other_pages_costs_nothing(world: World) -> None:
    space = world.space()["id"]

    async def say(unit: Unit, page: str | None, count: int) -> None:
        for at in range(count):
            said: dict[str, Any] = {
                "organization": world.organization,
                "posted_by": f"somebody {at % 7}",
                "posted_at": at,
            }
            comment = Comment(id=new_id(), space=space, revision="r", markdown="Hm.", page=page, **said)
            await unit.comments.add(comment)
            reply = said | {"posted_by": f"another {at % 5}"}
            await unit.comments.add_reply(CommentReply(id=new_id(), comment=comment.id, markdown="Yes.", **reply))

    async def listed(unit: Unit) -> None:
        found, total = await unit.comments.page(Commented(space), Wanted(page="here"), (2**62, ""), 51)
        assert len(found) == total == 20

    async def heard(unit: Unit, page: str | None, people: int) -> None:
        assert len(await unit.notifications.voices(space, page)) == people

    async def write(work: Any, *given: Any) -> Any:
        return await world.house.store.write(lambda unit: work(unit, *given))

    costs = [listed, lambda unit: heard(unit, "here", 12), lambda unit: heard(unit, None, 4)]
    world.run(write(say, "here", 20))
    world.run(write(say, None, 2))
    few = [world.run(write(steps_of(one))) for one in costs]
    for other in range(40):
        world.run(write(say, f"elsewhere {other}", 25))
    many = [world.run(write(steps_of(one))) for one in costs]
    assert all(later <= 1.2 * before + 2 for before, later in zip(few, many, strict=True)), (few, many)
