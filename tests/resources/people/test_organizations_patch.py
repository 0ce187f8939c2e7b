"""PATCH /orgs/{org}."""

from __future__ import annotations

import uuid
from typing import Any

from tests.client import World
from tests.resources.checks import check_json, check_refusals, check_roles, other_organization


def _name() -> str:
    return "h" + uuid.uuid4().hex[:20]


def test_only_what_was_sent_changes(world: World) -> None:
    path = f"/v1/orgs/{world.organization}"
    before = world.api.get(path).json
    reply = world.api.patch(path, {"title": " Terns "})
    assert reply.status == 200
    assert reply.json == before | {"title": "Terns"}
    assert world.api.get(path).json == reply.json
    assert world.api.patch(path, {}).json == reply.json


def test_each_field(world: World) -> None:
    path = f"/v1/orgs/{world.organization}"
    for field, value in (
        ("defaultRole", "comment"), ("defaultRole", None), ("sso", True), ("sso", False), ("ai", False), ("ai", True),
        ("inviteLinks", False), ("inviteLinks", True), ("emailDomains", ["a.test", "b.test"]), ("emailDomains", []),
    ):  # fmt: skip
        assert world.api.patch(path, {field: value}).json[field] == value
        assert world.api.get(path).json[field] == value
    logo = "https://pictures.test/logo.svg"
    assert world.api.patch(path, {"logo": logo}).json["urls"]["logo"] == logo
    assert "logo" not in world.api.patch(path, {"logo": None}).json["urls"]


def test_default_content_is_one_of_its_sites(world: World) -> None:
    path = f"/v1/orgs/{world.organization}"
    content = {"type": "site", "site": world.site(publish=False)["id"]}
    assert world.api.patch(path, {"defaultContent": content}).json["defaultContent"] == content
    foreign = other_organization(world)["id"]
    elsewhere = world.api.post(f"/v1/orgs/{foreign}/sites", {"title": "Foreign"}).json["id"]
    for wrong in (elsewhere, "nothing"):
        reply = world.api.patch(path, {"defaultContent": {"type": "site", "site": wrong}})
        assert reply.status == 400
        assert reply.message.startswith("defaultContent.site: ")
    assert world.api.get(path).json["defaultContent"] == content
    assert "defaultContent" not in world.api.patch(path, {"defaultContent": None}).json


def test_a_hostname_belongs_to_one(world: World) -> None:
    path, name = f"/v1/orgs/{world.organization}", _name()
    assert world.api.patch(path, {"hostname": name}).json["hostname"] == name
    assert world.api.patch(path, {"hostname": name}).status == 200
    other = other_organization(world)["id"]
    reply = world.api.patch(f"/v1/orgs/{other}", {"hostname": name, "title": "Taken"})
    assert reply.status == 409
    assert "hostname" in reply.message
    assert world.api.get(f"/v1/orgs/{other}").json["title"] == "Another organization"


def test_settings_take_admin(world: World) -> None:
    check_roles(world, "admin", "PATCH", f"/v1/orgs/{world.organization}", {"ai": True}, success=200, guest=403)


def test_an_admin_of_another_organization_is_a_stranger(world: World) -> None:
    token = world.person(None)
    world.api.post("/v1/orgs", {"title": "Theirs"}, token=token)
    assert world.api.patch(f"/v1/orgs/{world.organization}", {"title": "Stolen"}, token=token).status == 404


