"""Where what was made for a site is: `Location` names an address that can be asked to change or to delete it."""

from __future__ import annotations

import pytest

from tests.client import World
from tests.resources.sites.building import Site

_ELSEWHERE = {"source": "/old", "destination": {"kind": "external", "url": "https://example.org/"}}
_MADE = {
    "site-spaces": {"spaceId": None},
    "sections": {"spaceId": None, "title": "Guide"},
    "section-groups": {"title": "More"},
    "share-links": {"name": "For the press"},
    "external-links": {"title": "Status", "url": "https://example.org/"},
    "redirects": _ELSEWHERE,
}


@pytest.mark.parametrize("kind", _MADE)
def test_what_is_made_says_where_it_stands(world: World, kind: str) -> None:
    site = Site(world, world.space("Birds")["id"])
    made = site.ask("POST", kind, _MADE[kind], 201)
    address = made.headers["location"]
    assert address.endswith(f"{site.path}/{kind}/{made.json['id']}")
    path = address[address.index("/v1/") :]
    assert world.api.patch(path, {}).json["id"] == made.json["id"]
    assert world.api.delete(path).status == 205


def test_a_copy_stands_beside_what_was_copied(world: World) -> None:
    site = Site(world, world.space("Birds")["id"])
    made = site.ask("POST", f"site-spaces/{site.spaces()[0]['id']}/duplicate", {}, 201)
    assert made.headers["location"].endswith(f"{site.path}/site-spaces/{made.json['id']}")


def test_a_team_says_where_it_stands(world: World) -> None:
    path = f"/v1/orgs/{world.organization}/teams"
    made = world.api.put(path, {"title": "Readers"})
    assert made.headers["location"].endswith(f"{path}/{made.json['id']}")
    assert world.api.get(f"{path}/{made.json['id']}").json == made.json
