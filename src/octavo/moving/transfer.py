"""A whole installation into an empty one: database, files where these lie elsewhere, and events of readers."""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec

from octavo.kernel.errors import BadRequest, Conflict, NotFound
from octavo.kernel.settings import Settings, load
from octavo.main import blobs_of, insights_of
from octavo.moving import files
from octavo.moving.files import Show
from octavo.store import directory
from octavo.store.insights.asking import FILE, Export, Ready
from octavo.store.moving import copying
from octavo.store.moving.sides import PostgresSide, Side, SqliteSide


def settings_at(place: str, data: Path | None) -> Settings:
    """The installation that a word names: a file of settings, the address of a database (with the data directory that is
    set), or a directory with a database in it. Raises SettingsError for a file that is wrong."""
    if place.endswith(".toml"):
        return load({"OCTAVO_CONFIG": place})
    if "://" in place:
        return load(data=data, database_url=place)
    return msgspec.structs.replace(load(data=Path(place)), database_url=None)


async def transfer(source: Settings, target: Settings, show: Show) -> dict[str, Any]:
    """{rows, tables, files, events, resumed, sha256}: everything of the source, compared with it. What broke off goes on when
    it is run again. Raises Conflict where the target is not empty, or where the two differ in the end."""
    _refuse_same(source, target)
    async with contextlib.AsyncExitStack() as stack:
        ours = await stack.enter_async_context(_opened(source, makes=False))
        await ours.view()
        await copying.refuse_unfit(ours)
        theirs = await stack.enter_async_context(_opened(target, makes=True))
        resumed = await copying.prepare(ours, theirs)
        if not resumed:
            await _refuse_taken(source, target)
        await copying.copy(ours, theirs, show)
        count = 0
        if _files(source) != _files(target):
            count = (await files.copy(blobs_of(source), blobs_of(target), show)).objects
        events = await _events(source, target, show)
        sums = await copying.compare(ours, theirs, show)
        await copying.finish(ours, theirs)
    whole = hashlib.sha256(b"".join(one.digest for one in sums.values())).hexdigest()
    rows = sum(one.rows for one in sums.values())
    counted = {"rows": rows, "tables": len(sums), "files": count, "events": events}
    return counted | {"resumed": resumed, "sha256": whole}


def _refuse_same(source: Settings, target: Settings) -> None:
    if _database(source) == _database(target):
        raise BadRequest(
            f"source and target are the same: {source.data if source.database_url is None else 'one database'}"
        )
    if source.database_url is None and not (source.data / directory.DATABASE).is_file():
        raise NotFound(f"there is no installation of Octavo in {source.data}")


def _database(settings: Settings) -> str:
    return settings.database_url or str(settings.data.resolve())


def _files(settings: Settings) -> str:
    return settings.blobs_url or str((settings.data / directory.BLOBS).resolve())


def _readers(settings: Settings) -> tuple[str, str | None]:
    """Where events are kept: two directories may share a ClickHouse, and what is on the way to it is in each."""
    return str((settings.data / directory.INSIGHTS).resolve()), settings.insights_clickhouse


async def _refuse_taken(source: Settings, target: Settings) -> None:
    """Files or events of somebody else would be mixed with these. (The target's database is looked at by itself.)"""
    if _files(source) != _files(target):
        async for _ in blobs_of(target).listed():
            raise Conflict(f"{_files(target)} holds files already; transfer goes into an empty place")
    if _readers(source) != _readers(target) and (target.data / directory.INSIGHTS / FILE).exists():
        raise Conflict(f"{target.data} holds events of readers already; transfer goes into an empty directory")


@asynccontextmanager
async def _opened(settings: Settings, *, makes: bool) -> AsyncIterator[Side]:
    """A side, which no server of a database in a file has open meanwhile."""
    directory.secure(settings.data)
    if settings.database_url is None:
        with directory.served(settings.data):
            side: Side = SqliteSide(settings.data / directory.DATABASE, makes=makes)
            async with contextlib.AsyncExitStack() as stack:
                stack.push_async_callback(side.close)
                yield side
        return
    side = await PostgresSide.open(settings.database_url)
    try:
        yield side
    finally:
        await side.close()


async def _events(source: Settings, target: Settings, show: Show) -> int:
    """Bring what is kept of readers, where it is kept elsewhere; how many events there are."""
    if _readers(source) == _readers(target):
        return 0
    insights = insights_of(msgspec.structs.replace(source, insights=True), inside=True)
    if insights is None or not insights.used:
        return 0
    file = target.data / directory.INSIGHTS / FILE
    try:
        # It also loads what was acknowledged and waits.
        count = int(await insights.ask(Ready()))
        same = source.insights_clickhouse is not None and source.insights_clickhouse == target.insights_clickhouse
        if count and not same and not file.exists():
            file.parent.mkdir(exist_ok=True, mode=0o700)
            with tempfile.TemporaryDirectory(dir=file.parent) as folder:
                await insights.ask(Export(f"{folder}/{FILE}"))
                os.replace(f"{folder}/{FILE}", file)
    finally:
        await insights.close()
    if not count:
        return 0
    held = insights_of(msgspec.structs.replace(target, insights=True), inside=True)
    assert held is not None  # insights are on, and the source's were read
    try:
        there = int(await held.ask(Ready()))
    finally:
        await held.close()
    if there != count:
        raise Conflict(f"the target has {there} events of readers, the source {count}; empty the target and begin anew")
    show({"step": "events", "done": there, "total": count})
    return count
