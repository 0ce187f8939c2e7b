"""Pictures drawn with Typst from the sheets in `sheets/`, and what names each by all that is on it."""

from __future__ import annotations

from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import msgspec

from octavo import __version__
from octavo.content import fonts
from octavo.typesetting.panics import panics_are_errors

if TYPE_CHECKING:
    from typst import Fonts

Sheet = Literal["social", "icon"]

_SHEETS = Path(__file__).parent / "sheets"


def drawn(sheet: Sheet, given: object) -> bytes:
    """The PNG that a sheet makes of its values, a JSON object; one point of the sheet is one pixel.

    Takes some 50 ms, and may be called in any thread. Raises RuntimeError for what breaks the typesetter.
    """
    # Typst is imported with the first picture, not with the server.
    import typst

    values = {"given": msgspec.json.encode(given).decode(), "fonts": ",".join(fonts.FAMILIES)}
    path = str(_SHEETS / f"{sheet}.typ")
    with panics_are_errors():
        return typst.compile(path, font_paths=_fonts(), format="png", ppi=72.0, sys_inputs=values)


def digest(sheet: Sheet, given: object) -> str:
    """Sixteen hexadecimal digits that change with everything that is drawn."""
    encoded = msgspec.json.encode((sheet, given), order="deterministic")
    return blake2b(encoded, digest_size=8, key=_sources()).hexdigest()


@cache
def _sources() -> bytes:
    """A digest of what a picture is made of besides its values."""
    hasher = blake2b(__version__.encode(), digest_size=16)
    for sheet in sorted(_SHEETS.glob("*.typ")):
        hasher.update(sheet.read_bytes())
    for face in sorted(fonts.FOLDER.glob("*.ttf")):
        hasher.update(f"{face.name} {face.stat().st_size}".encode())
    return hasher.digest()


@cache
def _fonts() -> Fonts:
    """Our typefaces; for scripts that none of them has, those of the machine."""
    from typst import Fonts  # with the first picture, as above

    return Fonts(include_system_fonts=True, include_embedded_fonts=False, font_paths=[str(fonts.FOLDER)])
