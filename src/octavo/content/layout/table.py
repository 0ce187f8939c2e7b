"""A table of contents written again: lines whose entries are still the same keep every byte, the others are made anew."""

from __future__ import annotations

import difflib
import json
import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

from octavo.content.layout import summary
from octavo.content.revision import computed_title
from octavo.content.slugs import title_slug

HEADING = "# Table of contents"
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_BULLET = re.compile(r"([ \t]*)([*+-]|\d{1,9}[.)])([ \t]+)")
_SPECIAL = re.compile(r"([\\`*_{}\[\]<>&!~#|])")
_BRACKETS = re.compile(r"([\\\[\]])")


@dataclass(frozen=True)
class Row:
    """One entry of the table. `key` is what it means, its level included: equal keys, equal entries."""

    key: tuple[Any, ...]
    kind: str
    level: int
    title: str
    href: str = ""
    link_title: str | None = None
    slug: str = ""
    computed: dict[str, Any] | None = None
    lines: tuple[int, int] | None = field(default=None, compare=False)
    """In a text that was read: its first and last line, from 1."""


def written(rows: Sequence[Row], pinned: Collection[str] = ()) -> str:
    """The whole table, anew; groups whose slugs are `pinned` say them."""
    writer = _Writer([], rows, pinned)
    text = f"{HEADING}\n\n" + "".join(writer.fresh(number) for number in range(len(rows)))
    return re.sub(r"\n{3,}", "\n\n", text)


def rewritten(text: str, before: Sequence[Row], after: Sequence[Row], pinned: Collection[str] = ()) -> str:
    """The text, whose entries were `before`, with the entries `after`. Lines that are nobody's stay where they are.

    >>> first = Row(("a",), "document", 0, "A", "a.md", lines=(3, 3))
    >>> second = Row(("b",), "document", 0, "B", "b.md")
    >>> print(rewritten("# T\\n\\n- [A](a.md)\\n<!-- mine -->\\n", [first], [first, second]))
    # T
    <BLANKLINE>
    - [A](a.md)
    - [B](b.md)
    <!-- mine -->
    <BLANKLINE>
    """
    lines = _LINE.findall(text)
    if lines and not lines[-1].endswith(("\n", "\r")):
        lines[-1] += "\n"
    shared = Counter(row.lines for row in before)
    old = [row.key if row.slug not in pinned or not row.slug else ("pinned", n) for n, row in enumerate(before)]
    steps = difflib.SequenceMatcher(None, old, [row.key for row in after], autojunk=False).get_opcodes()
    kept: dict[int, Row] = {}
    instead: dict[int, Row] = {}
    for tag, start, end, place, until in steps:
        pairs = {place + step: before[start + step] for step in range(min(end - start, until - place))}
        if tag == "equal":
            kept |= pairs
        else:
            instead |= {at: row for at, row in pairs.items() if shared[row.lines] == 1 and _alike(row, after[at])}
    whole = Counter(row.lines for row in kept.values())
    kept = {place: row for place, row in kept.items() if whole[row.lines] == shared[row.lines]}
    return _put_together(lines, before, after, kept, instead, pinned)


def _alike(old: Row, new: Row) -> bool:
    """Whether one can stand on the line of the other."""
    plain = ("document", "link")
    return old.level == new.level and old.lines is not None and old.kind in plain and new.kind in plain


def _put_together(
    lines: list[str],
    before: Sequence[Row],
    after: Sequence[Row],
    kept: dict[int, Row],
    instead: dict[int, Row],
    pinned: Collection[str],
) -> str:
    """The lines without those of entries that are gone, with new ones behind the entry that they follow."""
    writer = _Writer(lines, after, pinned, kept)
    staying = {row.lines for row in kept.values()}
    gone = {
        n for row in before if row.lines not in staying and row.lines for n in range(row.lines[0], row.lines[1] + 1)
    }
    behind: dict[int, list[str]] = {}
    at = _first(lines, before)
    for place, row in enumerate(after):
        if place in kept:
            at = (kept[place].lines or (at, at))[1]
            if row.kind == "group":
                at = _after_blank(lines, at)
        elif place in instead and (own := instead[place].lines):
            behind.setdefault(own[0] - 1, []).append(writer.fresh(place, own[0]))
            at = own[1]
        else:
            behind.setdefault(at, []).append(writer.fresh(place))
    made = behind.pop(0, [])
    for number, line in enumerate(lines, 1):
        if number not in gone:
            made.append(line)
        made += behind.pop(number, [])
    text = "".join(made)
    return re.sub(r"(?:\r?\n){3,}", "\n\n", text) if gone or len(kept) < len(after) else text


