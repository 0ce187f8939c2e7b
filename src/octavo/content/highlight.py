"""Syntax highlighting: code to lines of pieces with the short class names of Pygments, also as HTML."""

from __future__ import annotations

from functools import lru_cache
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pygments.lexer import Lexer

LENGTH = 40_000
"""Characters of the longest code that is highlighted; longer code is plain."""

WIDTH = 1_000
"""Characters of the longest line in highlighted code: some lexers take time by the square of it."""

_PLAIN = frozenset({"", "text", "plain", "plaintext", "txt", "none"})


def highlight(syntax: str, code: str) -> list[str]:
    """One complete HTML fragment for each line of the code, without line ends; plain for an unknown syntax."""
    return ["".join(_marked(class_, piece) for class_, piece in line) for line in tokens(syntax, code)]


def tokens(syntax: str, code: str) -> list[list[tuple[str, str]]]:
    """For each line of the code its pieces, each with its class; "" is plain, as all is for an unknown syntax."""
    lexer = _lexer(syntax.strip().lower()[:40])
    written = code.split("\n")
    plain = [[("", line)] for line in written]
    if lexer is None or len(code) > LENGTH or max(map(len, written)) > WIDTH:
        return plain
    # The unprocessed tokens keep every character where it stands; the others have line ends made alike.
    # Some know a line by the break at its end, which the last one has not.
    found = [(kind, text) for _, kind, text in lexer.get_tokens_unprocessed(code + "\n")]
    if "".join(text for _, text in found) != code + "\n":
        return plain
    lines: list[list[tuple[str, str]]] = [[]]
    for kind, text in found:
        class_ = _class(kind)
        for number, piece in enumerate(text.split("\n")):
            if number:
                lines.append([])
            if piece:
                lines[-1].append((class_, piece))
    return lines[:-1]


def _marked(class_: str, piece: str) -> str:
    shown = escape(piece)
    return f'<span class="{class_}">{shown}</span>' if class_ else shown


@lru_cache(maxsize=256)
def _lexer(syntax: str) -> Lexer | None:
    if syntax in _PLAIN:
        return None
    try:
        from pygments.lexers import get_lexer_by_name

        return get_lexer_by_name(syntax, stripnl=False, ensurenl=False)
    except ValueError:  # the base of pygments.util.ClassNotFound
        return None


@lru_cache(maxsize=512)
def _class(kind: object) -> str:
    at = kind
    from pygments.token import STANDARD_TYPES, Token

    while at not in STANDARD_TYPES and at is not Token:
        at = getattr(at, "parent", Token)
    short: str = STANDARD_TYPES[at]
    return short
