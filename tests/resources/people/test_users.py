"""Users: seen by their colleagues, changed by themselves; deletion of an account with its days of grace."""

from __future__ import annotations

from typing import Any

from octavo.kernel.clock import DAY, iso
from tests.client import World
from tests.conftest import FakeClock
from tests.resources.checks import call, check_json, check_refusals, other_organization
from tests.resources.proposals import propose, user_of


def _path(world: World, token: str) -> str:
    return f"/v1/users/{user_of(world, token)}"


def test_colleagues_see_one_another(world: World) -> None:
    grace = world.person("read")
    for token in (world.api.token, grace, world.person("guest")):
        shown = call(world, token, "GET", _path(world, grace))
        assert (shown.status, shown.json["displayName"]) == (200, "Pat Person")
    assert call(world, world.person(None), "GET", _path(world, grace)).status == 404
    assert call(world, grace, "GET", "/v1/users/nobody").status == 404
    alone = world.person(None)
    assert call(world, alone, "GET", _path(world, alone)).status == 200
    assert world.api.get(_path(world, alone)).status == 404


def test_the_own_name_and_picture(world: World) -> None:
    grace = world.person("read")
    path = _path(world, grace)
    changed = call(world, grace, "PATCH", path, {"displayName": " Grace ", "photoURL": "https://p.test/g.png"}).json
    assert (changed["displayName"], changed["photoURL"]) == ("Grace", "https://p.test/g.png")
    assert call(world, grace, "GET", "/v1/user").json == changed
    assert "photoURL" not in call(world, grace, "PATCH", path, {"photoURL": None}).json
    before = call(world, grace, "GET", path).json
    sent = {
        "id": "chosen", "object": "x", "email": "other@example.test", "createdAt": iso(0), "emailVerified": True,
        "email_verified": True, "deletedAt": None, "urls": {}, "name": "x", "role": "admin",
    }  # fmt: skip
    assert call(world, grace, "PATCH", path, sent).json == before == call(world, grace, "GET", path).json
    for token, status in ((world.api.token, 403), (world.person("guest"), 403), (world.person(None), 404)):
        assert call(world, token, "PATCH", path, {"displayName": "Stolen"}).status == status
        assert call(world, token, "DELETE", path).status == status
    assert call(world, grace, "GET", path).json == before


def test_bad_input(world: World) -> None:
    path = f"/v1/users/{world.api.get('/v1/user').json['id']}"
    cases: list[tuple[Any, str]] = [
        ({"displayName": ""}, "displayName"), ({"displayName": "  "}, "displayName"),
        ({"displayName": "x" * 65}, "displayName"), ({"displayName": None}, "displayName"),
        ({"photoURL": "javascript:alert(1)"}, "photoURL"), ({"photoURL": 3}, "photoURL"),
    ]  # fmt: skip
    check_refusals(world, "PATCH", path, cases)
    check_json(world, "PATCH", path)


def test_the_only_admin_stays(world: World) -> None:
    me = f"/v1/users/{world.api.get('/v1/user').json['id']}"
    refused = world.api.delete(me)
    assert (refused.status, world.organization in refused.message) == (409, True)
    world.person("admin")
    assert world.api.delete(me).status == 205


def test_a_deleted_organization_holds_nobody(world: World) -> None:
    token = world.person(None)
    own = call(world, token, "POST", "/v1/orgs", {"title": "Own"}).json["id"]
    assert call(world, token, "DELETE", _path(world, token)).status == 409
    assert call(world, token, "DELETE", f"/v1/orgs/{own}").status == 205
    assert call(world, token, "DELETE", _path(world, token)).status == 205


def test_a_deleted_account_is_out_at_once(world: World) -> None:
    grace = world.person("create")
    user = user_of(world, grace)
    team = world.api.put(f"/v1/orgs/{world.organization}/teams", {"title": "T", "members": [user]}).json["id"]
    assert call(world, grace, "DELETE", f"/v1/users/{user}").status == 205
    assert call(world, grace, "GET", "/v1/user").status == 401
    members = f"/v1/orgs/{world.organization}/members"
    assert world.api.get(f"{members}/{user}").status == 404
    assert user not in [one["id"] for one in world.api.get(members).json["items"]]
    assert world.api.get(f"/v1/users/{user}").status == 404
    assert world.api.put(f"/v1/orgs/{world.organization}/teams/{team}/members", {"add": [user]}).status == 400


def test_after_its_days_the_account_is_gone_and_what_was_written_stays(world: World, clock: FakeClock) -> None:
    grace = world.person("review")
    user = user_of(world, grace)
    proposal = propose(world).become("open")
    about = f"/v1/spaces/{proposal.space}/change-requests/{proposal.id}"
    comment = call(world, grace, "POST", f"/v1/spaces/{proposal.space}/comments", {"body": {"markdown": "Why?"}}).json
    base = f"/v1/spaces/{proposal.space}/comments/{comment['id']}"
    assert call(world, grace, "POST", f"{base}/replies", {"body": {"markdown": "So."}}).status == 200
    assert call(world, grace, "PUT", base, {"addedReactions": ["👍"], "resolved": True}).status == 200
    assert call(world, grace, "POST", f"{about}/reviews", {"status": "approved"}).status == 201
    own = call(world, grace, "POST", f"/v1/spaces/{proposal.space}/change-requests", {"subject": "Hers"}).json
    world.api.post(f"{about}/requested-reviewers", {"users": [user]})
    world.grant(grace, "space", proposal.space, "edit")
    assert call(world, grace, "DELETE", f"/v1/users/{user}").status == 205
    shown = world.api.get(base).json
    assert shown["postedBy"]["id"] == user
    clock.advance(7 * DAY)
    world.work()
    assert world.run(world.house.store.read(lambda unit: unit.people.user(user))) is None
    for path in (
        base, f"/v1/spaces/{proposal.space}/comments", f"{base}/replies", f"{about}/reviews", about,
        f"{about}/requested-reviewers", f"{about}/contributors", f"/v1/spaces/{proposal.space}/change-requests/{own['id']}",
        f"/v1/spaces/{proposal.space}/change-requests?status=draft", f"/v1/spaces/{proposal.space}/commenters",
        f"/v1/spaces/{proposal.space}/permissions/users", f"/v1/orgs/{world.organization}/members",
        f"/v1/spaces/{proposal.space}/permissions/aggregate",
    ):  # fmt: skip
        reply = world.api.get(path)
        assert reply.status == 200, f"{path}: {reply.status} {reply.text[:200]}"
        assert f'"{user}"' not in reply.text, path
    assert world.api.get(base).json["body"] == {"markdown": "Why?"}


def test_a_restored_account_has_everything_but_its_tokens(world: World, clock: FakeClock) -> None:
    grace = world.person("edit")
    user = user_of(world, grace)
    assert call(world, grace, "DELETE", f"/v1/users/{user}").status == 205
    clock.advance(DAY)

    async def restore(unit: Any) -> None:
        await unit.people.change_user(await unit.people.user(user), deleted_at=None)

    world.run(world.house.store.write(restore))
    clock.advance(7 * DAY)
    world.work()
    assert world.api.get(f"/v1/orgs/{world.organization}/members/{user}").json["role"] == "edit"
    assert call(world, grace, "GET", "/v1/user").status == 401


def test_who_is_asked_of_another_organization(world: World) -> None:
    elsewhere = other_organization(world)["id"]
    stranger = world.person("read", elsewhere)
    grace = world.person("read")
    assert call(world, grace, "GET", _path(world, stranger)).status == 404
    assert world.api.get(_path(world, stranger)).status == 200
