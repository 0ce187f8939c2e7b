"""Hostnames of sites: asked for, proven, lost."""

from __future__ import annotations

from octavo.kernel import limits
from octavo.kernel.audit import Target
from octavo.kernel.clock import DAY
from octavo.kernel.events import HostnameProofWanted, SiteChanged
from octavo.kernel.records.sites import HostnameProof, Site
from octavo.site.names import new_secret
from octavo.store.unit import Unit

TAKEN = "Another site answers on this hostname."


def record_name(hostname: str) -> str:
    """The name whose TXT record is to hold the secret."""
    return f"_octavo.{hostname}"


def proof_address(hostname: str) -> str:
    """The address at which the secret may be found instead."""
    return f"http://{hostname}/.well-known/octavo-proof"


async def want_hostname(unit: Unit, site: Site, hostname: str | None) -> None:
    """Begin to look for the proof that a hostname is the site's; None = it wants none any more."""
    proof = await unit.hostnames.of_site(site.id)
    assert proof is not None  # of the same row
    secret = None if hostname is None else new_secret()
    await unit.hostnames.change(proof, hostname_secret=secret, hostname_checked_at=None, hostname_problem=None)
    if hostname is not None:
        await unit.emit(HostnameProofWanted(organization=site.organization, site=site.id, hostname=hostname))


async def found(unit: Unit, proof: HostnameProof) -> bool:
    """The proof is there: the site answers on the hostname, unless another one does."""
    assert proof.wanted_hostname is not None  # it was looked for
    await unit.hostnames.hold(proof.wanted_hostname)
    other = await unit.sites.by_hostname(proof.wanted_hostname)
    if other is not None and other.id != proof.id:
        await unit.hostnames.change(proof, hostname_problem=TAKEN, hostname_checked_at=unit.now)
        return False
    changed = {"hostname": proof.wanted_hostname, "hostname_checked_at": unit.now, "hostname_problem": None}
    await unit.hostnames.change(proof, **changed)
    if proof.hostname is None:
        await _tell(unit, proof, "site.hostname.prove")
    return True


async def missing(unit: Unit, proof: HostnameProof, problem: str) -> None:
    """The proof is not there. A site that had it keeps the hostname for some days from when it was last there."""
    if proof.hostname is None:
        await unit.hostnames.change(proof, hostname_problem=problem, hostname_checked_at=unit.now)
        return
    if unit.now - (proof.hostname_checked_at or 0) < limits.HOSTNAME_WISH_DAYS * DAY:
        await unit.hostnames.change(proof, hostname_problem=problem)
        return
    # The wish begins anew: whoever let a record slip has these days to put it back.
    await unit.hostnames.change(
        proof, hostname=None, hostname_wanted_at=unit.now, hostname_problem=problem, hostname_checked_at=unit.now
    )
    await _tell(unit, proof, "site.hostname.lose")


async def _tell(unit: Unit, proof: HostnameProof, action: str) -> None:
    details = {"hostname": proof.wanted_hostname}
    await unit.audit.append(action, Target("site", proof.id), [proof.organization], details=details)
    await unit.emit(SiteChanged(organization=proof.organization, site=proof.id))
