"""The table of contents as authors write it: `SUMMARY.md` -> groups and entries."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token

from octavo.content.revision import computed_title
from octavo.content.yaml import YamlFault, load

# Each level of a list costs two of nesting; deeper ones would exhaust the parser's own stack.
_BLOCKS = MarkdownIt("commonmark", {"maxNesting": 200}).disable("inline")
_INLINES = MarkdownIt("commonmark")
_FRONT = re.compile(r"\A---[ \t]*\n.*?^---[ \t]*$", re.DOTALL | re.MULTILINE)
_ANCHOR = re.compile(r"<a\b[^>]*?\sid\s*=\s*[\"']([^\"'>]+)[\"'][^>]*>", re.IGNORECASE)
_LOOSE = re.compile(r"\[([^\]]*)\]\(\s*<?([^()<>\"]*?)>?(?:\s+\"([^\"]*)\")?\s*\)")
_BULLET = re.compile(r"^[ \t]*(?:[*+-]|\d{1,9}[.)])[ \t]+\S", re.MULTILINE)
_LONGEST = 2048
"""Characters of an entry; a parser's time grows with their square where brackets stay open."""


@dataclass
class Entry:
    """One line of the table: a group (heading), a computed entry, or a bullet with its address as written."""

    title: str
    line: int
    href: str | None = None
    link_title: str | None = None
    group: bool = False
    anchor: str | None = None
    """Groups only: the slug that the heading fixes."""
    computed: dict[str, Any] | None = None
    children: list[Entry] = field(default_factory=list)
    end: int = 0
    """The last line that is its own, counted like `line`."""


@dataclass
class Summary:
    """What was read, and (line, text) for what was not understood."""

    entries: list[Entry] = field(default_factory=list)
    warnings: list[tuple[int, str]] = field(default_factory=list)


def parse(text: str) -> Summary:
    """Read a table of contents; broken lines become warnings, never errors."""
    text = re.sub(r"\r\n?", "\n", text.removeprefix("\ufeff"))
    front = _FRONT.match(text)
    if front and not _BULLET.search(front[0]):
        text = "\n" * front[0].count("\n") + text[front.end() :]
    definitions: dict[str, Any] = {}
    tokens = _BLOCKS.parse(text, definitions)
    reader = _Reader(definitions)
    reader.read(tokens)
    for number, line in enumerate(text.split("\n"), 1):
        if number not in reader.lines and _BULLET.match(line):
            reader.result.warnings.append((number, "is not understood as an entry and was left out"))
    reader.result.warnings.sort()
    return reader.result


class _Reader:
    def __init__(self, definitions: dict[str, Any]) -> None:
        self.result = Summary()
        self._definitions = definitions
        self._warned: set[int] = set()
        self.lines: set[int] = set()
        self._current = self.result.entries
        self._open: list[Entry | None] = []
        self._starts: list[int] = []
        self._titled = False

    def read(self, tokens: list[Token]) -> None:
        for before, token in zip([None, *tokens], tokens):
            if token.map:
                whole = token.type in ("fence", "html_block")
                self.lines.update(range(token.map[0] + 1, (token.map[1] if whole else token.map[0] + 1) + 1))
            if token.type == "list_item_open":
                self._open.append(None)
                self._starts.append(_line(token))
            elif token.type == "list_item_close":
                start = self._starts.pop()
                if self._open.pop() is None and start not in self._warned:
                    self._warn(start, "is a bullet without an entry")
            elif token.type == "fence" and self._open:
                self._fence(token)
            elif token.type == "inline" and before is not None:
                self._inline(token, before)

    def _inline(self, token: Token, before: Token) -> None:
        if len(token.content) > _LONGEST:
            self._warn(_line(token), f"is longer than {_LONGEST} characters and was left out")
        elif before.type == "heading_open" and not self._open:
            if before.tag == "h1" and not self._titled and not self.result.entries:
                self._titled = True
            else:
                self._heading(token)
        elif not self._open:
            self._warn(_line(token), "is text outside of the list of pages and was left out")
        elif self._open[-1] is not None:
            self._warn(_line(token), "is text below an entry and was left out")
        else:
            self._bullet(token)

    def _heading(self, token: Token) -> None:
        anchor = _ANCHOR.search(token.content)
        title = _plain(self._inlines(token)).strip()
        group = Entry(title, _line(token), group=True, anchor=anchor[1] if anchor else None, end=_end(token))
        self.result.entries.append(group)
        self._current = group.children

    def _bullet(self, token: Token) -> None:
        entries, rest = _links(self._inlines(token), _line(token))
        if not entries:
            loose = list(_LOOSE.finditer(token.content))
            entries = [Entry(found[1].strip(), _line(token), found[2].strip() or None, found[3]) for found in loose]
            rest = _LOOSE.sub("", token.content) if entries else rest
        if not entries and rest.strip():
            entries, rest = [Entry(rest.strip(), _line(token))], ""
        if rest.strip(" \t\n-–—:"):
            self._warn(_line(token), f"has text beside its link, which was left out: {rest.strip()[:80]}")
        for entry in entries:
            entry.end = _end(token)
            self._add(entry)

    def _fence(self, token: Token) -> None:
        line = _line(token)
        try:
            value = load(token.content)
        except YamlFault as fault:
            self._warn(line, f"holds an entry that {fault}")
            return
        if not isinstance(value, dict) or not isinstance(value.get("type"), str):
            self._warn(line, "holds a computed entry without a type")
            return
        props, needs = value.get("props"), value.get("dependencies")
        computed = {
            "type": value["type"],
            "props": props if isinstance(props, dict) else {},
            "dependencies": needs if isinstance(needs, dict) else {},
        }
        title = str(value.get("title") or computed_title(computed))
        self._add(Entry(title, line, computed=computed, end=_end(token)))

    def _add(self, entry: Entry) -> None:
        """Hang the entry on the nearest open bullet that has one; it becomes what its own bullet stands for."""
        parent = next((above for above in reversed(self._open[:-1]) if above), None)
        (parent.children if parent else self._current).append(entry)
        self._open[-1] = entry

    def _warn(self, line: int, text: str) -> None:
        self._warned.add(line)
        self.result.warnings.append((line, text))

    def _inlines(self, token: Token) -> list[Token]:
        return _INLINES.parseInline(token.content, self._definitions)[0].children or []


def _line(token: Token) -> int:
    return token.map[0] + 1 if token.map else 1


def _end(token: Token) -> int:
    return token.map[1] if token.map else 1


def _links(tokens: list[Token], line: int) -> tuple[list[Entry], str]:
    """The links of one bullet as entries, and the text that stands beside them."""
    entries: list[Entry] = []
    rest: list[str] = []
    inside: list[Token] | None = None
    for token in tokens:
        if token.type == "link_open":
            inside = []
            href, title = str(token.attrs.get("href", "")), token.attrs.get("title")
            entries.append(Entry("", line, href or None, str(title) if title else None))
        elif token.type == "link_close" and inside is not None:
            entries[-1].title = _plain(inside).strip()
            inside = None
        elif inside is not None:
            inside.append(token)
        else:
            rest.append(_plain([token]))
    return entries, "".join(rest)


def _plain(tokens: list[Token]) -> str:
    return "".join(_characters(tokens))


def _characters(tokens: list[Token]) -> Iterator[str]:
    for token in tokens:
        if token.type in ("softbreak", "hardbreak"):
            yield " "
        elif token.type != "html_inline":
            yield token.content
