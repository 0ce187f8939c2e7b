"""Single sign-on as the only way: who sees the organization, who does not, and how the glass is broken."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from octavo.kernel.ids import new_id, new_token, token_hash
from octavo.kernel.records.people import Member, Token, User
from tests.client import World
from tests.conftest import FakeClock
from tests.processes import bootstrap, get, octavo, serving
from tests.sso.idp import Trust, key, trust, verify
from tests.sso.test_signing_in import member, unique


def test_the_way_is_offered_where_there_is_one(world: World) -> None:
    """PostgreSQL's database is shared by all tests: there, others may have a provider."""
    words = "Sign in with your organization"
    served = world.run(world.house.store.read(lambda unit: unit.saml.serves()))
    assert (words in world.api.get("/login", token="").text) is served
    trust(world)
    assert words in world.api.get("/login", token="").text


def enforce(world: World, on: bool = True) -> None:
    reply = world.api.patch(f"/v1/orgs/{world.organization}", {"sso": on})
    assert reply.status == 200, reply.text
    assert reply.json["sso"] is on


def token_by(world: World, provider: str | None, role: str = "admin", organization: str | None = None) -> str:
    """The token of a new member who proved by that provider who she is."""
    secret, user = new_token(), User(id=new_id(), email=f"{new_id()}@acme.test".lower(), name="Pat")

    async def make(unit: Any) -> None:
        await unit.people.add_user(user)
        given = Token(id=new_id(), user=user.id, hash=token_hash(secret), provider=provider, created_at=unit.now)
        await unit.people.add_token(given)
        at = organization or world.organization
        await unit.people.add_member(Member(organization=at, user=user.id, role=role, joined_at=unit.now))  # type: ignore[arg-type]

    world.run(world.house.store.write(make))
    return secret


def _token_of(world: World, user: str, provider: str | None) -> str:
    """Of somebody who is there."""
    secret = new_token()

    async def make(unit: Any) -> None:
        given = Token(id=new_id(), user=user, hash=token_hash(secret), provider=provider, created_at=unit.now)
        await unit.people.add_token(given)

    world.run(world.house.store.write(make))
    return secret


def places(world: World) -> list[str]:
    """One address of each kind below the organization."""
    space = world.space()["id"]
    site = world.site(space)["id"]
    collection = world.api.post(f"/v1/orgs/{world.organization}/collections", {"title": "Shelf"}).json["id"]
    base = f"/v1/orgs/{world.organization}"
    return [
        base, f"{base}/members", f"{base}/teams", f"{base}/spaces", f"{base}/saml", f"{base}/sso",
        f"{base}/sites/{site}", f"/v1/spaces/{space}", f"/v1/spaces/{space}/content", f"/v1/collections/{collection}",
    ]  # fmt: skip


def test_only_what_came_by_the_organization_s_provider_sees_it(world: World) -> None:
    acme = trust(world)
    paths = places(world)
    by_sso, by_password = token_by(world, acme.provider["id"]), token_by(world, None)
    enforce(world)
    for path in paths:
        assert world.api.get(path, token=by_sso).status == 200, path
        reply = world.api.get(path, token=by_password)
        assert reply.status == 403, path
        assert "SSO" in reply.message
        assert f"/sso?organization={world.organization}" in reply.message


def test_what_is_barred_is_in_no_list_and_changes_nothing(world: World) -> None:
    acme = trust(world)
    places(world)
    by_password = token_by(world, None)
    enforce(world)
    listed = world.api.get("/v1/orgs", token=by_password).json
    assert (listed["items"], listed["count"]) == ([], 0)
    assert world.api.patch(f"/v1/orgs/{world.organization}", {"sso": False}, token=by_password).status == 403
    assert world.api.delete(acme.at, token=by_password).status == 403
    assert world.api.get("/v1/user", token=by_password).status == 200


def test_the_provider_of_another_organization_is_no_way_in(world: World) -> None:
    trust(world)
    other = world.api.post("/v1/orgs", {"title": "Another"}).json["id"]
    sent = {"label": "x", "entityID": "y", "ssoURL": "https://y.test", "certificate": key().certificate}
    theirs = world.api.post(f"/v1/orgs/{other}/saml", sent).json["id"]
    stranger, gone = token_by(world, theirs), token_by(world, new_id())
    enforce(world)
    for token in (stranger, gone):
        assert world.api.get(f"/v1/orgs/{world.organization}", token=token).status == 403
    assert world.api.get(f"/v1/orgs/{other}").status == 200


