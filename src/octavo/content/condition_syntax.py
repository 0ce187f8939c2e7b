"""The syntax of conditions: one JavaScript expression becomes a small tree, or a `SyntaxFault` says why not."""

from __future__ import annotations

import re
from typing import Any, Final

import msgspec

from octavo.content.condition_values import UNDEFINED, numeral

LONGEST_SOURCE: Final = 10_000
DEEPEST: Final = 60


class SyntaxFault(ValueError):
    """What is wrong with the text of a condition, as a sentence."""


class Literal(msgspec.Struct, frozen=True):
    value: Any


class Name(msgspec.Struct, frozen=True):
    name: str


class Member(msgspec.Struct, frozen=True):
    """`of.key` or `of[key]`."""

    of: Syntax
    key: Syntax


class Call(msgspec.Struct, frozen=True):
    callee: Syntax
    arguments: tuple[Syntax, ...]


class Arrow(msgspec.Struct, frozen=True):
    parameters: tuple[str, ...]
    body: Syntax


class Unary(msgspec.Struct, frozen=True):
    operator: str
    operand: Syntax


class Binary(msgspec.Struct, frozen=True):
    operator: str
    left: Syntax
    right: Syntax


class Logical(msgspec.Struct, frozen=True):
    """A chain of one of `&&`, `||` and `??`, however long, is one node."""

    operator: str
    operands: tuple[Syntax, ...]


class Choice(msgspec.Struct, frozen=True):
    test: Syntax
    then: Syntax
    otherwise: Syntax


class Sequence(msgspec.Struct, frozen=True):
    """What commas join: each is evaluated, the last one is the value."""

    items: tuple[Syntax, ...]


class Array(msgspec.Struct, frozen=True):
    items: tuple[Syntax, ...]


class Object(msgspec.Struct, frozen=True):
    items: tuple[tuple[str, Syntax], ...]


class Template(msgspec.Struct, frozen=True):
    """A template literal: strings and expressions in turn."""

    parts: tuple[str | Syntax, ...]


Syntax = (
    Literal | Name | Member | Call | Arrow | Unary | Binary | Logical | Choice | Sequence | Array | Object | Template
)

