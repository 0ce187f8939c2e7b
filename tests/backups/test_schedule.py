"""Backups by schedule: once for all workers, so many kept, told of; and the drill that proves one."""

from __future__ import annotations

import asyncio
import re
import shutil
import sqlite3
import tarfile
from pathlib import Path
from typing import Any

import pytest

from octavo import administration
from octavo.backups import drill, keeping
from octavo.backups.schedule import scheduled
from octavo.jobs import backup, collecting
from octavo.jobs.installation import backing
from octavo.jobs.table import JOBS
from octavo.jobs.work import Tools
from octavo.jobs.worker import Worker
from octavo.kernel.clock import DAY, HOUR
from octavo.kernel.errors import Failure
from octavo.kernel.settings import Settings, load
from octavo.main import open_house
from octavo.store.content.blobs import Blobs
from octavo.store.figures import figures
from octavo.store.unit import Store
from tests.conftest import FakeClock
from tests.moving.databases import empty_postgres
from tests.processes import octavo


def test_of_several_workers_one_makes_it_when_it_is_due(
    store: Store, clock: FakeClock, loop: asyncio.AbstractEventLoop, tmp_path: Path
) -> None:
    settings = load({}, data=tmp_path, backup_url=str(tmp_path), backup_hours=6)
    made: list[int] = []

    async def make() -> dict[str, Any]:
        made.append(clock.now)
        return {"file": f"octavo-{len(made)}.tar", "bytes": 7}

    tools = Tools(settings, Blobs.memory(), str, backup=make)
    workers = [Worker(store, {backup.NAME: JOBS[backup.NAME]}, tools) for _ in range(3)]

    async def hours(count: int) -> None:
        for _ in range(count):
            await asyncio.gather(*(store.write(lambda unit: backup.ask(unit, settings)) for _ in workers))
            await asyncio.gather(*(worker.drain() for worker in workers))
            clock.advance(HOUR)

    loop.run_until_complete(hours(13))
    assert [at - made[0] for at in made] == [0, 6 * HOUR, 12 * HOUR]
    done = loop.run_until_complete(store.read(lambda unit: unit.installation.newest_backup()))
    assert (done.at, done.file) == (made[-1], "octavo-3.tar")  # type: ignore[union-attr]


