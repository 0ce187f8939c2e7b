"""Installing and configuring: in organizations, on spaces and on sites; and what the tokens of integrations open."""

from __future__ import annotations

from typing import Any

from tests.client import World
from tests.resources.checks import check_refusals, other_organization
from tests.resources.integrations.building import installed, manifest, published
from tests.resources.openapi.petstore import PETS

ASKED: dict[str, Any] = {
    "account": {
        "properties": {
            "key": {"type": "string", "title": "Key"}, "many": {"type": "number", "default": 3},
            "on": {"type": "boolean"}, "where": {"type": "string", "enum": ["eu", "us"]},
        },
        "required": ["key"],
    },
    "site": {"properties": {"id": {"type": "string", "title": "Id"}}, "required": ["id"]},
}  # fmt: skip


def test_install_configure_and_uninstall_in_an_organization(world: World) -> None:
    one = published(world, configurations=ASKED)
    path = f"/v1/integrations/{one['name']}/installations"
    reply = world.api.post(path, {"organization": world.organization})
    assert reply.status == 201
    made = reply.json
    assert reply.headers["location"] == made["urls"]["location"]
    assert (made["status"], made["space_selection"], made["configuration"]) == ("pending", "selected", {})
    assert world.api.post(path, {"organization": world.organization}).status == 409
    here = f"{path}/{made['id']}"
    ready = world.api.patch(here, {"configuration": {"key": "very-secret", "where": "eu"}, "externalIds": ["T1"]}).json
    assert (ready["status"], ready["configuration"]["key"], ready["externalIds"]) == ("active", "very-secret", ["T1"])
    assert world.api.get(here).json == ready
    assert [each["id"] for each in world.api.get(f"{path}?externalId=T1").json["items"]] == [made["id"]]
    assert world.api.get(f"{path}?externalId=T2").json["items"] == []
    status = f"/v1/orgs/{world.organization}/integrations/{one['name']}/installation_status"
    assert world.api.get(status).json == {"status": "active"}
    assert world.api.get(here, token=world.person("create")).json["configuration"] == {}
    assert world.api.delete(here).status == 205
    assert world.api.delete(here).status == 404
    assert world.api.get(status).status == 404


def test_a_configuration_is_checked_against_the_manifest(world: World) -> None:
    one = published(world, configurations=ASKED)
    here = installed(world, one)
    cases: list[tuple[Any, str]] = [
        ({"key": 5}, "configuration.key"), ({"many": "5"}, "configuration.many"), ({"many": True}, "configuration.many"),
        ({"on": 1}, "configuration.on"), ({"where": "asia"}, "configuration.where"),
        ({"colour": "red"}, "configuration.colour"),
    ]  # fmt: skip
    check_refusals(world, "PATCH", here, [({"configuration": sent}, word) for sent, word in cases])
    check_refusals(
        world, "PATCH", here,
        [({"externalIds": ["a"] * 6}, "externalIds"), ({"space_selection": "some"}, "space_selection"),
         ({"configuration": {"key": "x" * (65 << 10)}}, "configuration")],
    )  # fmt: skip
    assert world.api.get(here).json["configuration"] == {}


def test_a_new_version_that_asks_for_more_waits_and_a_closed_one_stops(world: World) -> None:
    one = published(world, visibility="public")
    abroad = other_organization(world)["id"]
    here, there = installed(world, one), installed(world, one, abroad)
    assert [world.api.get(each).json["status"] for each in (here, there)] == ["active", "active"]
    published(world, one["name"], visibility="public", configurations=ASKED)
    assert [world.api.get(each).json["status"] for each in (here, there)] == ["pending", "pending"]
    published(world, one["name"], visibility="private")
    assert [world.api.get(each).json["status"] for each in (here, there)] == ["active", "paused"]
    assert world.api.post(f"/v1/integrations/{one['name']}/installations", {"organization": abroad}).status == 403


