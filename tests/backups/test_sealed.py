"""Encrypted backups: who has the key restores them, and whatever else is tried is refused with a sentence."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path

import pyrage
import pytest

from octavo import administration
from octavo.backups import keeping
from octavo.kernel.errors import Failure
from octavo.kernel.settings import SettingsError, load
from octavo.store.content.blobs import Blobs
from tests.processes import invoked


def _key(file: Path) -> str:
    """A key as `age-keygen` writes it; its public half."""
    made = pyrage.x25519.Identity.generate()
    file.write_text(f"# created: 2026-11-23\n# public key: {made.to_public()}\n{made}\n")
    return str(made.to_public())


@pytest.fixture(scope="module")
def made(loop: asyncio.AbstractEventLoop, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an installation in `data`, its backup for two keys in `sealed`, and these as `one` and `two`."""
    folder = tmp_path_factory.mktemp("sealed")
    keys = [_key(folder / name) for name in ("one", "two", "other")]
    settings = load({}, data=folder / "data", backup_recipients=keys[:2])
    loop.run_until_complete(administration.bootstrap(settings, "ada@example.test", "Ada", "Birds"))
    loop.run_until_complete(Blobs.local(settings.data / "blobs").put("organization", b"an egg" * 60_000))
    told = loop.run_until_complete(keeping.backup(settings, str(folder / "sealed")))
    assert told["encrypted"] is True
    return folder


def _restored(loop: asyncio.AbstractEventLoop, file: Path, data: Path, identity: Path | None) -> None:
    loop.run_until_complete(keeping.restore(load({}, data=data), str(file), identity))


def test_each_of_its_readers_restores_it_and_nothing_of_it_is_readable(
    loop: asyncio.AbstractEventLoop, made: Path, tmp_path: Path
) -> None:
    data = (made / "sealed").read_bytes()
    assert b"ada@example.test" not in data
    assert b"octavo.db" not in data
    for name in ("one", "two"):
        _restored(loop, made / "sealed", tmp_path / name, made / name)
        listed = loop.run_until_complete(administration.list_users(load({}, data=tmp_path / name), None))
        assert [user["email"] for user in listed["users"]] == ["ada@example.test"]
    assert {path.name for path in tmp_path.iterdir()} == {"one", "two"}, "nothing decrypted is left"


def _refused(loop: asyncio.AbstractEventLoop, file: Path, tmp_path: Path, identity: Path | None) -> str:
    with pytest.raises(Failure) as told:
        _restored(loop, file, tmp_path / "restored", identity)
    assert not (tmp_path / "restored").exists()
    assert "\n" not in told.value.message
    return told.value.message


def test_without_the_key_it_is_refused(loop: asyncio.AbstractEventLoop, made: Path, tmp_path: Path) -> None:
    assert "is encrypted: name the file" in _refused(loop, made / "sealed", tmp_path, None)
    assert "encrypted for another key than" in _refused(loop, made / "sealed", tmp_path, made / "other")
    for text in (b"", b"# nothing\n", b"AGE-SECRET-KEY-1X\n", b"\xff\xfe"):
        (tmp_path / "key").write_bytes(text)
        assert "holds no secret key" in _refused(loop, made / "sealed", tmp_path, tmp_path / "key")


@pytest.mark.parametrize("place", [30, 150, 70_000, 0.5, -1])
def test_what_is_cut_off_or_changed_is_refused(
    place: float, loop: asyncio.AbstractEventLoop, made: Path, tmp_path: Path
) -> None:
    data = (made / "sealed").read_bytes()
    at = place if isinstance(place, int) else round(place * len(data))
    file = tmp_path / "file"
    changed = bytearray(data)
    changed[at] ^= 1
    for wrong in (data[:at], bytes(changed)):
        file.write_bytes(wrong)
        said = _refused(loop, file, tmp_path, made / "one")
        assert re.search("is cut off or damaged: nothing of it is restored|for another key than", said), said


def test_on_the_command_line(made: Path, tmp_path: Path) -> None:
    public = _key(tmp_path / "key")
    done = invoked("backup", tmp_path / "a.age", "--data", made / "data", "--recipient", public)
    told = json.loads(done.stdout)
    assert told == {"file": str(tmp_path / "a.age"), "bytes": told["bytes"], "blobs": 1, "encrypted": True}
    drilled = invoked("backup", "drill", tmp_path / "a.age", "--identity", tmp_path / "key", "--data", made / "data")
    assert (drilled.exit_code, json.loads(drilled.stdout.splitlines()[-1])["users"]) == (0, 1)
    restored = invoked("restore", tmp_path / "a.age", "--data", tmp_path / "x", "--identity", tmp_path / "key")
    assert restored.exit_code == 0
    for words in (("backup", tmp_path / "b", "--recipient", "me"), ("backup", "drill", tmp_path / "a.age")):
        wrong = invoked(*words, "--data", made / "data")
        assert (wrong.exit_code, len(wrong.stderr.splitlines())) == (1, 1), wrong.output
    assert not (tmp_path / "b").exists()
    with pytest.raises(SettingsError, match="OCTAVO_BACKUP_RECIPIENTS"):
        load({}, backup_recipients=["AGE-SECRET-KEY-1X"])
