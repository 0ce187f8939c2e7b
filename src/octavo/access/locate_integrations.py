"""Finders of integrations, of their installations and of what they were told."""

from __future__ import annotations

import msgspec

from octavo.access.caller import Caller
from octavo.access.locate import Finder, Seen
from octavo.access.standing import role_on_space, roles_on_sites
from octavo.kernel.errors import absent
from octavo.kernel.records import Role
from octavo.kernel.records.integrations import (
    Installation,
    Integration,
    IntegrationEvent,
    Placement,
    Webhook,
    WebhookDelivery,
)
from octavo.kernel.records.people import Organization
from octavo.store.unit import Unit


class SeenIntegration(msgspec.Struct, frozen=True):
    """An integration that the caller may see, and her role in the organization that owns it."""

    record: Integration
    role: Role | None


class SeenInstallation(Seen, frozen=True):
    """An installation of the integration that was found before it, and the caller's role in its organization."""

    kind = "organization"
    record: Installation


class SeenOnSpace(msgspec.Struct, frozen=True):
    """The installation that was found before it, on a space; and the caller's role on that."""

    record: Placement
    role: Role | None


class SeenOnSite(msgspec.Struct, frozen=True):
    """The installation that was found before it, on a site; and the caller's role on that."""

    record: Placement
    role: Role | None


class SeenIntegrationEvent(msgspec.Struct, frozen=True):
    """What the integration that was found before it was told where the caller may see it."""

    record: IntegrationEvent


class SeenWebhook(msgspec.Struct, frozen=True):
    """A webhook of the organization that was found before it."""

    record: Webhook


class SeenDelivery(msgspec.Struct, frozen=True):
    """What the webhook that was found before it was sent."""

    record: WebhookDelivery


async def integration(unit: Unit, caller: Caller, word: str) -> SeenIntegration:
    """An integration that is open to all, or owned by or installed in an organization that the caller is a member of."""
    record = await unit.integrations.get(word)
    if record is None or await unit.people.organization(record.organization) is None:
        raise absent("integration", word)
    acting = caller.acting
    if acting is not None:
        if acting.integration.id != word:
            raise absent("integration", word)
        return SeenIntegration(record, None)
    role = caller.role_in(record.organization)
    if record.visibility == "private" and role is None:
        found = await unit.integrations.installations_of(word)
        if not any(caller.role_in(one.organization) is not None for one in found):
            raise absent("integration", word)
    return SeenIntegration(record, role)


async def installation(unit: Unit, caller: Caller, word: str, within: Integration) -> SeenInstallation:
    """An installation in an organization that the caller is a member of; to the integration, each of its own."""
    record = await unit.integrations.installation(word)
    if record is None or record.integration != within.id:
        raise absent("installation", word)
    if caller.acting is not None:
        if caller.acting.in_organization(record.organization) is None:
            raise absent("installation", word)
        return SeenInstallation(None, record)
    role = caller.role_in(record.organization)
    if role is None or await unit.people.organization(record.organization) is None:
        raise absent("installation", word)
    return SeenInstallation(role, record)


async def on_space(unit: Unit, caller: Caller, word: str, within: Installation) -> SeenOnSpace:
    """The installation on a space that the caller has a role on; the integration sees it on all."""
    record = await unit.integrations.place_on_space(within.id, word)
    shown = None if record is None else await unit.spaces.get(word)
    if record is None or shown is None or shown.deleted_at is not None:
        raise absent("installation on a space", word)
    role = None if caller.acting is not None else await role_on_space(unit, caller, shown)
    if role is None and caller.acting is None:
        raise absent("installation on a space", word)
    return SeenOnSpace(record, role)


async def on_site(unit: Unit, caller: Caller, word: str, within: Installation) -> SeenOnSite:
    """The same on a site."""
    record = await unit.integrations.place_on_site(within.id, word)
    shown = None if record is None else await unit.sites.get(word)
    if record is None or shown is None:
        raise absent("installation on a site", word)
    role = None if caller.acting is not None else (await roles_on_sites(unit, caller, (shown,)))[shown.id]
    if role is None and caller.acting is None:
        raise absent("installation on a site", word)
    return SeenOnSite(record, role)


async def event(unit: Unit, caller: Caller, word: str, within: SeenIntegration) -> SeenIntegrationEvent:
    """Something that the integration was told in an organization of the caller, when it is over."""
    record = await unit.integration_events.get(word)
    if record is None or record.integration != within.record.id or record.status is None:
        raise absent("event", word)
    if record.organization not in organizations_told(caller, within.record):
        raise absent("event", word)
    return SeenIntegrationEvent(record)


async def webhook(unit: Unit, word: str, within: Organization) -> SeenWebhook:
    """A webhook of the organization."""
    record = await unit.webhooks.get(word)
    if record is None or record.organization != within.id:
        raise absent("webhook", word)
    return SeenWebhook(record)


async def delivery(unit: Unit, word: str, within: Webhook) -> SeenDelivery:
    """What the webhook was sent."""
    record = await unit.webhooks.delivery(word)
    if record is None or record.webhook != within.id:
        raise absent("delivery", word)
    return SeenDelivery(record)


def organizations_told(caller: Caller, integration: Integration) -> list[str]:
    """The organizations whose events of an integration the caller reads: those of which she is an admin."""
    acting = caller.acting
    if acting is not None:
        own = [] if acting.installation is not None else [integration.organization]
        return [*own, *(one.installation.organization for one in acting.held)]
    return [organization for organization, role in caller.roles.items() if role == "admin"]


FINDERS: dict[type, Finder] = {
    SeenIntegration: lambda unit, caller, word, found: integration(unit, caller, word),
    SeenInstallation: lambda unit, caller, word, found: installation(unit, caller, word, found["integration"].record),
    SeenOnSpace: lambda unit, caller, word, found: on_space(unit, caller, word, found["installation"].record),
    SeenOnSite: lambda unit, caller, word, found: on_site(unit, caller, word, found["installation"].record),
    SeenWebhook: lambda unit, caller, word, found: webhook(unit, word, found["organization"].record),
    SeenDelivery: lambda unit, caller, word, found: delivery(unit, word, found["webhook"].record),
    SeenIntegrationEvent: lambda unit, caller, word, found: event(unit, caller, word, found["integration"]),
}
