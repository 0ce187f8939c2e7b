"""Backups: what is taken out of an archive, and that only what is whole is restored."""

from __future__ import annotations

import asyncio
import io
import os
import re
import tarfile
from pathlib import Path

import msgspec
import pytest

from octavo import administration
from octavo.backups import keeping as backups
from octavo.backups import postgres
from octavo.backups.archive import unpack
from octavo.kernel.errors import BadRequest
from octavo.kernel.settings import load
from octavo.store.content.blobs import Blobs


def _archive(*members: tuple[tarfile.TarInfo, bytes]) -> tarfile.TarFile:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as tar:
        for member, data in members:
            member.size = len(data)
            tar.addfile(member, io.BytesIO(data))
    return tarfile.open(fileobj=io.BytesIO(out.getvalue()))


def _link(name: str, target: str) -> tarfile.TarInfo:
    made = tarfile.TarInfo(name)
    made.type, made.linkname = tarfile.SYMTYPE, target
    return made


def test_files_arrive_and_links_do_not(tmp_path: Path) -> None:
    tar = _archive((tarfile.TarInfo("blobs/a/b"), b"bytes"), (_link("blobs/c", "/etc/passwd"), b""))
    unpack(tar, tar.getmembers(), tmp_path)
    assert [path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if not path.is_dir()] == ["blobs/a/b"]
    assert (tmp_path / "blobs/a/b").read_bytes() == b"bytes"


@pytest.mark.parametrize("name", ["blobs/../../evil", "../evil", "/evil"])
def test_nothing_is_written_elsewhere(tmp_path: Path, name: str) -> None:
    tar = _archive((tarfile.TarInfo(name), b"bytes"))
    with pytest.raises(BadRequest, match="no backup of Octavo"):
        unpack(tar, tar.getmembers(), tmp_path / "data")
    assert not any(tmp_path.rglob("evil"))


Members = dict[str, bytes]


@pytest.fixture
def whole(loop: asyncio.AbstractEventLoop, tmp_path: Path) -> Path:
    """A backup with one blob."""
    settings = load({}, data=tmp_path / "data")
    loop.run_until_complete(administration.bootstrap(settings, "ada@example.test", "Ada", "Birds"))
    loop.run_until_complete(Blobs.local(settings.data / "blobs").put("organization", b"an egg"))
    loop.run_until_complete(backups.backup(settings, str(tmp_path / "whole.tar")))
    return tmp_path / "whole.tar"


def _members(file: Path) -> Members:
    with tarfile.open(file) as tar:
        return {member.name: tar.extractfile(member).read() for member in tar}  # type: ignore[union-attr]


def _written(file: Path, members: Members) -> Path:
    with tarfile.open(file, "w") as tar:
        for name, data in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
    return file


def _refused(loop: asyncio.AbstractEventLoop, file: Path, tmp_path: Path) -> str:
    """What is said of an archive that cannot be restored: nothing of it is left."""
    settings = load({}, data=tmp_path / "restored")
    with pytest.raises(BadRequest) as told:
        loop.run_until_complete(backups.restore(settings, str(file)))
    assert not settings.data.exists()
    assert "\n" not in told.value.message
    return told.value.message


def _blob(members: Members) -> str:
    return next(name for name in members if name.startswith("blobs/"))


def test_what_was_written_is_restored(loop: asyncio.AbstractEventLoop, whole: Path, tmp_path: Path) -> None:
    settings = load({}, data=tmp_path / "restored")
    assert loop.run_until_complete(backups.restore(settings, str(whole)))["blobs"] == 1
    listed = loop.run_until_complete(administration.list_users(settings, None))
    assert [user["email"] for user in listed["users"]] == ["ada@example.test"]
    passing = {"work", "octavo.db-turn"}
    assert {path.name for path in settings.data.iterdir()} - passing == {"blobs", "octavo.db"}


@pytest.mark.parametrize("place", [0, 700, 2000, 0.3, 0.9, -1])
def test_one_that_is_cut_off_is_refused(
    loop: asyncio.AbstractEventLoop, whole: Path, tmp_path: Path, place: float
) -> None:
    # What a tar ends with is only there to fill its last record.
    data = whole.read_bytes().rstrip(b"\0")
    whole.write_bytes(data[: place if isinstance(place, int) else round(place * len(data))])
    assert re.search("no backup of Octavo|cut off", _refused(loop, whole, tmp_path))


