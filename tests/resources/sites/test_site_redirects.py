"""…/sites/{site}/redirects and …/redirect."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tests.client import World
from tests.conftest import FakeClock
from tests.resources.checks import check_json, check_refusals, check_roles
from tests.resources.writing import Line


class Redirecting:
    """A site with two spaces, as its admin and as a visitor."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.spaces = [world.space(title)["id"] for title in ("Guide", "Other")]
        self.site = world.site(*self.spaces)
        self.base = f"/sites/{self.site['basename']}"
        self.at = f"/v1/orgs/{world.organization}/sites/{self.site['id']}"
        self.all = f"{self.at}/redirects"
        self.held = world.api.get(f"{self.at}/structure").json["structure"]

    def make(self, source: str, to: Any, **more: Any) -> dict[str, Any]:
        reply = self.world.api.post(self.all, {"source": source, "destination": to} | more)
        assert reply.status == 201, reply.text
        made: dict[str, Any] = reply.json
        return made

    def leads(self, path: str) -> tuple[int, str]:
        reply = self.world.api.get(self.base + path, token="")
        return reply.status, reply.headers.get("location", "")

    def space(self, number: int) -> dict[str, Any]:
        return {"kind": "site-space", "siteSpaceId": self.held[number]["id"]}


@pytest.fixture
def site(world: World) -> Redirecting:
    return Redirecting(world)


def _url(url: str = "https://example.org/") -> dict[str, str]:
    return {"kind": "external", "url": url}


def test_what_is_made_is_served(site: Redirecting) -> None:
    made = site.make("/former", _url("https://example.org/a"))
    assert made == {
        "object": "site-redirect", "id": made["id"], "source": "/former", "draft": False, "captureWildcard": False,
        "permanent": False, "destination": _url("https://example.org/a"), "createdAt": made["createdAt"],
    }  # fmt: skip
    assert site.leads("/former") == site.leads("/former/") == (307, "https://example.org/a")
    assert site.leads("/former/one")[0] == 404
    assert site.world.api.patch(f"{site.all}/{made['id']}", {"permanent": True}).json["updatedAt"]
    assert site.leads("/former") == (308, "https://example.org/a")
    assert site.world.api.delete(f"{site.all}/{made['id']}").status == 205
    assert site.world.api.delete(f"{site.all}/{made['id']}").status == 404
    assert site.leads("/former")[0] == 404


def test_every_kind_of_destination(site: Redirecting) -> None:
    api, home, other = site.world.api, site.spaces[0], site.held[1]
    page = api.get(f"/v1/spaces/{home}/content/pages").json["pages"][0]["id"]
    site.make("/a", site.space(1))
    assert site.leads("/a?q=1") == (307, f"{site.base}/{other['path']}/?q=1")
    site.make("/b", {"kind": "site-page", "siteSpaceId": site.held[0]["id"], "pageId": page})
    assert site.leads("/b") == (307, f"{site.base}/")
    by_path = site.make("/c", {"kind": "path", "spaceId": home, "path": ""})
    assert by_path["destination"] == {"kind": "site-page", "siteSpaceId": site.held[0]["id"], "pageId": page}
    line = Line(site.world, home)
    begins = line.insert("# Begins\n")
    line.post("merge")
    placed = api.patch(f"{site.at}/site-spaces/{site.held[0]['id']}", {"pageId": begins})
    assert placed.status == 200, placed.text
    by_path = site.make("/e", {"kind": "path", "spaceId": home, "path": "/"})
    assert by_path["destination"]["pageId"] == begins
    site.world.work()
    assert site.leads("/e") == (307, f"{site.base}/")
    site.make("/d", _url("https://example.org/x?y=1"))
    # Another host is not told what was asked.
    assert site.leads("/d?secret=1") == (307, "https://example.org/x?y=1")


def test_the_rest_follows_where_it_is_captured(site: Redirecting) -> None:
    site.make("/old/*", _url("https://example.org/new?a=1"), captureWildcard=True)
    site.make("/old/deep/*", site.space(1))
    site.make("/pre*", _url("https://example.org/p"), captureWildcard=True)
    site.make("/moved/*", site.space(1), captureWildcard=True)
    assert site.leads("/old/one/two") == (307, "https://example.org/new/one/two?a=1")
    assert site.leads("/old/deep/one") == (307, f"{site.base}/{site.held[1]['path']}/")
    assert site.leads("/prefix/x") == (307, "https://example.org/p/fix/x")
    assert site.leads("/moved/a/../b%0d%0aX:1")[1] == f"{site.base}/{site.held[1]['path']}/b%0D%0AX%3A1"
    # A browser takes `..` out of the address that it is sent to, and would leave what the redirect leads to.
    assert site.leads("/moved/../../v1")[1] == f"{site.base}/{site.held[1]['path']}/v1"
    assert site.leads("/old/..%2F..%2Fx") == (307, "https://example.org/new/x?a=1")
    assert site.leads("/old")[0] == 404
    assert site.leads("/moved//evil.example")[1].startswith(f"{site.base}/{site.held[1]['path']}/evil")


