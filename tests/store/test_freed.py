"""What the process keeps of the memory that SQLite frees: seen in a process of its own, as it holds for all of it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """
import asyncio, resource, sys
from pathlib import Path
from octavo.kernel import collecting
from octavo.store.database.migrate import migrate
from octavo.store.database.sqlite import SqliteEngine
from octavo.store.unit import Store, Unit

async def take(unit: Unit) -> None:
    for _ in range(100):
        assert await unit.jobs.take(["a", "b"], now=unit.now, lease_for=1) is None

async def main() -> None:
    engine = SqliteEngine(Path(sys.argv[1]) / "octavo.db")
    await engine.open()
    await migrate(engine)
    collecting.seldom()
    store = Store(engine, lambda: 0)
    await store.write(take)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    await store.write(take)
    print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
    await engine.close()

asyncio.run(main())
"""


@pytest.mark.skipif("CS_GNU_LIBC_VERSION" not in os.confstr_names, reason="another C library decides for itself")
def test_a_query_does_not_ask_the_system_for_the_memory_of_the_one_before(tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM, str(tmp_path)], capture_output=True, text=True, check=True)
    # Page faults of a hundred queries, which were 12,500.
    assert int(done.stdout) < 1000
