"""/v1/integrations: what is published, found, read and unpublished."""

from __future__ import annotations

import uuid
from typing import Any

from tests.client import World
from tests.resources.checks import check_json, check_refusals, other_organization
from tests.resources.integrations.building import SCRIPT, encoded, manifest, png, published


def _name() -> str:
    return f"tool.{uuid.uuid4().hex[:12]}"


def test_publish_read_publish_again_and_unpublish(world: World) -> None:
    name = _name()
    path = f"/v1/integrations/{name}"
    sent = manifest(
        world, summary="# Long", runtime="v2", visibility="public", target="site", scopes=["site:script:inject"],
        categories=["analytics"], blocks=[{"id": "b", "title": "Board", "urlUnfurl": ["https://*.boards.test/**"]}],
        contentSources=[{"id": "s", "title": "Source", "configuration": {"componentId": "ask"}}],
        externalLinks=[{"url": "https://example.org/", "label": "Site"}],
        configurations={"site": {"properties": {"key": {"type": "string", "title": "Key"}}, "required": ["key"]}},
        contentSecurityPolicy={"script-src": "https://cdn.example.org", "img-src": "data:"},
    )  # fmt: skip
    made = world.api.post(path, sent).json
    assert (made["object"], made["name"], made["version"], made["verified"]) == ("integration", name, 1, False)
    for field in set(sent) - {"organization", "script", "runtime"}:
        assert made[field] == sent[field], field
    assert made["owner"]["id"] == world.organization
    assert made["permissions"] == {"admin": True, "install": True}
    assert world.api.get(path).json == made
    again = world.api.post(path, manifest(world, title="Other")).json
    assert (again["version"], again["title"], again["visibility"]) == (2, "Other", "private")
    assert (again["blocks"], "contentSecurityPolicy" in again, again["target"]) == ([], False, "all")
    assert world.api.delete(path).status == 204
    assert world.api.delete(path).status == 404
    assert world.api.get(path).status == 404
    assert world.api.post(path, manifest(world)).json["version"] == 1


def test_the_organization_by_its_subdomain(world: World) -> None:
    word = f"h{uuid.uuid4().hex[:20]}"
    assert world.api.patch(f"/v1/orgs/{world.organization}", {"hostname": word}).status == 200
    assert published(world, organization=word)["owner"]["id"] == world.organization


def test_pictures_are_checked_and_served_as_they_were_sent(world: World) -> None:
    icon, preview = png(4), png(8)
    made = published(world, icon=encoded(icon), previewImages=[encoded(preview)])
    assert made["urls"]["icon"].startswith(made["urls"]["assets"])
    for url, data in ((made["urls"]["icon"], icon), (made["previewImages"][0], preview)):
        reply = world.api.get(url.removeprefix(world.house.base), token="")
        assert (reply.status, reply.body, reply.headers["content-type"]) == (200, data, "image/png")
    assert world.api.get(f"/~octavo/integrations/{made['name']}/none.png", token="").status == 404
    damaged = bytearray(png())
    damaged[30] ^= 1
    pictures: list[tuple[dict[str, Any], str]] = [
        ({"icon": "%%"}, "icon"), ({"icon": ""}, "icon"), ({"icon": encoded(b"GIF89a and so on")}, "icon"),
        ({"icon": encoded(bytes(damaged))}, "damaged"), ({"icon": encoded(png()[:-6])}, "icon"),
        ({"icon": encoded(png(2, 250 << 10))}, "250"),
        ({"previewImages": [encoded(png()), encoded(b"<svg/>")]}, "previewImages[1]"),
        ({"previewImages": [encoded(png(2, 1 << 20))]}, "previewImages[0]"),
        ({"previewImages": [encoded(png())] * 4}, "previewImages"),
    ]  # fmt: skip
    name = _name()
    cases = [(manifest(world, **said), word) for said, word in pictures]
    check_refusals(world, "POST", f"/v1/integrations/{name}", cases)
    assert world.api.get(f"/v1/integrations/{name}").status == 404
    assert published(world, icon=encoded(png(2, (250 << 10) - 200)))["urls"]["icon"]


