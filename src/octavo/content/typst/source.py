"""Typst source: the only ways by which an author's characters reach it, always as string literals."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

_ESCAPES = str.maketrans({"\\": "\\\\", '"': '\\"', "\n": "\\n"})
_JOINERS = "\n\u200c\u200d"
"""Characters without a shape that have a meaning: line breaks, and what shapes Persian words and emoji."""
_PART = re.compile(r"[^\W_]{1,16}[\W_]*|[\W_]+")
_CUT = "\0"


def literal(text: str) -> str:
    """A string literal that stands for the text."""
    return '"' + visible(text).translate(_ESCAPES) + '"'


def pieces(text: str, longest: int) -> str:
    """The text as statements of a code block; words of more than `longest` characters may break within.

    Only words of ASCII are cut, which addresses and names in code are; others break by the rules of their scripts.
    """
    cut = re.sub(rf"[!-~]{{{longest + 1},}}", _cut, visible(text))
    return "z;".join(literal(part) + ";" for part in cut.split(_CUT))


def visible(text: str) -> str:
    """The text without controls, halves of surrogate pairs and characters that mean nothing; a tab is four spaces.

    Nothing that a reader sees is lost, and some of it has broken the typesetter before.
    """
    if text.isprintable():
        return text
    return "".join(one for one in text.expandtabs(4) if one in _JOINERS or unicodedata.category(one)[0] != "C")


def array(items: Iterable[str]) -> str:
    """An array of expressions."""
    return "(" + "".join(f"{item}," for item in items) + ")"


def _cut(word: re.Match[str]) -> str:
    return _CUT.join(_PART.findall(word[0]))
