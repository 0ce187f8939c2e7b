"""Sites that are not open to the public show nothing of what they hold."""

from __future__ import annotations

import pytest

from tests.client import World
from tests.publish.visiting import Visitor, tree


@pytest.fixture
def site(world: World, kitchen: Visitor) -> Visitor:
    """A published site with one page that says the word quince."""
    space = world.space("Quince")["id"]
    return Visitor(world, space, world.site(space, title="Orchard"))


def _everything(site: Visitor) -> list[str]:
    return [
        "",
        "page",
        "page.md",
        "~octavo/search?q=quince",
        "robots.txt",
        "~octavo/nav/x",
        "~octavo/files/a/b/c/d",
        "x",
    ]


def _shows_nothing(site: Visitor, kind: str) -> None:
    for path in _everything(site):
        for base, headers in ((site.base, {}), ("/", {"host": f"{site.site['basename']}.localhost"})):
            reply = site.client.get(base + path, headers=headers)
            assert reply.status == 404, path
            assert reply.headers["cache-control"] == "no-store"
            assert reply.headers["x-robots-tag"] == "noindex"
            page = tree(reply.text)
            assert f"message-{kind}" in page.one("main")["class"]
            for word in ("Orchard", "Quince", "quince"):
                assert word not in reply.text


def test_an_unpublished_site_shows_nothing(site: Visitor) -> None:
    assert site.get().status == 200
    url = f"/v1/orgs/{site.world.organization}/sites/{site.site['id']}"
    assert site.world.api.post(f"{url}/unpublish").status == 200
    _shows_nothing(site, "unpublished")
    assert site.world.api.post(f"{url}/publish").status == 200
    assert site.get().status == 200


@pytest.mark.parametrize("visibility", ["share-link", "visitor-auth"])
def test_a_site_for_some_shows_nothing_to_others(site: Visitor, visibility: str) -> None:
    site.change(visibility=visibility)
    _shows_nothing(site, "login")


def test_a_space_that_was_deleted_left_the_site(site: Visitor) -> None:
    async def delete(unit: object) -> None:
        space = await unit.spaces.get(site.space)  # type: ignore[attr-defined]
        await unit.spaces.change(space, deleted_at=unit.now)  # type: ignore[attr-defined]

    site.world.run(site.world.house.store.write(delete))
    reply = site.get()
    assert reply.status == 404
    assert tree(reply.text).one("h1").text == "This site is empty"


def test_without_agents_there_is_no_markdown(kitchen: Visitor, world: World) -> None:
    own = Visitor(kitchen.world, kitchen.space, kitchen.world.site(kitchen.space, title="No agents"))
    assert own.get("writing/text.md").status == 200
    own.change(agentsContext="excluded")
    assert own.get("writing/text.md").status == 404
    page = own.page("writing/text")
    assert not page.all("link", type="text/markdown")
    assert "View as Markdown" not in page.text
    assert "Copy page" not in page.text
