"""Published integrations as the API serves them."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import UNSET, Meta

from octavo.kernel import limits
from octavo.kernel.records import integrations as records
from octavo.kernel.records import people
from octavo.kernel.records.integrations import IntegrationScope
from octavo.wire.fields import Id, Json, Maybe, Shape, maybe, permissions
from octavo.wire.integrations.manifest import (
    Category,
    Configurations,
    IntegrationBlock,
    IntegrationContentSource,
    IntegrationLink,
    SecurityPolicyDirectives,
    Target,
    Visibility,
)
from octavo.wire.lists import ListQuery
from octavo.wire.people.organizations import Organization, OrganizationView
from octavo.wire.people.organizations import present as present_organization
from octavo.wire.view import View

ASSETS = "~octavo/integrations"
ENDPOINT = "~octavo/integration"
"""Where integrations answer requests themselves."""
_ENDINGS = {"image/png": "png", "image/jpeg": "jpg", "image/gif": "gif", "image/webp": "webp"}
PERMISSIONS = ("admin", "install")


class IntegrationUrls(Shape, frozen=True):
    location: str
    app: str
    assets: str
    public_endpoint: str
    public_content_endpoint: str
    icon: Maybe[str] = UNSET


class Integration(Shape, tag_field="object", tag="integration", frozen=True):
    name: str
    version: int
    title: str
    preview_images: list[str]
    target: Target
    verified: bool
    visibility: Visibility
    scopes: list[IntegrationScope]
    categories: list[Category]
    blocks: list[IntegrationBlock]
    content_sources: list[IntegrationContentSource]
    configurations: Configurations
    external_links: list[IntegrationLink]
    owner: Organization
    urls: IntegrationUrls
    permissions: Annotated[dict[str, bool], permissions(*PERMISSIONS)]
    description: Maybe[str] = UNSET
    summary: Maybe[str] = UNSET
    content_security_policy: Maybe[str | SecurityPolicyDirectives] = UNSET


Domain = Annotated[str, Meta(max_length=limits.INTEGRATION_NAME_MAX, pattern="^[a-zA-Z0-9-_.]+$")]


class IntegrationsQuery(ListQuery, frozen=True):
    """`search` filters by name and title, `blockDomain` by the addresses that blocks are made of; `blocks` and
    `contentSources` true lists those with any, false those with none."""

    search: Maybe[str] = UNSET
    category: Maybe[Category] = UNSET
    block_domain: Maybe[Domain] = UNSET
    blocks: Maybe[bool] = UNSET
    content_sources: Maybe[bool] = UNSET
    owner: Maybe[Id] = UNSET
    scope: Maybe[IntegrationScope] = UNSET
    target: Maybe[Target] = UNSET


class IntegrationView(msgspec.Struct, frozen=True):
    integration: records.Integration
    owner: people.Organization
    owner_permissions: dict[str, bool]
    inside: bool
    """Whether the caller belongs to the owner: others are told its name only."""
    permissions: dict[str, bool]


def asset_name(blob: str, media: str) -> str:
    """How a picture of an integration is called in its address."""
    return f"{blob[:32]}.{_ENDINGS[media]}"


def pictures(integration: records.Integration) -> dict[str, tuple[str, str]]:
    """Name in the address -> blob and media type."""
    known = [] if integration.icon is None else [(integration.icon, "image/png")]
    known += [(one["blob"], one["contentType"]) for one in integration.previews]
    return {asset_name(blob, media): (blob, media) for blob, media in known}


def present(shown: IntegrationView, view: View) -> Integration:
    """The integration as the API serves it."""
    one = shown.integration
    assets, endpoint = f"{view.app}/{ASSETS}/{one.id}/", f"{view.app}/{ENDPOINT}/{one.id}"
    icon = None if one.icon is None else assets + asset_name(one.icon, "image/png")
    return Integration(
        name=one.id,
        version=one.version,
        title=one.title,
        preview_images=[assets + asset_name(picture["blob"], picture["contentType"]) for picture in one.previews],
        target=one.target,
        verified=False,
        visibility=one.visibility,
        scopes=msgspec.convert(one.scopes, list[IntegrationScope]),
        categories=msgspec.convert(one.categories, list[Category]),
        blocks=msgspec.convert(one.blocks, list[IntegrationBlock]),
        content_sources=msgspec.convert(one.content_sources, list[IntegrationContentSource]),
        configurations=msgspec.convert(one.configurations, Configurations),
        external_links=msgspec.convert(one.external_links, list[IntegrationLink]),
        owner=present_organization(OrganizationView(_told(shown), shown.owner_permissions), view),
        urls=IntegrationUrls(
            location=view.location("integrations", one.id),
            app=view.integration(one.organization, one.id),
            assets=assets,
            public_endpoint=endpoint,
            public_content_endpoint=endpoint,
            icon=maybe(icon),
        ),
        permissions=shown.permissions,
        description=maybe(one.description),
        summary=maybe(one.summary),
        content_security_policy=_policy(one.security_policy),
    )


def _told(shown: IntegrationView) -> people.Organization:
    """The owner as the caller may know it."""
    if shown.inside:
        return shown.owner
    owner = shown.owner
    return people.Organization(id=owner.id, title=owner.title, created_at=owner.created_at, hostname=owner.hostname)


def _policy(policy: Json | None) -> Maybe[str | SecurityPolicyDirectives]:
    if policy is None:
        return UNSET
    return policy["text"] if "text" in policy else msgspec.convert(policy["directives"], SecurityPolicyDirectives)
