"""Sending webhooks what waits for them: signed, in the order of each resource, again with growing pauses, and not for ever.

Headers and signature are those of Standard Webhooks: `webhook-id`, `webhook-timestamp`, `webhook-signature`.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import time
from collections.abc import Awaitable, Callable

from octavo.access.people.mail import mail
from octavo.gateways import web
from octavo.gateways.addresses import Guard
from octavo.gateways.failures import GatewayFailure
from octavo.jobs.work import Lane, Work
from octavo.kernel import limits
from octavo.kernel.audit import Target
from octavo.kernel.clock import DAY, HOUR, MINUTE, SECOND
from octavo.kernel.events import WebhookDue
from octavo.kernel.letters import Occasion
from octavo.kernel.records import Json
from octavo.kernel.records.integrations import Webhook, WebhookDelivery
from octavo.store.unit import Unit

WEBHOOK = "webhook"
WEBHOOKS = Lane(4, each=2)
PAUSES = (10 * SECOND, 1 * MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR, 12 * HOUR)
"""Before each further try of one delivery."""
LIMITS = web.Limits(bytes=64 << 10, seconds=15.0, redirects=0)
_IN_ONE_GO = 50
"""Deliveries after which others of the organization have their turn."""


async def run(work: Work) -> Json:
    """Payload: webhook, resource. Result: sent."""
    id, resource = work.job.payload["webhook"], work.job.payload["resource"]
    for sent in range(_IN_ONE_GO):
        webhook, delivery = await work.read(lambda unit: _next(unit, id, resource))
        if webhook is None or delivery is None or not webhook.active:
            return {"sent": sent}
        early = _early(webhook, delivery, work.store.clock())
        if early:
            # Something newer of the same resource woke us: it waits for what is before it.
            await work.write(_emitting(_due(delivery, early)))
            return {"sent": sent}
        attempt = await _attempt(work, webhook, delivery)
        again = await work.write(_recording(work, webhook, delivery, attempt))
        if again:
            return {"sent": sent}
    due = WebhookDue(organization=work.job.organization or "", webhook=id, resource=resource)
    await work.write(_emitting(due))
    return {"sent": _IN_ONE_GO}


def _emitting(due: WebhookDue) -> Callable[[Unit], Awaitable[list[str]]]:
    return lambda unit: unit.emit(due)


def _due(delivery: WebhookDelivery, delay: int) -> WebhookDue:
    return WebhookDue(
        organization=delivery.organization, webhook=delivery.webhook, resource=delivery.resource, delay=delay
    )


def _early(webhook: Webhook, delivery: WebhookDelivery, now: int) -> int:
    """Milliseconds until the next try is due; 0 = it is, as also when the webhook was changed since the last one."""
    if not delivery.attempts or webhook.updated_at >= delivery.attempts[-1]["at"]:
        return 0
    pause = PAUSES[min(len(delivery.attempts), len(PAUSES)) - 1]
    return int(max(0, delivery.attempts[-1]["at"] + pause - now))


async def _next(unit: Unit, webhook: str, resource: str) -> tuple[Webhook | None, WebhookDelivery | None]:
    return await unit.webhooks.get(webhook), await unit.webhooks.next(webhook, resource)


async def _attempt(work: Work, webhook: Webhook, delivery: WebhookDelivery) -> Json:
    """One try: `at`, `milliseconds`, and `status` or `error`."""
    settings, now = work.tools.settings, work.store.clock()
    guard = Guard(allow_private=settings.allow_private_addresses, allow_hosts=frozenset(settings.allowed_hosts))
    body = delivery.payload.encode()
    headers = {"content-type": "application/json", **signed(work, webhook, delivery.event, now, body)}
    began = time.monotonic()
    made: Json = {"at": now}
    try:
        answer = await web.fetch(webhook.url, method="POST", headers=headers, body=body, guard=guard, limits=LIMITS)
        made["status"] = answer.status
    except GatewayFailure as failure:
        made["error"] = str(failure)
    made["milliseconds"] = round((time.monotonic() - began) * 1000)
    return made


def signed(work: Work, webhook: Webhook, event: str, now: int, body: bytes) -> dict[str, str]:
    """The headers by which a receiver knows who sent it, and when."""
    at = str(now // SECOND)
    sealed = [webhook.sealed_secret]
    if webhook.sealed_former_secret is not None and now < (webhook.former_until or 0):
        sealed.append(webhook.sealed_former_secret)
    signatures = [_signature(work.tools.unseal(one), f"{event}.{at}.".encode() + body) for one in sealed]
    return {"webhook-id": event, "webhook-timestamp": at, "webhook-signature": " ".join(signatures)}


def _signature(secret: str, said: bytes) -> str:
    try:
        key = base64.b64decode(secret.partition("_")[2], validate=True)
    except binascii.Error:
        key = secret.encode()
    return "v1," + base64.b64encode(hmac.new(key, said, hashlib.sha256).digest()).decode()


def _recording(
    work: Work, webhook: Webhook, delivery: WebhookDelivery, attempt: Json
) -> Callable[[Unit], Awaitable[bool]]:
    """What writes an attempt down; whether the rest has to wait."""

    async def record(unit: Unit) -> bool:
        attempts = [*delivery.attempts, attempt]
        known = await unit.webhooks.get(webhook.id)
        if known is None:
            return True
        if 200 <= attempt.get("status", 0) < 300:
            await unit.webhooks.change_delivery(delivery, state="delivered", attempts=attempts, finished_at=unit.now)
            if known.failing_since is not None:
                await unit.webhooks.change(known, failing_since=None)
            return False
        since = known.failing_since or unit.now
        await unit.webhooks.change(known, failing_since=since)
        if unit.now - since >= limits.WEBHOOK_FAILING_DAYS * DAY:
            await unit.webhooks.change_delivery(delivery, attempts=attempts)
            await _disable(work, unit, known)
            return True
        if len(attempts) > len(PAUSES):
            await unit.webhooks.change_delivery(delivery, state="failed", attempts=attempts, finished_at=unit.now)
            return False
        await unit.webhooks.change_delivery(delivery, attempts=attempts)
        await unit.emit(_due(delivery, PAUSES[len(attempts) - 1]))
        return True

    return record


async def _disable(work: Work, unit: Unit, webhook: Webhook) -> None:
    """Nothing is sent any more until somebody switches it on; whoever made it is told."""
    reason = f"nothing was taken for {limits.WEBHOOK_FAILING_DAYS} days"
    await unit.webhooks.change(webhook, active=False, disabled_reason=reason, updated_at=unit.now)
    target = Target("webhook", webhook.id, webhook.title)
    await unit.audit.append("webhook.disable", target, [webhook.organization])
    user = None if webhook.created_by is None else await unit.people.user(webhook.created_by)
    if user is None or user.deleted_at is not None:
        return
    told = {
        "title": webhook.title,
        "days": limits.WEBHOOK_FAILING_DAYS,
        "kept": limits.WEBHOOK_DAYS,
        "address": f"{work.tools.base}/app/o/{webhook.organization}/webhooks",
    }
    letter = Occasion(to=user.email, about="webhook-off", told=told, language=user.language)
    await unit.emit(mail(work.tools.seal, letter, webhook.organization))
