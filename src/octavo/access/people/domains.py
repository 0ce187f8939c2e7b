"""Domains of addresses: claimed by organizations, won by whoever shows the record, lost when it stays away."""

from __future__ import annotations

import re
import secrets

from octavo.kernel import limits
from octavo.kernel.audit import Target
from octavo.kernel.clock import DAY
from octavo.kernel.errors import BadRequest
from octavo.kernel.events import DomainProofWanted
from octavo.kernel.records.provisioning import DomainClaim
from octavo.store.unit import Unit

_PLAIN = re.compile(r"[a-z0-9](?:[a-z0-9_-]{0,61}[a-z0-9])?")


def require_whole(field: str, domain: str) -> None:
    """Raises BadRequest for what no address of e-mail can end in; letters of every language may."""
    try:
        whole = "." in _asked_for(domain)
    except ValueError:
        whole = False
    if not whole:
        raise BadRequest(f"{field}: {domain!r} is no domain; name the whole of one, as in example.org")


def record_name(domain: str) -> str:
    """The name whose TXT record is to say the word, as zones have it."""
    try:
        return f"_octavo.{_asked_for(domain)}"
    except ValueError:  # from before domains were looked at
        return f"_octavo.{domain}"


def _asked_for(domain: str) -> str:
    """A domain as the domain name system knows it. Raises ValueError for what is none."""
    return ".".join(map(_label, domain.split(".")))


def _label(written: str) -> str:
    if not written.isascii():
        # With the first of them: which letters, vowel signs and joiners may stand where is a table of 100 KB.
        import idna

        return idna.alabel(written).decode()
    if not _PLAIN.fullmatch(written):
        raise ValueError(written)
    return written


def record_value(claim: DomainClaim) -> str:
    """What it is to say: of this claim alone, so that another organization's record proves nothing for it."""
    return f"octavo-domain={claim.word}"


async def claim(unit: Unit, organization: str, domain: str) -> DomainClaim:
    """Begin to look for the proof. Others may claim the same."""
    made = DomainClaim(organization=organization, domain=domain, word=secrets.token_urlsafe(24), claimed_at=unit.now)
    await unit.domains.add(made)
    await want(unit, made)
    return made


async def want(unit: Unit, claim: DomainClaim) -> None:
    """Have a job look for the record now."""
    await unit.emit(DomainProofWanted(organization=claim.organization, domain=claim.domain))


async def found(unit: Unit, claim: DomainClaim) -> None:
    """The record is there: the domain is the organization's."""
    await unit.people.hold_organization(claim.organization)
    organization = await unit.people.organization(claim.organization)
    if organization is None:
        return
    await unit.domains.change(claim, checked_at=unit.now, found_at=unit.now, problem=None)
    if claim.domain in await unit.people.verified_domains(organization.id):
        return
    await unit.people.verify_domain(organization.id, claim.domain, unit.now)
    kept = sorted({*organization.email_domains, claim.domain})
    await unit.people.change_organization(organization, email_domains=kept)
    await _tell(unit, claim, "organization.domain.prove")


async def missing(unit: Unit, claim: DomainClaim, problem: str) -> None:
    """The record is not there. A domain that was proven stays for some days from when it was last there."""
    await unit.domains.change(claim, checked_at=unit.now, problem=problem)
    if claim.found_at is None or unit.now - claim.found_at < limits.DOMAIN_LOST_DAYS * DAY:
        return
    await unit.domains.change(claim, found_at=None)
    await unit.people.forget_domain(claim.organization, claim.domain)
    await _tell(unit, claim, "organization.domain.lose")


async def _tell(unit: Unit, claim: DomainClaim, action: str) -> None:
    await unit.audit.append(action, Target("domain", claim.domain, claim.domain), [claim.organization])
