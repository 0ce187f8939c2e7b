"""Installations of integrations: in organizations, on spaces and on sites."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, field

from octavo.kernel import limits
from octavo.kernel.clock import iso
from octavo.kernel.records import integrations as records
from octavo.kernel.records.integrations import IntegrationScope, Selection, Status
from octavo.wire.fields import Body, DateTime, Id, Json, Maybe, Query, Shape, line
from octavo.wire.integrations import integrations
from octavo.wire.integrations.integrations import ENDPOINT, Integration, IntegrationView
from octavo.wire.integrations.manifest import IntegrationBlock
from octavo.wire.library.spaces import Space, SpaceView
from octavo.wire.library.spaces import present as present_space
from octavo.wire.lists import ListQuery
from octavo.wire.sites.sites import Site, SiteView
from octavo.wire.sites.sites import present as present_site
from octavo.wire.view import View

ExternalId = Annotated[str, line(limits.EXTERNAL_ID_MAX, min_length=1)]
ExternalIds = Annotated[
    list[ExternalId],
    Meta(max_length=limits.EXTERNAL_IDS_MAX, description="By which the integration finds the installation again"),
]
Configured = Annotated[
    Json, Meta(description="Told to those who may install, and to the integration; others are told nothing of it")
]


Agreed = Annotated[
    list[IntegrationScope],
    Meta(
        max_length=100,
        description="What the organization agreed to; a version that asks for more is not given it by itself",
    ),
]


class InstallationTarget(Shape, frozen=True):
    organization: str


class InstallationUrls(Shape, frozen=True):
    location: str
    app: str
    public_endpoint: str
    public_content_endpoint: str


class IntegrationInstallation(Shape, frozen=True):
    id: str
    status: Status
    scopes: Agreed
    space_selection: Selection = field(name="space_selection")
    site_selection: Selection = field(name="site_selection")
    spaces: int
    configuration: Configured
    external_ids: list[str]
    target: InstallationTarget
    created_at: DateTime
    updated_at: DateTime
    urls: InstallationUrls


class PlacementUrls(Shape, frozen=True):
    location: str
    public_endpoint: str
    public_content_endpoint: str


class _Placed(Shape, frozen=True, kw_only=True):
    integration: str
    installation: str
    status: Status
    configuration: Configured
    external_ids: list[str]
    urls: PlacementUrls


class IntegrationSpaceInstallation(_Placed, frozen=True, kw_only=True):
    space: str | Space
    """The id, or where `extended` was asked for, the space."""


class IntegrationSiteInstallation(_Placed, frozen=True, kw_only=True):
    site: str | Site
    """The id, or where `extended` was asked for, the site."""


class TemporaryToken(Shape, frozen=True):
    """It stands for the installation for an hour."""

    token: str


class InstallationStatus(Shape, frozen=True):
    status: Status


class OrganizationInstalled(Shape, frozen=True, tag_field="type", tag="organization"):
    organization_id: str


class SpaceInstalled(Shape, frozen=True, tag_field="type", tag="space"):
    space_id: str


class SiteInstalled(Shape, frozen=True, tag_field="type", tag="site"):
    site_id: str


class InstalledIntegration(Shape, frozen=True):
    """Where an integration is installed, and whether it runs there."""

    status: Status
    integration: Integration
    target: OrganizationInstalled | SpaceInstalled | SiteInstalled


class OrganizationInstallation(Shape, frozen=True):
    installation: IntegrationInstallation
    integration: Integration


class SpaceBlocks(Shape, frozen=True):
    """The custom blocks that an integration offers in a space."""

    name: str
    blocks: list[IntegrationBlock]


class InstallationsQuery(ListQuery, frozen=True):
    """`externalId` lists those to which the integration gave that id."""

    external_id: Maybe[ExternalId] = UNSET


class ExtendedQuery(Query, frozen=True):
    """`extended` answers the space or site, and not its id alone."""

    extended: bool = False


class PlacementsQuery(ListQuery, frozen=True):
    """`extended` answers spaces and sites, and not their ids alone."""

    extended: bool = False


class FoundPlacementsQuery(PlacementsQuery, frozen=True):
    """`externalId` lists those to which the integration gave that id."""

    external_id: Maybe[ExternalId] = UNSET


class StatusQuery(ListQuery, frozen=True):
    """`target` is what it is installed on; `site` and `space` narrow that to one."""

    target: Literal["organization", "space", "site"] = "organization"
    site: Maybe[Id] = UNSET
    space: Maybe[Id] = UNSET


class InstalledQuery(ListQuery, frozen=True):
    """`search` filters by the name and the title of the integration."""

    search: Maybe[str] = UNSET


class InstallIntegration(Body, frozen=True):
    organization: Id


class InstallOnSpace(Body, frozen=True):
    space: Id


class InstallOnSite(Body, frozen=True):
    site_id: Id


class UpdatePlacement(Body, frozen=True):
    """`configuration` is checked against what the integration asks for. What the integration keeps there beside that stays
    when somebody else sends it."""

    external_ids: Maybe[ExternalIds] = UNSET
    configuration: Maybe[dict[str, Any]] = UNSET


class UpdateInstallation(UpdatePlacement, frozen=True):
    """The same; whether the integration acts on all spaces and sites, or on those that were chosen for it; and to which of
    the scopes that it asks for the organization agrees."""

    scopes: Maybe[Agreed] = UNSET
    space_selection: Maybe[Selection] = field(name="space_selection", default=UNSET)
    site_selection: Maybe[Selection] = field(name="site_selection", default=UNSET)


class InstallationView(msgspec.Struct, frozen=True):
    installation: records.Installation
    spaces: int
    configuration: Json


class PlacementView(msgspec.Struct, frozen=True):
    place: records.Placement
    configuration: Json
    space: SpaceView | None = None
    """Where it was asked for."""
    site: SiteView | None = None


class InstalledView(msgspec.Struct, frozen=True):
    integration: IntegrationView
    installation: InstallationView
    place: records.Placement | None = None


def present(shown: InstallationView, view: View) -> IntegrationInstallation:
    """The installation as the API serves it."""
    one = shown.installation
    endpoint = f"{view.app}/{ENDPOINT}/{one.integration}/{one.id}"
    return IntegrationInstallation(
        id=one.id,
        status=one.status,
        scopes=msgspec.convert(one.scopes, list[IntegrationScope]),
        space_selection=one.space_selection,
        site_selection=one.site_selection,
        spaces=shown.spaces,
        configuration=shown.configuration,
        external_ids=one.external_ids,
        target=InstallationTarget(one.organization),
        created_at=iso(one.created_at),
        updated_at=iso(one.updated_at),
        urls=InstallationUrls(
            location=view.location("integrations", one.integration, "installations", one.id),
            app=view.integration(one.organization, one.integration),
            public_endpoint=endpoint,
            public_content_endpoint=endpoint,
        ),
    )


def _placed(shown: PlacementView, view: View, kind: str) -> dict[str, Any]:
    one = shown.place
    endpoint = f"{view.app}/{ENDPOINT}/{one.integration}/{one.installation}/{kind}/{one.target}"
    words = ("integrations", one.integration, "installations", one.installation, kind, one.target)
    return {
        "integration": one.integration,
        "installation": one.installation,
        "status": one.status,
        "configuration": shown.configuration,
        "external_ids": one.external_ids,
        "urls": PlacementUrls(view.location(*words), endpoint, endpoint),
    }


def present_on_space(shown: PlacementView, view: View) -> IntegrationSpaceInstallation:
    """The installation on a space as the API serves it."""
    space = shown.place.target if shown.space is None else present_space(shown.space, view)
    return IntegrationSpaceInstallation(space=space, **_placed(shown, view, "spaces"))


def present_on_site(shown: PlacementView, view: View) -> IntegrationSiteInstallation:
    """The installation on a site as the API serves it."""
    site = shown.place.target if shown.site is None else present_site(shown.site, view)
    return IntegrationSiteInstallation(site=site, **_placed(shown, view, "sites"))


def present_token(token: str, view: View) -> TemporaryToken:
    """The token."""
    return TemporaryToken(token)


def present_status(status: Status, view: View) -> InstallationStatus:
    """Whether it runs."""
    return InstallationStatus(status)


def present_installed(shown: InstalledView, view: View) -> InstalledIntegration:
    """The integration, and where it is installed."""
    place, target = shown.place, shown.installation.installation
    where: OrganizationInstalled | SpaceInstalled | SiteInstalled = OrganizationInstalled(target.organization)
    if place is not None:
        where = SpaceInstalled(place.target) if place.space is not None else SiteInstalled(place.target)
    status = target.status if place is None else place.status
    return InstalledIntegration(status, integrations.present(shown.integration, view), where)


def present_both(shown: InstalledView, view: View) -> OrganizationInstallation:
    """The installation with its integration."""
    return OrganizationInstallation(present(shown.installation, view), integrations.present(shown.integration, view))


def present_blocks(found: list[records.Integration], view: View) -> list[SpaceBlocks]:
    """The blocks of each."""
    return [SpaceBlocks(one.id, msgspec.convert(one.blocks, list[IntegrationBlock])) for one in found]
