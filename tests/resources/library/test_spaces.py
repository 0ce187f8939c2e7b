"""Spaces: create, list, get, change."""

from __future__ import annotations

from tests.client import World


def test_a_new_space_has_an_empty_page_and_defaults(world: World) -> None:
    space = world.space("  Handbook ")
    assert space["title"] == "Handbook"
    assert space["emoji"] == "1f4d8"
    assert space["visibility"] == "private"
    assert space["defaultLevel"] == "inherit"
    assert space["editMode"] == "locked"
    pages = world.api.get(f"/v1/spaces/{space['id']}/content/pages").json["pages"]
    assert [page["title"] for page in pages] == ["Untitled"]
    page = world.api.get(f"/v1/spaces/{space['id']}/content/page/{pages[0]['id']}?format=document").json
    assert page["document"]["nodes"] == []
