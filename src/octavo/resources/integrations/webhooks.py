"""Webhooks of organizations: made, changed, given another secret; what they were sent, and sending it again."""

from __future__ import annotations

import base64
import secrets

from msgspec import UNSET

from octavo.access import locate, locate_sites
from octavo.access.locate_integrations import SeenDelivery, SeenWebhook
from octavo.kernel import limits
from octavo.kernel.clock import HOUR
from octavo.kernel.errors import Conflict
from octavo.kernel.events import WebhookDue
from octavo.kernel.ids import new_id
from octavo.kernel.operation import Nothing, nothing, reads, writes
from octavo.kernel.records.integrations import Webhook, WebhookDelivery
from octavo.resources.call import Call, Slice, listed
from octavo.resources.places import AtOrganization
from octavo.wire.integrations import webhooks
from octavo.wire.integrations.webhooks import CreateWebhook, UpdateWebhook, WebhookView
from octavo.wire.lists import ListQuery

PREFIX = "whsec_"


class AtWebhook(AtOrganization, frozen=True):
    webhook: SeenWebhook


class AtDelivery(AtWebhook, frozen=True):
    delivery: SeenDelivery


async def list_in_organization(call: Call, at: AtOrganization, query: ListQuery) -> Slice[WebhookView]:
    """Newest first."""
    found = await call.unit.webhooks.all(at.organization.record.id)
    page = call.cut(found, query, lambda one: (-one.created_at, one.id))
    return Slice([WebhookView(one) for one in page.items], page.count, page.next)


async def get(call: Call, at: AtWebhook, takes: Nothing) -> WebhookView:
    """One webhook."""
    return WebhookView(at.webhook.record)


def _secret() -> str:
    return PREFIX + base64.b64encode(secrets.token_bytes(32)).decode()


async def create(call: Call, at: AtOrganization, body: CreateWebhook) -> WebhookView:
    """From now on it is told."""
    organization = at.organization.record.id
    if len(await call.unit.webhooks.all(organization)) >= limits.WEBHOOKS_MAX:
        raise Conflict(f"an organization has {limits.WEBHOOKS_MAX} webhooks at most")
    await _require_places(call, at, body)
    secret = _secret()
    made = Webhook(
        id=new_id(),
        organization=organization,
        title=body.title,
        url=body.url,
        events=list(dict.fromkeys(body.events)),
        spaces=None if body.spaces is UNSET else body.spaces,
        sites=None if body.sites is UNSET else body.sites,
        sealed_secret=call.signer.seal(secret),
        created_by=call.caller.user.id,
        created_at=call.now,
        updated_at=call.now,
    )
    await call.unit.webhooks.add(made)
    return WebhookView(made, secret)


async def _require_places(call: Call, at: AtOrganization, body: CreateWebhook | UpdateWebhook) -> None:
    """Raises NotFound for a space or a site that is not the organization's."""
    organization = at.organization.record
    for word in () if body.spaces is UNSET else body.spaces or ():
        seen = await locate.space(call.unit, call.caller, word)
        if seen.record.organization != organization.id:
            raise Conflict(f"spaces: the space {word!r} is in another organization")
    for word in () if body.sites is UNSET else body.sites or ():
        await locate_sites.site(call.unit, call.caller, word, organization)


async def update(call: Call, at: AtWebhook, body: UpdateWebhook) -> WebhookView:
    """Only the fields that were sent change."""
    await _require_places(call, at, body)
    old = at.webhook.record
    changed: dict[str, object] = {
        name: value
        for name in ("title", "url", "events", "spaces", "sites", "active")
        if (value := getattr(body, name)) is not UNSET
    }
    if body.active is True and not old.active:
        changed |= {"disabled_reason": None, "failing_since": None}
    new = await call.unit.webhooks.change(old, **changed, updated_at=call.now)
    if new.active:
        for resource in await call.unit.webhooks.waiting(new.id):
            await call.unit.emit(WebhookDue(organization=new.organization, webhook=new.id, resource=resource))
    return WebhookView(new)


