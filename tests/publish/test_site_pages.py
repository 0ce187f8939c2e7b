"""What a page shows: every word of its source, every switch of its layout, and nothing that a browser must not run."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.client import World
from tests.publish.conftest import KITCHEN_SINK
from tests.publish.visiting import Element, Visitor, flat, tree, visit, write

PNG = (KITCHEN_SINK / ".gitbook/assets/station.png").read_bytes()
PARTS = {
    "title": lambda page: "visually-hidden" not in page.one("h1").attributes.get("class", ""),
    "description": lambda page: bool(page.all("p", "lede")),
    "tableOfContents": lambda page: bool(page.all("nav", "nav")),
    "outline": lambda page: bool(page.all("aside", "outline")),
    "pagination": lambda page: bool(page.all("nav", "pagination")),
    "metadata": lambda page: bool(page.all("p", "metadata")),
    "tags": lambda page: bool(page.one("header", "page-header").all("ul", "tags")),
    "actions": lambda page: bool(page.all("div", "actions")),
    "cover": lambda page: bool(page.all("div", "cover")),
}
_HEAD = "description: What it is\ncover: .gitbook/assets/c.png\ntags:\n  - one\n"
_BODY = "## Here\n\nText.\n\n## There\n\nMore.\n"


@pytest.fixture
def laid_out(world: World, tmp_path: Path) -> Visitor:
    """A page for every part of a layout that is switched off, and plain, full and wide ones."""
    files: dict[str, str | bytes] = {
        ".gitbook/assets/c.png": PNG,
        ".gitbook/tags.yaml": "- tag: one\n  label: Label of one\n  icon: star\n  color: blue\n",
        "README.md": "# Home\n",
        "full.md": f"---\n{_HEAD}---\n\n# Page\n\n{_BODY}",
        "plain.md": f"# Page\n\n{_BODY}",
        "wide.md": "---\nlayout:\n  width: wide\n---\n\n# Page\n",
        "icon.md": "---\nicon: feather\n---\n\n# Page\n",
        "emoji.md": "---\nemoji: 1f680\n---\n\n# Page\n",
        "cover.md": "---\ncover: .gitbook/assets/c.png\ncoverY: 40\ncoverHeight: 400\nlayout:\n  cover:\n"
        "    visible: true\n    size: full\n---\n\n# Page\n",
        "z-last.md": "# Last\n",
    }
    for part in PARTS:
        files[f"no-{part.lower()}.md"] = f"---\n{_HEAD}layout:\n  {part}:\n    visible: false\n---\n\n# Page\n\n{_BODY}"
    return visit(world, write(tmp_path, files))


def test_every_switch_of_a_layout_hides_its_part_and_nothing_else(laid_out: Visitor) -> None:
    full = laid_out.page("full")
    assert all(shown(full) for shown in PARTS.values())
    for part in PARTS:
        page = laid_out.page(f"no-{part.lower()}")
        assert {name for name, shown in PARTS.items() if not shown(page)} == {part}
        assert page.one("h1").text == "Page"
        assert "More." in page.one("div", "content").text


def test_what_a_page_carries_is_shown(laid_out: Visitor) -> None:
    full, plain = laid_out.page("full"), laid_out.page("plain")
    assert full.one("p", "lede").text == "What it is"
    assert full.one("meta", name="description")["content"] == "What it is"
    assert full.one("ul", "tags").text == "Label of one"
    assert full.one("li", "tag")["data-color"] == "blue"
    assert [one.text for one in full.one("aside", "outline").all("a")] == ["Here", "There"]
    assert not plain.all("p", "lede")
    assert plain.one("meta", name="description")["content"] == "Text."
    assert not plain.all("div", "cover")
    assert (plain.one("body")["data-width"], laid_out.page("wide").one("body")["data-width"]) == ("default", "wide")
    assert laid_out.page("icon").one("h1").all("span", "page-mark")[0].all("svg")
    assert laid_out.page("emoji").one("h1").one("span", "emoji").text == "🚀"
    nav = laid_out.page("plain").one("nav", "nav")
    marks = {
        item.all("a")[0]["href"].rsplit("/", 1)[1]: bool(item.all("a")[0].all("svg") or item.all("span", "emoji"))
        for item in nav.all("li")
    }
    assert {name for name, marked in marks.items() if marked} == {"icon", "emoji"}


def test_covers_differ_in_size_height_and_place(laid_out: Visitor) -> None:
    hero = laid_out.page("full").one("div", "cover")
    wide = laid_out.page("cover").one("div", "cover")
    assert "cover-hero" in hero["class"]
    assert "cover-full" in wide["class"]
    assert (wide["data-height"], wide["data-y"]) == ("400", "40")
    assert (hero["data-height"], hero["data-y"]) != (wide["data-height"], wide["data-y"])
    assert laid_out.get(wide.one("img")["src"]).body == PNG


def _pages(site: Visitor) -> Iterator[tuple[str, str]]:
    """Path and HTML of every page of the kitchen sink, hidden ones too."""
    for _, href, _ in flat(site.nav()):
        if href.startswith(site.base) and "#" not in href:
            reply = site.get(href)
            assert reply.status == 200, href
            yield href, reply.text
    yield "nothing", site.get("start/getting-started/first-reading/nothing-arrives").text


NOT_SHOWN = {"Cover", "Dark", "cover", "Notes", "Seldom", "seen"} | {"OpenAPI"} | {"true", "false"}
"""Columns that the source hides; the label of a specification's address; checkboxes."""


