"""What clients that there are already read, in the shapes in which they read it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from octavo.content.document import walk
from octavo.content.markdown import parse, print_page
from tests.client import World
from tests.contract.written import WRITTEN
from tests.resources.handbook import every, write


class Site:
    """The directory with one of everything, on a published site."""

    def __init__(self, world: World, folder: Path) -> None:
        self.api = world.api
        self.base = f"/v1/spaces/{world.imported(write(folder, WRITTEN))}"
        self.site = world.site(self.base.rpartition("/")[2])
        self.at = f"/v1/orgs/{world.organization}/sites/{self.site['id']}"
        self.revision: Any = self.api.get(f"{self.base}/content").json
        world.work()

    def page(self, title: str, query: str = "") -> Any:
        """A page as it is served."""
        found = next(one for one in every(self.revision["pages"]) if one["title"] == title)
        return self.api.get(f"{self.base}/content/page/{found['id']}{query}").json

    def nodes(self, kind: str) -> list[Any]:
        """Blocks or inlines of the page that has all of them."""
        return [one for one in walk(self.page("Blocks", "?format=document")["document"]) if one.get("type") == kind]


@pytest.fixture
def site(world: World, tmp_path: Path) -> Site:
    return Site(world, tmp_path)


def test_tags_of_a_revision_and_their_uses(site: Site) -> None:
    assert site.revision["tags"] == [
        {"slug": "new", "label": "New", "color": "green", "icon": "bird"},
        {"slug": "stable", "label": "Stable", "color": "default"},
        {"slug": "loud", "label": "loud", "color": "default", "emoji": "1f4e3"},
    ]
    new, stable = {"kind": "tag", "tag": "new"}, {"kind": "tag", "tag": "stable"}
    assert site.page("Blocks")["tags"] == [{"tag": new, "primary": True}, {"tag": stable}]
    [update] = site.nodes("update")
    assert update["data"] == {"date": "2026-03-01T00:00:00.000Z", "tags": [new, stable]}


def test_what_a_button_does_is_one_value(site: Site) -> None:
    leads, searches, asks = (one["data"] for one in site.nodes("button"))
    assert leads["ref"]["kind"] == "page"
    assert "action" not in leads
    assert searches["action"] == {"action": "search", "query": "hint"}
    assert asks["action"] == {"action": "ask", "query": "Why?"}


def test_expandables_are_void_and_images_have_fragments(site: Site) -> None:
    assert [one["isVoid"] for one in site.nodes("expandable")] == [True, True]
    assert [len(one["fragments"]) for one in site.nodes("image")] == [1, 0, 0]


def test_emoji_are_code_points_and_pages_show_the_characters(site: Site) -> None:
    assert (site.page("Blocks")["emoji"], site.page("More")["emoji"]) == ("1f680", "1f4d7")
    path = site.site["urls"]["published"].partition("octavo.test")[2]
    shown = site.api.get(f"{path}guides/blocks", token="").text
    assert "🚀" in shown
    assert "1f680" not in shown
    assert ">New<" in shown
    assert 'data-query="hint"' in shown


def test_every_site_space_has_a_customization_with_actions(site: Site) -> None:
    published = site.api.get(f"{site.at}/published").json
    [place] = published["structure"]["structure"]
    looks = published["customizations"]
    assert looks["siteSpaces"] == {place["id"]: looks["site"]}
    assert looks["site"]["pageActions"]["items"] == ["markdown", "external-ai", "mcp", "pdf", "git"]
    assert site.api.patch(site.at, {"agentsContext": "excluded"}).status == 200
    for look in site.api.get(f"{site.at}/published").json["customizations"].values():
        shown = look.get("pageActions") or look[place["id"]]["pageActions"]
        assert shown["items"] == ["markdown", "pdf", "git"]


def test_a_search_within_one_variant_and_within_the_others(site: Site) -> None:
    [place] = site.api.get(f"{site.at}/structure").json["structure"]

    def found(restriction: str) -> Any:
        scope = {"mode": "default", "currentSiteSpace": place["id"], "restrictTo": restriction}
        return site.api.post(f"{site.at}/search", {"query": "heron", "scope": scope}).json["items"]

    [space] = found("currentSiteSpace")
    assert [page["rank"] for page in space["pages"]] == [*range(1, len(space["pages"]) + 1)]
    assert {page["description"] for page in space["pages"]} <= {"", "All of them."}
    assert found("otherSiteSpaces") == []
    refused = site.api.post(f"{site.at}/search", {"query": "heron", "scope": {"restrictTo": "mine"}})
    assert refused.status == 400


def test_what_an_organization_is_billed_is_nothing(world: World) -> None:
    billing = world.api.get(f"/v1/orgs/{world.organization}").json["billing"]
    assert (billing["endDate"], billing["usageAddons"], billing["creditsBundle"]) == (None, {}, None)
    assert billing["pricing"]["sites"] == {
        "premium": {"monthly": 0, "yearly": 0},
        "ultimate": {"monthly": 0, "yearly": 0},
    }


def test_markdown_stays_what_it_was(site: Site) -> None:
    written = WRITTEN["blocks.md"].decode()
    page = parse(written)
    printed = print_page(page.document, front=page.front, title=page.title)
    for kept in (
        '{% update date="2026-03-01" tags="new,stable" %}',
        'data-action="search" data-query="hint"',
        "<summary>Nothing</summary>",
    ):
        assert kept in printed
    again = parse(printed)
    assert [one.get("data") for one in walk(again.document)] == [one.get("data") for one in walk(page.document)]
