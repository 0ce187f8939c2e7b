"""An installation moves from SQLite to PostgreSQL and back, whole, whatever breaks off, or is not begun."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from octavo.kernel.errors import Failure
from octavo.kernel.settings import Settings, load
from octavo.moving.transfer import transfer
from octavo.store.moving import copying
from octavo.store.moving.sides import PostgresSide, Side, SqliteSide
from octavo.store.moving.tables import tables
from tests.moving.databases import ROWS, emptied, empty_postgres, fill, rows
from tests.processes import ENVIRONMENT, OCTAVO, bootstrap, get, octavo, send, serving

Shown = list[dict[str, Any]]


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory, loop: asyncio.AbstractEventLoop) -> Path:
    """A data directory whose database has rows in every table; not to be changed."""
    data = tmp_path_factory.mktemp("filled")
    fill(data / "octavo.db", loop)
    return data


@pytest.fixture(scope="module")
def url(loop: asyncio.AbstractEventLoop) -> Iterator[str]:
    with empty_postgres(loop) as made:
        yield made


@pytest.fixture
def empty(url: str, loop: asyncio.AbstractEventLoop) -> str:
    loop.run_until_complete(emptied(url))
    return url


def _at(data: Path, url: str | None = None) -> Settings:
    return load({}, data=data, database_url=url)


def _moved(loop: asyncio.AbstractEventLoop, source: Settings, target: Settings, shown: Shown | None = None) -> Any:
    return loop.run_until_complete(transfer(source, target, (shown if shown is not None else []).append))


def _refused(loop: asyncio.AbstractEventLoop, source: Settings, target: Settings) -> str:
    with pytest.raises(Failure) as told:
        _moved(loop, source, target)
    assert "\n" not in told.value.message
    return told.value.message


async def _held(side: Side) -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = {table.name: list(await side.rows(table.query(side.dialect))) for table in tables()}
    found["reached"] = [await side.reached()]
    await side.close()
    return found


def test_everything_goes_there_and_comes_back(
    loop: asyncio.AbstractEventLoop, filled: Path, empty: str, tmp_path: Path
) -> None:
    shown: Shown = []
    there = _moved(loop, _at(filled), _at(filled, empty), shown)
    assert (there["rows"], there["tables"]) == (ROWS * len(tables()), len(tables()))
    assert {"step": "spaces", "done": ROWS, "total": ROWS} in shown
    back = _moved(loop, _at(tmp_path, empty), _at(tmp_path / "back"))
    assert back == there
    wanted = {name: sorted(made, key=repr) for name, made in rows().items()} | {"reached": [77]}
    sides = (SqliteSide(tmp_path / "back" / "octavo.db"), loop.run_until_complete(PostgresSide.open(empty)))
    for side in sides:
        held = loop.run_until_complete(_held(side))
        assert {name: sorted(found, key=repr) for name, found in held.items()} == wanted
    assert "goes into an empty database" in _refused(loop, _at(filled), _at(filled, empty))
    assert "goes into an empty database" in _refused(loop, _at(tmp_path, empty), _at(tmp_path / "back"))


class _Killed(Exception):
    """What ends a process between two statements."""


@pytest.mark.parametrize("back", [False, True], ids=["there", "back"])
def test_one_that_breaks_off_anywhere_goes_on(
    back: bool,
    loop: asyncio.AbstractEventLoop,
    filled: Path,
    empty: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(copying, "ROWS", 2)
    source, target = _at(filled), _at(filled, empty)
    if back:
        _moved(loop, source, target)
        source, target = _at(tmp_path, empty), _at(tmp_path / "back")
    kind = SqliteSide if back else PostgresSide
    original, left, tries = kind.put, 0, 0

    async def put(self: Any, table: Any, some: Any) -> None:
        nonlocal left
        await original(self, table, some)  # its transaction is not committed yet
        left -= 1
        if not left:
            raise _Killed

    monkeypatch.setattr(kind, "put", put)
    while True:
        left, tries = 17, tries + 1
        try:
            done = _moved(loop, source, target)
            break
        except _Killed:
            pass
        if tries == 2:  # nobody takes half of an installation for one
            engine_says = octavo("migrate", "--data", target.data, fails=True, **_environment(target))
            assert "transfer into this database has not ended" in engine_says
    assert tries > 5
    assert (done["resumed"], done["rows"]) == (True, ROWS * len(tables()))


def _environment(settings: Settings) -> dict[str, str]:
    return {} if settings.database_url is None else {"OCTAVO_DATABASE_URL": settings.database_url}


def test_what_is_not_the_same_in_the_end_is_named(
    loop: asyncio.AbstractEventLoop, filled: Path, empty: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    copied = copying.copy
    for change, said in (
        ("UPDATE users SET name = 'x' WHERE id = 'users-id-3'", "the row users users-id-3 is not the same"),
        ("DELETE FROM tokens WHERE id = 'tokens-id-4'", "the row tokens tokens-id-4 of the source is not in"),
        ("INSERT INTO installation VALUES ('zz', '')", "the row installation zz of the target is not in the source"),
        ("DELETE FROM search_index", "search_index in the target has 0 sections of 5"),
    ):

        async def spoiled(source: Side, target: Side, show: Any, change: str = change) -> int:
            brought = await copied(source, target, show)
            await target.run(change)
            return brought

        monkeypatch.setattr(copying, "copy", spoiled)
        assert said in _refused(loop, _at(filled), _at(filled, empty))
        assert "transfer into this database has not ended" in octavo(
            "migrate", "--data", filled, fails=True, OCTAVO_DATABASE_URL=empty
        )
        loop.run_until_complete(emptied(empty))


def test_what_cannot_be_moved_is_refused_and_touched_in_no_way(
    loop: asyncio.AbstractEventLoop, filled: Path, empty: str, tmp_path: Path
) -> None:
    async def ask(*statements: str) -> None:
        connection = await asyncpg.connect(empty)
        for statement in statements:
            await connection.execute(statement)
        await connection.close()

    assert "are the same" in _refused(loop, _at(filled), _at(filled))
    assert "no installation of Octavo in" in _refused(loop, _at(tmp_path / "none"), _at(tmp_path / "new"))
    assert "the source holds no installation" in _refused(loop, _at(tmp_path, empty), _at(tmp_path / "new"))
    assert not (tmp_path / "new").exists()
    loop.run_until_complete(ask("CREATE TABLE others (id int)"))
    assert "holds tables of something else" in _refused(loop, _at(filled), _at(filled, empty))
    loop.run_until_complete(emptied(empty))
    _moved(loop, _at(filled), _at(filled, empty))
    for version, said in (("0001", "run `octavo migrate` on it first"), ("9999", "use the newer version")):
        loop.run_until_complete(ask(f"UPDATE alembic_version SET version_num = '{version}'"))
        assert said in _refused(loop, _at(tmp_path, empty), _at(tmp_path / "new"))
    mark = copying.UNFINISHED + "0" * 16
    loop.run_until_complete(ask(f"UPDATE alembic_version SET version_num = '{mark}'"))
    assert "nothing is moved from there" in _refused(loop, _at(tmp_path, empty), _at(tmp_path / "new"))
    assert "unfinished transfer from another installation" in _refused(loop, _at(filled), _at(filled, empty))
    loop.run_until_complete(ask(f"UPDATE alembic_version SET version_num = '{copying.HEAD}'"))

    async def beside() -> str:
        other = await asyncpg.connect(empty)
        try:
            with pytest.raises(Failure) as told:
                await transfer(_at(tmp_path, empty), _at(tmp_path / "new"), print)
            return told.value.message
        finally:
            await other.close()

    assert "1 other connections use the source; stop every" in loop.run_until_complete(beside())
    assert not (tmp_path / "new").exists()


def test_a_text_that_postgres_does_not_keep_is_named(
    loop: asyncio.AbstractEventLoop, empty: str, tmp_path: Path
) -> None:
    fill(tmp_path / "octavo.db", loop)
    side = SqliteSide(tmp_path / "octavo.db")
    loop.run_until_complete(side.run("UPDATE teams SET title = 'a' || char(0) WHERE id = 'teams-id-2'"))
    loop.run_until_complete(side.close())
    assert "the row teams teams-id-2: a text of it holds a NUL" in _refused(loop, _at(tmp_path), _at(tmp_path, empty))


def test_an_installation_is_the_same_after_two_moves_and_kills(empty: str, tmp_path: Path) -> None:
    """As operators do it: pages, search, files, tokens and events of readers are asked for by HTTP before and after."""
    first, back = tmp_path / "first", tmp_path / "back"
    pages = tmp_path / "pages"
    (pages / ".gitbook" / "assets").mkdir(parents=True)
    (pages / ".gitbook" / "assets" / "note.txt").write_text("a note about terns")
    (pages / "README.md").write_text('# Terns\n\nA zebra.\n\n{% file src=".gitbook/assets/note.txt" %}\n')
    made = bootstrap(first)
    octavo("import", pages, "--data", first, "--organization", made["organization"], "--publish", "--title", "Terns")
    with serving(first) as (process, base):
        sites = json.loads(get(f"{base}/v1/orgs/{made['organization']}/sites", made["token"])[1])["items"]
        insights = f"/v1/orgs/{made['organization']}/sites/{sites[0]['id']}/insights/events"
        session = {"visitorId": "v", "sessionId": "s", "userAgent": "Browser", "language": None, "referrer": None}
        location = {"url": "https://docs.example/", "displayContext": "site", "page": None}
        view = {"type": "page_view", "session": session, "location": location}
        assert send(base + insights, made["token"], {"events": [view, view]})[0] < 300
        asked = _asked(base, made, insights)
        assert asked[-1] == [[2]]
        assert f"process {process.pid}" in octavo("transfer", first, empty, "--data", first, fails=True)
    words = [*OCTAVO, "transfer", str(first), empty, "--data", str(first)]
    with subprocess.Popen(words, stderr=subprocess.PIPE, text=True, env=ENVIRONMENT) as killed:
        assert killed.stderr is not None
        killed.stderr.readline()  # something was moved
        killed.send_signal(signal.SIGKILL)
    assert killed.returncode == -signal.SIGKILL
    there = octavo(*words[3:])
    assert there["resumed"] is True
    with serving(first, OCTAVO_DATABASE_URL=empty) as (_, base):
        assert _asked(base, made, insights) == asked
    again = octavo("transfer", empty, back, "--data", first)
    assert (again["files"], again["events"]) == (1, 2)
    with serving(back) as (_, base):
        assert _asked(base, made, insights) == asked


def _asked(base: str, made: Any, insights: str) -> list[Any]:
    """What is told of the installation: content, hits, who has a token, a file, events."""
    page = get(f"{base}/sites/terns/")[1].decode()
    note = page.split("note.txt")[0].rpartition('"')[2] + "note.txt"
    hits = json.loads(get(f"{base}/v1/orgs/{made['organization']}/search?query=zebra", made["token"])[1])
    user = json.loads(get(f"{base}/v1/user", made["token"])[1])
    file = get(base + note.removeprefix(base))[1]
    counted = {"range": "last24Hours", "select": [{"column": "eventsCount"}]}
    status, events = send(f"{base}{insights}/aggregate", made["token"], counted)
    assert status == 200, events
    return ["A zebra." in page, hits["count"], user["id"], file, [one["values"] for one in events["columns"]]]
