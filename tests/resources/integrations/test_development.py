"""…/dev, /events and /tasks: an integration while it is developed, told at its tunnel."""

from __future__ import annotations

import email
from email.message import Message
from typing import Any

import msgspec

from octavo.kernel.clock import HOUR
from tests.client import World
from tests.conftest import FakeClock
from tests.resources.checks import other_organization
from tests.resources.integrations.building import installed, published
from tests.resources.integrations.conftest import Listener


def _parts(headers: dict[str, str], body: bytes) -> dict[str, Any]:
    """The parts of multipart/form-data, each of them JSON."""
    whole = email.message_from_bytes(b"Content-Type: " + headers["content-type"].encode() + b"\r\n\r\n" + body)
    found: dict[str, Any] = {}
    for part in whole.get_payload():
        assert isinstance(part, Message)
        name = str(part.get_param("name", header="content-disposition"))
        found[name] = msgspec.json.decode(part.get_payload(decode=True))  # type: ignore[arg-type]
    return found


def _told(listener: Listener) -> list[dict[str, Any]]:
    return [_parts(headers, body) for _, headers, body in listener.heard]


def test_events_go_to_the_tunnel_with_everything_a_script_needs(beside: World, listener: Listener) -> None:
    asked = {"account": {"properties": {"key": {"type": "string"}, "many": {"type": "number", "default": 3}}}}
    one = published(beside, scopes=["space:content:read"], secrets={"S": "secret"}, configurations=asked)
    path = f"/v1/integrations/{one['name']}"
    assert beside.api.put(f"{path}/dev", {"tunnelUrl": listener.url}).status == 204
    here = installed(beside, one)
    beside.work()
    assert listener.heard[0][0] == "/v1"
    [told] = _told(listener)
    event, environment = told["event"], told["environment"]
    assert (event["type"], event["status"]) == ("installation_setup", "active")
    assert event["installationId"] == environment["installation"]["id"] == here.rpartition("/")[2]
    assert environment["integration"]["name"] == one["name"]
    assert (environment["secrets"], environment["apiEndpoint"]) == ({"S": "secret"}, beside.house.base)
    assert environment["installation"]["configuration"] == {"many": 3}
    tokens = environment["apiTokens"]
    assert beside.api.get(here, token=tokens["installation"]).status == 200
    assert beside.api.post(f"{here}/tokens", token=tokens["integration"]).status == 200
    beside.api.patch(here, {"configuration": {"key": "k"}})
    beside.work()
    changed = _told(listener)[-1]
    assert changed["event"]["previous"] == {"status": "active", "configuration": {}}
    assert changed["environment"]["installation"]["configuration"] == {"key": "k", "many": 3}
    listed = beside.api.get(f"{path}/events?limit=1").json
    assert (listed["count"], listed["items"][0]["status"]) == (2, "success")
    traced = beside.api.get(f"{path}/events/{listed['items'][0]['id']}").json
    assert traced["event"] == listed["items"][0]
    assert "200" in traced["trace"]["logs"][0]["message"]
    assert beside.api.delete(f"{path}/dev").status == 205
    beside.api.delete(here)
    beside.work()
    assert len(listener.heard) == 2


def test_content_is_told_where_it_was_chosen_and_may_be_read(beside: World, listener: Listener) -> None:
    reads, blind = (published(beside, scopes=scopes) for scopes in (["space:content:read"], []))
    chosen, other = beside.space()["id"], beside.space("Other")["id"]
    for one in (reads, blind):
        beside.api.post(f"{installed(beside, one)}/spaces", {"space": chosen})
    beside.work()
    beside.api.put(f"/v1/integrations/{reads['name']}/dev", {"tunnelUrl": listener.url})
    beside.api.put(f"/v1/integrations/{blind['name']}/dev", {"tunnelUrl": listener.url})
    for space in (chosen, other):
        request = beside.api.post(f"/v1/spaces/{space}/change-requests", {}).json["id"]
        at = f"/v1/spaces/{space}/change-requests/{request}"
        change = {"operation": "insert_page", "title": "New", "document": {"markdown": "# New"}}
        assert beside.api.post(f"{at}/content", {"changes": [change]}).status == 200
        assert beside.api.post(f"{at}/merge").status == 200
    beside.work()
    [told] = _told(listener)
    revision = beside.api.get(f"/v1/spaces/{chosen}").json["revision"]
    assert (told["event"]["type"], told["event"]["spaceId"]) == ("space_content_updated", chosen)
    assert (told["event"]["revisionId"], told["environment"]["spaceInstallation"]["space"]) == (revision, chosen)


