"""Icons as inline SVG: content icons by the names documents use, interface icons by the names templates use."""

from __future__ import annotations

from functools import cache, lru_cache
from importlib.resources import files

_SETS = ("solid", "brands", "regular")
_STYLES = {"fas": "solid", "far": "regular", "fab": "brands", **{name: name for name in _SETS}}
_NEUTRAL = ("512", "M256 128a128 128 0 1 1 0 256 128 128 0 1 1 0-256z")


@lru_cache(maxsize=512)
def content_icon(name: str) -> str:
    """SVG of a name such as `house`, `fa-house`, `fa-brands fa-github` or `regular/bell`; others are a dot."""
    width, path = _find(name) or _NEUTRAL
    return (
        f'<svg class="fa" viewBox="0 0 {width} 512" aria-hidden="true" focusable="false">'
        f'<path fill="currentColor" d="{path}"/></svg>'
    )


@cache
def interface_icon(name: str) -> str:
    """SVG of an interface icon; KeyError for a name that is not shipped."""
    return (
        '<svg class="icon" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2"'
        f' stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">{_interface()[name]}</svg>'
    )


def _find(name: str) -> tuple[str, str] | None:
    wanted: str = ""
    sets: tuple[str, ...] = _SETS
    for word in name.lower().replace("/", " ").split():
        plain = word.removeprefix("fa-")
        if plain in _STYLES:
            sets = (_STYLES[plain], *_SETS)
        else:
            wanted = plain
    for folder in sets:
        if (row := _content().get(f"{folder}/{wanted}")) is not None:
            if row.startswith("="):
                row = _content()[f"{folder}/{row[1:]}"]
            width, _, path = row.partition("\t")
            return width, path
    return None


@cache
def _content() -> dict[str, str]:
    return _table("content-icons.txt")


@cache
def _interface() -> dict[str, str]:
    return _table("interface-icons.txt")


def _table(file: str) -> dict[str, str]:
    text = files("octavo.publish").joinpath(file).read_text(encoding="utf-8")
    return {name: row for name, _, row in (line.partition("\t") for line in text.splitlines())}
