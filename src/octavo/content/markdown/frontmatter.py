"""Front matter: the YAML between two lines of `---` at the very start of a page."""

from __future__ import annotations

import re
from typing import Any

from octavo.content.yaml import YamlFault, load

_FENCED = re.compile(r"\ufeff?---[ \t]*(?:\r\n?|\n)(.*?)(?:(?<=\n)|(?<=\r))---[ \t]*(?=\r|\n|\Z)", re.DOTALL)

_GUARDS = re.compile(r"""^[ \t{,]*["']?(?:if|hidden)["']?[ \t]*:""", re.MULTILINE)
"""What looks as if it said who may see the page."""


def split(source: str) -> tuple[str | None, int]:
    """(the YAML, where the body starts): None where the page has no front matter; a byte order mark is never body."""
    matched = _FENCED.match(source)
    if matched is None:
        return None, 1 if source.startswith("\ufeff") else 0
    return matched[1], matched.end()


def read(text: str) -> tuple[dict[str, Any] | None, str | None]:
    """(the keys, what is wrong): YAML that is not read gives no keys, and a sentence; text that is no mapping gives None.

    Where it seems to say who may see the page, nobody may as long as it is not read.
    """
    try:
        loaded = load(text)
    except YamlFault as fault:
        guarded = _GUARDS.search(text) is not None
        kept: dict[str, Any] = {"hidden": True, "if": "false"} if guarded else {}
        return kept, f"The front matter {fault}" + ("; until it is, the page is shown to nobody" if guarded else "")
    if loaded is None:
        return {}, None
    if not isinstance(loaded, dict):
        return None, None
    return {str(name): value for name, value in loaded.items()}, None


def front_of(source: str) -> dict[str, Any]:
    """The front matter of a text, of which nothing else is read; empty where there is none."""
    text, _ = split(source)
    return (read(text)[0] or {}) if text is not None else {}
