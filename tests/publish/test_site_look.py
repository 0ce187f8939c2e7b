"""A site's customization as visitors see it: every setting shows, links lead on, and nothing wrong does harm."""

from __future__ import annotations

import copy
import re
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from octavo.kernel.records.git import GitSync
from octavo.publish import customizations
from octavo.publish.accounts import account
from octavo.wire.sites.customization import DEFAULT, Customization
from tests.client import World
from tests.publish.visiting import Element, Visitor, visit, write

FILES: dict[str, str | bytes] = {
    "SUMMARY.md": "* [Home](README.md)\n* [Ducks](ducks.md)\n* [Closed](closed.md)\n* [Out](https://example.org/out)\n",
    "README.md": "# Home\n\n[Away](https://example.com/a) and [ducks](ducks.md)\n\n![](leaf.svg)\n",
    "ducks.md": "# Ducks\n",
    "closed.md": "---\nif: visitor.claims.gold\n---\n\n# Closed\n",
    "leaf.svg": b'<svg xmlns="http://www.w3.org/2000/svg"/>',
}


@pytest.fixture
def site(world: World, tmp_path: Path) -> Visitor:
    return visit(world, write(tmp_path, FILES), title="Pond")


def _customize(site: Visitor, look: dict[str, Any]) -> None:
    async def change(unit: Any) -> None:
        await unit.sites.change(await unit.sites.get(site.site["id"]), customization=look)

    site.world.run(site.world.house.store.write(change))


def _looks(site: Visitor, path: str = "", **look: Any) -> Element:
    """A page of the site with that customization."""
    _customize(site, look)
    return site.page(path)


def _id(site: Visitor, title: str) -> str:
    pages = site.world.api.get(f"/v1/spaces/{site.space}/content/pages").json["pages"]
    return next(str(page["id"]) for page in pages if page["title"] == title)


def _url(url: str) -> dict[str, Any]:
    return {"kind": "url", "url": url}


def _header(page: Element) -> list[tuple[str, str]]:
    return [(link.text, link["href"]) for link in page.one("nav", "header-links").all("a")]


def test_a_site_without_customization_is_plain(site: Visitor) -> None:
    page = site.page()
    root = page.one("html")
    assert root.attributes == {"lang": "en", "data-site-theme": "system"}
    assert not page.all("footer") + page.all("aside", "announcement") + page.all("nav", "header-links")
    assert page.one("a", "brand").one("span", "brand-title").text == "Pond"
    assert page.one("link", rel="stylesheet", href="/~octavo/theme.css?c=3457d5")


def test_links_of_the_header_lead_to_pages_and_elsewhere(site: Visitor) -> None:
    ducks = {"kind": "page", "page": _id(site, "Ducks")}
    page = _looks(
        site,
        header={
            "links": [
                {"title": "Ducks", "to": ducks},
                {"title": "Feet", "to": {"kind": "anchor", "page": ducks["page"], "anchor": "Feet"}},
                {"title": "Other", "to": {"kind": "page", "page": ducks["page"], "space": site.space}},
                {"title": "Space", "to": {"kind": "space", "space": site.space}},
                {"title": "Blog", "to": _url("https://example.org/blog"), "style": "button-primary"},
                {"title": "Log in", "to": _url("https://example.org/in"), "style": "button-secondary"},
            ],
            "primaryLink": _url("https://example.org/try"),
        },
    )
    at = f"{site.base}ducks"
    assert _header(page) == [
        ("Ducks", at),
        ("Feet", f"{at}#feet"),
        ("Other", at),
        ("Space", site.base),
        ("Blog", "https://example.org/blog"),
        ("Log in", "https://example.org/in"),
    ]
    assert page.one("a", "brand")["href"] == "https://example.org/try"
    styles = {link.text: link.attributes.get("class", "") for link in page.one("nav", "header-links").all("a")}
    assert styles["Ducks"] == ""
    assert styles["Blog"] == "header-button"
    assert styles["Log in"] == "header-button header-button-secondary"


