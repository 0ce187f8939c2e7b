"""Formulas: the MathML that browsers get, as calls of Typst's functions for mathematics.

Whatever a formula holds becomes string literals and calls from a fixed list, so that no formula is ever read as code; one
that cannot be set stays as its source.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from html import unescape
from xml.etree import ElementTree

from octavo.content.html.math import mathml
from octavo.content.typst.source import array, literal, visible

_ENTITY = re.compile(r"&(?!(?:lt|gt|amp|quot|apos);)\w+;")
_EM = re.compile(r"(-?\d*\.?\d+)em")
_COLOR = re.compile(r"color:\s*(#[0-9A-Fa-f]{6})")
_INVISIBLE = frozenset("\u2061\u2062\u2063\u2064")
_ARROWS = frozenset("→←↔⇒⇐⇔↦⟶⟵⟷⇌⇋↪↩↠")
_FENCES = frozenset("()[]{}|‖⟨⟩⌈⌉⌊⌋/\\↑↓↕⟮⟯⎰⎱⟦⟧")
# Marks over and under letters, by the characters that MathML writes for them.
_ACCENTS = {
    "ˆ": "\u0302", "^": "\u0302", "~": "\u0303", "˜": "\u0303", "˙": "\u0307", "¨": "\u0308", "ˇ": "\u030c",
    "˘": "\u0306", "´": "\u0301", "`": "\u0300", "˚": "\u030a", "⃗": "\u20d7", "→": "\u2192", "←": "\u2190",
    "\u20db": "\u20db", "\u20dc": "\u20dc", "⃡": "\u2194", "↔": "\u2194",
}  # fmt: skip
_OVER = {"¯": "overline", "‾": "overline", "\u0332": "overline", "_": "overline", "⏞": "overbrace", "⏜": "overparen",
         "⎴": "overbracket", "⏠": "overshell"}  # fmt: skip
_UNDER = {"_": "underline", "\u0332": "underline", "‾": "underline", "⏟": "underbrace", "⏝": "underparen",
          "⎵": "underbracket", "⏡": "undershell"}  # fmt: skip

Element = ElementTree.Element


@lru_cache(maxsize=2048)
def formula(latex: str, *, display: bool) -> str:
    """The formula as an expression."""
    written = mathml(latex, display)
    tree = None if written.startswith("<code") else _parsed(written)
    if tree is None:
        return f"unset({'true' if display else 'false'},{literal(latex)})"
    return f"formula({'true' if display else 'false'},{_row(list(tree))})"


def _parsed(written: str) -> Element | None:
    try:
        return ElementTree.fromstring(_ENTITY.sub(lambda found: unescape(found[0]), written))
    except ElementTree.ParseError:
        return None


def _row(elements: list[Element]) -> str:
    """Elements beside each other."""
    return "{[];" + "".join(_set(one) + ";" for one in elements) + "}"


def _set(of: Element) -> str:
    """One element with its colour; of an unknown kind, what is in it."""
    made = _ELEMENTS.get(of.tag, _anything)(of)
    color = _COLOR.search(of.get("style", ""))
    return f"text(fill:rgb({literal(color[1])}),{made})" if color else made


def _anything(of: Element) -> str:
    return _row(list(of)) if len(of) else _text(of)


def _children(of: Element, count: int) -> list[str]:
    """The first so many children, with empty ones in place of those that are not there."""
    return ([_set(one) for one in of] + ["[]"] * count)[:count]


def _said(of: Element) -> str:
    return visible("".join(of.itertext()))


def _text(of: Element) -> str:
    return f"upright({literal(_said(of))})" if _said(of) else "[]"


def _identifier(of: Element) -> str:
    said = _said(of)
    if len(said) > 1 and said.isascii():
        return f"math.op({literal(said)})"
    made = f"sym({literal(said)})" if said else "[]"
    return f"math.upright({made})" if of.get("mathvariant") == "normal" and said else made


def _number(of: Element) -> str:
    return f"digits({literal(_said(of))})"


def _operator(of: Element) -> str:
    said = _said(of)
    if not said or said in _INVISIBLE:
        return "[]"
    return f"sym({literal(said)})" if len(said) == 1 else f"math.op({literal(said)})"


def _space(of: Element) -> str:
    width = _EM.fullmatch(of.get("width", ""))
    return f"h({width[1]}em)" if width else "[]"


def _group(of: Element) -> str:
    """A row; one in fences is as high as what they enclose."""
    items = [one for one in of if not (one.tag == "mspace" and not one.attrib)]
    if len(items) == 3 and items[1].get("linethickness") == "0" and [_said(items[0]), _said(items[2])] == ["(", ")"]:
        return f"math.binom({','.join(_children(items[1], 2))})"
    fenced = len(items) > 1 and any(
        one.tag == "mo" and one.get("stretchy") != "false" and _said(one) in _FENCES for one in (items[0], items[-1])
    )
    row = _row(items)
    return f"math.lr({row})" if fenced else row


def _fraction(of: Element) -> str:
    above, below = _children(of, 2)
    if of.get("linethickness") in ("0", "0px"):
        return f"math.mat(delim:none,({above},),({below},))"
    made = f"math.frac({above},{below})"
    shown = of.get("displaystyle")
    return f"math.display({made})" if shown == "true" else f"math.inline({made})" if shown == "false" else made


def _attached(names: str) -> Callable[[Element], str]:
    """A base with what stands at its corners: b below, t above, in the order of the children."""

    def attach(of: Element) -> str:
        base, *others = _children(of, len(names) + 1)
        primes = _said(of[-1]) if len(of) > 1 else ""
        if names == "t" and primes and not primes.strip("′"):
            return f"math.attach({base},tr:math.primes({len(primes)}))"
        return f"math.attach({base},{','.join(f'{name}:{one}' for name, one in zip(names, others))})"

    return attach


def _limited(names: str) -> Callable[[Element], str]:
    """A base with what stands above and below it."""
    attach = _attached(names)

    def limit(of: Element) -> str:
        mark = _said(of[1]) if len(of) > 1 else ""
        if len(names) == 1 and len(of) == 2 and of[1].tag == "mo":
            lines = _OVER if names == "t" else _UNDER
            if mark in lines:
                return f"math.{lines[mark]}({_set(of[0])})"
            if names == "t" and mark in _ACCENTS and of.get("accent") == "true":
                return f"math.accent({_set(of[0])},{literal(_ACCENTS[mark])})"
        base, *others = _children(of, len(names) + 1)
        if len(of) and of[0].tag == "mo" and len(_said(of[0])) == 1:
            if _said(of[0]) not in _ARROWS:
                return attach(of)  # large operators know where their limits go
            base = f"math.stretch({base})"
        return f"math.attach(math.limits({base}),{','.join(f'{name}:{one}' for name, one in zip(names, others))})"

    return limit


def _scripts(of: Element) -> str:
    """A base with what stands at all four of its corners: pairs of below and above, those ahead of it last."""
    base = "[]"
    behind: list[str] = []
    ahead: list[str] = []
    side = behind
    for number, one in enumerate(of):
        if number == 0:
            base = _set(one)
        elif one.tag == "mprescripts":
            side = ahead
        else:
            side.append(_set(one))
    corners = [*zip(("b", "t"), behind), *zip(("bl", "tl"), ahead)]
    return f"math.attach({base},{','.join(f'{corner}:{one}' for corner, one in corners)})"


def _root(of: Element) -> str:
    radicand, index = _children(of, 2)
    return f"math.root({index},{radicand})"


def _table(of: Element) -> str:
    """A matrix; equations below one another stand in line where MathML says so."""
    rows = [[(_row(list(cell)), cell.get("style", "")) for cell in row] for row in of]
    styles = [style for row in rows for _, style in row]
    if any("text-align: right" in style for style in styles) and any("text-align: left" in style for style in styles):
        lines = ("align-point;".join(f"{cell};" for cell, _ in row) for row in rows)
        return "{[];" + "linebreak();".join(lines) + "}"
    align = "start" if styles and all("text-align: left" in style for style in styles) else "center"
    return f"math.mat(delim:none,align:{align},{','.join(array(cell for cell, _ in row) for row in rows if row)})"


def _enclosed(of: Element) -> str:
    row, notation = _row(list(of)), of.get("notation", "")
    if "strike" in notation:
        return f"math.cancel({row})"
    return f"boxed({row})" if "box" in notation else row


def _styled(of: Element) -> str:
    row, shown = _row(list(of)), of.get("displaystyle")
    return f"math.display({row})" if shown == "true" else f"math.inline({row})" if shown == "false" else row


_ELEMENTS: dict[str, Callable[[Element], str]] = {
    "mi": _identifier,
    "mn": _number,
    "mo": _operator,
    "mtext": _text,
    "ms": _text,
    "mspace": _space,
    "mrow": _group,
    "mstyle": _styled,
    "mfrac": _fraction,
    "msub": _attached("b"),
    "msup": _attached("t"),
    "msubsup": _attached("bt"),
    "munder": _limited("b"),
    "mover": _limited("t"),
    "munderover": _limited("bt"),
    "mmultiscripts": _scripts,
    "msqrt": lambda of: f"math.sqrt({_row(list(of))})",
    "mroot": _root,
    "mtable": _table,
    "menclose": _enclosed,
    "mphantom": lambda of: f"hide({_row(list(of))})",
}