def test_pages_come_first_and_drafts_lead_nowhere(site: Redirecting) -> None:
    api, space = site.world.api, site.spaces[0]
    request = f"/v1/spaces/{space}/change-requests/" + api.post(f"/v1/spaces/{space}/change-requests", {}).json["id"]
    change = {"operation": "insert_page", "title": "Install", "document": {"markdown": "# Install"}}
    assert api.post(f"{request}/content", {"changes": [change]}).status == 200
    api.post(f"{request}/merge")
    site.world.work()
    site.make("/install", _url())
    site.make("/later", _url(), draft=True)
    assert site.leads("/install") == (200, "")
    assert site.leads("/later")[0] == 404


def test_lists_are_sorted_and_filtered(site: Redirecting, clock: FakeClock) -> None:
    for source, url in (
        ("/b", "https://example.org/heron"),
        ("/a", "https://example.org/"),
        ("/heron", "https://a.test/"),
    ):
        site.make(source, _url(url))
    site.make("/a", _url(), draft=True)

    def sources(query: str = "") -> list[str]:
        return [one["source"] for one in site.world.api.get(site.all + query).json["items"]]

    assert sorted(sources()) == ["/a", "/b", "/heron"]
    assert sources("?orderBy=source") == ["/a", "/b", "/heron"]
    assert sources("?draft=true") == ["/a"]
    assert sources("?search=HERON&orderBy=source") == ["/b", "/heron"]
    first = site.world.api.get(site.all + "?orderBy=source&limit=2").json
    assert first["count"] == 3
    following = site.world.api.get(f"{site.all}?orderBy=source&limit=2&page={first['next']['page']}").json
    assert [one["source"] for one in following["items"]] == ["/heron"]
    clock.advance(1)
    changed = next(one for one in site.world.api.get(site.all).json["items"] if one["source"] == "/b")
    site.world.api.patch(f"{site.all}/{changed['id']}", {"permanent": True})
    assert sources("?orderBy=updatedAt")[0] == "/b"


def test_a_source_belongs_to_one(site: Redirecting) -> None:
    one = site.make("/a%62", _url())
    assert one["source"] == "/ab"
    body = {"source": "/ab", "destination": _url()}
    assert site.world.api.post(site.all, body).status == 409
    draft = site.make("/ab", _url(), draft=True)
    assert site.world.api.patch(f"{site.all}/{draft['id']}", {"draft": False}).status == 409
    other = site.make("/c", _url())
    assert site.world.api.patch(f"{site.all}/{other['id']}", {"source": "/ab"}).status == 409
    assert site.world.api.patch(f"{site.all}/{one['id']}", {"source": "/ab"}).status == 200


def test_two_at_once_make_one(site: Redirecting) -> None:
    async def both() -> list[int]:
        body = {"source": "/once", "destination": _url()}
        send = site.world.api.send
        return [one.status for one in await asyncio.gather(*(send("POST", site.all, body) for _ in range(2)))]

    assert sorted(site.world.run(both())) == [201, 409]


def test_circles_are_refused(site: Redirecting) -> None:
    own = site.site["urls"]["published"]
    site.make("/a", _url(f"{own}b"))
    site.make("/b", _url(f"{own}c"))
    for source, to, more in (
        ("/c", f"{own}a", {}), ("/d", f"{own}d", {}), ("/e/*", f"{own}e/f", {"captureWildcard": True}),
        ("/g*", f"{own}gg", {}),
    ):  # fmt: skip
        reply = site.world.api.post(site.all, {"source": source, "destination": _url(to)} | more)
        assert (reply.status, "circle" in reply.message) == (400, True), source
    # Who leads nowhere yet may, until it does.
    draft = site.make("/c", _url(f"{own}a"), draft=True)
    reply = site.world.api.patch(f"{site.all}/{draft['id']}", {"draft": False})
    assert (reply.status, "circle" in reply.message) == (400, True)
    assert site.leads("/c")[0] == 404