def test_a_link_that_leads_nowhere_disappears(site: Visitor) -> None:
    nowhere: list[Any] = [
        {"title": "Gone", "to": {"kind": "page", "page": "gone"}},
        {"title": "Closed", "to": {"kind": "page", "page": _id(site, "Closed")}},
        {"title": "Foreign", "to": {"kind": "page", "page": "p", "space": "elsewhere"}},
        {"title": "Foreign space", "to": {"kind": "space", "space": "elsewhere"}},
        {"title": "File", "to": {"kind": "file", "file": "gone"}},
        {"title": "Anchor", "to": {"kind": "anchor", "anchor": "here"}},
        {"title": "Script", "to": _url("javascript:alert(1)")},
        {"title": "Hidden script", "to": _url("java\tscript:alert(1)")},
        {"title": "Person", "to": {"kind": "user", "user": "u"}},
        {"title": "Nothing"},
        {"title": "Empty", "to": _url("")},
    ]
    below = [link for link in nowhere if "to" in link]
    page = _looks(
        site,
        header={"links": [*nowhere, {"title": "Menu", "links": below}, {"title": "Home", "to": _url("/")}]},
        footer={"groups": [{"title": "None", "links": below}]},
    )
    assert _header(page) == [("Home", "/")]
    assert not page.one("nav", "header-links").all("details")
    assert not page.all("footer")


@pytest.mark.parametrize("condition", ["visitor.claims.gold", "not a condition (", "false", 7, ["true"]])
def test_a_condition_that_does_not_hold_hides_a_link(site: Visitor, condition: Any) -> None:
    hidden = {"title": "Hidden", "to": _url("https://example.org/h"), "condition": condition}
    shown = {"title": "Shown", "to": _url("https://example.org/s"), "condition": "true"}
    page = _looks(
        site,
        header={"links": [hidden, shown, {"title": "Menu", "links": [hidden, shown]}]},
        footer={"groups": [{"title": "Group", "links": [hidden, shown]}]},
    )
    assert "Hidden" not in page.one("body").text
    assert len([link for link in page.all("a") if link.text == "Shown"]) >= 3


def test_a_menu_keeps_its_own_link_first(site: Visitor) -> None:
    links = [{"title": "One", "to": _url("https://example.org/1")}]
    page = _looks(site, header={"links": [{"title": "All", "to": _url("/all"), "links": links}]})
    menu = page.one("nav", "header-links").one("details")
    assert menu.one("summary").text == "All"
    assert [(link.text, link["href"]) for link in menu.all("a")] == [("All", "/all"), ("One", "https://example.org/1")]


def test_titles_of_the_locale_are_used(site: Visitor) -> None:
    titled = {"title": "Products", "localizedTitle": {"de": "Produkte", "fr": "Produits"}, "to": _url("/p")}
    page = _looks(
        site,
        internationalization={"locale": "de"},
        title="Teich",
        localizedTitle={"fr": "Étang"},
        header={"links": [titled]},
        footer={"groups": [{"title": "More", "localizedTitle": {"de": "Mehr"}, "links": [titled]}]},
    )
    assert page.one("a", "brand").one("span", "brand-title").text == "Teich"
    assert [text for text, _ in _header(page)] == ["Produkte"]
    assert page.one("footer").one("h2").text == "Mehr"
    assert _looks(site, internationalization={"locale": "fr"}, localizedTitle={"fr": "Étang"}).one("title").text == (
        "Home · Étang"
    )


def test_pictures_are_addresses_or_files(site: Visitor) -> None:
    source = next(one["src"] for one in site.page().one("article").all("img"))
    file = source.split("/")[-3]
    page = _looks(
        site,
        header={"logo": {"light": {"kind": "file", "file": file}, "dark": "https://example.org/dark.svg"}},
        footer={"logo": {"light": "https://example.org/foot.png"}},
        favicon={"icon": {"light": "https://example.org/i.png", "dark": "https://example.org/d.png"}},
        socialPreview={"url": "https://example.org/social.png"},
    )
    light, dark = page.one("a", "brand").all("img", "logo")
    assert (light["src"], dark["src"]) == (source, "https://example.org/dark.svg")
    assert ("only-light" in light["class"], "only-dark" in dark["class"]) == (True, True)
    assert light["alt"] == "Pond"
    assert site.get(light["src"]).status == 200
    assert page.one("footer").one("img")["src"] == "https://example.org/foot.png"
    assert [(one["href"], one["media"]) for one in page.all("link", rel="icon")] == [
        ("https://example.org/i.png", "(prefers-color-scheme: light)"),
        ("https://example.org/d.png", "(prefers-color-scheme: dark)"),
    ]
    assert page.one("link", rel="apple-touch-icon")["href"] == "https://example.org/i.png"
    assert site.get("favicon.ico").headers["location"] == "https://example.org/i.png"
    assert page.one("meta", property="og:image")["content"] == "https://example.org/social.png"


