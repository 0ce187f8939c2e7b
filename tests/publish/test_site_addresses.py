"""Where a site answers, and where old, misspelt and foreign addresses lead."""

from __future__ import annotations

import asyncio
import json
import uuid
from pathlib import Path
from typing import Any

import pytest

from octavo.administration import hostname_given
from octavo.store.database.engine import Engine
from tests.client import Client, World
from tests.conftest import FakeClock, opened_world
from tests.publish.visiting import Visitor, tree, visit, write


def _give(world: World, site: dict[str, Any]) -> None:
    """What the operator does when the host is the site's to have."""
    world.run(world.house.store.write(lambda unit: hostname_given(unit, site["id"], site["hostname"])))


@pytest.fixture(params=["basename", "id", "host", "hostname"])
def named(request: pytest.FixtureRequest, kitchen: Visitor) -> tuple[str, dict[str, str]]:
    """Base path and headers of every way to the same site."""
    match request.param:
        case "basename":
            return kitchen.base, {}
        case "id":
            return f"/sites/{kitchen.site['id']}/", {}
        case "host":
            return "/", {"host": f"{kitchen.site['basename']}.localhost:8000"}
        case _:
            if "hostname" not in kitchen.site:
                kitchen.change(hostname=f"docs.{uuid.uuid4().hex}.test")
                _give(kitchen.world, kitchen.site)
                kitchen.change()  # from now on its address is another
            return "/", {"host": kitchen.site["hostname"].upper()}


def test_a_site_answers_under_all_its_names(kitchen: Visitor, named: tuple[str, dict[str, str]]) -> None:
    base, headers = named
    page = tree(kitchen.client.get(base + "writing/text", headers=headers).text)
    assert page.one("h1").text == "Text"
    assert page.one("a", "brand")["href"] == base
    asked = [one["href"] for one in page.one("nav", "nav").all("a") if one["href"].startswith("/")]
    assert asked
    for href in asked:
        assert href.startswith(base)
        assert kitchen.client.get(href.partition("#")[0], headers=headers).status == 200


def test_one_address_is_the_one_to_be_known_by(kitchen: Visitor, named: tuple[str, dict[str, str]]) -> None:
    """Also in what search engines are told about the way to the page."""
    base, headers = named
    page = tree(kitchen.client.get(base + "start/getting-started/unpack", headers=headers).text)
    known = kitchen.world.api.get(f"/v1/orgs/{kitchen.world.organization}/sites/{kitchen.site['id']}").json
    public = known["urls"]["published"]
    assert page.one("link", rel="canonical")["href"] == public + "start/getting-started/unpack"
    data = json.loads("".join(map(str, page.one("script", type="application/ld+json").children)))
    assert [one.get("item") for one in data["itemListElement"]] == [
        None,
        public + "start/getting-started",
        public + "start/getting-started/unpack",
    ]


@pytest.mark.parametrize(
    ("asked", "status", "leads"),
    [
        ("Writing/TEXT", 308, "writing/text"),
        ("writing/text/", 308, "writing/text"),
        ("writing//text", 308, "writing/text"),
        ("writing/text/?a=1&b=%C3%A9", 308, "writing/text?a=1&b=%C3%A9"),
        ("writing", 307, "writing/text"),
        ("Writing/?ref=x", 307, "writing/text?ref=x"),
        ("getting-started/first-reading?a=1", 307, "start/getting-started/first-reading?a=1"),
        ("install", 307, "start/getting-started/unpack"),
        ("help/faq?from=mail", 307, "writing/blocks?from=mail"),
    ],
)
def test_other_spellings_lead_to_the_page(kitchen: Visitor, asked: str, status: int, leads: str) -> None:
    reply = kitchen.get(asked)
    assert (reply.status, reply.headers["location"]) == (status, kitchen.base + leads)


def test_the_first_page_is_the_root_alone(kitchen: Visitor) -> None:
    assert kitchen.page().one("h1").text == "Tern weather station"
    contents = kitchen.world.api.get(f"/v1/spaces/{kitchen.space}/content/pages").json
    own = contents["pages"][0]["path"]
    assert own
    reply = kitchen.get(own + "?a=1")
    assert (reply.status, reply.headers["location"]) == (308, kitchen.base + "?a=1")


def test_the_base_without_its_slash_leads_to_it_with_the_query(kitchen: Visitor) -> None:
    reply = kitchen.client.get(kitchen.base.rstrip("/") + "?a=1")
    assert (reply.status, reply.headers["location"]) == (308, kitchen.base + "?a=1")


def test_a_redirect_never_leaves_the_site(kitchen: Visitor) -> None:
    for asked in ("//example.org", "/example.org/%2e%2e", "\\example.org", "%2F%2Fexample.org/"):
        reply = kitchen.client.get(kitchen.base + asked)
        assert reply.status == 404, asked
    reply = kitchen.client.get("/sites//example.org")
    assert reply.status == 404


def test_what_is_nowhere_is_a_404_with_pages_that_come_near(kitchen: Visitor) -> None:
    reply = kitchen.get("writing/tabels-and-tables")
    page = tree(reply.text)
    assert reply.status == 404
    assert reply.headers["cache-control"] == "no-store"
    assert reply.headers["x-robots-tag"] == "noindex"
    near = [one["href"] for one in page.one("ul", "nearest").all("a")]
    assert kitchen.base + "writing/tables" in near
    assert page.one("form", "search-form")["action"] == kitchen.base + "~octavo/search"