def test_a_provider_opens_no_organization_that_was_joined_later(world: World) -> None:
    acme = trust(world, defaultRole="admin")
    subject, email = unique()
    acme.browser().sign_in(subject=subject, attributes={"email": email})
    found = member(world, email)
    assert found is not None
    other = world.api.post("/v1/orgs", {"title": "Another"}).json["id"]
    secret = world.api.post(f"/v1/orgs/{other}/spaces", {"title": "Secret"}).json["id"]
    joined = Member(organization=other, user=found.user, role="admin", joined_at=world.house.store.clock() + 1)
    world.run(world.house.store.write(lambda unit: unit.people.add_member(joined)))
    assert acme.browser().sign_in(subject=subject, attributes={"email": email}).status == 303
    by_sso, by_herself = (_token_of(world, found.user, provider) for provider in (acme.provider["id"], None))
    assert world.api.get(f"/v1/orgs/{world.organization}", token=by_sso).status == 200
    listed = world.api.get("/v1/orgs", token=by_sso).json["items"]
    assert [one["id"] for one in listed] == [world.organization]
    for path in (f"/v1/orgs/{other}", f"/v1/spaces/{secret}"):
        reply = world.api.get(path, token=by_sso)
        assert (reply.status, "does not speak for this one" in reply.text) == (403, True)
        assert world.api.get(path, token=by_herself).status == 200


def test_without_a_provider_that_works_nothing_is_enforced(world: World) -> None:
    """Else nobody could come in, not even to set one up."""
    enforce(world)
    assert world.api.get(f"/v1/orgs/{world.organization}").status == 200
    acme = trust(world, certificate="")
    assert acme.provider["status"] == "pending"
    assert world.api.get(f"/v1/orgs/{world.organization}").status == 200
    acme.patch(certificate=key().certificate)
    assert world.api.get(f"/v1/orgs/{world.organization}").status == 403


def test_a_browser_session_by_sso_and_a_token_made_in_it(world: World) -> None:
    """The whole way: signed in by SAML, a token on the page, the API with it."""
    acme = trust(world, defaultRole="admin")
    subject, email = unique()
    browser = acme.browser()
    browser.sign_in(subject=subject, attributes={"email": email})
    enforce(world)
    page = browser.send("GET", "/account/tokens")
    word = page.text.partition('name="form" value="')[2].partition('"')[0]
    made = browser.send("POST", "/account/tokens", {"form": word, "label": "ci", "days": "30"})
    assert made.status in (200, 303), made.text
    if made.status == 303:
        made = browser.send("GET", made.headers["location"])
    secret = made.text.partition("octavo_")[2].partition("<")[0]
    reply = world.api.get(f"/v1/orgs/{world.organization}", token="octavo_" + secret)
    assert (reply.status, reply.json["sso"]) == (200, True)


def test_deleting_a_provider_ends_what_rests_on_its_word(world: World) -> None:
    acme = trust(world)
    subject, email = unique()
    browser = acme.browser()
    browser.sign_in(subject=subject, attributes={"email": email})
    token = token_by(world, acme.provider["id"])
    assert world.api.delete(acme.at).status == 204
    assert browser.send("GET", "/account/tokens").status == 303
    assert world.api.get("/v1/user", token=token).status == 401
    assert member(world, email) is not None


def test_members_who_come_by_sso_are_listed_so(world: World) -> None:
    acme = trust(world)
    subject, email = unique()
    acme.browser().sign_in(subject=subject, attributes={"email": email})
    items = world.api.get(f"/v1/orgs/{world.organization}/members").json["items"]
    assert {item["user"]["email"]: item["sso"] for item in items}[email] is True
    assert sum(item["sso"] for item in items) == 1


def test_the_glass_is_broken_from_the_command_line(tmp_path: Path) -> None:
    made = bootstrap(tmp_path)
    organization, given = made["organization"], ("--data", tmp_path, "--organization", made["organization"])
    assert octavo("domain", "verify", *given, " Acme.Test ") == {"organization": organization, "domains": ["acme.test"]}
    with serving(tmp_path) as (_, base):
        sent = {"label": "x", "entityID": "y", "ssoURL": "https://y.test", "certificate": key().certificate}
        at = f"{base}/v1/orgs/{organization}"
        assert _send("POST", f"{at}/saml", sent, made["token"]) == 201
        assert _send("PATCH", at, {"sso": True}, made["token"]) == 200
        status, body = get(at, made["token"])
        assert status == 403
        assert "SSO" in json.loads(body)["error"]["message"]
        shown = octavo("sso", "show", *given)
        assert (shown["sso"], shown["domains"], len(shown["providers"])) == (True, ["acme.test"], 1)
        assert octavo("sso", "off", *given) == {"organization": organization, "sso": False, "was": True}
        assert get(at, made["token"])[0] == 200


def _send(method: str, url: str, body: Any, token: str) -> int:
    import urllib.request

    headers = {"authorization": f"Bearer {token}", "content-type": "application/json"}
    request = urllib.request.Request(url, json.dumps(body).encode(), headers, method=method)
    with urllib.request.urlopen(request) as answer:
        return int(answer.status)


@pytest.fixture
def acme(world: World) -> Trust:
    return trust(world, label="Acme <b>login</b>")


