"""What a site says to search engines and agents: robots.txt, sitemap.xml, llms.txt, llms-full.txt."""

from __future__ import annotations

import re
from datetime import datetime
from pathlib import Path
from urllib.parse import urlsplit
from xml.etree import ElementTree

import msgspec
import pytest

from octavo.importing import Order, import_into
from octavo.kernel.records.sites import SiteSection, SiteSpace
from octavo.publish import machines
from octavo.publish.machines import Shelf
from octavo.publish.reading import contents_at
from octavo.site.snapshot import Place, Snapshot, find_site, snapshot_of
from octavo.store.unit import Unit
from tests.client import World
from tests.publish.visiting import Visitor, visit, write

NAMESPACE = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
PUBLIC = "http://octavo.test/sites/docs/"
NEVER = "if: visitor.claims.unsigned.plan == 'gold'"
FILES: dict[str, str | bytes] = {
    "SUMMARY.md": """* [Home](README.md)
* [One](one.md)
* [Hidden](hidden.md)
  * [Below hidden](below-hidden.md)
* [Closed](closed.md)
  * [Below closed](below-closed.md)
* [Elsewhere](https://example.org)

## Guides & more

* [Two](two.md)
  * [Unsearchable](unsearchable.md)
  * [Unindexed](unindexed.md)
""",
    "README.md": "---\ndescription: All about *terns*\n---\n\n# Home\n",
    "one.md": "---\ndescription: The first\n---\n\n# One [of two]\n",
    "two.md": "# Two & three < four\n",
    "hidden.md": "---\nhidden: true\n---\n\n# Hidden\n",
    "below-hidden.md": "# Below hidden\n",
    "closed.md": f"---\n{NEVER}\n---\n\n# Closed\n",
    "below-closed.md": "# Below closed\n",
    "unsearchable.md": "---\nnoIndex: true\n---\n\n# Unsearchable\n",
    "unindexed.md": "---\nnoRobotsIndex: true\n---\n\n# Unindexed\n",
    "outside.md": "# Outside\n",
}


@pytest.fixture
def site(world: World, tmp_path: Path) -> Visitor:
    """A site with pages of every degree of openness."""
    return visit(world, write(tmp_path, FILES))


def _addresses(xml: str) -> list[str]:
    root = ElementTree.fromstring(xml)
    assert root.tag in (NAMESPACE + "urlset", NAMESPACE + "sitemapindex")
    return [one.text or "" for one in root.iter(NAMESPACE + "loc")]


def _links(text: str) -> list[tuple[str, str]]:
    found = re.findall(r"^- \[((?:[^\]\\]|\\.)*)\]\((\S+)\)(?::.*)?$", text, re.MULTILINE)
    assert len(found) == text.count("\n- ")
    return found


def test_robots_are_told_where_the_pages_are(site: Visitor) -> None:
    public = site.site["urls"]["published"]
    lines = site.get("robots.txt").text.splitlines()
    assert lines == [
        "User-agent: *",
        f"Disallow: {site.base}~octavo/search",
        f"Disallow: {site.base}*~octavo/nav/",
        "",
        f"Sitemap: {public}sitemap.xml",
    ]
    on_own_host = site.client.get("/robots.txt", headers={"host": f"{site.site['basename']}.localhost"})
    assert "Disallow: /~octavo/search\n" in on_own_host.text


def test_a_site_that_is_not_for_search_engines_sends_them_away(site: Visitor) -> None:
    """Who has the address of an unlisted site may read it, an agent as well."""
    site.change(visibility="unlisted")
    assert site.get("robots.txt").text == "User-agent: *\nDisallow: /\n"
    assert site.get("sitemap.xml").status == 404
    assert site.get("llms.txt").status == 200
    assert site.get("one.md").status == 200