@pytest.mark.parametrize("source", ["http://example.org/x.png", "//example.org/x.png", "javascript:1", "data:x", 5, ""])
def test_other_pictures_are_left_out(site: Visitor, source: Any) -> None:
    page = _looks(site, header={"logo": {"light": source}}, favicon={"icon": {"light": source}})
    assert not page.one("a", "brand").all("img")
    assert page.one("link", rel="icon")["href"].startswith(f"{site.base}~octavo/icon.")


def test_an_emoji_stands_for_the_site(site: Visitor) -> None:
    page = _looks(site, favicon={"emoji": "1f986"})
    assert page.one("span", "brand-emoji").text == "🦆"
    assert "🦆" in site.get(page.one("link", rel="icon")["href"]).text


def _theme(site: Visitor, page: Element) -> dict[str, tuple[str, str]]:
    sheet = next(one["href"] for one in page.all("link", rel="stylesheet") if "theme.css" in one["href"])
    reply = site.get(sheet)
    assert reply.status == 200
    return {
        name: (light, dark)
        for name, light, dark in re.findall(r"--([\w-]+):light-dark\((#\w{6}),(#\w{6})\)", reply.text)
    }


def test_colours_reach_the_style_sheet(site: Visitor) -> None:
    plain = _theme(site, site.page())
    page = _looks(
        site,
        styling={
            "primaryColor": {"light": "#0a5"},
            "tint": {"color": {"light": "#884400", "dark": "#ffcc88"}},
            "dangerColor": {"light": "#990066", "dark": "#ff99cc"},
        },
        header={"preset": "custom", "backgroundColor": {"light": "#102030", "dark": "#203040"}},
    )
    theme = _theme(site, page)
    assert plain["primary"] == ("#3457d5", "#3457d5")
    assert theme["primary"] == ("#884400", "#ffcc88")
    assert theme["fill"] != plain["fill"]
    assert theme["danger"][0] == "#990066"
    assert theme["bar"] == ("#102030", "#203040")
    assert "info" not in theme
    assert page.one("html")["data-header"] == "custom"


def test_styles_are_attributes_of_the_root(site: Visitor) -> None:
    root = _looks(
        site,
        styling={
            "theme": "bold", "corners": "circular", "depth": "flat", "links": "accent", "background": "match",
            "search": "subtle", "sidebar": {"background": "filled", "list": "line"}, "font": "Comic Sans",
            "codeTheme": {"default": {"light": "github-dark", "dark": "github-dark"}},
        },
    ).one("html")  # fmt: skip
    assert {name: value for name, value in root.attributes.items() if name not in ("lang", "data-site-theme")} == {
        "data-look": "bold", "data-corners": "circular", "data-depth": "flat", "data-links": "accent",
        "data-background": "match", "data-search": "subtle", "data-sidebar": "filled", "data-list": "line",
        "data-header": "bold", "data-code": "dark", "data-api-code": "both",
    }  # fmt: skip
    sheet = next(one["href"] for one in site.page().all("link", rel="stylesheet") if "site." in one["href"])
    css = site.get(sheet).text
    for name, value in root.attributes.items():
        if name not in ("lang", "data-site-theme", "data-look"):
            assert f'[{name}="{value}"]' in css


def test_the_theme_and_its_switch(site: Visitor) -> None:
    page = _looks(site, themes={"default": "dark", "toggeable": False})
    root = page.one("html")
    assert (root["data-theme"], "data-theme-fixed" in root.attributes) == ("dark", True)
    assert page.one("meta", name="color-scheme")["content"] == "dark"
    assert not [one for one in page.all("button") if "data-theme-switch" in one.attributes]
    page = _looks(site, themes={"default": "light"})
    assert page.one("html")["data-theme"] == "light"
    assert [one for one in page.all("button") if "data-theme-switch" in one.attributes]


def test_an_announcement_has_a_key_of_its_own(site: Visitor) -> None:
    said = {"enabled": True, "message": "Version <3>", "style": "warning"}
    link = {"to": {"kind": "page", "page": _id(site, "Ducks")}, "title": "Read on"}
    page = _looks(site, announcement=said | {"link": link})
    shown = page.one("aside", "announcement")
    assert (shown["data-style"], shown.one("p").text) == ("warning", "Version <3> Read on")
    assert shown.one("a")["href"] == f"{site.base}ducks"
    assert "data-dismiss" in shown.one("button").attributes
    key = page.one("html")["data-announcement"]
    assert site.page("ducks").one("html")["data-announcement"] == key
    assert _looks(site, announcement=said).one("html")["data-announcement"] != key
    for other in (said | {"enabled": False}, said | {"message": " "}):
        page = _looks(site, announcement=other)
        assert not page.all("aside", "announcement")
        assert "data-announcement" not in page.one("html").attributes


