"""Backup and restore: a snapshot of the database first, then the blobs, in one file that says what it comes to."""

from __future__ import annotations

import asyncio
import contextlib
import os
import tarfile
import tempfile
import threading
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec

from octavo import __version__
from octavo.backups import archive, postgres, sealing
from octavo.backups.archive import ABOUT, BLOBS, EVENTS, POSTGRES, SQLITE
from octavo.jobs.table import OUTSIDE
from octavo.kernel import extras
from octavo.kernel.clock import iso, system_clock
from octavo.kernel.errors import BadRequest, Conflict
from octavo.kernel.settings import Settings
from octavo.main import blobs_of, engine_of, insights_of, opened
from octavo.store import directory, stilling
from octavo.store.content.blobs import Blobs
from octavo.store.content.depot import Depot
from octavo.store.database.engine import Connection, Engine
from octavo.store.database.migrate import HEAD, Migrations, migrate, refuse_unfinished, say, version
from octavo.store.database.sqlite import SqliteEngine, damage
from octavo.store.insights.asking import Export


async def backup(settings: Settings, file: str, recipients: Sequence[str] | None = None) -> dict[str, Any]:
    """{file, bytes, blobs, encrypted}: into a file, or an object store by its address. `recipients` may read it, or those that
    are set. The server may run meanwhile: blobs that appear later belong to later content."""
    depot, name = Depot.of(file)
    if depot.folder is not None and not depot.folder.is_dir():
        raise BadRequest(f"{file} cannot be written: there is no directory {depot.folder}")
    return {"file": file} | await written(settings, depot, name, recipients or settings.backup_recipients)


async def written(settings: Settings, depot: Depot, name: str, recipients: Sequence[str]) -> dict[str, Any]:
    """Put a backup into a place: under its name when it is whole. {bytes, blobs, encrypted}."""
    readers = sealing.recipients_of(recipients)
    stopped = threading.Event()
    async with opened(settings) as engine:
        refuse_unfinished(await version(engine))  # what was half of an installation would look like a whole one
        with tempfile.TemporaryDirectory(dir=depot.folder or settings.data) as folder:
            try:
                made, blobs = await _packed(settings, engine, Path(folder), stopped)
                if readers:
                    sealed = Path(folder) / "backup.age"
                    await asyncio.to_thread(sealing.seal, made, sealed, readers, stopped)
                    made = sealed
                size = made.stat().st_size
                await depot.put(name, made)
            finally:
                stopped.set()
    return {"bytes": size, "blobs": blobs, "encrypted": bool(readers)}


async def _packed(settings: Settings, engine: Engine, folder: Path, stopped: threading.Event) -> tuple[Path, int]:
    """The archive, in the folder, and how many blobs are in it. What takes long is done beside the event loop."""
    part = folder / "backup.tar"
    about = {"octavo": __version__, "migration": await version(engine), "dialect": engine.dialect}
    with tarfile.open(part, "w") as tar:
        made = archive.Writer(tar, stopped)
        made.add_bytes(ABOUT, msgspec.json.encode(about | {"at": iso(system_clock()), "sums": True}))
        name = await _snapshot(settings, engine, folder)
        await asyncio.to_thread(made.add_file, name, folder / name)
        (folder / name).unlink()
        if settings.blobs_url is None:
            blobs = await asyncio.to_thread(_add_blobs, made, settings.data / BLOBS)
        else:
            blobs = await _add_stored(made, blobs_of(settings))
        if (events := await _events(settings, folder)) is not None:
            await asyncio.to_thread(made.add_file, EVENTS, events)
        made.end()
    return part, blobs


async def _snapshot(settings: Settings, engine: Engine, folder: Path) -> str:
    """The database as of one moment, as a file of the folder; its name."""
    if isinstance(engine, SqliteEngine):
        await asyncio.to_thread(engine.snapshot, folder / SQLITE)
        return SQLITE
    assert settings.database_url is not None  # what is not SQLite
    await postgres.dump(settings.database_url, folder / POSTGRES)
    return POSTGRES


async def _events(settings: Settings, folder: Path) -> Path | None:
    """What is kept of readers, as a file of the folder; None where there is nothing."""
    insights = insights_of(settings)
    if insights is None and settings.insights and (settings.data / directory.INSIGHTS).is_dir():
        extras.require("insights")  # a backup without them would look whole
    if insights is None or not insights.used:
        return None
    file = folder / "events"
    try:
        await insights.ask(Export(str(file)))
    finally:
        await insights.close()
    return file


def _add_blobs(made: archive.Writer, folder: Path) -> int:
    count = 0
    for path in sorted(folder.rglob("*")):
        if path.is_file() and "#" not in path.name:  # a name with # is an upload that did not end
            count += made.add_file(f"{BLOBS}/{path.relative_to(folder)}", path)
    return count


async def _add_stored(made: archive.Writer, blobs: Blobs) -> int:
    """The same from an object store."""
    count = 0
    async for path in blobs.names():
        if path.count("/") != 2:
            continue  # somebody else's
        organization, _, name = path.split("/")
        data = await blobs.get(organization, name)
        if data is not None:  # it may have been removed since
            await asyncio.to_thread(made.add_bytes, f"{BLOBS}/{path}", data)
            count += 1
    return count


async def _store_all(folder: Path, blobs: Blobs) -> None:
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            await blobs.put_as(path.relative_to(folder).parts[0], path.name, path.read_bytes())


