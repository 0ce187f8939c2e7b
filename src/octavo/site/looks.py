"""What the looks of a site need beside themselves: the fonts that they name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from octavo.kernel.records import Json
from octavo.kernel.records.sites import Font
from octavo.store.unit import Unit

PLACES = ("font", "headingFont", "monospaceFont")
"""Where a look names fonts."""


def named_fonts(*stored: Json | None) -> Iterator[str]:
    """The ids of the fonts that customizations name."""
    for one in stored:
        styling: Any = (one or {}).get("styling")
        for place in PLACES:
            font = styling.get(place) if isinstance(styling, dict) else None
            if isinstance(font, dict) and isinstance(font.get("id"), str):
                yield font["id"]


async def fonts_of(unit: Unit, organization: str, ids: Iterable[str]) -> Mapping[str, Font]:
    """Those of these fonts that the organization has."""
    return {font.id: font for font in await unit.fonts.by_ids(ids) if font.organization == organization}
