"""What is kept for a time only and goes when that is over; the worker sees to it once an hour."""

from __future__ import annotations

import logging

from octavo.jobs import backup, collecting
from octavo.kernel import limits
from octavo.kernel.clock import DAY, HOUR
from octavo.kernel.errors import Failure
from octavo.kernel.events import DomainProofWanted, HostnameProofWanted, OpenAPISpecWanted
from octavo.kernel.settings import Settings
from octavo.site.recording import DAY_SALT, SALT
from octavo.store.insights import asking
from octavo.store.unit import Store, Unit

_log = logging.getLogger("octavo.jobs")
BATCH = 1000
"""Events of the audit log that one unit removes: nobody waits long for it."""


async def tidy(store: Store, settings: Settings) -> None:
    """Every kind in a unit of its own: nobody waits for all of them."""
    for remove in EXPIRING:
        await store.write(remove)
    # The places that are set may be those of the original: a copy asks for nothing there, and removes nothing.
    if await store.read(lambda unit: unit.installation.copied()) is None:
        for ask in ASKING:
            await store.write(ask)
        await store.write(lambda unit: backup.ask(unit, settings))
        await store.write(lambda unit: collecting.ask(unit, settings))
        await _insights(store, settings)
    days = settings.audit_days
    while await store.write(lambda unit: unit.audit.forget(unit.now - days * DAY, BATCH)) == BATCH:
        pass


async def _insights(store: Store, settings: Settings) -> None:
    """Events that are old, or of sites that are gone; and what visitors were hashed with before."""
    insights = store.insights
    if insights is None or not insights.used:
        return
    now = store.clock()
    try:
        kept = asking.Retain(now - settings.insights_days * DAY, now - limits.INSIGHTS_KEY_HOURS * HOUR)
        await insights.ask(kept)
        held = await insights.ask(asking.Sites())
        gone = await store.read(lambda unit: _gone(unit, held))
        if gone:
            await insights.ask(asking.ForgetSites(gone))
    except Failure as failure:
        _log.warning("insights could not be tidied", extra={"reason": failure.message})
    await store.write(lambda unit: _salts(unit, settings.insights_rotation))


async def _gone(unit: Unit, sites: list[str]) -> list[str]:
    return [one for one in sites if await unit.sites.get(one) is None]


async def _salts(unit: Unit, rotation: int) -> None:
    today = unit.now // DAY
    await unit.installation.drop(f"{DAY_SALT}-", {f"{DAY_SALT}-{today}"})
    period = {f"{SALT}-{unit.now // (rotation * DAY)}"} if rotation else set()
    await unit.installation.drop(f"{SALT}-", period)


async def _ended_jobs(unit: Unit) -> None:
    done, failed = limits.DONE_JOB_DAYS * DAY, limits.FAILED_JOB_DAYS * DAY
    await unit.jobs.forget(done=unit.now - done, failed=unit.now - failed)


async def _hostnames(unit: Unit) -> None:
    """Hostnames whose proof is to be looked for again."""
    checked, wanted = limits.HOSTNAME_CHECK_HOURS * HOUR, limits.HOSTNAME_WISH_DAYS * DAY
    for one in await unit.hostnames.due(checked=unit.now - checked, wanted=unit.now - wanted, most=BATCH):
        assert one.wanted_hostname is not None  # the query asks for it
        await unit.emit(HostnameProofWanted(organization=one.organization, site=one.id, hostname=one.wanted_hostname))


async def _domains(unit: Unit) -> None:
    """Domains of addresses whose record is to be looked for again."""
    for one in await unit.domains.due(unit.now - limits.DOMAIN_CHECK_HOURS * HOUR, BATCH):
        await unit.emit(DomainProofWanted(organization=one.organization, domain=one.domain))


async def _presences(unit: Unit) -> None:
    """Tabs that were left without a word, in spaces that nobody opens."""
    await unit.presences.forget(unit.now)


async def _specifications(unit: Unit) -> None:
    """OpenAPI specifications that are to be fetched again."""
    for one in await unit.openapi.due(unit.now, BATCH):
        await unit.emit(OpenAPISpecWanted(organization=one.organization, spec=one.id))


async def _translations(unit: Unit) -> None:
    """What was translated once and nobody needed since."""
    await unit.translation_memory.forget(unit.now - limits.TRANSLATION_MEMORY_DAYS * DAY)


async def _integration_events(unit: Unit) -> None:
    await unit.integration_events.forget(unit.now - limits.INTEGRATION_EVENT_DAYS * DAY)
    await unit.webhooks.forget(unit.now - limits.WEBHOOK_DAYS * DAY)


EXPIRING = (_ended_jobs, _translations, _integration_events, _presences)
ASKING = (_hostnames, _domains, _specifications)
"""What is looked for outside."""
