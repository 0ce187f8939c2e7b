"""Identifiers and secrets: URL-safe text; both are to be compared, not to be sorted."""

from __future__ import annotations

import base64
import hashlib
import secrets

import uuid_utils

from octavo.kernel.errors import TOKEN_PREFIX


def new_id() -> str:
    """22 characters of [a-zA-Z0-9_-]: the 128 bits of a UUIDv7, which keeps rows made together near one another in an
    index. The order of the characters is not the order of the bits: lists sort by time, and by id only among equals."""
    return base64.urlsafe_b64encode(uuid_utils.uuid7().bytes).decode().rstrip("=")


def made_at(id_: str) -> int:
    """When an id was made, in milliseconds since 1970: the first 48 bits of a UUIDv7."""
    return int.from_bytes(base64.urlsafe_b64decode(id_ + "==")[:6], "big")


def order_of(id_: str) -> str:
    """Text that sorts as ids were made by one process, also within a millisecond: the bits as 32 hexadecimal digits.

    >>> ids = [new_id() for _ in range(100)]
    >>> sorted(ids, key=order_of) == ids
    True
    """
    return base64.urlsafe_b64decode(id_ + "==").hex()


def new_token() -> str:
    """A personal API token as it is shown, once."""
    return TOKEN_PREFIX + secrets.token_urlsafe(32)


def token_hash(token: str) -> str:
    """What is kept of a token: the hexadecimal SHA-256."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()
