"""The table of contents, the way through the pages, and what is not in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from octavo.publish.building import OPEN_GROUPS, WHOLE_TREE
from tests.client import World
from tests.publish.visiting import Entry, Visitor, entries, flat, tree, visit, write


@pytest.fixture
def secretive(world: World, tmp_path: Path) -> Visitor:
    """A site with a page of every degree of secrecy; each says the word quince."""
    never = 'if: visitor.claims.plan == "gold"\n'
    files = {
        "SUMMARY.md": """* [Home](README.md)
* [One](one.md)
* [Hidden](hidden.md)
  * [Below hidden](below-hidden.md)
* [Closed](closed.md)
  * [Below closed](below-closed.md)
* [Unsearchable](unsearchable.md)
* [Unindexed](unindexed.md)
* [Broken condition](broken.md)
* [Last](last.md)
""",
        "README.md": "# Home\n\nA quince. [c](closed.md), [b](below-closed.md), [h](hidden.md)\n",
        "one.md": "# One\n\nA quince.\n",
        "hidden.md": "---\nhidden: true\n---\n\n# Hidden\n\nA quince.\n",
        "below-hidden.md": "# Below hidden\n\nA quince.\n",
        "closed.md": f"---\n{never}---\n\n# Closed\n\nA quince.\n",
        "below-closed.md": "# Below closed\n\nA quince.\n",
        "unsearchable.md": "---\nnoIndex: true\n---\n\n# Unsearchable\n\nA quince.\n",
        "unindexed.md": "---\nnoRobotsIndex: true\n---\n\n# Unindexed\n\nA quince.\n",
        "broken.md": "---\nif: visitor.claims.a.b.c\n---\n\n# Broken condition\n\nA quince.\n",
        "last.md": "# Last\n\nA quince.\n",
        "outside.md": "# Outside\n\nA quince.\n",
    }
    return visit(world, write(tmp_path, files))


def test_a_hidden_page_is_reached_but_not_shown(secretive: Visitor) -> None:
    assert [title for title, _, _ in flat(secretive.nav())] == ["Home", "One", "Unsearchable", "Unindexed", "Last"]
    for path, title in (("hidden", "Hidden"), ("hidden/below-hidden", "Below hidden"), ("outside", "Outside")):
        page = secretive.page(path)
        assert page.one("h1").text == title
        assert not page.all("nav", "pagination")
        assert title not in {one for one, _, _ in flat(secretive.nav(path))}


def test_a_page_whose_condition_is_false_is_nowhere(secretive: Visitor) -> None:
    """Nor is what stands below it, and a condition that cannot be decided is false."""
    home = secretive.page()
    assert "Closed" not in home.one("nav", "nav").text
    assert [one.text for one in home.one("div", "content").all("a")] == ["h"]
    for path in ("closed", "closed/below-closed", "broken"):
        assert secretive.get(path).status == 404, path
        assert secretive.get(path + ".md").status == 404, path
        assert secretive.get(path + "/").status == 404, path
        assert "Closed" not in secretive.get(path).text.replace(path, "")
    everything = secretive.world.api.get(f"/v1/spaces/{secretive.space}/content/pages").json["pages"]
    closed = next(page["id"] for page in everything if page["title"] == "Closed")
    assert secretive.get(f"~octavo/nav/{closed}").status == 404
    met, at = [], ""
    while at is not None:
        page = secretive.page(at)
        met.append(page.one("h1").text)
        at = next((one["href"] for one in page.all("a", "next")), None)
    assert met == ["Home", "One", "Unsearchable", "Unindexed", "Last"]
    assert not {hit["title"] for hit in secretive.search("quince")} & {"Closed", "Below closed", "Broken condition"}
    assert "Below closed" not in secretive.page("~octavo/search?q=quince").text


def test_search_leaves_out_what_must_not_be_indexed_and_robots_what_they_must_not(secretive: Visitor) -> None:
    found = {hit["title"] for hit in secretive.search("quince")}
    assert {"Home", "One", "Unindexed", "Last"} <= found
    assert "Unsearchable" not in found
    one, unindexed = secretive.get("one"), secretive.get("unindexed")
    assert "x-robots-tag" not in one.headers
    assert not tree(one.text).all("meta", name="robots")
    assert unindexed.headers["x-robots-tag"] == "noindex"
    assert tree(unindexed.text).one("meta", name="robots")["content"] == "noindex"


def test_groups_entries_and_links(kitchen: Visitor) -> None:
    """A hidden page and a computed entry without content are not among them."""
    base, start = kitchen.base, kitchen.base + "start/getting-started"
    assert kitchen.nav() == [
        ("Tern weather station", base, []),
        ("What is new", base + "changelog", []),
        (
            "Getting started",
            "",
            [
                (
                    "Set up",
                    start,
                    [
                        ("Unpack and mount", start + "/unpack", []),
                        ("The first reading", start + "/first-reading", []),
                    ],
                )
            ],
        ),
        (
            "Writing these pages",
            "",
            [
                ("Text", base + "writing/text", []),
                ("Blocks", base + "writing/blocks", [("Code and commands", base + "writing/blocks#code", [])]),
                ("Pictures and files", base + "writing/pictures", []),
                ("Tables and cards", base + "writing/tables", []),
            ],
        ),
        (
            "Reference",
            "",
            [
                ("Interfaces", base + "reference/interfaces", []),
                ("Forum", "https://forum.example.com/tern", []),
                ("Firmware manual", "https://app.gitbook.com/s/aB3dE5fG7hI9/flashing", []),
            ],
        ),
    ]


def test_the_way_to_a_page_and_on_from_it(kitchen: Visitor) -> None:
    page = kitchen.page("start/getting-started/unpack")
    start = kitchen.base + "start/getting-started"
    way = page.one("nav", "breadcrumbs").all("li")
    assert [(one.text, [link["href"] for link in one.all("a")]) for one in way] == [
        ("Getting started", []),
        ("Set up", [start]),
    ]
    # A group leads to its first page, where that is not on the way anyway.
    [group] = kitchen.page("writing/tables").one("nav", "breadcrumbs").all("a")
    assert (group.text, group["href"]) == ("Writing these pages", f"{kitchen.base}writing/text")
    assert not kitchen.page("writing/text").one("nav", "breadcrumbs").all("a")
    before, after = page.one("a", "previous"), page.one("a", "next")
    assert (before["href"], before.one("b").text) == (start, "Set up")
    assert (after["href"], after.one("b").text) == (start + "/first-reading", "The first reading")
    assert page.one("nav", "nav").one("a", aria_current="page")["href"] == start + "/unpack"
    assert not kitchen.page().all("a", "previous")


def test_a_large_tree_is_fetched_in_parts(world: World, tmp_path: Path) -> None:
    """Also without scripts everything is reached: each closed entry is a link to a page that shows what is below it."""
    chapters, pages = 20, 20
    summary, files = ["# Contents\n\n* [Home](README.md)"], {"README.md": "# Home\n"}
    for chapter in range(chapters):
        if chapter % 10 == 0:
            summary.append(f"\n## Part {chapter // 10}\n")
        summary.append(f"* [Chapter {chapter}](c{chapter}/README.md)")
        files[f"c{chapter}/README.md"] = f"# Chapter {chapter}\n"
        for page in range(pages):
            summary.append(f"  * [Page {chapter}.{page}](c{chapter}/p{page}.md)")
            files[f"c{chapter}/p{page}.md"] = f"# Page {chapter}.{page}\n"
    assert chapters * pages > WHOLE_TREE
    site = visit(world, write(tmp_path, {"SUMMARY.md": "\n".join(summary), **files}))
    home = site.page()
    assert len(flat(site.nav())) == 1 + 2 + chapters
    lazy = [one["data-lazy"] for one in home.one("nav", "nav").all("ul") if "data-lazy" in one.attributes]
    assert len(lazy) == chapters
    parts: list[Entry] = []
    for address in lazy:
        reply = site.get(address)
        assert (reply.status, reply.headers["content-type"]) == (200, "text/html; charset=utf-8")
        parts += entries(tree(reply.text))
    assert [title for title, _, _ in parts] == [f"Page {c}.{p}" for c in range(chapters) for p in range(pages)]
    reached = set()
    for title, href, below in flat(site.nav()):
        if title.startswith("Chapter"):
            assert below == []
            reached |= {address for _, address, _ in flat(site.nav(href))}
    assert {href for _, href, _ in parts} <= reached
    assert site.get(parts[-1][1]).status == 200


def test_a_level_of_very_many_shows_those_around_the_page(world: World, tmp_path: Path) -> None:
    """Its page stays light; without scripts links lead on through all of it, with them portions are fetched."""
    count = 700
    summary = ["# Contents\n\n* [Home](README.md)", *(f"* [Page {at}](p{at}.md)" for at in range(count))]
    files = {"README.md": "# Home\n", **{f"p{at}.md": f"# Page {at}\n" for at in range(count)}}
    site = visit(world, write(tmp_path, {"SUMMARY.md": "\n".join(summary), **files}))
    every = ["Home", *(f"Page {at}" for at in range(count))]
    home = [title for title, _, _ in site.nav()]
    assert home == [*every[:81], "More"]
    assert len(site.get().body) < 30_000
    there = site.nav("p300")
    assert [title for title, _, _ in there] == ["More", *every[261:342], "More"]
    assert (there[0][1], there[-1][1]) == (f"{site.base}p259", f"{site.base}p341")
    # From link to link all are reached.
    seen, at = set(home[:-1]), site.nav()
    while at[-1][0].startswith("More"):
        at = site.nav(at[-1][1])
        seen |= {title for title, _, _ in at if not title.startswith("More")}
    assert seen == set(every)
    # And from portion to portion.
    links = site.page("p300").one("nav", "nav").all("a")
    before, after = [one for one in links if "data-nav-more" in one.attributes]
    assert (before.one("small").text, after.one("small").text) == ("261", str(count + 1 - 342))
    back = entries(tree(site.get(before["data-nav-more"]).text))
    assert [title for title, _, _ in back] == ["More", *every[111:261]]
    on = entries(tree(site.get(after["data-nav-more"]).text))
    assert [title for title, _, _ in on] == [*every[342:492], "More"]
    for wrong in ("after-x", "beside-" + after["data-nav-more"].rpartition("-")[2], "after-"):
        assert site.get(f"~octavo/nav/{wrong}").status == 404


def test_many_groups_are_open_only_on_the_way_to_a_page(world: World, tmp_path: Path) -> None:
    """A closed group leads to its first page, where it is open, and its entries are fetched; a page stays light."""
    groups, pages = 40, 8
    summary, files = ["# Contents\n\n* [Home](README.md)"], {"README.md": "# Home\n"}
    for group in range(groups):
        summary.append(f"\n## Group {group}\n")
        for page in range(pages):
            summary.append(f"* [Page {group}.{page}](g{group}/p{page}.md)")
            files[f"g{group}/p{page}.md"] = f"# Page {group}.{page}\n"
    assert groups * pages > max(WHOLE_TREE, OPEN_GROUPS)
    site = visit(world, write(tmp_path, {"SUMMARY.md": "\n".join(summary), **files}))
    home = site.nav()
    assert [(title, below) for title, _, below in home] == [
        ("Home", []),
        *[(f"Group {group}", []) for group in range(groups)],
    ]
    assert [href for _, href, _ in home] == [
        site.base,
        *[f"{site.base}g{group}/p0" for group in range(groups)],
    ]
    there = site.nav(home[8][1])
    assert [(title, len(below)) for title, _, below in there if below] == [("Group 7", pages)]
    assert len(site.get().body) < 30_000
    lazy = [one["data-lazy"] for one in site.page().one("nav", "nav").all("ul") if "data-lazy" in one.attributes]
    assert [title for title, _, _ in entries(tree(site.get(lazy[7]).text))] == [f"Page 7.{p}" for p in range(pages)]


def test_a_site_of_two_spaces_offers_both(world: World, tmp_path: Path) -> None:
    one = world.imported(write(tmp_path / "one", {"README.md": "# First\n", "guide.md": "# Guide\n\nQuince one.\n"}))
    two = world.imported(write(tmp_path / "two", {"README.md": "# Second\n", "guide.md": "# Guide\n\nQuince two.\n"}))
    foreign = world.imported(write(tmp_path / "three", {"README.md": "# Third\n\nQuince three.\n"}))
    site = Visitor(world, one, world.site(one, two))
    menu = site.page().one("details", "variants")
    first, second = menu.all("a")
    assert first["href"] == site.base
    assert first["aria-current"] == "true"
    assert second["href"].startswith(site.base)
    assert "aria-current" not in second.attributes
    there = site.page(second["href"])
    assert there.one("h1").text == "Second"
    assert there.one("details", "variants").all("a")[1]["aria-current"] == "true"
    guide = site.page(second["href"] + "guide")
    assert guide.one("div", "content").text == "Quince two."
    assert {href for _, href, _ in flat(site.nav(second["href"]))} == {second["href"], second["href"] + "guide"}
    assert {hit["href"] for hit in site.search("quince")} == {site.base + "guide", second["href"] + "guide"}
    assert foreign not in site.get("~octavo/search?q=quince").text
    assert site.get(second["href"] + "nowhere").status == 404


def test_the_first_tag_of_a_page_stands_in_the_table_of_contents(world: World, tmp_path: Path) -> None:
    files = {
        "README.md": "---\ntags:\n  - tag: beta\n    primary: true\n  - tag: other\n---\n\n# Home\n",
        "plain.md": "---\ntags:\n  - tag: other\n---\n\n# Plain\n",
        ".gitbook/tags.yaml": "- tag: beta\n  label: Beta & more\n- tag: other\n  label: Other\n",
    }
    site = visit(world, write(tmp_path, files))
    for path in ("", "plain"):
        tags = site.page(path).one("nav", "nav").all("small", "nav-tag")
        assert [one.text for one in tags] == ["Beta & more"]
