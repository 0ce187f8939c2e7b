"""GET /urls/content, GET /urls/embed, GET /spaces/{space}/embed."""

from __future__ import annotations

from urllib.parse import quote

import pytest

from tests.client import Reply, World
from tests.resources.checks import other_organization


def _content(world: World, url: str, token: str | None = None) -> Reply:
    return world.api.get(f"/v1/urls/content?url={quote(url, safe='')}", token=token)


def test_an_address_of_the_application_names_a_space_a_collection_or_a_page(world: World) -> None:
    space = world.space("Guide")
    page = world.api.get(f"/v1/spaces/{space['id']}/content/pages").json["pages"][0]
    found = _content(world, space["urls"]["app"])
    assert (found.status, found.json["space"]["id"]) == (200, space["id"])
    assert set(found.json) == {"space"}
    assert _content(world, page["urls"]["app"]).json["page"]["id"] == page["id"]
    revision = f"{space['urls']['app']}/~/revisions/{space['revision']}/{page['id']}"
    assert _content(world, revision + "?x=1#y").json["page"]["title"] == page["title"]
    collection = world.api.post(f"/v1/orgs/{world.organization}/collections", {"title": "Shelf"}).json
    assert _content(world, collection["urls"]["app"]).json == {"collection": collection}


def test_a_change_request_s_address_shows_its_own_pages(world: World) -> None:
    space = world.space("Guide")
    path = f"/v1/spaces/{space['id']}/change-requests"
    request = world.api.post(path, {"subject": "More"}).json
    inserted = {"operation": "insert_page", "document": {"markdown": "# New\n\nText.\n"}}
    assert world.api.post(f"{path}/{request['id']}/content", {"changes": [inserted]}).status == 200
    pages = world.api.get(f"{path}/{request['id']}/content/pages").json["pages"]
    page = next(one["id"] for one in pages if one["title"] == "New")
    found = _content(world, f"{request['urls']['app']}/{page}").json
    assert found["changeRequest"]["id"] == request["id"]
    assert found["page"]["title"] == "New"
    assert _content(world, f"{space['urls']['app']}/{page}").status == 404


def test_addresses_of_nothing_and_of_others_are_not_found(world: World) -> None:
    space = world.space("Guide")
    other = other_organization(world, "Other")["id"]
    app = space["urls"]["app"]
    for url in (
        "https://example.org/o/x/s/y",
        app.replace(space["id"], "nothing"),
        app.replace(world.organization, other),
        f"{app}/nothing",
        f"{app}/~/changes/99",
        f"{app}/~/revisions/nothing",
        f"{world.house.base}/o/{world.organization}/sites/x",
        f"{world.house.base}/o/{world.organization}/c/x",
    ):
        assert _content(world, url).status == 404, url
    assert _content(world, app, token=world.person("guest")).status == 404
    assert _content(world, app, token="").status == 401
    assert world.api.get("/v1/urls/content").status == 400


@pytest.mark.parametrize("where", ["/v1/urls/embed", "/v1/spaces/{space}/embed"])
def test_what_may_be_embedded(world: World, where: str) -> None:
    path = where.format(space=world.space("Guide")["id"])
    plain = world.api.get(f"{path}?url={quote('https://example.org/a?b=<c>', safe='')}").json
    assert plain == {"type": "link", "title": "example.org/a?b=<c>", "site": "example.org"}
    film = world.api.get(f"{path}?url={quote('https://youtu.be/dQw4w9WgXcQ', safe='')}").json
    assert (film["type"], film["site"]) == ("rich", "youtu.be")
    assert 'src="https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ"' in film["html"]
    for wrong in ("", "javascript:alert(1)", "//example.org", "ftp://example.org/x", "https://"):
        assert world.api.get(f"{path}?url={quote(wrong, safe='')}").status == 400, wrong