def test_on_spaces_and_sites(world: World) -> None:
    one = published(world, configurations=ASKED, blocks=[{"id": "b", "title": "Board"}])
    here = installed(world, one)
    world.api.patch(here, {"configuration": {"key": "k"}})
    space, other = world.space(), world.space("Other")
    site = world.site(space["id"])
    for kind, body, id in (
        ("spaces", {"space": space["id"]}, space["id"]),
        ("sites", {"siteId": site["id"]}, site["id"]),
    ):
        made = world.api.post(f"{here}/{kind}", body)
        assert made.status == 201, made.text
        assert made.json[kind[:-1]] == id
        assert world.api.post(f"{here}/{kind}", body).status == 409
        assert world.api.get(f"{here}/{kind}/{id}").json == made.json
        assert world.api.get(f"{here}/{kind}/{id}?extended=true").json[kind[:-1]]["id"] == id
        assert world.api.get(f"{here}/{kind}").json["items"] == [made.json]
        assert world.api.get(f"/v1/integrations/{one['name']}/{kind}").json["items"] == [made.json]
    assert world.api.get(here).json["spaces"] == 1
    blocks = f"/v1/spaces/{space['id']}/integration-blocks"
    assert world.api.get(blocks).json == [{"name": one["name"], "blocks": [{"id": "b", "title": "Board"}]}]
    assert world.api.get(f"/v1/spaces/{other['id']}/integration-blocks").json == []
    on_site = f"/v1/orgs/{world.organization}/sites/{site['id']}/integrations"
    assert world.api.get(on_site).json["items"] == []
    assert world.api.patch(f"{here}/sites/{site['id']}", {"configuration": {"id": "G-1"}}).json["status"] == "active"
    assert [each["name"] for each in world.api.get(on_site).json["items"]] == [one["name"]]
    status = f"/v1/orgs/{world.organization}/integrations/installations-status"
    for query, target in (
        ("", {"type": "organization", "organizationId": world.organization}),
        (f"?target=space&space={space['id']}", {"type": "space", "spaceId": space["id"]}),
        (f"?target=site&site={site['id']}", {"type": "site", "siteId": site["id"]}),
    ):
        [found] = [
            each for each in world.api.get(status + query).json["items"] if each["integration"]["name"] == one["name"]
        ]
        assert (found["target"], found["status"]) == (target, "active")
    assert world.api.get(f"{status}?space={space['id']}").status == 400
    world.api.patch(here, {"space_selection": "all"})
    assert len(world.api.get(f"/v1/spaces/{other['id']}/integrations").json["items"]) == 1
    assert world.api.get(here).json["spaces"] >= 2
    for kind, id in (("spaces", space["id"]), ("sites", site["id"])):
        assert world.api.delete(f"{here}/{kind}/{id}").status == 205
        assert world.api.get(f"{here}/{kind}/{id}").status == 404


def test_the_target_of_the_manifest_holds(world: World) -> None:
    here = installed(world, published(world, target="site"))
    assert world.api.post(f"{here}/spaces", {"space": world.space()["id"]}).status == 412
    whole = installed(world, published(world, target="organization"))
    assert world.api.get(whole).json["space_selection"] == "all"


def test_admins_of_a_space_install_there_and_others_do_not(world: World) -> None:
    here, space = installed(world, published(world)), world.space()
    assert world.api.patch(f"/v1/spaces/{space['id']}", {"defaultLevel": None}).status == 200
    inside, outside = world.person("read"), world.person("create")
    world.grant(inside, "space", space["id"], "admin")
    assert world.api.post(f"{here}/spaces", {"space": space["id"]}, token=outside).status == 404
    assert world.api.post(f"{here}/spaces", {"space": space["id"]}, token=inside).status == 201
    path = f"{here}/spaces/{space['id']}"
    assert (world.api.get(path, token=outside).status, world.api.get(path, token=inside).status) == (404, 200)
    assert world.api.patch(path, {"externalIds": ["a"]}, token=inside).status == 200
    foreign = world.api.post(f"/v1/orgs/{other_organization(world)['id']}/spaces", {"title": "Foreign"}).json
    assert world.api.post(f"{here}/spaces", {"space": foreign["id"]}).status == 409


