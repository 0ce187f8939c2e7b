"""Sizes of pictures by their bytes, types by their names."""

from __future__ import annotations

import struct

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from octavo.content.images import content_type, dimensions

PNG = b"\x89PNG\r\n\x1a\n" + struct.pack(">I4sII", 13, b"IHDR", 640, 480) + b"\x08\x06\x00\x00\x00" + bytes(4)
GIF = b"GIF89a" + struct.pack("<HH", 320, 200) + bytes(8)
JPEG = b"\xff\xd8\xff\xe0\x00\x10JFIF\x00" + bytes(9) + b"\xff\xc0\x00\x11\x08" + struct.pack(">HH", 48, 64) + bytes(12)
WEBP = b"RIFF" + struct.pack("<I", 22) + b"WEBPVP8X" + struct.pack("<I", 10) + bytes(4) + b"\x1f\x00\x00\x0f\x00\x00"


@pytest.mark.parametrize(
    ("name", "data", "size"),
    [
        ("a.png", PNG, (640, 480)),
        ("A.PNG", PNG, (640, 480)),
        ("a.gif", GIF, (320, 200)),
        ("a.jpg", JPEG, (64, 48)),
        ("a.jpeg", JPEG, (64, 48)),
        ("a.webp", WEBP, (32, 16)),
        ("a.svg", b'<?xml version="1.0"?><svg xmlns="x" width="30" height="20.4px"/>', (30, 20)),
        ("a.svg", b"<svg viewBox='0 0 24 12'></svg>", (24, 12)),
        ("a.svg", b'<svg width="100%" height="100%" viewBox="0,0,24,12">', (24, 12)),
        ("a.svg", b'<svg width="48" viewBox="0 0 24 12">', (48, 24)),
        ("a.svg", b'<svg height="1in" viewBox="0 0 24 12">', (192, 96)),
        ("a.svg", b'<svg stroke-width="9">', None),
        ("a.svg", b"<html>", None),
        ("a.png", b"", None),
        ("a.png", PNG[:10], None),
        ("a.jpg", b"\xff\xd8\xff", None),
        ("a.txt", PNG, None),
        ("a", PNG, None),
    ],
)
def test_dimensions(name: str, data: bytes, size: tuple[int, int] | None) -> None:
    assert dimensions(name, data) == size


@settings(max_examples=150, deadline=None)
@given(
    st.sampled_from(["a.png", "a.jpg", "a.gif", "a.webp", "a.svg"]),
    st.sampled_from([PNG, GIF, JPEG, WEBP, b"<svg "]),
    st.integers(0, 30),
    st.binary(max_size=40),
)
def test_broken_pictures_have_no_size_or_a_positive_one(name: str, data: bytes, cut: int, rest: bytes) -> None:
    found = dimensions(name, data[:cut] + rest)
    assert found is None or min(found) > 0


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("a.png", "image/png"),
        ("b.SVG", "image/svg+xml"),
        ("c.pdf", "application/pdf"),
        ("x.yaml", "application/yaml"),
        ("d.json", "application/json"),
        ("e", "application/octet-stream"),
        ("f.", "application/octet-stream"),
        ("g.html/h.zip", "application/zip"),
        ("i.webp", "image/webp"),
        ("j.unknown", "application/octet-stream"),
    ],
)
def test_content_types(name: str, kind: str) -> None:
    assert content_type(name) == kind