def test_the_sitemap_has_the_pages_that_may_be_found(site: Visitor) -> None:
    public = site.site["urls"]["published"]
    reply = site.get("sitemap.xml")
    assert reply.headers["content-type"] == "application/xml; charset=utf-8"
    assert _addresses(reply.text) == [public, public + "one", public + "guides-more/two"]
    for address in _addresses(reply.text):
        page = site.page(urlsplit(address).path)
        assert page.one("link", rel="canonical")["href"] == address
        assert not page.all("meta", name="robots")
    dates = [one.text or "" for one in ElementTree.fromstring(reply.text).iter(NAMESPACE + "lastmod")]
    assert len(dates) == 3
    pages = site.world.api.get(f"/v1/spaces/{site.space}/content/pages").json["pages"]
    updated = datetime.fromisoformat(pages[0]["updatedAt"]).replace(microsecond=0)
    assert datetime.fromisoformat(dates[0]) == updated


def test_the_list_for_agents(site: Visitor) -> None:
    """In the form of llmstxt.org: a title, a quote, then nothing but headings of level two and links."""
    public = site.site["urls"]["published"]
    text = site.get("llms.txt").text
    assert text.startswith("# Docs\n\n> All about \\*terns\\*\n\n")
    assert re.findall("^#+ .*$", text, re.MULTILINE) == ["# Docs", "## Pages", "## Guides & more"]
    assert _links(text) == [
        ("Home", public + "readme.md"),
        ("One \\[of two\\]", public + "one.md"),
        ("Two & three < four", public + "guides-more/two.md"),
        ("Unindexed", public + "guides-more/two/unindexed.md"),
    ]
    assert f"({public}one.md): The first\n" in text
    for _, address in _links(text):
        assert site.get(urlsplit(address).path).status == 200


def test_the_texts_of_all_pages(site: Visitor) -> None:
    public = site.site["urls"]["published"]
    reply = site.get("llms-full.txt")
    assert "link" not in reply.headers
    assert re.findall("^# .*$", reply.text, re.MULTILINE) == [
        "# Home",
        "# One \\[of two]",
        "# Two & three < four",
        "# Unindexed",
    ]
    assert reply.text.startswith(f"# Home\n\nSource: {public}\n\n> All about \\*terns\\*\n")


