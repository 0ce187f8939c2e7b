"""A provider says that somebody is logged out there: her sessions end here, and no forgery ends any."""

from __future__ import annotations

import asyncio
import json
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import jwt
import pytest

from octavo.store.database.engine import Engine
from tests.client import Reply, World
from tests.conftest import FakeClock, opened_world
from tests.console.browsing import Browser
from tests.sso.openid import CLIENT, ISSUER, SECRET, Provider, Trusting, at_provider, published, secret_key, trusting

EVENTS = {"http://schemas.openid.net/event/backchannel-logout": {}}
FORM = "application/x-www-form-urlencoded"


@pytest.fixture
def acme(world: World) -> Trusting:
    return trusting(world)


def _token(acme: Trusting, *, key: Any = None, algorithm: str = "RS256", head: Any = None, **changed: Any) -> str:
    """An honest one of whoever signed in last, but for what is changed; None takes a claim away."""
    seconds = acme.world.house.store.clock() // 1000
    claims = {
        "iss": ISSUER, "aud": CLIENT, "sub": acme.provider.claims["sub"], "iat": seconds, "exp": seconds + 120,
        "jti": uuid.uuid4().hex, "events": EVENTS,
    } | changed  # fmt: skip
    there = {name: said for name, said in claims.items() if said is not None}
    return jwt.encode(
        there,
        secret_key("first") if key is None else key,
        algorithm,
        {"kid": "first", "typ": "logout+jwt"} | (head or {}),
    )


def _tell(acme: Trusting, token: str, provider: str = "") -> Reply:
    body = urlencode({"logout_token": token}).encode()
    headers = {"content-type": FORM}
    return acme.world.api.post(f"/sso/oidc/{provider or acme.id}/logout", body=body, headers=headers, token="")


def _in(one: Browser) -> bool:
    return one.get("/account/tokens").status == 200


def _signed_in(acme: Trusting, **claims: Any) -> Browser:
    acme.provider.claims |= claims
    one, reply = acme.sign_in()
    assert (reply.status, _in(one)) == (303, True), reply.text
    return one


def test_who_is_logged_out_there_is_logged_out_here(acme: Trusting, clock: FakeClock) -> None:
    first, second = _signed_in(acme), _signed_in(acme)
    subject = acme.provider.claims["sub"]
    other = _signed_in(acme, sub=f"{subject}-2", email=f"{subject}-2@acme.test")
    token = _token(acme, sub=subject)
    reply = _tell(acme, token)
    assert (reply.status, reply.body, reply.headers["cache-control"]) == (200, b"", "no-store")
    assert [_in(one) for one in (first, second, other)] == [False, False, True]
    # The same once more ends nothing that began since; who was never here is no mistake.
    clock.advance(61_000)
    again = _signed_in(acme, sub=subject, email=f"{subject}@acme.test")
    assert (_tell(acme, token).status, _in(again)) == (200, True)
    assert _tell(acme, _token(acme, sub="nobody")).status == 200
    asked = f"/v1/orgs/{acme.world.organization}/audit-events?action=user.logout-by-provider"
    assert len(acme.world.api.get(asked).json["items"]) == 1
    assert acme.world.api.get(acme.base).json["service"]["backchannelLogoutURL"].endswith(f"/sso/oidc/{acme.id}/logout")


def test_one_session_there_is_one_here(acme: Trusting) -> None:
    subject = acme.provider.claims["sub"]
    first, second, third = (_signed_in(acme, sid=f"{subject}-{number}") for number in range(3))
    assert _tell(acme, _token(acme, sub=None, sid=f"{subject}-0")).status == 200
    assert _tell(acme, _token(acme, sid=f"{subject}-1")).status == 200
    assert _tell(acme, _token(acme, sid="another")).status == 200
    assert [_in(one) for one in (first, second, third)] == [False, False, True]
    # A session is the provider's that made it.
    fields = {"label": "Second", "issuer": ISSUER, "clientID": CLIENT, "clientSecret": SECRET}
    other = acme.world.api.post(f"/v1/orgs/{acme.world.organization}/oidc", fields).json["id"]
    assert _tell(acme, _token(acme, sub=None, sid=f"{subject}-2"), other).status == 200
    assert _tell(acme, _token(acme), other).status == 200
    assert _in(third)
    # Only who provides this way is heard.
    assert acme.world.api.get(f"/sso/oidc/{acme.id}/logout").status == 405
    assert _tell(acme, _token(acme), "nothing").status == 400


