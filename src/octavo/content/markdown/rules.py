"""The grammar: CommonMark with tables and strikethrough, and the rules that documentation adds to it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.ruler import RuleOptionsType
from markdown_it.rules_block import StateBlock
from markdown_it.rules_block.blockquote import blockquote
from markdown_it.rules_block.list import list_block
from markdown_it.rules_inline import StateInline, image, link
from mdit_py_plugins.footnote.index import footnote_def

from octavo.content.markdown.emoji import code_for
from octavo.content.markdown.html_lexer import html_rule
from octavo.content.markdown.quick import quicken
from octavo.content.markdown.tags import CONDITION, tag_rule

MOST_NESTED = 32
"""Levels of lists, quotes and their items; deeper ones are text."""

_BEFORE: RuleOptionsType = {"alt": ["paragraph", "reference", "blockquote", "list"]}
_EMOJI = re.compile(r":([a-zA-Z0-9_+-]+):")
_FOOTNOTE = re.compile(r"\[\^([^\s\[\]]+)\]")
_EXPRESSION = re.compile(r"""<code\s+class\s*=\s*["']expression["']\s*>""")

BlockRule = Callable[[StateBlock, int, int, bool], bool]
InlineRule = Callable[[StateInline, bool], bool]


class Grammar(MarkdownIt):
    """Addresses stay exactly as they are written: what is safe to show is for those who show it to decide."""

    def normalizeLink(self, url: str) -> str:
        return url

    def normalizeLinkText(self, link: str) -> str:
        return link

    def validateLink(self, url: str) -> bool:
        return True


def grammar() -> MarkdownIt:
    """The parser of the whole syntax; it keeps nothing between texts."""
    return quicken(plain_grammar())


def plain_grammar() -> MarkdownIt:
    """The same syntax in the loops of the library: what `quicken` has to agree with."""
    made = Grammar("commonmark", {"html": True, "maxNesting": 100}).enable(["table", "strikethrough"])
    block = made.block.ruler
    block.at("blockquote", _shallow(blockquote), {"alt": ["paragraph", "reference", "blockquote", "list"]})
    block.at("list", _shallow(list_block), {"alt": ["paragraph", "reference", "blockquote"]})
    block.at("html_block", html_rule, {"alt": ["paragraph", "reference", "blockquote"]})
    block.before("table", "tag", tag_rule, _BEFORE)
    block.after("tag", "math", _math_block, _BEFORE)
    block.before("reference", "footnote_def", _shallow(footnote_def), {"alt": ["paragraph", "reference"]})
    inline = made.inline.ruler
    inline.at("link", _ended(link))
    inline.at("image", _ended(image))
    inline.before("html_inline", "expression", _expression)
    inline.before("link", "footnote", _footnote)
    inline.after("escape", "math", _math)
    inline.after("math", "emoji", _emoji)
    inline.after("emoji", "condition", _condition)
    return made


def _shallow(rule: BlockRule) -> BlockRule:
    def bounded(state: StateBlock, start: int, end: int, silent: bool) -> bool:
        return state.level < MOST_NESTED and rule(state, start, end, silent)

    return bounded


def _ended(rule: InlineRule) -> InlineRule:
    """A label is not looked for where nothing ends one any more."""

    def bounded(state: StateInline, silent: bool) -> bool:
        return find(state, "]", state.pos) >= 0 and rule(state, silent)

    return bounded


def _math_block(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    first = state.bMarks[start] + state.tShift[start]
    if not state.src.startswith("$$", first) or state.is_code_block(start):
        return False
    if state.src[first : state.eMarks[start]].rstrip() != "$$":
        return False
    close = _closing_fence(state, start, end)
    if close is None:
        return False
    if silent:
        return True
    token = state.push("math_block", "", 0)
    token.content = state.getLines(start + 1, close, state.blkIndent, False).strip("\n")
    token.map = [start, close + 1]
    state.line = close + 1
    return True


def _closing_fence(state: StateBlock, start: int, end: int) -> int | None:
    # A line that no closing fence follows up to `end` is asked once only: the answer holds for those behind it too.
    place = (end, state.level)
    if state.env.get("open_math") == place:
        return None
    for line in range(start + 1, end):
        if state.sCount[line] < state.blkIndent and not state.isEmpty(line):
            return None
        if state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]].rstrip() == "$$":
            return line
    state.env["open_math"] = place
    return None


def find(state: StateInline, needle: str, start: int) -> int:
    """`str.find` that remembers what is not there, so that many openings without an end cost linear time."""
    seen: tuple[str, dict[str, int]] | None = state.env.get("absent")
    if seen is None or seen[0] is not state.src:
        seen = state.env["absent"] = (state.src, {})
    if start >= seen[1].get(needle, start + 1):
        return -1
    found = state.src.find(needle, start)
    if found < 0:
        seen[1][needle] = start
    return found


def _leaf(state: StateInline, silent: bool, type_: str, content: str, behind: int, markup: str = "") -> bool:
    if not silent:
        token = state.push(type_, "", 0)
        token.content = content
        token.markup = markup
    state.pos = behind
    return True


def _math(state: StateInline, silent: bool) -> bool:
    if not state.src.startswith("$$", state.pos):
        return False
    close = find(state, "$$", state.pos + 2)
    formula = state.src[state.pos + 2 : close] if close > 0 else ""
    formula = " ".join(line.strip() for line in formula.split("\n")).strip()
    return bool(formula) and _leaf(state, silent, "math_inline", formula, close + 2)


def _emoji(state: StateInline, silent: bool) -> bool:
    if state.src[state.pos] != ":":
        return False
    found = _EMOJI.match(state.src, state.pos)
    code = code_for(found[1]) if found else None
    if found is None or code is None:
        return False
    return _leaf(state, silent, "emoji", code, found.end(), found[0])


def _condition(state: StateInline, silent: bool) -> bool:
    found = CONDITION.match(state.src, state.pos)
    return found is not None and _leaf(state, silent, "condition", found[0], found.end(), found["name"])


def _footnote(state: StateInline, silent: bool) -> bool:
    if not state.src.startswith("[^", state.pos):
        return False
    found = _FOOTNOTE.match(state.src, state.pos)
    known: dict[str, Any] = state.env.get("footnotes", {}).get("refs", {})
    if found is None or f":{found[1]}" not in known:
        return False
    return _leaf(state, silent, "footnote", found[1], found.end(), found[0])


def _expression(state: StateInline, silent: bool) -> bool:
    if not state.src.startswith("<code", state.pos):
        return False
    opened = _EXPRESSION.match(state.src, state.pos)
    close = find(state, "</code>", opened.end()) if opened else -1
    if opened is None or close < 0:
        return False
    return _leaf(state, silent, "expression", state.src[opened.end() : close], close + len("</code>"))
