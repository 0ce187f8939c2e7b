"""A provider of OpenID Connect that says what it is told to, without a network; and a browser that goes there and back."""

from __future__ import annotations

import base64
import hashlib
import json
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any
from urllib.parse import parse_qs, parse_qsl, urlsplit

import jwt
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa

from octavo.gateways.addresses import Guard
from octavo.gateways.openid import OpenId
from octavo.gateways.web import Fetched
from tests.client import Reply, World
from tests.console.browsing import Browser, browser

ISSUER = "https://login.acme.test"
CLIENT, SECRET = "octavo", "the client's secret, with : and %"


def secret_key(name: str = "first", kind: str = "RS256") -> Any:
    """The same key for the same name all the while, however it is asked for."""
    return _key(name, kind)


@cache
def _key(name: str, kind: str) -> Any:
    if kind.startswith("ES"):
        return ec.generate_private_key(ec.SECP256R1())
    return ed25519.Ed25519PrivateKey.generate() if kind == "EdDSA" else rsa.generate_private_key(65537, 2048)


def published(name: str = "first", kind: str = "RS256") -> dict[str, Any]:
    """The half of a key that everybody may see."""
    made = jwt.get_algorithm_by_name(kind).to_jwk(secret_key(name, kind).public_key(), as_dict=True)
    return {name: word for name, word in made.items() if name != "key_ops"} | {"kid": name, "use": "sig", "alg": kind}


@dataclass
class Provider:
    """Answers what Octavo asks; tests change one thing of it."""

    now: Any
    issuer: str = ISSUER
    keys: list[dict[str, Any]] = field(default_factory=lambda: [published()])
    claims: dict[str, Any] = field(default_factory=dict)
    """Over those of an honest token; None takes one away."""
    metadata: dict[str, Any] = field(default_factory=dict)
    head: dict[str, Any] = field(default_factory=dict)
    signed_by: Any = "first"
    algorithm: str = "RS256"
    userinfo: dict[str, Any] | None = None
    token: str | None = None
    """In place of one that is made."""
    status: int = 200
    nonce: str = ""
    challenge: str = ""
    asked: list[str] = field(default_factory=list)
    posted: dict[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)

    def told(self) -> dict[str, Any]:
        known = {
            "issuer": self.issuer,
            "authorization_endpoint": f"{self.issuer}/authorize",
            "token_endpoint": f"{self.issuer}/token",
            "jwks_uri": f"{self.issuer}/keys",
            "userinfo_endpoint": f"{self.issuer}/me",
            "end_session_endpoint": f"{self.issuer}/out",
        } | self.metadata
        return {name: word for name, word in known.items() if word is not None}

    def made(self) -> str:
        if self.token is not None:
            return self.token
        seconds = self.now() // 1000
        claims = {
            "iss": self.issuer, "sub": "ada", "aud": CLIENT, "iat": seconds, "exp": seconds + 300, "nonce": self.nonce,
            "email": "ada@acme.test", "email_verified": True, "name": "Ada Lovelace",
        } | self.claims  # fmt: skip
        claims = {name: word for name, word in claims.items() if word is not None}
        key = secret_key(self.signed_by, self.algorithm) if isinstance(self.signed_by, str) else self.signed_by[0]
        return jwt.encode(claims, key, self.algorithm, {"kid": self.signed_by} | self.head)

    async def __call__(
        self, url: str, *, method: str, guard: Guard, headers: Any = None, body: Any = None, **_: Any
    ) -> Fetched:
        path = urlsplit(url).path
        self.asked.append(path)
        status, told = self.status, self.told()
        if path == "/keys":
            told = {"keys": self.keys}
        elif path == "/me":
            assert headers["authorization"] == "Bearer access"
            told = self.userinfo or {}
        elif path == "/token":
            self.posted, self.headers = dict(parse_qsl(body.decode())), headers
            digest = hashlib.sha256(self.posted["code_verifier"].encode()).digest()
            right = base64.urlsafe_b64encode(digest).rstrip(b"=").decode() == self.challenge
            told = {"id_token": self.made(), "access_token": "access"} if right else {"error": "invalid_grant"}
            status = 200 if right else 400
        return Fetched(status, {}, json.dumps(told).encode(), url)


@dataclass
class Trusting:
    """An organization that trusts such a provider."""

    world: World
    provider: Provider
    id: str
    base: str
    clock: list[float]
    """Seconds by which what is kept of providers ages."""

    def change(self, **fields: Any) -> None:
        reply = self.world.api.patch(self.base, fields)
        assert reply.status == 200, reply.text

    def go(self, next_: str = "") -> tuple[Browser, dict[str, str]]:
        """A browser at the provider, and what it was sent there with."""
        one = browser(self.world)
        sent = one.get(f"/sso/oidc/{self.id}/start" + (f"?next={next_}" if next_ else ""))
        assert sent.status == 302, sent.text
        address = urlsplit(sent.headers["location"])
        assert f"{address.scheme}://{address.netloc}{address.path}" == f"{ISSUER}/authorize"
        query = {name: values[0] for name, values in parse_qs(address.query).items()}
        self.provider.nonce, self.provider.challenge = query["nonce"], query["code_challenge"]
        return one, query

    def back(self, one: Browser, query: Mapping[str, str], **more: str) -> Reply:
        """The browser comes back with a code."""
        words = {"code": "code", "state": query["state"]} | more
        return one.get(f"/sso/oidc/{self.id}/callback?" + "&".join(f"{name}={word}" for name, word in words.items()))

    def sign_in(self) -> tuple[Browser, Reply]:
        one, query = self.go()
        return one, self.back(one, query)


def at_provider(world: World, provider: Provider) -> list[float]:
    """Let the application ask this provider in place of the network."""
    clock = [0.0]
    world.app._sso._openid._gate = OpenId(Guard(), provider, lambda: clock[0])
    return clock


def trusting(world: World, **fields: Any) -> Trusting:
    """The world's organization trusts a provider, and `acme.test` is its domain."""
    provider = Provider(world.house.store.clock)
    subject = f"ada-{uuid.uuid4().hex[:12]}"
    provider.claims = {"sub": subject, "email": f"{subject}@acme.test"}
    world.run(
        world.house.store.write(lambda unit: unit.people.verify_domain(world.organization, "acme.test", unit.now))
    )
    given = {"label": "Acme", "issuer": ISSUER, "clientID": CLIENT, "clientSecret": SECRET} | fields
    made = world.api.post(f"/v1/orgs/{world.organization}/oidc", given)
    assert made.status == 201, made.text
    base = f"/v1/orgs/{world.organization}/oidc/{made.json['id']}"
    return Trusting(world, provider, made.json["id"], base, at_provider(world, provider))
