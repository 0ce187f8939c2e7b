"""Where a site answers, and where old, misspelt and foreign addresses lead."""

from __future__ import annotations

import json
import uuid

import pytest

from tests.client import World
from tests.publish.visiting import Visitor, tree


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
                kitchen.change(hostname=f"{uuid.uuid4().hex}.example.org")
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
