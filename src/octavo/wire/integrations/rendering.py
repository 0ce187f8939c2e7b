"""What a component of an integration is asked to draw, and what it drew."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta

from octavo.kernel import limits
from octavo.wire.fields import Body, Id, Json, Maybe, Query
from octavo.wire.integrations.manifest import Word
from octavo.wire.view import View


class RenderContext(Body, frozen=True):
    """Where it is drawn: in a document of a space, or where an organization, a space or a site configures the integration."""

    type: Literal[
        "configuration_account", "configuration_space", "configuration_site", "configuration_contentsource", "document"
    ]
    theme: Literal["dark", "light"] = "light"
    organization_id: Maybe[Id] = UNSET
    space_id: Maybe[Id] = UNSET
    site_id: Maybe[Id] = UNSET
    editable: Maybe[bool] = UNSET

    def __post_init__(self) -> None:
        named = {"document": self.space_id, "configuration_space": self.space_id, "configuration_site": self.site_id}
        if named.get(self.type, self.organization_id) is UNSET:
            wanted = {"document": "spaceId", "configuration_space": "spaceId", "configuration_site": "siteId"}
            raise ValueError(f"Object missing required field `{wanted.get(self.type, 'organizationId')}`")


class RenderIntegrationUI(Body, frozen=True):
    component_id: Word
    props: Json
    context: RenderContext
    state: Maybe[Json] = UNSET
    action: Maybe[Json] = UNSET


class RenderQuery(Query, frozen=True):
    """`request` is what the POST takes, as JSON packed by LZ-String."""

    request: Annotated[str, Meta(min_length=1, max_length=limits.URL_MAX)]


def present(drawn: Json, view: View) -> Json:
    """What the script answered."""
    return drawn
