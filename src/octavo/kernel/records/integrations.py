"""Integrations, where they are installed, what they were told; and webhooks."""

from __future__ import annotations

from typing import Any, Literal, get_args

from octavo.kernel.records import Json, Record

IntegrationScope = Literal[
    "space:content:read", "space:content:write", "space:metadata:read", "space:metadata:write", "space:git:sync",
    "space:views:read", "space:script:inject", "space:script:cookies", "space:visitor:auth",
    "page:feedback:read",
    "site:metadata:read", "site:views:read", "site:script:inject", "site:script:cookies", "site:visitor:auth",
    "site:visitor:claims", "site:adaptive:read", "site:adaptive:write",
    "conversations:ingest", "openapi:read", "openapi:write",
]  # fmt: skip
"""What an integration asks for, and those who install it give."""
INTEGRATION_SCOPES: tuple[IntegrationScope, ...] = get_args(IntegrationScope)

Status = Literal["active", "pending", "paused"]
"""Of an installation: it runs; it waits for its configuration; it was stopped."""
Selection = Literal["all", "selected"]
TargetKind = Literal["space", "site"]


class Integration(Record, frozen=True, kw_only=True):
    """A published integration."""

    id: str
    """Its name, of which there is one in an installation."""
    organization: str
    """Its owner."""
    title: str
    description: str | None = None
    summary: str | None = None
    version: int = 1
    runtime: Literal["v1", "v2"] = "v1"
    visibility: Literal["public", "private", "unlisted"] = "private"
    target: Literal["all", "site", "space", "organization"] = "all"
    scopes: list[str] = []
    categories: list[str] = []
    blocks: list[Json] = []
    content_sources: list[Json] = []
    external_links: list[Json] = []
    configurations: Json = {}
    """account, space, site -> what is asked for there, as it was published."""
    icon: str | None = None
    """Blob of a PNG."""
    previews: list[Json] = []
    """`blob` and `contentType` of each."""
    script: str
    """Blob of the module."""
    sealed_secrets: str
    sealed_key: str
    """What requests to it are signed with."""
    security_policy: Json | None = None
    """`text`, or `directives`."""
    created_at: int
    updated_at: int
    tunnel: str | None = None
    """Where its events go while it is being developed."""
    tunnel_all: bool = False
    """Also those of organizations that do not own it."""


def blobs_of(integration: Integration) -> list[str]:
    """The blobs among the files of its owner that it is made of."""
    icon = [] if integration.icon is None else [integration.icon]
    return [integration.script, *icon, *(one["blob"] for one in integration.previews)]


class Installation(Record, frozen=True, kw_only=True):
    """An integration in an organization."""

    id: str
    organization: str
    integration: str
    status: Status = "active"
    scopes: list[str] = []
    """What its organization has agreed to; versions that ask for more are not given it by themselves."""
    space_selection: Selection = "selected"
    site_selection: Selection = "selected"
    sealed_configuration: str
    external_ids: list[str] = []
    installed_by: str | None = None
    """A user."""
    created_at: int
    updated_at: int


def given(integration: Integration, installation: Installation) -> frozenset[str]:
    """The scopes that an integration has where it is installed: what it asks for now, and its organization has agreed to."""
    return frozenset(integration.scopes).intersection(installation.scopes)


class Placement(Record, frozen=True, kw_only=True):
    """An integration on a space or a site: one of the two is named."""

    id: str
    organization: str
    installation: str
    integration: str
    space: str | None = None
    site: str | None = None
    status: Status = "active"
    sealed_configuration: str
    external_ids: list[str] = []
    created_at: int
    updated_at: int

    @property
    def target(self) -> str:
        return self.space or self.site or ""


class IntegrationEvent(Record, frozen=True, kw_only=True):
    """What an integration was told, and what became of it."""

    id: str
    organization: str
    """Where it happened; of what concerns no installation, the owner of the integration."""
    integration: str
    installation: str | None = None
    type: str
    sealed_payload: str
    created_at: int
    status: Literal["success", "failed"] | None = None
    """None = on its way."""
    logs: list[dict[str, Any]] = []
    """`message`, `level`, `timestamp` in milliseconds."""


class Webhook(Record, frozen=True, kw_only=True):
    """An address that an organization has told what happens in it."""

    id: str
    organization: str
    title: str
    url: str
    events: list[str]
    spaces: list[str] | None = None
    """Only what happens in these; None = in all."""
    sites: list[str] | None = None
    sealed_secret: str
    sealed_former_secret: str | None = None
    """With which deliveries are signed too, until then:"""
    former_until: int | None = None
    active: bool = True
    disabled_reason: str | None = None
    failing_since: int | None = None
    created_by: str | None = None
    created_at: int
    updated_at: int


class WebhookDelivery(Record, frozen=True, kw_only=True):
    """One event for one webhook."""

    id: str
    organization: str
    webhook: str
    event: str
    """Id of the event: a replay has the same."""
    type: str
    resource: str
    """What it is about: deliveries of one resource follow one another."""
    payload: str
    """The body, as it is sent."""
    state: Literal["waiting", "delivered", "failed"] = "waiting"
    attempts: list[Json] = []
    """`at`, `milliseconds`, and `status` or `error`."""
    replay_of: str | None = None
    created_at: int
    finished_at: int | None = None
