"""Where the blocks of a text may be cut apart, found without parsing them: what is not certain raises Unsure.

A cut is a place at which the parser has no block, element or tag open, whatever stands before it and behind it: the text
read in pieces is then the text read as a whole. Only lines that are certain to begin a block are cuts. What reaches over
the whole text, definitions of references and footnotes, elements that nothing ends, leaves nothing to be cut.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

from octavo.content.markdown.html_lexer import FLOW, RAW, VOID, WHOLE, WRAPPERS, OpenElements, lex, starts_block
from octavo.content.markdown.tags import ITEMS, Tag, read_line
from octavo.content.markdown.tags import VOID as VOID_TAGS
from octavo.content.markdown.tree import Piece, pair

_HEADING = re.compile(r"#{1,6}(?:[ \t]|$)")
_FENCE = re.compile(r"(`{3,})[^`]*$|(~{3,})")
_RULE = re.compile(r"([-*_])[ \t]*(?:\1[ \t]*){2,}$")
_ITEM = re.compile(r"(?:([-+*])|(\d{1,9})([.)]))(?:( {1,4})(?=[^ \t])|(?=[ \t]|$))")
_UNDERLINE = re.compile(r"^[ \t]*=", re.MULTILINE)
_DELIMITERS = re.compile(r"[-:|][-:| \t]*$")
_STRUCTURE = re.compile(
    rf"</?(?:{'|'.join(sorted((FLOW | WHOLE | WRAPPERS) - VOID - RAW))})(?=[\s/>]|$)", re.IGNORECASE
)
_NEVER: Final = 1 << 30
_MOST_CELLS: Final = 1 << 16
"""Cells that the parser adds to the short rows of one table; it ends the table behind them."""
_SINGLE: Final = frozenset(("hint", "if"))
"""Tags that are one block together with everything up to their end."""


class Unsure(Exception):
    """The text has to be read as a whole."""


@dataclass(slots=True)
class Chunk:
    """A piece of the text between two cuts, and how many blocks it is; None where only reading it would say."""

    start: int
    sort: str
    count: int | None = None
    mark: str = ""
    """Of a list the character that its items begin with."""
    lines: int = 1
    first: int = 0
    """Of tags the number of the first one."""


@dataclass
class Outline:
    """A text cut apart: `title` is the line of its title, [start, end), and `chunks` are all that follows it."""

    source: str
    title: tuple[int, int] | None
    chunks: list[Chunk]
    pieces: list[Piece]
    """Tags and elements outside of lists, quotes and code, in the order of the text."""
    ends: dict[int, int]
    """Which of them belong together; see `tree.pair`."""

    def text(self, at: int) -> str:
        return self.source[self.chunks[at].start : self.behind(at)]

    def behind(self, at: int) -> int:
        return self.chunks[at + 1].start if at + 1 < len(self.chunks) else len(self.source)


def outline(source: str, body: int) -> Outline:
    """Cut a text apart behind its front matter, which ends at `body`."""
    if "\r" in source or "\0" in source:
        raise Unsure
    scan = _Scan(source, body)
    scan.read()
    ends = pair(scan.pieces)
    return Outline(source, scan.title, _closed(scan, ends), scan.pieces, ends)


@dataclass
class _Scan:
    """One walk over the lines of a text, as far as blocks at its top level go."""

    source: str
    body: int
    title: tuple[int, int] | None = None
    chunks: list[Chunk] = field(default_factory=list)
    pieces: list[Piece] = field(default_factory=list)
    context: str = "clean"
    """What a line may continue: clean (nothing), text, list, quote, code or text; unsure where it may be any of them."""
    blank: bool = True
    """Whether the line before is blank."""
    offset: int = _NEVER
    """Where the text of the list's last item begins: lines that are indented as far are certain to be the item's."""

    loose: bool = False
    """Whether the last block is HTML: text at its end and text at the beginning of further HTML are one paragraph."""

    def read(self) -> None:
        self._lines = self.source[self.body :].split("\n")
        self._at, self._place = 0, self.body
        self.chunks.append(Chunk(self.body, "blank", 0))
        self._read_title()
        while self._at < len(self._lines):
            line = self._lines[self._at]
            first = line[:1]
            if not line.strip(" \t"):
                self.blank = True
                self._step()
                continue
            if "]:" in line:
                raise Unsure
            if first in " \t":
                self._indented(line)
                self._step()
            else:
                _KINDS.get(first, _Scan._other)(self, line)
            self.blank = False

    def _step(self, lines: int = 1) -> None:
        for line in self._lines[self._at : self._at + lines]:
            self._place += len(line) + 1
        self._at += lines

    def _read_title(self) -> None:
        """The title is the first heading of level 1 where no block stands before it."""
        at = next((at for at, line in enumerate(self._lines) if line.strip(" \t")), None)
        if at is None:
            return
        line = self._lines[at]
        if line[0] in " \t<[" or _UNDERLINE.search(self.source, self.body):
            raise Unsure
        if line.startswith("#") and _HEADING.match(line) and line[1:2] != "#":
            self._step(at)
            self.title = (self._place, self._place + len(line))
            self._step()
            self.chunks = [Chunk(min(self._place, len(self.source)), "blank", 0)]

    @property
    def _fresh(self) -> bool:
        return self.blank or self.context == "clean"

    def _cut(self, sort: str, count: int | None, **more: object) -> None:
        self.chunks.append(Chunk(self._place, sort, count, **more))  # type: ignore[arg-type]

    def _clean(self) -> None:
        self.context, self.offset, self.loose = "clean", _NEVER, False

    def _unknown(self) -> None:
        """The chunk at hand holds more than was certain."""
        self.chunks[-1].count, self.chunks[-1].sort = None, "some"

    def _indented(self, line: str) -> None:
        indent = len(line) - len(line.lstrip(" "))
        if indent >= self.offset:
            return
        self._unknown()
        self._plain(line)
        self.loose = False
        inner = line.lstrip(" ")
        if self.context in ("list", "unsure") or (indent <= 3 and inner[0] in ">-+*0123456789"):
            self.context = "unsure"
        elif self._fresh:
            self.context = "code"
        self.offset = _NEVER
        if indent <= 3 and (inner[0] in "#`~<$" or inner.startswith("{%")):
            # In an item or outside of it: what it opens is not the same.
            raise Unsure

    def _plain(self, line: str) -> None:
        """A line of text: elements in it that cut a paragraph apart are not looked for."""
        if "<" in line and _STRUCTURE.search(line):
            raise Unsure

    def _heading(self, line: str) -> None:
        if not _HEADING.match(line):
            self._other(line)
            return
        self._cut("heading", 1)
        self._step()
        self.chunks.append(Chunk(min(self._place, len(self.source)), "blank", 0))
        self._clean()

    def _fence(self, line: str) -> None:
        found = _FENCE.match(line)
        if found is None:
            self._other(line)
            return
        mark = found[1] or found[2]
        close = re.compile(rf" {{0,3}}{mark}{mark[0]}*[ \t]*$")
        end = self._at + 1
        while end < len(self._lines) and not close.match(self._lines[end]):
            end += 1
        self._cut("fence", 1)
        self._step(end + 1 - self._at)
        self._clean()

    def _math(self, line: str) -> None:
        if line.rstrip() != "$$":
            self._other(line)
            return
        if not (self._fresh or self.context == "text"):
            raise Unsure
        close = next(
            (at for at in range(self._at + 1, len(self._lines)) if self._lines[at].lstrip(" \t").rstrip() == "$$"), None
        )
        if close is None:
            raise Unsure
        self._cut("math", 1)
        self._step(close + 1 - self._at)
        self._clean()

    def _tag(self, line: str) -> None:
        parts = read_line(line) if line.startswith("{%") else None
        if parts is None:
            if line.startswith("{%") and "%}" not in line:
                # It may go on over several lines.
                raise Unsure
            self._other(line)
            return
        alone = len(parts) == 1
        self._cut("tag", None, first=len(self.pieces), mark="alone" if alone else "")
        for part in parts:
            if isinstance(part, Tag):
                kind = "close" if part.closes else "open"
                self.pieces.append(Piece(kind, "%" + part.name, start=self._place))  # type: ignore[arg-type]
            else:
                self._plain(part.text)
        self._step()
        self._clean()

    def _html(self, line: str) -> None:
        if line.startswith("<!--"):
            end = self._comment_end()
        elif starts_block(line, interrupts=not self._fresh):
            end = self._html_end()
        else:
            if self.context in ("code", "unsure") and starts_block(line, interrupts=False):
                raise Unsure
            self._other(line)
            return
        if self._fresh and not self.loose:
            self._cut("html", None)
        else:
            self._unknown()
        content = "\n".join([*self._lines[self._at : end], ""])
        self.pieces += [Piece(one.kind, one.name, start=self._place) for one in lex(content) if one.name]
        self._step(end - self._at)
        self._clean()
        self.loose = True

    def _comment_end(self) -> int:
        if not (self._fresh or self.context == "text"):
            raise Unsure
        for at in range(self._at, len(self._lines)):
            if self._lines[at].find("-->", 4 if at == self._at else 0) >= 0:
                return at + 1
        raise Unsure

    def _html_end(self) -> int:
        """See `html_lexer`: the line behind the HTML that starts here."""
        opened = OpenElements(set())
        blank = None
        for at in range(self._at, len(self._lines)):
            line = self._lines[at]
            if "]:" in line:
                raise Unsure
            if not line.strip(" \t"):
                blank = at if blank is None else blank
                if not opened.whole:
                    return at
                continue
            opened.feed(line)
            if opened.finished:
                return at + 1
        if opened.whole:
            # What follows is read otherwise where it is known that they do not end.
            raise Unsure
        return len(self._lines) if blank is None else blank

    def _quote(self, line: str) -> None:
        if self._fresh:
            self._cut("some", None)
        else:
            self._unknown()
        self.context, self.offset, self.loose = "quote", _NEVER, False
        self._step()

    def _item(self, line: str) -> None:
        if _RULE.match(line):
            if self._fresh:
                # Behind a list too: a rule ends it.
                self._cut("rule", 1)
                self._clean()
            else:
                # It may make a heading or a table of the line before.
                self._unknown()
                self.context, self.offset = "unsure", _NEVER
            self._step()
            return
        found = _ITEM.match(line)
        if found is None:
            self._other(line)
            return
        if not self._fresh and self.context != "list" and (not found[4] or (found[2] and int(found[2]) != 1)):
            # It does not interrupt a paragraph; whether there is one is another question.
            self._unknown()
            self._plain(line)
            self.context, self.offset = "unsure", _NEVER
            self._step()
            return
        mark = found[1] or found[3]
        chunk = self.chunks[-1]
        if self.context not in ("list", "unsure") and self._fresh:
            self._cut("list", 1, mark=mark)
        elif chunk.sort != "list" or chunk.mark != mark:
            self._unknown()
        if not found[4]:
            self._unknown()
        self.context, self.offset, self.loose = "list", found.end() if found[4] else _NEVER, False
        self._step()

    def _other(self, line: str) -> None:
        """Text: a paragraph, or a row of a table."""
        self._plain(line)
        first, chunk = line[0], self.chunks[-1]
        # A letter or digit is text whatever follows: the paragraph is not empty, and no image alone.
        certain = line.lstrip("*_")[:1].isalnum()
        if self._fresh and not first.isspace():
            self._cut(*(("text", 1) if certain else ("table", 1) if first == "|" else ("some", None)))
        elif chunk.sort == "table":
            chunk.lines += 1
            size = chunk.lines * (self._place + len(line) - chunk.start)
            delimits = _DELIMITERS.match(line) is not None
            if first != "|" or delimits != (chunk.lines == 2) or size > _MOST_CELLS or self.blank:
                self._unknown()
        elif chunk.sort != "text" or self.blank or not certain:
            self._unknown()
        if self._fresh or self.context == "code":
            self.context, self.offset = "text", _NEVER
        elif self.context == "list":
            # It goes on with a paragraph of the item, or ends the item where that ends with another block.
            self.context, self.offset = "unsure", _NEVER
        self.loose = False
        self._step()


_KINDS = {
    "#": _Scan._heading, "`": _Scan._fence, "~": _Scan._fence, "$": _Scan._math, "{": _Scan._tag, "<": _Scan._html,
    ">": _Scan._quote, **dict.fromkeys("-+*_0123456789", _Scan._item),
}  # fmt: skip


def _closed(scan: _Scan, ends: dict[int, int]) -> list[Chunk]:
    """The chunks that do not lie within an element or a tag; what a cut one began goes to the one before."""
    inside = [(scan.pieces[start].start, scan.pieces[end].start) for start, end in ends.items()]
    made: list[Chunk] = []
    reached = -1
    spans = iter(sorted(inside))
    following = next(spans, None)
    for at, chunk in enumerate(scan.chunks):
        while following is not None and following[0] < chunk.start:
            reached = max(reached, following[1])
            following = next(spans, None)
        if chunk.start <= reached:
            made[-1].count = made[-1].count if made[-1].sort == "tag" else None
            continue
        if chunk.sort == "tag":
            chunk.count = _tags(scan, ends, at)
        made.append(chunk)
    return made


def _tags(scan: _Scan, ends: dict[int, int], at: int) -> int | None:
    """How many blocks begin with the tag that stands alone on a line."""
    chunk = scan.chunks[at]
    name = scan.pieces[chunk.first].name[1:]
    if chunk.mark != "alone" or scan.pieces[chunk.first].kind != "open":
        return None
    if chunk.first not in ends:
        return 1 if chunk.sort == "tag" and (name in VOID_TAGS or name[0] == "@") else None
    last = _tag_chunk(scan, at, ends[chunk.first])
    if last is None:
        return None
    return 1 if name in _SINGLE or _only_items(scan, ends, at, last, name) else None


def _tag_chunk(scan: _Scan, behind: int, piece: int) -> int | None:
    """The number of the chunk that is nothing but a tag on a line."""
    for at in range(behind + 1, len(scan.chunks)):
        chunk = scan.chunks[at]
        if chunk.sort == "tag" and chunk.first == piece:
            return at if chunk.mark == "alone" else None
    return None


def _only_items(scan: _Scan, ends: dict[int, int], first: int, last: int, group: str) -> bool:
    """Whether a group of tabs, steps, columns or updates has nothing in it beside its items."""
    at = first + 1
    while at < last:
        piece = scan.chunks[at].first
        if scan.chunks[at].sort != "tag" or piece not in ends or ITEMS.get(scan.pieces[piece].name[1:]) != group:
            return False
        end = _tag_chunk(scan, at, ends[piece])
        if end is None:
            return False
        at = end + 1
    return True
