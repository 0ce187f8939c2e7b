"""What pages offer: in the order of the site, with addresses that lead somewhere, to those whom it is for."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from octavo.kernel.records.git import GitSync
from tests.client import World
from tests.publish.visiting import Element, Visitor, visit, write

FILES = {"SUMMARY.md": "* [Home](README.md)\n* [Ducks](ducks.md)\n", "README.md": "# Home\n", "ducks.md": "# Ducks\n"}
EVERY = ["git", "pdf", "mcp", "external-ai", "markdown", "assistant"]


@pytest.fixture
def site(world: World, tmp_path: Path) -> Visitor:
    made = visit(world, write(tmp_path, FILES), title="Pond")

    async def sync(unit: Any) -> None:
        await unit.spaces.put_git_sync(GitSync(
            space=made.space, organization=world.organization, url="https://git.test/a/b.git", repo_name="a/b",
            updated_at=unit.now, provider="github", ref="refs/heads/main", state="success",
        ))  # fmt: skip

    world.run(world.house.store.write(sync))
    return made


def _offered(site: Visitor, items: list[str] | None = None, **changes: Any) -> Element:
    if changes:
        site.change(**changes)
    if items is not None:
        at = f"/v1/orgs/{site.world.organization}/sites/{site.site['id']}/customization"
        assert site.world.api.put(at, {"pageActions": {"items": items}}).status == 200
    found = site.page("ducks").all("div", "actions")
    return found[0] if found else Element("")


def _titles(offered: Element) -> list[str]:
    return [one.text for one in offered.walk() if one.tag in ("a", "button")]


def test_they_stand_in_the_order_of_the_site(site: Visitor) -> None:
    assert _titles(_offered(site)) == [
        "Copy page", "View as Markdown", "Copy link", "Open in ChatGPT", "Open in Claude", "Copy the MCP address",
        "Connect VS Code by MCP", "Save as PDF", "Edit on GitHub",
    ]  # fmt: skip
    assert _titles(_offered(site, EVERY)) == [
        "Edit on GitHub", "Save as PDF", "Copy the MCP address", "Connect VS Code by MCP", "Open in ChatGPT",
        "Open in Claude", "Copy page", "View as Markdown", "Copy link",
    ]  # fmt: skip


def test_one_alone_needs_no_menu(site: Visitor) -> None:
    offered = _offered(site, ["pdf"])
    assert _titles(offered) == ["Save as PDF"]
    assert not offered.all("details")
    assert _offered(site, ["markdown"]).one("summary")["aria-label"] == "More ways to use this page"


def test_addresses_lead_where_they_say(site: Visitor) -> None:
    published = site.site["urls"]["published"]
    links = {one.text: one["href"] for one in _offered(site).all("a")}
    for name, host in (("ChatGPT", "chatgpt.com"), ("Claude", "claude.ai")):
        to = urlsplit(links[f"Open in {name}"])
        assert to.netloc == host
        assert f"{published}ducks.md" in parse_qs(to.query)["q"][0]
    assert "# Ducks" in site.get(urlsplit(f"{published}ducks.md").path).text
    asked = parse_qs(urlsplit(links["Connect VS Code by MCP"]).query)
    assert (asked["name"], json.loads(asked["config"][0])) == (
        ["Pond"],
        {"type": "http", "url": f"{published}~octavo/mcp"},
    )
    own, copied = (one["data-copy"] for one in _offered(site).all("button") if "data-copy" in one.attributes)
    assert own == f"{published}ducks"
    ping = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    assert site.client.post(urlsplit(copied).path, ping).json["result"] == {}
    assert site.get(links["View as Markdown"]).text.strip() == "# Ducks"
    assert site.get(links["Save as PDF"]).status == 200
    assert links["Edit on GitHub"].startswith("https://git.test/a/b/edit/main/")
    assert all("nofollow" in one["rel"] for one in _offered(site).all("a") if "Open in" in one.text)


def test_a_site_that_keeps_assistants_out_has_none_of_theirs(site: Visitor) -> None:
    assert _titles(_offered(site, agentsContext="excluded")) == ["Save as PDF", "Edit on GitHub"]


def test_assistants_are_offered_only_where_they_can_read(site: Visitor) -> None:
    at = f"/v1/orgs/{site.world.organization}/sites/{site.site['id']}/publishing/preview"
    site.change(visibility="share-link")
    preview = site.world.api.get(at).json["url"].partition("octavo.test")[2]
    titles = _titles(site.page(f"{preview}ducks").one("div", "actions"))
    assert not [one for one in titles if one.startswith("Open in")]
    # Nobody is given the PDF of a preview.
    assert "Save as PDF" not in titles