def test_no_word_of_the_sources_is_missing(kitchen: Visitor) -> None:
    """Every word outside of tags, attributes, addresses and syntax stands on the page of its file."""
    pages = {href: tree(html).text for href, html in _pages(kitchen)}
    everything = " ".join(pages.values())
    assert len(pages) == 11
    for file in sorted(KITCHEN_SINK.rglob("*.md")):
        if file.name in ("SUMMARY.md", "subscribers.md"):
            continue
        for word in _words(file.read_text("utf-8")) - NOT_SHOWN:
            assert word in everything, (file.name, word)


def _words(source: str) -> set[str]:
    source = re.sub(r"(?s)\A---\n.*?\n---\n", "", source)
    source = re.sub(r'(?s)\{% if .*?\{% endif %\}|<!--.*?-->|^\[forum\]:.*?$|\$\$.*?\$\$|<code class="expression">.*?</code>',
                    " ", source)  # fmt: skip
    source = re.sub(
        r"(?<=>)[\w.-]+\.(md|png|csv)(?=</a>)|(?<=\[)[\w./-]+\.md(?=\]\()", " ", source
    )  # files, shown by the titles of pages
    source = re.sub(r"(?s)\{%.*?%\}|<[^<>]*>|\]\([^)]*\)|:[a-z_-]+:|^```.*?$|^~~~.*?$", " ", source, flags=re.MULTILINE)
    return {word for word in re.findall(r"[A-Za-zÀ-ÿ]{2,}", source) if not re.search(rf"&{word}|{word};", source)}


def test_no_page_runs_or_styles_anything_inline(kitchen: Visitor) -> None:
    for path, html in [
        *_pages(kitchen),
        ("404", kitchen.get("nowhere").text),
        ("s", kitchen.get("~octavo/search").text),
    ]:
        assert "{%" not in html, path
        for element in tree(html).walk():
            data = element.tag == "script" and element.attributes.get("type") == "application/ld+json"
            assert element.tag != "script" or data or element.attributes.get("src", "").startswith("/~octavo/"), path
            assert element.tag != "style", path
            assert not {name for name in element.attributes if name == "style" or name.startswith("on")}, path
            assert not element.attributes.get("href", "").lower().startswith("javascript:"), path


def test_the_policy_allows_nothing_inline(kitchen: Visitor) -> None:
    for path in ("", "nowhere", "~octavo/search?q=x", "robots.txt"):
        policy = dict(
            part.strip().split(" ", 1) for part in kitchen.get(path).headers["content-security-policy"].split(";")
        )
        assert policy["default-src"] == "'none'"
        assert policy["script-src"] == "'self'"
        assert policy["style-src"] == "'self'"
        assert policy["base-uri"] == "'none'"
        assert kitchen.get(path).headers["x-content-type-options"] == "nosniff"


def test_every_script_and_style_sheet_is_there_for_ever(kitchen: Visitor) -> None:
    page = kitchen.page("writing/blocks")
    named = [one["src"] for one in page.all("script") if "src" in one.attributes]
    named += [one["href"] for one in page.all("link") if one["rel"] in ("stylesheet", "preload", "icon")]
    assert len(named) >= 6
    for address in named:
        reply = kitchen.get(address)
        assert reply.status == 200, address
        assert reply.headers["cache-control"] == "public, max-age=31536000, immutable", address


def test_ids_are_unique_whatever_headings_are_called(world: World, tmp_path: Path) -> None:
    """Headings may have the names of parts of the page around them, and one another's."""
    titles = ["Content", "Sidebar", "Search results", "UI icons", "Outline title", "Fan-out & Fan-in", "Fan out  Fan in",
              "Fan-out & Fan-in", "Fan-out--Fan-in", "Über uns", "C++ & C#", "1. First, then", "&"]  # fmt: skip
    text = "# Home\n\n" + "\n\n".join(f"## {title}\n\nText." for title in titles)
    text += "\n\n[a](#fan-out--fan-in) [b](#über-uns) [c](#Fan-Out--Fan-In)\n"
    site = visit(world, write(tmp_path, {"README.md": text}))
    page = site.page()
    ids = [one["id"] for one in page.walk() if "id" in one.attributes]
    assert len(ids) == len(set(ids)), sorted(one for one in ids if ids.count(one) > 1)
    headings = page.all("h2", "heading")
    assert [one.text for one in headings] == [" ".join(title.split()) for title in titles]
    aliases = {
        one["id"]: heading["id"] for heading in headings for one in heading.all("span") if "id" in one.attributes
    }
    assert aliases["fan-out--fan-in-1"] == "fan-out-fan-in-2"
    assert aliases["über-uns"] == "ber-uns"
    assert aliases["c--c"] == headings[10]["id"]
    own = {heading["id"] for heading in headings}
    assert "fan-out--fan-in" in own | set(aliases)
    assert not own & set(aliases)
    leads = [_fragment(one["href"]) for one in page.one("div", "content").all("a") if one.text in ("a", "b", "c")]
    assert leads == ["fan-out--fan-in", "über-uns", "fan-out--fan-in"]
    assert set(leads) <= set(ids)


def _fragment(href: str) -> str:
    from urllib.parse import unquote

    return unquote(href.partition("#")[2])


def test_elements_of_the_page_have_their_roles(kitchen: Visitor) -> None:
    page = kitchen.page("writing/blocks")
    assert page.one("html")["lang"] == "en"
    assert page.one("a", "skip")["href"].lstrip("#") == page.one("main")["id"]
    assert [one.tag for one in page.all() if one.tag == "h1"] == ["h1"]
    assert _unlabelled(page) == []


def _unlabelled(page: Element) -> list[str]:
    """Buttons, links and fields that have neither words nor a label."""
    return [
        f"<{one.tag} {one.attributes}>"
        for one in page.walk()
        if one.tag in ("a", "button", "input", "iframe")
        and not one.text
        and not {"aria-label", "title", "aria-labelledby"} & set(one.attributes)
        and not any(image.attributes.get("alt") for image in one.all("img"))
    ]
