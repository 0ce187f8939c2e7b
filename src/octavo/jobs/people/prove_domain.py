"""Looking for the TXT record that shows that a domain of addresses is an organization's."""

from __future__ import annotations

from octavo.access.people import domains
from octavo.gateways import dns
from octavo.gateways.failures import Unreachable
from octavo.jobs.work import Work
from octavo.kernel.records import Json
from octavo.kernel.records.provisioning import DomainClaim
from octavo.store.unit import Unit


async def run(work: Work) -> Json:
    """Payload: organization, domain. Result: proven."""
    organization, domain = work.job.payload["organization"], work.job.payload["domain"]
    claim = await work.read(lambda unit: unit.domains.get(organization, domain))
    if claim is None:
        return {"proven": False}
    problem = await _problem(claim, work.tools.settings.name_servers)

    async def note(unit: Unit) -> bool:
        now = await unit.domains.get(organization, domain)
        if now is None or now.word != claim.word:
            return False  # claimed anew meanwhile, or given up
        if problem is None:
            await domains.found(unit, now)
        else:
            await domains.missing(unit, now, problem)
        return problem is None

    return {"proven": await work.write(note, lock=("organizations", organization))}


async def _problem(claim: DomainClaim, servers: dns.Servers) -> str | None:
    """Why there is no proof, in a sentence; None where there is one."""
    name = domains.record_name(claim.domain)
    try:
        said = await dns.texts(name, servers)
    except Unreachable as failure:
        return str(failure)
    if domains.record_value(claim) in (one.strip() for one in said):
        return None
    return f"The TXT record of {name} says something else." if said else f"There is no TXT record of {name}."