def test_a_token_opens_its_scopes_on_what_was_chosen(world: World) -> None:
    one = published(world, scopes=["space:metadata:read", "site:metadata:read"])
    here = installed(world, one)
    chosen, other = world.space(), world.space("Other")
    foreign = world.api.post(f"/v1/orgs/{other_organization(world)['id']}/spaces", {"title": "Foreign"}).json
    world.api.post(f"{here}/spaces", {"space": chosen["id"]})
    integration = world.acting(one["name"])
    made = world.api.post(f"{here}/tokens", token=integration)
    assert made.status == 200
    token = made.json["token"]
    assert world.api.post(f"{here}/tokens", token=token).status == 403

    def seen(path: str) -> int:
        return world.api.get(path, token=token).status

    assert [seen(f"/v1/spaces/{each['id']}") for each in (chosen, other, foreign)] == [200, 404, 404]
    assert world.api.get(f"/v1/spaces/{chosen['id']}", token=token).json["permissions"]["edit"] is False
    assert seen(f"/v1/spaces/{chosen['id']}/content") == 403
    assert world.api.patch(f"/v1/spaces/{chosen['id']}", {"title": "No"}, token=token).status == 403
    assert seen(f"/v1/orgs/{world.organization}/members") == 403
    assert [seen(here), seen(f"/v1/integrations/{one['name']}"), seen(f"/v1/orgs/{world.organization}")] == [200] * 3
    assert seen("/v1/integrations/" + published(world, visibility="public")["name"]) == 404
    kept = {"configuration": {"oauth_credentials": {"access_token": "t"}}}
    assert world.api.patch(here, kept, token=token).json["configuration"] == kept["configuration"]
    assert world.api.get(here).json["configuration"] == kept["configuration"]
    published(world, one["name"], scopes=["space:content:read"])
    assert seen(f"/v1/spaces/{chosen['id']}/content") == 200
    assert seen(f"/v1/spaces/{chosen['id']}") == 403
    assert world.api.delete(here).status == 205
    assert seen(f"/v1/spaces/{chosen['id']}/content") == 401
    assert world.api.get("/v1/integrations", token="oi_forged.word").status == 401
    world.api.delete(f"/v1/integrations/{one['name']}")
    assert world.api.get("/v1/integrations", token=integration).status == 401


def test_an_integration_does_not_choose_what_it_acts_on(world: World) -> None:
    one = published(world, scopes=["space:metadata:read"])
    here, other = installed(world, one), world.space("Other")["id"]
    token = world.api.post(f"{here}/tokens", token=world.acting(one["name"])).json["token"]
    for sent in ({"space_selection": "all"}, {"site_selection": "all", "externalIds": ["T1"]}):
        for acting in (token, world.acting(one["name"])):
            reply = world.api.patch(here, sent, token=acting)
            assert (reply.status, "for admins" in reply.message) == (403, True)
    assert world.api.get(f"/v1/spaces/{other}", token=token).status == 404
    assert world.api.patch(here, {"externalIds": ["T1"]}, token=token).json["space_selection"] == "selected"
    assert world.api.patch(here, {"space_selection": "all"}).status == 200
    assert world.api.get(f"/v1/spaces/{other}", token=token).status == 200


