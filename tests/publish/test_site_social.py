"""Pictures of pages for where their addresses are shared, and the icons of a site."""

from __future__ import annotations

import asyncio
import struct
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from octavo.content.revision import Page, Root
from octavo.history.contents import Contents
from octavo.importing import Order, import_into
from octavo.publish import social
from octavo.publish.drawing import Drawings
from octavo.publish.views import SiteChrome, Tab
from octavo.store.kept import Kept
from tests.client import Reply, World
from tests.publish.visiting import Visitor, visit, write

FOREVER = "public, max-age=31536000, immutable"
SITE = SiteChrome("Handbook", "/docs/", "/~octavo/", public_url="https://example.org/docs/")
FILES = {
    "SUMMARY.md": "* [Home](README.md)\n\n## Guides\n\n* [Ducks](ducks.md)\n* [Closed](closed.md)\n",
    "README.md": "# Home\n",
    "ducks.md": "---\ndescription: How they swim\n---\n\n# Ducks\n",
    "closed.md": "---\nif: visitor.claims.gold\n---\n\n# Closed\n",
    "outside.md": "# Outside\n",
}


@pytest.fixture
def site(world: World, tmp_path: Path) -> Visitor:
    return visit(world, write(tmp_path, {**FILES}), title="Pond")


def _customize(site: Visitor, look: dict[str, Any]) -> None:
    async def change(unit: Any) -> None:
        await unit.sites.change(await unit.sites.get(site.site["id"]), customization=look)

    site.world.run(site.world.house.store.write(change))


def _picture(site: Visitor, path: str) -> str:
    """The path of a page's picture."""
    return urlsplit(site.page(path).one("meta", property="og:image")["content"]).path


def _size(png: bytes) -> tuple[int, int]:
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", png[16:24])
    return width, height


def _redirected(site: Visitor, path: str) -> str:
    reply = site.get(path)
    assert reply.status == 307
    assert "immutable" not in reply.headers.get("cache-control", "")
    return reply.headers["location"]


def _kept_for_ever(site: Visitor, path: str) -> Reply:
    reply = site.get(path)
    assert (reply.status, reply.headers["cache-control"]) == (200, FOREVER)
    again = site.get(path, headers={"if-none-match": reply.headers["etag"]})
    assert (again.status, again.body) == (304, b"")
    head = site.client.request("HEAD", path)
    assert (head.status, head.headers, head.body) == (200, reply.headers, b"")
    return reply


def test_a_page_names_its_picture_and_the_picture_is_there(site: Visitor) -> None:
    head = site.page("guides/ducks").one("head")
    named = {one["property"]: one["content"] for one in head.all("meta") if "property" in one.attributes}
    assert named["og:image"].startswith(site.site["urls"]["published"])
    assert (named["og:image:width"], named["og:image:height"], named["og:image:alt"]) == ("1200", "630", "Ducks")
    assert head.one("meta", name="twitter:card")["content"] == "summary_large_image"
    reply = _kept_for_ever(site, urlsplit(named["og:image"]).path)
    assert reply.headers["content-type"] == "image/png"
    assert _size(reply.body) == (1200, 630)
    assert len(reply.body) <= 150_000


def test_every_page_has_a_picture_of_its_own(site: Visitor) -> None:
    bodies = {site.get(_picture(site, path)).body for path in ("", "guides/ducks", "outside")}
    assert len(bodies) == 3


def test_an_old_address_leads_to_the_picture_of_today(site: Visitor, tmp_path: Path) -> None:
    old = _picture(site, "guides/ducks")
    before = site.get(old).body
    write(tmp_path, {"ducks.md": "# Geese\n"})
    order = Order(str(tmp_path), site.world.organization, site.space)
    site.world.run(import_into(site.world.house, order, quiet=True))
    new = _picture(site, "guides/ducks")
    assert new != old
    assert _redirected(site, old) == new
    assert site.get(new).body != before
    _customize(site, {"styling": {"primaryColor": {"light": "#b91c5c", "dark": "#b91c5c"}}})
    assert _redirected(site, new) == _picture(site, "guides/ducks") != new


