"""POST /urls/published ahead of visitors: change requests, revisions and signed previews, for those who may see them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from octavo.kernel.clock import DAY, HOUR
from tests.client import World
from tests.conftest import FakeClock
from tests.resources.sites.test_lookups import SCHEMA, look_up, payload, read
from tests.resources.writing import Line


class Ahead:
    """A site of two spaces, and a change request on the first."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.spaces = [world.space(title)["id"] for title in ("Guide", "Other")]
        self.site = world.site(*self.spaces)
        self.line = Line(world, self.spaces[0])
        self.line.insert("# New\n\nText of the medlar.\n")
        self.head: str = self.line.get()["revision"]
        self.request: dict[str, Any] = world.api.get(self.line.path).json

    @property
    def url(self) -> str:
        url: str = self.site["urls"]["published"]
        return url

    @property
    def base(self) -> str:
        return f"/sites/{self.site['basename']}/"

    def change(self, **body: Any) -> None:
        at = f"/v1/orgs/{self.world.organization}/sites/{self.site['id']}"
        self.site = self.world.api.patch(at, body).json
        assert "error" not in self.site

    def reads_the_draft(self, found: dict[str, Any]) -> int:
        return read(self.world, found, f"spaces/{self.spaces[0]}/revisions/{self.head}").status


@pytest.fixture
def site(world: World) -> Ahead:
    return Ahead(world)


def test_who_may_see_a_change_request_reads_the_site_with_it(site: Ahead) -> None:
    world, request = site.world, site.request
    token = world.person("read")
    for word in (request["id"], str(request["number"])):
        reply = look_up(world, f"{site.url}~/changes/{word}/new", token)
        assert reply.status == 200, reply.text
        found = reply.json
        assert (found["changeRequest"], found["preview"], found["complete"]) == (request["id"], True, True)
        assert (found["space"], found["pathname"]) == (site.spaces[0], "new")
        assert (found["basePath"], found["siteBasePath"]) == (f"{site.base}~/changes/{word}/", site.base)
        assert site.reads_the_draft(found) == 200
        pages = read(world, found, f"spaces/{site.spaces[0]}/revisions/{site.head}").json["pages"]
        assert "New" in [page["title"] for page in pages]
        told = read(world, found, f"spaces/{site.spaces[0]}/change-requests/{request['id']}").json
        assert (told["revision"], told["number"]) == (site.head, request["number"])
        # Who works on it is none of a reader's business, and neither is what is said of it.
        assert not {"createdBy", "description", "links"} & set(told)
        assert read(world, found, f"spaces/{site.spaces[0]}/change-requests/{request['id']}/comments").status == 403
        assert read(world, found, f"spaces/{site.spaces[0]}/change-requests").status == 403
    # The renderer asks again for the address without it, by the token that it got.
    again = look_up(world, site.url, found["apiToken"]).json
    assert (again["changeRequest"], again["preview"]) == (request["id"], True)
    assert look_up(world, f"{site.url}~/changes/{request['id']}", found["apiToken"]).status == 200


def test_strangers_and_tokens_of_visitors_see_none(site: Ahead) -> None:
    world, url = site.world, f"{site.url}~/changes/{site.request['id']}"
    visitor = look_up(world, site.url).json
    limited = world.api.post("/v1/user/tokens", {"label": "x", "scopes": ["organization:read"]}).json["token"]
    for token in ("", "wrong", world.person(None), world.person("guest"), visitor["apiToken"], limited):
        reply = look_up(world, url, token)
        assert (reply.status, "preview" in reply.message) == (404, True), token
    assert site.reads_the_draft(visitor) == 404
    for path in (f"~/changes/{site.request['id']}", f"~/revisions/{site.head}"):
        assert look_up(world, f"{site.url}{path}").status == 404
    assert read(world, visitor, f"spaces/{site.spaces[0]}/change-requests/{site.request['id']}").status == 404