def test_a_token_keeps_specifications_where_it_may(world: World) -> None:
    one = published(world, scopes=["openapi:read", "openapi:write"])
    here, abroad = installed(world, one), other_organization(world)["id"]
    token = world.api.post(f"{here}/tokens", token=world.acting(one["name"])).json["token"]
    specs = f"/v1/orgs/{world.organization}/openapi"
    put = world.api.put(f"{specs}/pets", {"source": {"text": PETS}}, token=token)
    assert (put.status, put.json["permissions"]) == (200, {"view": True, "edit": True}), put.text
    world.work()
    assert world.api.get(f"{specs}/pets/versions/latest/content", token=token).status == 200
    assert world.api.get(specs, token=token).json["count"] == 1
    assert world.api.get(f"/v1/orgs/{abroad}/openapi", token=token).status == 404
    published(world, one["name"], scopes=["openapi:read"])
    assert world.api.get(f"{specs}/pets", token=token).json["permissions"]["edit"] is False
    assert world.api.put(f"{specs}/pets", {"source": {"text": PETS}}, token=token).status == 403
    assert world.api.delete(f"{specs}/pets", token=token).status == 403
    published(world, one["name"], scopes=["openapi:write"])
    assert [world.api.get(path, token=token).status for path in (specs, f"{specs}/pets")] == [403, 403]
    assert world.api.delete(f"{specs}/pets", token=token).status in (204, 205)


def test_a_token_lists_what_is_offered_and_sends_what_readers_do(world: World) -> None:
    one = published(world, scopes=["space:metadata:read"], blocks=[{"id": "board", "title": "Board"}])
    here, space = installed(world, one), world.space()["id"]
    site = f"/v1/orgs/{world.organization}/sites/{world.site(space)['id']}"
    token = world.api.post(f"{here}/tokens", token=world.acting(one["name"])).json["token"]
    session = {"visitorId": "v", "sessionId": "s", "userAgent": "Browser", "language": None, "referrer": None}
    location = {"url": "https://docs.example/", "displayContext": "site", "page": None}
    events = {"events": [{"type": "page_view", "session": session, "location": location}]}
    paths = (f"/v1/spaces/{space}/integration-blocks", f"/v1/spaces/{space}/integrations")
    assert [world.api.get(path, token=token).status for path in paths] == [404, 404]
    world.api.post(f"{here}/spaces", {"space": space})
    blocks, listed = (world.api.get(path, token=token) for path in paths)
    assert (blocks.json[0]["name"], listed.json["items"][0]["name"]) == (one["name"], one["name"])
    assert world.api.post(f"{site}/insights/events", events, token=token).status == 403
    published(world, one["name"], scopes=["site:views:read"])
    assert world.api.post(f"{site}/insights/events", events, token=token).status == 404  # not on that site
    world.api.post(f"{here}/sites", {"siteId": site.rpartition("/")[2]})
    reply = world.api.post(f"{site}/insights/events", events, token=token)
    assert reply.status == 204, reply.text
    assert world.api.get(paths[0], token=token).status == 403


def test_an_integration_reaches_all_of_its_installations_and_no_others(world: World) -> None:
    one, abroad = published(world, visibility="public"), other_organization(world)["id"]
    mine, there = installed(world, one), installed(world, one, abroad)
    foreign = installed(world, published(world))
    token = world.acting(one["name"])
    listed = world.api.get(f"/v1/integrations/{one['name']}/installations", token=token).json["items"]
    assert {each["urls"]["location"].partition("/v1")[2] for each in listed} == {
        mine.removeprefix("/v1"), there.removeprefix("/v1")
    }  # fmt: skip
    assert [world.api.get(each, token=token).status for each in (mine, there, foreign)] == [200, 200, 404]
    stranger = world.person("admin", abroad)
    listed = world.api.get(f"/v1/integrations/{one['name']}/installations", token=stranger).json["items"]
    assert [each["target"]["organization"] for each in listed] == [abroad]
    assert world.api.get(mine, token=stranger).status == 404


def test_unpublishing_takes_installations_with_it(world: World) -> None:
    one = published(world)
    installed(world, one)
    assert world.api.delete(f"/v1/integrations/{one['name']}").status == 204
    again = world.api.post(f"/v1/integrations/{one['name']}", manifest(world)).json
    assert again["version"] == 1
    assert world.api.get(f"/v1/integrations/{one['name']}/installations").json["items"] == []
