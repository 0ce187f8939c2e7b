"""OpenID Connect with any provider: discovery, the exchange of a code, and what an ID token proves, by keys that change.

Signatures are checked by PyJWT, with keys that the provider publishes and algorithms that are safe; everything else that the
specification asks of an ID token is checked here, against a clock that is given.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

import jwt
import msgspec

from octavo.gateways import web
from octavo.gateways.addresses import Guard
from octavo.gateways.failures import GatewayFailure

ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA")
"""What a signature may be made by: keys that the provider alone has. No `none`, and no secret that both sides know."""
SKEW = 60_000
"""Milliseconds by which the clock of a provider may be ahead."""
KEPT_SECONDS = 600.0
"""For which what was discovered is not asked for again."""
AGAIN_SECONDS = 30.0
"""Between two looks for keys that were not there: whoever sends tokens with made-up keys makes us ask no more often."""
LOGOUT_LIVES = 300_000
"""Milliseconds for which a logout token is taken, however long it says that it holds."""
SUBJECT_MAX, VALUES_MAX = 255, 500
LIMITS = web.Limits(bytes=1 << 20, seconds=10.0, redirects=2, connect_seconds=5.0)
Asks = Callable[..., Awaitable[web.Fetched]]


class Refused(Exception):
    """Nobody is proven; `reason` is a word of `sso.pages.SENTENCES`."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(detail)
        self.reason = reason


class Client(msgspec.Struct, frozen=True):
    """This installation, as a provider knows it."""

    issuer: str
    id: str
    secret: str | None
    redirect: str


class Asked(msgspec.Struct, frozen=True):
    """What is known of a request when its answer comes: nothing of it leaves this side but in hashes."""

    state: str
    nonce: str
    verifier: str


class Proven(msgspec.Struct, frozen=True):
    """Whom a provider has proven."""

    subject: str
    email: str
    verified: bool
    """Whether the provider says that the address is hers."""
    name: str
    claims: Mapping[str, Any]


class LoggedOut(msgspec.Struct, frozen=True):
    """Who is logged out at a provider: everywhere, or in one session there."""

    subject: str | None
    session: str | None
    made_at: int
    """Milliseconds."""


class Metadata(msgspec.Struct, frozen=True):
    """What a provider says of itself; the rest is not looked at."""

    issuer: str
    authorization_endpoint: str
    token_endpoint: str
    jwks_uri: str
    userinfo_endpoint: str = ""
    end_session_endpoint: str = ""
    token_endpoint_auth_methods_supported: list[str] = msgspec.field(default_factory=lambda: ["client_secret_basic"])
    authorization_response_iss_parameter_supported: bool = False


