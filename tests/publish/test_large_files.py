"""Large files: what is held while they come and go, what is kept of those that break off."""

from __future__ import annotations

import hashlib
import tracemalloc
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from octavo.access.signing import Download, Signer, Upload
from octavo.publish.files import HELD, Files
from octavo.store.content.blobs import PART, Blobs
from tests.client import Reply
from tests.conftest import FakeClock
from tests.web.requests import Sent, arriving, run

LARGE = 200 << 20
CHUNK = 64 << 10


async def _always(_: Download) -> bool:
    return True


@dataclass
class Bench:
    """The door to files over an empty folder."""

    folder: Path
    clock: FakeClock

    def put(self, size: int, receive: Any, **headers: str) -> Reply:
        """Upload to an address that announces so many bytes."""
        signer = Signer("a secret of the tests")
        key = signer.write_upload(Upload("organization", "upload-1", size), self.clock())
        scope = {
            "method": "PUT",
            "path": f"/uploads/{key}",
            "headers": [(name.replace("_", "-").encode(), text.encode()) for name, text in headers.items()],
        }
        sent = Sent()
        run(Files(Blobs.local(self.folder), signer, self.clock, _always)(scope, receive, sent))
        return sent.reply

    def get(self, blob: str, send: Any, method: str = "GET", **headers: str) -> None:
        """Fetch a file."""
        signer = Signer("a secret of the tests")
        download = Download("organization", "space", blob, "application/octet-stream")
        scope = {
            "method": method,
            "path": signer.download_path(download, "a.bin", self.clock(), 7),
            "headers": [(name.replace("_", "-").encode(), text.encode()) for name, text in headers.items()],
        }
        run(Files(Blobs.local(self.folder), signer, self.clock, _always)(scope, arriving(), send))

    @property
    def kept(self) -> list[Path]:
        return [path for path in self.folder.rglob("*") if path.is_file()]


@pytest.fixture
def bench(tmp_path: Path, clock: FakeClock) -> Bench:
    return Bench(tmp_path / "blobs", clock)


def test_a_large_file_is_never_held_whole(bench: Bench) -> None:
    left = LARGE // CHUNK
    hasher = hashlib.sha256()

    async def receive() -> Any:
        nonlocal left
        left -= 1
        part = left.to_bytes(4, "big") * (CHUNK // 4)
        hasher.update(part)
        return {"type": "http.request", "body": part, "more_body": left > 0}

    tracemalloc.start()
    try:
        reply = bench.put(LARGE, receive, content_length=str(LARGE))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert (reply.status, reply.body) == (204, b"")
    assert peak < 4 * PART
    [path] = bench.kept
    with path.open("rb") as stored:
        assert hashlib.file_digest(stored, "sha256").hexdigest() == hasher.hexdigest()


@pytest.mark.parametrize("size", [0, 1, PART, PART + 1])
def test_what_arrives_is_what_is_kept(bench: Bench, size: int) -> None:
    data = bytes(range(256)) * (size // 256 + 1)
    assert bench.put(size, arriving(data[: size // 2], data[size // 2 : size])).status == 204
    [path] = bench.kept
    assert path.read_bytes() == data[:size]


@pytest.mark.parametrize(
    ("sent", "ends", "headers", "status"),
    [
        (3 * PART - 1, True, {}, 400), (3 * PART + 1, True, {}, 413), (2 * PART, False, {}, 400),
        (3 * PART, True, {"content_length": str(3 * PART - 1)}, 400), (0, True, {"content_length": str(3 * PART + 1)}, 413),
    ],
    ids=["too short", "too long", "broken off", "another length than it says", "too long, it says"],
)  # fmt: skip
def test_nothing_is_kept_of_what_does_not_fit(
    bench: Bench, sent: int, ends: bool, headers: dict[str, str], status: int
) -> None:
    parts = [bytes(min(PART, sent - at)) for at in range(0, sent, PART)]
    reply = bench.put(3 * PART, arriving(*parts, ends=ends), **headers)
    assert reply.status == status
    assert reply.text.endswith(".")
    assert bench.kept == []


def test_what_breaks_off_leaves_what_was_there(bench: Bench) -> None:
    assert bench.put(4, arriving(b"kept")).status == 204
    assert bench.put(4, arriving(b"br", ends=False)).status == 400
    [path] = bench.kept
    assert path.read_bytes() == b"kept"


def test_a_large_file_is_never_held_whole_on_its_way_out(bench: Bench) -> None:
    data = bytes(range(256)) * (LARGE // 256)
    path = bench.folder / "organization" / "ab" / "abcd"
    path.parent.mkdir(parents=True)
    path.write_bytes(data)
    expected, hasher = hashlib.sha256(data).hexdigest(), hashlib.sha256()
    start: dict[str, Any] = {}
    del data

    async def send(message: Any) -> None:
        start.update(message if message["type"] == "http.response.start" else {})
        hasher.update(message.get("body", b""))

    tracemalloc.start()
    try:
        bench.get("abcd", send)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert start["status"] == 200
    assert (b"content-length", str(LARGE).encode()) in start["headers"]
    assert hasher.hexdigest() == expected
    assert peak < 4 * PART


@pytest.mark.parametrize("size", [0, HELD, HELD + 1])
def test_a_file_is_sent_alike_whatever_its_size(bench: Bench, size: int) -> None:
    path = bench.folder / "organization" / "ab" / "abcd"
    path.parent.mkdir(parents=True)
    path.write_bytes(bytes(size))
    got, head, again = Sent(), Sent(), Sent()
    bench.get("abcd", got)
    bench.get("abcd", head, "HEAD")
    bench.get("abcd", again, if_none_match=got.reply.headers["etag"])
    assert (got.reply.status, got.reply.body) == (200, bytes(size))
    assert got.reply.headers["content-length"] == str(size)
    assert (head.reply.status, head.reply.headers, head.reply.body) == (200, got.reply.headers, b"")
    assert (again.reply.status, again.reply.body) == (304, b"")
