"""The address that a request comes from, and the program."""

from __future__ import annotations

import ipaddress
from collections.abc import Collection, Mapping
from functools import lru_cache
from typing import Any


def client_address(scope: Mapping[str, Any], headers: Mapping[bytes, bytes], trusted: Collection[str]) -> str:
    """Of the client, or what a proxy that is believed says; "unknown" where the server knows none."""
    client = (scope.get("client") or ("unknown",))[0]
    forwarded = headers.get(b"x-forwarded-for")
    if forwarded is not None and trusted and _usual(client) in map(_usual, trusted):
        return forwarded.decode("latin-1").rsplit(",", 1)[-1].strip()
    return str(client)


def seen(scope: Mapping[str, Any], trusted: Collection[str]) -> dict[str, str | bool | None]:
    """How a request arrived, for whoever sent it to find out: `host` that it names, `peer` that brought it, `forwarded` that
    this one says of the client, and whether it is `believed`."""
    headers = dict(scope["headers"])
    forwarded = headers.get(b"x-forwarded-for")
    return {
        "host": headers.get(b"host", b"").decode("latin-1"),
        "peer": str((scope.get("client") or ("unknown",))[0]),
        "forwarded": None if forwarded is None else forwarded.decode("latin-1"),
        "believed": _usual((scope.get("client") or ("unknown",))[0]) in map(_usual, trusted),
    }


def household(address: str) -> str:
    """The address, or of an IPv6 one the network: programs change the rest of it every day."""
    try:
        known = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(known, ipaddress.IPv6Address) and known.ipv4_mapped is None:
        return str(ipaddress.ip_network((known, 64), strict=False))
    return str(known)


@lru_cache(1024)
def _usual(address: str) -> str:
    """An IP address in its one usual writing."""
    try:
        return str(ipaddress.ip_address(address))
    except ValueError:
        return address


def user_agent(headers: Mapping[bytes, bytes]) -> str | None:
    """What a program says that it is."""
    return headers.get(b"user-agent", b"").decode("latin-1").replace("\x00", "") or None
