"""Addresses that the API and letters name lead to the application, for whoever is signed in; so do those of before."""

from __future__ import annotations

from typing import Any

import pytest

from tests.client import World
from tests.console.browsing import Browser, browser

ORIGIN = "http://octavo.test"


def _path(address: str) -> str:
    assert address.startswith(ORIGIN + "/app/o/"), address
    return address.removeprefix(ORIGIN)


def _reader(world: World, token: str) -> Browser:
    """The browser of whose token that is."""
    from octavo.access.people import sessions
    from octavo.kernel.ids import token_hash

    async def begin(unit: Any) -> str:
        held = await unit.people.token_by_hash(token_hash(token))
        return (await sessions.begin(unit, held.user, "password"))[0]

    one = browser(world)
    one.cookies["octavo_session"] = world.run(world.house.store.write(begin))
    return one


@pytest.fixture
def made(world: World) -> list[str]:
    """The address of everything that has one there."""
    space = world.space("Handbook")
    site = world.site(space["id"], title="Docs of ours")
    shelf = world.api.post(f"/v1/orgs/{world.organization}/collections", {"title": "Shelf"}).json
    request = world.api.post(f"/v1/spaces/{space['id']}/change-requests", {"subject": "Better words"}).json
    page = world.api.get(f"/v1/spaces/{space['id']}/content/pages").json["pages"][0]
    revision = world.api.get(f"/v1/spaces/{space['id']}/content").json
    app = space["urls"]["app"]
    return [
        world.api.get(f"/v1/orgs/{world.organization}").json["urls"]["app"],
        shelf["urls"]["app"],
        site["urls"]["app"],
        app,
        f"{app}/{page['id']}",
        request["urls"]["app"],
        f"{request['urls']['app']}/{page['id']}",
        f"{app}/~/revisions/{revision['id']}",
    ]


def test_each_is_the_application(world: World, made: list[str]) -> None:
    one = _reader(world, world.person("read"))
    for address in made:
        reply = one.get(_path(address))
        assert (reply.status, 'href="/~octavo/pages.' in reply.text) == (200, True), address


def test_who_is_not_signed_in_comes_back_after_it(world: World, made: list[str]) -> None:
    for address in made:
        reply = browser(world).get(_path(address))
        assert (reply.status, reply.headers["location"]) == (303, f"/login?next={_path(address)}")


def test_addresses_of_before_lead_to_it(world: World, made: list[str]) -> None:
    for address in made:
        before = _path(address).removeprefix("/app")
        reply = browser(world).get(before)
        assert (reply.status, reply.headers["location"]) == (308, _path(address))
    assert browser(world).post("/o/x").status == 303, "nobody posts there"
