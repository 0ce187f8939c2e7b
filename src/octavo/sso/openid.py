"""Signing in by OpenID Connect: a browser goes out with a request, comes back with a code, and what that is worth is asked for.

Nothing is written before a signed token came: what belongs to a request is in its state, which is signed, and in the cookie of
the browser that asked. The exchange of the code is a part of the request, as the protocol wants it: guarded, and bounded.
"""

from __future__ import annotations

import secrets
from collections.abc import Awaitable
from typing import TYPE_CHECKING, TypeVar
from urllib.parse import quote, urlencode

import msgspec

from octavo.access.addresses import client_address, user_agent
from octavo.access.people import sessions
from octavo.access.people.single_sign_on import arrive, arrive_anywhere, follow
from octavo.access.signing import Signer
from octavo.kernel.audit import Target
from octavo.kernel.errors import Failure, Forbidden
from octavo.kernel.records.saml import Claims, SamlLogin, SamlProvider
from octavo.kernel.settings import Settings
from octavo.sso.pages import REQUEST_LIVES, Turned, Ways
from octavo.store.unit import Provenance, Store, Unit
from octavo.web.answers import Answer, redirect
from octavo.web.asgi import Header, Scope
from octavo.web.fields import Fields, first
from octavo.wire.people.oidc import EVERYBODY, service_of
from octavo.wire.view import View

if TYPE_CHECKING:
    from octavo.gateways.openid import Asked, Client, OpenId, Proven

T = TypeVar("T")
HOME = "/app"
SID_MAX = 255
LATE = 60_000
"""Milliseconds by which the clock of a provider may be behind."""
TARGET_MAX = 2000
"""Characters of the path to go on to, which the state carries."""