def test_wrong_manifests_name_what_is_wrong(world: World) -> None:
    cases: list[tuple[dict[str, Any], str]] = [
        ({"title": "A"}, "title"), ({"title": "A" * 31}, "title"), ({"title": "     A"}, "title"),
        ({"description": "a" * 101}, "description"), ({"summary": "a" * 2049}, "summary"),
        ({"runtime": "v3"}, "runtime"), ({"visibility": "open"}, "visibility"), ({"target": "page"}, "target"),
        ({"scopes": ["space:everything"]}, "scopes"), ({"categories": ["games"]}, "categories"),
        ({"script": ""}, "script"), ({"script": 5}, "script"),
        ({"blocks": [{"id": "a", "title": "A"}]}, "blocks"), ({"blocks": [{"title": "Board"}]}, "id"),
        ({"blocks": [{"id": "a", "title": "Board"}] * 2}, "blocks"),
        ({"contentSources": [{"id": "a", "title": "Source"}]}, "configuration"),
        ({"externalLinks": [{"url": "https://a.test/", "label": "A"}] * 6}, "externalLinks"),
        ({"externalLinks": [{"url": "javascript:alert(1)", "label": "A"}]}, "url"),
        ({"configurations": {"site": {}}}, "configuration"),
        ({"configurations": {"site": {"properties": {"a": {"type": "colour"}}}}}, "type"),
        ({"configurations": {"site": {"properties": {"a": {"type": "string", "title": "A"}}}}}, "title"),
        ({"configurations": {"site": {"properties": {"a": {"type": "button"}}}}}, "callback_url"),
        ({"configurations": {"site": {"properties": {}, "required": ["b"]}}}, "required"),
        ({"configurations": {"site": {"properties": {"a": {"type": "string", "enum": ["x"], "default": "y"}}}}}, "enum"),
        ({"secrets": {f"s{number}": "" for number in range(21)}}, "secrets"), ({"secrets": {"a": 1}}, "secrets"),
        ({"contentSecurityPolicy": "a\r\nset-cookie: b"}, "contentSecurityPolicy"),
        ({"contentSecurityPolicy": {"script-src": "a; img-src b"}}, "script-src"),
    ]  # fmt: skip
    name = _name()
    check_refusals(world, "POST", f"/v1/integrations/{name}", [(manifest(world, **said), word) for said, word in cases])
    check_json(world, "POST", f"/v1/integrations/{name}")
    for missing in ("title", "description", "script", "organization"):
        sent = {key: value for key, value in manifest(world).items() if key != missing}
        assert missing in world.api.post(f"/v1/integrations/{name}", sent).message
    assert world.api.post("/v1/integrations/a%20b", manifest(world)).status == 400
    assert world.api.post("/v1/integrations/" + "a" * 101, manifest(world)).status == 400
    assert world.api.get(f"/v1/integrations/{name}").status == 404


def test_secrets_are_sealed_and_never_answered(world: World) -> None:
    made = published(world, secrets={"TOKEN": "very-secret"})
    path = f"/v1/integrations/{made['name']}"

    async def kept(unit: Any) -> Any:
        return await unit.integrations.get(made["name"])

    record = world.run(world.house.store.read(kept))
    assert "very-secret" not in str(record)
    assert world.house.signer.unseal(record.sealed_secrets) == '{"TOKEN":"very-secret"}'
    for place in (path, "/v1/integrations", f"/v1/orgs/{world.organization}/audit-events"):
        assert "very-secret" not in world.api.get(place).text
    world.api.post(path, manifest(world))
    assert world.run(world.house.store.read(kept)).sealed_secrets == record.sealed_secrets
    world.api.post(path, manifest(world, secrets={}))
    assert world.house.signer.unseal(world.run(world.house.store.read(kept)).sealed_secrets) == "{}"


