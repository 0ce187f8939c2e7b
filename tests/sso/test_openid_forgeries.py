"""Every known way to forge, bend or reuse an answer of an OpenID Connect provider is refused, over HTTP.

Each begins with an honest provider and changes one thing of what it says, or of how the browser comes back; afterwards the
honest answer still signs in: so what was refused was the forgery.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from collections.abc import Callable
from typing import Any

import jwt
import pytest

from tests.client import World
from tests.conftest import FakeClock
from tests.console.browsing import browser
from tests.sso.openid import CLIENT, ISSUER, SECRET, Provider, Trusting, published, secret_key, trusting


def _part(value: Any) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()


def _unsigned(provider: Provider) -> str:
    head, body, _ = provider.made().split(".")
    del head
    return f"{_part({'alg': 'none', 'kid': 'first'})}.{body}."


def _by_shared_secret(key: bytes) -> Callable[[Provider], str]:
    """Signed by what both sides know, or by what everybody may know: the public key as a secret."""

    def make(provider: Provider) -> str:
        body = provider.made().split(".")[1]
        signed = f"{_part({'alg': 'HS256', 'kid': 'first'})}.{body}"
        mac = base64.urlsafe_b64encode(hmac.new(key, signed.encode(), hashlib.sha256).digest()).rstrip(b"=").decode()
        return f"{signed}.{mac}"

    return make


def _altered(provider: Provider) -> str:
    head, body, signature = provider.made().split(".")
    claims = json.loads(base64.urlsafe_b64decode(body + "=="))
    return f"{head}.{_part(claims | {'email': 'victoria@acme.test'})}.{signature}"


def _own_key(provider: Provider) -> str:
    """Signed by a key that the token itself brings along."""
    claims = jwt.decode(provider.made(), options={"verify_signature": False})
    return jwt.encode(claims, secret_key("mallory"), "RS256", {"kid": "first", "jwk": published("mallory")})


_PUBLIC = json.dumps(published()).encode()
TOKENS: dict[str, Callable[[Provider], str]] = {
    "without a signature": _unsigned,
    "signed by the client's secret": _by_shared_secret(SECRET.encode()),
    "signed by the public key as a secret": _by_shared_secret(_PUBLIC),
    "altered behind the signature": _altered,
    "with a key of its own": _own_key,
    "no token": lambda provider: "x.y",
    "empty": lambda provider: "",
    "of three empty parts": lambda provider: "..",
}


@pytest.fixture
def acme(world: World) -> Trusting:
    return trusting(world)


def _refused(acme: Trusting) -> None:
    one, reply = acme.sign_in()
    assert (reply.status, one.signed_in) in [(status, False) for status in (400, 403)], reply.text
    assert 'role="alert"' in reply.text


def _honest(acme: Trusting) -> None:
    assert acme.sign_in()[0].signed_in


@pytest.mark.parametrize("made", TOKENS.values(), ids=TOKENS.keys())
def test_a_token_that_the_provider_did_not_sign(acme: Trusting, made: Callable[[Provider], str]) -> None:
    one, query = acme.go()
    acme.provider.token = made(acme.provider)
    assert acme.back(one, query).status in (400, 403)
    assert not one.signed_in
    acme.provider.token = None
    _honest(acme)


_DAY = 86400
CLAIMS: dict[str, dict[str, Any]] = {
    "by another issuer": {"iss": "https://evil.test"},
    "by an issuer that looks alike": {"iss": ISSUER + "/"},
    "by nobody": {"iss": None},
    "for another client": {"aud": "other"},
    "for nobody": {"aud": None},
    "for several without a party": {"aud": [CLIENT, "other"]},
    "for several by another party": {"aud": [CLIENT, "other"], "azp": "other"},
    "for us by another party": {"azp": "other"},
    "for another request": {"nonce": "x"},
    "for any request": {"nonce": None},
    "without an end": {"exp": None},
    "that is over": {"exp": 1},
    "whose end is a word": {"exp": "tomorrow"},
    "without a beginning": {"iat": None},
    "of tomorrow": {"iat": 99_999_999_999},
    "not valid yet": {"nbf": 99_999_999_999},
    "about nobody": {"sub": None},
    "about an empty subject": {"sub": ""},
    "about a long subject": {"sub": "x" * 256},
    "about a number": {"sub": 7},
    "with another access token": {"at_hash": "AAAAAAAAAAAAAAAAAAAAAA"},
    "without an address": {"email": ""},
    "with two addresses": {"email": "ada@acme.test,victoria@acme.test"},
    "with a line break in its address": {"email": "ada@acme.test\nvictoria@acme.test"},
    "with a list of addresses": {"email": ["ada@acme.test"]},
}


@pytest.mark.parametrize("claims", CLAIMS.values(), ids=CLAIMS.keys())
def test_a_token_that_says_what_it_must_not(acme: Trusting, claims: dict[str, Any]) -> None:
    before = dict(acme.provider.claims)
    acme.provider.claims |= claims
    _refused(acme)
    acme.provider.claims = before
    _honest(acme)


def test_keys_that_do_not_fit(acme: Trusting) -> None:
    honest = acme.provider.keys
    for wrong in (
        [],
        [published("mallory") | {"kid": "first"}],
        [published() | {"use": "enc"}],
        [published() | {"alg": "RS512"}],
        [published() | {"kty": "oct", "k": "c2VjcmV0"}],
        [{"kid": "first"}],
        ["first"],
    ):
        acme.provider.keys = wrong  # type: ignore[assignment]
        acme.clock[0] += 3600
        _refused(acme)
    acme.provider.keys = honest
    acme.clock[0] += 3600
    _honest(acme)


def test_a_provider_that_calls_itself_another(acme: Trusting) -> None:
    for said in (
        {"issuer": "https://evil.test"},
        {"token_endpoint": None},
        {"jwks_uri": "http://login.acme.test/keys"},
    ):
        acme.provider.metadata = said
        acme.clock[0] += 3600
        one = browser(acme.world)
        assert one.get(f"/sso/oidc/{acme.id}/start").status in (403, 502), said
    acme.provider.metadata = {}
    _honest(acme)


def test_who_comes_back_is_who_went(acme: Trusting, clock: FakeClock) -> None:
    one, query = acme.go()
    mallory, other = browser(acme.world), acme.go()[0]
    assert acme.back(mallory, query).status == 403, "without the cookie"
    acme.go()
    assert acme.back(other, query).status == 403, "another browser that asks too"
    state = query["state"]
    for wrong in ("", "x", state[:-1] + ("A" if state[-1] != "A" else "B"), state + "x"):
        assert acme.back(one, {"state": wrong}).status == 403
    elsewhere = acme.world.api.post(
        f"/v1/orgs/{acme.world.organization}/oidc", {"label": "B", "issuer": ISSUER, "clientID": CLIENT}
    ).json["id"]
    assert one.get(f"/sso/oidc/{elsewhere}/callback?code=code&state={state}").status == 403, "made for another provider"
    assert acme.back(one, query, error="access_denied").status == 403
    assert acme.back(one, query, iss="https://evil.test").status == 403, "mixed up with another provider"
    assert one.get(f"/sso/oidc/{acme.id}/callback?state={state}", word="").status == 403, "a code for another challenge"
    clock.advance(61 * 60 * 1000)
    assert acme.back(one, query).status == 403, "too late"
    assert not one.signed_in
    _honest(acme)


def test_an_answer_serves_once(acme: Trusting) -> None:
    one, query = acme.go()
    assert acme.back(one, query).status == 303
    assert acme.back(one, query).status == 403


def test_who_says_of_answers_whose_they_are_has_to_say_so(acme: Trusting) -> None:
    acme.provider.metadata = {"authorization_response_iss_parameter_supported": True}
    acme.clock[0] += 3600
    one, query = acme.go()
    assert acme.back(one, query).status == 403
    one, query = acme.go()
    assert acme.back(one, query, iss=ISSUER).status == 303


def test_nobody_is_sent_elsewhere_afterwards(acme: Trusting) -> None:
    for way in ("//evil.test", "https://evil.test/", "/\\evil.test", "javascript:alert(1)"):
        one, query = acme.go(way)
        assert acme.back(one, query).headers["location"] == "/app", way


def test_an_account_of_another_organization_is_not_taken_over(acme: Trusting) -> None:
    world = acme.world
    victim = world.api.post("/v1/orgs", {"title": "Elsewhere"}).json["id"]

    async def owner(unit: Any) -> str:
        from octavo.kernel.ids import new_id
        from octavo.kernel.records.people import Member, User

        email = f"victoria-{new_id().lower()}@acme.test".replace("_", "x")
        user = User(id=new_id(), email=email, name="Victoria", created_at=unit.now, email_verified=unit.now)
        await unit.people.add_user(user)
        await unit.people.add_member(Member(organization=victim, user=user.id, role="read", joined_at=unit.now))
        return email

    acme.provider.claims |= {"email": world.run(world.house.store.write(owner)), "sub": "victoria"}
    _refused(acme)