def test_addresses_of_nothing(kitchen: Visitor) -> None:
    for path in ("/sites/no-such-site/", "/sites/", "/nothing", "~octavo/nothing", "~octavo/files/a/b/c/d"):
        assert kitchen.get(path).status == 404, path
    assert kitchen.client.get("/", headers={"host": "no-such-site.localhost"}).status == 200
    assert kitchen.client.get("/writing/text", headers={"host": "no-such-site.localhost"}).status == 404


def test_only_reading_is_possible(kitchen: Visitor) -> None:
    for method in ("POST", "PUT", "PATCH", "DELETE", "OPTIONS"):
        reply = kitchen.client.request(method, kitchen.base)
        assert (reply.status, reply.headers["allow"]) == (405, "GET, HEAD")


def test_the_api_does_not_answer_on_a_host_of_a_site(kitchen: Visitor) -> None:
    """What an author writes there must never be taken for the installation."""
    reply = kitchen.client.get("/v1/user", headers={"host": f"{kitchen.site['basename']}.localhost"})
    assert reply.status == 404
    assert reply.headers["content-type"].startswith("text/html")


def test_robots_are_let_in_where_the_public_is(kitchen: Visitor, world: World) -> None:
    assert "Disallow: /\n" not in kitchen.get("robots.txt").text
    site = Visitor(world, "", world.site(world.space()["id"], visibility="unlisted"))
    assert site.get("robots.txt").text == "User-agent: *\nDisallow: /\n"
    reply = site.get()
    assert reply.headers["x-robots-tag"] == "noindex"
    assert tree(reply.text).one("meta", name="robots")["content"] == "noindex"


def test_a_site_without_spaces_says_so(world: World) -> None:
    site = Visitor(world, "", world.site())
    reply = site.get()
    assert reply.status == 404
    assert tree(reply.text).one("h1").text == "This site is empty"


def test_a_hostname_is_not_served_before_it_is_shown_to_be_the_site_s(world: World) -> None:
    """All paths of a host are its site's: whoever claims somebody's host would have her visitors and her log-in."""
    site = world.site(world.space()["id"])
    path, host = f"/v1/orgs/{world.organization}/sites/{site['id']}", f"docs.{uuid.uuid4().hex}.test"
    changed = world.api.patch(path, {"hostname": host}).json
    assert changed["hostname"] == host
    assert changed["urls"]["published"] == site["urls"]["published"]
    for asked in (host, f"?{host}"):
        assert world.api.get("/login", token="", headers={"host": asked}).text.count("Octavo")
        assert world.api.get("/v1/user", headers={"host": asked}).status == 200
    _give(world, changed)
    changed = world.api.get(path).json
    assert changed["urls"]["published"] == f"https://{host}/"
    assert world.api.get("/v1/user", headers={"host": host}).status == 404
    assert world.api.patch(path, {"hostname": host}).json["urls"]["published"] == f"https://{host}/"
    other = world.site(title="Other")
    assert world.api.patch(f"/v1/orgs/{world.organization}/sites/{other['id']}", {"hostname": host}).status == 409
    assert "hostname" not in world.api.patch(path, {"hostname": None}).json
    assert world.api.get("/v1/user", headers={"host": host}).status == 200


def test_hosts_of_the_installation_are_nobody_s(
    engine: Engine, clock: FakeClock, memory_folder: Path, loop: asyncio.AbstractEventLoop
) -> None:
    with opened_world(engine, clock, memory_folder, loop, site_domain="sites.octavo.test") as world:
        site = world.site()
        path = f"/v1/orgs/{world.organization}/sites/{site['id']}"
        for host in ("sites.octavo.test", "acme.sites.octavo.test", "a.b.sites.octavo.test"):
            reply = world.api.patch(path, {"hostname": host})
            assert (reply.status, "belongs to this installation" in reply.message) == (400, True)
    with opened_world(engine, clock, memory_folder, loop, site_domain="test") as world:
        # The tests' installation is http://octavo.test.
        site = world.site(title="Octavo")
        assert site["basename"] != "octavo"
        path = f"/v1/orgs/{world.organization}"
        assert world.api.patch(f"{path}/sites/{site['id']}", {"basename": "octavo"}).status == 409
        assert world.api.patch(path, {"hostname": "octavo"}).status == 409


def test_names_before_the_site_domain_are_one_namespace(world: World) -> None:
    name = "n" + uuid.uuid4().hex[:20]
    assert world.api.patch(f"/v1/orgs/{world.organization}", {"hostname": name}).status == 200
    other = world.api.post("/v1/orgs", {"title": "Other"}).json["id"]
    made = world.api.post(f"/v1/orgs/{other}/sites", {"title": name}).json
    assert made["basename"].startswith(name + "-")
    reply = world.api.patch(f"/v1/orgs/{other}/sites/{made['id']}", {"basename": name})
    assert (reply.status, "basename" in reply.message) == (409, True)
    own = world.site(title="Own")
    assert world.api.patch(f"/v1/orgs/{world.organization}/sites/{own['id']}", {"basename": name}).status == 200


def test_the_root_names_what_everybody_may_find(world: World, tmp_path: Path) -> None:
    source = write(tmp_path, {"README.md": "# Tern\n"})
    # The first by title are listed, of all sites that tests have made.
    titles = {visibility: f"000 {uuid.uuid4().hex} {visibility}" for visibility in ("public", "unlisted", "share-link")}
    for visibility, title in titles.items():
        visit(world, source, title=title).change(visibility=visibility)
    page = Client(world.app, world.loop).get("/")
    assert page.status == 200
    assert titles["public"] in page.text
    assert titles["unlisted"] not in page.text
    assert titles["share-link"] not in page.text
    assert 'href="/login"' in page.text