class OpenIdWay:
    """What the door for single sign-on does with providers of OpenID Connect."""

    def __init__(self, store: Store, settings: Settings, signer: Signer, view: View, pages: Ways, secure: bool) -> None:
        self._store, self._settings, self._signer, self._view, self._pages = store, settings, signer, view, pages
        self._secure = secure
        self._gate: OpenId | None = None

    @property
    def gate(self) -> OpenId:
        """Providers as this process knows them; made with the first that is asked."""
        if self._gate is None:
            from octavo.gateways.addresses import Guard
            from octavo.gateways.openid import OpenId

            hosts = frozenset(self._settings.allowed_hosts)
            self._gate = OpenId(Guard(allow_private=self._settings.allow_private_addresses, allow_hosts=hosts))
        return self._gate

    async def provider(self, word: str) -> SamlProvider:
        """The provider of a path: an organization's, or that of the whole installation. Raises Turned."""
        settings = self._settings
        if word == EVERYBODY and settings.oidc_issuer is not None:
            return SamlProvider(
                id=EVERYBODY,
                organization="",
                label=settings.oidc_label,
                created_at=0,
                entity_id=settings.oidc_issuer,
                client_id=settings.oidc_client_id,
                ready=True,
            )

        async def find(unit: Unit) -> SamlProvider | None:
            found = await unit.saml.get(word)
            there = found is not None and await unit.people.organization(found.organization) is not None
            return found if there and found is not None and found.oidc else None

        found = await self._store.read(find)
        if found is None:
            raise Turned("absent")
        if not found.ready:
            raise Turned("pending")
        return found

    async def start(self, provider: SamlProvider, browser: str, query: Fields) -> str:
        """Where the browser with that hash is sent. Raises Turned."""
        target = sessions.local_path(first(query, "next"), "")
        state = self._signer.write_oidc_request(
            provider.id, browser, self._store.clock(), target if len(target) <= TARGET_MAX else ""
        )
        return await self._turned(self.gate.request_address(self._client(provider), self._asked(state, browser)))

    async def callback(self, scope: Scope, provider: SamlProvider, browser: str, query: Fields) -> Answer:
        """The browser came back: it is signed in, if it is the one that went."""
        state, now = first(query, "state"), self._store.clock()
        try:
            made_for, asked_by, made_at, target = self._signer.read_oidc_request(state)
        except ValueError as error:
            raise Turned("unasked", "the request was not made here") from error
        if made_for != provider.id:
            raise Turned("unasked", "the request was made for another provider")
        if not secrets.compare_digest(asked_by, browser):
            raise Turned("browser", "the request was made by another browser")
        if now >= made_at + REQUEST_LIVES:
            raise Turned("late", "the request is too old")
        if first(query, "error"):
            raise Turned("denied", first(query, "error")[:100])
        client = self._client(provider)
        await self._require_issuer(provider, first(query, "iss"))
        proven = await self._turned(self.gate.exchange(client, self._asked(state, browser), first(query, "code"), now))
        cookie = await self._begin(scope, provider, proven, state, made_at + REQUEST_LIVES)
        return redirect(303, sessions.local_path(target, HOME), cookie)

    async def out(self, provider: SamlProvider) -> Answer:
        """Whoever is signed out here is shown where to sign out at the provider too."""
        back = f"{self._view.app}/login"
        address = await self._turned(self.gate.sign_out_address(self._client(provider), back))
        return self._pages.out(provider.label, address) if address else redirect(303, "/login")

    async def logged_out(self, scope: Scope, provider: SamlProvider, token: str) -> None:
        """The provider says that somebody is logged out there: her sessions that rest on it end here. Tokens of the API
        stay, as a program's work does not end with a browser's. Raises Turned."""
        now = self._store.clock()
        told = await self._turned(self.gate.read_logout(self._client(provider), token, now))
        headers = dict(scope["headers"])
        address = client_address(scope, headers, self._settings.trusted_proxies)
        whence = Provenance(address=address, agent=user_agent(headers), source="api")
        # Sent once more it ends nothing that began since: nothing of it needs to be remembered.
        begun = told.made_at + LATE

        async def work(unit: Unit) -> None:
            user = None if told.subject is None else await _meant(unit, provider, told.subject)
            if told.subject is not None and user is None:
                return
            ended = await unit.sessions.remove_by_provider(
                provider.organization and provider.id, begun, user=user or "", session=told.session or ""
            )
            if ended and user is not None:
                details = {"sessions": ended}
                await unit.audit.of_account("user.logout-by-provider", user, details=details, anonymous=True)

        await self._store.write(work, whence)

    async def _require_issuer(self, provider: SamlProvider, said: str) -> None:
        """An answer says who made it, where providers do: so that none is taken for that of another (RFC 9207)."""
        found = await self._turned(self.gate.discover(provider.entity_id))
        if said != provider.entity_id and (said or found.authorization_response_iss_parameter_supported):
            raise Turned("issuer", f"the answer is by {said[:200]!r}")

    async def _begin(self, scope: Scope, provider: SamlProvider, proven: Proven, state: str, ends: int) -> Header:
        """Sign somebody in; who is proven and not let in stands in the audit log of the organization."""
        from octavo.gateways.openid import values

        headers = dict(scope["headers"])
        address = client_address(scope, headers, self._settings.trusted_proxies)
        whence = Provenance(address=address, agent=user_agent(headers), source="ui")
        before = sessions.read_cookie(scope["headers"], secure=self._secure)
        told = msgspec.convert(provider.claims or {}, Claims)
        login = SamlLogin(
            organization=provider.organization, provider=provider.id, hash="", browser="", subject=proven.subject,
            email=proven.email, name=proven.name, target="", expires_at=0,
        )  # fmt: skip

        async def work(unit: Unit) -> Header:
            if not (proven.verified or told.trust_email):
                raise Forbidden("The identity provider does not say that your e-mail address was verified.")
            if provider.organization:
                if not await unit.saml.use_once(provider, (f"state {state}",), unit.now, ends):
                    raise Turned("used", "the answer was used before")
                user = await arrive(unit, provider, login)
                await follow(unit, provider, user, told, values(proven.claims, told.claim))
            else:
                user = await arrive_anywhere(unit, provider.entity_id, login)
            old = None if before is None else await sessions.find(unit, before)
            rests = provider.id if provider.organization else None
            there = proven.claims.get("sid")
            value, session = await sessions.begin(
                unit, user.id, "oidc", provider=rests, instead_of=old,
                provider_session=there if isinstance(there, str) and len(there) <= SID_MAX else None,
            )  # fmt: skip
            return sessions.cookie(value, session, secure=self._secure, now=unit.now)

        try:
            return await self._store.write(work, whence)
        except Failure as failure:
            if provider.organization:
                await self._store.write(lambda unit: _refused(unit, provider), whence)
            raise Turned("account", failure.message, sentence=failure.message) from failure

    def _client(self, provider: SamlProvider) -> Client:
        from octavo.gateways.openid import Client

        secret = None if provider.sealed_secret is None else self._signer.unseal(provider.sealed_secret)
        if not provider.organization:
            secret = self._settings.oidc_client_secret
        redirect_ = service_of(provider.id, self._view).redirect_url
        return Client(provider.entity_id, provider.client_id or "", secret, redirect_)

    def _asked(self, state: str, browser: str) -> Asked:
        from octavo.gateways.openid import Asked

        nonce, verifier = (self._signer.one_time(name, state, browser) for name in ("nonce", "verifier"))
        return Asked(state, nonce, verifier)

    async def _turned(self, asking: Awaitable[T]) -> T:
        """What a provider says; what it does not becomes a page."""
        from octavo.gateways.openid import Refused

        try:
            return await asking
        except Refused as refused:
            raise Turned(refused.reason, str(refused)) from refused


async def _meant(unit: Unit, provider: SamlProvider, subject: str) -> str | None:
    """The user whom the provider means by a subject."""
    if not provider.organization:
        return await unit.saml.proven(provider.entity_id, subject)
    identity = await unit.saml.identity(provider.id, subject)
    return None if identity is None else identity.user


async def _refused(unit: Unit, provider: SamlProvider) -> None:
    target = Target("oidc-provider", provider.id, provider.label)
    await unit.audit.append(
        "user.login-failed", target, [provider.organization], details={"how": "oidc"}, anonymous=True
    )


def start_path(provider: SamlProvider, next_: str) -> str:
    """Where somebody begins to sign in by a provider, of whatever kind."""
    kind = "oidc" if provider.oidc else "saml"
    after = "?" + urlencode({"next": next_}) if next_ else ""
    return f"/sso/{kind}/{quote(provider.id)}/start{after}"
