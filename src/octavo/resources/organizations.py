"""Organizations: who they are and what they decide for everything inside."""

from __future__ import annotations

from dataclasses import dataclass

from msgspec import UNSET

from octavo import __version__
from octavo.access import locate
from octavo.access.locate import SeenOrganization
from octavo.access.policy import permissions
from octavo.kernel.errors import Conflict
from octavo.kernel.ids import new_id
from octavo.kernel.operation import READ, Nothing, Operation, write
from octavo.kernel.records import Member, Organization, Role, User
from octavo.resources.call import Call, Page
from octavo.wire import information, organizations, users
from octavo.wire.lists import Listing, ListQuery
from octavo.wire.organizations import CreateOrganization, OrganizationView, UpdateOrganization
from octavo.wire.view import View


@dataclass(frozen=True)
class AtOrganization:
    organization: SeenOrganization


async def get_information(call: Call, at: Nothing, takes: Nothing) -> str:
    """The version of the service."""
    return __version__


async def get_user(call: Call, at: Nothing, takes: Nothing) -> User:
    """The caller."""
    return call.caller.user


async def list_mine(call: Call, at: Nothing, query: ListQuery) -> Page[OrganizationView]:
    """Newest first."""
    found, total = await call.unit.people.organizations_of(
        call.caller.user.id, call.newest_behind(query), query.limit + 1
    )
    page = call.listing(found, total, query, lambda one: (one.created_at, one.id))
    return Page([_shown(call, one, call.caller.role_in(one.id)) for one in page.items], page.count, page.next)


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
        changed["email_domains"] = _folded(body.email_domains)
    if body.default_content is not UNSET:
        content = body.default_content
        if content is not None:
            await locate.site(call.unit, call.caller, content.site, organization)
        changed["default_content"] = None if content is None else content.site
    if body.hostname is not UNSET and await call.unit.people.hostname_taken(body.hostname, organization.id):
        raise Conflict(f"hostname: {body.hostname!r} belongs to another organization")
    return _shown(call, await call.unit.people.change_organization(organization, **changed), at.organization.role)


def _folded(domains: list[str]) -> list[str]:
    return sorted({domain.casefold() for domain in domains})


def _shown(call: Call, organization: Organization, role: Role | None) -> OrganizationView:
    """Guests see that the organization exists; owning a team is no matter of role."""
    relation = {"view": True, "ownTeam": role == "admin" or call.caller.owns_team_in(organization.id)}
    return OrganizationView(organization, permissions("organization", role) | relation)


def _present_page(page: Page[OrganizationView], view: View) -> Listing[organizations.Organization]:
    return page.present(lambda one: organizations.present(one, view))


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
        id="getAuthenticatedUser",
        method="GET",
        path="/user",
        at=Nothing,
        takes=Nothing,
        does=get_user,
        present=users.present,
        gives=users.User,
        status=200,
        needs="user",
        pace="read",
        unit=READ,
        scope=None,
        summary="Get the caller",
    ),
    Operation(
        id="listOrganizationsForAuthenticatedUser",
        method="GET",
        path="/orgs",
        at=Nothing,
        takes=ListQuery,
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
)
