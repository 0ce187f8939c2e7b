"""Records of single sign-on by SAML: who proves, whom was proven who, and what may be used once only."""

from __future__ import annotations

from typing import Literal

from octavo.kernel.records import Record, Role


class SamlProvider(Record, frozen=True):
    """An identity provider that an organization trusts; an empty text is what was not said yet."""

    id: str
    organization: str
    label: str
    created_at: int
    sso_url: str = ""
    """Where browsers are sent to sign in."""
    entity_id: str = ""
    """The name by which the identity provider calls itself."""
    certificate: str = ""
    """As it was written: one PEM certificate or several, or bare Base64."""
    default_team: str | None = None
    default_role: Role | None = None
    """What new members become; None = guests."""
    ready: bool = False
    """Whether everything is there, and the certificates can be read."""

    @property
    def status(self) -> Literal["active", "pending"]:
        return "active" if self.ready else "pending"


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