def test_the_footer_has_groups_accounts_and_small_print(site: Visitor) -> None:
    page = _looks(
        site,
        footer={
            "copyright": "© Pond",
            "groups": [
                {"title": f"Group {number}", "links": [{"title": "A", "to": _url("/a")}]} for number in (1, 2, 3)
            ],
        },
        socialAccounts=[
            {"platform": "github", "handle": "pond"},
            {"platform": "twitter", "handle": "@pond", "display": {"header": True, "footer": False}},
            {"platform": "unheard-of", "handle": "pond"},
        ],
        privacyPolicy={"url": "https://example.org/privacy"},
        trademark={"enabled": True},
    )
    footer = page.one("footer")
    assert [one.text for one in footer.all("h2")] == ["Group 1", "Group 2", "Group 3"]
    assert footer.one("p", "footer-note").text == "© Pond"
    assert [one["href"] for one in footer.one("ul", "accounts").all("a")] == ["https://github.com/pond"]
    assert footer.one("a", href="https://example.org/privacy").text == "Privacy policy"
    assert "Powered by Octavo" in footer.text
    header = page.one("header", "site-header").one("ul", "accounts")
    assert [(one["aria-label"], one["href"]) for one in header.all("a")] == [("X", "https://x.com/pond")]
    assert "Powered" not in site.page().text.replace(footer.text, "")
    assert not _looks(site, privacyPolicy={"url": "javascript:alert(1)"}).all("footer")


@pytest.mark.parametrize(
    ("platform", "handle", "href"),
    [
        ("x", "pond", "https://x.com/pond"),
        ("mastodon", "@pond@fosstodon.org", "https://fosstodon.org/@pond"),
        ("linkedin", "in/pond", "https://www.linkedin.com/in/pond"),
        ("youtube", "@pond", "https://www.youtube.com/@pond"),
        ("discord", "https://discord.gg/abc", "https://discord.gg/abc"),
        ("github", 'a"><b>', "https://github.com/a%22%3E%3Cb%3E"),
        ("github", " @ ", None),
        ("myspace", "pond", None),
    ],
)
def test_handles_become_addresses(platform: str, handle: str, href: str | None) -> None:
    found = account(platform, handle)
    assert (found and found.href) == href


def test_links_to_elsewhere_open_in_a_tab_where_the_site_wants_that(site: Visitor) -> None:
    look: dict[str, Any] = {"header": {"links": [{"title": "Away", "to": _url("https://example.com/h")}]}}

    def tabs(page: Element) -> dict[str, tuple[str | None, str | None]]:
        links = [
            *page.one("div", "content").all("a"),
            *page.one("nav", "header-links").all("a"),
            *page.one("nav", "nav").all("a"),
        ]
        return {one["href"]: (one.attributes.get("target"), one.attributes.get("rel")) for one in links}

    before = tabs(_looks(site, **look))
    assert {target for target, _ in before.values()} == {None}
    own = site.site["urls"]["published"] + "ducks"
    look["header"]["links"].append({"title": "Own", "to": _url(own)})
    after = tabs(_looks(site, externalLinks={"target": "blank"}, **look))
    for href in ("https://example.com/a", "https://example.com/h", "https://example.org/out"):
        assert after.pop(href) == ("_blank", "noopener")
    assert own in after
    assert {target for target, _ in after.values()} == {None}


def test_pagination_and_actions_can_be_left_out(site: Visitor) -> None:
    assert site.page("ducks").all("nav", "pagination")
    assert site.page("ducks").all("div", "actions")
    assert not _looks(site, "ducks", pagination={"enabled": False}).all("nav", "pagination")
    assert not _looks(site, "ducks", pageActions={"items": []}).all("div", "actions")
    assert not _looks(site, "ducks", pageActions={"items": ["assistant"]}).all("div", "actions")
    assert _looks(site, "ducks", pageActions={"items": ["markdown"]}).all("div", "actions")