_BLANK = re.compile(r"(?:\s+|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_DIGITS = r"\d+(?:_\d+)*"
_NUMBER = re.compile(
    r"0[xX][0-9a-fA-F]+(?:_[0-9a-fA-F]+)*|0[oO][0-7]+(?:_[0-7]+)*|0[bB][01]+(?:_[01]+)*|"
    rf"(?:{_DIGITS}(?:\.(?:{_DIGITS})?)?|\.{_DIGITS})(?:[eE][+-]?{_DIGITS})?",
    re.ASCII,
)
_WORD = re.compile(r"(?:[^\W\d]|\$)[\w$]*")
_SIGN = re.compile(
    r"===|!==|\*\*=?|>>>=?|<<=?|>>=?|=>|==|!=|<=|>=|&&=?|\|\|=?|\?\?=?|\?\.(?!\d)|\+\+|--|\.\.\.|[-+*/%&|^]=|"
    r"[-+*/%<>=!?:.,;()\[\]{}&|^~]"
)
_ARROW = re.compile(r"\(\s*((?:[^\W\d]|\$)[\w$]*(?:\s*,\s*(?:[^\W\d]|\$)[\w$]*)*)?\s*\)\s*=>")
_QUOTED = {'"': re.compile(r'"((?:[^"\\\n]|\\.)*)"', re.DOTALL), "'": re.compile(r"'((?:[^'\\\n]|\\.)*)'", re.DOTALL)}
_TEXT = re.compile(r"(?:[^`\\$]|\\.|\$(?!\{))*", re.DOTALL)
_ESCAPE = re.compile(r"\\(?:u\{([0-9a-fA-F]{1,6})\}|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(\r\n|.))", re.DOTALL)
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0", "\n": "", "\r\n": ""}

_WORDS: Final[dict[str, Any]] = {"true": True, "false": False, "null": None, "undefined": UNDEFINED, "this": UNDEFINED}
# fmt: off
_RESERVED = frozenset((
    "async", "await", "class", "const", "delete", "do", "else", "for", "function", "if", "import", "in", "instanceof",
    "let", "new", "return", "super", "switch", "throw", "try", "var", "void", "while", "yield",
))
_POWER: Final = {
    "??": 2, "||": 3, "&&": 4,
    "|": 5, "^": 6, "&": 7,
    "==": 8, "!=": 8, "===": 8, "!==": 8,
    "<": 9, "<=": 9, ">": 9, ">=": 9, "in": 9,
    "<<": 10, ">>": 10, ">>>": 10,
    "+": 11, "-": 11, "*": 12, "/": 12, "%": 12, "**": 14,
}
# fmt: on
_CHOICE, _UNARY, _POSTFIX = 1, 13, 15


def parse(source: str) -> Syntax:
    """The tree of one expression; raises SyntaxFault. Blank text is the condition that always holds."""
    if len(source) > LONGEST_SOURCE:
        raise SyntaxFault(f"The condition is longer than {LONGEST_SOURCE} characters.")
    tree = _Parser(source).whole()
    level, depth = [tree], 0
    while level:
        level, depth = [part for each in level for part in parts(each)], depth + 1
        if depth > 2 * DEEPEST:
            raise SyntaxFault("The condition chains too many operators.")
    return tree


def parts(tree: Syntax) -> list[Syntax]:
    """What a tree consists of."""
    match tree:
        case Member():
            return [tree.of, tree.key]
        case Call():
            return [tree.callee, *tree.arguments]
        case Arrow():
            return [tree.body]
        case Unary():
            return [tree.operand]
        case Binary():
            return [tree.left, tree.right]
        case Logical():
            return list(tree.operands)
        case Choice():
            return [tree.test, tree.then, tree.otherwise]
        case Sequence() | Array():
            return list(tree.items)
        case Object():
            return [item for _, item in tree.items]
        case Template():
            return [part for part in tree.parts if not isinstance(part, str)]
        case Literal() | Name():
            return []


class _Parser:
    def __init__(self, source: str) -> None:
        self.source = source
        self.at = 0
        self.start = 0
        self.kind = self.token = ""
        self.depth = 0
        self.bracketed: dict[int, Syntax] = {}
        self.advance()

    def whole(self) -> Syntax:
        if self.kind == "end":
            return Literal(True)
        tree = self.sequence()
        self.skip(";")
        if self.kind != "end":
            raise self.unexpected()
        return tree

    def advance(self) -> None:
        """Read the next token into `kind` and `token`."""
        blank = _BLANK.match(self.source, self.at)
        self.start = self.at = blank.end() if blank else self.at
        if self.at == len(self.source):
            self.kind, self.token = "end", ""
            return
        first = self.source[self.at]
        if first in _QUOTED:
            found, self.kind = _QUOTED[first].match(self.source, self.at), "string"
        elif first == "`":
            self.kind, self.token, self.at = "template", first, self.at + 1
            return
        else:
            found, self.kind = _NUMBER.match(self.source, self.at), "number"
            if found and _WORD.match(self.source, found.end()):
                found = None
            elif not found:
                found, self.kind = _WORD.match(self.source, self.at), "word"
            if not found:
                found, self.kind = _SIGN.match(self.source, self.at), "sign"
        if not found:
            raise SyntaxFault(f"Character {self.at + 1} ({first}) starts nothing that a condition can hold.")
        self.token, self.at = found[0], found.end()

    def unexpected(self) -> SyntaxFault:
        if self.kind == "end":
            return SyntaxFault("The condition ends too early.")
        return SyntaxFault(f"{self.token[:40]} is not expected at character {self.start + 1}.")

    def skip(self, sign: str) -> bool:
        if self.token != sign or self.kind != "sign":
            return False
        self.advance()
        return True

    def expect(self, sign: str) -> None:
        if not self.skip(sign):
            raise self.unexpected()

    def expression(self, power: int) -> Syntax:
        """Read an operand and every operator that binds tighter than `power`."""
        self.depth += 1
        if self.depth > DEEPEST:
            raise SyntaxFault("The condition is nested too deeply.")
        left = self.operand()
        while (strength := self.strength()) > power:
            left = self.operation(left, strength)
        self.depth -= 1
        return left

    def sequence(self) -> Syntax:
        """Read one expression, or several that commas join."""
        found = [self.expression(0)]
        while self.skip(","):
            found.append(self.expression(0))
        return found[0] if len(found) == 1 else Sequence(tuple(found))

    def strength(self) -> int:
        """How tightly the token at hand binds to the operand before it; 0 where it is no operator."""
        if self.kind == "word":
            return _POWER[self.token] if self.token == "in" else 0
        if self.kind != "sign":
            return 0
        if self.token in {".", "[", "("}:
            return _POSTFIX
        return _CHOICE if self.token == "?" else _POWER.get(self.token, 0)

    def operation(self, left: Syntax, strength: int) -> Syntax:
        operator = self.token
        self.advance()
        if operator in {".", "[", "("}:
            return self.postfix(left, operator)
        if operator == "?":
            then = self.expression(0)
            self.expect(":")
            return Choice(left, then, self.expression(0))
        if operator == "**":
            return Binary(operator, left, self.expression(strength - 1))
        right = self.expression(strength)
        if strength > _POWER["&&"]:
            return Binary(operator, left, right)
        return self.chain(operator, left, right)

    def chain(self, operator: str, left: Syntax, right: Syntax) -> Logical:
        sides = [side for side in (left, right) if isinstance(side, Logical) and id(side) not in self.bracketed]
        if any(side.operator != operator and "??" in {side.operator, operator} for side in sides):
            raise SyntaxFault("?? beside && or || needs brackets.")
        if isinstance(left, Logical) and left.operator == operator:
            return Logical(operator, (*left.operands, right))
        return Logical(operator, (left, right))

    def postfix(self, left: Syntax, operator: str) -> Syntax:
        if operator == "(":
            return Call(left, self.items(")"))
        if operator == "[":
            key = self.sequence()
            self.expect("]")
            return Member(left, key)
        if self.kind != "word":
            raise self.unexpected()
        name = self.token
        self.advance()
        return Member(left, Literal(name))

    def operand(self) -> Syntax:
        kind, token = self.kind, self.token
        if kind == "template":
            return self.template()
        if kind == "sign":
            return self.sign(token)
        if kind == "end" or (token in _RESERVED and token != "void"):
            raise self.unexpected()
        self.advance()
        if kind == "number":
            return Literal(numeral(token.replace("_", "")))
        if kind == "string":
            return Literal(_unescape(token[1:-1]))
        if token in {"typeof", "void"}:
            return self.unary(token)
        if self.skip("=>"):
            return Arrow((token,), self.body())
        return Literal(_WORDS[token]) if token in _WORDS else Name(token)

    def sign(self, token: str) -> Syntax:
        if token == "/":
            raise SyntaxFault("Regular expressions cannot be used in a condition.")
        if token == "(":
            return self.brackets()
        if token not in {"[", "{", "!", "-", "+", "~"}:
            raise self.unexpected()
        self.advance()
        if token == "[":
            return Array(self.items("]"))
        return self.object() if token == "{" else self.unary(token)

    def unary(self, operator: str) -> Unary:
        operand = self.expression(_UNARY)
        if isinstance(operand, Binary) and id(operand) not in self.bracketed:
            raise SyntaxFault(f"{operator} before the base of ** needs brackets.")
        return Unary(operator, operand)

    def brackets(self) -> Syntax:
        if found := _ARROW.match(self.source, self.start):
            self.at = found.end()
            self.advance()
            return Arrow(tuple(name.strip() for name in found[1].split(",")) if found[1] else (), self.body())
        self.advance()
        inner = self.sequence()
        self.expect(")")
        self.bracketed[id(inner)] = inner
        return inner

    def body(self) -> Syntax:
        if self.token == "{" and self.kind == "sign":
            raise SyntaxFault("The body of an arrow function must be one expression.")
        return self.expression(0)

    def items(self, closing: str) -> tuple[Syntax, ...]:
        found: list[Syntax] = []
        while not self.skip(closing):
            found.append(self.expression(0))
            if not self.skip(","):
                self.expect(closing)
                break
        return tuple(found)

    def object(self) -> Object:
        found: list[tuple[str, Syntax]] = []
        while not self.skip("}"):
            if self.kind not in {"word", "string", "number"}:
                raise self.unexpected()
            name = _unescape(self.token[1:-1]) if self.kind == "string" else self.token
            shorthand = self.kind == "word" and name not in _WORDS
            self.advance()
            if self.skip(":"):
                found.append((name, self.expression(0)))
            elif shorthand:
                found.append((name, Name(name)))
            else:
                raise self.unexpected()
            if not self.skip(","):
                self.expect("}")
                break
        return Object(tuple(found))

    def template(self) -> Syntax:
        parts: list[str | Syntax] = []
        while True:
            found = _TEXT.match(self.source, self.at)
            self.at = found.end() if found else self.at
            if found and found[0]:
                parts.append(_unescape(found[0]))
            if self.source.startswith("${", self.at):
                self.at += 2
                self.advance()
                parts.append(self.sequence())
                if self.token != "}" or self.kind != "sign":
                    raise self.unexpected()
            elif self.source.startswith("`", self.at):
                self.at += 1
                self.advance()
                return Template(tuple(parts))
            else:
                raise SyntaxFault("A template literal is not closed.")


def _unescape(raw: str) -> str:
    if "\\" not in raw:
        return raw
    text = _ESCAPE.sub(_escaped, raw)
    # Two escapes of a surrogate pair are one character.
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _escaped(found: re.Match[str]) -> str:
    if code := found[1] or found[2] or found[3]:
        if int(code, 16) > 0x10FFFF:
            raise SyntaxFault(f"There is no character {code}.")
        return chr(int(code, 16))
    return _ESCAPED.get(found[4], found[4])
