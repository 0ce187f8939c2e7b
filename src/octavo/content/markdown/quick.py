"""The loops of the Markdown parser, which ask a rule only where its first character stands: the same tokens, sooner.

The library tries every rule at every place. Most of them need a character of their own to begin with, so that a look at
that character spares the rest. What a rule does when it is asked is its own business, as before.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Literal

from markdown_it import MarkdownIt
from markdown_it.parser_block import ParserBlock, RuleFuncBlockType
from markdown_it.parser_inline import ParserInline, RuleFuncInlineType
from markdown_it.ruler import Rule, Ruler
from markdown_it.rules_block import StateBlock
from markdown_it.rules_core import StateCore, text_join
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from markdown_it.utils import EnvType

_BLOCK_STARTS = {
    "tag": "{",
    "math": "$",
    "fence": "`~",
    "blockquote": ">",
    "hr": "*-_",
    "list": "*-+0123456789",
    "footnote_def": "[",
    "reference": "[",
    "html_block": "<",
    "heading": "#",
}
"""Rule of blocks -> the characters that its first line may begin with; rules that are not here are asked for any."""

_INLINE_STARTS = {
    "newline": "\n",
    "escape": "\\",
    "math": "$",
    "emoji": ":",
    "condition": "{",
    "backticks": "`",
    "strikethrough": "~",
    "emphasis": "*_",
    "footnote": "[",
    "link": "[",
    "image": "!",
    "autolink": "<",
    "expression": "<",
    "html_inline": "<",
    "entity": "&",
}
"""Rule of inlines -> the characters that it may begin with: every rule but the one for text."""

_LABELS = 20
"""Brackets within brackets in which the end of a label is looked for; each further one is looked through so often."""

_DELIMITER_ROW = frozenset("|-:")
_TELLING = frozenset("".join(_BLOCK_STARTS.values())) | _DELIMITER_ROW | {"="}
"""What a line begins with that underlines a paragraph or may end it."""


class _Token(Token):
    """A token that takes half of the time to make: nothing is given that needs a look."""

    __slots__ = ()

    def __init__(self, type_: str, tag: str, nesting: Literal[-1, 0, 1]) -> None:
        self.type = type_
        self.tag = tag
        self.nesting = nesting
        self.attrs = {}
        self.map = None
        self.level = 0
        self.children = None
        self.content = ""
        self.markup = ""
        self.info = ""
        self.meta = {}
        self.block = False
        self.hidden = False


class _Blocks(StateBlock):
    def push(self, ttype: str, tag: str, nesting: Literal[-1, 0, 1]) -> Token:
        token = _Token(ttype, tag, nesting)
        token.block = True
        if nesting < 0:
            self.level -= 1
        token.level = self.level
        if nesting > 0:
            self.level += 1
        self.tokens.append(token)
        return token


class _Inlines(StateInline):
    def pushPending(self) -> Token:
        token = _Token("text", "", 0)
        token.content = self.pending
        token.level = self.pendingLevel
        self.tokens.append(token)
        self.pending = ""
        return token


def quicken(made: MarkdownIt) -> MarkdownIt:
    """The same grammar over quicker loops; its rules are complete and stay as they are from now on."""
    made.block = _BlockParser(made.block.ruler)
    made.inline = _InlineParser(made.inline)
    made.core.ruler.at("text_join", _join)
    return made


def _join(state: StateCore) -> None:
    # Only these two characters leave pieces of text behind that have to be put together.
    if "\\" in state.src or "&" in state.src:
        text_join(state)


class _BlockRuler(Ruler[RuleFuncBlockType]):
    """Gives each chain of rules as one, which asks those that the line's first character allows."""

    def __init__(self, rules: Iterable[Rule[RuleFuncBlockType]]) -> None:
        super().__init__()
        self.__rules__ = [rule for rule in rules if rule.enabled]
        chains = {"", *(name for rule in self.__rules__ for name in rule.alt)}
        self._asked = {
            chain: [_by_start([rule for rule in self.__rules__ if not chain or chain in rule.alt])] for chain in chains
        }

    def getRules(self, chainName: str = "") -> list[RuleFuncBlockType]:
        return self._asked[chainName]


def _by_start(rules: list[Rule[RuleFuncBlockType]]) -> RuleFuncBlockType:
    indented = [rule.fn for rule in rules]
    others = [rule for rule in rules if rule.name != "code"]
    anywhere = [rule.fn for rule in others if rule.name not in _BLOCK_STARTS]
    starts = {
        start: [rule.fn for rule in others if start in _BLOCK_STARTS.get(rule.name, start)]
        for start in "".join(_BLOCK_STARTS.values())
    }

    def ask(state: StateBlock, start: int, end: int, silent: bool) -> bool:
        if state.sCount[start] - state.blkIndent >= 4:
            able = indented
        else:
            first = state.bMarks[start] + state.tShift[start]
            able = starts.get(state.src[first : first + 1], anywhere)
        for rule in able:  # noqa: SIM110 - a generator for every line of every text costs more than the loop
            if rule(state, start, end, silent):
                return True
        return False

    return ask


