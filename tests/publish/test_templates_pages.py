"""Pages as visitors meet them: every layout switch shows, everything plain is escaped, nothing inline needs trust."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from html.parser import HTMLParser
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from octavo.content.icons import content_icon, page_icon
from octavo.publish import templating
from octavo.publish.icons import interface_icon
from octavo.publish.views import (
    Action,
    Alternate,
    Cover,
    HeaderLink,
    Image,
    Layout,
    Link,
    LinkGroup,
    MessageKind,
    MessageView,
    NavNode,
    Outline,
    PageView,
    SearchHit,
    SearchView,
    SectionHit,
    SiteChrome,
    Tab,
    Tag,
)

SITE = SiteChrome(
    "Handbook",
    "/docs/",
    "/docs/~static/",
    header_links=(HeaderLink("Blog", "/blog"), HeaderLink("More", children=(Link("Forum", "/forum"),))),
    footer_groups=(LinkGroup("People", (Link("Team", "/team"),)),),
    footer_note="By us",
    sections=(Tab("Guides", "/docs/", current=True), Tab("API", "/docs/api")),
    variants=(Link("English", "/docs/", current=True), Link("Deutsch", "/docs/de")),
    search_url="/docs/~search",
    logo=Image("/light.svg", "/dark.svg"),
)
NAV = (
    NavNode("Group", kind="group", open=True, children=(NavNode("Here", "/docs/here", current=True, emoji="🌱"),)),
    NavNode("Large", "/docs/large", lazy_href="/docs/~nav/large", icon=content_icon("house")),
    NavNode("Away", "https://example.org/", "link"),
)
PAGE = PageView(
    "Here",
    "<p>Body</p>",
    emoji="🌱",
    description="What is here",
    outline=(Outline(1, "one", "One"), Outline(2, "two", "Two")),
    breadcrumbs=(Link("Group", ""), Link("Guides", "/docs/")),
    previous=Link("Before", "/docs/before"),
    next=Link("After", "/docs/after"),
    updated_at=datetime(2026, 11, 3, tzinfo=UTC),
    cover=Cover(Image("/cover.png"), y=33, height=333),
    tags=(Tag("Stable", color="green", primary=True),),
    edit_url="/edit",
    markdown_url="/docs/here.md",
    actions=(Action("Copy page", "copy", page="/docs/here.md"), Action("Edit", "pencil", "/edit")),
    canonical="https://example.org/docs/here",
    alternates=(Alternate("de", "https://example.org/docs/de/here"),),
    social_image="https://example.org/social.png",
    needs=frozenset({"mermaid"}),
)
SEARCH = SearchView(
    "word", (SearchHit("Here", "/docs/here", ("Group",), (SectionHit("One", "/docs/here#one", ("a ", "word", "")),)),)
)
KINDS: tuple[MessageKind, ...] = ("not-found", "unpublished", "expired", "login", "error")
MESSAGES = [
    MessageView(kind, action=Link("Go on", "/go"), nearest=(Link("Near", "/near", description="by"),), reference="r1")
    for kind in KINDS
]
EVERY: dict[str, str] = {
    "page": templating.page(SITE, NAV, PAGE),
    "search": templating.search(SITE, NAV, SEARCH),
    "search-empty": templating.search(SITE, NAV, SearchView("nothing", nearest=(Link("Near", "/near"),))),
    "nav": templating.nav_children(SITE, NAV),
    **{message.kind: templating.message(SITE, message) for message in MESSAGES},
}


class Elements(HTMLParser):
    """All start tags with their attributes, the text of the page, and the tags that stay open."""

    VOID = frozenset(("br", "col", "hr", "img", "input", "link", "meta", "source"))

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.strays: list[str] = []
        self.text = ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len({name for name, _ in attrs}) == len(attrs), f"an attribute stands twice on {tag}: {attrs}"
        self.tags.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if self.open and self.open[-1] == tag:
            self.open.pop()
        else:
            self.strays.append(tag)

    def handle_data(self, data: str) -> None:
        self.text += data

    def all(self, tag: str, **wanted: str) -> list[dict[str, str | None]]:
        return [found for name, found in self.tags if name == tag and wanted.items() <= found.items()]


@pytest.mark.parametrize("name", EVERY)
def test_nothing_inline_asks_for_trust(name: str) -> None:
    for tag, attributes in Elements(EVERY[name]).tags:
        assert tag != "style"
        assert "style" not in attributes
        assert not [key for key in attributes if key.startswith("on")]
        assert not (attributes.get("href") or "").startswith("javascript:")
        if tag == "script":
            assert attributes.get("src") or attributes.get("type") == "application/ld+json"


@pytest.mark.parametrize("name", EVERY)
def test_tags_are_balanced(name: str) -> None:
    found = Elements(EVERY[name])
    assert (found.open, found.strays) == ([], [])


@pytest.mark.parametrize("name", [name for name in EVERY if name != "nav"])
def test_documents_have_their_landmarks(name: str) -> None:
    found = Elements(EVERY[name])
    assert len(found.all("main", id="~content")) == 1
    assert len(found.all("h1")) == 1
    assert found.all("a", href="#~content", **{"class": "skip"})
    assert found.all("html", lang="en")
    ids = [attributes["id"] for _, attributes in found.tags if "id" in attributes]
    assert len(set(ids)) == len(ids)
    assert all("alt" in image for image in found.all("img"))
    assert all(nav.get("aria-label") or nav.get("aria-labelledby") for nav in found.all("nav"))


@pytest.mark.parametrize(
    ("switch", "mark"),
    [
        ("cover", '"/cover.png"'),
        ("description", '<p class="lede" dir="auto">What is here</p>'),
        ("table_of_contents", '<nav class="nav"'),
        ("outline", 'href="#two"'),
        ("pagination", 'class="pagination"'),
        ("metadata", "3 November 2026"),
        ("tags", "Stable"),
        ("actions", "data-copy-page"),
    ],
)
def test_a_layout_switch_takes_its_part_away(switch: str, mark: str) -> None:
    changes: dict[str, Any] = {switch: False}
    without = templating.page(SITE, NAV, replace(PAGE, layout=Layout(**changes)))
    assert mark in EVERY["page"]
    assert mark not in without


def test_a_hidden_title_stays_for_readers_who_listen() -> None:
    hidden = templating.page(SITE, NAV, replace(PAGE, layout=Layout(title=False)))
    assert Elements(hidden).all("h1", **{"class": "visually-hidden"})
    assert not Elements(EVERY["page"]).all("h1", **{"class": "visually-hidden"})


def test_width_is_told_to_the_style_sheet() -> None:
    wide = templating.page(SITE, NAV, replace(PAGE, layout=Layout(width="wide")))
    assert Elements(wide).all("body", **{"data-width": "wide"})
    assert Elements(EVERY["page"]).all("body", **{"data-width": "default"})


def test_head_says_what_machines_want_to_know() -> None:
    found = Elements(EVERY["page"])
    assert found.all("link", rel="canonical", href="https://example.org/docs/here")
    assert found.all("link", rel="alternate", hreflang="de")
    assert found.all("meta", property="og:image", content="https://example.org/social.png")
    assert not found.all("meta", name="robots")
    assert Elements(templating.page(SITE, NAV, replace(PAGE, noindex=True))).all(
        "meta", name="robots", content="noindex"
    )


def test_breadcrumbs_as_data_are_absolute_and_cannot_leave_their_script() -> None:
    html = templating.page(SITE, NAV, replace(PAGE, title="</script><b>{% x %}"))
    assert html.count("</script><b>") == 0
    text = html.partition('<script type="application/ld+json">')[2].partition("</script>")[0]
    items = json.loads(text)["itemListElement"]
    assert [item["name"] for item in items] == ["Group", "Guides", "</script><b>{% x %}"]
    assert [item.get("item") for item in items] == [None, "https://example.org/docs/", "https://example.org/docs/here"]


def test_features_load_their_script_only_where_needed() -> None:
    assert "mermaid" in EVERY["page"]
    assert "mermaid" not in templating.page(SITE, NAV, replace(PAGE, needs=frozenset()))


def test_navigation_marks_the_page_and_names_what_to_fetch() -> None:
    found = Elements(EVERY["page"])
    assert [link["href"] for link in found.all("a", **{"aria-current": "page"})] == ["/docs/here"]
    assert found.all("ul", **{"data-lazy": "/docs/~nav/large"})
    assert found.all("a", href="/docs/large")
    assert [button["aria-expanded"] for button in found.all("button", **{"aria-label": "Pages in Large"})] == ["false"]


def test_a_bare_site_leaves_out_what_it_has_not() -> None:
    bare = templating.page(SiteChrome("Handbook", "/", "/~static/"), (), PageView("Here", "<p>Body</p>"))
    found = Elements(bare)
    assert not found.all("dialog")
    assert not found.all("aside")
    assert not found.all("footer")
    assert "<p>Body</p>" in bare


def test_messages_speak_and_point_on() -> None:
    words = {message.kind: EVERY[message.kind] for message in MESSAGES}
    assert len({Elements(html).text.partition("Skip to content")[2] for html in words.values()}) == len(MESSAGES)
    for html in words.values():
        assert 'href="/go"' in html
        assert 'href="/near"' in html
        assert "<code>r1</code>" in html
    assert 'role="search"' in words["not-found"].partition("<main")[2].partition("</main>")[0]
    assert "Own words" in templating.message(SITE, MessageView("error", title="Own words"))


@settings(max_examples=40, deadline=None)
@given(st.text(max_size=40), st.text(max_size=40))
def test_every_plain_text_is_escaped(one: str, two: str) -> None:
    hostile = f"{one}<img src=x onerror=alert(1)>\"'&{{% {two}"
    link = Link(hostile, "/x", description=hostile)
    entry = Tab(hostile, "/x", description=hostile)
    sections = (entry, Tab(hostile, children=(entry, Tab(hostile, children=(entry,)))))
    site = replace(SITE, title=hostile, footer_note=hostile, sections=sections, variants=(link,), search_url="/s")
    nav = (NavNode(hostile, "/x", children=(NavNode(hostile, "/y"),)),)
    page = replace(
        PAGE,
        title=hostile,
        description=hostile,
        emoji=hostile,
        breadcrumbs=(link,),
        previous=link,
        tags=(Tag(hostile, color=hostile),),
        outline=(Outline(1, hostile, hostile), Outline(1, "b", hostile)),
    )
    for html in (
        templating.page(site, nav, page),
        templating.search(
            site,
            nav,
            SearchView(hostile, (SearchHit(hostile, "/x", (hostile,), (SectionHit(hostile, "/x", (hostile,)),)),)),
        ),
        templating.message(site, MessageView("error", hostile, hostile, link, (link,), hostile)),
        templating.nav_children(site, nav),
    ):
        assert "<img src=x" not in html
        assert "{%" not in html


def test_results_mark_the_words_that_were_asked_for() -> None:
    assert "a <mark>word</mark>" in EVERY["search"]
    hit = SearchHit("<b> & Words", "/x", marked=("<", "b", "> & ", "Word", "s"))
    html = templating.search(SITE, NAV, SearchView("b word (", (hit,)))
    assert "&lt;<mark>b</mark>&gt; &amp; <mark>Word</mark>s" in html


def test_icons_are_found_by_the_names_that_documents_use() -> None:
    assert (
        content_icon("fa-house") == content_icon("house") == content_icon("fa-solid fa-house") == content_icon("home")
    )
    assert content_icon("regular/bell") != content_icon("bell")
    assert content_icon("github") == content_icon("fa-brands fa-github")
    assert content_icon("lightbulb-on") == content_icon("lightbulb")
    assert content_icon('"><script>') == content_icon("no-such-thing") == content_icon("fa-brands none-such") == ""


def test_a_page_has_a_sheet_of_paper_where_no_icon_comes_close_and_no_brand_was_meant() -> None:
    assert page_icon("no-such-thing") == page_icon("file-lines") == content_icon("file-lines")
    assert page_icon("fa-brands none-such") == page_icon("") == ""


def test_icons_are_whole_drawings() -> None:
    for svg in (content_icon("house"), page_icon("no-such-thing"), interface_icon("search")):
        found = Elements(svg)
        assert (found.open, found.strays) == ([], [])
        assert found.all("path")
    with pytest.raises(KeyError):
        interface_icon("no-such-icon")


def test_links_of_the_site_are_folded_away_in_the_drawer_and_the_main_one_is_a_button() -> None:
    main = HeaderLink("Start", "/start", style="button-primary")
    html = templating.page(replace(SITE, header_links=(*SITE.header_links, main)), NAV, PAGE)
    drawer = html[html.index('class="drawer-links"') : html.index('class="nav"')]
    folded, _, below = drawer.partition("</details>")
    assert "<details><summary>Menu" in folded
    assert '<a class="button primary" href="/start">Start</a>' in below
    assert "Start" not in folded
    # Where there is no table of contents, they are all that the drawer is for.
    alone = templating.page(SITE, (), PAGE)
    assert "<details open><summary>Menu" in alone


def test_the_outline_is_nested_whatever_levels_are_left_out() -> None:
    headings = (
        Outline(2, "a", "A"),
        Outline(3, "b", "B"),
        Outline(1, "c", "C"),
        Outline(3, "d", "D"),
        Outline(1, "e", "E"),
    )
    html = templating.page(SITE, NAV, replace(PAGE, outline=headings))
    outline = html[html.index('id="~outline-title"') :].partition("</nav>")[0].partition("</h2>")[2]
    assert outline == (
        '<ul><li><a href="#a">A</a><ul><li><a href="#b">B</a></li></ul></li>'
        '<li><a href="#c">C</a><ul><li><a href="#d">D</a></li></ul></li><li><a href="#e">E</a></li></ul>'
    )
