"""Organizations: who they are and what they decide for everything inside."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import UNSET

from octavo import __version__
from octavo.access import locate_sites
from octavo.access.locate import SeenDeletedOrganization
from octavo.access.people.domains import require_whole
from octavo.access.people.joining import domain_of
from octavo.access.people.organizations import organization_permissions
from octavo.kernel import limits
from octavo.kernel.clock import DAY
from octavo.kernel.errors import BadRequest, Conflict, NotFound, absent
from octavo.kernel.events import OrganizationDeleted
from octavo.kernel.ids import new_id
from octavo.kernel.operation import ANYBODY, Nothing, nothing, reads, writes
from octavo.kernel.records import Role
from octavo.kernel.records.people import Member, Organization
from octavo.resources.call import Call, Slice, listed
from octavo.resources.places import AtOrganization, Place
from octavo.resources.rules import MEMBERS
from octavo.site.names import label_is_free
from octavo.store.people.people import folded
from octavo.wire import information
from octavo.wire.information import InformationView
from octavo.wire.people import organizations
from octavo.wire.people.organizations import (
    CreateOrganization,
    OrganizationsQuery,
    OrganizationView,
    UpdateOrganization,
)
from octavo.wire.view import View


class AtDeletedOrganization(Place, frozen=True):
    organization: SeenDeletedOrganization


class AtDomain(Place, frozen=True):
    email_domain: str


class AtSubdomain(Place, frozen=True):
    subdomain: str


async def get_information(call: Call, at: Nothing, takes: Nothing) -> InformationView:
    """The version of the service, and whether the caller runs it."""
    return InformationView(__version__, call.caller.operates)


async def list_mine(call: Call, at: Nothing, query: OrganizationsQuery) -> Slice[OrganizationView]:
    """Newest first; with `deleted`, those that the caller could restore."""
    if query.deleted:
        gone = [one for one in await call.unit.people.deleted_of(call.caller.user.id) if _restorable(call, one)]
        cut = call.cut(gone, query, lambda one: (-one.created_at, one.id))
        return Slice([_shown(call, one, "admin") for one in cut.items], cut.count, cut.next)
    found, total = await call.unit.people.organizations_of(
        call.caller.user.id, call.newest_behind(query), query.limit + 1, besides=call.caller.barred
    )
    page = call.listing(found, total, query, lambda one: (one.created_at, one.id))
    return Slice([_shown(call, one, call.caller.role_in(one.id)) for one in page.items], page.count, page.next)


async def _hostname_is_free(call: Call, organization: Organization, hostname: str) -> None:
    if await call.unit.people.hostname_taken(hostname, organization.id):
        raise Conflict(f"hostname: {hostname!r} belongs to another organization")
    site = await call.unit.sites.by_basename(hostname)
    if site is not None and site.organization != organization.id:
        raise Conflict(f"hostname: a site of another organization is called {hostname!r}")
    if not await label_is_free(call.unit, call.settings, call.view.app, hostname, organization=organization.id):
        raise Conflict(f"hostname: {hostname!r} belongs to this installation")


def _restorable(call: Call, organization: Organization) -> bool:
    at = organization.deleted_at
    return (
        organization.id not in call.caller.barred
        and at is not None
        and call.now - at < limits.DELETED_ORGANIZATION_DAYS * DAY
    )


async def create(call: Call, at: Nothing, body: CreateOrganization) -> OrganizationView:
    """The caller becomes its first admin."""
    organization = Organization(
        id=new_id(),
        title=body.title,
        created_at=call.now,
        email_domains=[] if body.email_domains is UNSET else _folded(body.email_domains),
    )
    await call.unit.people.add_organization(organization)
    await call.unit.people.add_member(
        Member(organization=organization.id, user=call.caller.user.id, role="admin", joined_at=call.now)
    )
    return _shown(call, organization, "admin")


async def get(call: Call, at: AtOrganization, takes: Nothing) -> OrganizationView:
    """One organization."""
    return _shown(call, at.organization.record, at.organization.role)


async def update(call: Call, at: AtOrganization, body: UpdateOrganization) -> OrganizationView:
    """Only the fields that were sent change."""
    organization = at.organization.record
    changed: dict[str, object] = {
        name: value
        for name in ("title", "default_role", "logo", "sso", "ai", "invite_links", "hostname", "merge_rules")
        if (value := getattr(body, name)) is not UNSET
    }
    if body.email_domains is not UNSET:
        changed["email_domains"] = kept = _folded(body.email_domains, organization.email_domains)
        for gone in sorted(set(organization.email_domains).difference(kept)):
            await call.unit.people.forget_domain(organization.id, gone)
            await call.unit.domains.remove(organization.id, gone)
    if body.default_content is not UNSET:
        content = body.default_content
        if content is not None:
            await _is_a_site(call, organization, content.site)
        changed["default_content"] = None if content is None else content.site
    if body.hostname is not UNSET:
        await _hostname_is_free(call, organization, body.hostname)
    return _shown(call, await call.unit.people.change_organization(organization, **changed), at.organization.role)


async def _is_a_site(call: Call, organization: Organization, site: str) -> None:
    try:
        await locate_sites.site(call.unit, call.caller, site, organization)
    except NotFound as error:
        raise BadRequest(f"defaultContent.site: {error}") from error


async def delete(call: Call, at: AtOrganization, takes: Nothing) -> None:
    """Nobody sees it or anything in it any more. For a week its admins can restore it; then a job removes it."""
    organization = await call.unit.people.change_organization(at.organization.record, deleted_at=call.now)
    await call.unit.emit(OrganizationDeleted(deleted=organization.id, deleted_at=call.now))


async def restore(call: Call, at: AtDeletedOrganization, takes: Nothing) -> OrganizationView:
    """Bring a deleted organization back, as it was."""
    organization = await call.unit.people.change_organization(at.organization.record, deleted_at=None)
    return _shown(call, organization, at.organization.role)


async def list_for_domain(call: Call, at: AtDomain, takes: Nothing) -> list[OrganizationView]:
    """The caller's own that name the domain, and those that verified it when the caller's verified address has it;
    newest first."""
    domain = folded(at.email_domain)
    mine = [one for one in await call.unit.people.all_of(call.caller.user.id) if domain in one.email_domains]
    user = call.caller.user
    if user.email_verified and domain_of(user.email) == domain:
        known = {one.id for one in mine}
        mine += [one for one in await call.unit.people.with_domain(domain) if one.id not in known]
    mine = [one for one in mine if one.id not in call.caller.barred]
    mine.sort(key=lambda one: (-one.created_at, one.id))
    return [_shown(call, one, call.caller.role_in(one.id)) for one in mine]


async def get_subdomain(call: Call, at: AtSubdomain, takes: Nothing) -> Organization:
    """Whose hostname it is; every caller may know, as one that is taken is no secret."""
    found = await call.unit.people.organization_of_hostname(at.subdomain)
    if found is None:
        raise absent("subdomain", at.subdomain)
    return found


def _folded(domains: list[str], held: Sequence[str] = ()) -> list[str]:
    """Each once. What is held already is taken as it is: an operator may have vouched for it."""
    named = sorted({domain.casefold() for domain in domains})
    for domain in sorted(set(named).difference(held)):
        require_whole("emailDomains", domain)
    return named


def _shown(call: Call, organization: Organization, role: Role | None) -> OrganizationView:
    return OrganizationView(organization, organization_permissions(call.caller, organization.id, role))


def _present_all(shown: list[OrganizationView], view: View) -> organizations.DomainOrganizations:
    return organizations.DomainOrganizations([organizations.present(one, view) for one in shown])


OPERATIONS = (
    reads("getApiInformation", "/", get_information, information.present,
          needs=ANYBODY, scope=None, installed="any", summary="Get the version of the service"),
    reads("listOrganizationsForAuthenticatedUser", "/orgs", list_mine, listed(organizations.present),
          needs=ANYBODY, scope="organization:read", summary="List the caller's organizations"),
    writes("POST", "createOrganization", "/orgs", create, organizations.present,
           status=201, needs=ANYBODY, scope="organization:write", audit="organization.create",
           about=lambda made: made.organization,
           summary="Create an organization"),
    reads("getOrganizationById", "/orgs/{organization}", get, organizations.present,
          needs=MEMBERS, scope=None, installed="any", summary="Get an organization"),
    writes("PATCH", "updateOrganizationById", "/orgs/{organization}", update, organizations.present,
           lock="organization", needs="organization.admin", scope="organization:write", audit="organization.update",
           summary="Change an organization"),
    writes("DELETE", "deleteOrganization", "/orgs/{organization}", delete, nothing,
           lock="organization", needs="organization.admin", scope="organization:write", audit="organization.delete",
           summary="Delete an organization; for a week it can be restored"),
    writes("POST", "restoreOrganization", "/orgs/{organization}/restore", restore, organizations.present,
           lock="organization", needs="organization.admin", scope="organization:write", audit="organization.restore",
           summary="Restore a deleted organization"),
    reads("getOrganizationsForEmailDomain", "/email-domains/{email_domain}/orgs", list_for_domain, _present_all,
          needs=ANYBODY, scope="organization:read", tag="organizations",
          summary="List the organizations of a domain of e-mail addresses"),
    reads("getSubdomain", "/subdomains/{subdomain}", get_subdomain, organizations.present_subdomain,
          needs=ANYBODY, scope="organization:read", tag="organizations",
          summary="Find the organization of a hostname"),
)  # fmt: skip
