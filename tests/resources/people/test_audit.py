"""The audit log: every write of every room leaves one event in its own transaction; admins list, filter and export it."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

from octavo import administration
from octavo.access.people import sessions, tokens
from octavo.administration import OPERATOR
from octavo.api.audit import actions as audit_actions
from octavo.api.routes import OPERATIONS
from octavo.jobs import tidy
from octavo.jobs.people import purge as purge_people
from octavo.kernel.audit import Target
from octavo.kernel.clock import DAY
from octavo.kernel.settings import load
from octavo.store.unit import Provenance
from tests.client import World
from tests.conftest import FakeClock
from tests.console.browsing import account, browser
from tests.resources.checks import MOMENT, call, check_roles, other_organization
from tests.resources.proposals import user_of


def _path(world: World, rest: str = "", organization: str | None = None) -> str:
    return f"/v1/orgs/{organization or world.organization}/audit-events{rest}"


def _events(world: World, query: str = "", organization: str | None = None) -> list[dict[str, Any]]:
    reply = world.api.get(_path(world, f"?limit=1000&{query}", organization))
    assert reply.status == 200, reply.text
    found: list[dict[str, Any]] = reply.json["items"]
    return found


def _one(world: World, action: str, **more: str) -> dict[str, Any]:
    """The only event of an action."""
    query = "&".join(f"{name}={value}" for name, value in {"action": action, **more}.items())
    found = _events(world, query)
    assert [one["action"] for one in found] == [action]
    return found[0]


def test_an_event_as_it_is_written(world: World) -> None:
    me = world.api.get("/v1/user").json
    space = world.space("Handbook")["id"]
    agent = {"user-agent": "heron/1.0"}
    reply = world.api.patch(
        f"/v1/spaces/{space}", {"title": "Guide", "emoji": "1f426"}, headers=agent, address="192.0.2.7"
    )
    assert reply.status == 200
    event = _one(world, "space.update")
    key = event.pop("id")
    assert re.fullmatch(MOMENT, event.pop("occurredAt"))
    token = event["origin"].pop("token")
    assert token in [one["id"] for one in world.api.get("/v1/user/tokens").json["items"]]
    assert event == {
        "object": "audit-event",
        "action": "space.update",
        "actor": {"type": "user", "id": me["id"], "label": "Ada Admin"},
        "source": "api",
        "target": {"type": "space", "id": space, "label": "Handbook"},
        "origin": {"address": "192.0.2.7", "userAgent": "heron/1.0"},
        "schemaVersion": 1,
        "payload": {"fields": ["title", "emoji"]},
        "urls": {"location": f"{world.house.base}/v1/orgs/{world.organization}/audit-events/{key}"},
        "correlationId": reply.headers["x-request-id"],
    }
    alone = world.api.get(_path(world, f"/{key}"))
    assert alone.status == 200
    assert alone.json == _one(world, "space.update")


def test_writes_of_many_rooms_are_found_again(world: World) -> None:
    organization = world.organization
    pat = world.person("read")
    user = user_of(world, pat)
    space = world.space("Handbook")["id"]
    requests = f"/v1/spaces/{space}/change-requests"

    def done(method: str, path: str, body: Any = None) -> Any:
        reply = world.api.request(method, path, body)
        assert reply.status < 300, f"{method} {path}: {reply.text}"
        return reply.json if reply.body else {}

    team = done("PUT", f"/v1/orgs/{organization}/teams", {"title": "Editors"})["id"]
    done("PUT", f"/v1/orgs/{organization}/teams/{team}/members/{user}", {"role": "owner"})
    collection = done("POST", f"/v1/orgs/{organization}/collections", {"title": "Shelf"})["id"]
    site = done("POST", f"/v1/orgs/{organization}/sites", {"title": "Docs", "spaces": [space]})["id"]
    done("POST", f"/v1/orgs/{organization}/sites/{site}/publish")
    done("POST", f"/v1/spaces/{space}/permissions", {"users": [user], "role": "edit"})
    done("PATCH", f"/v1/spaces/{space}/permissions/users/{user}", {"role": "read"})
    request = done("POST", requests, {"subject": "Birds"})["id"]
    change = {"operation": "insert_page", "document": {"markdown": "# Heron\n\nstands still"}}
    done("POST", f"{requests}/{request}/content", {"changes": [change]})
    comment = done("POST", f"{requests}/{request}/comments", {"body": {"markdown": "stands where?"}})["id"]
    done("POST", f"{requests}/{request}/merge")
    done("PATCH", f"/v1/orgs/{organization}/members/{user}", {"role": "comment"})
    provider = done("POST", f"/v1/orgs/{organization}/saml", {"label": "Door"})["id"]
    done("PATCH", f"/v1/orgs/{organization}", {"title": "Ornithology"})
    done("DELETE", f"/v1/spaces/{space}/permissions/users/{user}")
    done("DELETE", f"/v1/orgs/{organization}/members/{user}")
    me = user_of(world, world.api.token or "")
    for action, target, payload in (
        ("team.create", ("team", team, "Editors"), {"fields": ["title"]}),
        ("team.members.add", ("team", team, "Editors"), {"user": user, "fields": ["role"]}),
        ("collection.create", ("collection", collection, "Shelf"), {"fields": ["title"]}),
        ("site.create", ("site", site, "Docs"), {"fields": ["title", "spaces"]}),
        ("site.publish", ("site", site, "Docs"), {}),
        ("space.permissions.invite", ("space", space, "Handbook"), {"fields": ["role", "users"]}),
        ("space.permissions.update-user", ("space", space, "Handbook"), {"user": user, "fields": ["role"]}),
        ("space.permissions.remove-user", ("space", space, "Handbook"), {"user": user}),
        ("change-request.create", ("change-request", request, "Birds"), {"fields": ["subject"]}),
        ("change-request.content.update", ("change-request", request, "Birds"), {"fields": ["changes"]}),
        ("change-request.comment.create", ("comment", comment, None), {"fields": ["body"]}),
        ("change-request.merge", ("change-request", request, "Birds"), {}),
        ("member.update", ("user", user, None), {"fields": ["role"]}),
        ("member.remove", ("user", user, None), {}),
        ("saml-provider.create", ("saml-provider", provider, "Door"), {"fields": ["label"]}),
        ("organization.update", ("organization", organization, "Test organization"), {"fields": ["title"]}),
    ):
        event = _one(world, action)
        assert (event["target"]["type"], event["target"]["id"], event["target"].get("label")) == target, action
        assert sorted(event["payload"].pop("fields", [])) == sorted(payload.pop("fields", [])), action
        assert event["payload"] == payload, action
        assert event["actor"]["id"] == me
    # Nothing that somebody wrote is in it.
    assert "stands" not in world.api.get(_path(world, "?limit=1000")).text


def test_what_failed_leaves_nothing(world: World) -> None:
    space = world.space()["id"]
    before = _events(world)
    assert world.api.patch(f"/v1/spaces/{space}", {"title": "x" * 51}).status == 400
    assert call(world, world.person("read"), "PATCH", f"/v1/spaces/{space}", {"title": "No"}).status == 403
    assert world.api.post(f"/v1/spaces/{space}/move", {"parent": "nowhere"}).status in (400, 404)
    assert world.api.get(f"/v1/spaces/{space}").status == 200
    assert _events(world) == before

    async def break_off(unit: Any) -> None:
        await unit.audit.append("space.update", Target("space", space, "Lost"), [world.organization])
        raise RuntimeError("after the event")

    with pytest.raises(RuntimeError, match="after the event"):
        world.run(world.house.store.write(break_off))
    assert _events(world) == before


def test_filters(world: World, clock: FakeClock) -> None:
    first = world.space("One")["id"]
    begun = clock.now
    clock.advance(DAY)
    pat = world.person("admin")
    second = call(world, pat, "POST", f"/v1/orgs/{world.organization}/spaces", {"title": "Two"}).json["id"]
    pats = user_of(world, pat)

    def targets(query: str) -> list[str]:
        return [one["target"]["id"] for one in _events(world, f"action=space.create&{query}")]

    assert targets("") == [second, first]
    assert targets(f"actor={pats}") == [second]
    assert targets(f"target={first}") == [first]
    assert targets(f"target={first}&actor={pats}") == []
    assert _events(world, "action=nothing.of.this") == []
    old, new = _moment(begun), _moment(clock.now)
    assert (targets(f"from={new}"), targets(f"to={old}")) == ([second], [first])
    assert targets(f"from={old}&to={new}") == [second, first]
    for query, named in (
        ("from=yesterday", "from"),
        ("to=2026-01-01", "to"),
        (f"from={new}&to={old}", "to"),
        ("action=", "action"),
        ("limit=1001", "limit"),
        ("page=x", "page"),
    ):
        reply = world.api.get(_path(world, f"?{query}"))
        assert (reply.status, named in reply.message) == (400, True), query


def _moment(at: int) -> str:
    from octavo.kernel.clock import iso

    return iso(at)


def test_pages_hold_everything_once(world: World, clock: FakeClock) -> None:
    for number in range(5):
        # Two of one moment.
        clock.advance(number % 2)
        world.space(f"Space {number}")
    whole = [one["id"] for one in _events(world)]
    seen: list[str] = []
    path = _path(world, "?limit=2")
    while path:
        reply = world.api.get(path)
        assert reply.status == 200
        assert "count" not in reply.json
        seen += [one["id"] for one in reply.json["items"]]
        following = reply.json.get("next")
        path = _path(world, f"?limit=2&page={following['page']}") if following else ""
    assert seen == whole
    assert len(set(seen)) == len(seen) >= 5


def test_exports(world: World) -> None:
    organization = world.organization
    assert world.api.put(f"/v1/orgs/{organization}/teams", {"title": '=cmd("x"),2'}).status == 201
    world.space("Two")
    reply = world.api.get(_path(world, "/export"))
    assert (reply.status, reply.headers["content-type"]) == (200, "application/x-ndjson")
    assert [msgspec.json.decode(line) for line in reply.body.splitlines()] == _events(world)
    assert "link" not in reply.headers
    rows: list[dict[str, str]] = []
    path = _path(world, "/export?format=csv&limit=1&from=2020-01-01T00:00:00%2B02:00")
    while path:
        reply = world.api.get(path)
        assert (reply.status, reply.headers["content-type"]) == (200, "text/csv; charset=utf-8; header=present")
        rows += csv.DictReader(io.StringIO(reply.text, newline=""))
        link = re.fullmatch(r'<(.+)>; rel="next"', reply.headers.get("link", "<>"))
        path = link[1].removeprefix(world.house.base) if link else ""
    assert [row["id"] for row in rows] == [one["id"] for one in _events(world)]
    team = next(row for row in rows if row["action"] == "team.create")
    assert team["targetLabel"] == '\'=cmd("x"),2'
    for query in ("format=xml", "limit=0", "limit=1001"):
        assert world.api.get(_path(world, f"/export?{query}")).status == 400
    actions = world.api.get(f"/v1/orgs/{organization}/audit-event-actions").json["items"]
    assert {one["id"]: one["label"] for one in actions} == audit_actions(OPERATIONS)
    assert actions[0]["object"] == "audit-event-action"


def test_admins_alone_look(world: World) -> None:
    world.space()
    event = _events(world)[0]["id"]
    for rest in ("", f"/{event}", "/export"):
        check_roles(world, "admin", "GET", _path(world, rest), success=200, guest=403)
    check_roles(world, "admin", "GET", f"/v1/orgs/{world.organization}/audit-event-actions", success=200, guest=403)
    assert world.api.get(_path(world, "/nothing")).status == 404
    assert world.api.get(_path(world), token="").status == 401
    assert world.api.delete(_path(world, f"/{event}")).status == 405
    other = other_organization(world)["id"]
    assert world.api.get(_path(world, f"/{event}", other)).status == 404
    assert [one["action"] for one in _events(world, organization=other)] == ["organization.create"]
    limited = world.api.post("/v1/user/tokens", {"scopes": ["organization:read"]}).json["token"]
    assert world.api.get(_path(world), token=limited).status == 403
    limited = world.api.post("/v1/user/tokens", {"scopes": ["organization:members:read"]}).json["token"]
    assert world.api.get(_path(world), token=limited).status == 200


def test_a_transfer_is_told_in_both(world: World) -> None:
    other = other_organization(world)["id"]
    space = world.space("Handbook")["id"]
    assert world.awaited("POST", f"/v1/spaces/{space}/transfer", {"organization": other}).status == 200
    for organization in (world.organization, other):
        [event] = _events(world, "action=space.transfer", organization)
        assert event["target"] == {"type": "space", "id": space, "label": "Handbook"}
    assert [one["target"]["id"] for one in _events(world, "action=space.create")] == [space]
    assert _events(world, "action=space.create", other) == []


def test_accounts_are_told_to_their_organizations(world: World) -> None:
    other = other_organization(world)["id"]
    made = world.api.post("/v1/user/tokens", {"label": "CI"}).json
    for organization in (world.organization, other):
        [event] = _events(world, f"action=token.create&target={made['id']}", organization)
        assert event["target"]["label"] == "CI"
    assert world.api.delete(f"/v1/user/tokens/{made['id']}").status == 204
    assert _one(world, "token.revoke")["target"]["id"] == made["id"]
    everything = world.api.get(_path(world, "?limit=1000")).text
    assert made["token"] not in everything
    assert not re.search(r"octavo_\w", everything)


def test_words_of_invites_are_not_told(world: World) -> None:
    base = f"/v1/orgs/{world.organization}"
    invite = world.api.post(f"{base}/link-invites", {"role": "read"}).json["id"]
    pat = world.person(None)
    assert call(world, pat, "POST", f"{base}/invites/{invite}").status == 200
    assert world.api.delete(f"{base}/link-invites/{invite}").status == 205
    made = _one(world, "invite.create")["target"]
    assert made["type"] == "invite"
    assert _one(world, "invite.delete")["payload"] == {"invite": made["id"]}
    joined = _one(world, "member.join-by-invite")
    assert (joined["actor"]["id"], joined["payload"]) == (user_of(world, pat), {"invite": made["id"]})
    assert invite not in world.api.get(_path(world, "?limit=1000")).text


def _user(world: World, email: str) -> str:
    user = world.run(world.house.store.read(lambda unit: unit.people.user_by_email(email)))
    return str(user.id)


def test_signing_in_and_out(world: World) -> None:
    one, email = browser(world), account(world)
    user = _user(world, email)
    assert one.sign_in(email, "not the password").status == 403
    assert one.sign_in(f"nobody-{email}", "not the password").status == 403
    world.work()
    failed = _one(world, "user.login-failed")
    assert failed["actor"] == {"type": "system", "id": "anonymous"}
    assert (failed["target"]["id"], failed["source"], failed["payload"]) == (user, "ui", {"how": "password"})
    assert "address" in failed["origin"]
    assert one.sign_in(email).status == 303
    login = _one(world, "user.login")
    assert (login["actor"]["id"], login["target"]["id"]) == (user, user)
    assert login["payload"]["how"] == "password"
    assert "provider" not in login["payload"]
    one.get("/account/tokens")
    assert one.post("/account/tokens", {"label": "Laptop", "days": ""}).status == 303
    made = _one(world, "token.create", actor=user)
    assert (made["source"], made["target"]["label"]) == ("ui", "Laptop")
    assert made["origin"]["session"] == login["payload"]["session"]
    assert one.post(f"/account/tokens/{made['target']['id']}/revoke", {}).status == 303
    assert _one(world, "token.revoke")["actor"]["id"] == user
    one.get("/account/notifications")
    assert one.post("/account/notifications", {}).status == 303
    assert _one(world, "user.notification-preferences.update")["actor"]["id"] == user
    one.get("/logout")
    assert one.post("/logout", {}).status == 303
    assert _one(world, "user.logout")["payload"] == {"session": login["payload"]["session"]}
    assert one.sign_in(email).status == 303
    one.get("/logout")
    assert one.post("/logout", {"everywhere": "1"}).status == 303
    assert _one(world, "user.logout-everywhere")["payload"] == {"sessions": 1}
    world.run(world.house.store.write(lambda unit: sessions.end_all(unit, user)))
    assert _one(world, "user.logout-everywhere"), "where nobody was signed in, there is nothing to tell"
    assert "not the password" not in world.api.get(_path(world, "?limit=1000")).text


def test_the_command_line_and_jobs(world: World, tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("# Heron\n")
    space = world.imported(tmp_path, "Birds")
    made = _one(world, "space.create")
    assert (made["source"], made["actor"]) == ("script", {"type": "system", "id": "command-line"})
    done = _one(world, "space.git.imported")
    assert (done["source"], done["actor"]["id"]) == ("workflow", "worker")
    assert made["target"] == done["target"] == {"type": "space", "id": space, "label": "Birds"}
    created = _one(world, "organization.create")
    assert (created["source"], created["target"]["id"]) == ("script", world.organization)
    email = world.api.get("/v1/user").json["email"]

    async def restore(unit: Any) -> None:
        user = await unit.people.user_by_email(email)
        await administration._made(unit, user, tokens.Wanted("Shell"))

    world.run(world.house.store.write(restore, OPERATOR))
    made_tokens = {one["target"]["label"] for one in _events(world, "action=token.create")}
    assert made_tokens == {"Shell", "bootstrap"}


def test_it_is_kept_for_its_days_and_goes_with_the_organization(world: World, clock: FakeClock) -> None:
    old = world.space("Old")["id"]
    clock.advance(10 * DAY)
    new = world.space("New")["id"]

    def targets() -> list[str]:
        return [one["target"]["id"] for one in _events(world, "action=space.create")]

    world.run(tidy.tidy(world.house.store, load({}, audit_days=11)))
    assert targets() == [new, old]
    clock.advance(1)
    world.run(tidy.tidy(world.house.store, load({}, audit_days=10)))
    assert targets() == [new]

    async def count(unit: Any) -> int:
        return await unit.audit.drop(world.organization, purge_people.BATCH)

    assert world.run(world.house.store.write(count)) >= 1
    assert _events(world) == []


def test_long_and_odd_words_fit(world: World) -> None:
    whence = Provenance(address="a" * 500, agent="é" * 500, request="r")

    async def work(unit: Any) -> None:
        await unit.audit.append("space.update", Target("space", "x", "t" * 900), [world.organization])

    world.run(world.house.store.write(work, whence))
    event = _one(world, "space.update")
    assert [len(event["origin"]["address"]), len(event["origin"]["userAgent"])] == [64, 256]
    assert len(event["target"]["label"]) == 255
