"""Interface icons as inline SVG, by the names that templates use."""

from __future__ import annotations

from functools import cache
from importlib.resources import files


@cache
def interface_icon(name: str) -> str:
    """SVG of an interface icon; KeyError for a name that is not shipped."""
    return (
        '<svg class="icon" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2"'
        f' stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">{_interface()[name]}</svg>'
    )


@cache
def _interface() -> dict[str, str]:
    text = files("octavo.publish").joinpath("interface-icons.txt").read_text(encoding="utf-8")
    return {name: row for name, _, row in (line.partition("\t") for line in text.splitlines())}
