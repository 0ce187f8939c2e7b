"""…/webhooks: what is told to whom, signed, in order, again, and no longer."""

from __future__ import annotations

import base64
import hashlib
import hmac
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from octavo.jobs.integrations import announce
from octavo.jobs.integrations.delivering import PAUSES
from octavo.jobs.tidy import tidy
from octavo.kernel.clock import DAY, HOUR, SECOND
from octavo.wire.integrations.webhooks import EVENT_TYPES
from tests.client import World
from tests.conftest import FakeClock
from tests.resources.checks import check_refusals, check_roles, other_organization
from tests.resources.integrations.conftest import Listener

HOOK: dict[str, Any] = {"title": "Deployments", "url": "https://hooks.example.org/", "events": ["comment_posted"]}


def _all(world: World) -> str:
    return f"/v1/orgs/{world.organization}/webhooks"


def _made(world: World, **said: Any) -> tuple[str, dict[str, Any]]:
    """Path and body of a new webhook."""
    reply = world.api.post(_all(world), HOOK | said)
    assert reply.status == 201, reply.text
    return f"{_all(world)}/{reply.json['id']}", reply.json


def _comment(world: World, space: str, text: str = "Why?") -> None:
    assert world.api.post(f"/v1/spaces/{space}/comments", {"body": {"markdown": text}}).status == 200
    world.work()


def _signature(secret: str, headers: dict[str, str], body: bytes) -> str:
    key = base64.b64decode(secret.removeprefix("whsec_"))
    said = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    return "v1," + base64.b64encode(hmac.new(key, said, hashlib.sha256).digest()).decode()


def test_a_webhook_is_made_read_changed_and_deleted(world: World) -> None:
    path, made = _made(world)
    assert made["secret"].startswith("whsec_")
    shown = {name: value for name, value in made.items() if name != "secret"}
    assert world.api.get(path).json == shown
    assert world.api.get(_all(world)).json == {"items": [shown], "count": 1}
    assert world.api.patch(path, {"title": "Other", "active": False}).json["active"] is False
    assert world.api.get(path).json["title"] == "Other"
    again = world.api.post(f"{path}/secret").json["secret"]
    assert again != made["secret"]
    assert again not in world.api.get(f"/v1/orgs/{world.organization}/audit-events").text
    assert world.api.delete(path).status == 205
    assert world.api.delete(path).status == 404


def test_only_admins_and_only_what_is_right(world: World) -> None:
    path, _ = _made(world)
    for method, place, body, success in (
        ("GET", _all(world), None, 200), ("POST", _all(world), HOOK, 201), ("GET", path, None, 200),
        ("PATCH", path, {"title": "A"}, 200), ("POST", f"{path}/secret", None, 200), ("GET", f"{path}/deliveries", None, 200),
    ):  # fmt: skip
        check_roles(world, "admin", method, place, body, success=success, guest=403)
    check_refusals(
        world, "POST", _all(world),
        [(HOOK | {"title": ""}, "title"), (HOOK | {"url": "file:///etc/passwd"}, "url"), (HOOK | {"events": []}, "events"),
         (HOOK | {"events": ["everything"]}, "events"), ({"title": "A", "url": HOOK["url"]}, "events")],
    )  # fmt: skip
    assert world.api.post(_all(world), HOOK | {"spaces": ["nowhere"]}).status == 404
    foreign = world.api.post(f"/v1/orgs/{other_organization(world)['id']}/spaces", {"title": "Foreign"}).json["id"]
    assert world.api.post(_all(world), HOOK | {"spaces": [foreign]}).status == 409


def test_they_offer_everything_that_is_told(world: World) -> None:
    """An event that is announced and that no webhook could be made for would be forgotten."""
    told = {name for kind in get_args(announce.Announced) for name in announce.names_of(kind)}
    assert told == set(EVENT_TYPES)
    assert world.api.post(_all(world), HOOK | {"events": sorted(told)}).status == 201
    page = Path("docs/running/webhooks.md").read_text()
    assert [one for one in sorted(told) if f"`{one}`" not in page] == []


def test_what_is_told_is_signed_and_logged(beside: World, listener: Listener) -> None:
    space, other = beside.space()["id"], beside.space("Other")["id"]
    path, made = _made(beside, url=f"{listener.url}/hook", spaces=[space])
    beside.work()
    _comment(beside, other)
    assert listener.heard == []
    _comment(beside, space)
    [(place, headers, body)] = listener.heard
    said = msgspec.json.decode(body)
    assert (place, said["type"], said["spaceId"], said["organization"]) == (
        "/hook", "comment_posted", space, beside.organization
    )  # fmt: skip
    assert headers["webhook-id"] == said["eventId"]
    assert headers["webhook-signature"] == _signature(made["secret"], headers, body)
    [delivery] = beside.api.get(f"{path}/deliveries").json["items"]
    assert (delivery["state"], delivery["attempts"][0]["status"], delivery["payload"]) == ("delivered", 200, said)
    assert beside.api.get(f"{path}/deliveries/{delivery['id']}").json == delivery


