"""A site behind a directory of another host: links, files, redirects and what is said of addresses are right there."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.client import Reply, World
from tests.publish.visiting import Element, Visitor, tree, visit, write

DIRECTORY = "/docs/v1/"
HOST = "acme.example"


class Proxied:
    """Somebody who reads the site at the other host, which hands on what is below its directory and nothing else."""

    def __init__(self, visitor: Visitor, header: str) -> None:
        self.visitor, self.header = visitor, header

    def get(self, path: str) -> Reply:
        assert path.startswith(DIRECTORY), f"{path} is not handed on"
        at = self.visitor.base + path.removeprefix(DIRECTORY)
        return self.visitor.client.get(at, headers={self.header: HOST.upper()})

    def page(self, path: str = "") -> Element:
        reply = self.get(DIRECTORY + path)
        assert reply.status == 200, reply.text
        return tree(reply.text)


@pytest.fixture(params=["x-forwarded-host", "x-octavo-host"])
def proxied(world: World, tmp_path: Path, request: pytest.FixtureRequest) -> Proxied:
    files: dict[str, str | bytes] = {
        "SUMMARY.md": "* [Home](README.md)\n\n## Birds\n\n* [Ducks](birds/ducks.md)\n",
        "README.md": "# Home\n\n[Ducks](birds/ducks.md)\n\n![](leaf.svg)\n\n```mermaid\ngraph TD; A-->B\n```\n",
        "birds/ducks.md": "# Ducks\n",
        "leaf.svg": b'<svg xmlns="http://www.w3.org/2000/svg"/>',
        ".gitbook.yaml": "redirects:\n  old: birds/ducks.md\n",
    }
    site = visit(world, write(tmp_path, files), title="Pond")
    site.change(proxy=HOST + DIRECTORY.rstrip("/"))
    return Proxied(site, request.param)


def _addresses(page: Element) -> set[str]:
    found = {
        one.attributes.get(name, "")
        for one in page.walk()
        for name in ("href", "src", "action", "data-search", "data-frame")
    }
    return {one for one in found if one.startswith("/")}


def test_every_address_of_a_page_is_in_the_directory(proxied: Proxied) -> None:
    page = proxied.page()
    addresses = _addresses(page)
    assert len(addresses) > 8
    for address in sorted(addresses):
        reply = proxied.get(address.partition("#")[0])
        assert reply.status == 200, address
        if "css" in reply.headers["content-type"]:
            for inner in re.findall(r"url\(([\w./-]+)\)", reply.text):
                assert proxied.get(f"{DIRECTORY}~octavo/{inner}").status == 200, inner
    assert page.one("a", "brand")["href"] == DIRECTORY


def test_what_is_said_of_addresses_is_that_of_the_other_host(proxied: Proxied) -> None:
    page = proxied.page("birds/ducks")
    public = f"https://{HOST}{DIRECTORY}"
    assert page.one("link", rel="canonical")["href"] == f"{public}birds/ducks"
    picture = page.one("meta", property="og:image")["content"]
    assert picture.startswith(public)
    assert proxied.get(urlsplit(picture).path).status == 200
    for name in ("sitemap.xml", "llms.txt", "robots.txt"):
        text = proxied.get(DIRECTORY + name).text
        assert proxied.visitor.base not in text, name
    assert f"{public}birds/ducks" in proxied.get(f"{DIRECTORY}sitemap.xml").text


@pytest.mark.parametrize("asked", ["birds", "old", "Birds/DUCKS", "birds/ducks/?a=1"])
def test_redirects_stay_in_the_directory(proxied: Proxied, asked: str) -> None:
    reply = proxied.get(DIRECTORY + asked)
    assert reply.status in (307, 308)
    assert reply.headers["location"].partition("?")[0] == f"{DIRECTORY}birds/ducks"


def test_the_directory_without_its_slash_leads_to_it(proxied: Proxied) -> None:
    visitor = proxied.visitor
    reply = visitor.client.get(visitor.base.rstrip("/") + "?a=1", headers={proxied.header: HOST})
    assert (reply.status, reply.headers["location"]) == (308, f"{DIRECTORY}?a=1")


def test_redirects_of_the_site_too(proxied: Proxied) -> None:
    visitor = proxied.visitor
    at = f"/v1/orgs/{visitor.world.organization}/sites/{visitor.site['id']}"
    [held] = visitor.world.api.get(f"{at}/structure").json["structure"]
    to = {"kind": "site-space", "siteSpaceId": held["id"]}
    assert visitor.world.api.post(f"{at}/redirects", {"source": "/former", "destination": to}).status == 201
    assert proxied.get(f"{DIRECTORY}former").headers["location"] == DIRECTORY
    found = visitor.world.api.get(f"{at}/redirect?source=/former").json
    assert found["target"] == f"https://{HOST}{DIRECTORY}"


@pytest.mark.parametrize("said", [f"{HOST}:443", f"{HOST.title()}:80", f"{HOST}, inner.example"])
def test_whoever_hands_on_may_say_the_port_too(proxied: Proxied, said: str) -> None:
    visitor = proxied.visitor
    reply = visitor.client.get(visitor.base, headers={proxied.header: said})
    assert tree(reply.text).one("a", "brand")["href"] == DIRECTORY


def test_cookies_of_the_directory_go_over_nothing_but_https(proxied: Proxied) -> None:
    visitor = proxied.visitor
    visitor.change(visibility="share-link")
    at = f"/v1/orgs/{visitor.world.organization}/sites/{visitor.site['id']}/share-links"
    link = visitor.world.api.post(at, {"name": "Friends"}).json
    path = visitor.base + "~share/" + link["urls"]["published"].rstrip("/").rpartition("/")[2] + "/"
    cookie = visitor.client.get(path, headers={proxied.header: HOST}).headers["set-cookie"]
    assert f"Path={DIRECTORY};" in cookie
    assert "; Secure" in cookie


def test_whoever_reads_it_here_finds_it_here(proxied: Proxied) -> None:
    visitor = proxied.visitor
    for headers in ({}, {proxied.header: "evil.example"}, {proxied.header: f"evil.example/{HOST}"}):
        reply = visitor.client.get(visitor.base, headers=headers)
        page = tree(reply.text)
        assert page.one("a", "brand")["href"] == visitor.base
        assert "evil" not in reply.text
        # Who keeps it for others keeps it for those who asked alike.
        assert "x-forwarded-host" in reply.headers["vary"]
        assert page.one("link", rel="canonical")["href"] == f"https://{HOST}{DIRECTORY}"


def test_another_site_is_not_moved_by_the_header(world: World) -> None:
    site = Visitor(world, "", world.site(world.space()["id"]))
    reply = site.get("", headers={"x-forwarded-host": HOST})
    assert tree(reply.text).one("a", "brand")["href"] == site.base
    assert "x-forwarded-host" not in reply.headers.get("vary", "")
