"""GET /orgs/{org}/search, GET /spaces/{space}/search and POST /orgs/{org}/sites/{site}/search."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import pytest

from tests.client import World
from tests.resources.checks import ROLES, check_json, check_refusals
from tests.resources.handbook import Handbook, write

ODD = ("", " ", '"', '"open', "*", "'", "a AND", "NEAR(", "-", "(", "%", "\\", "🦉", "日本", "a:b", "\u0000", "a" * 512)


def _titles(found: dict[str, Any]) -> list[str]:
    return [page["title"] for item in found["items"] for page in item["pages"]]


def _path(handbook: Handbook) -> str:
    return f"/v1/orgs/{handbook.world.organization}/search"


def test_hits_are_grouped_by_space(handbook: Handbook) -> None:
    found = handbook.get(_path(handbook) + "?query=feathers")
    assert _titles(found) == ["Install"]
    item = found["items"][0]
    assert (item["id"], item["title"]) == (handbook.space, "Handbook of herons")
    page = item["pages"][0]
    install = handbook.page("Install")
    assert (page["id"], page["path"]) == (install["id"], install["path"])
    assert page["urls"]["app"]
    section = page["sections"][0]
    assert section["title"] == "Linux"
    assert section["path"].endswith("guides/start/install#linux")
    assert "Feathers first." in section["body"]
    assert section["urls"]["app"]
    assert found["count"] == 1
    assert "next" not in found


def test_titles_are_found_whatever_their_case(handbook: Handbook) -> None:
    for words in ("install", "INSTALL", "Install"):
        assert "Install" in _titles(handbook.get(f"{_path(handbook)}?query={words}"))


def test_pages_of_hits(handbook: Handbook) -> None:
    whole = handbook.get(_path(handbook) + "?query=linux")
    assert whole["count"] >= 2
    seen, page = [], ""
    while True:
        found = handbook.get(f"{_path(handbook)}?query=linux&limit=1{page}")
        assert found["count"] == whole["count"]
        seen += _titles(found)
        if "next" not in found:
            break
        page = f"&page={found['next']['page']}"
    assert seen == _titles(whole)
    assert handbook.get(_path(handbook) + "?query=linux&limit=0")["items"] == []


def test_only_what_the_caller_may_see(handbook: Handbook) -> None:
    world = handbook.world
    path = _path(handbook) + "?query=feathers"
    for role in ROLES:
        assert _titles(world.api.get(path, token=world.person(role)).json) == ["Install"]
    guest = world.person("guest")
    assert world.api.get(path, token=guest).json == {"items": [], "count": 0}
    world.grant(guest, "space", handbook.space, "read")
    assert _titles(world.api.get(path, token=guest).json) == ["Install"]
    assert world.api.get(path, token=world.person(None)).status == 404


def test_odd_words_find_something_or_nothing(handbook: Handbook) -> None:
    site = handbook.world.site(handbook.space, title="Odd words")["id"]
    for words in ODD:
        reply = handbook.world.api.get(f"{_path(handbook)}?query={quote(words, safe='')}")
        assert reply.status in (200, 400), f"{words!r} {reply.text[:200]}"
        path = f"/v1/orgs/{handbook.world.organization}/sites/{site}/search"
        posted = handbook.world.api.post(path, {"query": words})
        assert posted.status == reply.status, f"{words!r} {posted.text[:200]}"


def test_a_wrong_question_names_the_field(handbook: Handbook) -> None:
    for query, field in (
        ("", "query"), ("limit=1", "query"), (f"query={'a' * 513}", "query"), ("query=a&limit=1001", "limit"),
        ("query=a&limit=-1", "limit"), ("query=a&limit=abc", "limit"), ("query=a&page=nonsense", "page"),
    ):  # fmt: skip
        reply = handbook.world.api.get(f"{_path(handbook)}?{query}")
        assert reply.status == 400, query
        assert field in reply.message


def test_a_space_is_searched(handbook: Handbook) -> None:
    world = handbook.world
    path = f"/v1/spaces/{handbook.space}/search"
    found = handbook.get(path + "?query=linux")
    whole = handbook.get(_path(handbook) + "?query=linux")
    assert found["items"] == whole["items"][0]["pages"]
    assert found["count"] == whole["count"] >= 2
    first = handbook.get(path + "?query=linux&limit=1")
    second = handbook.get(f"{path}?query=linux&limit=1&page={first['next']['page']}")
    assert [*first["items"], *second["items"]] == found["items"][:2]
    assert [one["rank"] for one in found["items"]] == [*range(1, found["count"] + 1)]
    other = world.space("Nothing in here")["id"]
    assert handbook.get(f"/v1/spaces/{other}/search?query=linux") == {"items": [], "count": 0}
    for query, field in (("", "query"), (f"query={'a' * 513}", "query"), ("query=a&page=nonsense", "page")):
        reply = world.api.get(f"{path}?{query}")
        assert (reply.status, field in reply.message) == (400, True), query
    for who, status in (("read", 200), ("guest", 404), (None, 404)):
        assert world.api.get(path + "?query=linux", token=world.person(who)).status == status


def test_a_site_is_searched(handbook: Handbook) -> None:
    world = handbook.world
    other = world.space("Nothing in here")["id"]
    site = world.site(other, handbook.space, title="Searched")["id"]
    base = f"/v1/orgs/{world.organization}/sites/{site}"
    found = world.api.post(base + "/search", {"query": "feathers"})
    assert found.status == 200
    assert _titles(found.json) == ["Install"]
    assert found.json["count"] == 1
    empty, held = world.api.get(base + "/structure").json["structure"]
    for scope, hits in (
        ({"mode": "all"}, ["Install"]),
        ({"mode": "default"}, ["Install"]),
        ({"mode": "specific", "siteSpaceIds": [held["id"]]}, ["Install"]),
        ({"mode": "specific", "siteSpaceIds": [empty["id"]]}, []),
    ):
        assert _titles(world.api.post(base + "/search", {"query": "feathers", "scope": scope}).json) == hits, scope
    paged = world.api.post(base + "/search?limit=1", {"query": "linux"}).json
    assert len(_titles(paged)) == 1
    following = world.api.post(base + f"/search?limit=1&page={paged['next']['page']}", {"query": "linux"}).json
    assert _titles(following) != _titles(paged)


def test_who_sees_the_site_searches_it(handbook: Handbook) -> None:
    world = handbook.world
    site = world.site(handbook.space, title="Who searches")["id"]
    path = f"/v1/orgs/{world.organization}/sites/{site}/search"
    for role, status in [*((role, 200) for role in ROLES), ("guest", 404), (None, 404)]:
        assert world.api.post(path, {"query": "feathers"}, token=world.person(role)).status == status, role
    guest = world.person("guest")
    world.grant(guest, "site", site, "read")
    assert _titles(world.api.post(path, {"query": "feathers"}, token=guest).json) == ["Install"]


def test_a_wrong_question_to_a_site_names_the_field(handbook: Handbook) -> None:
    world = handbook.world
    path = f"/v1/orgs/{world.organization}/sites/{world.site(title='Wrong questions')['id']}/search"
    cases = [
        ({}, "query"),
        ({"query": 5}, "query"),
        ({"query": None}, "query"),
        ({"query": "a" * 513}, "query"),
        ({"query": "a", "scope": {"mode": "nowhere"}}, "mode"),
        ({"query": "a", "scope": {"mode": "specific", "siteSpaceIds": "x"}}, "siteSpaceIds"),
        ({"query": "a", "scope": 5}, "scope"),
    ]
    check_refusals(world, "POST", path, cases)
    check_json(world, "POST", path)
    for query, field in (("limit=1001", "limit"), ("limit=x", "limit"), ("page=nonsense", "page")):
        reply = world.api.post(f"{path}?{query}", {"query": "a"})
        assert reply.status == 400
        assert field in reply.message


@pytest.fixture
def closed(world: World, tmp_path: Any) -> tuple[World, str]:
    """A space that only admins of the organization see."""
    space = world.imported(write(tmp_path, {"README.md": b"# Plans\n\nThe wombat project.\n"}), title="Secret plans")
    assert world.api.patch(f"/v1/spaces/{space}", {"defaultLevel": None}).status == 200
    return world, space


def test_a_closed_space_is_found_by_nobody_else(closed: tuple[World, str]) -> None:
    world, space = closed
    site = world.site(space, title="Drafts", publish=False)["id"]
    path, reader = f"/v1/orgs/{world.organization}", world.person("read")
    assert _titles(world.api.get(path + "/search?query=wombat").json) == ["Plans"]
    hidden = world.api.get(path + "/search?query=wombat", token=reader)
    assert hidden.json == {"items": [], "count": 0}
    assert _titles(world.api.post(f"{path}/sites/{site}/search", {"query": "wombat"}).json) == ["Plans"]
    assert "wombat" not in world.api.post(f"{path}/sites/{site}/search", {"query": "wombat"}, token=reader).text
