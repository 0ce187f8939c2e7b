"""YAML that somebody else wrote: read within bounds, as values that JSON can hold."""

from __future__ import annotations

import math
import re
from typing import Any

from ryaml import InvalidYamlError, dumps, loads  # type: ignore[attr-defined]

LONGEST = 64 << 10
"""Characters of YAML in a page."""
LONGEST_FILE = 1 << 20
"""Characters of a file of YAML."""
DEEPEST = 64
"""Brackets of lists and mappings open at once; the library takes quadratic time for more."""
MOST_REPEATED = 100_000
"""Characters times uses of anchors: each use stands for a copy of what was named."""

_BRACKET = re.compile(r"[\[\]{}]")
_NAMED = re.compile(r"(?<![^\s\[{,:-])&\w")
_USED = re.compile(r"(?<![^\s\[{,:-])\*\w")


class YamlFault(ValueError):
    """Why a text is not read as YAML, as the end of a sentence about it."""


def dump(value: Any) -> str:
    """A value of JSON as YAML, in blocks."""
    written: str = dumps(value)
    return written


def load(text: str, longest: int = LONGEST) -> Any:
    """The value of a text; a number that is none, or without end, is kept as the word that was written for it.

    Raises YamlFault for what is no YAML, and for what would take long to read.
    """
    _admit(text, longest)
    try:
        return _plain(loads(text))
    except InvalidYamlError as error:
        raise YamlFault(f"is not valid YAML: {str(error).splitlines()[0]}") from error
    except (ValueError, TypeError, RecursionError) as error:
        raise YamlFault(f"cannot be read: {error}") from error


def _admit(text: str, longest: int) -> None:
    if len(text) > longest:
        raise YamlFault(f"is longer than {longest} characters, and was not read")
    depth = 0
    for found in _BRACKET.finditer(text):
        depth = depth + 1 if found[0] in "[{" else max(0, depth - 1)
        if depth > DEEPEST:
            raise YamlFault(f"opens more than {DEEPEST} brackets in one another, and was not read")
    if "&" in text and _NAMED.search(text) and len(_USED.findall(text)) * len(text) > MOST_REPEATED:
        raise YamlFault("repeats too much of itself by names, and was not read")


def _plain(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return ".nan" if math.isnan(value) else ".inf" if value > 0 else "-.inf"
    if isinstance(value, dict):
        return {key: _plain(held) for key, held in value.items()}
    return [_plain(held) for held in value] if isinstance(value, list) else value