def test_wrong_input_names_the_field(world: World) -> None:
    path = f"/v1/orgs/{world.organization}"
    before = world.api.get(path).json
    cases = [
        ({"title": None}, "title"),
        ({"title": "a"}, "title"),
        ({"title": " a "}, "title"),
        ({"title": "a" * 256}, "title"),
        ({"title": ["Good"]}, "title"),
        ({"emailDomains": None}, "emailDomains"),
        ({"emailDomains": "a.test"}, "emailDomains"),
        ({"emailDomains": [None]}, "emailDomains"),
        ({"emailDomains": ["fine.test", "a domain"]}, "emailDomains"),
        ({"emailDomains": ["nodot"]}, "emailDomains"),
        ({"emailDomains": ["not!.test"]}, "emailDomains"),
        ({"emailDomains": ["-a.test"]}, "emailDomains"),
        ({"emailDomains": ["a" * 64 + ".test"]}, "emailDomains"),
        ({"emailDomains": ["\u093fa.test"]}, "emailDomains"),
        ({"emailDomains": ["日本語。jp.test"]}, "emailDomains"),
        ({"hostname": "ab"}, "hostname"),
        ({"hostname": "a" * 33}, "hostname"),
        ({"hostname": "Upper-Case"}, "hostname"),
        ({"hostname": "-begins"}, "hostname"),
        ({"hostname": "ends-"}, "hostname"),
        ({"hostname": "line\n"}, "hostname"),
        ({"hostname": None}, "hostname"),
        ({"defaultRole": "guest"}, "defaultRole"),
        ({"defaultRole": "inherit"}, "defaultRole"),
        ({"defaultRole": 1}, "defaultRole"),
        ({"defaultContent": "site"}, "defaultContent"),
        ({"defaultContent": {"type": "space", "site": "x"}}, "defaultContent"),
        ({"defaultContent": {"type": "site"}}, "defaultContent"),
        ({"logo": "not an address"}, "logo"),
        ({"logo": "javascript:alert(1)"}, "logo"),
        ({"logo": "https://a.test/" + "a" * 2048}, "logo"),
        ({"sso": "yes"}, "sso"),
        ({"sso": None}, "sso"),
        ({"ai": 1}, "ai"),
        ({"inviteLinks": None}, "inviteLinks"),
    ]
    check_refusals(world, "PATCH", path, cases)
    check_json(world, "PATCH", path)
    assert world.api.get(path).json == before


def test_domains_are_of_every_language(world: World) -> None:
    """Also of those whose vowels are marks on letters, and whose letters are kept apart by what is not seen."""
    path = f"/v1/orgs/{world.organization}"
    named = ["a_b.example.org", "bücher.example", "हिन्दी.भारत", "தமிழ்.இலங்கை", "אתר.ישראל", "क्‍ष.भारत", "日本語.jp"]
    reply = world.api.patch(path, {"emailDomains": named})
    assert (reply.status, reply.json.get("emailDomains")) == (200, sorted(named)), reply.text


def test_domains_that_are_held_are_no_hindrance_to_another(world: World) -> None:
    """An operator may have vouched for one that nobody could name here."""
    path, old = f"/v1/orgs/{world.organization}", "intranet"

    async def vouch(unit: Any) -> None:
        organization = await unit.people.organization(world.organization)
        await unit.people.change_organization(organization, email_domains=[old])

    world.run(world.house.store.write(vouch))
    assert world.api.patch(path, {"emailDomains": [old, "nodot"]}).status == 400
    reply = world.api.patch(path, {"emailDomains": [old.upper(), "second.example"]})
    assert (reply.status, reply.json.get("emailDomains")) == (200, [old, "second.example"]), reply.text


def test_read_only_and_unknown_fields_are_ignored(world: World) -> None:
    path = f"/v1/orgs/{world.organization}"
    before = world.api.get(path).json
    sent = {
        "id": "chosen", "object": "x", "createdAt": "2001-01-01T00:00:00.000Z", "plan": "free", "type": "community",
        "permissions": {}, "urls": {}, "trial": {}, "billing": {}, "blocked": {"reason": "x"}, "nonsense": None,
        "customHostname": "evil.example.test", "internal_isOnNewTrial": False, "default_role": "admin",
    }  # fmt: skip
    reply = world.api.patch(path, sent)
    assert reply.status == 200
    assert reply.json == before == world.api.get(path).json
