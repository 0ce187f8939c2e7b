"""The mark of a site as browsers and systems ask for it: SVG, PNG and ICO."""

from __future__ import annotations

import struct
from functools import lru_cache
from html import escape
from typing import Any

import msgspec

from octavo.kernel import extras
from octavo.publish import colours
from octavo.publish.drawing import Drawings
from octavo.publish.views import SiteChrome
from octavo.typesetting.drawing import digest
from octavo.web.answers import FOREVER, Answer, redirect

_SMALL, _LARGE = 32, 180
_DAY = "public, max-age=86400"


class Mark(msgspec.Struct, frozen=True):
    """What stands for a site: an emoji, or the initial of its title in `ink` on a tile of `fill`, both `#rrggbb`."""

    emoji: str
    initial: str
    fill: str
    ink: str


@lru_cache(maxsize=256)
def mark_of(title: str, primary: str, emoji: str = "") -> Mark:
    """The mark of a site with the title and the colour `#rrggbb`."""
    first = next((character for character in title if character.isalnum()), title[:1])
    capital = first.upper()
    tones = colours.on_light(primary)
    return Mark(emoji, capital if len(capital) == 1 else first, tones.fill, tones.on_primary)


def svg_path(mark: Mark) -> str:
    """The address of the mark for browsers, below a site's base."""
    return f"~octavo/icon.{_digest(mark)}.svg"


def png_path(mark: Mark) -> str:
    """The address of the mark for home screens, below a site's base."""
    return f"~octavo/icon.{_digest(mark)}.png"


async def answer_icon(drawings: Drawings, site: SiteChrome, name: str) -> Answer | None:
    """The icon at `~octavo/<name>`; a redirect where the digest is another one's; None when it is no icon's name."""
    mark = mark_of(site.title, site.primary, site.emoji)
    paths = {"svg": svg_path(mark), "png": png_path(mark)}
    word, _, rest = name.partition(".")
    _, _, kind = rest.partition(".")
    if word != "icon" or kind not in paths:
        return None
    if f"~octavo/{name}" != paths[kind]:
        return redirect(307, site.base_path + paths[kind])
    if kind == "svg":
        answer = Answer(200, svg(mark).encode(), [(b"content-type", b"image/svg+xml")])
    else:
        # Home screens cut the corners themselves.
        png = await drawings.png("icon", _drawn(mark, _LARGE, radius=0))
        answer = Answer(200, png, [(b"content-type", b"image/png")])
    answer.etag = f'"{_digest(mark)}"'.encode()
    return answer.header("cache-control", FOREVER)


async def answer_favicon(drawings: Drawings, site: SiteChrome) -> Answer:
    """`favicon.ico` of a site: its own icon where it has one, else its mark."""
    mark = mark_of(site.title, site.primary, site.emoji)
    if site.favicon and site.favicon != site.base_path + svg_path(mark):
        return redirect(307, site.favicon)
    if extras.lacks("pdf"):
        return redirect(307, site.base_path + svg_path(mark))
    return await _ico(drawings, _drawn(mark, _SMALL, radius=0.25))


async def svg_as_ico(drawings: Drawings, svg: str) -> Answer:
    """A drawing as `favicon.ico`; browsers take it as it is where nothing can draw."""
    if extras.lacks("pdf"):
        return Answer(200, svg.encode(), [(b"content-type", b"image/svg+xml")]).header("cache-control", _DAY)
    return await _ico(drawings, {"size": _SMALL, "svg": svg})


def svg(mark: Mark) -> str:
    """The mark as a drawing; browsers bring the typeface."""
    if mark.emoji:
        body = f'<text x="16" y="25.8" font-size="27" text-anchor="middle">{escape(mark.emoji)}</text>'
    else:
        body = (
            f'<rect width="32" height="32" rx="8" fill="{mark.fill}"/>'
            f'<text x="16" y="23.3" font-family="Inter,system-ui,sans-serif" font-size="20" font-weight="650"'
            f' text-anchor="middle" fill="{mark.ink}">{escape(mark.initial)}</text>'
        )
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">{body}</svg>'


async def _ico(drawings: Drawings, given: dict[str, Any]) -> Answer:
    png = await drawings.png("icon", given)
    # An icon file with one entry: 32 by 32 pixels, one plane of 32 bits, as PNG after the 22 bytes of the headers.
    head = struct.pack("<HHHBBBBHHII", 0, 1, 1, _SMALL, _SMALL, 0, 0, 1, 32, len(png), 22)
    answer = Answer(200, head + png, [(b"content-type", b"image/x-icon")])
    answer.etag = f'"{digest("icon", given)}"'.encode()
    return answer.header("cache-control", _DAY)


def _drawn(mark: Mark, size: int, radius: float) -> dict[str, Any]:
    return {"mark": mark, "size": size, "radius": radius}


@lru_cache(maxsize=256)
def _digest(mark: Mark) -> str:
    return digest("icon", mark)
