"""HTML within Markdown: single tags, and the block rule that says which lines are HTML.

Lexing only: which end belongs to which start is decided in `tree`. Differing from CommonMark, tables, figures and
preformatted text go on past blank lines to their end, and the text between the tags of a wrapper such as `<details>`
or `<div>` is Markdown as soon as it stands on lines of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape
from typing import Literal

from markdown_it.rules_block import StateBlock

Attributes = dict[str, str]

_TAG = re.compile(
    r"""<(?P<close>/?)(?P<name>[A-Za-z][A-Za-z0-9-]*)(?=[\s/>])"""
    r"""(?P<rest>(?:[^<>"']|"[^"]*"|'[^']*')*)>|<!--(?P<comment>)"""
)
_ATTRIBUTE = re.compile(r"""([^\s"'<>/=]+)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s"'=<>`]+))?""")
_LINE_START = re.compile(r"</?([A-Za-z][A-Za-z0-9-]*)(?=[\s/>]|$)")
_UNFINISHED = re.compile(r"""</?[A-Za-z][A-Za-z0-9-]*(?:\s(?:[^<>"']|"[^"]*"|'[^']*')*(?:"[^"]*|'[^']*)?)?$""")


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


VOID = frozenset(("img", "br", "hr", "source", "input", "meta", "link", "wbr", "col", "area", "base", "track", "param"))
INLINE = _names("""
    a abbr b bdi bdo br button cite code data del dfn em font i img input ins kbd label mark picture q s
    samp small source span strike strong sub sup time tt u var wbr
    """)
WHOLE = frozenset(
    ("table", "figure", "pre", "script", "style", "textarea", "svg", "video", "audio", "iframe", "object")
)
"""Elements whose text is HTML to the end, past blank lines."""
FLOW = _names("""
    address blockquote caption center dd dl dt figcaption h1 h2 h3 h4 h5 h6 legend li ol option p select
    summary tbody td tfoot th thead tr ul hr
    """)
"""Elements whose text is HTML up to a blank line."""
WRAPPERS = _names("""
    article aside details dialog div fieldset footer form header main nav section body html head
    """)
RAW = frozenset(("pre", "script", "style", "textarea"))
_BLOCK = WHOLE | FLOW | WRAPPERS
_MOST_LINES = 16


@dataclass(frozen=True, slots=True)
class Markup:
    """A piece of HTML text; `text` is set for text and for what `<pre>` and its like hold, [start, end) are offsets."""

    kind: Literal["open", "close", "void", "text", "raw"]
    name: str
    attributes: Attributes
    text: str
    start: int
    end: int


def attributes(rest: str) -> Attributes:
    """Names in lower case, values unescaped; a name alone has the value ""."""
    found: Attributes = {}
    for name, value in _ATTRIBUTE.findall(rest):
        if value[:1] in ('"', "'"):
            value = value[1:-1]
        found.setdefault(name.lower(), unescape(value))
    return found


def lex(text: str) -> Iterator[Markup]:
    """Tags and the text between them, in order; comments and the text of scripts are left out."""
    at = sought = 0
    ends: dict[str, int] = {}
    while (found := _TAG.search(text, sought)) is not None:
        start, end = found.start(), found.end()
        name = (found["name"] or "").lower()
        close = -1
        if found["comment"] is not None:
            end = _after(text, "-->", end, ends)
            if end < 0:
                sought = start + 4
                continue
        elif name in RAW and not found["close"]:
            close = _close_tag(text, name, end, ends)
        if start > at:
            yield Markup("text", "", {}, text[at:start], at, start)
        if close >= 0:
            behind = text.index(">", close) + 1
            if name == "pre":
                yield Markup("raw", name, attributes(found["rest"]), text[end:close], start, behind)
            end = behind
        elif name:
            kind: Literal["open", "close", "void"] = "close" if found["close"] else "void" if name in VOID else "open"
            if kind == "open" and found["rest"].endswith("/") and name not in _BLOCK:
                kind = "void"
            yield Markup(kind, name, attributes(found["rest"]), "", start, end)
        at = sought = end
    if at < len(text):
        yield Markup("text", "", {}, text[at:], at, len(text))


def _after(text: str, needle: str, start: int, ends: dict[str, int]) -> int:
    """The offset behind the needle, -1 where there is none; what is absent is looked for once."""
    if needle in ends:
        return -1
    found = text.find(needle, start)
    if found < 0:
        ends[needle] = -1
        return -1
    return found + len(needle)


def _close_tag(text: str, name: str, start: int, ends: dict[str, int]) -> int:
    if name in ends:
        return -1
    found = re.compile(rf"</{name}\s*>", re.IGNORECASE).search(text, start)
    if found is None:
        ends[name] = -1
        return -1
    return found.start()


def html_rule(state: StateBlock, start_line: int, end_line: int, silent: bool) -> bool:
    """The block rule: an `html_block` token for whole lines of HTML."""
    first = state.bMarks[start_line] + state.tShift[start_line]
    last = state.eMarks[start_line]
    if not state.src.startswith("<", first) or state.is_code_block(start_line):
        return False
    line = state.src[first:last]
    if line.startswith("<!--"):
        behind = _comment_end(state, start_line, end_line)
    elif starts_block(line, interrupts=silent):
        behind = start_line if silent else _html_end(state, start_line, end_line)
    else:
        behind = None
    if behind is None:
        return False
    if not silent:
        token = state.push("html_block", "", 0)
        token.content = state.getLines(start_line, behind, state.blkIndent, True)
        token.map = [start_line, behind]
        state.line = behind
    return True


def starts_block(line: str, *, interrupts: bool) -> bool:
    found = _LINE_START.match(line)
    if found is None:
        return False
    name = found[1].lower()
    if name in _BLOCK:
        return True
    if interrupts or name in INLINE:
        return False
    tag = _TAG.match(line)
    return tag is not None and not line[tag.end() :].strip()


def _comment_end(state: StateBlock, start: int, end: int) -> int | None:
    if state.env.get("open_comment") == (end, state.level):
        return None
    for line in range(start, end):
        if state.sCount[line] < state.blkIndent and not state.isEmpty(line):
            return None
        text = state.src[state.bMarks[line] : state.eMarks[line]]
        if text.find("-->", text.index("<!--") + 4 if line == start else 0) >= 0:
            return line + 1
    state.env["open_comment"] = (end, state.level)
    return None


class OpenElements:
    """Which elements are open, line by line; `barren` are names whose end is known not to come."""

    def __init__(self, barren: set[str]) -> None:
        self.whole: set[str] = set()
        self.flow: dict[str, int] = {}
        self._barren = barren
        self._pending = ""
        self._pending_lines = 0

    def feed(self, line: str) -> None:
        text = self._pending + line
        self._pending_lines += 1
        if self._pending_lines < _MOST_LINES and _UNFINISHED.search(text, max(0, text.rfind("<"))):
            self._pending = text + "\n"
            return
        self._pending, self._pending_lines = "", 0
        for tag in _TAG.finditer(text):
            name = (tag["name"] or "").lower()
            if name in WHOLE and name not in self._barren:
                (self.whole.discard if tag["close"] else self.whole.add)(name)
            elif name in FLOW and name not in VOID:
                self.flow[name] = max(0, self.flow.get(name, 0) + (-1 if tag["close"] else 1))

    @property
    def finished(self) -> bool:
        return not (self.whole or self._pending or any(self.flow.values()))


def _html_end(state: StateBlock, start: int, end: int) -> int:
    """The line behind the HTML that starts at `start`."""
    barren: dict[str, int] = state.env.setdefault("barren_html", {})
    opened = OpenElements({name for name, behind in barren.items() if start < behind})
    blank = None
    line = start
    while line < end and (state.isEmpty(line) or state.sCount[line] >= state.blkIndent):
        if state.isEmpty(line):
            blank = line if blank is None else blank
            if not opened.whole:
                return line
        else:
            opened.feed(state.src[state.bMarks[line] : state.eMarks[line]])
            if opened.finished:
                return line + 1
        line += 1
    # Nothing in [start, line) ends these elements: no later start in there needs to look again.
    barren.update(dict.fromkeys(opened.whole, line))
    return blank or line
