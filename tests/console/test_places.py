"""Addresses below /o, which the API and letters name: they lead somewhere, for whoever may see what they name."""

from __future__ import annotations

from typing import Any

import pytest

from tests.client import World
from tests.console.browsing import Browser, browser
from tests.resources.checks import other_organization

ORIGIN = "http://octavo.test"


def _path(address: str) -> str:
    assert address.startswith(ORIGIN + "/o/"), address
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
def made(world: World) -> dict[str, str]:
    """Address -> words on its page, of everything that has an address there."""
    space = world.space("Handbook")
    site = world.site(space["id"], title="Docs of ours")
    shelf = world.api.post(f"/v1/orgs/{world.organization}/collections", {"title": "Shelf"}).json
    request = world.api.post(f"/v1/spaces/{space['id']}/change-requests", {"subject": "Better words"}).json
    page = world.api.get(f"/v1/spaces/{space['id']}/content/pages").json["pages"][0]
    revision = world.api.get(f"/v1/spaces/{space['id']}/content").json
    app = space["urls"]["app"]
    return {
        world.api.get(f"/v1/orgs/{world.organization}").json["urls"]["app"]: "Test organization",
        shelf["urls"]["app"]: "Shelf",
        site["urls"]["app"]: f'href="{site["urls"]["published"]}"',
        app: f'href="{site["urls"]["published"]}"',
        f"{app}/{page['id']}": f"/v1/spaces/{space['id']}/content/page/{page['id']}",
        request["urls"]["app"]: "Better words",
        f"{request['urls']['app']}/{page['id']}": f"/content/page/{page['id']}",
        f"{app}/~/revisions/{revision['id']}": revision["id"],
    }


def test_each_says_what_it_is_and_where_to_find_it(world: World, made: dict[str, str]) -> None:
    one = _reader(world, world.person("read"))
    for address, words in made.items():
        reply = one.get(_path(address))
        assert (reply.status, words in reply.text) == (200, True), address
        assert f"{ORIGIN}/v1/" in reply.text


def test_who_is_not_signed_in_comes_back_after_it(world: World, made: dict[str, str]) -> None:
    for address in made:
        reply = browser(world).get(_path(address))
        assert (reply.status, reply.headers["location"]) == (303, f"/login?next={_path(address)}")


def test_who_may_not_see_it_is_told_no_more_than_of_what_is_not_there(world: World, made: dict[str, str]) -> None:
    space = next(one for one in made if "/s/" in one)
    world.api.patch(f"/v1/spaces/{space.rsplit('/', 1)[1]}", {"defaultLevel": None})
    stranger, reader = _reader(world, world.person(None)), _reader(world, world.person("read"))
    nothing = stranger.get("/o/nothing").text
    for address in made:
        reply = stranger.get(_path(address))
        assert (reply.status, reply.text) == (404, nothing), address
        assert reader.get(_path(address)).status == (404 if "/s/" in address else 200), address


def test_what_is_elsewhere_or_not_at_all(world: World, made: dict[str, str]) -> None:
    one, other = _reader(world, world.api.token), other_organization(world)["id"]
    space = _path(next(address for address in made if "/s/" in address))
    for path in (
        space.replace(world.organization, other), f"{space}/nothing", f"{space}/~/changes/99", f"{space}/~/revisions/x",
        f"/o/{world.organization}/c/nothing", f"/o/{world.organization}/sites/nothing", "/o/", "/o/x/y/z",
    ):  # fmt: skip
        assert one.get(path).status == 404, path
    assert one.post(space).status == 403, "no form of ours"
