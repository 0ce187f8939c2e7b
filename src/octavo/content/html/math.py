"""LaTeX formulas as MathML."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from html import unescape
from typing import TYPE_CHECKING

from octavo.content.html.escape import escape

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

    from math_core import LatexToMathML

LENGTH = 4000
"""Characters of the longest formula that is set."""

# The converter recurses on the machine's stack, so what nests too deeply has to be kept from it.
_NESTING = 60
_COMMANDS = 400

# What the converter writes is written again by these lists alone: it lets some characters of a formula through.
_ELEMENTS = frozenset((
    "math", "menclose", "merror", "mfrac", "mi", "mmultiscripts", "mn", "mo", "mover", "mpadded", "mphantom", "mprescripts",
    "mroot", "mrow", "ms", "mspace", "msqrt", "mstyle", "msub", "msubsup", "msup", "mtable", "mtd", "mtext", "mtr", "munder",
    "munderover", "none",
))  # fmt: skip
_WITHIN_TEXT = frozenset(("code", "span"))
_VOID = frozenset(("mprescripts", "mspace", "none"))
_ATTRIBUTES = frozenset((
    "accent", "accentunder", "columnalign", "depth", "display", "displaystyle", "form", "height", "linethickness", "lspace",
    "mathvariant", "maxsize", "minsize", "movablelimits", "notation", "rspace", "scriptlevel", "stretchy", "symmetric",
    "voffset", "width",
))  # fmt: skip
_VALUE = re.compile(r"[\w#%.+ -]*", re.ASCII)
_CLASS = re.compile(r"(?:math-core|menclose)-[a-z-]+")
_STYLE = re.compile(
    r"(?:\s*(?:color|background-color|width|text-align|justify-items|padding-(?:top|left|right)|margin-left|font-size|font-variant-caps|"
    r"border(?:-(?:top|right|bottom|left))?):[\w#%.+ -]*;?)*",
    re.ASCII,
)
_ENTITY = re.compile(r"&(?!(?:lt|gt|amp|quot|apos|#\w+);)\w+;")


@cache
def _converter() -> LatexToMathML:
    from math_core import LatexToMathML  # with the first formula: no start needs it

    return LatexToMathML(fancy_error=False, max_expansions=1)


@lru_cache(maxsize=2048)
def mathml(formula: str, display: bool) -> str:
    """A `<math>` element; a formula that cannot be set is its escaped source with the reason as title."""
    if len(formula) > LENGTH or formula.count("\\") > _COMMANDS or _nesting(formula) > _NESTING:
        return _source(formula, "too large")
    from math_core import LatexError

    try:
        made = _converter().convert_with_local_state(formula, displaystyle=display)
    except (LatexError, UnicodeEncodeError) as error:
        return _source(formula, str(error))
    return written_again(made) or _source(formula, "not a formula")


def written_again(made: str) -> str | None:
    """MathML of known elements, attributes and escaped text alone; None for what is no well-formed MathML."""
    from xml.etree import ElementTree

    if "<!" in made or "<?" in made:
        return None
    try:
        root = ElementTree.fromstring(_ENTITY.sub(lambda found: unescape(found[0]), made))
    except ElementTree.ParseError:
        return None
    return "".join(_written(root)) if root.tag == "math" and _known(root) else None


def _known(of: Element) -> bool:
    able = _WITHIN_TEXT if of.tag == "mtext" or of.tag in _WITHIN_TEXT else _ELEMENTS
    return all(part.tag in able and _known(part) for part in of)


def _written(of: Element) -> Iterator[str]:
    """An element of a formula, which nests as deeply as the formula and no deeper."""
    attributes = "".join(f' {name}="{escape(value)}"' for name, value in of.items() if _fits(name, value))
    if of.tag in _VOID:
        yield f"<{of.tag}{attributes}/>"
        return
    yield f"<{of.tag}{attributes}>{escape(of.text or '')}"
    for part in of:
        yield from _written(part)
        yield escape(part.tail or "")
    yield f"</{of.tag}>"


def _fits(name: str, value: str) -> bool:
    pattern = _CLASS if name == "class" else _STYLE if name == "style" else _VALUE if name in _ATTRIBUTES else None
    return pattern is not None and pattern.fullmatch(value) is not None


def _nesting(formula: str) -> int:
    depth = deepest = 0
    for character in formula:
        if character == "{":
            depth += 1
            deepest = max(deepest, depth)
        elif character == "}":
            depth -= 1
    return deepest


def _source(formula: str, reason: str) -> str:
    return f'<code class="math-error" title="{escape(reason)}">{escape(formula)}</code>'