def test_many_at_once_each_by_itself(site: Redirecting) -> None:
    kept = site.make("/kept", _url("https://example.org/1"))
    site.make("/draft", _url("https://example.org/2"), draft=True)
    gone = site.make("/gone", _url())
    entries = [
        {"source": "/new", "destination": _url("https://example.org/new"), "permanent": True},
        {"source": "/kept", "destination": _url("https://example.org/kept")},
        {"source": "/gone", "destination": None},
        {"source": "/draft", "intent": "publish"},
        {"source": "/sketch", "intent": "draft", "destination": _url()},
        {"source": "/nothing", "intent": "publish"},
        {"source": "/missing", "destination": None},
        {"source": "/wrong", "destination": {"kind": "site-space", "siteSpaceId": "gone"}},
        {"source": "/round", "destination": _url(f"{site.site['urls']['published']}round")},
    ]
    reply = site.world.api.put(site.all, {"redirects": entries})
    assert reply.status == 200
    results = reply.json["results"]
    assert [(one["status"], one["source"], one["draft"]) for one in results] == [
        ("created", "/new", False), ("updated", "/kept", False), ("deleted", "/gone", False),
        ("published", "/draft", False), ("created", "/sketch", True), ("error", "/nothing", True),
        ("error", "/missing", False), ("error", "/wrong", False), ("error", "/round", False),
    ]  # fmt: skip
    assert all(one["error"] for one in results if one["status"] == "error")
    assert results[1]["id"] == kept["id"] != gone["id"]
    assert site.leads("/new") == (308, "https://example.org/new")
    assert site.leads("/kept") == (307, "https://example.org/kept")
    assert site.leads("/draft") == (307, "https://example.org/2")
    assert site.leads("/sketch")[0] == site.leads("/gone")[0] == 404
    # A second draft of what holds takes its place.
    site.make("/draft", _url("https://example.org/3"), draft=True)
    assert site.world.api.put(site.all, {"redirects": [entries[3]]}).json["results"][0]["status"] == "published"
    assert site.leads("/draft") == (307, "https://example.org/3")
    assert site.world.api.get(site.all + "?draft=true").json["count"] == 1


def test_the_one_that_an_address_meets(site: Redirecting) -> None:
    made = site.make("/old/*", site.space(1), captureWildcard=True)
    at = f"{site.at}/redirect?source="
    published = site.site["urls"]["published"]
    assert site.world.api.get(f"{at}/old/x").json == {
        "redirect": made, "target": f"{published}{site.held[1]['path']}/x"
    }  # fmt: skip
    assert site.world.api.get(f"{at}/other").status == 404
    assert site.world.api.get(f"{site.at}/redirect").status == 400
    check_roles(site.world, "read", "GET", f"{at}/old/x", success=200)


def test_a_destination_that_is_gone_leads_nowhere(site: Redirecting) -> None:
    site.make("/old", site.space(1))
    assert site.world.api.delete(f"/v1/spaces/{site.spaces[1]}").status == 205
    assert site.leads("/old")[0] == 404
    assert site.world.api.get(f"{site.at}/redirect?source=/old").status == 404


def test_only_admins_change_them(site: Redirecting) -> None:
    made = site.make("/a", _url())
    check_roles(site.world, "read", "GET", site.all, success=200)
    check_roles(site.world, "admin", "PATCH", f"{site.all}/{made['id']}", {"permanent": True}, success=200)
    check_roles(
        site.world, "admin", "PUT", site.all, {"redirects": [{"source": "/b", "destination": _url()}]}, success=200
    )
    for method, path, body in (
        ("POST", site.all, {"source": "/c", "destination": _url()}), ("DELETE", f"{site.all}/{made['id']}", None),
    ):  # fmt: skip
        assert site.world.api.request(method, path, body, token=site.world.person("create")).status == 403
        assert site.world.api.request(method, path, body, token=site.world.person(None)).status == 404


def test_wrong_input_names_the_field(site: Redirecting) -> None:
    good = {"source": "/a", "destination": _url()}
    cases: list[tuple[Any, str]] = [
        (good | {"source": source}, "source")
        for source in ("", "a", "/", "/*", "/a/", "/a?b=1", "/a#b", "/a b", "/a/*/b", "//a", "/" + "a" * 512, 5, None)
    ]
    cases += [
        ({"source": "/a"}, "destination"),
        (good | {"destination": {"kind": "nowhere"}}, "destination"),
        (good | {"destination": {"kind": "external", "url": "javascript:alert(1)"}}, "destination.url"),
        (good | {"destination": {"kind": "path", "spaceId": "gone", "path": "a"}}, "destination.spaceId"),
        (good | {"destination": {"kind": "path", "spaceId": site.spaces[0], "path": "no/such"}}, "destination.path"),
        (good | {"captureWildcard": True}, "captureWildcard"),
        (good | {"permanent": "yes"}, "permanent"),
    ]
    check_refusals(site.world, "POST", site.all, cases)
    check_json(site.world, "POST", site.all)
    entry = {"source": "/a", "destination": _url()}
    check_refusals(site.world, "PUT", site.all, [
        ({}, "redirects"), ({"redirects": []}, "redirects"), ({"redirects": [entry] * 501}, "redirects"),
        ({"redirects": [{"source": "/a"}]}, "redirects[0].destination"),
        ({"redirects": [entry, {"source": "a", "destination": None}]}, "redirects[1].source"),
    ])  # fmt: skip
    foreign = site.world.site(site.spaces[0], title="Other site")
    at = f"/v1/orgs/{site.world.organization}/sites/{foreign['id']}"
    [there] = site.world.api.get(f"{at}/structure").json["structure"]
    for to in (
        {"kind": "site-space", "siteSpaceId": there["id"]}, {"kind": "site-section", "siteSectionId": "gone"},
        {"kind": "site-page", "siteSpaceId": site.held[0]["id"], "pageId": "gone"},
    ):  # fmt: skip
        assert site.world.api.post(site.all, {"source": "/a", "destination": to}).status == 404
    assert site.world.api.get(site.all).json["items"] == []
