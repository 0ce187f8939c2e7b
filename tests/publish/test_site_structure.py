"""What visitors see of a site's structure: tabs, menus, links to elsewhere, variants, and addresses that lead there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.client import World
from tests.publish.visiting import Element, Visitor, tree, visit, write
from tests.resources.sites.building import Site

PAGES = {
    "SUMMARY.md": "* [Home](README.md)\n* [Install](install.md)\n* [Only here](only.md)\n* [Secret](secret.md)\n",
    "README.md": "# Home\n\nA heron.\n",
    "install.md": "# Install\n\nA heron.\n",
    "only.md": "# Only here\n\nA heron.\n",
    "secret.md": '---\nif: visitor.claims.plan == "gold"\n---\n\n# Secret\n\nA heron.\n',
}
OLDER = {
    "SUMMARY.md": "* [Old home](README.md)\n* [Installing](install.md)\n* [Secret](secret.md)\n",
    "README.md": "# Old home\n\nA tern.\n",
    "install.md": "# Installing\n\nA tern.\n",
    "secret.md": PAGES["secret.md"],
}


class Structured(Site):
    """The site of a visitor, to build on."""

    def __init__(self, visitor: Visitor) -> None:
        self.world, self.record, self.id = visitor.world, visitor.site, visitor.site["id"]
        self.path = f"/v1/orgs/{self.world.organization}/sites/{self.id}"


@pytest.fixture
def visitor(world: World, tmp_path: Path) -> Visitor:
    return visit(world, write(tmp_path / "new", PAGES), title="Field guide")


@pytest.fixture
def site(visitor: Visitor) -> Structured:
    return Structured(visitor)


@pytest.fixture
def older(world: World, site: Structured, tmp_path: Path) -> Any:
    """A second variant; `Installing` has the path of `Install`."""
    space = world.imported(write(tmp_path / "old", OLDER), "Version 1")
    return site.ask("POST", "site-spaces", {"spaceId": space, "title": "Version 1"}, 201).json


def _bar(page: Element) -> Element:
    return page.one("nav", "sections")


def _links(within: Element) -> list[tuple[str, str]]:
    return [(one.one("span").text if one.all("span") else one.text, one["href"]) for one in within.all("a")]


def test_one_section_needs_no_bar_and_a_flat_site_has_none(visitor: Visitor, site: Structured) -> None:
    assert not visitor.page().all("nav", "sections")
    made = site.section("Reference")
    bar = _bar(visitor.page())
    assert _links(bar) == [("Imported", visitor.base), ("Reference", f"{visitor.base}reference/")]
    assert [one.text for one in bar.all("a", aria_current="true")] == ["Imported"]
    assert [one.text for one in _bar(visitor.page("reference/")).all("a", aria_current="true")] == ["Reference"]
    site.ask("DELETE", f"sections/{made['id']}", status=205)
    assert not visitor.page().all("nav", "sections")
    assert visitor.get("reference/").status == 404


def test_addresses_stay_when_a_flat_site_gets_sections(visitor: Visitor, site: Structured, older: Any) -> None:
    addresses = ("", "install", "only", "version-1/", "version-1/install")
    before = [visitor.page(path).one("h1").text for path in addresses]
    site.section("Reference")
    assert [visitor.page(path).one("h1").text for path in addresses] == before
    assert before == ["Home", "Install", "Only here", "Old home", "Installing"]


def test_a_group_is_a_menu_and_a_link_opens_elsewhere(visitor: Visitor, site: Structured) -> None:
    outer = site.group("Products", icon="cubes")
    inner = site.group("More", parent=outer["id"])
    feathers = site.section("Feathers", siteSectionGroupId=outer["id"])
    site.ask("PATCH", f"sections/{feathers['id']}", {"description": "What keeps birds warm"}, 200)
    site.section("Herons", siteSectionGroupId=inner["id"])
    site.link("Status", parent=outer["id"], url="https://status.example.org/?a=1&b=2")
    site.link("Community")
    page = visitor.page("herons/")
    bar = _bar(page)
    menu = bar.one("details", "menu")
    assert menu.one("summary").text == "Products"
    assert menu.one("summary")["aria-current"] == "true"
    assert [one.text for one in menu.all("p")] == ["More"]
    assert [(one["href"], one.attributes.get("target")) for one in menu.all("a")] == [
        (f"{visitor.base}herons/", None), (f"{visitor.base}feathers/", None),
        ("https://status.example.org/?a=1&b=2", "_blank"),
    ]  # fmt: skip
    assert menu.all("a")[2]["rel"] == "noopener"
    assert [one.text for one in menu.all("small")] == ["What keeps birds warm"]
    assert [one.text for one in menu.all("a", aria_current="true")] == ["Herons"]
    assert bar.all("a")[-1].text == "Community"
    # The drawer of small screens has the same.
    drawer = page.one("nav", "drawer-links")
    assert [one["href"] for one in drawer.all("a")] == [one["href"] for one in bar.all("a")]
    assert [one.text for one in drawer.all("p")] == ["Products", "More"]


def test_a_group_with_nothing_to_see_is_absent(visitor: Visitor, site: Structured) -> None:
    group = site.group("Products")
    site.group("Empty", parent=group["id"])
    site.link("Community")
    assert "Products" not in _bar(visitor.page()).text
    draft = site.section("Feathers", siteSectionGroupId=group["id"], draft=True)
    assert "Products" not in _bar(visitor.page()).text
    site.ask("PATCH", f"sections/{draft['id']}", {"draft": False}, 200)
    assert "Feathers" in _bar(visitor.page()).text


def test_drafts_and_what_is_for_others_are_absent(visitor: Visitor, site: Structured) -> None:
    made = {title: site.section(title) for title in ("Draft", "Closed", "Grouped")}
    group = site.group("Group", sections=[made["Grouped"]["id"]])
    links = {title: site.link(title) for title in ("Linked", "Members")}
    for path in ("draft/", "closed/", "grouped/"):
        assert visitor.get(path).status == 200
    site.ask("PATCH", f"sections/{made['Draft']['id']}", {"draft": True}, 200)
    site.ask("PATCH", f"sections/{made['Closed']['id']}", {"condition": "visitor.claims.staff"}, 200)
    site.ask("PATCH", f"section-groups/{group['id']}", {"draft": True}, 200)
    site.ask("PATCH", f"external-links/{links['Linked']['id']}", {"draft": True}, 200)
    site.ask("PATCH", f"external-links/{links['Members']['id']}", {"condition": "visitor.claims.staff"}, 200)
    assert not visitor.page().all("nav", "sections")
    for path in ("draft/", "closed/", "grouped/"):
        assert visitor.get(path).status == 404, path
    for path in ("sitemap.xml", "llms.txt", "llms-full.txt"):
        text = visitor.get(path).text.lower()
        assert not any(word in text for word in ("/draft/", "/closed/", "/grouped/")), path


def test_titles_in_the_language_of_the_page(visitor: Visitor, site: Structured) -> None:
    made = site.section("Guides")
    site.ask("PATCH", f"sections/{made['id']}", {"localizedTitle": {"de": "Anleitungen"}}, 200)
    assert "Guides" in _bar(visitor.page()).text
    assert site.world.api.patch(f"/v1/spaces/{visitor.space}", {"language": "de"}).status == 200
    assert "Anleitungen" in _bar(visitor.page()).text
    assert "Guides" in _bar(visitor.page("guides/")).text


def test_results_of_a_search_name_their_section_in_the_language_of_the_reader(
    visitor: Visitor, site: Structured
) -> None:
    site.section("Guides")
    [first] = [one for one in site.world.api.get(f"{site.path}/sections").json["items"] if one["default"]]
    site.ask("PATCH", f"sections/{first['id']}", {"title": "Birds", "localizedTitle": {"de": "Vögel"}}, 200)

    def places() -> set[str]:
        found = visitor.get(f"~octavo/search?q=heron&in={visitor.space}", headers={"accept": "application/json"})
        return {one["where"] for one in found.json["items"]}

    assert places() == {"Birds"}
    assert site.world.api.patch(f"/v1/spaces/{visitor.space}", {"language": "de"}).status == 200
    assert places() == {"Vögel"}


def test_a_variant_keeps_the_page_where_it_has_one_with_that_path(visitor: Visitor, older: Any) -> None:
    def ways(path: str) -> list[tuple[str, str]]:
        return _links(visitor.page(path).one("details", "variants"))

    there = f"{visitor.base}version-1/"
    assert ways("") == [("Imported", visitor.base), ("Version 1", there)]
    assert ways("install") == [("Imported", f"{visitor.base}install"), ("Version 1", f"{there}install")]
    assert ways("only") == [("Imported", f"{visitor.base}only"), ("Version 1", there)]
    assert ways("version-1/install") == [("Imported", f"{visitor.base}install"), ("Version 1", f"{there}install")]
    for path in ("install", "only", ""):
        for _, href in ways(path):
            assert visitor.get(href).status == 200, href


def test_a_variant_says_nothing_of_pages_for_others(visitor: Visitor, world: World, older: Any, tmp_path: Path) -> None:
    """The page of that path in the other variant has a condition that does not hold."""
    files = {**PAGES, "secret.md": "# Secret\n\nFor all.\n"}
    space = world.imported(write(tmp_path / "open", files), "Open")
    Structured(visitor).ask("POST", "site-spaces", {"spaceId": space, "title": "Open"}, 201)
    ways = _links(visitor.page("open/secret").one("details", "variants"))
    assert ways == [
        ("Imported", visitor.base), ("Version 1", f"{visitor.base}version-1/"), ("Open", f"{visitor.base}open/secret"),
    ]  # fmt: skip


def test_a_change_in_one_variant_is_seen_in_the_switch_of_the_other(visitor: Visitor, world: World, older: Any) -> None:
    assert _links(visitor.page("only").one("details", "variants"))[1][1] == f"{visitor.base}version-1/"
    old = older["space"]["id"]
    assert world.api.patch(f"/v1/spaces/{old}", {"editMode": "live"}).status == 200
    change = {"operation": "insert_page", "title": "Only", "slug": "only", "document": {"markdown": "Now here."}}
    assert world.api.post(f"/v1/spaces/{old}/content", {"changes": [change]}).status == 200
    assert _links(visitor.page("only").one("details", "variants"))[1][1] == f"{visitor.base}version-1/only"


def test_variants_that_are_languages_are_told_to_machines(visitor: Visitor, world: World, older: Any) -> None:
    assert not visitor.page("install").all("link", hreflang="fr")
    for space, language in ((visitor.space, "en"), (older["space"]["id"], "pt-br")):
        assert world.api.patch(f"/v1/spaces/{space}", {"language": language}).status == 200
    public = visitor.site["urls"]["published"]
    told = {
        one["hreflang"]: one["href"]
        for one in visitor.page("install").all("link", rel="alternate")
        if "hreflang" in one.attributes
    }
    assert told == {"en": f"{public}install", "pt-BR": f"{public}version-1/install"}
    assert not any("hreflang" in one.attributes for one in visitor.page("only").all("link", rel="alternate"))
    switch = visitor.page("install").one("details", "variants")
    assert [one["hreflang"] for one in switch.all("a")] == ["en", "pt-BR"]


def test_a_hidden_variant_is_reached_but_not_listed(visitor: Visitor, site: Structured, older: Any) -> None:
    site.ask("PATCH", f"site-spaces/{older['id']}", {"hidden": True}, 200)
    assert not visitor.page().all("details", "variants")
    assert {one["title"] for one in visitor.search("tern")} == set()
    for path in ("sitemap.xml", "llms.txt"):
        assert "version-1" not in visitor.get(path).text
    page = visitor.page("version-1/install")
    assert page.one("h1").text == "Installing"
    # There, it is known where one is.
    assert page.one("details", "variants").one("summary").text == "Version 1"
    found = visitor.get(
        f"~octavo/search?q=tern&in={older['space']['id']}", headers={"accept": "application/json"}
    ).json["items"]
    assert {one["title"] for one in found} == {"Old home", "Installing"}


def test_a_section_with_nothing_listed_has_no_tab(visitor: Visitor, site: Structured) -> None:
    made = site.section("Reference")
    site.section("Other")
    site.ask("PATCH", f"site-spaces/{made['siteSpaces'][0]['id']}", {"hidden": True}, 200)
    assert "Reference" not in _bar(visitor.page()).text
    assert visitor.get("reference/").status == 200


def test_a_draft_variant_is_nowhere(visitor: Visitor, site: Structured, older: Any) -> None:
    site.ask("PATCH", f"site-spaces/{older['id']}", {"draft": True}, 200)
    assert not visitor.page().all("details", "variants")
    for path in ("version-1/", "version-1/install"):
        assert visitor.get(path).status == 404


def test_the_root_always_leads_to_content(visitor: Visitor, site: Structured, older: Any) -> None:
    """To what is the default; where visitors do not see that, for now to what comes next."""
    first = site.spaces()[0]["id"]
    site.ask("PATCH", f"site-spaces/{first}", {"draft": True}, 200)
    reply = visitor.get()
    assert (reply.status, reply.headers["location"]) == (307, f"{visitor.base}version-1/")
    site.ask("PATCH", f"site-spaces/{first}", {"draft": False}, 200)
    assert visitor.page().one("h1").text == "Home"
    site.ask("DELETE", f"site-spaces/{first}", status=205)
    assert visitor.page().one("h1").text == "Old home"
    assert visitor.page("install").one("h1").text == "Installing"
    # The address of before leads to where it is now, as long as nothing else is there.
    reply = visitor.get("version-1/install")
    assert (reply.status, reply.headers["location"]) == (307, f"{visitor.base}install")


def test_another_default_section_takes_the_root(visitor: Visitor, site: Structured) -> None:
    made = site.section("Reference")
    assert site.world.api.patch(site.path, {"defaultSiteSection": made["id"]}).status == 200
    assert visitor.page("imported/install").one("h1").text == "Install"
    assert visitor.get("install").status == 404
    reply = visitor.get("reference/")
    assert (reply.status, reply.headers["location"]) == (307, visitor.base)


def test_a_variant_with_the_path_of_its_section_is_reached(visitor: Visitor, site: Structured, older: Any) -> None:
    """The default section and its first site-space have one path: the section's is none once it is not the default's."""
    site.section("Reference")
    section = next(one for one in site.sections() if one["default"])
    assert section["path"] == section["siteSpaces"][0]["path"] == "imported"
    site.ask("PATCH", f"sections/{section['id']}", {"defaultSiteSpace": older["id"]}, 200)
    assert visitor.page().one("h1").text == "Old home"
    assert visitor.page("imported/install").one("h1").text == "Install"


def test_a_page_with_the_path_of_its_site_space_is_reached(world: World, tmp_path: Path) -> None:
    pages = PAGES | {
        "SUMMARY.md": PAGES["SUMMARY.md"] + "* [Guide](guide.md)\n  * [Inner](guide/inner.md)\n",
        "guide.md": "# Guide\n\nA tern.\n\n"
        '{% updates %}\n{% update date="2026-01-01" %}\n## New\n{% endupdate %}\n{% endupdates %}\n',
        "guide/inner.md": "# Inner\n\nA gull.\n",
    }
    space = world.imported(write(tmp_path / "docs", pages), "Guide")
    site = world.site(space, title="Guide")
    base = f"/sites/{site['basename']}/"
    open_ = world.api.get
    assert "A tern." in open_(base + "guide").text
    assert "A tern." in open_(base + "guide.md").text
    assert "A gull." in open_(base + "guide/inner").text
    assert "<title>New" in open_(base + "guide/rss.xml").text
    # No page stands there: it is the site-space that has the address besides.
    assert open_(base + "guide/install").headers["location"] == base + "install"
    assert open_(base + "GUIDE").headers["location"] == base + "guide"


def test_paths_are_found_in_any_case(visitor: Visitor, site: Structured) -> None:
    site.section("Reference")
    reply = visitor.get("REFERENCE/")
    assert (reply.status, reply.headers["location"]) == (308, f"{visitor.base}reference/")


def test_a_site_space_may_begin_with_another_page(visitor: Visitor, site: Structured) -> None:
    pages = site.world.api.get(f"/v1/spaces/{visitor.space}/content/pages").json["pages"]
    wanted = next(one["id"] for one in pages if one["title"] == "Install")
    one = f"site-spaces/{site.spaces()[0]['id']}"
    assert visitor.page().one("h1").text == "Home"
    site.ask("PATCH", one, {"pageId": wanted}, 200)
    assert visitor.page().one("h1").text == "Install"
    assert visitor.get("install").headers["location"] == visitor.base
    home = next(entry for entry in visitor.nav() if entry[0] == "Home")
    assert visitor.get(home[1]).status == 200
    assert tree(visitor.get(home[1]).text).one("h1").text == "Home"
    assert {entry[0]: entry[1] for entry in visitor.nav("only")}["Install"] == visitor.base
    site.ask("PATCH", one, {"pageId": None}, 200)
    assert visitor.page().one("h1").text == "Home"
    assert visitor.page("install").one("h1").text == "Install"


def test_redirects_lead_to_the_page_that_is_meant_whatever_a_site_space_begins_with(
    visitor: Visitor, site: Structured
) -> None:
    pages = {
        one["title"]: one["id"] for one in site.world.api.get(f"/v1/spaces/{visitor.space}/content/pages").json["pages"]
    }
    [held] = site.spaces()
    for source, title in (("/start", "Home"), ("/setup", "Install")):
        to = {"kind": "site-page", "siteSpaceId": held["id"], "pageId": pages[title]}
        site.ask("POST", "redirects", {"source": source, "destination": to}, 201)
    site.ask("PATCH", f"site-spaces/{held['id']}", {"pageId": pages["Install"]}, 200)
    for source, title in (("start", "Home"), ("setup", "Install")):
        reply = visitor.get(source)
        assert reply.status == 307
        assert visitor.page(reply.headers["location"]).one("h1").text == title
    assert visitor.get("setup").headers["location"] == visitor.base


def test_redirects_do_not_tell_where_hidden_places_are(visitor: Visitor, site: Structured, older: Any) -> None:
    pages = {
        one["title"]: one["id"] for one in site.world.api.get(f"/v1/spaces/{visitor.space}/content/pages").json["pages"]
    }
    held = site.spaces()[0]
    section = site.section("Reference")
    leads: dict[str, dict[str, str]] = {
        "page": {"kind": "site-page", "siteSpaceId": held["id"], "pageId": pages["Secret"]},
        "space": {"kind": "site-space", "siteSpaceId": older["id"]},
        "section": {"kind": "site-section", "siteSectionId": section["id"]},
        "open": {"kind": "site-page", "siteSpaceId": held["id"], "pageId": pages["Install"]},
    }
    for name, to in leads.items():
        site.ask("POST", "redirects", {"source": f"/to-{name}", "destination": to}, 201)
    assert [visitor.get(f"to-{name}").status for name in leads] == [404, 307, 307, 307]
    site.ask("PATCH", f"site-spaces/{older['id']}", {"draft": True}, 200)
    site.ask("PATCH", f"sections/{section['id']}", {"draft": True}, 200)
    replies = [visitor.get(f"to-{name}") for name in leads]
    assert [reply.status for reply in replies] == [404, 404, 404, 307]
    assert not any("location" in reply.headers for reply in replies[:3])
