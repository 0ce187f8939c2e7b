"""Records of single sign-on, by SAML and by OpenID Connect: who proves, whom was proven who, and what may be used once only."""

from __future__ import annotations

from typing import Literal

from octavo.kernel.records import Json, Record, Role


class SamlProvider(Record, frozen=True):
    """An identity provider that an organization trusts; an empty text is what was not said yet."""

    id: str
    organization: str
    label: str
    created_at: int
    sso_url: str = ""
    """Where browsers are sent to sign in, by SAML."""
    entity_id: str = ""
    """The name by which the identity provider calls itself; of OpenID Connect, the issuer."""
    certificate: str = ""
    """As it was written: one PEM certificate or several, or bare Base64."""
    default_team: str | None = None
    default_role: Role | None = None
    """What new members become; None = guests."""
    ready: bool = False
    """Whether everything is there, and the certificates can be read."""
    client_id: str | None = None
    """Of OpenID Connect: what the identity provider calls this installation; None = this one speaks SAML."""
    sealed_secret: str | None = None
    """Of OpenID Connect: the client's secret; None = it has none."""
    claims: Json | None = None
    """Of OpenID Connect: `Claims`, as JSON."""

    @property
    def oidc(self) -> bool:
        """Whether it speaks OpenID Connect."""
        return self.client_id is not None

    @property
    def status(self) -> Literal["active", "pending"]:
        return "active" if self.ready else "pending"


class Claims(Record, frozen=True, kw_only=True):
    """What of an ID token decides what somebody becomes."""

    trust_email: bool = False
    """Take addresses for verified where the provider does not say so: some never do."""
    claim: str = "groups"
    """The claim whose values are looked up below."""
    roles: dict[str, Role] = {}
    """Value -> role in the organization; of several the highest."""
    teams: dict[str, str] = {}
    """Value -> id of a team, which people join and leave by it."""


class SamlIdentity(Record, frozen=True):
    """Somebody of an identity provider, and the user that this is here."""

    organization: str
    provider: str
    subject: str
    """What the provider calls that somebody."""
    user: str
    created_at: int


class SamlLogin(Record, frozen=True):
    """Somebody whom a provider has proven, and whose browser is on its way to be signed in."""

    organization: str
    provider: str
    hash: str
    """Of the word in the address that the browser is on its way to."""
    browser: str
    """Hash of the word in the cookie of the browser that asked."""
    subject: str
    email: str
    name: str
    target: str
    """The path on this host to go on to."""
    expires_at: int
