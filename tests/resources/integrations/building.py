"""What tests of integrations publish and install."""

from __future__ import annotations

import base64
import struct
import uuid
import zlib
from typing import Any

from tests.client import World

SCRIPT = "export default { async fetch() { return new Response('OK'); } };"


def png(side: int = 2, padding: int = 0) -> bytes:
    """A PNG of one colour, made larger by a chunk that says nothing."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    lines = b"".join(b"\x00" + b"\xff\x00\x00" * side for _ in range(side))
    frame = chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0))
    noise = chunk(b"teXt", bytes(padding)) if padding else b""
    return b"\x89PNG\r\n\x1a\n" + frame + noise + chunk(b"IDAT", zlib.compress(lines)) + chunk(b"IEND", b"")


def encoded(data: bytes) -> str:
    return base64.b64encode(data).decode()


def manifest(world: World, **said: Any) -> dict[str, Any]:
    """The least that can be published, and what is said beside it."""
    least = {"organization": world.organization, "title": "Counter", "description": "Counts", "script": SCRIPT}
    return least | {"scopes": []} | said


def published(world: World, name: str = "", **said: Any) -> dict[str, Any]:
    """An integration of the world's organization."""
    name = name or f"counter-{uuid.uuid4().hex[:12]}"
    reply = world.api.post(f"/v1/integrations/{name}", manifest(world, **said))
    assert reply.status == 200, reply.text
    made: dict[str, Any] = reply.json
    return made


def installed(world: World, integration: dict[str, Any], organization: str = "") -> str:
    """Install it in an organization; the path of the installation."""
    path = f"/v1/integrations/{integration['name']}/installations"
    reply = world.api.post(path, {"organization": organization or world.organization})
    assert reply.status == 201, reply.text
    return f"{path}/{reply.json['id']}"