def test_views_of_pages_are_told_where_somebody_listens(beside: World, listener: Listener) -> None:
    one = published(beside, scopes=["site:views:read"])
    space = beside.space()["id"]
    site = beside.site(space)
    at = f"/sites/{site['basename']}"
    beacon = {"events": [{"type": "page_view"}], "url": f"http://octavo.test{at}/", "referrer": "https://a.test/"}
    fetched = {"sec-fetch-site": "same-origin", "user-agent": "Browser 1"}

    def read() -> None:
        assert beside.api.post(f"{at}/~octavo/insights", beacon, token="", headers=fetched).status == 204
        beside.work()

    read()
    here = installed(beside, one)
    assert beside.api.post(f"{here}/sites", {"siteId": site["id"]}).status == 201
    beside.work()
    beside.api.put(f"/v1/integrations/{one['name']}/dev", {"tunnelUrl": listener.url})
    read()
    [told] = _told(listener)
    event = told["event"]
    assert (event["type"], event["siteId"], event["spaceId"]) == ("site_view", site["id"], space)
    assert (event["url"].endswith(f"{at}/"), event["referrer"]) == (True, "https://a.test/")
    assert (event["visitor"]["userAgent"], event["visitor"]["ip"]) == ("Browser 1", "")
    assert beside.api.post(f"{at}/~octavo/insights", beacon, token="", headers=fetched | {"dnt": "1"}).status == 204
    beside.work()
    assert len(listener.heard) == 1


def test_events_of_others_go_to_the_tunnel_only_when_all_do(beside: World, listener: Listener) -> None:
    one, abroad = published(beside, visibility="public"), other_organization(beside)["id"]
    path = f"/v1/integrations/{one['name']}"
    beside.api.put(f"{path}/dev", {"tunnelUrl": listener.url})
    here = installed(beside, one, abroad)
    beside.work()
    assert listener.heard == []
    beside.api.put(f"{path}/dev", {"tunnelUrl": listener.url, "all": True})
    beside.api.patch(here, {"space_selection": "all"})
    beside.work()
    assert len(listener.heard) == 1
    mine = beside.person("admin")
    assert beside.api.get(f"{path}/events", token=mine).json["items"] == []


def test_tasks_wait_for_their_time(beside: World, listener: Listener, clock: FakeClock) -> None:
    one = published(beside)
    path = f"/v1/integrations/{one['name']}"
    beside.api.put(f"{path}/dev", {"tunnelUrl": listener.url})
    task = {"task": {"kind": "sync"}, "schedule": 3600}
    assert beside.api.post(f"{path}/tasks", task, token=beside.acting(one["name"])).status == 204
    beside.work()
    assert listener.heard == []
    clock.advance(HOUR)
    beside.work()
    [told] = _told(listener)
    assert (told["event"]["type"], told["event"]["task"]) == ("task", {"kind": "sync"})
    assert "installation" not in told["environment"]
    assert beside.api.post(f"{path}/tasks", {"task": {"a": "x" * (65 << 10)}}).status == 400
    assert beside.api.post(f"{path}/tasks", {"task": {}, "schedule": 86_401}).status == 400


def test_a_tunnel_that_fails_says_so_and_an_inner_one_is_refused(
    world: World, beside: World, listener: Listener
) -> None:
    for place, status, word in ((beside, 500, "500"), (world, 200, "127.0.0.1")):
        one, listener.status = published(place), status
        path = f"/v1/integrations/{one['name']}"
        assert place.api.put(f"{path}/dev", {"tunnelUrl": "ftp://a"}).status == 400
        assert place.api.put(f"{path}/dev", {"tunnelUrl": listener.url}).status == 204
        installed(place, one)
        place.work()
        [event] = place.api.get(f"{path}/events").json["items"]
        log = place.api.get(f"{path}/events/{event['id']}").json["trace"]["logs"][0]
        assert (event["status"], log["level"]) == ("failed", "error")
        assert word in log["message"]


def test_a_component_is_drawn_at_the_tunnel(beside: World, listener: Listener) -> None:
    one, space = published(beside), beside.space()["id"]
    path = f"/v1/integrations/{one['name']}"
    sent = {"componentId": "board", "props": {"id": "4"}, "context": {"type": "document", "spaceId": space}}
    assert beside.api.post(f"{path}/render", sent).status == 404  # it is installed nowhere
    here = installed(beside, one)
    reply = beside.api.post(f"{path}/render", sent)
    assert (reply.status, "scripts" in reply.message) == (501, True)
    beside.api.put(f"{path}/dev", {"tunnelUrl": listener.url})
    beside.work()
    listener.heard.clear()
    drawn = {"type": "element", "element": {"type": "block", "children": []}, "state": {}, "props": {}}
    listener.body = msgspec.json.encode(drawn)
    assert beside.awaited("POST", f"{path}/render", sent).json == drawn
    event = _told(listener)[-1]["event"]
    assert (event["type"], event["componentId"], event["props"]) == ("ui_render", "board", {"id": "4"})
    assert (event["spaceId"], event["installationId"]) == (space, here.rpartition("/")[2])
    for body, status in ((b"[]", 200), (b"nonsense", 200), (b"{}", 500)):
        listener.body, listener.status = body, status
        assert beside.awaited("POST", f"{path}/render", sent).status == 503
    hidden = beside.api.post(f"/v1/orgs/{other_organization(beside)['id']}/spaces", {"title": "Foreign"}).json["id"]
    member = beside.person("read")
    elsewhere = sent | {"context": {"type": "document", "spaceId": hidden}}
    assert beside.api.post(f"{path}/render", elsewhere, token=member).status == 404
    assert beside.api.post(f"{path}/render", sent | {"context": {"type": "document"}}).status == 400