def test_texts_come_in_parts_of_which_each_names_the_next(
    site: Visitor, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = site.get("llms-full.txt").text
    monkeypatch.setattr(machines, "FULL_PAGES", 3)
    # Another address has nothing finished yet.
    site.change(basename=f"parts-{site.site['id'][-8:].lower().strip('-_')}")
    whole = whole.replace(PUBLIC, site.site["urls"]["published"])
    first = site.get("llms-full.txt")
    following = f"{site.site['urls']['published']}llms-full.txt?page=2"
    assert first.headers["link"] == f'<{following}>; rel="next"'
    assert first.text.endswith(f"\n\nNext page: {following}\n")
    second = site.get("llms-full.txt?page=2")
    assert "link" not in second.headers
    assert re.findall("^# .*$", first.text + second.text, re.MULTILINE) == re.findall("^# .*$", whole, re.MULTILINE)
    for page in ("0", "3", "x", "-1", "99999999", "²"):
        assert site.get(f"llms-full.txt?page={page}").status == 404, page


@pytest.mark.parametrize(
    ("asked", "leads"),
    [
        ("Robots.TXT", "robots.txt"),
        ("sitemap.xml/", "sitemap.xml"),
        ("LLMS.txt", "llms.txt"),
        ("llms-Full.txt?page=2", "llms-full.txt?page=2"),
    ],
)
def test_other_spellings_lead_there(kitchen: Visitor, asked: str, leads: str) -> None:
    if "?" in asked:
        assert kitchen.get(leads).status == 404
        asked, leads = asked.replace("2", "1"), leads.replace("2", "1")
    reply = kitchen.get(asked)
    assert (reply.status, reply.headers["location"]) == (308, kitchen.base + leads)


@pytest.mark.parametrize("path", ["sitemap.xml", "llms.txt", "llms-full.txt", "changelog/rss.xml"])
def test_kept_compressed_and_answered_like_pages(kitchen: Visitor, path: str) -> None:
    reply = kitchen.get(path)
    assert reply.status == 200
    assert reply.headers["cache-control"] == "no-cache"
    again = kitchen.get(path, headers={"if-none-match": reply.headers["etag"]})
    assert (again.status, again.body, again.headers["etag"]) == (304, b"", reply.headers["etag"])
    assert kitchen.get(path, headers={"accept-encoding": "gzip"}).headers["content-encoding"] == "gzip"
    asked = kitchen.client.request("HEAD", kitchen.base + path)
    assert (asked.status, asked.headers, asked.body) == (200, reply.headers, b"")


def test_what_changes_is_told_at_once(world: World, tmp_path: Path) -> None:
    site = visit(world, write(tmp_path, {"README.md": "# Home\n", "old.md": "# Old\n"}))
    before = {path: site.get(path) for path in ("sitemap.xml", "llms.txt", "llms-full.txt")}
    write(tmp_path, {"new.md": "# New words\n"})
    world.run(import_into(world.house, Order(str(tmp_path), world.organization, site.space), quiet=True))
    for path, reply in before.items():
        after = site.get(path, headers={"if-none-match": reply.headers["etag"]})
        assert after.status == 200, path
        assert "new" in after.text.replace("New", "new"), path
    site.change(title="Another name")
    assert site.get("llms.txt").text.startswith("# Another name\n")


def test_a_site_that_shows_nothing_has_nothing_to_list(world: World) -> None:
    site = Visitor(world, "", world.site())
    for path in ("sitemap.xml", "llms.txt", "llms-full.txt"):
        assert site.get(path).status == 404, path
    assert site.get("robots.txt").status == 200


def test_each_variant_has_a_list_of_its_own(world: World, tmp_path: Path) -> None:
    one = world.imported(
        write(tmp_path / "1", {"README.md": "# First\n", "guide.md": "# Guide\n\nQuince one.\n"}), "V1"
    )
    two = world.imported(
        write(tmp_path / "2", {"README.md": "# Second\n", "guide.md": "# Guide\n\nQuince two.\n"}), "V2"
    )
    site = Visitor(world, one, world.site(one, two))
    public = site.site["urls"]["published"]
    whole = site.get("llms.txt").text
    assert re.findall("^## .*$", whole, re.MULTILINE) == ["## V1", "## V2"]
    assert [address for _, address in _links(whole)] == [
        public + path for path in ("readme.md", "guide.md", "v2/readme.md", "v2/guide.md")
    ]
    assert _addresses(site.get("sitemap.xml").text) == [public + path for path in ("", "guide", "v2/", "v2/guide")]
    alone = site.get("v2/llms.txt").text
    assert alone.startswith("# Docs: V2\n")
    assert f"{public}v2/llms-full.txt" in alone
    assert [address for _, address in _links(alone)] == [public + "v2/readme.md", public + "v2/guide.md"]
    assert "Quince one." not in site.get("v2/llms-full.txt").text
    assert "Quince two." in site.get("v2/llms-full.txt").text
    assert site.get("v2/README.md").headers["location"] == site.base + "v2/readme.md"
    assert site.get("v2/sitemap.xml").status == 404


async def _sectioned(unit: Unit, word: str) -> tuple[Snapshot, list[Shelf]]:
    """The site's only space in two sections, the second with a hidden variant, and in one that is not open yet."""
    site = await find_site(unit, word)
    assert site is not None
    snapshot = await snapshot_of(unit, site)
    shown = snapshot.site_spaces[0]

    def section(id_: str, title: str, *, default: bool = False, draft: bool = False) -> SiteSection:
        return SiteSection(
            id=id_,
            organization=site.organization,
            site=site.id,
            title=title,
            path=id_,
            position=id_,
            default=default,
            draft=draft,
        )

    def variant(id_: str, section: str, **more: bool) -> SiteSpace:
        return msgspec.structs.replace(shown, id=id_, path=id_, section=section, **{"default": True} | more)

    snapshot = msgspec.structs.replace(
        snapshot,
        sections=[section("a", "Guides", default=True), section("b", "API"), section("c", "Soon", draft=True)],
        site_spaces=[
            variant("v3", "c"),
            variant("v1", "b"),
            variant("v2", "b", default=False, hidden=True),
            variant("v0", "a"),
        ],
    )
    contents = await contents_at(unit, snapshot, shown.space)
    return snapshot, [Shelf(place, contents) for place in machines.shown_places(snapshot)]


def test_sections_come_in_their_order_and_only_open_ones(site: Visitor) -> None:
    snapshot, shelves = site.world.run(
        site.world.house.store.read(lambda unit: _sectioned(unit, site.site["basename"]))
    )
    assert [shelf.place.base for shelf in shelves] == ["", "b/"]
    place = snapshot.place("")
    assert isinstance(place, Place)
    text = machines.llms(snapshot, shelves, PUBLIC, place)
    assert re.findall("^## .*$", text, re.MULTILINE) == [
        "## Guides",
        "## Guides: Guides & more",
        "## API",
        "## API: Guides & more",
    ]
    files = machines.sitemap(snapshot, shelves, PUBLIC)
    assert _addresses(files["sitemap.xml"]) == [
        PUBLIC + path for path in ("", "one", "guides-more/two", "b/", "b/one", "b/guides-more/two")
    ]


def test_a_large_sitemap_has_parts(site: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    snapshot, shelves = site.world.run(
        site.world.house.store.read(lambda unit: _sectioned(unit, site.site["basename"]))
    )
    whole = _addresses(machines.sitemap(snapshot, shelves, PUBLIC)["sitemap.xml"])
    for name, most in (("PART_ENTRIES", 4), ("PART_BYTES", 300)):
        monkeypatch.setattr(machines, name, most)
        files = machines.sitemap(snapshot, shelves, PUBLIC)
        parts = _addresses(files["sitemap.xml"])
        assert len(parts) > 1
        assert parts == [PUBLIC + part for part in files if part != "sitemap.xml"]
        assert [one for part in parts for one in _addresses(files[part.removeprefix(PUBLIC)])] == whole
        assert all(len(xml) < 500 or name == "PART_ENTRIES" for xml in files.values())
        dates = list(ElementTree.fromstring(files["sitemap.xml"]).iter(NAMESPACE + "lastmod"))
        assert len(dates) == len(parts)
        monkeypatch.undo()
    monkeypatch.setattr(machines, "PART_ENTRIES", 2)
    site.change(title="In parts")
    for address in _addresses(site.get("sitemap.xml").text):
        assert site.get(urlsplit(address).path).status == 200
    assert site.get("sitemap-9.xml").status == 404


def test_the_corpus_is_listed_whole(corpus_site: Visitor) -> None:
    public = corpus_site.site["urls"]["published"]
    addresses = _addresses(corpus_site.get("sitemap.xml").text)
    assert len(addresses) == len(set(addresses)) == 156
    listed = [address for _, address in _links(corpus_site.get("llms.txt").text)]
    assert [address.removesuffix(".md") for address in listed[1:]] == addresses[1:]
    sources, path = [], "llms-full.txt"
    while path:
        reply = corpus_site.get(path)
        assert len(reply.body) < 1_000_000
        sources += re.findall(r"^Source: (\S+)$", reply.text, re.MULTILINE)
        following = re.search(r"\nNext page: (\S+)\n\Z", reply.text)
        assert bool(following) == ("link" in reply.headers)
        path = following[1].removeprefix(public) if following else ""
    assert sources == addresses
