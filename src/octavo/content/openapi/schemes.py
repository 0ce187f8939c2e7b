"""The ways in which callers of an API say who they are."""

from __future__ import annotations

from typing import Any

import msgspec

Json = dict[str, Any]


class Scheme(msgspec.Struct):
    """A way to say who calls."""

    name: str
    kind: str
    """In words."""
    place: str
    """header, query or cookie."""
    key: str
    """What the header or parameter is called."""
    value: str
    """What is put there, with a word for what everybody has of their own."""
    description: str = ""
    scopes: list[str] = []


def scheme_of(name: str, scheme: Json, scopes: list[str]) -> Scheme:
    """A scheme by its name, with the scopes that are asked for."""
    told = _text(scheme.get("description"))
    kind = scheme.get("type")
    if kind == "apiKey":
        place, key = _text(scheme.get("in")) or "header", _text(scheme.get("name"))
        return Scheme(name, f"API key in the {place}", place, key, "YOUR_API_KEY", told)
    if kind == "http" and _text(scheme.get("scheme")).lower() == "basic":
        return Scheme(name, "HTTP Basic", "header", "Authorization", "Basic YOUR_CREDENTIALS", told)
    words = {"http": "Bearer token", "oauth2": "OAuth 2", "openIdConnect": "OpenID Connect", "mutualTLS": "Mutual TLS"}
    if kind == "mutualTLS":
        return Scheme(name, words[kind], "", "", "", told)
    return Scheme(
        name, words.get(str(kind), "Bearer token"), "header", "Authorization", "Bearer YOUR_TOKEN", told, scopes
    )


def _text(given: Any) -> str:
    return given.strip() if isinstance(given, str) else ""
