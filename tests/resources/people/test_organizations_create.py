"""POST /orgs."""

from __future__ import annotations

from tests.client import World
from tests.resources.checks import check_json, check_refusals


def test_its_maker_is_its_admin(world: World) -> None:
    token = world.person(None)
    reply = world.api.post("/v1/orgs", {"title": "  Herons  ", "emailDomains": ["Herons.test"]}, token=token)
    assert reply.status == 201
    made = reply.json
    assert made["title"] == "Herons"
    assert made["emailDomains"] == ["herons.test"]
    assert made["permissions"]["admin"] is True
    assert reply.headers["location"] == made["urls"]["location"]
    path = f"/v1/orgs/{made['id']}"
    assert world.api.get(path, token=token).json == made
    assert world.api.patch(path, {"title": "Egrets"}, token=token).status == 200
    assert world.api.get(path).status == 404


def test_a_guest_elsewhere_may_make_one(world: World) -> None:
    assert world.api.post("/v1/orgs", {"title": "Own"}, token=world.person("guest")).status == 201


def test_wrong_input_names_the_field(world: World) -> None:
    cases = [
        ({}, "title"),
        ({"title": None}, "title"),
        ({"title": 5}, "title"),
        ({"title": "a"}, "title"),
        ({"title": "  a  "}, "title"),
        ({"title": "a" * 256}, "title"),
        ({"title": "Good", "emailDomains": "a.test"}, "emailDomains"),
        ({"title": "Good", "emailDomains": [5]}, "emailDomains"),
    ]
    check_refusals(world, "POST", "/v1/orgs", cases)
    check_json(world, "POST", "/v1/orgs")
    reply = world.api.post("/v1/orgs")
    assert reply.status == 400
    assert "title" in reply.message
    assert world.api.get("/v1/orgs").json["count"] == 1


def test_limits_count_what_stays(world: World) -> None:
    for title in ("ab", "🦉" * 255, "  " + "a" * 255 + "  "):
        assert world.api.post("/v1/orgs", {"title": title}).json["title"] == title.strip()


def test_read_only_and_unknown_fields_are_ignored(world: World) -> None:
    sent = {
        "title": "Given", "id": world.organization, "plan": "free", "type": "community", "hostname": "chosen-name",
        "createdAt": "2001-01-01T00:00:00.000Z", "permissions": {}, "blocked": {"reason": "x"}, "nonsense": {},
    }  # fmt: skip
    made = world.api.post("/v1/orgs", sent)
    assert made.status == 201
    assert made.json["id"] != world.organization
    assert (made.json["plan"], made.json["type"]) == ("enterprise_2024", "business")
    assert made.json["createdAt"] > "2020"
    assert {"hostname", "blocked", "nonsense"}.isdisjoint(made.json)