class OpenId:
    """Providers as one process knows them."""

    def __init__(self, guard: Guard, ask: Asks = web.fetch, now: Callable[[], float] = time.monotonic) -> None:
        self._guard, self._ask, self._now = guard, ask, now
        self._known: dict[str, tuple[Metadata, float]] = {}
        self._keys: dict[str, tuple[list[dict[str, Any]], float]] = {}

    async def discover(self, issuer: str) -> Metadata:
        """What a provider says of itself. Raises Refused where it cannot be asked, or says that it is another."""
        kept = self._known.get(issuer)
        if kept is not None and self._now() < kept[1] + KEPT_SECONDS:
            return kept[0]
        told = await self._json("GET", issuer.rstrip("/") + "/.well-known/openid-configuration")
        try:
            found = msgspec.convert(told, Metadata)
        except msgspec.ValidationError as error:
            raise Refused("provider", f"the configuration of {issuer} is not whole: {error}") from error
        if found.issuer != issuer:
            raise Refused("issuer", f"the provider calls itself {found.issuer!r}")
        for address in (found.authorization_endpoint, found.token_endpoint, found.jwks_uri):
            if urlsplit(address).scheme != "https" and urlsplit(issuer).scheme == "https":
                raise Refused("provider", f"{address} is not asked over https")
        self._known[issuer] = (found, self._now())
        return found

    async def request_address(self, client: Client, asked: Asked) -> str:
        """Where a browser is sent to sign in."""
        found = await self.discover(client.issuer)
        challenge = base64.urlsafe_b64encode(hashlib.sha256(asked.verifier.encode()).digest()).rstrip(b"=").decode()
        query = {
            "response_type": "code",
            "client_id": client.id,
            "redirect_uri": client.redirect,
            "scope": "openid email profile",
            "state": asked.state,
            "nonce": asked.nonce,
            "code_challenge": challenge,
            "code_challenge_method": "S256",
        }
        mark = "&" if "?" in found.authorization_endpoint else "?"
        return f"{found.authorization_endpoint}{mark}{urlencode(query)}"

    async def exchange(self, client: Client, asked: Asked, code: str, now: int) -> Proven:
        """Whom a code proves. `now`: milliseconds. Raises Refused."""
        found = await self.discover(client.issuer)
        headers = {"content-type": "application/x-www-form-urlencoded", "accept": "application/json"}
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": client.redirect,
            "code_verifier": asked.verifier,
        }
        if client.secret is None:
            form["client_id"] = client.id
        elif "client_secret_basic" in found.token_endpoint_auth_methods_supported:
            both = f"{quote(client.id, safe='')}:{quote(client.secret, safe='')}"
            headers["authorization"] = "Basic " + base64.b64encode(both.encode()).decode()
        else:
            form |= {"client_id": client.id, "client_secret": client.secret}
        told = await self._json("POST", found.token_endpoint, headers=headers, body=urlencode(form).encode())
        token, access = told.get("id_token"), told.get("access_token")
        if not isinstance(token, str):
            raise Refused("denied", f"the provider gave no ID token: {str(told.get('error'))[:100]}")
        claims = await self.read(client, token, now)
        if not hmac.compare_digest(str(claims.get("nonce", "")).encode(), asked.nonce.encode()):
            raise Refused("unasked", "the ID token was made for another request")
        _require_hash(claims, access, token)
        if "email" not in claims and isinstance(access, str) and found.userinfo_endpoint:
            more = await self._json("GET", found.userinfo_endpoint, headers={"authorization": f"Bearer {access}"})
            if more.get("sub") != claims["sub"]:
                raise Refused("subject", "the provider told of somebody else than the token names")
            claims = more | claims
        return _person(claims)

    async def read(self, client: Client, token: str, now: int) -> dict[str, Any]:
        """The claims of an ID token that this provider made for this client, and that holds now. Raises Refused."""
        found = await self.discover(client.issuer)
        try:
            head = jwt.get_unverified_header(token)
        except jwt.PyJWTError as error:
            raise Refused("response", "the ID token cannot be read") from error
        if head.get("alg") not in ALGORITHMS:
            raise Refused("algorithm", f"the ID token is signed by {str(head.get('alg'))[:20]}")
        claims = _verified(token, head, await self._fitting(found, head))
        _fits(claims, client, now)
        return claims

    async def read_logout(self, client: Client, token: str, now: int) -> LoggedOut:
        """Whom a logout token that this provider made for this client logs out. Raises Refused."""
        found = await self.discover(client.issuer)
        try:
            head = jwt.get_unverified_header(token)
        except jwt.PyJWTError as error:
            raise Refused("response", "the logout token cannot be read") from error
        if head.get("alg") not in ALGORITHMS:
            raise Refused("algorithm", f"the logout token is signed by {str(head.get('alg'))[:20]}")
        if str(head.get("typ", "JWT")).lower().removeprefix("application/") not in ("jwt", "logout+jwt"):
            raise Refused("shape", "the token is of another kind")
        claims = _verified(token, head, await self._fitting(found, head), _LOGOUT_HAS)
        _fits(claims, client, now, subject=False)
        return _logged_out(claims, now)

    async def sign_out_address(self, client: Client, back: str) -> str:
        """Where a browser signs out at the provider too; empty where it offers no such place."""
        found = await self.discover(client.issuer)
        if not found.end_session_endpoint:
            return ""
        query = urlencode({"client_id": client.id, "post_logout_redirect_uri": back})
        return f"{found.end_session_endpoint}{'&' if '?' in found.end_session_endpoint else '?'}{query}"

    async def _fitting(self, found: Metadata, head: dict[str, Any]) -> list[jwt.PyJWK]:
        """The keys that may have made a signature; asked for anew where there is none, as providers change them."""
        kept, at = self._keys.get(found.jwks_uri, ([], float("-inf")))
        fitting = _of(kept, head) if self._now() < at + KEPT_SECONDS else []
        if not fitting and self._now() >= at + AGAIN_SECONDS:
            told = (await self._json("GET", found.jwks_uri)).get("keys")
            kept = [one for one in told if isinstance(one, dict)] if isinstance(told, list) else []
            self._keys[found.jwks_uri] = (kept, self._now())
            fitting = _of(kept, head)
        if not fitting:
            raise Refused("key", f"no key of the provider fits {str(head.get('kid'))[:100]!r}")
        return fitting

    async def _json(self, method: str, url: str, **given: Any) -> dict[str, Any]:
        try:
            got = await self._ask(url, method=method, limits=LIMITS, guard=self._guard, follow=method == "GET", **given)
        except GatewayFailure as failure:
            raise Refused("provider", failure.message) from failure
        try:
            told = msgspec.json.decode(got.body)
        except msgspec.DecodeError:
            told = None
        if not isinstance(told, dict) or (got.status != 200 and "error" not in told):
            raise Refused("provider", f"the provider answers {got.status} to {method} {urlsplit(url).path}")
        return told


def _of(keys: list[dict[str, Any]], head: dict[str, Any]) -> list[jwt.PyJWK]:
    """Those that may have signed: of that id where one is named, for signing, of the algorithm's kind."""
    fitting = []
    for one in keys:
        named = head.get("kid") is None or one.get("kid") == head["kid"]
        if not named or one.get("use", "sig") != "sig" or one.get("alg", head["alg"]) != head["alg"]:
            continue
        try:
            made = jwt.PyJWK(one, algorithm=head["alg"])
        except jwt.PyJWTError:
            continue
        if one.get("kty") == _KINDS[head["alg"][:2]]:
            fitting.append(made)
    return fitting


