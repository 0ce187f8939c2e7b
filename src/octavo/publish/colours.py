"""A site's colours as a tiny style sheet, adjusted until text in them is readable in both themes."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

_HEX = re.compile(r"#?([0-9a-fA-F]{6})\Z")
# The tinted surfaces that coloured text stands on, a little harder than the page itself.
_LIGHT, _DARK = (240, 243, 250), (32, 36, 46)
_WHITE, _BLACK = (255, 255, 255), (16, 17, 20)
_LEAST = 4.8
_NAMES = ("primary", "accent", "fill", "on-primary")
_SEMANTIC = ("info", "success", "warning", "danger")
_NEUTRAL_DARK = (18, 20, 24)

Rgb = tuple[int, int, int]
Further = tuple[tuple[str, str, str], ...]
"""Colours beside the primary one: a name of `FURTHER`, and `#rrggbb` for the light and the dark theme."""

FURTHER = ("tint", *_SEMANTIC, "bar", "link")
"""`tint` colours the greys; `bar` is the header's ground, `link` its links."""


class Tones(NamedTuple):
    """A colour and what follows from it, as `#rrggbb`; the names are those of `theme_css`."""

    primary: str
    accent: str
    fill: str
    on_primary: str


def query(primary: str, primary_dark: str = "", further: Further = ()) -> str:
    """The query part of the style sheet's address for these colours.

    `c=rrggbb`, `c=rrggbb-rrggbb`, and `.name-rrggbb-rrggbb` after it for every further one.
    """
    parts = ["-".join(hexed(parse(colour)) for colour in (primary, primary_dark) if colour)]
    parts += [f"{name}-{hexed(parse(light))}-{hexed(parse(dark))}" for name, light, dark in further]
    return "c=" + ".".join(parts)


def from_query(value: str) -> tuple[str, str, Further] | None:
    """The colours named by the `c` of an address, as `theme_css` takes them; None when it is not such a value."""
    own, *rest = value.split(".")
    first, dash, second = own.partition("-")
    named = [part.split("-") for part in rest]
    if any(len(part) != 3 or part[0] not in FURTHER for part in named) or len({part[0] for part in named}) < len(named):
        return None
    digits = [first, *([second] if dash else []), *(colour for part in named for colour in part[1:])]
    if "#" in value or not all(map(_HEX.match, digits)):
        return None
    return f"#{first}", f"#{second}" if second else "", tuple((name, f"#{one}", f"#{two}") for name, one, two in named)


@lru_cache(maxsize=256)
def theme_css(primary: str, primary_dark: str = "", further: Further = ()) -> str:
    """Custom properties of both themes for the colours `#rrggbb`; ValueError for anything else.

    `--primary` is the colour that greys are tinted with: as given, unless there is a tint. `--accent` is the nearest
    tone that reads on the page (4.8:1 or better), `--fill` the nearest that carries text of `--on-primary`. A semantic
    colour becomes ink, `-ground` and `-line`; the ink reads on its ground, and `--on-bar` on the header's `--bar`.
    """
    given = {name: (parse(light), parse(dark)) for name, light, dark in further}
    light = parse(primary)
    dark = parse(primary_dark) if primary_dark else light
    made = dict(zip(_NAMES, zip(_tones(light, _LIGHT), _tones(dark, _DARK), strict=True), strict=True))
    if "tint" in given:
        made["primary"] = given["tint"]
    for name in _SEMANTIC:
        if name in given:
            one, two = given[name]
            sets = zip(_semantic(one, _WHITE, 0.93), _semantic(two, _NEUTRAL_DARK, 0.86), strict=True)
            made |= zip((name, f"{name}-ground", f"{name}-line"), sets, strict=True)
    if "bar" in given:
        bar, links = given["bar"], given.get("link", given["bar"])
        made["bar"] = bar
        made["on-bar"] = (_on(bar[0], links[0]), _on(bar[1], links[1]))
    rules = ";".join(f"--{name}:light-dark(#{hexed(one)},#{hexed(two)})" for name, (one, two) in made.items())
    return f":root{{{rules}}}\n"


@lru_cache(maxsize=256)
def on_light(primary: str) -> Tones:
    """The tones of the light theme for the colour `#rrggbb`; ValueError for anything else."""
    return Tones(*(f"#{hexed(tone)}" for tone in _tones(parse(primary), _LIGHT)))


def parse(colour: str) -> Rgb:
    """`#rrggbb` as three numbers 0 to 255; ValueError otherwise."""
    found = _HEX.match(colour)
    if found is None:
        raise ValueError(f"not a colour: {colour!r}")
    digits = found[1]
    return int(digits[:2], 16), int(digits[2:4], 16), int(digits[4:], 16)


def contrast(one: Rgb, other: Rgb) -> float:
    """The contrast ratio of two colours as WCAG defines it, 1 to 21."""
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def _tones(primary: Rgb, ground: Rgb) -> tuple[Rgb, Rgb, Rgb, Rgb]:
    """Values of `_NAMES` on a ground."""
    away = _BLACK if ground == _LIGHT else _WHITE
    fill = readable(primary, ground, away, least=1.4)
    ink = _WHITE if contrast(fill, _WHITE) >= 3.6 else _BLACK
    return primary, readable(primary, ground, away), readable(fill, ink, _BLACK if ink == _WHITE else _WHITE), ink


def _semantic(colour: Rgb, neutral: Rgb, share: float) -> tuple[Rgb, Rgb, Rgb]:
    """Ink, ground and line of a colour that says something."""
    ground = _mix(colour, neutral, share)
    away = _BLACK if neutral == _WHITE else _WHITE
    return readable(colour, ground, away), ground, _mix(colour, neutral, share - 0.2)


def _on(ground: Rgb, ink: Rgb) -> Rgb:
    """The ink moved until it reads on the ground; on one of its own colour it becomes black or white."""
    # True black: beside a middle grey, neither white nor a softer black would do.
    away = max(_WHITE, (0, 0, 0), key=lambda end: contrast(ground, end))
    return away if ink == ground else readable(ink, ground, away, least=4.5)


def readable(colour: Rgb, ground: Rgb, towards: Rgb, least: float = _LEAST) -> Rgb:
    """The colour, moved in steps of 4 % until it contrasts with the ground."""
    for step in range(26):
        tone = _mix(colour, towards, step * 0.04)
        if contrast(tone, ground) >= least:
            return tone
    return towards


def _mix(one: Rgb, other: Rgb, share: float) -> Rgb:
    red, green, blue = (round(a + (b - a) * min(share, 1)) for a, b in zip(one, other, strict=True))
    return red, green, blue


def _luminance(colour: Rgb) -> float:
    red, green, blue = (_linear(part / 255) for part in colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else float(((part + 0.055) / 1.055) ** 2.4)


def hexed(colour: Rgb) -> str:
    return "".join(f"{part:02x}" for part in colour)
