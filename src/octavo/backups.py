"""Backup and restore: a snapshot of the database first, then the blobs, in one tar file."""

from __future__ import annotations

import asyncio
import io
import os
import shutil
import subprocess
import tarfile
import tempfile
from collections.abc import Iterable
from pathlib import Path, PurePosixPath
from typing import Any

import msgspec

from octavo import __version__
from octavo.kernel.clock import iso, system_clock
from octavo.kernel.errors import BadRequest, Conflict, NotInstalled, Unavailable
from octavo.kernel.settings import Settings
from octavo.main import engine_of
from octavo.store.database.migrate import HEAD, migrate, version
from octavo.store.database.sqlite import SqliteEngine

_ABOUT, _SQLITE, _POSTGRES, _BLOBS = "octavo.json", "octavo.db", "octavo.dump", "blobs"


async def backup(settings: Settings, file: Path) -> dict[str, Any]:
    """{file, bytes, blobs}. The server may run meanwhile: blobs that appear later belong to later content."""
    engine = engine_of(settings)
    await engine.open()
    try:
        at = await version(engine)
        if at is None:
            raise BadRequest(
                f"there is no Octavo database in {(settings.database_url and 'PostgreSQL') or settings.data}"
            )
        with tempfile.TemporaryDirectory(dir=file.absolute().parent) as folder:
            part = Path(folder) / "backup.tar"
            about = {"octavo": __version__, "migration": at, "dialect": engine.dialect, "at": iso(system_clock())}
            with tarfile.open(part, "w") as tar:
                _add_bytes(tar, _ABOUT, msgspec.json.encode(about))
                if isinstance(engine, SqliteEngine):
                    copy = Path(folder) / _SQLITE
                    await asyncio.to_thread(engine.snapshot, copy)
                    tar.add(copy, _SQLITE)
                else:
                    tar.add(await _dump(settings, Path(folder)), _POSTGRES)
                blobs = _add_blobs(tar, settings.data / _BLOBS)
            os.replace(part, file)
    finally:
        await engine.close()
    return {"file": str(file), "bytes": file.stat().st_size, "blobs": blobs}


async def restore(settings: Settings, file: Path) -> dict[str, Any]:
    """{restored, blobs}. Refuses where there is data already."""
    if (settings.data / _BLOBS).exists() and any((settings.data / _BLOBS).iterdir()):
        raise Conflict(f"{settings.data} holds files already; restore into an empty directory")
    with tarfile.open(file) as tar:
        about = _about(tar)
        wanted = "sqlite" if settings.database_url is None else "postgres"
        if about["dialect"] != wanted:
            raise BadRequest(f"the backup was made on {about['dialect']}, this installation runs on {wanted}")
        if about["migration"] > HEAD:
            raise BadRequest(f"the backup is from a newer Octavo ({about['octavo']}); restore it with that")
        settings.data.mkdir(parents=True, exist_ok=True)
        if wanted == "sqlite":
            if (settings.data / _SQLITE).exists():
                raise Conflict(f"{settings.data} holds a database already; restore into an empty directory")
            _unpack(tar, [tar.getmember(_SQLITE)], settings.data)
        else:
            await _load(settings, tar)
        members = [member for member in tar.getmembers() if member.name.startswith(_BLOBS + "/")]
        _unpack(tar, members, settings.data)
    engine = engine_of(settings)
    await engine.open()
    try:
        await migrate(engine, offline=True)
    finally:
        await engine.close()
    return {"restored": about["at"], "blobs": sum(member.isfile() for member in members)}


def _unpack(tar: tarfile.TarFile, members: Iterable[tarfile.TarInfo], folder: Path) -> None:
    """Write files below a folder. Nothing else of an archive is taken: no links, no modes, no place outside. (The filter of
    the standard library that says so is not in every Python 3.11.)"""
    for member in members:
        place = PurePosixPath(member.name)
        if place.is_absolute() or ".." in place.parts:
            raise BadRequest(f"this file is no backup of Octavo: it would write to {member.name}")
        source = tar.extractfile(member) if member.isfile() else None
        if source is not None:
            target = folder / place
            target.parent.mkdir(parents=True, exist_ok=True)
            with source, target.open("wb") as written:
                shutil.copyfileobj(source, written)


def _about(tar: tarfile.TarFile) -> dict[str, Any]:
    try:
        found = tar.extractfile(_ABOUT)
    except KeyError as error:
        raise BadRequest("this file is no backup of Octavo") from error
    assert found is not None
    about: dict[str, Any] = msgspec.json.decode(found.read())
    return about


def _add_bytes(tar: tarfile.TarFile, name: str, data: bytes) -> None:
    member = tarfile.TarInfo(name)
    member.size = len(data)
    tar.addfile(member, io.BytesIO(data))


def _add_blobs(tar: tarfile.TarFile, folder: Path) -> int:
    count = 0
    for path in sorted(folder.rglob("*")):
        if path.is_file() and "#" not in path.name:  # a name with # is an upload that did not end
            tar.add(path, f"{_BLOBS}/{path.relative_to(folder)}")
            count += 1
    return count


async def _dump(settings: Settings, folder: Path) -> Path:
    target = folder / _POSTGRES
    await _client("pg_dump", "--format=custom", f"--file={target}", f"--dbname={settings.database_url}")
    return target


async def _load(settings: Settings, tar: tarfile.TarFile) -> None:
    engine = engine_of(settings)
    await engine.open()
    try:
        if await version(engine) is not None:
            raise Conflict("the PostgreSQL database holds an installation already; restore into an empty one")
    finally:
        await engine.close()
    with tempfile.TemporaryDirectory() as folder:
        _unpack(tar, [tar.getmember(_POSTGRES)], Path(folder))
        await _client(
            "pg_restore", "--no-owner", "--exit-on-error", f"--dbname={settings.database_url}", f"{folder}/{_POSTGRES}"
        )


async def _client(program: str, *arguments: str) -> None:
    if shutil.which(program) is None:
        raise NotInstalled(
            f"{program} is needed for this and was not found; it comes with PostgreSQL's client programs"
        )
    done = await asyncio.to_thread(subprocess.run, [program, *arguments], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Unavailable(
            f"{program} failed: {done.stderr.strip().splitlines()[-1] if done.stderr.strip() else 'without a word'}"
        )