@asynccontextmanager
async def at_hand(file: str, near: Path, identity: Path | None) -> AsyncIterator[Path]:
    """A backup as a plain file on this machine for the block, fetched and decrypted where that is needed. Raises BadRequest,
    NotFound or Unavailable with a sentence."""
    depot, name = Depot.of(file)
    room = next((one for one in (near, near.absolute().parent) if one.is_dir() and os.access(one, os.W_OK)), None)
    with tempfile.TemporaryDirectory(dir=room) as folder:
        found = await depot.fetch(name, Path(folder))
        if await asyncio.to_thread(sealing.is_sealed, found):
            plain = Path(folder) / "plain.tar"
            await asyncio.to_thread(sealing.unseal, found, plain, identity, file)
            found = plain
        yield found


async def restore(settings: Settings, file: str, identity: Path | None = None, *, copy: bool = False) -> dict[str, Any]:
    """{restored, blobs}. Refuses where there is data already, and what is not whole: then nothing is restored. `identity` is a
    file with the secret key of one that is encrypted. A `copy` reaches nobody outside by itself, before anybody can open
    it: `off` says how much of what was switched off."""
    off: dict[str, int] = {}
    async with at_hand(file, settings.data, identity) as plain:
        with archive.reading(plain, file) as tar:
            about = archive.about(tar)
            _refuse_unfit(settings, about)
            await _refuse_taken(settings)
            fresh = not settings.data.exists()
            directory.secure(settings.data)
            try:
                with tempfile.TemporaryDirectory(dir=settings.data) as folder:
                    blobs = await _restore(settings, tar, about, Path(folder), off if copy else None)
            except BaseException:
                if fresh:
                    with contextlib.suppress(OSError):
                        settings.data.rmdir()
                raise
    async with opened(settings) as engine:
        await migrate(engine, offline=True)
    return {"restored": about["at"], "blobs": blobs} | ({"off": off} if copy else {})


async def _still(engine: Engine, held_at: str | None) -> dict[str, int]:
    """Bring a database to this version, and switch off in it what reaches outside. One that is held, at a migration, may be
    opened only then."""

    async def last(connection: Connection) -> dict[str, int]:
        off = await stilling.still(connection, system_clock(), OUTSIDE)
        if held_at is not None:
            await say(connection)
        return off

    await engine.open()
    try:
        if held_at is None:
            await migrate(engine, offline=True)
        else:
            await engine.script(Migrations().missing(engine.dialect, held_at).statements)
        return await engine.write(last)
    finally:
        await engine.close()


def _refuse_unfit(settings: Settings, about: dict[str, Any]) -> None:
    wanted = "sqlite" if settings.database_url is None else "postgres"
    if about["dialect"] != wanted:
        raise BadRequest(f"the backup was made on {about['dialect']}, this installation runs on {wanted}")
    if str(about["migration"]) > HEAD:
        raise BadRequest(f"the backup is from a newer Octavo ({about['octavo']}); restore it with that")


async def _refuse_taken(settings: Settings) -> None:
    if not all(path.is_dir() for path in (settings.data / BLOBS).rglob("*")):  # `octavo doctor` leaves empty folders
        raise Conflict(f"{settings.data} holds files already; restore into an empty directory")
    if settings.blobs_url is not None:
        async for _ in blobs_of(settings).names():
            raise Conflict(f"{settings.blobs_url} holds files already; restore into an empty place")
    if (settings.data / EVENTS).exists():
        raise Conflict(f"{settings.data} holds events of readers already; restore into an empty directory")
    if settings.database_url is None:
        if (settings.data / SQLITE).exists():
            raise Conflict(f"{settings.data} holds a database already; restore into an empty directory")
        return
    engine = engine_of(settings)
    await engine.open()
    try:
        if await version(engine) is not None:
            raise Conflict("the PostgreSQL database holds an installation already; restore into an empty one")
    finally:
        await engine.close()


async def _restore(
    settings: Settings, tar: tarfile.TarFile, about: dict[str, Any], folder: Path, off: dict[str, int] | None
) -> int:
    """Unpack aside, look whether it is whole, and only then put it where it belongs; how many blobs there are. Of a copy,
    `off` is filled."""
    found = await asyncio.to_thread(archive.unpack, tar, tar, folder)
    await asyncio.to_thread(archive.check, about, found, folder)
    name = SQLITE if settings.database_url is None else POSTGRES
    if name not in found:
        raise BadRequest(f"the backup is damaged: {name} is missing")
    if settings.database_url is not None:
        await postgres.load(settings.database_url, folder / name, held=off is not None)
    else:
        await _refuse_damaged(folder / name, about)
    if off is not None and name == POSTGRES:
        off |= await _still(engine_of(settings), str(about["migration"]))
    elif off is not None:
        off |= await _still(SqliteEngine(folder / name), None)
    if (folder / BLOBS).exists() and settings.blobs_url is not None:
        await _store_all(folder / BLOBS, blobs_of(settings))
    elif (folder / BLOBS).exists():
        for emptied in sorted((settings.data / BLOBS).rglob("*"), reverse=True):
            emptied.rmdir()
        with contextlib.suppress(FileNotFoundError):
            (settings.data / BLOBS).rmdir()
        (folder / BLOBS).rename(settings.data / BLOBS)
    if EVENTS in found:
        (settings.data / EVENTS).parent.mkdir(exist_ok=True, mode=0o700)
        (folder / EVENTS).rename(settings.data / EVENTS)
    if settings.database_url is None:
        (folder / name).rename(settings.data / name)
    return sum(one.startswith(f"{BLOBS}/") for one in found)


async def _refuse_damaged(file: Path, about: dict[str, Any]) -> None:
    wrong = await asyncio.to_thread(damage, file)
    if wrong is None:
        engine = SqliteEngine(file)
        await engine.open()
        try:
            at = await version(engine)
        finally:
            await engine.close()
        wrong = None if at == about["migration"] else f"it is at migration {at}, not {about['migration']}"
    if wrong is not None:
        raise BadRequest(f"the backup is damaged: {SQLITE} is no whole database: {wrong}")