def _first(lines: list[str], before: Sequence[Row]) -> int:
    """The line behind which the first entry goes."""
    starts = [row.lines[0] for row in before if row.lines]
    return min(starts) - 1 if starts else len(lines)


def _after_blank(lines: list[str], at: int) -> int:
    while at < len(lines) and not lines[at].strip():
        at += 1
    return at


class _Writer:
    """Writes entries anew, in the style of those that are there."""

    def __init__(
        self, lines: list[str], rows: Sequence[Row], pinned: Collection[str], kept: dict[int, Row] | None = None
    ) -> None:
        self._lines = lines
        self._rows = rows
        self._pinned = pinned
        self._parents = _parents(rows)
        self._indents: dict[int, tuple[str, str]] = {}
        marks: Counter[str] = Counter()
        for place, row in (kept or {}).items():
            found = _BULLET.match(lines[row.lines[0] - 1]) if row.lines and row.kind != "group" else None
            if found:
                self._indents[place] = (found[1], " " * (len(found[2]) + len(found[3])))
                marks[found[2]] += 1
        usual = [mark for mark, _ in marks.most_common() if mark in "*+-"]
        self._mark = usual[0] if usual else "*"
        self._beside = {self._parents[place]: indent for place, (indent, _) in self._indents.items()}

    def fresh(self, place: int, line: int = 0) -> str:
        """The lines of an entry; with the bullet of the `line` that it takes over, if any."""
        row = self._rows[place]
        taken = _BULLET.match(self._lines[line - 1]) if line else None
        if taken:
            self._indents[place] = (taken[1], " " * (len(taken[2]) + len(taken[3])))
            return f"{taken[0]}{_link(row)}\n"
        if row.kind == "group":
            return f"\n## {_heading(row, self._pinned)}\n\n"
        parent = self._parents[place]
        above = "" if parent is None else "".join(self._indents.get(parent, ("", "")))
        indent = self._beside.setdefault(parent, above)
        self._indents[place] = (indent, "  ")
        if row.computed is not None:
            return _fence(row.title, row.computed, indent, self._mark)
        return f"{indent}{self._mark} {_link(row)}\n"


def _parents(rows: Sequence[Row]) -> list[int | None]:
    """The row above each; None where only a group, or nothing, stands above."""
    made: list[int | None] = []
    stack: list[int] = []
    for place, row in enumerate(rows):
        while stack and rows[stack[-1]].level >= row.level:
            stack.pop()
        above = stack[-1] if stack else None
        made.append(above if above is None or rows[above].kind != "group" else -1 - above)
        stack.append(place)
    return [None if above is None or above < 0 else above for above in made]


def _heading(row: Row, pinned: Collection[str]) -> str:
    title = _spelled(row.title, lambda words: f"## {words}")
    if row.slug in pinned or row.slug != title_slug(row.title, "group"):
        return f'{title} <a href="#{row.slug}" id="{row.slug}"></a>'
    return title


def _link(row: Row) -> str:
    words = _spelled(row.title, lambda label: f"* [{label}](x.md)")
    label = "" if row.link_title is None else ' "' + row.link_title.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return f"[{words}]({row.href}{label})" if row.href else words


def _spelled(title: str, line: Any) -> str:
    """The title so that it is read as it is, with as few backslashes as that takes."""
    plain = " ".join(title.split())
    for made in (plain, _BRACKETS.sub(r"\\\1", plain)):
        read = summary.parse(line(made)).entries
        if len(read) == 1 and read[0].title == plain:
            return made
    return _SPECIAL.sub(r"\\\1", plain)


def _fence(title: str, computed: dict[str, Any], indent: str, mark: str) -> str:
    inner = indent + "  "
    parts = [f"type: {computed['type']}"]
    if title != computed_title(computed):
        parts.append(f"title: {json.dumps(title, ensure_ascii=False)}")
    parts += [f"{name}: {json.dumps(computed[name])}" for name in ("props", "dependencies") if computed.get(name)]
    return f"{indent}{mark} ```yaml\n" + "".join(f"{inner}{part}\n" for part in parts) + f"{inner}```\n"