def test_the_provider_of_the_whole_installation_is_heard_too(
    engine: Engine, clock: FakeClock, memory_folder: Path, loop: asyncio.AbstractEventLoop
) -> None:
    with opened_world(engine, clock, memory_folder, loop, oidc_issuer=ISSUER, oidc_client_id=CLIENT) as world:
        provider = Provider(clock)
        acme = Trusting(world, provider, "installation", "", at_provider(world, provider))
        subject = f"s{world.organization}"
        by_name = _signed_in(acme, sub=subject, email=f"{subject}@acme.test", email_verified=True)
        by_session = _signed_in(acme, sid=f"{subject}-1")
        assert _tell(acme, _token(acme, sub=None, sid=f"{subject}-1")).status == 200
        assert (_in(by_name), _in(by_session)) == (True, False)
        assert _tell(acme, _token(acme)).status == 200
        assert not _in(by_name)


HOUR = 3600
FORGED: dict[str, Callable[[Trusting, int], str]] = {
    "no token": lambda acme, now: "x.y",
    "empty": lambda acme, now: "",
    "without a signature": lambda acme, now: _token(acme, key="", algorithm="none"),
    "signed by the client's secret": lambda acme, now: _token(acme, key=SECRET * 2, algorithm="HS256"),
    "by another key": lambda acme, now: _token(acme, key=secret_key("mallory")),
    "with a key of its own": lambda acme, now: _token(
        acme, key=secret_key("mallory"), head={"jwk": published("mallory")}
    ),
    "with a key that nobody shows": lambda acme, now: _token(acme, key=secret_key("mallory"), head={"kid": "mallory"}),
    "by another issuer": lambda acme, now: _token(acme, iss="https://evil.test"),
    "for another client": lambda acme, now: _token(acme, aud="another"),
    "without an audience": lambda acme, now: _token(acme, aud=None),
    "without an event": lambda acme, now: _token(acme, events=None),
    "of another event": lambda acme, now: _token(acme, events={"http://schemas.openid.net/event/other": {}}),
    "with an event that is no object": lambda acme, now: _token(acme, events={next(iter(EVENTS)): True}),
    "with events as a list": lambda acme, now: _token(acme, events=list(EVENTS)),
    "with a nonce": lambda acme, now: _token(acme, nonce="n"),
    "without an id": lambda acme, now: _token(acme, jti=None),
    "with an id that is none": lambda acme, now: _token(acme, jti=5),
    "that names nobody": lambda acme, now: _token(acme, sub=None),
    "that names a number": lambda acme, now: _token(acme, sid=5),
    "without an end": lambda acme, now: _token(acme, exp=None),
    "that is over": lambda acme, now: _token(acme, iat=now - HOUR, exp=now),
    "that was made long ago": lambda acme, now: _token(acme, iat=now - 301, exp=now + HOUR),
    "of the future": lambda acme, now: _token(acme, iat=now + HOUR, exp=now + 2 * HOUR),
    "with a time that is none": lambda acme, now: _token(acme, iat=True),
    "of another kind": lambda acme, now: _token(acme, head={"typ": "at+jwt"}),
}


def test_no_forgery_logs_anybody_out(acme: Trusting) -> None:
    """Each changes one thing of an honest token, which logs out at the end."""
    one = _signed_in(acme)
    now = acme.world.house.store.clock() // 1000
    acme.provider.token = None
    honest = acme.provider.made()
    for name, make in {**FORGED, "an ID token": lambda acme, now: honest}.items():
        reply = _tell(acme, make(acme, now))
        assert (reply.status, json.loads(reply.body)["error"]) == (400, "invalid_request"), name
        assert _in(one), name
    assert _tell(acme, _token(acme)).status == 200
    assert not _in(one)


def test_what_is_no_such_post_is_refused(acme: Trusting) -> None:
    path = f"/sso/oidc/{acme.id}/logout"
    assert acme.world.api.post(path, {"logout_token": _token(acme)}, token="").status == 415
    large = acme.world.api.post(path, body=b"a" * 70_000, headers={"content-type": FORM}, token="")
    assert large.status == 413
    acme.provider.status = 500
    acme.clock[0] += 1000
    assert _tell(acme, _token(acme)).status == 400
