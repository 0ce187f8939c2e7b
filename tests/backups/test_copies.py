"""A copy beside its original: what would tell somebody outside is switched off with the restore, and says so."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest

from octavo import administration
from octavo.backups import keeping
from octavo.jobs.table import JOBS, OUTSIDE
from octavo.jobs.tidy import tidy
from octavo.jobs.work import FETCHES, MAIL, PDFS, TRANSLATIONS
from octavo.kernel.errors import Conflict, Unavailable
from octavo.kernel.letters import Occasion
from octavo.kernel.records.git import GitConnection
from octavo.kernel.records.integrations import WebhookDelivery
from octavo.kernel.records.translations import Translation
from octavo.kernel.settings import Settings, load
from octavo.main import House, open_house
from octavo.operating.doctor import examine
from octavo.store import stilling
from octavo.store.unit import Unit
from tests.moving.databases import emptied, empty_postgres
from tests.processes import bootstrap, octavo, ran, send, serving


class Outside:
    """Whoever is asked or told: it takes each connection, notes it and hangs up."""

    def __init__(self) -> None:
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._socket.getsockname()[1]
        self.reached = 0
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()

    def _listen(self) -> None:
        while True:
            try:
                taken, _ = self._socket.accept()
            except OSError:
                return
            self.reached += 1
            taken.close()

    def close(self) -> None:
        self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        self._thread.join(10)


@pytest.fixture
def outside() -> Iterator[Outside]:
    made = Outside()
    yield made
    made.close()


def _busy(data: Path, outside: Outside) -> dict[str, Any]:
    """An installation in which a delivery, a letter and a look at a branch wait; what is in it."""
    made = bootstrap(data)
    url = f"http://127.0.0.1:{outside.port}"
    with serving(data, OCTAVO_ALLOW_PRIVATE_ADDRESSES="true") as (_, base):
        org = f"{base}/v1/orgs/{made['organization']}"
        space = send(f"{org}/spaces", made["token"], {"title": "Birds"})[1]["id"]
        hook = {"title": "Hook", "url": f"{url}/hook", "events": ["comment_posted"]}
        webhook = send(f"{org}/webhooks", made["token"], hook)[1]["id"]
    return made | {"space": space, "webhook": webhook, "url": url}


async def _wait(house: House, made: dict[str, Any], unit: Unit) -> None:
    organization, now = made["organization"], unit.now
    times = {"created_at": now, "updated_at": now}
    await unit.webhooks.add_delivery(
        WebhookDelivery(
            id="delivery", organization=organization, webhook=made["webhook"], event="event", type="comment_posted",
            resource="comment", payload="{}", created_at=now,
        )
    )  # fmt: skip
    told = {"webhook": made["webhook"], "resource": "comment"}
    await unit.jobs.add("webhook", told, now=now, organization=organization)
    letter = Occasion(
        to="ada@example.test", about="login-code", told={"base": "http://localhost", "code": "123456", "minutes": 10}
    )
    sealed = house.signer.seal(msgspec.json.encode(letter).decode())
    await unit.jobs.add("mail", {"sealed_letter": sealed}, now=now, organization=None)
    await unit.git.put_connection(
        GitConnection(
            organization=organization, space=made["space"], url=f"{made['url']}/docs.git", ref="refs/heads/main",
            directory="", first="git", created_by=made["user"], poll_minutes=5, **times,
        )
    )  # fmt: skip
    look = {"space": made["space"], "minutes": 5}
    await unit.jobs.add("git_poll", look, now=now, organization=organization)
    await unit.translations.add(
        Translation(id="translation", organization=organization, title="French", automatic=True, **times)
    )


def _settings(data: Path, outside: Outside, folder: Path) -> Settings:
    return Settings(
        data=data, allow_private_addresses=True, backup_url=str(folder), insights=False,
        smtp_host="127.0.0.1", smtp_port=outside.port, smtp_tls="none", mail_from="octavo@example.test",
    )  # fmt: skip


async def _worked(settings: Settings) -> set[str]:
    """Do all that is due, as a worker does; the kinds of jobs that there were."""
    async with open_house(settings, base="http://localhost") as house:
        await tidy(house.store, settings)
        asked = await house.store.read(lambda unit: unit.jobs.newest(["waiting"], "", 100))
        await house.worker.drain()
        return {job.kind for job in asked}


@pytest.mark.parametrize("copy", [True, False])
def test_a_copy_tells_nobody(loop: asyncio.AbstractEventLoop, tmp_path: Path, outside: Outside, copy: bool) -> None:
    data, restored, folder = tmp_path / "data", tmp_path / "restored", tmp_path / "backups"
    folder.mkdir()
    made = _busy(data, outside)

    async def wait() -> None:
        async with open_house(Settings(data=data, insights=False), base="") as house:
            await house.store.write(partial(_wait, house, made))

    loop.run_until_complete(wait())
    octavo("backup", tmp_path / "backup.tar", "--data", data)
    done = ran("restore", tmp_path / "backup.tar", "--data", restored, *(["--copy"] if copy else []))
    assert done.returncode == 0, done.stderr
    *words, last = done.stdout.splitlines()
    assert outside.reached == 0
    asked = loop.run_until_complete(_worked(_settings(restored, outside, folder)))
    if not copy:
        assert {"webhook", "mail", "git_poll", "backup"} <= asked
        assert outside.reached >= 3
        return
    assert outside.reached == 0
    assert not OUTSIDE & asked
    off = json.loads(last)["off"]
    counted = {"webhooks": 1, "deliveries": 1, "gitSpaces": 1, "translations": 1, "letters": 1}
    assert counted.items() <= off.items()
    assert "1 webhooks are switched off." in words
    _is_promoted(loop, _settings(restored, outside, folder))


def _is_promoted(loop: asyncio.AbstractEventLoop, settings: Settings) -> None:
    """What goes by schedule goes again, and nothing else of what was switched off."""
    assert octavo("promote", "--data", settings.data)["copied"]
    assert octavo("promote", "--data", settings.data)["copied"] is None
    asked = loop.run_until_complete(_worked(settings))
    assert asked & OUTSIDE == {"backup"}


class _KilledError(Exception):
    """The process ends here."""


async def _letters(settings: Settings, *, added: bool = False) -> int:
    """How many letters wait, after one more where it is `added`."""
    async with open_house(settings, base="") as house:
        if added:
            await house.store.write(lambda unit: unit.jobs.add("mail", {}, now=unit.now, organization=None))
        return len(await house.store.read(lambda unit: unit.jobs.newest(["waiting"], "mail", 100)))


def _is_called_unfinished(loop: asyncio.AbstractEventLoop, settings: Settings, file: Path) -> None:
    """No newer Octavo has to do with it, and nothing is kept that could not be restored."""
    [found] = [one for one in loop.run_until_complete(examine(settings)) if one.check == "database"]
    assert (found.state, found.todo) == ("failure", "empty it, and run `octavo restore` again")
    assert found.said.endswith("; a restore into this database has not ended")
    with pytest.raises(Unavailable, match="a restore into this database has not ended; empty it"):
        loop.run_until_complete(keeping.backup(settings, str(file)))
    assert not file.exists()


def test_a_copy_in_postgres_is_opened_by_nobody_before_all_is_off(
    loop: asyncio.AbstractEventLoop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def killed(*_: object) -> dict[str, int]:
        raise _KilledError

    with empty_postgres(loop) as original, empty_postgres(loop) as beside:
        settings = load({}, data=tmp_path / "data", database_url=original)
        copy = load({}, data=tmp_path / "copy", database_url=beside)
        backup = str(tmp_path / "backup.tar")
        loop.run_until_complete(administration.bootstrap(settings, "ada@example.test", "Ada", "Birds"))
        assert loop.run_until_complete(_letters(settings, added=True)) == 1
        loop.run_until_complete(keeping.backup(settings, backup))
        with monkeypatch.context() as patch:
            patch.setattr(stilling, "still", killed)
            with pytest.raises(_KilledError):
                loop.run_until_complete(keeping.restore(copy, backup, copy=True))
        with pytest.raises(Unavailable, match="a restore into this database has not ended; empty it"):
            loop.run_until_complete(_letters(copy))
        _is_called_unfinished(loop, copy, tmp_path / "of-half.tar")
        with pytest.raises(Conflict, match="holds an installation already"):
            loop.run_until_complete(keeping.restore(copy, backup, copy=True))
        loop.run_until_complete(emptied(beside))
        assert loop.run_until_complete(keeping.restore(copy, backup, copy=True))["off"]["letters"] == 1
        assert [loop.run_until_complete(_letters(one)) for one in (copy, settings)] == [0, 1]


def test_every_kind_that_waits_for_somebody_outside_says_so() -> None:
    waits = {name for name, kind in JOBS.items() if kind.lane in (FETCHES, MAIL, PDFS, TRANSLATIONS)}
    assert waits - OUTSIDE == set()