_KINDS = {"RS": "RSA", "PS": "RSA", "ES": "EC", "Ed": "OKP"}


_HAS = ("iss", "sub", "aud", "exp", "iat")
_LOGOUT_HAS = ("iss", "aud", "exp", "iat", "jti", "events")
_LOGOUT = "http://schemas.openid.net/event/backchannel-logout"


def _verified(token: str, head: dict[str, Any], keys: list[jwt.PyJWK], has: Sequence[str] = _HAS) -> dict[str, Any]:
    # What an ID token says of time and of who it is for is looked at below: by the clock that is given, and more closely.
    own: Any = {"verify_exp": False, "verify_iat": False, "verify_nbf": False, "verify_aud": False, "verify_iss": False}
    for key in keys[:8]:
        try:
            claims: dict[str, Any] = jwt.decode(
                token, key, algorithms=[head["alg"]], options=own | {"require": list(has)}
            )
        except jwt.InvalidSignatureError:
            continue
        except jwt.PyJWTError as error:
            raise Refused("shape", f"the ID token is not whole: {error}") from error
        return claims
    raise Refused("signature", "no key of the provider made the signature of the ID token")


def _fits(claims: dict[str, Any], client: Client, now: int, *, subject: bool = True) -> None:
    """By whom, for whom, and when; with `subject` also of whom."""
    if claims["iss"] != client.issuer:
        raise Refused("issuer", f"the ID token is by {str(claims['iss'])[:200]!r}")
    audience = claims["aud"] if isinstance(claims["aud"], list) else [claims["aud"]]
    party = claims.get("azp")
    if client.id not in audience or (len(audience) > 1 and party is None) or party not in (None, client.id):
        raise Refused("audience", "the ID token is for another client")
    times = {name: claims[name] for name in ("exp", "iat", "nbf") if name in claims}
    if any(isinstance(at, bool) or not isinstance(at, int | float) for at in times.values()):
        raise Refused("shape", "the ID token has times that are none")
    if times["exp"] * 1000 <= now:
        raise Refused("late", "the ID token is no longer valid")
    if max(times["iat"], times.get("nbf", 0)) * 1000 > now + SKEW:
        raise Refused("early", "the ID token is not valid yet")
    if subject and not _is_word(claims["sub"]):
        raise Refused("subject", "the ID token names nobody")


def _is_word(said: Any) -> bool:
    return isinstance(said, str) and 1 <= len(said) <= SUBJECT_MAX


def _logged_out(claims: dict[str, Any], now: int) -> LoggedOut:
    """What only logout tokens have, and what they never do."""
    events = claims["events"]
    if not isinstance(events, dict) or not isinstance(events.get(_LOGOUT), dict):
        raise Refused("shape", "the token tells of no log-out")
    if "nonce" in claims:
        raise Refused("shape", "a logout token has no nonce: this may be an ID token")
    if not _is_word(claims["jti"]):
        raise Refused("shape", "the logout token has no id")
    named = {name: claims[name] for name in ("sub", "sid") if name in claims}
    if not named or not all(map(_is_word, named.values())):
        raise Refused("subject", "the logout token names neither somebody nor a session")
    made_at = int(claims["iat"] * 1000)
    if now > made_at + LOGOUT_LIVES:
        raise Refused("late", "the logout token was made too long ago")
    return LoggedOut(named.get("sub"), named.get("sid"), made_at)


def _require_hash(claims: dict[str, Any], access: Any, token: str) -> None:
    """Where the token says which access token it came with, it is that one."""
    said = claims.get("at_hash")
    if said is None or not isinstance(access, str):
        return
    bits = jwt.get_unverified_header(token)["alg"][2:]
    digest = hashlib.new({"256": "sha256", "384": "sha384"}.get(bits, "sha512"), access.encode()).digest()
    wanted = base64.urlsafe_b64encode(digest[: len(digest) // 2]).rstrip(b"=").decode()
    if not hmac.compare_digest(str(said).encode(), wanted.encode()):
        raise Refused("shape", "the access token is not the one that the ID token came with")


def _person(claims: dict[str, Any]) -> Proven:
    email, name = claims.get("email"), claims.get("name") or claims.get("preferred_username")
    return Proven(
        subject=claims["sub"],
        email=email if isinstance(email, str) else "",
        # Some providers write it as a word.
        verified=claims.get("email_verified") is True or claims.get("email_verified") == "true",
        name=name if isinstance(name, str) else "",
        claims=claims,
    )


def values(claims: Mapping[str, Any], name: str) -> list[str] | None:
    """The texts of a claim, which may lie deeper (`realm_access.roles`); None where it is not there."""
    found: Any = claims.get(name)
    if found is None and "." in name:
        found = claims
        for part in name.split("."):
            found = found.get(part) if isinstance(found, dict) else None
    if found is None:
        return None
    return [one for one in (found if isinstance(found, list) else [found]) if isinstance(one, str)][:VALUES_MAX]
