"""The survey of a pack: it places every object, and damage of any kind is a refusal."""

from __future__ import annotations

import hashlib
import tempfile
import zlib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from octavo.gateways.failures import GatewayFailure, Refused, TooLarge
from octavo.gateways.packs import OFS_DELTA, REF_DELTA, Placed, checksum, survey
from octavo.gateways.snapshots import Limits


def number(value: int) -> bytes:
    out = b""
    while value > 0x7F:
        out, value = out + bytes([value & 0x7F | 0x80]), value >> 7
    return out + bytes([value])


def entry(kind: int, content: bytes, base: bytes = b"") -> bytes:
    head, rest = kind << 4 | len(content) & 15, len(content) >> 4
    start = bytes([head | 0x80]) + number(rest) if rest else bytes([head])
    return start + base + zlib.compress(content)


def pack(*entries: bytes, count: int | None = None) -> bytes:
    head = b"PACK\0\0\0\2" + (len(entries) if count is None else count).to_bytes(4, "big")
    return head + b"".join(entries) + bytes(20)


def look(content: bytes, limits: Limits | None = None) -> list[Placed]:
    with tempfile.NamedTemporaryFile() as file:
        file.write(content)
        file.flush()
        return list(survey(Path(file.name), limits or Limits(), lambda: None))


BLOB = entry(3, b"hello " * 1000)
DELTA = number(6000) + number(70_000) + b"\x90\x05"
GOOD = pack(BLOB, entry(OFS_DELTA, DELTA, bytes([len(BLOB)])), entry(REF_DELTA, DELTA, b"r" * 20), entry(2, b""))


def test_places_objects_with_their_final_sizes() -> None:
    found = look(GOOD)
    assert [(placed.kind, placed.base, placed.size) for placed in found] == [
        (3, None, 6000),
        (OFS_DELTA, len(BLOB), 70_000),
        (REF_DELTA, b"r" * 20, 70_000),
        (2, None, 0),
    ]
    assert [placed.offset for placed in found][:2] == [12, 12 + len(BLOB)]


@pytest.mark.parametrize(
    "content",
    [
        b"x",
        pack(count=1),
        pack(BLOB, count=2),
        pack(BLOB, BLOB, count=1),
        pack(entry(0, b"x")),
        pack(entry(5, b"x")),
        pack(entry(OFS_DELTA, DELTA, bytes([1]))),
        pack(entry(REF_DELTA, b"", b"r" * 20)),
        pack(BLOB[:-3]),
        pack(b"\xb0" + b"\xff" * 30),
        # Says one byte, holds a thousand; and the other way round.
        pack(bytes([0x31]) + zlib.compress(b"x" * 1000)),
        pack(entry(3, b"x" * 1000)[:2] + zlib.compress(b"x")),
    ],
)
def test_refuses_malformed_packs(content: bytes) -> None:
    with pytest.raises(Refused):
        look(content)


def test_keeps_the_limits_before_anything_is_in_memory() -> None:
    for limits in (Limits(object_bytes=5999), Limits(object_bytes=69_999), Limits(inflated=100_000), Limits(files=0)):
        with pytest.raises(TooLarge):
            look(GOOD, limits)
    assert len(look(GOOD, Limits(object_bytes=70_000, files=1))) == 4


def test_checks_the_digest_of_the_whole(tmp_path: Path) -> None:
    body = GOOD[:-20]
    digest = hashlib.sha1(body).digest()
    (tmp_path / "pack").write_bytes(body + digest)
    assert checksum(tmp_path / "pack") == digest
    (tmp_path / "pack").write_bytes(b"Q" + body[1:] + digest)
    with pytest.raises(Refused):
        checksum(tmp_path / "pack")


@settings(max_examples=300, deadline=None)
@given(st.integers(0, len(GOOD) - 1), st.binary(max_size=4), st.integers(0, 4))
def test_damage_is_a_failure_or_still_whole(position: int, patch: bytes, removed: int) -> None:
    damaged = GOOD[:position] + patch + GOOD[position + removed :]
    try:
        found = look(damaged)
    except GatewayFailure:
        return
    assert len(found) == int.from_bytes(damaged[8:12], "big")
    assert sum(placed.size for placed in found) <= Limits().inflated
