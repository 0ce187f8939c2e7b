"""Two ids in a path: each must belong to the one before it, or there is nothing at the address."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from tests.client import World


@dataclass
class Things:
    """An organization with a space, its page and revision, and a site."""

    organization: str
    space: str
    revision: str
    page: str
    site: str


def _things(world: World, organization: str) -> Things:
    base = f"/v1/orgs/{organization}"
    space = world.api.post(base + "/spaces", {"title": "Space"}).json
    page = world.api.get(f"/v1/spaces/{space['id']}/content/pages").json["pages"][0]["id"]
    site = world.api.post(base + "/sites", {"title": "Site", "spaces": [space["id"]]}).json["id"]
    return Things(organization, space["id"], space["revision"], page, site)


@pytest.fixture
def both(world: World) -> tuple[World, Things, Things]:
    """Two organizations of the same admin: what is refused is refused because it lies elsewhere."""
    other = world.api.post("/v1/orgs", {"title": "Another organization"}).json["id"]
    return world, _things(world, world.organization), _things(world, other)


SITE_VERBS: list[tuple[str, str, Any]] = [
    ("GET", "", None), ("PATCH", "", {"title": "Stolen"}), ("POST", "/publish", None), ("POST", "/unpublish", None),
    ("GET", "/published", None), ("GET", "/structure", None), ("POST", "/search", {"query": "a"}),
]  # fmt: skip


def test_a_site_of_another_organization(both: tuple[World, Things, Things]) -> None:
    world, mine, theirs = both
    before = world.api.get(f"/v1/orgs/{theirs.organization}/sites/{theirs.site}").json
    for method, rest, body in SITE_VERBS:
        for organization, site in (
            (mine.organization, theirs.site),
            (theirs.organization, mine.site),
            ("nothing", mine.site),
        ):
            reply = world.api.request(method, f"/v1/orgs/{organization}/sites/{site}{rest}", body)
            assert reply.status == 404, f"{method} {rest}"
            assert reply.message
    assert world.api.get(f"/v1/orgs/{theirs.organization}/sites/{theirs.site}").json == before


def test_a_revision_of_another_space(both: tuple[World, Things, Things]) -> None:
    world, mine, theirs = both
    for rest in ("", "/pages", "/files", "/files/x", f"/page/{theirs.page}", f"/page/{theirs.page}/document",
                 f"/page/{theirs.page}/meta-links", "/path/untitled", "/reusable-contents/x"):  # fmt: skip
        assert world.api.get(f"/v1/spaces/{mine.space}/revisions/{theirs.revision}{rest}").status == 404, rest
    assert world.api.get(f"/v1/spaces/{mine.space}/revisions/{mine.revision}").status == 200


def test_a_page_of_another_space(both: tuple[World, Things, Things]) -> None:
    world, mine, theirs = both
    for prefix in (f"/v1/spaces/{mine.space}/content", f"/v1/spaces/{mine.space}/revisions/{mine.revision}"):
        assert world.api.get(f"{prefix}/page/{theirs.page}").status == 404
        assert world.api.get(f"{prefix}/page/{mine.page}").status == 200


def test_an_id_of_another_kind(both: tuple[World, Things, Things]) -> None:
    world, mine, _ = both
    for path in (
        f"/v1/spaces/{mine.site}", f"/v1/spaces/{mine.organization}", f"/v1/orgs/{mine.space}",
        f"/v1/orgs/{mine.organization}/sites/{mine.space}", f"/v1/spaces/{mine.space}/revisions/{mine.space}",
        f"/v1/spaces/{mine.space}/content/page/{mine.revision}",
    ):  # fmt: skip
        assert world.api.get(path).status == 404, path


def test_a_stranger_to_the_first_learns_nothing_of_the_second(both: tuple[World, Things, Things]) -> None:
    world, mine, theirs = both
    member = world.person("admin", organization=theirs.organization)
    assert world.api.get(f"/v1/orgs/{theirs.organization}/sites/{theirs.site}", token=member).status == 200
    for organization, site in (
        (mine.organization, mine.site),
        (mine.organization, theirs.site),
        (theirs.organization, mine.site),
    ):
        assert world.api.get(f"/v1/orgs/{organization}/sites/{site}", token=member).status == 404
    for space, revision in ((mine.space, mine.revision), (theirs.space, mine.revision), (mine.space, theirs.revision)):
        assert world.api.get(f"/v1/spaces/{space}/revisions/{revision}", token=member).status == 404
