"""The picture that stands for a page where its address is shared: what is on it, where it is, its bytes."""

from __future__ import annotations

import re
import unicodedata
from urllib.parse import urljoin

import msgspec

from octavo.content.html.text import characters
from octavo.content.revision import Page
from octavo.history.contents import Contents
from octavo.kernel import extras
from octavo.publish import colours
from octavo.publish.audience import trail
from octavo.publish.drawing import Drawings
from octavo.publish.favicons import Mark, mark_of
from octavo.publish.navigation import current_trail
from octavo.publish.views import SiteChrome
from octavo.typesetting.drawing import digest
from octavo.web.answers import FOREVER, Answer, redirect

PATH = "~octavo/social/"
"""Where pictures of pages are, below the base of their space."""

_TITLE, _DESCRIPTION = 160, 240
"""Characters: more than the picture has room for."""
_JOINERS = "\u200c\u200d"
"""They shape what stands beside them: Persian words, emoji."""
_LANGUAGE = re.compile(r"[a-z]{2,3}\b")


class Card(msgspec.Struct, frozen=True):
    """All that the picture shows; texts are plain, colours `#rrggbb`."""

    site: str
    mark: Mark
    title: str
    description: str
    trail: str
    """The section and the entries above the page."""
    primary: str
    accent: str
    lang: str
    """ISO 639."""
    rtl: bool
    """Whether the title runs from right to left."""


def social_image(site: SiteChrome, space: str, contents: Contents, page: Page) -> str:
    """The address of a page's picture, scheme and host included: the site's own, or the one drawn for the page; empty where
    nothing can draw.

    `space` is the path of the page's space below the site's base, empty or with a slash at the end.
    """
    if not site.social_image and extras.lacks("pdf"):
        return ""
    own = site.social_image or space + _path(page, card(site, contents, page))
    return urljoin(site.public_url, own)


async def answer_social(
    drawings: Drawings, site: SiteChrome, contents: Contents, base: str, path: str
) -> Answer | None:
    """The picture at a path below the base of a space; None when there is no such page for a visitor.

    An address kept for ever must never give another picture: with an old digest the answer is a redirect.
    """
    key, _, rest = path.removeprefix(PATH).partition(".")
    page = contents.pages.get(key)
    if not rest.endswith(".png") or page is None or page.type != "document":
        return None
    drawn = card(site, contents, page)
    right = _path(page, drawn)
    if path != right:
        return redirect(307, base + right)
    answer = Answer(200, await drawings.png("social", drawn), [(b"content-type", b"image/png")])
    answer.etag = f'"{digest("social", drawn)}"'.encode()
    return answer.header("cache-control", FOREVER).header("cross-origin-resource-policy", "cross-origin")


def card(site: SiteChrome, contents: Contents, page: Page) -> Card:
    """What the picture of a page shows."""
    above = [contents.pages[key] for key in trail(contents, page.parent)]
    names = current_trail(site.sections)
    names += [one.link_title or one.title for one in reversed(above)]
    title = _cut(f"{characters(page.emoji)} {page.title}", _TITLE)
    language = _LANGUAGE.match(site.locale)
    return Card(
        site=_cut(site.title, _TITLE),
        mark=mark_of(site.title, site.primary, site.emoji),
        title=title,
        description=_cut(page.description or "", _DESCRIPTION),
        trail=_cut(" › ".join(names), _TITLE),
        primary=site.primary,
        accent=colours.on_light(site.primary).accent,
        lang=language[0] if language else "en",
        rtl=_runs_left(title),
    )


def _path(page: Page, drawn: Card) -> str:
    return f"{PATH}{page.id}.{digest('social', drawn)}.png"


def _cut(text: str, most: int) -> str:
    """The words up to so many characters; without what cannot be seen, which has broken the typesetter before."""
    seen = (one for one in " ".join(text.split()) if one in _JOINERS or unicodedata.category(one)[0] != "C")
    words = "".join(seen)
    return words if len(words) <= most else words[:most] + "…"


def _runs_left(text: str) -> bool:
    """Whether the first letter that has a direction is of a script from right to left."""
    directions = (unicodedata.bidirectional(character) for character in text)
    return next((one for one in directions if one in ("L", "R", "AL")), "L") != "L"
