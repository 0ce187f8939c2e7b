"""SAML providers of an organization, by the API."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from octavo.jobs.installation import signing
from octavo.kernel.ids import new_id, token_hash
from tests import certificates
from tests.client import World
from tests.resources.checks import MOMENT, call, check_json, check_refusals, check_roles, other_organization
from tests.sso.idp import key

FULL = {
    "label": "Acme",
    "entityID": "https://idp.acme.test/metadata",
    "ssoURL": "https://idp.acme.test/sso",
    "certificate": key().certificate,
    "defaultRole": "edit",
}


def base(world: World) -> str:
    return f"/v1/orgs/{world.organization}/saml"


def made(world: World, **body: Any) -> dict[str, Any]:
    reply = world.api.post(base(world), {**FULL, **body})
    assert reply.status == 201, reply.text
    found: dict[str, Any] = reply.json
    return found


def team(world: World, title: str = "Everybody") -> str:
    found: str = world.api.put(f"/v1/orgs/{world.organization}/teams", {"title": title}).json["id"]
    return found


def test_a_provider_as_it_is_served(world: World) -> None:
    everybody = team(world)
    reply = world.api.post(base(world), FULL | {"label": " Acme ", "defaultTeam": everybody})
    assert reply.status == 201
    one = reply.json
    at = f"http://octavo.test/sso/saml/{one['id']}"
    location = f"http://octavo.test{base(world)}/{one['id']}"
    assert reply.headers["location"] == location
    assert re.fullmatch(MOMENT, one.pop("createdAt"))
    assert one.pop("defaultTeam") == world.api.get(f"/v1/orgs/{world.organization}/teams/{everybody}").json
    assert one == {
        "object": "saml-provider",
        "id": one["id"],
        **FULL,
        "certificate": FULL["certificate"].strip(),  # type: ignore[attr-defined]
        "status": "active",
        "signedInAt": None,
        "service": {"acsURL": f"{at}/acs", "startURL": f"{at}/start", "entityID": f"{at}/metadata"},
        "urls": {"location": location},
    }
    assert world.api.get(f"{base(world)}/{one['id']}").json["service"] == one["service"]


def test_a_label_is_enough_to_begin_with(world: World) -> None:
    one = world.api.post(base(world), {"label": "Later", "unknown": 1}).json
    assert (one["status"], one["defaultRole"]) == ("pending", None)
    assert (one["entityID"], one["ssoURL"], one["certificate"]) == ("", "", "")
    assert "defaultTeam" not in one


@pytest.mark.parametrize(
    ("missing", "value"),
    [
        ("entityID", " "),
        ("certificate", ""),
        ("certificate", "no certificate"),
        ("certificate", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----"),
    ],
)
def test_a_provider_is_pending_until_everything_can_be_used(world: World, missing: str, value: str) -> None:
    at = f"{base(world)}/{made(world, **{missing: value})['id']}"
    assert world.api.get(at).json["status"] == "pending"
    assert world.api.get(f"/v1/orgs/{world.organization}/sso").json == {"items": []}
    assert world.api.patch(at, {missing: FULL[missing]}).json["status"] == "active"
    assert world.api.patch(at, {missing: value}).json["status"] == "pending"


def test_several_certificates_and_bare_base64(world: World) -> None:
    both = key().certificate + "\n" + key("second").certificate
    bare = "".join(key("curve", "ec").certificate.splitlines()[1:-1])
    assert made(world, certificate=both)["status"] == "active"
    assert made(world, certificate=bare)["status"] == "active"
    assert made(world, certificate=both + "\n-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----")[
        "status"
    ] == ("pending")


def test_only_what_is_sent_changes(world: World) -> None:
    before = made(world, defaultTeam=team(world))
    at = f"{base(world)}/{before['id']}"
    read_only = {"id": "x", "status": "pending", "createdAt": "x", "organization": "x", "service": {}, "object": "x"}
    assert world.api.patch(at, read_only).json == before
    after = world.api.patch(at, {"label": "New", "defaultRole": None, "defaultTeam": None}).json
    assert (after["label"], after["defaultRole"]) == ("New", None)
    assert "defaultTeam" not in after
    assert after["certificate"] == before["certificate"]


def test_a_default_team_that_is_deleted_is_none(world: World) -> None:
    everybody = team(world)
    one = made(world, defaultTeam=everybody)
    assert world.api.delete(f"/v1/orgs/{world.organization}/teams/{everybody}").status == 204
    assert "defaultTeam" not in world.api.get(f"{base(world)}/{one['id']}").json


def test_deleting_is_once(world: World) -> None:
    at = f"{base(world)}/{made(world)['id']}"
    reply = world.api.delete(at)
    assert (reply.status, reply.body) == (204, b"")
    assert [world.api.request(method, at, {}).status for method in ("GET", "PATCH", "DELETE")] == [404, 404, 404]


def test_the_list_goes_from_the_newest_on_in_pages(world: World) -> None:
    ids = [made(world, label=f"P{number}")["id"] for number in range(3)]
    at = base(world)
    whole = [item["id"] for item in world.api.get(at).json["items"]]
    assert sorted(whole) == sorted(ids)
    first = world.api.get(f"{at}?limit=2").json
    assert first["count"] == 3
    rest = world.api.get(f"{at}?limit=2&page={first['next']['page']}").json
    assert [item["id"] for item in (*first["items"], *rest["items"])] == whole
    assert "next" not in rest
    assert world.api.get(f"{at}?limit=0").json == {"items": [], "count": 3}


def test_logins_are_for_everybody_in_the_organization(world: World) -> None:
    one = made(world, label="Acme")
    made(world, label="Pending", certificate="")
    at = f"/v1/orgs/{world.organization}/sso"
    expected = {"items": [{"id": one["id"], "label": "Acme", "startURL": one["service"]["startURL"]}]}
    for role in ("guest", "read", "admin"):
        reply = call(world, world.person(role), "GET", at)
        assert (reply.status, reply.json) == (200, expected)
    assert call(world, world.person(None), "GET", at).status == 404
    assert call(world, "", "GET", at).status == 401


def test_admins_alone_see_and_change_providers(world: World) -> None:
    at = f"{base(world)}/{made(world)['id']}"
    check_roles(world, "admin", "GET", base(world), success=200, guest=403)
    check_roles(world, "admin", "POST", base(world), {"label": "x"}, success=201, guest=403)
    check_roles(world, "admin", "GET", at, success=200, guest=403)
    check_roles(world, "admin", "PATCH", at, {"label": "x"}, success=200, guest=403)
    for role in ("create", "guest"):
        assert call(world, world.person(role), "DELETE", at).status == 403
    assert call(world, world.person(None), "DELETE", at).status == 404
    assert call(world, world.person("admin"), "DELETE", at).status == 204


def test_a_token_with_scopes_is_not_enough(world: World) -> None:
    token = world.person("admin")

    async def limit(unit: Any) -> None:
        held = await unit.people.token_by_hash(token_hash(token))
        await unit.people.revoke_token(held.id)
        await unit.people.add_token(type(held)(**{**{name: getattr(held, name) for name in held.__struct_fields__},
                                                  "scopes": ["organization:read", "organization:write"]}))  # fmt: skip

    world.run(world.house.store.write(limit))
    assert call(world, token, "GET", base(world)).status == 403
    assert call(world, token, "POST", base(world), {"label": "x"}).status == 403
    assert call(world, token, "GET", f"/v1/orgs/{world.organization}/sso").status == 200


def test_ids_of_another_organization_are_not_there(world: World) -> None:
    one = made(world)
    other = other_organization(world)["id"]
    for method in ("GET", "PATCH", "DELETE"):
        assert world.api.request(method, f"/v1/orgs/{other}/saml/{one['id']}", {}).status == 404
        assert world.api.request(method, f"{base(world)}/{new_id()}", {}).status == 404
    assert world.api.get(f"{base(world)}/{one['id']}").status == 200
    theirs = world.api.put(f"/v1/orgs/{other}/teams", {"title": "Theirs"}).json["id"]
    for path, method in ((base(world), "POST"), (f"{base(world)}/{one['id']}", "PATCH")):
        reply = world.api.request(method, path, {"label": "x", "defaultTeam": theirs})
        assert reply.status == 400
        assert "defaultTeam" in reply.message


def test_bad_input_is_named(world: World) -> None:
    at = f"{base(world)}/{made(world)['id']}"
    cases: list[tuple[Any, str]] = [
        ({"label": ""}, "label"),
        ({"label": "  "}, "label"),
        ({"label": "x" * 31}, "label"),
        ({"label": 5}, "label"),
        ({"label": "x", "entityID": "x" * 1025}, "entityID"),
        ({"label": "x", "certificate": "x" * 10001}, "certificate"),
        ({"label": "x", "certificate": None}, "certificate"),
        ({"label": "x", "ssoURL": "javascript:alert(1)"}, "ssoURL"),
        ({"label": "x", "ssoURL": "not an address"}, "ssoURL"),
        ({"label": "x", "ssoURL": "https://a.test/" + "x" * 2048}, "ssoURL"),
        ({"label": "x", "defaultRole": "owner"}, "defaultRole"),
        ({"label": "x", "defaultTeam": new_id()}, "defaultTeam"),
    ]
    check_refusals(world, "POST", base(world), [({}, "label"), *cases])
    check_refusals(world, "PATCH", at, cases)
    check_json(world, "POST", base(world))
    assert (
        world.api.post(base(world), {"label": "x" * 30, "entityID": "x" * 1024, "certificate": "x" * 10000}).status
        == 201
    )


def test_a_doctor_warns_of_certificates_that_run_out(world: World, tmp_path: Path) -> None:
    store, loop = world.house.store, world.loop

    def told() -> list[tuple[str, str]]:
        found = loop.run_until_complete(signing.findings(store))
        ours = [one for one in found if world.organization in one.said or one.state == "ok"]
        return [(one.state, one.said.partition(" in the")[0]) for one in ours]

    def pem(days: tuple[int, int]) -> str:
        certificates.made(tmp_path, "idp.example.test", days)
        return (tmp_path / "cert.pem").read_text()

    made(world, label="Lasting", certificate=pem((-1, 40)))
    assert [state for state, _ in told()] in ([], ["ok"]), "others of this database may have worse ones"
    over = made(world, label="Over", certificate=pem((-9, -2)))
    made(world, label="Soon", certificate=pem((-1, 20)))
    made(world, label="Bound", certificate="no certificate at all")
    assert {*told()} == {("warning", "the certificate of Over"), ("warning", "the certificate of Soon")}
    # The next one stands beside it already.
    world.api.patch(f"{base(world)}/{over['id']}", {"certificate": pem((-9, -2)) + pem((-1, 400))})
    assert told() == [("warning", "the certificate of Soon")]