def test_the_list_leads_to_the_organization_s_providers(world: World, acme: Trust, clock: FakeClock) -> None:
    clock.advance(1000)
    second = trust(world, label="Second")
    trust(world, label="Not ready", certificate="x")
    reply = world.api.get(f"/sso?organization={world.organization}", token="")
    assert reply.status == 200
    assert reply.text.index("Acme &lt;b&gt;login&lt;/b&gt;") < reply.text.index(">Second<")
    for one in (acme, second):
        assert f'href="/sso/saml/{one.provider["id"]}/start"' in reply.text
    assert "Not ready" not in reply.text
    assert reply.headers["cache-control"] == "no-store"
    assert "script" not in reply.headers["content-security-policy"]


def test_the_list_keeps_where_people_want_to_go(world: World, acme: Trust) -> None:
    reply = world.api.get(f"/sso?organization={world.organization}&next=/account/tokens%3Fx", token="")
    assert "/start?next=%2Faccount%2Ftokens%3Fx" in reply.text
    reply = world.api.get(f"/sso?organization={world.organization}&next=//evil.test", token="")
    assert "evil" not in reply.text


def test_the_list_by_the_organization_s_hostname(world: World, acme: Trust) -> None:
    hostname = "h" + new_id().lower().replace("_", "x").replace("-", "y")
    assert world.api.patch(f"/v1/orgs/{world.organization}", {"hostname": hostname}).status == 200
    assert acme.provider["id"] in world.api.get(f"/sso?organization={hostname.upper()}", token="").text


def test_organizations_are_not_told_to_who_does_not_name_one(world: World, acme: Trust) -> None:
    other = world.api.post("/v1/orgs", {"title": "Another"}).json["id"]
    sent = {"label": "x", "entityID": "y", "ssoURL": "https://y.test", "certificate": key().certificate}
    assert world.api.post(f"/v1/orgs/{other}/saml", sent).status == 201
    for path in ("/sso", "/sso?organization=nobody"):
        reply = world.api.get(path, token="")
        assert reply.status == 200
        assert "<form" in reply.text
        assert acme.provider["id"] not in reply.text
    assert "There is no single sign-on" in reply.text


@pytest.mark.parametrize(
    ("error", "says"),
    [("late", "no longer valid"), ("nonsense", "could not be signed in"), ("<script>", "could not be signed in")],
)
def test_an_error_in_the_address_is_a_word_for_a_sentence(world: World, error: str, says: str) -> None:
    reply = world.api.get(f"/sso?error={error}", token="")
    assert reply.status == 200
    assert says in reply.text
    assert "<script" not in reply.text


def test_addresses_and_methods_that_are_not_there(world: World, acme: Trust) -> None:
    base = f"/sso/saml/{acme.provider['id']}"
    expected = {
        ("GET", "/sso/nothing"): 404,
        ("GET", "/sso/saml/none/start"): 404,
        ("POST", "/sso/saml/none/acs"): 404,
        ("GET", f"{base}/acs"): 405,
        ("POST", f"{base}/start"): 405,
        ("POST", "/sso"): 405,
        ("GET", f"{base}/finish"): 403,
        ("HEAD", f"{base}/metadata"): 200,
        ("HEAD", "/sso"): 200,
    }
    got = {(method, path): world.api.request(method, path, token="").status for method, path in expected}
    assert got == expected
    assert world.api.get(f"{base}/acs", token="").headers["allow"] == "POST"


def test_a_provider_that_is_not_ready_signs_nobody_in(world: World) -> None:
    pending = trust(world, certificate="")
    base = f"/sso/saml/{pending.provider['id']}"
    for method, path in (("GET", "start"), ("POST", "acs"), ("GET", "finish")):
        reply = world.api.request(method, f"{base}/{path}", token="")
        assert (reply.status, 'data-reason="pending"' in reply.text) == (409, True)
    assert world.api.get(f"{base}/metadata", token="").status == 200


def test_nobody_signs_in_to_a_deleted_organization(world: World) -> None:
    acme = trust(world)
    verify(world, "acme.test")
    assert world.api.delete(f"/v1/orgs/{world.organization}").status in (202, 204, 205)
    base = f"/sso/saml/{acme.provider['id']}"
    for path in ("start", "metadata"):
        assert world.api.get(f"{base}/{path}", token="").status == 404
    assert acme.provider["id"] not in world.api.get(f"/sso?organization={world.organization}", token="").text


def test_where_one_organization_has_single_sign_on_it_needs_no_name(tmp_path: Path) -> None:
    """In a database of its own: others have several."""
    made = bootstrap(tmp_path)
    with serving(tmp_path) as (_, base):
        sent = {"label": "Only", "entityID": "y", "ssoURL": "https://y.test", "certificate": key().certificate}
        assert "<form" in get(f"{base}/sso")[1].decode()
        assert _send("POST", f"{base}/v1/orgs/{made['organization']}/saml", sent, made["token"]) == 201
        assert ">Only</a>" in get(f"{base}/sso")[1].decode()
