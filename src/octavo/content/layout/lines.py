"""Small files of YAML beside the pages, changed line by line: comments and what nobody changed stay as they are."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from octavo.content.yaml import LONGEST_FILE, YamlFault, load

_KEY = re.compile(r"([ ]*)(\"(?:[^\"\\]|\\.)*\"|'(?:[^']|'')*'|[^\s#:'\"][^:#]*?)[ ]*:(?=[ \r\n]|$)")


def with_names(text: str, wanted: Mapping[str, Any], within: str | None = None) -> str:
    """The text of a mapping, or of one that stands in it under `within`, with exactly these names and scalar values.

    >>> with_names("# mine\\na: 1 # one\\nb: 2\\n", {"a": 1, "c": "x"})
    '# mine\\na: 1 # one\\nc: "x"\\n'
    >>> with_names("root: ./\\n", {"old": "new.md"}, within="redirects")
    'root: ./\\nredirects:\\n  "old": "new.md"\\n'
    """
    if _value(text, within) == dict(wanted):
        return text
    made = _edited(text, wanted, within)
    if _value(made, within) == dict(wanted) and _others(made, within) == _others(text, within):
        return made
    rest = _others(text, within)
    whole: dict[str, Any] = dict(wanted) if within is None else {**rest, within: dict(wanted)}
    return "".join(f"{json.dumps(name)}: {json.dumps(value, ensure_ascii=False)}\n" for name, value in whole.items())


def _edited(text: str, wanted: Mapping[str, Any], within: str | None) -> str:
    lines = text.splitlines(keepends=True)
    start, end, indent = _range(lines, within)
    held = _value(text, within)
    kept, seen, dropping = list[str](), set[str](), False
    for line in lines[start:end]:
        found = _KEY.match(line)
        if found and len(found[1]) == indent:
            name = _name(found[2])
            dropping = name not in wanted
            if name in wanted:
                seen.add(name)
                same = held.get(name) == wanted[name]
                kept.append(line if same else f"{found[1]}{found[2]}: {_scalar(wanted[name])}\n")
                dropping = not same
        elif not dropping or line.lstrip().startswith("#") or not line.strip():
            kept.append(line)
    if kept and not kept[-1].endswith("\n"):
        kept[-1] += "\n"
    fresh = [f"{' ' * indent}{_spelled(name, within)}: {_scalar(value)}\n" for name, value in wanted.items()
             if name not in seen]  # fmt: skip
    head = lines[:start]
    if head and not head[-1].endswith("\n"):
        head[-1] += "\n"
    if within is not None and start == end == len(lines) and not _has(lines, within):
        head.append(f"{within}:\n")
    return "".join([*head, *kept, *fresh, *lines[end:]])


def _range(lines: list[str], within: str | None) -> tuple[int, int, int]:
    """The lines of the mapping, and how far its names stand in."""
    if within is None:
        return 0, len(lines), 0
    starts = [n for n, line in enumerate(lines) if (found := _KEY.match(line)) and found[2] == within]
    if not starts:
        return len(lines), len(lines), 2
    start = end = starts[0] + 1
    while end < len(lines) and (not lines[end].strip() or lines[end].startswith((" ", "#"))):
        end += 1
    while end > start and not lines[end - 1].strip():
        end -= 1
    inner = [len(line) - len(line.lstrip(" ")) for line in lines[start:end] if _KEY.match(line)]
    return start, end, inner[0] if inner else 2


def _has(lines: list[str], within: str) -> bool:
    return any((found := _KEY.match(line)) and found[2] == within for line in lines)


def _value(text: str, within: str | None) -> dict[str, Any]:
    try:
        held = load(text.removeprefix("\ufeff"), LONGEST_FILE)
    except YamlFault:
        return {}
    held = held if isinstance(held, dict) else {}
    inner = held if within is None else held.get(within)
    return {str(name): value for name, value in inner.items()} if isinstance(inner, dict) else {}


def _others(text: str, within: str | None) -> dict[str, Any]:
    return {} if within is None else {name: held for name, held in _value(text, None).items() if name != within}


def _name(written: str) -> str:
    if written.startswith('"'):
        return str(json.loads(written)) if "\\" in written else written[1:-1]
    return written[1:-1].replace("''", "'") if written.startswith("'") else written.strip()


def _spelled(name: str, within: str | None) -> str:
    return name if within is None else json.dumps(name, ensure_ascii=False)


def _scalar(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