@pytest.fixture(scope="module")
def settings(loop: asyncio.AbstractEventLoop, tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """An installation with a page, a file, and a place for its backups."""
    folder = tmp_path_factory.mktemp("schedule")
    (folder / "place").mkdir()
    (folder / "pages" / ".gitbook" / "assets").mkdir(parents=True)
    (folder / "pages" / ".gitbook" / "assets" / "note.txt").write_text("a note")
    (folder / "pages" / "README.md").write_text('# Terns\n\n{% file src=".gitbook/assets/note.txt" %}\n')
    made = load({}, data=folder / "data", backup_url=str(folder / "place"), backup_keep=2)
    organization = loop.run_until_complete(administration.bootstrap(made, "ada@example.test", "Ada", "Birds"))
    octavo("import", folder / "pages", "--data", made.data, "--organization", organization["organization"])
    return made


def test_so_many_are_kept_and_what_is_not_ours_stays(settings: Settings, loop: asyncio.AbstractEventLoop) -> None:
    place = Path(settings.backup_url or "")
    others = {"mine.tar", "octavo-20200101T000000Z.tar.part"}
    for name in (*others, "octavo-20200101T000000Z.tar", "octavo-20200102T000000Z.tar.age"):
        (place / name).write_bytes(b"")
    told = loop.run_until_complete(scheduled(settings))
    assert told["removed"] == 1
    made = Path(told["file"])
    assert {path.name for path in place.iterdir()} == others | {made.name, "octavo-20200102T000000Z.tar.age"}
    with tarfile.open(made) as tar:
        assert tar.getnames()[-1] == "octavo.sums"
    gone = load({}, data=settings.data, backup_url=str(place / "gone"))
    with pytest.raises(Failure, match="no such directory"):
        loop.run_until_complete(scheduled(gone))


def test_doctor_and_metrics_tell_of_it(settings: Settings, loop: asyncio.AbstractEventLoop, clock: FakeClock) -> None:
    async def work() -> list[tuple[str, list[str]]]:
        found = []
        async with open_house(settings, base="http://x", clock=clock, backup=lambda: scheduled(settings)) as house:

            async def told(given: Settings = settings) -> None:
                one = await backing.finding(given, house.store.engine)
                text = await figures(house.store, settings.data)
                found.append((one.state, re.findall(r"^octavo_backup_age_seconds (\d+)$", text, re.MULTILINE)))

            await told()
            await house.store.write(lambda unit: backup.ask(unit, settings))
            await house.worker.drain()
            await told()
            clock.advance(-3 * DAY)
            await house.store.write(lambda unit: backup._note(unit, {"file": "x", "bytes": 1}))
            clock.advance(3 * DAY)
            await told()
            await told(load({}, data=settings.data))
            await told(load({}, data=settings.data, backup_url=f"{settings.backup_url}/gone"))
        return found

    found = loop.run_until_complete(work())
    assert [state for state, _ in found] == ["warning", "ok", "failure", "off", "failure"]
    assert [figures for _, figures in found[:3]] == [[], ["0"], [str(3 * DAY // 1000)]]


def test_what_nothing_refers_to_is_collected_when_it_is_due(
    settings: Settings, loop: asyncio.AbstractEventLoop, clock: FakeClock
) -> None:
    """By whoever asks first, a job for each organization; doctor and metrics say when it was."""

    async def work() -> tuple[list[bool], list[str], list[str]]:
        said, states, ages = [], [], []
        async with open_house(settings, base="http://x", clock=clock) as house:

            async def told(given: Settings = settings) -> None:
                states.append((await backing.collection(given, house.store)).state)

            await told()
            for days in (0, settings.collect_days - 1, 1, 0):
                clock.advance(days * DAY)
                said.append(await house.store.write(lambda unit: collecting.ask(unit, settings)))
            await house.worker.drain()
            await told()
            for days in (3, 12):
                clock.advance(days * DAY)
                text = await figures(house.store, settings.data)
                ages += re.findall(r"^octavo_collection_age_seconds (\d+)$", text, re.MULTILINE)
                await told()
            never = load({}, data=settings.data, collect_days=0)
            await told(never)
            said.append(await house.store.write(lambda unit: collecting.ask(unit, never)))
        return said, states, ages

    said, states, ages = loop.run_until_complete(work())
    assert said == [False, False, True, False, False]
    assert states == ["ok", "ok", "ok", "warning", "off"]
    assert ages == [str(3 * DAY // 1000), str(15 * DAY // 1000)]


def _drilled(loop: asyncio.AbstractEventLoop, settings: Settings, file: Path) -> dict[str, Any]:
    return loop.run_until_complete(drill.drill(settings, str(file), None))


def test_a_drill_proves_a_backup_and_leaves_nothing(
    settings: Settings, loop: asyncio.AbstractEventLoop, tmp_path: Path
) -> None:
    octavo("backup", tmp_path / "a.tar", "--data", settings.data)
    before = sorted(settings.data.rglob("*"))
    told = octavo("backup", "drill", tmp_path / "a.tar", "--data", settings.data)
    assert (told["organizations"], told["users"], told["spaces"], told["files"], told["opened"]) == (1, 1, 1, 1, 1)
    assert told["objects"] > 3
    assert sorted(settings.data.rglob("*")) == before
    assert "1 organizations, 1 users, 1 spaces" in " ".join(drill.sentences(told))


CHANGES = (
    (
        "UPDATE objects SET data = (SELECT data FROM objects WHERE rowid = 1) WHERE rowid = 2",
        "the object .* is damaged",
    ),
    (
        "DELETE FROM objects WHERE digest = (SELECT root FROM revisions LIMIT 1)",
        "the content of revision .* is missing",
    ),
    ("UPDATE spaces SET revision = 'none'", "the newest revision of space .* is missing"),
    ("UPDATE blobs SET size = size + 1", "the file .* is damaged"),
    ("UPDATE blobs SET blob = 'a' || blob", "the file a.* is not in it"),
)


def test_a_drill_finds_what_digests_of_the_archive_do_not(
    settings: Settings, loop: asyncio.AbstractEventLoop, tmp_path: Path
) -> None:
    """What was wrong when the backup was made is in it as it was."""
    shutil.copytree(settings.data, tmp_path / "wrong")
    wrong, file = load({}, data=tmp_path / "wrong"), tmp_path / "b.tar"
    database = wrong.data / "octavo.db"
    whole = database.read_bytes()
    for change, said in CHANGES:
        database.write_bytes(whole)
        with sqlite3.connect(database) as raw:
            raw.execute(change)
        raw.close()
        loop.run_until_complete(keeping.backup(wrong, str(file)))
        with pytest.raises(Failure, match=f"the backup can be restored, but {said}"):
            _drilled(loop, settings, file)
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])
    with pytest.raises(Failure, match=r"cut off|damaged"):
        _drilled(loop, settings, file)


def test_a_drill_on_postgres_makes_a_database_and_drops_it(loop: asyncio.AbstractEventLoop, tmp_path: Path) -> None:
    with empty_postgres(loop) as url:
        settings = load({}, data=tmp_path / "data", database_url=url)
        loop.run_until_complete(administration.bootstrap(settings, "ada@example.test", "Ada", "Birds"))
        loop.run_until_complete(keeping.backup(settings, str(tmp_path / "a.tar")))
        assert _drilled(loop, settings, tmp_path / "a.tar")["users"] == 1
        with pytest.raises(Failure, match="set OCTAVO_DATABASE_URL to a server"):
            _drilled(loop, load({}, data=tmp_path / "data"), tmp_path / "a.tar")


def test_a_place_that_is_not_there_is_told(settings: Settings, loop: asyncio.AbstractEventLoop, tmp_path: Path) -> None:
    empty = load({}, data=tmp_path / "x")
    for file, said in (
        ("ftp://x/a.tar", "ftp://x is no place for backups"),
        (str(tmp_path / "no.tar"), "there is no file"),
        ("file:///nowhere/a.tar", "there is no file"),
    ):
        for work in (keeping.restore(empty, file), drill.drill(empty, file, None)):
            with pytest.raises(Failure, match=said):
                loop.run_until_complete(work)
    assert not empty.data.exists()
