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


@pytest.mark.parametrize("size", [10, HELD, HELD + 9, 3 * HELD])
@pytest.mark.parametrize(
    ("asked", "first", "last"),
    [
        ("bytes=0-0", 0, 0), ("bytes=2-4", 2, 4), ("bytes=5-", 5, -1), ("bytes=-3", -3, -1), ("bytes=1-999999999", 1, -1),
        ("bytes=-999999999", 0, -1), ("BYTES=2-2", 2, 2), ("bytes=0-", 0, -1),
    ],
)  # fmt: skip
def test_a_part_is_sent(bench: Bench, size: int, asked: str, first: int, last: int) -> None:
    data = _kept(bench, size)
    sent = Sent()
    bench.get("abcd", sent, range=asked)
    first, last = first % size, last % size
    assert sent.reply.status == 206
    assert sent.reply.body == data[first : last + 1]
    assert sent.reply.headers["content-range"] == f"bytes {first}-{last}/{size}"
    assert sent.reply.headers["content-length"] == str(last + 1 - first)
    assert {"etag", "accept-ranges", "x-content-type-options"} <= sent.reply.headers.keys()


@pytest.mark.parametrize("asked", ["bytes=10-", "bytes=10-12", "bytes=-0", "bytes=999999999999999999-"])
def test_a_part_that_is_not_there_is_refused(bench: Bench, asked: str) -> None:
    _kept(bench, 10)
    sent = Sent()
    bench.get("abcd", sent, range=asked)
    assert (sent.reply.status, sent.reply.headers["content-range"]) == (416, "bytes */10")
    assert sent.reply.text == "The file has 10 bytes."


@pytest.mark.parametrize(
    "asked",
    ["bytes=4-2", "bytes=-", "bytes=", "bytes=a-b", "bytes=0-1,3-4", "lines=0-1", "bytes=+1-2", "0-1", "bytes=1-2-3", "\xff",
     "bytes=" + "9" * 30 + "-"],
)  # fmt: skip
def test_what_asks_for_no_part_gets_all(bench: Bench, asked: str) -> None:
    data = _kept(bench, 10)
    sent = Sent()
    bench.get("abcd", sent, range=asked)
    assert (sent.reply.status, sent.reply.body) == (200, data)
    assert sent.reply.headers["accept-ranges"] == "bytes"


def test_a_part_is_of_the_version_that_the_reader_has(bench: Bench) -> None:
    data = _kept(bench, 10)
    whole, part, other, old, had, head = (Sent() for _ in range(6))
    bench.get("abcd", whole)
    tag = whole.reply.headers["etag"]
    bench.get("abcd", part, range="bytes=1-2", if_range=tag)
    assert (part.reply.status, part.reply.body) == (206, data[1:3])
    for sent, condition in ((other, '"other"'), (old, "Sun, 22 Nov 2026 10:00:00 GMT")):
        bench.get("abcd", sent, range="bytes=1-2", if_range=condition)
        assert (sent.reply.status, sent.reply.body) == (200, data)
    bench.get("abcd", had, range="bytes=1-2", if_none_match=tag)
    assert had.reply.status == 304
    bench.get("abcd", head, "HEAD", range="bytes=1-2")
    assert (head.reply.status, head.reply.headers["content-length"], head.reply.body) == (200, "10", b"")


def _kept(bench: Bench, size: int) -> bytes:
    data = bytes(at * 7 % 251 for at in range(size))
    path = bench.folder / "organization" / "ab" / "abcd"
    path.parent.mkdir(parents=True)
    path.write_bytes(data)
    return data