async def delete(call: Call, at: AtWebhook, takes: Nothing) -> None:
    """It is told no more, and what it was told is forgotten."""
    await call.unit.webhooks.remove(at.webhook.record)


async def rotate(call: Call, at: AtWebhook, takes: Nothing) -> WebhookView:
    """Another secret; for a day deliveries are signed with the former one too."""
    old, secret = at.webhook.record, _secret()
    new = await call.unit.webhooks.change(
        old,
        sealed_secret=call.signer.seal(secret),
        sealed_former_secret=old.sealed_secret,
        former_until=call.now + limits.WEBHOOK_FORMER_HOURS * HOUR,
        updated_at=call.now,
    )
    return WebhookView(new, secret)


async def list_deliveries(call: Call, at: AtWebhook, query: ListQuery) -> Slice[WebhookDelivery]:
    """Newest first."""
    found, total = await call.unit.webhooks.page(at.webhook.record.id, call.newest_behind(query), query.limit + 1)
    return call.listing(found, total, query, lambda one: (one.created_at, one.id))


async def get_delivery(call: Call, at: AtDelivery, takes: Nothing) -> WebhookDelivery:
    """One delivery, with what was sent and how it was answered."""
    return at.delivery.record


async def replay(call: Call, at: AtDelivery, takes: Nothing) -> WebhookDelivery:
    """The same event once more, behind what waits of the same resource."""
    old, webhook = at.delivery.record, at.webhook.record
    if not webhook.active:
        raise Conflict("the webhook is switched off: switch it on first")
    if old.state == "waiting":
        raise Conflict("this delivery is still on its way")
    made = WebhookDelivery(
        id=new_id(),
        organization=old.organization,
        webhook=old.webhook,
        event=old.event,
        type=old.type,
        resource=old.resource,
        payload=old.payload,
        replay_of=old.id,
        created_at=call.now,
    )
    made = await call.unit.webhooks.add_delivery(made)
    await call.unit.emit(WebhookDue(organization=old.organization, webhook=old.webhook, resource=old.resource))
    return made


_ALL = "/orgs/{organization}/webhooks"
_ONE = "/orgs/{organization}/webhooks/{webhook}"
_DELIVERIES = _ONE + "/deliveries"

OPERATIONS = (
    reads("listWebhooks", _ALL, list_in_organization, listed(webhooks.present),
          needs="organization.admin", scope="organization:read", summary="List the webhooks of an organization"),
    writes("POST", "createWebhook", _ALL, create, webhooks.present,
           status=201, needs="organization.admin", scope="organization:write", audit="webhook.create",
           about=lambda made: made.webhook, summary="Have an address told what happens in an organization"),
    reads("getWebhookById", _ONE, get, webhooks.present,
          needs="organization.admin", scope="organization:read", summary="Get a webhook"),
    writes("PATCH", "updateWebhookById", _ONE, update, webhooks.present,
           needs="organization.admin", scope="organization:write", audit="webhook.update", summary="Change a webhook"),
    writes("DELETE", "deleteWebhookById", _ONE, delete, nothing,
           needs="organization.admin", scope="organization:write", audit="webhook.delete", summary="Delete a webhook"),
    writes("POST", "rotateWebhookSecret", _ONE + "/secret", rotate, webhooks.present,
           needs="organization.admin", scope="organization:write", audit="webhook.secret.rotate",
           summary="Make another secret for the signatures of a webhook"),
    reads("listWebhookDeliveries", _DELIVERIES, list_deliveries, listed(webhooks.present_delivery),
          needs="organization.admin", scope="organization:read", summary="List what a webhook was sent"),
    reads("getWebhookDeliveryById", _DELIVERIES + "/{delivery}", get_delivery, webhooks.present_delivery,
          needs="organization.admin", scope="organization:read", summary="Get what a webhook was sent, and its answers"),
    writes("POST", "replayWebhookDelivery", _DELIVERIES + "/{delivery}/replay", replay, webhooks.present_delivery,
           status=201, needs="organization.admin", scope="organization:write", audit="webhook.replay",
           summary="Send a webhook the same event once more"),
)  # fmt: skip
