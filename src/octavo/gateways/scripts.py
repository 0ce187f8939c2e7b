"""The protocol by which scripts are told: one POST of multipart/form-data for each event, wherever the script runs."""

from __future__ import annotations

import secrets

import msgspec

from octavo.gateways import web
from octavo.gateways.addresses import Guard

PATH = "/v1"
LIMITS = web.Limits(bytes=4 << 20, seconds=30.0, redirects=0)


def encoded(event: object, environment: object, body: bytes | None = None) -> tuple[str, bytes]:
    """The content type and the body that say an event; `body` is that of the request which the event tells of."""
    boundary = f"octavo{secrets.token_hex(16)}"
    parts = [("event", msgspec.json.encode(event), ""), ("environment", msgspec.json.encode(environment), "")]
    if body is not None:
        parts.append(("fetch-body", body, '; filename="body"\r\nContent-Type: application/octet-stream'))
    made = b"".join(
        f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"{more}\r\n\r\n'.encode() + data + b"\r\n"
        for name, data, more in parts
    )
    return f"multipart/form-data; boundary={boundary}", made + f"--{boundary}--\r\n".encode()


async def post(tunnel: str, event: object, environment: object, guard: Guard, body: bytes | None = None) -> web.Fetched:
    """Tell a script at an address. Raises Refused, Unreachable or TooLarge."""
    kind, data = encoded(event, environment, body)
    return await web.fetch(
        tunnel.rstrip("/") + PATH,
        method="POST", headers={"content-type": kind}, body=data, guard=guard, limits=LIMITS,
    )  # fmt: skip
