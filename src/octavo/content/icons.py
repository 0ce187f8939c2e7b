"""Content icons as inline SVG, by the names that documents use."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from importlib.resources import files

_SETS = ("solid", "brands", "regular")
_STYLES = {"fas": "solid", "far": "regular", "fab": "brands", **{name: name for name in _SETS}}
_SHEET = "file-lines"
_BRAND = re.compile(r"\b(?:brands|fab)\b")
# Names of the paid sets that documents use often and no word of which names a free icon.
_NEAREST = {
    "sparkles": "wand-magic-sparkles",
    "gitbook-assistant": "wand-magic-sparkles",
    "memo": "file-lines",
    "telescope": "binoculars",
    "brackets-curly": "code",
    "brackets-square": "code",
    "party-horn": "champagne-glasses",
    "messages": "comments",
    "grid-2": "table-cells-large",
    "chart-network": "circle-nodes",
    "arrow-progress": "arrow-right",
}
_WORDS = 6
_SHAPES = frozenset(("circle", "square", "rectangle", "triangle", "diamond", "hexagon", "octagon", "badge"))


@lru_cache(maxsize=512)
def content_icon(name: str) -> str:
    """SVG of a name such as `house`, `fa-house`, `fa-brands fa-github` or `regular/bell`.

    An unknown name gives the icon of its most telling words (`lightbulb-on`: `lightbulb`), at last "": another drawing
    would say what nobody meant.
    """
    found = _find(name)
    if found is None:
        return ""
    width, path = found
    return (
        f'<svg class="fa" viewBox="0 0 {width} 512" aria-hidden="true" focusable="false">'
        f'<path fill="currentColor" d="{path}"/></svg>'
    )


def page_icon(name: str) -> str:
    """The icon of a page: a sheet of paper where nothing comes close, unless a brand was meant."""
    if not name:
        return ""
    return content_icon(name) or ("" if _BRAND.search(name) else content_icon(_SHEET))


def _find(name: str) -> tuple[str, str] | None:
    wanted: str = ""
    sets: tuple[str, ...] = _SETS
    for word in name.lower().replace("/", " ").split():
        plain = word.removeprefix("fa-")
        if plain in _STYLES:
            sets = (_STYLES[plain], *_SETS)
        else:
            wanted = plain
    rows = (_row(folder, one) for one in _candidates(wanted) for folder in sets)
    return next((row for row in rows if row is not None), None)


def _candidates(wanted: str) -> Iterator[str]:
    """The name, then what comes close: the longest run of its words first, and of two, the one that stands first."""
    yield wanted
    yield _NEAREST.get(wanted, wanted)
    words = wanted.split("-")[:_WORDS]
    for length in range(len(words) - 1, 0, -1):
        for start in range(len(words) - length + 1):
            run = "-".join(words[start : start + length])
            if len(run) > 1 and run not in _SHAPES:
                yield run


def _row(folder: str, name: str) -> tuple[str, str] | None:
    row = _content().get(f"{folder}/{name}")
    if row is None:
        return None
    if row.startswith("="):
        row = _content()[f"{folder}/{row[1:]}"]
    width, _, path = row.partition("\t")
    return width, path


@cache
def _content() -> dict[str, str]:
    text = files("octavo.content").joinpath("content-icons.txt").read_text(encoding="utf-8")
    return {name: row for name, _, row in (line.partition("\t") for line in text.splitlines())}
