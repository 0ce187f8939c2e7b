"""The address that a request comes from, and the program."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any


def client_address(scope: Mapping[str, Any], headers: Mapping[bytes, bytes], trusted: Collection[str]) -> str:
    """Of the client, or what a proxy that is believed says; "unknown" where the server knows none."""
    client = (scope.get("client") or ("unknown",))[0]
    forwarded = headers.get(b"x-forwarded-for")
    if forwarded is not None and client in trusted:
        return forwarded.decode("latin-1").rsplit(",", 1)[-1].strip()
    return str(client)


def user_agent(headers: Mapping[bytes, bytes]) -> str | None:
    """What a program says that it is."""
    return headers.get(b"user-agent", b"").decode("latin-1").replace("\x00", "") or None