def test_no_picture_of_what_a_visitor_may_not_see(site: Visitor) -> None:
    contents: Contents = site.world.run(_contents(site))
    ids = {page.title: page.id for page in contents.pages.values()}
    for title in ("Closed", "Guides"):
        assert site.get(f"~octavo/social/{ids[title]}.0000.png").status == 404, title
    assert _redirected(site, f"~octavo/social/{ids['Ducks']}.0000.png") == _picture(site, "guides/ducks")
    for path in ("x.0000.png", ids["Ducks"], f"{ids['Ducks']}.0000.gif", ""):
        assert site.get(f"~octavo/social/{path}").status == 404, path


async def _contents(site: Visitor) -> Contents:
    from octavo.history.contents import contents_of

    async def read(unit: Any) -> Contents:
        space = await unit.spaces.get(site.space)
        return await contents_of(unit, await unit.revisions.get(space.revision))

    return await site.world.house.store.read(read)


def test_a_site_that_is_closed_shows_neither_pictures_nor_icons(site: Visitor) -> None:
    paths = [_picture(site, "guides/ducks"), *_icons(site).values(), site.base + "favicon.ico"]
    for path in paths:
        assert site.get(path).status == 200
    site.change(visibility="share-link")
    for path in paths:
        assert site.get(path).status == 404


@pytest.mark.parametrize("own", ["https://example.org/own.png", "/own.png"])
def test_the_picture_of_the_site_stands_for_every_page(site: Visitor, own: str) -> None:
    drawn = _picture(site, "guides/ducks")
    _customize(site, {"socialPreview": {"url": own}})
    head = site.page("guides/ducks").one("head")
    assert urlsplit(head.one("meta", property="og:image")["content"]).path == "/own.png"
    assert head.one("meta", property="og:image")["content"].startswith(("https://", "http://"))
    assert not head.all("meta", property="og:image:width")
    assert site.get(drawn).status == 200


def test_the_card_says_where_the_page_is_and_which_way_it_reads() -> None:
    group = Page(id="g", type="group", title="Birds", slug="birds", position="a")
    page = Page(id="p", type="document", title="Ducks", slug="ducks", position="a", parent="g", emoji="1f986")
    sections = (Tab("Guides", "/docs/", current=True), Tab("API", "/docs/api/"))
    contents = Contents("o", Root(), {"g": group, "p": page}, {}, {})
    made = social.card(SiteChrome("Pond", "/", "/", sections=sections, locale="pt-br"), contents, page)
    assert (made.title, made.trail, made.lang, made.rtl) == ("🦆 Ducks", "Guides › Birds", "pt", False)
    assert (made.mark.initial, made.site) == ("P", "Pond")
    assert _card("🚀 1. مرحبا Ducks").rtl
    assert not _card("Ducks مرحبا").rtl


def _card(title: str, description: str = "", site: SiteChrome = SITE) -> social.Card:
    page = Page(id="p", type="document", title=title, slug="p", position="a", description=description)
    return social.card(site, Contents("o", Root(), {"p": page}, {}, {}), page)


TEXTS = [
    "Go",
    "How a repository becomes a site, with its files, folders, table of contents, settings and front matter " * 4,
    "从仓库到网站：安装与配置文档平台" * 12,
    "كيف يصبح المستودع موقعًا على جهازك الخاص " * 6,
    "🚀 Quick start 👩‍💻 for teams 🇩🇪",
    "pneumonoultramicroscopicsilicovolcanoconiosis" * 5,
]


@pytest.mark.parametrize("title", TEXTS)
def test_any_title_makes_a_picture_of_one_size(title: str) -> None:
    png = asyncio.run(Drawings(Kept()).png("social", _card(title, title)))
    assert _size(png) == (1200, 630)
    assert len(png) <= 150_000


