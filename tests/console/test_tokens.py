"""The page of tokens: made, shown once, revoked; a page of a session and of nobody else."""

from __future__ import annotations

import re
from typing import Any

from octavo.kernel import limits
from octavo.kernel.clock import DAY, iso
from octavo.kernel.operation import SCOPES, UNLIMITED
from tests.client import World
from tests.conftest import FakeClock
from tests.console.browsing import Browser, account, browser, cookies_of

HOME = "/account/tokens"


def _listed(world: World, secret: str) -> Any:
    """The token as the API lists it; the other one of a person has no label."""
    [listed] = [one for one in world.api.get("/v1/user/tokens", token=secret).json["items"] if "lastUsedAt" in one]
    return listed


def _signed_in(world: World) -> Browser:
    one = browser(world)
    one.sign_in(account(world))
    one.get(HOME)
    return one


def _secret(page: str) -> str:
    found = re.search(r'<code id="secret"[^>]*>(octavo_[\w-]+)</code>', page)
    assert found is not None, page
    return found[1]


def test_a_token_is_made_and_shown_once(world: World, clock: FakeClock) -> None:
    one = _signed_in(world)
    assert "You have none." not in one.page, "there is the one that the person was made with"
    reply = one.post(HOME, {"label": " Nightly <import> ", "days": "30", "scope": ["space:read", "user:read"]})
    assert (reply.status, reply.headers["location"], reply.text) == (303, HOME, f"It is at {HOME}")
    [(name, sealed, attributes)] = cookies_of(reply)
    assert "HttpOnly" in attributes
    shown = one.get(HOME)
    secret = _secret(shown.text)
    assert secret not in sealed
    assert secret not in str(reply.headers)
    assert name not in one.cookies
    assert secret not in one.get(HOME).text, "it was shown"
    assert "Nightly &lt;import&gt;" in one.page
    listed = _listed(world, secret)
    assert (listed["label"], listed["scopes"]) == ("Nightly <import>", ["space:read", "user:read"])
    assert listed["expiresAt"] == iso(clock() + 30 * DAY)
    assert world.api.post("/v1/orgs", {"title": "Made"}, token=secret).status == 403


def test_scopes_that_no_operation_asks_for_are_not_offered(world: World) -> None:
    _signed_in(world)
    offered = re.findall(r'name="scope" value="([^"]+)"', _signed_in(world).page)
    assert set(offered) == {row.scope for row in world.app.api.rows} - {None, UNLIMITED}
    assert offered == [scope for scope in SCOPES if scope in offered]


def test_without_scopes_and_days_it_is_not_limited(world: World) -> None:
    one = _signed_in(world)
    one.post(HOME, {"label": "", "days": ""})
    listed = _listed(world, _secret(one.get(HOME).text))
    assert "scopes" not in listed
    assert "expiresAt" not in listed


def test_it_is_shown_in_the_browser_that_made_it_alone(world: World) -> None:
    one, other = _signed_in(world), _signed_in(world)
    [(name, sealed, _)] = cookies_of(one.post(HOME, {"label": "x", "days": "30"}))
    for value in (sealed, "forged", ""):
        other.cookies[name] = value
        assert 'id="secret"' not in other.get(HOME).text


def test_what_cannot_be_is_told(world: World) -> None:
    one = _signed_in(world)
    for fields in ({"label": "x" * (limits.TOKEN_LABEL_MAX + 1)}, {"scope": "no:scope"}, {"scope": "*"}):
        reply = one.post(HOME, {"days": "30", **fields})
        assert reply.status == 400
        assert 'role="alert"' in reply.text
    assert len(re.findall(r'class="revoke"', one.get(HOME).text)) == 1, "what was refused made nothing"


def test_a_token_is_revoked(world: World) -> None:
    one, other = _signed_in(world), _signed_in(world)
    one.post(HOME, {"label": "Short", "days": "30"})
    secret = _secret(one.get(HOME).text)
    token = _listed(world, secret)["id"]
    refused = other.post(f"{HOME}/{token}/revoke")
    assert refused.status == 404, "of somebody else"
    assert world.api.get("/v1/user", token=secret).status == 200
    assert one.get(f"{HOME}/{token}/revoke").status == 404
    one.get(HOME)
    assert one.post(f"{HOME}/{token}/revoke", word="").status == 403
    one.get(HOME)
    reply = one.post(f"{HOME}/{token}/revoke")
    assert (reply.status, reply.headers["location"]) == (303, HOME)
    assert world.api.get("/v1/user", token=secret).status == 401
    one.get(HOME)
    assert one.post(f"{HOME}/{token}/revoke").status == 404


def test_a_session_is_no_token_and_a_token_no_session(world: World) -> None:
    one = _signed_in(world)
    value = one.cookies["octavo_session"]
    assert world.api.get("/v1/user", token=value).status == 401
    assert world.api.get("/v1/user", token="", headers={"cookie": f"octavo_session={value}"}).status == 401
    other = browser(world)
    other.cookies["octavo_session"] = world.api.token or ""
    assert other.get(HOME).status == 303
    assert other.get(HOME, authorization=f"Bearer {world.api.token}").status == 303
