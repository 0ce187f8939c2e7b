"""Escaping of text, attributes and addresses: the only ways by which an author's characters reach the HTML."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any
from urllib.parse import urlsplit

_SPECIAL = re.compile(r'[&<>"\0]')
_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\0": "\ufffd"}
_CONTROLS = re.compile(r"[\x00-\x1f\x7f]")
_SCHEME = re.compile(r"([^/?#:]*):")
_SAFE = frozenset({"http", "https", "mailto", "tel"})
_NAME = re.compile(r"[^-a-z0-9_.+]")


def escape(text: str) -> str:
    """Text for an element's content or for an attribute in double quotes."""
    return _SPECIAL.sub(_entity, text) if _SPECIAL.search(text) else text


def string(value: Any) -> str:
    """The value as plain text: strings and numbers as they are, anything else empty."""
    if isinstance(value, str):
        return value
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else ""


@lru_cache(maxsize=4096)
def address(url: str) -> str:
    """The URL escaped for an attribute, or "" when a browser might read a scheme other than the safe ones in it.

    Safe are http, https, mailto, tel and addresses without a scheme.
    """
    clean = _CONTROLS.sub("", url).strip()
    scheme = _SCHEME.match(clean)
    if scheme and scheme[1].lower() not in _SAFE:
        return ""
    return escape(clean)


def host(url: str) -> str:
    """The host that a web address names, in lower case and without `www.`; "" where it names none."""
    try:
        parts = urlsplit(url)
        return (parts.hostname or "").removeprefix("www.") if parts.scheme in {"http", "https"} else ""
    except ValueError:
        return ""


def encodable(text: str) -> str:
    """The text with a question mark for every half of a surrogate pair, which UTF-8 cannot say."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace").decode()
    return text


def name(value: Any) -> str:
    """The value as a harmless name for a class, a data attribute or an anchor: only `[-a-z0-9_.+]`."""
    return _NAME.sub("", string(value).lower())[:100]


def _entity(found: re.Match[str]) -> str:
    return _ENTITIES[found[0]]