def test_both_secrets_sign_for_a_day(beside: World, listener: Listener, clock: FakeClock) -> None:
    space = beside.space()["id"]
    path, made = _made(beside, url=listener.url)
    new = beside.api.post(f"{path}/secret").json["secret"]
    _comment(beside, space)
    clock.advance(25 * HOUR)
    _comment(beside, space)
    signed = [headers["webhook-signature"].split(" ") for _, headers, _ in listener.heard]
    wanted = [[_signature(one, headers, body) for one in (new, made["secret"])] for _, headers, body in listener.heard]
    assert signed == [wanted[0], wanted[1][:1]]


def test_failures_are_tried_again_and_keep_the_order(beside: World, listener: Listener, clock: FakeClock) -> None:
    space, other = beside.space()["id"], beside.space("Other")["id"]
    path, _ = _made(beside, url=listener.url)
    listener.status = 500
    clock.advance(SECOND)
    _comment(beside, space)
    _comment(beside, space)
    assert len(listener.heard) == 1  # the second waits for the first
    listener.status = 200
    _comment(beside, other)
    assert len(listener.heard) == 2  # another space does not
    clock.advance(PAUSES[0])
    beside.work()
    ids = [headers["webhook-id"] for _, headers, _ in listener.heard]
    assert (len(ids), ids[0]) == (4, ids[2])
    told = beside.api.get(f"{path}/deliveries").json["items"]
    assert sorted((one["state"], len(one["attempts"])) for one in told) == [
        ("delivered", 1), ("delivered", 1), ("delivered", 2)
    ]  # fmt: skip
    assert "failingSince" not in beside.api.get(path).json


def test_one_that_fails_for_long_is_switched_off_and_on_again(
    beside: World, listener: Listener, clock: FakeClock
) -> None:
    space = beside.space()["id"]
    path, _ = _made(beside, url=listener.url)
    listener.status = 410
    _comment(beside, space)
    for _ in range(4):
        clock.advance(DAY)
        _comment(beside, space)
    shown = beside.api.get(path).json
    assert (shown["active"], "3 days" in shown["disabledReason"]) == (False, True)
    assert "webhook.disable" in beside.api.get(f"/v1/orgs/{beside.organization}/audit-events").text
    heard = len(listener.heard)
    _comment(beside, space)
    assert len(listener.heard) == heard
    waiting = [one for one in beside.api.get(f"{path}/deliveries").json["items"] if one["state"] == "waiting"]
    assert waiting
    listener.status = 204
    assert beside.api.patch(path, {"active": True}).json["active"] is True
    beside.work()
    assert all(one["state"] != "waiting" for one in beside.api.get(f"{path}/deliveries").json["items"])


def test_a_replay_is_the_same_event_once_more(beside: World, listener: Listener) -> None:
    path, _ = _made(beside, url=listener.url)
    _comment(beside, beside.space()["id"])
    [delivery] = beside.api.get(f"{path}/deliveries").json["items"]
    made = beside.api.post(f"{path}/deliveries/{delivery['id']}/replay")
    assert (made.status, made.json["replayOf"], made.json["state"]) == (201, delivery["id"], "waiting")
    beside.work()
    first, second = listener.heard
    assert (first[1]["webhook-id"], first[2]) == (second[1]["webhook-id"], second[2])
    beside.api.patch(path, {"active": False})
    assert beside.api.post(f"{path}/deliveries/{delivery['id']}/replay").status == 409


def test_inner_addresses_are_refused_and_the_log_goes_after_a_month(world: World, clock: FakeClock) -> None:
    path, _ = _made(world, url="http://127.0.0.1:9/")
    _comment(world, world.space()["id"])
    [delivery] = world.api.get(f"{path}/deliveries").json["items"]
    assert delivery["state"] == "waiting"
    assert "127.0.0.1" in delivery["attempts"][0]["error"]
    assert world.api.post(f"{path}/deliveries/{delivery['id']}/replay").status == 409
    clock.advance(31 * DAY)
    world.run(tidy(world.house.store, world.house.settings))
    assert world.api.get(f"{path}/deliveries").json["items"] == []


def test_what_happens_in_one_millisecond_is_sent_in_its_order(
    beside: World, listener: Listener, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    backwards = (f"{number:022}" for number in range(1000, 0, -1))
    monkeypatch.setattr(announce, "new_id", lambda: next(backwards))  # ids say nothing of an order
    space = beside.space()["id"]
    _made(beside, url=listener.url)
    clock.advance(SECOND)
    listener.status = 500
    posted = []
    for number in range(8):
        comment = {"body": {"markdown": f"Number {number}"}}
        posted.append(beside.api.post(f"/v1/spaces/{space}/comments", comment).json["id"])
        beside.work()
    assert len(listener.heard) == 1
    listener.status = 200
    clock.advance(PAUSES[0])
    beside.work()
    assert [msgspec.json.decode(body)["commentId"] for _, _, body in listener.heard[1:]] == posted
