"""A site's colours as a tiny style sheet, adjusted until text in them is readable in both themes."""

from __future__ import annotations

import re
from functools import lru_cache

_HEX = re.compile(r"#?([0-9a-fA-F]{6})\Z")
# The tinted surfaces that coloured text stands on, a little harder than the page itself.
_LIGHT, _DARK = (240, 243, 250), (32, 36, 46)
_WHITE, _BLACK = (255, 255, 255), (16, 17, 20)
_READABLE = 4.8
_NAMES = ("primary", "accent", "fill", "on-primary")

Rgb = tuple[int, int, int]


def query(primary: str, primary_dark: str = "") -> str:
    """The query part of the style sheet's address for these colours, `c=rrggbb` or `c=rrggbb-rrggbb`."""
    return "c=" + "-".join(_hex(parse(colour)) for colour in (primary, primary_dark) if colour)


def from_query(value: str) -> tuple[str, str] | None:
    """The colours named by the `c` of an address; None when it is not such a value."""
    first, _, second = value.partition("-")
    if not _HEX.match(first) or (second and not _HEX.match(second)):
        return None
    return f"#{first}", f"#{second}" if second else ""


@lru_cache(maxsize=256)
def theme_css(primary: str, primary_dark: str = "") -> str:
    """Custom properties of both themes for the colours `#rrggbb`; ValueError for anything else.

    `--primary` is the colour as given, `--accent` the nearest tone that reads on the page (4.8:1 or better), `--fill`
    the nearest that carries text of `--on-primary`.
    """
    light = parse(primary)
    dark = parse(primary_dark) if primary_dark else light
    tones = zip(_tones(light, _LIGHT), _tones(dark, _DARK), strict=True)
    rules = ";".join(
        f"--{name}:light-dark(#{_hex(in_light)},#{_hex(in_dark)})" for name, (in_light, in_dark) in zip(_NAMES, tones)
    )
    return f":root{{{rules}}}\n"


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
    fill = _readable(primary, ground, away, least=1.4)
    ink = _WHITE if contrast(fill, _WHITE) >= 3.6 else _BLACK
    return primary, _readable(primary, ground, away), _readable(fill, ink, _BLACK if ink == _WHITE else _WHITE), ink


def _readable(colour: Rgb, ground: Rgb, towards: Rgb, least: float = _READABLE) -> Rgb:
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


def _hex(colour: Rgb) -> str:
    return "".join(f"{part:02x}" for part in colour)
