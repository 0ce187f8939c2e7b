"""The `{% name attribute="value" %}` tags: their grammar and the block rule that finds them on lines of their own.

A line counts when it holds nothing but tags, or text between a tag and a tag that ends the line. Every tag becomes a
token of its own; which of them belong together is decided later (see `tree`), so that hostile input costs linear time.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from markdown_it.rules_block import StateBlock

CONTAINERS = frozenset(
    ("hint", "code", "tabs", "tab", "stepper", "step", "columns", "column", "updates", "update", "if", "prompt")
)
"""Tags that mean something only together with their end."""

ITEMS = {"tab": "tabs", "step": "stepper", "column": "columns", "update": "updates"}
"""Tags of the parts of a group, and that of the group."""

VOID = frozenset(
    ("embed", "file", "content-ref", "include", "openapi", "openapi-operation", "openapi-schemas", "openapi-webhook")
)
"""Tags that may stand alone; so may those of integrations, whose names start with `@`."""

_TAG = re.compile(
    r"""\{%-?[ \t\n]*(?P<end>end)?(?P<name>@[\w./-]+|[a-z][a-z-]*)"""
    r"""(?P<rest>(?:[ \t\n](?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[^"'%]|%(?!\}))*)?)-?%\}""",
    re.DOTALL,
)
# Where quotes do not pair up, the tag ends at the first %} of its line.
_LAX_TAG = re.compile(r"\{%-?[ \t]*(?P<end>end)?(?P<name>@[\w./-]+|[a-z][a-z-]*)(?P<rest>(?:[ \t][^\n]*?)?)-?%\}")
_ATTRIBUTE = re.compile(r"""([\w:@.-]+)(?:\s*=\s*("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[^\s"'][^\s]*))?""", re.DOTALL)
_ESCAPED = re.compile(r"""\\(["'\\])""")
CONDITION = re.compile(r"\{%-?\s{0,20}(?P<name>if|endif|else|elif|elsif|elseif)\b")
"""The beginning of a tag that decides who sees what, wherever it stands."""
_MOST_LINES = 16
"""Lines that one tag may spread over."""


@dataclass(frozen=True, slots=True)
class Tag:
    """One tag: `raw` is its text, `start` its offset within the text that was scanned."""

    name: str
    closes: bool
    rest: str
    raw: str
    start: int


@dataclass(frozen=True, slots=True)
class Prose:
    """Text between two tags of one line."""

    text: str
    start: int


def attributes(rest: str) -> dict[str, Any]:
    """What follows a tag's name: strings; a name alone and an unquoted `true` are True; unquoted JSON is its value."""
    found: dict[str, Any] = {}
    for name, value in _ATTRIBUTE.findall(rest):
        found.setdefault(name, _value(value))
    return found


def _value(written: str) -> Any:
    if not written:
        return True
    if written[0] in "\"'":
        return _ESCAPED.sub(r"\1", written[1:-1])
    try:
        return json.loads(written)
    except (ValueError, RecursionError):
        return written


def _known(name: str) -> bool:
    return name in CONTAINERS or name in VOID or name[0] == "@"


def _read_tag(text: str, start: int) -> Tag | None:
    found = _TAG.match(text, start) or _LAX_TAG.match(text, start)
    if found is None or not _known(found["name"]):
        return None
    return Tag(found["name"], bool(found["end"]), found["rest"].strip(), found[0], start)


def read_line(text: str) -> list[Tag | Prose] | None:
    """The tags of a line and the text between them; None where the line is prose."""
    text = text.rstrip()
    if not text.endswith("%}"):
        return None
    parts: list[Tag | Prose] = []
    at = 0
    while at < len(text):
        tag = _read_tag(text, at)
        if tag is not None:
            parts.append(tag)
            at += len(tag.raw)
            continue
        following = text.find("{%", at + 2 if parts else len(text))
        if following < 0:
            return None
        if text[at:following].strip():
            parts.append(Prose(text[at:following], at))
        at = following
    return parts if isinstance(parts[-1], Tag) else None


def _lines(state: StateBlock, start_line: int, end_line: int) -> Iterator[tuple[str, int]]:
    """(text from the first line on, line behind it), growing while the tag that it opens is unfinished."""
    first = state.bMarks[start_line] + state.tShift[start_line]
    yield state.src[first : state.eMarks[start_line]], start_line + 1
    if "%}" in state.src[first : state.eMarks[start_line]]:
        return
    for line in range(start_line + 1, min(end_line, start_line + _MOST_LINES)):
        if state.isEmpty(line) or state.sCount[line] < state.blkIndent:
            return
        if "%}" in state.src[state.bMarks[line] : state.eMarks[line]]:
            yield state.src[first : state.eMarks[line]], line + 1
            return


def tag_rule(state: StateBlock, start_line: int, end_line: int, silent: bool) -> bool:
    """The block rule: one `tag` or bare `inline` token for each part of a line of tags."""
    first = state.bMarks[start_line] + state.tShift[start_line]
    if not state.src.startswith("{%", first) or state.is_code_block(start_line):
        return False
    for text, behind in _lines(state, start_line, end_line):
        parts = read_line(text)
        if parts is None:
            continue
        if silent:
            return True
        _push(state, parts, first - state.bMarks[start_line], start_line, behind)
        return True
    return False


def _push(state: StateBlock, parts: list[Tag | Prose], indent: int, line: int, behind: int) -> None:
    state.line = behind
    for part in parts:
        if isinstance(part, Tag):
            token = state.push("tag", "", 0)
            token.content = part.raw
            token.meta = {"tag": part, "start": indent + part.start}
        else:
            token = state.push("inline", "", 0)
            token.content = part.text.strip()
            token.children = []
            token.meta = {"start": indent + part.start, "length": len(part.text)}
        token.map = [line, behind]