def test_a_bit_that_fell_over_is_noticed(loop: asyncio.AbstractEventLoop, whole: Path, tmp_path: Path) -> None:
    members = _members(whole)
    for name in (_blob(members), "octavo.db", "octavo.sums"):
        data = bytearray(members[name])
        data[len(data) // 2] ^= 1
        file = _written(tmp_path / "flipped.tar", members | {name: bytes(data)})
        assert "the backup is damaged: " in _refused(loop, file, tmp_path)


def test_what_is_missing_or_too_much_is_noticed(loop: asyncio.AbstractEventLoop, whole: Path, tmp_path: Path) -> None:
    members = _members(whole)
    for name in (_blob(members), "octavo.db"):
        less = {key: data for key, data in members.items() if key != name}
        assert f"damaged: {name} is missing" in _refused(loop, _written(tmp_path / "less.tar", less), tmp_path)
    more = _written(tmp_path / "more.tar", members | {"blobs/o/xx/other": b"an egg"})
    assert "blobs/o/xx/other is not what was written" in _refused(loop, more, tmp_path)


def test_one_without_sums_is_judged_by_what_it_holds(
    loop: asyncio.AbstractEventLoop, whole: Path, tmp_path: Path
) -> None:
    """Backups made before there were sums; files of content are called by their digest."""
    members = _members(whole)
    del members["octavo.sums"]
    assert "octavo.sums" in _refused(loop, _written(tmp_path / "a.tar", members), tmp_path)
    about = msgspec.json.decode(members["octavo.json"])
    del about["sums"]
    members["octavo.json"] = msgspec.json.encode(about)
    for name, data in ((_blob(members), b"an edg"), ("octavo.db", b"no database" * 900), ("octavo.db", b"")):
        file = _written(tmp_path / "b.tar", members | {name: data})
        assert f"the backup is damaged: {name} is " in _refused(loop, file, tmp_path)
    half = members["octavo.db"][: len(members["octavo.db"]) // 2]
    file = _written(tmp_path / "b.tar", members | {"octavo.db": half})
    assert "no whole database" in _refused(loop, file, tmp_path)
    settings = load({}, data=tmp_path / "restored")
    loop.run_until_complete(backups.restore(settings, str(_written(tmp_path / "c.tar", members))))


@pytest.mark.parametrize("about", [b"", b"{", b"[]", b"{}", b"\xff"])
def test_one_that_says_nothing_of_itself_is_none(loop: asyncio.AbstractEventLoop, tmp_path: Path, about: bytes) -> None:
    file = _written(tmp_path / "odd.tar", {"octavo.json": about})
    assert "no backup of Octavo" in _refused(loop, file, tmp_path)


def test_a_place_that_is_not_there_is_told(loop: asyncio.AbstractEventLoop, whole: Path, tmp_path: Path) -> None:
    settings = load({}, data=tmp_path / "data")
    with pytest.raises(BadRequest, match="there is no directory"):
        loop.run_until_complete(backups.backup(settings, str(tmp_path / "no" / "a.tar")))


def test_a_password_is_on_no_command_line(
    loop: asyncio.AbstractEventLoop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The programs are stood in for by one that says how it was called."""
    told = tmp_path / "told"
    program = tmp_path / "pg_dump"
    program.write_text(f'#!/bin/sh\nprintf "%s\\n" "$PGPASSWORD" "$OCTAVO_DATABASE_URL" "$*" > {told}\n')
    program.chmod(0o700)
    url = "postgresql://ada:s%40cret@db.example:5433/octavo?sslmode=require"
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.setenv("OCTAVO_DATABASE_URL", url)
    loop.run_until_complete(postgres.dump(url, tmp_path / "dump"))
    password, setting, line = told.read_text().splitlines()
    assert (password, setting) == ("s@cret", "")
    assert "cret" not in line
    assert "--dbname=postgresql://ada@db.example:5433/octavo?sslmode=require" in line