def test_visibility_decides_who_sees_and_finds(world: World) -> None:
    abroad = other_organization(world)["id"]
    stranger, member, guest = world.person("admin", abroad), world.person("read"), world.person("guest")
    seen = {}
    for visibility in ("public", "private", "unlisted"):
        one = published(world, visibility=visibility)["name"]
        path = f"/v1/integrations/{one}"
        for who, token in (("stranger", stranger), ("guest", guest), ("member", member)):
            found = [
                each["name"] for each in world.api.get(f"/v1/integrations?search={one}", token=token).json["items"]
            ]
            seen[visibility, who] = world.api.get(path, token=token).status, found == [one]
        refused = 404 if visibility == "private" else 403
        sent = manifest(world)
        assert world.api.post(path, sent, token=stranger).status == 404
        assert world.api.post(path, sent | {"organization": abroad}, token=stranger).status == 409
        assert world.api.delete(path, token=stranger).status == refused
        assert world.api.delete(path, token=member).status == 403
        assert world.api.post(path, sent, token=member).status == 403
    assert seen == {
        ("public", "stranger"): (200, True), ("public", "guest"): (200, True), ("public", "member"): (200, True),
        ("private", "stranger"): (404, False), ("private", "guest"): (404, False), ("private", "member"): (200, True),
        ("unlisted", "stranger"): (200, False), ("unlisted", "guest"): (200, False), ("unlisted", "member"): (200, True),
    }  # fmt: skip


def test_strangers_are_told_the_owners_name_and_no_more(world: World) -> None:
    world.api.patch(f"/v1/orgs/{world.organization}", {"emailDomains": ["inner.example.org"]})
    made = published(world, visibility="public")
    stranger = world.person("admin", other_organization(world)["id"])
    owner = world.api.get(f"/v1/integrations/{made['name']}", token=stranger).json["owner"]
    assert (owner["id"], owner["emailDomains"]) == (world.organization, [])
    assert not any(owner["permissions"].values())
    assert made["owner"]["emailDomains"] == ["inner.example.org"]


def test_every_filter(world: World) -> None:
    salt = uuid.uuid4().hex[:10]
    block = {"id": "b", "title": "Board", "urlUnfurl": ["https://*.boards.test/**", "boards.test"]}
    source = {"id": "s", "title": "Source", "configuration": {"componentId": "c"}}
    rich = published(
        world, f"{salt}-rich", categories=["analytics"], blocks=[block], contentSources=[source],
        scopes=["site:views:read"], target="site",
    )["name"]  # fmt: skip
    poor = published(world, f"{salt}-poor")["name"]

    def found(query: str) -> list[str]:
        items = world.api.get(f"/v1/integrations?search={salt}&{query}").json["items"]
        return [one["name"] for one in items]

    assert found("") == [poor, rich]
    for query in (
        "category=analytics", "blockDomain=www.boards.test", "blockDomain=boards.test", "blocks=true",
        "contentSources=true", "scope=site:views:read", "target=site",
    ):  # fmt: skip
        assert found(query) == [rich], query
    assert found("blocks=false") == found("contentSources=false") == found("target=all") == [poor]
    assert found("blockDomain=elsewhere.test") == found("owner=nobody") == []
    assert found(f"owner={world.organization}") == [poor, rich]
    first = world.api.get(f"/v1/integrations?search={salt}&limit=1").json
    rest = world.api.get(f"/v1/integrations?search={salt}&limit=1&page={first['next']['page']}").json
    assert ([first["items"][0]["name"], rest["items"][0]["name"]], first["count"]) == ([poor, rich], 2)
    for query in ("category=games", "blocks=maybe", "scope=all", "target=page", "blockDomain=a%20b"):
        assert world.api.get(f"/v1/integrations?{query}").status == 400, query
    listed = world.api.get(f"/v1/orgs/{world.organization}/integrations?search={salt}&blocks=true").json
    assert [one["name"] for one in listed["items"]] == [rich]


def test_a_script_of_megabytes_is_taken_and_a_larger_one_is_not(world: World) -> None:
    name = _name()
    large = SCRIPT + "//" + "x" * (5 << 20)
    assert "script" in world.api.post(f"/v1/integrations/{name}", manifest(world, script=large)).message
    assert world.api.post(f"/v1/integrations/{name}", manifest(world, script=large[: 5 << 20])).status == 200
    assert world.api.post(f"/v1/integrations/{name}", body=b"x" * (13 << 20)).status == 413
