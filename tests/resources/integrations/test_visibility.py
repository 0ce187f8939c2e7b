"""space_visibility_updated: whatever makes others see a space, or no longer, is told with what it was before."""

from __future__ import annotations

from typing import Any

from tests.client import World
from tests.resources.integrations.building import installed, published
from tests.resources.integrations.conftest import Listener
from tests.resources.integrations.test_development import _told


def test_every_way_to_another_visibility_is_told_once(world: World) -> None:
    body = {"title": "A", "url": "https://hooks.example.org/", "events": ["space_visibility_updated"]}
    hook = world.api.post(f"/v1/orgs/{world.organization}/webhooks", body)
    assert hook.status == 201, hook.text
    space, other = world.space()["id"], world.space("Other")["id"]
    at = f"/v1/spaces/{space}"

    seen: set[str] = set()

    def told() -> set[tuple[str, str, str]]:
        world.work()
        path = f"/v1/orgs/{world.organization}/webhooks/{hook.json['id']}/deliveries"
        fresh: list[Any] = [one for one in world.api.get(path).json["items"] if one["id"] not in seen]
        seen.update(one["id"] for one in fresh)
        said = [one["payload"] for one in fresh]
        made = {(one["spaceId"], one["previousVisibility"], one["visibility"]) for one in said}
        assert len(made) == len(fresh)
        return made

    sites = f"/v1/orgs/{world.organization}/sites"
    site = f"{sites}/" + world.api.post(sites, {"title": "Handbook", "spaces": [space]}).json["id"]
    assert told() == set(), "nobody sees it yet"
    assert world.api.post(f"{site}/publish").status == 200
    assert told() == {(space, "private", "public")}
    assert world.api.patch(site, {"title": "Manual"}).status == 200
    assert told() == set()
    assert world.api.patch(site, {"visibility": "unlisted"}).status == 200
    assert told() == {(space, "public", "unlisted")}
    added = world.api.post(f"{site}/site-spaces", {"spaceId": other})
    assert added.status == 201, added.text
    assert told() == {(other, "private", "unlisted")}
    one = f"{site}/site-spaces/{added.json['id']}"
    assert world.api.patch(one, {"draft": True}).status == 200
    assert told() == {(other, "unlisted", "private")}
    assert world.api.patch(one, {"draft": False}).status == 200
    assert world.api.delete(one).status == 205
    assert told() == {(other, "private", "unlisted"), (other, "unlisted", "private")}
    collection = world.api.post(f"/v1/orgs/{world.organization}/collections", {"title": "Folder"}).json["id"]
    assert world.api.post(f"/v1/spaces/{other}/move", {"parent": collection}).status == 200
    assert told() == {(other, "private", "in-collection")}
    assert world.api.patch(f"/v1/spaces/{other}", {"defaultLevel": "read"}).status == 200
    assert told() == {(other, "in-collection", "private")}
    assert world.api.post(f"{site}/unpublish").status == 200
    assert told() == {(space, "unlisted", "private")}
    assert world.api.post(f"{site}/publish").status == 200
    assert world.api.delete(site).status == 205
    assert told() == {(space, "private", "unlisted"), (space, "unlisted", "private")}
    assert world.api.get(at).json["visibility"] == "private"


def test_an_integration_with_the_scope_is_told_where_it_was_chosen(beside: World, listener: Listener) -> None:
    reads, blind = (published(beside, scopes=scopes) for scopes in (["space:metadata:read"], []))
    space = beside.space()["id"]
    for one in (reads, blind):
        assert beside.api.post(f"{installed(beside, one)}/spaces", {"space": space}).status == 201
        assert beside.api.put(f"/v1/integrations/{one['name']}/dev", {"tunnelUrl": listener.url}).status == 204
    beside.work()
    listener.heard.clear()
    sites = f"/v1/orgs/{beside.organization}/sites"
    site = beside.api.post(sites, {"title": "Handbook", "spaces": [space, beside.space("Other")["id"]]}).json["id"]
    assert beside.api.post(f"{sites}/{site}/publish").status == 200
    beside.work()
    [told] = _told(listener)
    event = told["event"]
    assert (event["type"], event["spaceId"]) == ("space_visibility_updated", space)
    assert (event["previousVisibility"], event["visibility"]) == ("private", "public")
    assert (event["installationId"], told["environment"]["integration"]["name"]) == (
        told["environment"]["installation"]["id"], reads["name"],
    )  # fmt: skip
