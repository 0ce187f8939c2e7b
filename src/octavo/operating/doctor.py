"""`octavo doctor`: every check of an installation from outside, also where no server runs and nothing can be opened."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from octavo.jobs.installation import checks
from octavo.jobs.installation.findings import Finding
from octavo.kernel.errors import Failure
from octavo.kernel.settings import Settings
from octavo.main import blobs_of, engine_of
from octavo.store import directory
from octavo.store.database.engine import Engine
from octavo.store.database.migrate import HEAD, version


async def examine(settings: Settings) -> list[Finding]:
    """Everything, in the order in which it should be mended."""
    found = checks.of_machine(settings)
    async with _database(settings, found) as engine:
        found.extend(await checks.beyond(settings, engine, lambda: blobs_of(settings)))
    return found


@asynccontextmanager
async def _database(settings: Settings, found: list[Finding]) -> AsyncIterator[Engine | None]:
    """The open database, or None; what was found of it is added."""
    check = "database"
    file = settings.data / directory.DATABASE
    if settings.database_url is None and not (file.is_file() and file.stat().st_size):
        todo = "start `octavo serve`, or set OCTAVO_DATA to where the installation is"
        found.append(Finding(check, "failure", f"there is no database in {settings.data}", todo))
        yield None
        return
    try:
        engine = engine_of(settings)
        await engine.open()
        began = time.perf_counter()
        at = await version(engine)
    except (Failure, OSError) as error:
        todo = "look at OCTAVO_DATABASE_URL, and whether PostgreSQL runs and lets this machine in"
        if settings.database_url is None:
            todo = "restore a backup, or look at who owns the file"
        found.append(Finding(check, "failure", str(error), todo))
        yield None
        return
    took = (time.perf_counter() - began) * 1000
    try:
        found.append(checks.of_schema(engine.dialect, at, took))
        yield None if at is None or at > HEAD else engine
    finally:
        await engine.close()
