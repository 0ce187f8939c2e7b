"""Translated spaces on a site: variants that keep the page, and pages that say that they may be older than their source."""

from __future__ import annotations

import pytest

from octavo.jobs.translations import asking
from octavo.kernel.clock import SECOND
from tests.client import Client, World
from tests.conftest import FakeClock
from tests.translating import Studio

NOTE = "Diese Übersetzung ist vielleicht älter als das Original."


@pytest.fixture
def studio(world: World, clock: FakeClock, monkeypatch: pytest.MonkeyPatch) -> Studio:
    monkeypatch.setattr(asking, "PAUSES", ())
    made = Studio(world, clock)
    made.run()
    return made


def test_a_variant_keeps_the_page_and_says_where_it_may_be_old(studio: Studio) -> None:
    world = studio.world
    assert world.api.patch(f"/v1/spaces/{studio.space}", {"language": "en"}).status == 200
    site = world.site(studio.space, studio.result["space"])
    visitor = Client(world.app, world.loop)
    base = f"/sites/{site['basename']}/"
    paths = {
        one["space"]["language"]: one["path"]
        for one in world.api.get(f"/v1/orgs/{world.organization}/sites/{site['id']}/site-spaces").json["items"]
    }
    german = f"{base}{paths['de']}/two"

    def said(path: str) -> str:
        studio.clock.advance(SECOND)
        reply = visitor.get(path)
        assert reply.status == 200, (path, reply.status)
        return reply.text

    page = said(german)
    assert "[de:The second page.]" in page
    assert '<html lang="de"' in page
    assert f'hreflang="en" href="http://octavo.test{base}two"' in page
    assert NOTE not in page
    # The other page changed: this one is as it was.
    source = studio.pages(studio.space)
    studio.edit(source["begin-here"]["id"], "A key", "Two keys")
    assert NOTE not in said(german)
    assert NOTE in said(f"{base}{paths['de']}/")
    assert "may be older" not in said(f"{base}two")
    studio.edit(source["two"]["id"], "second", "last")
    before = visitor.get(german).headers["etag"]
    assert NOTE in said(german)
    studio.run()
    assert NOTE not in said(german)
    assert visitor.get(german).headers["etag"] != before
    assert "[de:The last page.]" in said(german)
    # To stand elsewhere is nothing that a translation lacks.
    studio.write({"operation": "update_page", "page": source["two"]["id"], "slug": "second"})
    assert NOTE not in said(german)
