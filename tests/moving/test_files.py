"""Objects of one store in another: whole, checked by their hashes, and what broke off goes on."""

from __future__ import annotations

import asyncio
import hashlib
from pathlib import Path
from typing import Any

import pytest

from octavo.kernel.errors import Conflict, Unavailable
from octavo.moving import files
from octavo.store.content.blobs import Blobs
from tests.processes import octavo

COUNT = 40


@pytest.fixture
def stored(loop: asyncio.AbstractEventLoop, tmp_path: Path) -> Path:
    """A store with files called by their hashes, an upload under a name that was given out before, and a stranger's file."""

    async def work() -> None:
        blobs = Blobs.local(tmp_path / "from")
        for number in range(COUNT):
            await blobs.put("organization", b"x" * 1000 * number + b"egg")
        await blobs.put_as("organization", "given-out", b"an upload")

    loop.run_until_complete(work())
    (tmp_path / "from" / "README").write_text("not Octavo's")
    return tmp_path / "from"


def _copied(loop: asyncio.AbstractEventLoop, source: Path, target: Any, **more: Any) -> files.Copied:
    return loop.run_until_complete(files.copy(Blobs.local(source), target, lambda step: None, **more))


def _place(root: Path, name: str) -> Path:
    return root / "organization" / name[:2] / name


def test_all_of_them_arrive_once(loop: asyncio.AbstractEventLoop, stored: Path, tmp_path: Path) -> None:
    target = tmp_path / "to"
    target.mkdir()
    dry = octavo("blobs", "copy", stored, target, "--dry-run")
    assert dry == {"objects": COUNT + 1, "bytes": dry["bytes"], "copied": COUNT + 1, "foreign": 1, "dryRun": True}
    assert [*target.rglob("*")] == []
    assert octavo("blobs", "copy", stored, f"file://{target}") == dry | {"dryRun": False}
    for file in stored.rglob("organization/*/*"):
        assert (target / file.relative_to(stored)).read_bytes() == file.read_bytes()
    again = _copied(loop, stored, Blobs.local(target))
    assert (again.objects, again.copied) == (COUNT + 1, 0)


def test_what_is_not_what_it_is_called_is_told_and_the_rest_arrives(
    loop: asyncio.AbstractEventLoop, stored: Path, tmp_path: Path
) -> None:
    target = tmp_path / "to"
    _copied(loop, stored, Blobs.local(target))
    names = [hashlib.sha256(b"x" * 1000 * number + b"egg").hexdigest() for number in range(3)]
    _place(target, names[0]).write_bytes(b"egh")  # as long as before
    _place(target, "given-out").write_bytes(b"an upLoad")
    _place(target, names[2]).unlink()
    mended = _copied(loop, stored, Blobs.local(target))
    assert mended.copied == 3
    assert _place(target, names[0]).read_bytes() == b"egg"
    assert _place(target, "given-out").read_bytes() == b"an upload"
    _place(stored, names[1]).write_bytes(b"y" * 1003)
    _place(target, names[1]).unlink()
    _place(target, names[2]).unlink()
    with pytest.raises(Conflict, match=f"1 of {COUNT + 1} files are not well: organization/.*{names[1]} is damaged"):
        _copied(loop, stored, Blobs.local(target))
    assert not _place(target, names[1]).exists()
    assert _place(target, names[2]).exists()
    assert "is damaged in the source" in octavo("blobs", "copy", stored, target, fails=True)


def test_one_that_breaks_off_goes_on(loop: asyncio.AbstractEventLoop, stored: Path, tmp_path: Path) -> None:
    class Away(Blobs):
        left = 7

        async def put_stream(self, organization: str, name: str, parts: Any) -> None:
            self.left -= 1
            if not self.left:
                raise Unavailable("the file store could not be written")
            await super().put_stream(organization, name, parts)

    target, brought, tries = Away.local(tmp_path / "to"), 0, 0
    assert isinstance(target, Away)
    while True:
        target.left = 7
        try:
            done = _copied(loop, stored, target)
            break
        except Unavailable:
            now = sum(1 for _ in (tmp_path / "to").rglob("organization/*/*"))
            tries += 1
            assert now > brought
            brought = now
    assert (done.objects, tries > 2, done.copied < 7) == (COUNT + 1, True, True)


@pytest.mark.parametrize(
    ("source", "said"), [("nowhere", "there is no directory nowhere"), ("ftp://x/y", "ftp://x/y names no object store")]
)
def test_a_store_that_is_not_there_is_told(source: str, said: str, tmp_path: Path) -> None:
    assert said in octavo("blobs", "copy", source, tmp_path / "to", fails=True)


def test_a_bucket_that_is_away_is_told(tmp_path: Path) -> None:
    said = octavo(
        "blobs", "copy", tmp_path, "s3://bucket", fails=True, TO_AWS_ENDPOINT="http://127.0.0.1:9", TO_AWS_REGION="r",
        TO_AWS_ALLOW_HTTP="1", TO_AWS_ACCESS_KEY_ID="a", TO_AWS_SECRET_ACCESS_KEY="b",
    )  # fmt: skip
    assert said.startswith("Error: the file store could not be listed: ")
    assert "127.0.0.1:9/bucket" in said
