"""What identity providers send that RFC 7644 does not know, as it would be written there."""

from __future__ import annotations

from typing import Any

import msgspec

_KEPT_HERE = frozenset(("id", "schemas", "meta", "groups"))
"""Okta sends them along; they are not for providers to change."""


def straightened(body: bytes) -> bytes:
    """The body of a PATCH. One that is no JSON, or has another shape, stays as it is for the protocol to refuse.

    >>> straightened(b'{"Operations":[{"op":"replace","value":{"id":"1","emails[type eq \\\\"work\\\\"].value":"a@b.c"}}]}')
    b'{"Operations":[{"op":"replace","path":"emails[type eq \\\\"work\\\\"].value","value":"a@b.c"}]}'
    """
    try:
        sent = msgspec.json.decode(body)
    except (msgspec.DecodeError, RecursionError):
        return body
    operations = sent.get("Operations") if isinstance(sent, dict) else None
    if not isinstance(operations, list):
        return body
    made = [one for operation in operations for one in _split(operation)]
    return msgspec.json.encode(sent | {"Operations": made})


def _split(operation: Any) -> list[Any]:
    """An operation without a path may name paths in its value: each becomes an operation."""
    value = operation.get("value") if isinstance(operation, dict) else None
    if not isinstance(value, dict) or operation.get("path"):
        return [operation]
    plain = {key: one for key, one in value.items() if key.lower() not in _KEPT_HERE and "[" not in key}
    paths = [{"op": operation.get("op"), "path": key, "value": one} for key, one in value.items() if "[" in key]
    whole = {key: one for key, one in operation.items() if key != "path"} | {"value": plain}
    return [whole, *paths] if plain or not paths else paths
