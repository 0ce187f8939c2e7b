"""Looking for the proof that a hostname is a site's to have: a TXT record, or an answer of the host itself."""

from __future__ import annotations

from urllib.parse import urlsplit

from octavo.gateways import dns, web
from octavo.gateways.addresses import Guard
from octavo.gateways.failures import GatewayFailure, Unreachable
from octavo.jobs.work import Work
from octavo.kernel.records import Json
from octavo.kernel.records.sites import HostnameProof
from octavo.site import hostnames
from octavo.store.unit import Unit

_LIMITS = web.Limits(bytes=4 << 10, seconds=15, redirects=3)


async def run(work: Work) -> Json:
    """Payload: site, hostname. Result: proven."""
    site, hostname = work.job.payload["site"], work.job.payload["hostname"]
    proof = await work.read(lambda unit: unit.hostnames.of_site(site))
    if proof is None or proof.wanted_hostname != hostname or proof.hostname_secret is None:
        return {"proven": False}
    problem = await _problem(work, hostname, proof.hostname_secret)

    async def note(unit: Unit) -> bool:
        now = await unit.hostnames.of_site(site)
        if now is None or (now.wanted_hostname, now.hostname_secret) != (hostname, _secret(proof)):
            return False  # something else is asked for meanwhile
        if problem is None:
            return await hostnames.found(unit, now)
        await hostnames.missing(unit, now, problem)
        return False

    return {"proven": await work.write(note, lock=("sites", site))}


def _secret(proof: HostnameProof) -> str | None:
    return proof.hostname_secret


async def _problem(work: Work, hostname: str, secret: str) -> str | None:
    """Why there is no proof, in a sentence; None where there is one."""
    name = hostnames.record_name(hostname)
    try:
        said = await dns.texts(name, work.tools.settings.name_servers)
    except Unreachable as failure:
        problem = str(failure)
    else:
        if secret in (one.strip() for one in said):
            return None
        problem = f"The TXT record of {name} says something else." if said else f"There is no TXT record of {name}."
    other = await _problem_of_answer(work, hostname, secret)
    return None if other is None else f"{problem} {other}"


async def _problem_of_answer(work: Work, hostname: str, secret: str) -> str | None:
    settings = work.tools.settings
    guard = Guard(allow_private=settings.allow_private_addresses, allow_hosts=frozenset(settings.allowed_hosts))
    address = hostnames.proof_address(hostname)
    try:
        answer = await web.fetch(address, guard=guard, limits=_LIMITS)
    except GatewayFailure as failure:
        return str(failure)
    if answer.status != 200:
        return f"{address} answers {answer.status}."
    # A host that sends everybody on to wherever they like proves nothing.
    if urlsplit(answer.url).hostname != hostname:
        return f"{address} leads to another host."
    if answer.body.decode("utf-8", "replace").strip() != secret:
        return f"{address} says something else."
    return None
