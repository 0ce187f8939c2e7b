"""A drill: a backup is restored into a temporary installation and looked through, as it will have to serve one day."""

from __future__ import annotations

import hashlib
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

from octavo.backups import archive, keeping
from octavo.history.contents import contents_at
from octavo.kernel.errors import BadRequest, Conflict
from octavo.kernel.settings import Settings
from octavo.main import House, open_house
from octavo.store import checking


async def drill(settings: Settings, file: str, identity: Path | None) -> dict[str, Any]:
    """What was found, when all of it is well; everything that was made for it is gone then. Raises a Failure with a sentence
    for the first thing that is not."""
    began = time.monotonic()
    near = settings.data if settings.data.is_dir() else Path(tempfile.gettempdir())
    async with keeping.at_hand(file, near, identity) as plain:
        with archive.reading(plain, file) as tar:
            about = archive.about(tar)
        with tempfile.TemporaryDirectory(dir=near, prefix="octavo-drill-") as folder:
            async with _installation(settings, about["dialect"], Path(folder)) as temporary:
                await keeping.restore(temporary, str(plain))
                async with open_house(temporary, base="http://localhost") as house:
                    found = await _looked_through(house)
    known = {name: about[name] for name in ("at", "octavo", "dialect", "migration")}
    return known | found | {"seconds": round(time.monotonic() - began, 1)}


def sentences(told: dict[str, Any]) -> list[str]:
    """What a drill found, for people."""
    words = ", ".join(f"{told[table]} {table.replace('_', ' ')}" for table in checking.COUNTED)
    return [
        f"The backup of {told['at']} was made by Octavo {told['octavo']} on {told['dialect']}, and is whole.",
        f"It was restored into a temporary installation within {told['seconds']} s, which is removed again: {words}.",
        f"{told['objects']} objects of content and {told['files']} files are what they are called by, nothing that is"
        f" referred to is missing, and {told['opened']} spaces could be opened.",
    ]


@asynccontextmanager
async def _installation(settings: Settings, dialect: str, folder: Path) -> AsyncIterator[Settings]:
    """Settings of a place that is empty and goes afterwards; on PostgreSQL a database beside that of the settings."""
    data = folder / "data"
    if dialect == "sqlite":
        yield Settings(data=data, secret=settings.secret, insights=False)
        return
    if settings.database_url is None:
        raise BadRequest("the backup was made on postgres: set OCTAVO_DATABASE_URL to a server on which it is tried")
    from octavo.store.database.postgres import database_beside

    async with database_beside(settings.database_url) as url:
        yield Settings(data=data, secret=settings.secret, database_url=url, insights=False)


async def _looked_through(house: House) -> dict[str, int]:
    engine = house.store.engine
    counts = await checking.counted(engine)
    objects, wrong = await checking.objects(engine)
    if wrong is not None:
        raise Conflict(f"the backup can be restored, but {wrong}")
    files = 0
    async for organization, name, size in checking.blobs(engine):
        await _read(house, organization, name, size)
        files += 1
    opened = 0
    for organization, root in await checking.heads(engine):
        await house.store.read(partial(contents_at, organization=organization, root=root))
        opened += 1
    return counts | {"objects": objects, "files": files, "opened": opened}


async def _read(house: House, organization: str, name: str, size: int) -> None:
    found = await house.blobs.open(organization, name)
    if found is None:
        raise Conflict(f"the backup can be restored, but the file {name} of organization {organization} is not in it")
    digest = hashlib.sha256()
    async for part in found.parts():
        digest.update(part)
    if found.whole_size != size or (len(name) == 64 and digest.hexdigest() != name):
        raise Conflict(f"the backup can be restored, but the file {name} of organization {organization} is damaged")
