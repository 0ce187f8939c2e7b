"""Front matter: the YAML between two lines of `---` at the very start of a page."""

from __future__ import annotations

import re
from typing import Any

from octavo.content.yaml import YamlFault, load

_FENCED = re.compile(r"\ufeff?---[ \t]*(?:\r\n?|\n)(.*?)(?:(?<=\n)|(?<=\r))---[ \t]*(?=\r|\n|\Z)", re.DOTALL)


def split(source: str) -> tuple[str | None, int]:
    """(the YAML, where the body starts): None where the page has no front matter; a byte order mark is never body."""
    matched = _FENCED.match(source)
    if matched is None:
        return None, 1 if source.startswith("\ufeff") else 0
    return matched[1], matched.end()


def read(text: str) -> tuple[dict[str, Any] | None, str | None]:
    """(the keys, what is wrong): YAML that is not read gives no keys, and a sentence; text that is no mapping gives None."""
    try:
        loaded = load(text)
    except YamlFault as fault:
        return {}, f"The front matter {fault}"
    if loaded is None:
        return {}, None
    if not isinstance(loaded, dict):
        return None, None
    return {str(name): value for name, value in loaded.items()}, None


def front_of(source: str) -> dict[str, Any]:
    """The front matter of a text, of which nothing else is read; empty where there is none."""
    text, _ = split(source)
    return (read(text)[0] or {}) if text is not None else {}
