"""The search index follows content, also what is written while it is being brought up to date."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from octavo.jobs.work import Work
from octavo.jobs.worker import LEASE
from octavo.store.unit import Unit
from tests.client import World
from tests.resources.writing import Line

T = TypeVar("T")


class _Interrupted(Work):
    """A run of a job beside which something happens before its first write."""

    meanwhile: Callable[[], Awaitable[None]] | None = None

    async def write(self, work: Callable[[Unit], Awaitable[T]], **given: Any) -> T:
        happens, self.meanwhile = self.meanwhile, None
        if happens is not None:
            await happens()
        return await super().write(work, **given)


def test_what_is_written_while_it_is_indexed_is_found(world: World) -> None:
    """And the other workers, who have nothing else to do, do not help by indexing the same."""
    space = world.space(empty=True)["id"]
    line = Line(world, space)
    page = line.insert("# Birds\n\nA tern.\n")
    line.post("merge")
    worker, store = world.house.worker, world.house.store
    later = Line(world, space, "Later")
    later.text(page, "# Birds\n\nA cormorant.\n")

    async def meanwhile() -> None:
        merged = await world.api.send("POST", later.path + "/merge")
        assert merged.status == 200
        await worker.drain()

    job = world.run(store.write(lambda unit: unit.jobs.take(["reindex"], now=unit.now, lease_for=LEASE)))
    work = _Interrupted(job, store, worker.tools, LEASE)
    work.meanwhile = meanwhile
    assert world.run(worker.do(work)).state == "done"
    world.work()
    for word, count in (("cormorant", 1), ("tern", 0)):
        found = world.api.get(f"/v1/orgs/{world.organization}/search?query={word}")
        assert found.json["count"] == count, word