def test_one_preview_opens_no_other(site: Ahead) -> None:
    world = site.world
    other = Line(world, site.spaces[0])
    other.insert("# Other\n")
    token = world.person("read")
    found = look_up(world, f"{site.url}~/changes/{site.request['id']}", token).json
    theirs = world.api.get(other.path).json
    assert read(world, found, f"spaces/{site.spaces[0]}/revisions/{theirs['revision']}").status == 404
    assert read(world, found, f"spaces/{site.spaces[0]}/change-requests/{theirs['id']}").status == 404
    assert look_up(world, f"{site.url}~/changes/{theirs['id']}", found["apiToken"]).status == 404
    assert look_up(world, f"{site.url}~/revisions/{site.head}", found["apiToken"]).status == 404
    # It stands in the space that the address leads to, and in no other.
    place = next(one for one in _places(site) if one["space"]["id"] == site.spaces[1])
    assert look_up(world, f"{site.url}{place['path']}/~/changes/{site.request['id']}", token).status == 404
    foreign = world.site(site.spaces[1], title="Elsewhere")
    assert look_up(world, f"{foreign['urls']['published']}~/changes/{site.request['id']}", token).status == 404


def _places(site: Ahead) -> list[dict[str, Any]]:
    at = f"/v1/orgs/{site.world.organization}/sites/{site.site['id']}/site-spaces"
    items: list[dict[str, Any]] = site.world.api.get(at).json["items"]
    return items


def test_a_preview_ends_with_what_it_shows(site: Ahead) -> None:
    world, url = site.world, f"{site.url}~/changes/{site.request['id']}"
    token = world.person("read")
    found = look_up(world, url, token).json
    site.line.post("merge")
    assert look_up(world, url, token).status == 404
    assert read(world, found, f"spaces/{site.spaces[0]}").status == 401


def test_revisions_are_looked_at_by_who_may(site: Ahead) -> None:
    world, token = site.world, site.world.person("read")
    old = world.api.get(f"/v1/spaces/{site.spaces[0]}").json["revision"]
    found = look_up(world, f"{site.url}~/revisions/{site.head}/new", token).json
    assert (found["revision"], found["pathname"], found["preview"]) == (site.head, "new", True)
    assert "changeRequest" not in found
    assert site.reads_the_draft(found) == 200
    assert read(world, found, f"spaces/{site.spaces[0]}/revisions/{old}").status == 200
    for word in ("absent", world.api.get(f"/v1/spaces/{site.spaces[1]}").json["revision"]):
        assert look_up(world, f"{site.url}~/revisions/{word}", token).status == 404


def test_of_a_closed_site_only_the_space_is_shown(site: Ahead) -> None:
    site.change(visibility="share-link")
    found = look_up(site.world, f"{site.url}~/changes/{site.request['id']}", site.world.person("read")).json
    assert site.reads_the_draft(found) == 200
    assert read(site.world, found, f"spaces/{site.spaces[1]}").status == 404
    at = f"orgs/{site.world.organization}/sites/{site.site['id']}/published"
    shown = read(site.world, found, at).json["structure"]["structure"]
    assert [one["space"]["id"] for one in shown] == [site.spaces[0]]


def test_a_signed_preview_is_looked_up_without_a_token_until_it_ends(site: Ahead, clock: FakeClock) -> None:
    world = site.world
    at = f"/v1/orgs/{world.organization}/sites/{site.site['id']}"
    assert world.api.post(f"{at}/unpublish").status == 200
    assert look_up(world, site.url).status == 404
    signed = world.api.get(f"{at}/publishing/preview").json["url"]
    found = look_up(world, f"{signed}x").json
    word = signed.rstrip("/").rpartition("/")[2]
    assert (found["preview"], found["pathname"]) == (True, "x")
    assert found["basePath"] == found["siteBasePath"] == f"{site.base}~preview/{word}/"
    assert "changeRequest" not in found
    assert read(world, found, f"spaces/{site.spaces[0]}").status == 200
    assert site.reads_the_draft(found) == 404
    assert payload(found["apiToken"])["exp"] * 1000 <= clock.now + HOUR
    assert look_up(world, signed.replace(word, word[:-2])).status == 404
    other = world.site(site.spaces[1], title="Elsewhere")
    assert look_up(world, f"{other['urls']['published']}~preview/{word}/").status == 404
    clock.advance(HOUR)
    assert look_up(world, signed).status == 404
    assert read(world, found, f"spaces/{site.spaces[0]}").status == 401


