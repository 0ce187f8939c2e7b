"""Organizations: who they are and what they decide for everything inside."""

from __future__ import annotations

from dataclasses import dataclass

from msgspec import UNSET

from octavo import __version__
from octavo.access import locate
from octavo.access.locate import SeenDeletedOrganization, SeenOrganization
from octavo.access.people.joining import domain_of
from octavo.access.people.organizations import organization_permissions
from octavo.kernel import limits
from octavo.kernel.clock import DAY
from octavo.kernel.errors import Conflict, absent
from octavo.kernel.events import OrganizationDeleted
from octavo.kernel.ids import new_id
from octavo.kernel.operation import READ, Nothing, Operation, write
from octavo.kernel.records import Role
from octavo.kernel.records.people import Member, Organization
from octavo.resources.call import Call, Page
from octavo.store.people.people import folded
from octavo.wire import information
from octavo.wire.lists import Listing
from octavo.wire.people import organizations
from octavo.wire.people.organizations import (
    CreateOrganization,
    OrganizationsQuery,
    OrganizationView,
    UpdateOrganization,
)
from octavo.wire.view import View


@dataclass(frozen=True)
class AtOrganization:
    organization: SeenOrganization


@dataclass(frozen=True)
class AtDeletedOrganization:
    organization: SeenDeletedOrganization


@dataclass(frozen=True)
class AtDomain:
    email_domain: str


@dataclass(frozen=True)
class AtSubdomain:
    subdomain: str


async def get_information(call: Call, at: Nothing, takes: Nothing) -> str:
    """The version of the service."""
    return __version__


async def list_mine(call: Call, at: Nothing, query: OrganizationsQuery) -> Page[OrganizationView]:
    """Newest first; with `deleted`, those that the caller could restore."""
    if query.deleted:
        gone = [one for one in await call.unit.people.deleted_of(call.caller.user.id) if _restorable(call, one)]
        cut = call.cut(gone, query, lambda one: (-one.created_at, one.id))
        return Page([_shown(call, one, "admin") for one in cut.items], cut.count, cut.next)
    found, total = await call.unit.people.organizations_of(
        call.caller.user.id, call.newest_behind(query), query.limit + 1, besides=call.caller.barred
    )
    page = call.listing(found, total, query, lambda one: (one.created_at, one.id))
    return Page([_shown(call, one, call.caller.role_in(one.id)) for one in page.items], page.count, page.next)


async def _hostname_is_free(call: Call, organization: Organization, hostname: str) -> None:
    if await call.unit.people.hostname_taken(hostname, organization.id):
        raise Conflict(f"hostname: {hostname!r} belongs to another organization")
    site = await call.unit.sites.by_basename(hostname)
    if site is not None and site.organization != organization.id:
        raise Conflict(f"hostname: a site of another organization is called {hostname!r}")


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
        changed["email_domains"] = kept = _folded(body.email_domains)
        for gone in sorted(set(organization.email_domains).difference(kept)):
            await call.unit.people.forget_domain(organization.id, gone)
    if body.default_content is not UNSET:
        content = body.default_content
        if content is not None:
            await locate.site(call.unit, call.caller, content.site, organization)
        changed["default_content"] = None if content is None else content.site
    if body.hostname is not UNSET:
        await _hostname_is_free(call, organization, body.hostname)
    return _shown(call, await call.unit.people.change_organization(organization, **changed), at.organization.role)


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


def _folded(domains: list[str]) -> list[str]:
    return sorted({domain.casefold() for domain in domains})


def _shown(call: Call, organization: Organization, role: Role | None) -> OrganizationView:
    return OrganizationView(organization, organization_permissions(call.caller, organization.id, role))


def _present_page(page: Page[OrganizationView], view: View) -> Listing[organizations.Organization]:
    return page.present(lambda one: organizations.present(one, view))


def _present_all(shown: list[OrganizationView], view: View) -> organizations.Organizations:
    return organizations.Organizations([organizations.present(one, view) for one in shown])


def _nothing(done: None, view: View) -> None:
    """205 carries no body."""


OPERATIONS = (
    Operation(
        id="getApiInformation",
        method="GET",
        path="/",
        at=Nothing,
        takes=Nothing,
        does=get_information,
        present=lambda version, view: information.present(version, version),
        gives=information.Information,
        status=200,
        needs="user",
        pace="read",
        unit=READ,
        scope=None,
        summary="Get the version of the service",
    ),
    Operation(
        id="listOrganizationsForAuthenticatedUser",
        method="GET",
        path="/orgs",
        at=Nothing,
        takes=OrganizationsQuery,
        does=list_mine,
        present=_present_page,
        gives=Listing[organizations.Organization],
        status=200,
        needs="user",
        pace="read",
        unit=READ,
        scope="organization:read",
        summary="List the caller's organizations",
    ),
    Operation(
        id="createOrganization",
        method="POST",
        path="/orgs",
        at=Nothing,
        takes=CreateOrganization,
        does=create,
        present=organizations.present,
        gives=organizations.Organization,
        status=201,
        needs="user",
        pace="write",
        unit=write(),
        scope="organization:write",
        summary="Create an organization",
    ),
    Operation(
        id="getOrganizationById",
        method="GET",
        path="/orgs/{organization}",
        at=AtOrganization,
        takes=Nothing,
        does=get,
        present=organizations.present,
        gives=organizations.Organization,
        status=200,
        needs="relation",
        pace="read",
        unit=READ,
        scope=None,
        summary="Get an organization",
    ),
    Operation(
        id="updateOrganizationById",
        method="PATCH",
        path="/orgs/{organization}",
        at=AtOrganization,
        takes=UpdateOrganization,
        does=update,
        present=organizations.present,
        gives=organizations.Organization,
        status=200,
        needs="organization.admin",
        pace="write",
        unit=write("organization"),
        scope="organization:write",
        summary="Change an organization",
    ),
    Operation(
        id="deleteOrganization",
        method="DELETE",
        path="/orgs/{organization}",
        at=AtOrganization,
        takes=Nothing,
        does=delete,
        present=_nothing,
        gives=None,
        status=205,
        needs="organization.admin",
        pace="write",
        unit=write("organization"),
        scope="organization:write",
        summary="Delete an organization; for a week it can be restored",
    ),
    Operation(
        id="restoreOrganization",
        method="POST",
        path="/orgs/{organization}/restore",
        at=AtDeletedOrganization,
        takes=Nothing,
        does=restore,
        present=organizations.present,
        gives=organizations.Organization,
        status=200,
        needs="organization.admin",
        pace="write",
        unit=write("organization"),
        scope="organization:write",
        summary="Restore a deleted organization",
    ),
    Operation(
        id="getOrganizationsForEmailDomain",
        method="GET",
        path="/email-domains/{email_domain}/orgs",
        at=AtDomain,
        takes=Nothing,
        does=list_for_domain,
        present=_present_all,
        gives=organizations.Organizations,
        status=200,
        needs="user",
        pace="read",
        unit=READ,
        scope="organization:read",
        summary="List the organizations of a domain of e-mail addresses",
        tag="organizations",
        names={"email_domain": "emailDomain"},
    ),
    Operation(
        id="getSubdomain",
        method="GET",
        path="/subdomains/{subdomain}",
        at=AtSubdomain,
        takes=Nothing,
        does=get_subdomain,
        present=organizations.present_subdomain,
        gives=organizations.Subdomain,
        status=200,
        needs="user",
        pace="read",
        unit=READ,
        scope="organization:read",
        summary="Find the organization of a hostname",
        tag="organizations",
    ),
)
