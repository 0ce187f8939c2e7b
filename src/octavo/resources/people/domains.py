"""Domains of addresses that an organization claims, and shows to be its own by a TXT record."""

from __future__ import annotations

from octavo.access.locate import SeenDomain
from octavo.access.people import domains as claims
from octavo.kernel import limits
from octavo.kernel.errors import Conflict
from octavo.kernel.operation import UNLIMITED, Nothing, nothing, reads, writes
from octavo.kernel.records.provisioning import DomainClaim
from octavo.resources.call import Call, Slice, listed
from octavo.resources.places import AtOrganization
from octavo.store.people.people import folded
from octavo.wire.lists import ListQuery
from octavo.wire.people import domains
from octavo.wire.people.domains import ClaimDomain, DomainView


class AtDomain(AtOrganization, frozen=True):
    domain: SeenDomain


async def list_in_organization(call: Call, at: AtOrganization, query: ListQuery) -> Slice[DomainView]:
    """By name; also those of which the operator said that they are the organization's."""
    organization = at.organization.record.id
    proven = await call.unit.people.verified_domains(organization)
    claimed = {one.domain: one for one in await call.unit.domains.of(organization)}
    names = sorted(proven | claimed.keys())
    page = call.cut(names, query, lambda one: (one,))
    return Slice([_view(organization, one, claimed.get(one), proven) for one in page.items], page.count, page.next)


async def claim(call: Call, at: AtOrganization, body: ClaimDomain) -> DomainView:
    """The answer says which record to set; others may claim the same domain, and who shows the record has it."""
    organization, domain = at.organization.record.id, folded(body.domain).rstrip(".")
    claims.require_whole("domain", domain)
    claimed = await call.unit.domains.of(organization)
    if any(one.domain == domain for one in claimed):
        raise Conflict(f"the organization claims {domain} already")
    if len(claimed) >= limits.EMAIL_DOMAINS_MAX:
        raise Conflict(f"the organization claims {limits.EMAIL_DOMAINS_MAX} domains already; remove one first")
    made = await claims.claim(call.unit, organization, domain)
    return _view(organization, domain, made, await call.unit.people.verified_domains(organization))


async def get(call: Call, at: AtDomain, takes: Nothing) -> DomainView:
    """Whether it is proven, and what has to be shown for that."""
    return _shown(at.domain.record, proven=at.domain.proven)


async def check(call: Call, at: AtDomain, takes: Nothing) -> DomainView:
    """A job looks for the record now; what it finds is told by the domain a moment later."""
    if not at.domain.record.word:
        raise Conflict("the operator of this installation vouches for this domain, so that it needs no proof")
    await claims.want(call.unit, at.domain.record)
    return _shown(at.domain.record, proven=at.domain.proven)


async def remove(call: Call, at: AtDomain, takes: Nothing) -> None:
    """It is not the organization's any more; its members stay."""
    organization, domain = at.organization.record, at.domain.record.domain
    await call.unit.domains.remove(organization.id, domain)
    await call.unit.people.forget_domain(organization.id, domain)
    kept = [one for one in organization.email_domains if one != domain]
    await call.unit.people.change_organization(organization, email_domains=kept)


def _view(organization: str, domain: str, claim: DomainClaim | None, proven: set[str]) -> DomainView:
    vouched = DomainClaim(organization=organization, domain=domain, word="", claimed_at=0)
    return _shown(claim or vouched, proven=domain in proven)


def _shown(claim: DomainClaim, *, proven: bool) -> DomainView:
    return DomainView(claim, proven, claims.record_name(claim.domain), claims.record_value(claim))


_ALL = "/orgs/{organization}/domains"
_ONE = _ALL + "/{domain}"


OPERATIONS = (
    reads("listDomains", _ALL, list_in_organization, listed(domains.present),
          needs="organization.admin", scope=UNLIMITED, summary="List the domains that an organization claims"),
    writes("POST", "claimDomain", _ALL, claim, domains.present,
           lock="organization", status=201, needs="organization.admin", scope=UNLIMITED,
           audit="organization.domain.claim", about=lambda made: made.claim,
           summary="Claim a domain of e-mail addresses"),
    reads("getDomain", _ONE, get, domains.present,
          needs="organization.admin", scope=UNLIMITED, summary="Get a domain, and the record that proves it"),
    writes("POST", "checkDomain", _ONE + "/check", check, domains.present,
           status=202, needs="organization.admin", scope=UNLIMITED, audit=None,
           summary="Look for the record of a domain now"),
    writes("DELETE", "removeDomain", _ONE, remove, nothing,
           lock="organization", status=204, needs="organization.admin", scope=UNLIMITED,
           audit="organization.domain.give-up", summary="Give up a domain"),
)  # fmt: skip