def test_a_signed_preview_of_a_change_request_shows_it(site: Ahead, clock: FakeClock) -> None:
    world = site.world
    signed = world.api.get(f"{site.line.path}/preview").json["url"]
    found = look_up(world, signed).json
    assert (found["changeRequest"], found["preview"]) == (site.request["id"], True)
    assert site.reads_the_draft(found) == 200
    clock.advance(7 * DAY)
    assert look_up(world, signed).status == 404


def test_claims_of_a_preview_decide_what_is_read(site: Ahead) -> None:
    world = site.world
    at = f"/v1/orgs/{world.organization}/sites/{site.site['id']}"
    assert world.api.put(f"{at}/adaptive-schema", {"jsonSchema": SCHEMA}).status == 200
    site.change(adaptiveContent={"enabled": True})
    url, token = f"{site.url}~/changes/{site.request['id']}", world.person("read")
    plain = look_up(world, url, token).json
    beta = look_up(world, url, token, visitor={"unsignedClaims": {"beta": True, "staff": True}}).json
    assert "contextId" not in plain
    assert payload(beta["apiToken"])["claims"] == {"unsigned": {"beta": True}}


def test_of_an_open_site_others_are_read_beside_a_change_request_as_by_anybody(site: Ahead) -> None:
    world, token, other = site.world, site.world.person("read"), site.spaces[1]
    writing = Line(world, other)
    page = writing.insert("# Open\n\nFor all.\n\n{% if visitor.claims.unsigned.beta %}\nThe heron.\n{% endif %}\n")
    closed = writing.insert("---\nif: visitor.claims.unsigned.beta\n---\n\n# Closed\n\nThe tern.\n")
    writing.post("merge")
    at = f"/v1/orgs/{world.organization}/sites/{site.site['id']}"
    assert world.api.put(f"{at}/adaptive-schema", {"jsonSchema": SCHEMA}).status == 200
    site.change(adaptiveContent={"enabled": True})
    for kind, word in (("changes", site.request["id"]), ("revisions", site.head)):
        url = f"{site.url}~/{kind}/{word}"
        found = look_up(world, url, token, visitor={"unsignedClaims": {"beta": True}}).json
        shown = read(world, found, f"spaces/{other}/content/page/{page}?format=markdown")
        assert "For all." in shown.text
        assert "heron" not in shown.text
        assert read(world, found, f"spaces/{other}/content/page/{closed}").status == 404
    place = next(one for one in _places(site) if one["space"]["id"] == other)
    assert world.api.patch(f"{at}/site-spaces/{place['id']}", {"draft": True}).status == 200
    found = look_up(world, f"{site.url}~/changes/{site.request['id']}", token).json
    assert site.reads_the_draft(found) == 200
    assert read(world, found, f"spaces/{other}").status == 404


def test_who_looks_at_a_change_request_reads_the_api_descriptions_that_it_brings(site: Ahead) -> None:
    world, at = site.world, f"orgs/{site.world.organization}/openapi"
    text = json.dumps({"openapi": "3.1.0", "info": {"title": "API", "version": "1"}, "paths": {}})
    for slug in ("new", "loose"):
        assert world.api.put(f"/v1/{at}/{slug}", {"source": {"text": text}}).status == 200
    site.line.insert('# API\n\n{% openapi-schemas spec="new" schemas="Pet" %}\n{% endopenapi-schemas %}\n')
    world.work()
    ahead = look_up(world, f"{site.url}~/changes/{site.request['id']}/new", world.person("read")).json
    anybody = look_up(world, site.url).json
    replies = {
        (name, slug): read(world, found, f"{at}/{slug}/versions/latest/content").status
        for name, found in (("ahead", ahead), ("anybody", anybody))
        for slug in ("new", "loose")
    }
    assert replies == {
        ("ahead", "new"): 200, ("ahead", "loose"): 404, ("anybody", "new"): 404, ("anybody", "loose"): 404,
    }  # fmt: skip
