"""Pictures drawn with Typst from the sheets in `drawings/`: in threads, two at a time, and kept by what is on them."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import msgspec

from octavo import __version__
from octavo.content import fonts
from octavo.store.kept import Kept, Kind

if TYPE_CHECKING:
    from typst import Fonts

Sheet = Literal["social", "icon"]

_PICTURES: Kind[bytes] = Kind("drawn pictures", len)

_SHEETS = Path(__file__).parent / "drawings"


class Drawings:
    """Draws pictures, and remembers the last ones."""

    def __init__(self, kept: Kept) -> None:
        self._threads = ThreadPoolExecutor(2, thread_name_prefix="drawing")
        self._kept = kept

    async def png(self, sheet: Sheet, given: object) -> bytes:
        """The picture that a sheet makes of its values, a JSON object; one point of the sheet is one pixel."""
        key = digest(sheet, given)
        kept = self._kept.get(_PICTURES, key)
        if kept is None:
            drawn = await asyncio.get_running_loop().run_in_executor(self._threads, _draw, sheet, given)
            kept = self._kept.put(_PICTURES, key, drawn)
        return kept


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


def _draw(sheet: Sheet, given: object) -> bytes:
    # Typst is imported with the first picture, not with the server.
    import typst

    values = {"given": msgspec.json.encode(given).decode(), "fonts": ",".join(fonts.FAMILIES)}
    path = str(_SHEETS / f"{sheet}.typ")
    try:
        return typst.compile(path, font_paths=_fonts(), format="png", ppi=72.0, sys_inputs=values)
    except (Exception, KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:
        # A panic of the library is no Exception in Python, and would pass by everything that handles one.
        raise RuntimeError("the picture could not be drawn") from error


@cache
def _fonts() -> Fonts:
    """Our typefaces; for scripts that none of them has, those of the machine."""
    from typst import Fonts  # with the first picture, as above

    return Fonts(include_system_fonts=True, include_embedded_fonts=False, font_paths=[str(fonts.FOLDER)])
