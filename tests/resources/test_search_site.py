"""POST …/sites/{site}/search: where it looks, and what comes first."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.client import Client, World
from tests.publish.visiting import write


class Searched:
    """A site of two spaces that both tell of herons, the second more of them."""

    def __init__(self, world: World, tmp_path: Path) -> None:
        self.world = world
        little = {
            "README.md": "# Little\n\nA page.\n\nOnce a heron, far below other words.\n",
            "SUMMARY.md": "* [Little](README.md)\n",
        }
        much = {
            "README.md": "# Much\n", "heron.md": "# Heron\n\nThe heron of herons.\n",
            "SUMMARY.md": "* [Much](README.md)\n* [Heron](heron.md)\n",
        }  # fmt: skip
        self.spaces = [world.imported(write(tmp_path / name, files)) for name, files in (("a", little), ("b", much))]
        world.work()
        self.site = world.site(*self.spaces)
        self.at = f"/v1/orgs/{world.organization}/sites/{self.site['id']}"
        self.places = world.api.get(f"{self.at}/site-spaces").json["items"]

    def find(self, token: str | None = None, **body: Any) -> list[str]:
        """The spaces in which a heron was found, in their order."""
        reply = self.world.api.post(f"{self.at}/search", {"query": "heron", **body}, token=token)
        assert reply.status == 200, reply.text
        assert reply.json["count"] == sum(len(one["pages"]) for one in reply.json["items"])
        return [one["id"] for one in reply.json["items"]]

    def place(self, number: int) -> str:
        found: str = next(one["id"] for one in self.places if one["space"]["id"] == self.spaces[number])
        return found


@pytest.fixture
def site(world: World, tmp_path: Path) -> Searched:
    return Searched(world, tmp_path)


def test_what_the_current_one_has_comes_first(site: Searched) -> None:
    assert site.find() == [site.spaces[1], site.spaces[0]]
    scope = {"mode": "default", "currentSiteSpace": site.place(0)}
    assert site.find(scope=scope) == site.spaces
    # Also where a page of hits ends before all others.
    reply = site.world.api.post(f"{site.at}/search?limit=1", {"query": "heron", "scope": scope}).json
    assert [one["id"] for one in reply["items"]] == [site.spaces[0]]
    assert (reply["count"], reply["items"][0]["pages"][0]["rank"]) == (2, 1)


def test_hidden_ones_are_found_only_where_they_are_asked_for(site: Searched) -> None:
    world = site.world
    assert world.api.patch(f"{site.at}/site-spaces/{site.place(1)}", {"hidden": True}).status == 200
    for token in (None, world.person("read")):
        assert site.find(token) == [site.spaces[0]]
        assert site.find(token, scope={"mode": "default", "currentSiteSpace": site.place(1)}) == site.spaces[::-1]
        assert site.find(token, scope={"mode": "specific", "siteSpaceIds": [site.place(1)]}) == [site.spaces[1]]
    # Assistants are led where readers are.
    base = f"/sites/{site.site['basename']}/"
    call = {"name": "search", "arguments": {"query": "heron"}}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
    text = Client(world.app, world.loop).post(f"{base}~octavo/mcp", message).json["result"]["content"][0]["text"]
    assert "Little" in text
    assert "Heron" not in text