@settings(max_examples=12, deadline=None)
@given(st.text(max_size=80), st.text(max_size=80))
@example("\u202eя\u093f\u200d", "\u202e\u093f\u200b")
@example("\x00", '"#{}$\\[*_`')
def test_no_text_breaks_the_drawing(title: str, description: str) -> None:
    assert _size(asyncio.run(Drawings(Kept()).png("social", _card(title, description)))) == (1200, 630)


def test_a_long_title_is_told_apart_only_as_far_as_it_is_shown() -> None:
    assert _card("a" * 1000).title == "a" * 160 + "…"


def test_drawing_leaves_the_loop_free_and_happens_once() -> None:
    async def count() -> tuple[int, bytes, bytes]:
        drawings, turns = Drawings(Kept()), 0
        drawn = asyncio.create_task(drawings.png("social", _card("Ducks")))
        while not drawn.done():
            await asyncio.sleep(0)
            turns += 1
        return turns, drawn.result(), await drawings.png("social", _card("Ducks"))

    turns, first, second = asyncio.run(count())
    assert turns > 10
    assert first is second


def test_a_failed_drawing_is_an_error_and_not_kept() -> None:
    drawings = Drawings(Kept())
    for _ in range(2):
        with pytest.raises(RuntimeError):
            asyncio.run(drawings.png("social", {}))


def _icons(site: Visitor) -> dict[str, str]:
    head = site.page().one("head")
    return {one["rel"]: one["href"] for one in head.all("link") if one["rel"] in ("icon", "apple-touch-icon")}


def test_a_site_without_an_icon_shows_its_initial_in_its_colour(site: Visitor) -> None:
    _customize(site, {"styling": {"primaryColor": {"light": "#b91c5c", "dark": "#b91c5c"}}})
    icons = _icons(site)
    reply = _kept_for_ever(site, icons["icon"])
    assert reply.headers["content-type"] == "image/svg+xml"
    assert ">P</text>" in reply.text
    assert 'fill="#b91c5c"' in reply.text
    reply = _kept_for_ever(site, icons["apple-touch-icon"])
    assert (reply.headers["content-type"], _size(reply.body)) == ("image/png", (180, 180))


def test_icons_follow_the_site(site: Visitor) -> None:
    old = _icons(site)
    site.change(title="<Orchard>")
    new = _icons(site)
    for rel in ("icon", "apple-touch-icon"):
        assert _redirected(site, old[rel]) == new[rel] != old[rel]
    assert ">O</text>" in site.get(new["icon"]).text
    site.change(title="<&>")
    assert ">&lt;</text>" in site.get(_icons(site)["icon"]).text
    for name in ("icon.gif", "icon.", "icon", "icons.x.svg"):
        assert site.get(f"~octavo/{name}").status == 404, name


def test_an_emoji_stands_for_the_site(site: Visitor) -> None:
    _customize(site, {"favicon": {"emoji": "1f986"}})
    assert ">🦆</text>" in site.get(_icons(site)["icon"]).text
    assert _size(site.get(_icons(site)["apple-touch-icon"]).body) == (180, 180)


def test_browsers_that_do_not_ask_find_an_icon(site: Visitor) -> None:
    host = {"host": f"{site.site['basename']}.localhost"}
    answers = [site.get("favicon.ico"), site.client.get("/favicon.ico", headers=host), site.client.get("/favicon.ico")]
    for reply in answers:
        assert (reply.status, reply.headers["content-type"]) == (200, "image/x-icon")
        kind, count, width, height, *_, length, start = struct.unpack("<2xHHBBBBHHII", reply.body[:22])
        assert (kind, count, width, height, start, length) == (1, 1, 32, 32, 22, len(reply.body) - 22)
        assert _size(reply.body[22:]) == (32, 32)
        etag = {"if-none-match": reply.headers["etag"]}
        assert site.get("favicon.ico", headers=etag).status == (304 if reply is not answers[2] else 200)
    assert answers[0].body == answers[1].body != answers[2].body