@pytest.mark.parametrize(("provider", "label"), [("github", "Edit on GitHub"), ("gitlab", "Edit on GitLab")])
def test_the_edit_link_names_its_provider(site: Visitor, provider: str, label: str) -> None:
    async def sync(unit: Any) -> None:
        given = GitSync(
            space=site.space, organization=site.world.organization, url="https://git.test/a/b.git", repo_name="a/b",
            updated_at=unit.now, provider=provider, ref="refs/heads/main", state="success",
        )  # fmt: skip
        await unit.spaces.put_git_sync(given)

    site.world.run(site.world.house.store.write(sync))
    labels = [one.text for one in _looks(site, "ducks", pageActions={"items": ["git"]}).one("div", "actions").all("a")]
    assert label in labels
    labels = [
        one.text for one in _looks(site, "ducks", pageActions={"items": ["markdown"]}).one("div", "actions").all("a")
    ]
    assert label not in labels


def test_a_site_without_header_has_no_links_in_it(site: Visitor) -> None:
    page = _looks(site, header={"preset": "none", "links": [{"title": "A", "to": _url("/a")}]})
    assert not page.all("nav", "header-links")
    assert page.one("html")["data-header"] == "none"


def test_a_finished_page_is_kept_until_the_look_changes(site: Visitor) -> None:
    first = site.get("ducks").headers["etag"]
    assert site.get("ducks").headers["etag"] == first
    _customize(site, {"footer": {"copyright": "New"}})
    changed = site.get("ducks")
    assert changed.headers["etag"] != first
    assert "New" in changed.text


def test_the_look_is_around_search_and_missing_pages(site: Visitor) -> None:
    _customize(site, {"footer": {"copyright": "© Pond"}, "styling": {"corners": "straight"}})
    for path in ("~octavo/search?q=duck", "no/such/page"):
        text = site.get(path).text
        assert "© Pond" in text
        assert 'data-corners="straight"' in text


FULL: dict[str, Any] = msgspec.to_builtins(DEFAULT) | {
    "title": "Pond",
    "localizedTitle": {"de": "Teich"},
    "header": {
        "preset": "custom", "links": [{"title": "A", "to": {"kind": "url", "url": "/a"}, "links": []}],
        "logo": {"light": "https://example.org/l", "dark": "https://example.org/d"},
        "backgroundColor": {"light": "#111111", "dark": "#222222"},
    },
    "announcement": {"enabled": True, "message": "Hello"},
    "socialAccounts": [{"platform": "github", "handle": "pond"}],
}  # fmt: skip
WRONG = st.one_of(st.none(), st.integers(), st.text(max_size=8), st.lists(st.integers(), max_size=2), st.just({"x": 1}))


def _ways(value: Any, way: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    below = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [one for name, item in below for one in ((*way, name), *_ways(item, (*way, name)))]


def test_what_is_sound_is_read_as_it_is() -> None:
    assert customizations.read(FULL) == msgspec.convert(FULL, Customization)
    assert customizations.read(None) == customizations.read({}) == DEFAULT


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(_ways(FULL)), WRONG)
def test_a_wrong_value_harms_nothing_beside_it(way: tuple[Any, ...], wrong: Any) -> None:
    stored = copy.deepcopy(FULL)
    at = stored
    for name in way[:-1]:
        at = at[name]
    at[way[-1]] = wrong
    look = msgspec.to_builtins(customizations.read(stored))
    sound = msgspec.to_builtins(customizations.read(FULL))
    assert {name: look.get(name) for name in sound if name != way[0]} == {
        name: value for name, value in sound.items() if name != way[0]
    }


@pytest.mark.parametrize(
    "stored",
    [
        {"styling": {"primaryColor": {"light": "red;}body{"}, "theme": "<b>"}},
        {"header": "x", "footer": [], "styling": 7, "announcement": None, "favicon": {"emoji": "<img>"}},
        {"header": {"links": [{"title": "<script>alert(1)</script>", "to": {"kind": "url", "url": "/'\"><i>"}}]}},
        {"title": "</title><script>", "announcement": {"enabled": True, "message": "<img src=x onerror=y>"}},
        {"internationalization": {"locale": "tlh"}, "localizedTitle": {"en": 5}, "socialAccounts": [{}, 5]},
    ],
)
def test_nothing_stored_breaks_a_page(site: Visitor, stored: dict[str, Any]) -> None:
    _customize(site, stored)
    for path in ("", "no/such/page", "~octavo/search"):
        reply = site.get(path)
        assert reply.status in (200, 404)
        assert "<script>" not in reply.text
        assert "<img src=x" not in reply.text
        assert " style=" not in reply.text
    assert _theme(site, site.page())["primary"] == ("#3457d5", "#3457d5")
    assert urlsplit(site.page().one("link", rel="canonical")["href"]).path == site.base