class _BlockParser(ParserBlock):
    def __init__(self, ruler: Ruler[RuleFuncBlockType]) -> None:
        super().__init__()
        guards = {"table": _table, "lheading": _underlined}
        self.ruler = _BlockRuler(
            Rule(rule.name, rule.enabled, guards[rule.name](rule.fn) if rule.name in guards else rule.fn, rule.alt)
            for rule in ruler.__rules__
        )

    def parse(self, src: str, md: MarkdownIt, env: EnvType, outTokens: list[Token]) -> list[Token] | None:
        if not src:
            return None
        state = _Blocks(src, md, env, outTokens)
        self.tokenize(state, state.line, state.lineMax)
        return state.tokens


def _table(rule: RuleFuncBlockType) -> RuleFuncBlockType:
    """A table is looked for where a line with a bar stands over one that may divide head and body."""

    def guarded(state: StateBlock, start: int, end: int, silent: bool) -> bool:
        if start + 2 > end:
            return False
        below = state.bMarks[start + 1] + state.tShift[start + 1]
        if state.src[below : below + 1] not in _DELIMITER_ROW:
            return False
        first = state.bMarks[start] + state.tShift[start]
        return state.src.find("|", first, state.eMarks[start]) >= 0 and rule(state, start, end, silent)

    return guarded


def _underlined(rule: RuleFuncBlockType) -> RuleFuncBlockType:
    """A heading over a line of `---` or `===` is looked for where the paragraph has a line that is not plain words."""

    def guarded(state: StateBlock, start: int, end: int, silent: bool) -> bool:
        if state.is_code_block(start):
            return False
        for line in range(start + 1, end):
            first = state.bMarks[line] + state.tShift[line]
            if first >= state.eMarks[line]:
                break
            if state.src[first] in _TELLING:
                return rule(state, start, end, silent)
        state.parentType = "paragraph"  # the rule leaves it so when it finds nothing
        return False

    return guarded


class _InlineParser(ParserInline):
    def __init__(self, given: ParserInline) -> None:
        super().__init__()
        self.ruler, self.ruler2 = given.ruler, given.ruler2
        rules = [rule for rule in given.ruler.__rules__ if rule.enabled and rule.name != "text"]
        self._starts: dict[str, list[RuleFuncInlineType]] = {
            start: [rule.fn for rule in rules if start in _INLINE_STARTS[rule.name]]
            for start in "".join(_INLINE_STARTS[rule.name] for rule in rules)
        }
        active = re.escape("".join(self._starts))
        self._active = re.compile(f"[{active}]")
        self._stops = re.compile(rf"[{active}\]]")
        """Where a label may end as well."""

    def tokenize(self, state: StateInline) -> None:
        src, end, at = state.src, state.posMax, state.pos
        if state.level >= state.md.options["maxNesting"]:
            state.append_pending(src[at:end])
            state.pos = at = end
        while at < end:
            found = self._active.search(src, at, end)
            start = found.start() if found else end
            if start > at:
                state.append_pending(src[at:start])
            state.pos = start
            if found:
                self._ask(state, src[start])
            at = state.pos
        if state.pending:
            state.pushPending()

    def _ask(self, state: StateInline, start: str) -> None:
        for rule in self._starts[start]:
            if rule(state, False):
                return
        state.append_pending(start)
        state.pos += 1

    def skipToken(self, state: StateInline) -> None:
        at = state.pos
        known = state.cache.get(at)
        if known is not None:
            state.pos = known
            return
        if state.level >= _LABELS:
            state.pos = state.posMax + 1
        else:
            self._skip(state, at)
        state.cache[at] = state.pos

    def _skip(self, state: StateInline, at: int) -> None:
        rules = self._starts.get(state.src[at])
        if rules is not None:
            state.level += 1
            passed = any(rule(state, True) for rule in rules)
            state.level -= 1
            if not passed:
                state.pos += 1
            return
        found = self._stops.search(state.src, at + 1, state.posMax)
        state.pos = at + 1 if state.src[at] == "]" else found.start() if found else state.posMax

    def parse(self, src: str, md: MarkdownIt, env: EnvType, tokens: list[Token]) -> list[Token]:
        if not self._active.search(src):
            if src:
                tokens.append(_text(src))
            return tokens
        state = _Inlines(src, md, env, tokens)
        self.tokenize(state)
        if state.delimiters or any(meta and meta["delimiters"] for meta in state.tokens_meta):
            for rule in self.ruler2.getRules(""):
                rule(state)
        return state.tokens


def _text(content: str) -> Token:
    token = _Token("text", "", 0)
    token.content = content
    return token
