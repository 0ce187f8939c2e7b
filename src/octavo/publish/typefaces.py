"""The typefaces of a site as style sheet: fonts of the organization from here, others from the reader's machine.

What a site is set in stands in the address of its style sheet, as `<place>=<name>` of a typeface that every site may
name, or `<place>=<font>.<weight>-<digest>-<format>…` of a font of the organization.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import get_args

from octavo.kernel.records.sites import Font
from octavo.web.fields import Fields, first
from octavo.wire.sites.customization import DEFAULT, Styling
from octavo.wire.sites.customization_values import FontDefinition, Monospace, Typeface

Chosen = tuple[tuple[str, str], ...]
"""(Place, what stands for it in the address of the style sheet)."""

PLACES = {"sans": "font", "heading": "heading_font", "mono": "monospace_font"}
"""Custom property -> where a look says what it is."""
_FALLBACK = {
    "sans": '"Inter Variable","Inter Fallback",system-ui,sans-serif,var(--emoji)',
    "serif": 'Georgia,"Liberation Serif","Times New Roman",serif,var(--emoji)',
    "mono": '"JetBrains Mono Variable","Mono Fallback",ui-monospace,monospace,var(--emoji)',
}
_SERIFS = ("RobotoSlab", "Merriweather", "IBMPlexSerif")
_WORDS = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+")
_FACE = re.compile(r"(\d{1,4})-([0-9a-f]{12})-(woff2|woff)\Z")
_ID = re.compile(r"[A-Za-z0-9_-]{1,64}\Z")


def chosen(styling: Styling, fonts: Mapping[str, Font]) -> Chosen:
    """What a look is set in, as far as that is not as usual; a font that is gone is the usual one."""
    made = []
    for place, name in PLACES.items():
        font = getattr(styling, name)
        if isinstance(font, FontDefinition):
            record = fonts.get(font.id)
            if record is not None:
                made.append((place, _named(record)))
        elif isinstance(font, str) and font != getattr(DEFAULT.styling, name):
            made.append((place, font))
    return tuple(made)


def css(query: Fields) -> str | None:
    """The style sheet for what an address names; None where it names nothing that could be."""
    faces: list[str] = []
    properties: list[str] = []
    for place in PLACES:
        said = first(query, place)
        if not said:
            continue
        family = _family(place, said)
        if family is None:
            return None
        faces += _faces(place, said)
        serif = "serif" if said in _SERIFS else "sans"
        properties.append(f"--{place}:{family},{_FALLBACK['mono' if place == 'mono' else serif]}")
        if place == "sans":
            properties.append(f"--italic:{family}")
    return "".join(faces) + (f":root{{{';'.join(properties)}}}\n" if properties else "")


def _named(font: Font) -> str:
    faces = (
        f"{face['weight']}-{face['blob'][:12]}-{'woff2' if face['contentType'] == 'font/woff2' else 'woff'}"
        for face in font.faces["faces"]
    )
    return ".".join((font.id, *faces))


def _family(place: str, said: str) -> str | None:
    if "." not in said:
        known = get_args(Monospace if place == "mono" else Typeface)
        return f'"{" ".join(_WORDS.findall(said))}","{said}"' if said in known else None
    font, *faces = said.split(".")
    if _ID.match(font) is None or any(_FACE.match(face) is None for face in faces):
        return None
    return f'"Site {place}"'


def _faces(place: str, said: str) -> Iterator[str]:
    """Rules for the files of a font; relative to the style sheet, so that they are right behind any path."""
    font, *faces = said.split(".")
    for weight, digest, kind in (face.split("-") for face in faces):
        yield (
            f'@font-face{{font-family:"Site {place}";font-weight:{weight};font-display:swap;'
            f'src:url(fonts/{font}/{digest}.{kind}) format("{kind}")}}\n'
        )
