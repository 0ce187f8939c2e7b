"""Single sign-on by OpenID Connect: providers of an organization, and what their claims stand for."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, field

from octavo.kernel import limits
from octavo.kernel.clock import iso
from octavo.kernel.records import saml
from octavo.wire.fields import Body, DateTime, Id, Located, Maybe, Role, SamlLabel, Shape, WebUrl, line, trimmed
from octavo.wire.people import teams as shown_teams
from octavo.wire.view import View

EVERYBODY = "installation"
"""Stands in addresses for the id of the provider that lets everybody of the installation in."""

ClientId = Annotated[str, line(limits.OIDC_CLIENT_MAX)]
ClientSecret = Annotated[str, Meta(min_length=1, max_length=limits.OIDC_SECRET_MAX)]
Claim = Annotated[str, line(limits.OIDC_CLAIM_MAX, min_length=1)]
Roles = Annotated[dict[str, Role], Meta(max_length=limits.OIDC_VALUES_MAX)]
Teams = Annotated[dict[str, Id], Meta(max_length=limits.OIDC_VALUES_MAX)]


class OidcService(Shape, frozen=True):
    """What the identity provider is told of this side."""

    redirect_url: str = field(name="redirectURL")
    start_url: str = field(name="startURL")
    sign_out_url: str = field(name="signOutURL")
    """Where people are sent who signed out there."""
    backchannel_logout_url: str = field(name="backchannelLogoutURL")
    """Where the provider itself says that somebody is logged out there."""


class OidcProvider(Shape, tag_field="object", tag="oidc-provider", frozen=True):
    """An empty text is what was not said yet."""

    id: str
    label: str
    issuer: str
    client_id: str = field(name="clientID")
    has_secret: bool
    """Whether there is a client secret; it is never shown."""
    trust_email: bool
    """Whether addresses are taken for verified where the provider does not say so."""
    claim: str
    """Name of the claim whose values stand for roles and teams; parts of a way into objects are parted by dots."""
    roles: dict[str, Role]
    """Value of the claim -> role; of several the highest."""
    teams: dict[str, str]
    """Value of the claim -> id of a team."""
    default_role: Role | None
    """Of who comes in for the first time, and of who has no value that stands for a role; null for guests."""
    created_at: DateTime
    status: Literal["active", "pending"]
    """Pending as long as issuer or client id are missing."""
    signed_in_at: DateTime | None
    """When the newest session began that rests on its word; null where nobody is signed in by it."""
    service: OidcService
    urls: Located
    default_team: Maybe[shown_teams.Team] = UNSET


class UpdateOidcProvider(Body, frozen=True):
    label: Maybe[SamlLabel] = UNSET
    issuer: Maybe[WebUrl] = UNSET
    client_id: Maybe[ClientId] = field(name="clientID", default=UNSET)
    client_secret: Maybe[ClientSecret | None] = field(name="clientSecret", default=UNSET)
    """Null takes it away: a public client has none."""
    trust_email: Maybe[bool] = UNSET
    claim: Maybe[Claim] = UNSET
    roles: Maybe[Roles] = UNSET
    teams: Maybe[Teams] = UNSET
    default_team: Maybe[Id | None] = UNSET
    default_role: Maybe[Role | None] = UNSET

    def __post_init__(self) -> None:
        trimmed(self, "label", 1, limits.SAML_LABEL_MAX)


class CreateOidcProvider(Body, frozen=True):
    label: SamlLabel
    issuer: Maybe[WebUrl] = UNSET
    client_id: Maybe[ClientId] = field(name="clientID", default=UNSET)
    client_secret: Maybe[ClientSecret | None] = field(name="clientSecret", default=UNSET)
    trust_email: Maybe[bool] = UNSET
    claim: Maybe[Claim] = UNSET
    roles: Maybe[Roles] = UNSET
    teams: Maybe[Teams] = UNSET
    default_team: Maybe[Id | None] = UNSET
    default_role: Maybe[Role | None] = UNSET

    def __post_init__(self) -> None:
        trimmed(self, "label", 1, limits.SAML_LABEL_MAX)


class OidcProviderView(msgspec.Struct, frozen=True):
    provider: saml.SamlProvider
    team: shown_teams.TeamView | None = None
    signed_in_at: int | None = None


def service_of(provider: str, view: View) -> OidcService:
    """Where the provider's people and answers arrive."""
    at = f"{view.app}/sso/oidc/{provider}"
    return OidcService(f"{at}/callback", f"{at}/start", f"{view.app}/login", f"{at}/logout")


def present(shown: OidcProviderView, view: View) -> OidcProvider:
    """The provider as the API serves it."""
    one = shown.provider
    told = msgspec.convert(one.claims or {}, saml.Claims)
    return OidcProvider(
        id=one.id,
        label=one.label,
        issuer=one.entity_id,
        client_id=one.client_id or "",
        has_secret=one.sealed_secret is not None,
        trust_email=told.trust_email,
        claim=told.claim,
        roles=told.roles,
        teams=told.teams,
        default_role=one.default_role,
        created_at=iso(one.created_at),
        status=one.status,
        signed_in_at=None if shown.signed_in_at is None else iso(shown.signed_in_at),
        service=service_of(one.id, view),
        urls=Located(view.location("orgs", one.organization, "oidc", one.id)),
        default_team=UNSET if shown.team is None else shown_teams.present(shown.team, view),
    )
