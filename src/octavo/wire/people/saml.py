"""Single sign-on by SAML: identity providers of an organization, and how people of it sign in."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, field

from octavo.kernel import limits
from octavo.kernel.clock import iso
from octavo.kernel.records import saml
from octavo.wire.fields import Body, DateTime, Id, Located, Maybe, Role, SamlLabel, Shape, WebUrl, line, trimmed
from octavo.wire.people import oidc, teams
from octavo.wire.view import View

EntityId = Annotated[str, line(limits.SAML_ENTITY_MAX)]
Certificate = Annotated[
    str,
    Meta(
        max_length=limits.SAML_CERTIFICATE_MAX,
        description="PEM, or Base64 alone; several while one replaces the other",
    ),
]


class Service(Shape, frozen=True):
    """What the identity provider is told of this side."""

    acs_url: str = field(name="acsURL")
    start_url: str = field(name="startURL")
    entity_id: str = field(name="entityID")
    """Also the address of the metadata document."""


class SamlProvider(Shape, tag_field="object", tag="saml-provider", frozen=True):
    """An empty text is what was not said yet."""

    id: str
    label: str
    sso_url: str = field(name="ssoURL")
    entity_id: str = field(name="entityID")
    certificate: str
    default_role: Role | None
    """Of who comes in for the first time; null for guests."""
    created_at: DateTime
    status: Literal["active", "pending"]
    """Pending as long as something is missing, or the certificate cannot be read."""
    signed_in_at: DateTime | None
    """When the newest session began that rests on its word; null where nobody is signed in by it."""
    service: Service
    urls: Located
    default_team: Maybe[teams.Team] = UNSET


class SsoLogin(Shape, frozen=True):
    """A way to sign in."""

    id: str
    label: str
    start_url: str = field(name="startURL")


class SsoLogins(Shape, frozen=True):
    """All of an organization."""

    items: list[SsoLogin]


class UpdateSamlProvider(Body, frozen=True):
    label: Maybe[SamlLabel] = UNSET
    sso_url: Maybe[WebUrl] = field(name="ssoURL", default=UNSET)
    entity_id: Maybe[EntityId] = field(name="entityID", default=UNSET)
    certificate: Maybe[Certificate] = UNSET
    default_team: Maybe[Id | None] = UNSET
    default_role: Maybe[Role | None] = UNSET

    def __post_init__(self) -> None:
        trimmed(self, "label", 1, limits.SAML_LABEL_MAX)


class CreateSamlProvider(Body, frozen=True):
    label: SamlLabel
    sso_url: Maybe[WebUrl] = field(name="ssoURL", default=UNSET)
    entity_id: Maybe[EntityId] = field(name="entityID", default=UNSET)
    certificate: Maybe[Certificate] = UNSET
    default_team: Maybe[Id | None] = UNSET
    default_role: Maybe[Role | None] = UNSET

    def __post_init__(self) -> None:
        trimmed(self, "label", 1, limits.SAML_LABEL_MAX)


class ProviderView(msgspec.Struct, frozen=True):
    provider: saml.SamlProvider
    team: teams.TeamView | None = None
    signed_in_at: int | None = None


def service_of(provider: str, view: View) -> Service:
    """Where the provider's people and answers arrive."""
    at = f"{view.app}/sso/saml/{provider}"
    return Service(f"{at}/acs", f"{at}/start", f"{at}/metadata")


def present(shown: ProviderView, view: View) -> SamlProvider:
    """The provider as the API serves it."""
    one = shown.provider
    return SamlProvider(
        id=one.id,
        label=one.label,
        sso_url=one.sso_url,
        entity_id=one.entity_id,
        certificate=one.certificate,
        default_role=one.default_role,
        created_at=iso(one.created_at),
        status=one.status,
        signed_in_at=None if shown.signed_in_at is None else iso(shown.signed_in_at),
        service=service_of(one.id, view),
        urls=Located(view.location("orgs", one.organization, "saml", one.id)),
        default_team=UNSET if shown.team is None else teams.present(shown.team, view),
    )


def present_login(one: saml.SamlProvider, view: View) -> SsoLogin:
    """The provider as a way to sign in."""
    service = oidc.service_of(one.id, view) if one.oidc else service_of(one.id, view)
    return SsoLogin(one.id, one.label, service.start_url)
