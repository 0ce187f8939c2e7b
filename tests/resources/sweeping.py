"""Files of an organization that nothing names are removed, as a purge does it."""

from __future__ import annotations

from typing import Any

from octavo.jobs.library.purge import collect
from tests.client import World


def sweep(world: World) -> None:
    """Now, by the clock of that world."""
    worker: Any = world.house.worker

    class _Work:
        store, tools = world.house.store, worker.tools

        async def read(self, work: Any) -> Any:
            return await self.store.read(work)

        async def write(self, work: Any) -> Any:
            return await self.store.write(work)

    swept: Any = _Work()
    world.run(collect(swept, world.organization))
