"""Whom an identity provider has proven becomes a user of this installation, and a member of the provider's organization.

A provider speaks for its organization only: it opens an account by its e-mail address when the domain of the address is
verified to be the organization's, and never one whose user has joined another organization as herself.
"""

from __future__ import annotations

import re

from octavo.access.people.joining import admit, domain_of
from octavo.access.people.proving import prove
from octavo.kernel import limits, names
from octavo.kernel.audit import Target
from octavo.kernel.errors import Forbidden
from octavo.kernel.ids import new_id
from octavo.kernel.records import RANKED, Role
from octavo.kernel.records.people import Organization, TeamMember, User
from octavo.kernel.records.saml import Claims, SamlIdentity, SamlLogin, SamlProvider
from octavo.store.unit import Unit

_ADDRESS = re.compile(r"[^\s@<>,;\"]+@[^\s@<>,;\"]+")
"""One address: what some provider takes for several, or for another one, is none."""


async def arrive(unit: Unit, provider: SamlProvider, login: SamlLogin) -> User:
    """The user who signs in: the one the provider meant before, else the one of the address, else a new one.

    Who comes for the first time gets the provider's default role and team. Raises Forbidden with a sentence for
    people.
    """
    await unit.people.hold_organization(provider.organization)
    organization = await unit.people.organization(provider.organization)
    if organization is None:
        raise Forbidden("This organization is no longer there.")
    user = await _known(unit, provider, login)
    if user is None:
        user = await _by_address(unit, organization, login)
        identity = SamlIdentity(
            organization=organization.id,
            provider=provider.id,
            subject=login.subject,
            user=user.id,
            created_at=unit.now,
        )
        await unit.saml.link(identity)
    if user.deleted_at is not None:
        raise Forbidden("Your account is being deleted; who runs this installation can restore it.")
    user = await prove(unit, user)
    await _enter(unit, provider, organization, user)
    return user


async def _known(unit: Unit, provider: SamlProvider, login: SamlLogin) -> User | None:
    """Who this was before, as long as she is in the organization: who has left it is nobody's of the provider."""
    identity = await unit.saml.identity(provider.id, login.subject)
    if identity is None or await unit.people.member(provider.organization, identity.user) is None:
        return None
    return await unit.people.user(identity.user)


async def _by_address(unit: Unit, organization: Organization, login: SamlLogin) -> User:
    email = login.email
    _require_address(email)
    domain = domain_of(email)
    if domain not in await unit.people.verified_domains(organization.id):
        raise Forbidden(f"The domain {domain} is not verified to be this organization's; ask its admins.")
    user = await unit.people.user_by_email(email)
    if user is None:
        user = await _account(unit, login)
    elif await unit.people.belongs_elsewhere(organization.id, user.id):
        raise Forbidden(
            "Your address has an account that belongs to another organization of this installation, and single sign-on"
            " does not take it over. Sign in as you do there."
        )
    return user


async def _enter(unit: Unit, provider: SamlProvider, organization: Organization, user: User) -> None:
    """Into the organization and, the first time, the team; whose membership was disabled stays out."""
    member = await unit.people.member(organization.id, user.id)
    role = provider.default_role if member is None else None
    await admit(unit, organization, user, role, sso=True)
    if member is None and provider.default_team is not None:
        await unit.teams.join(TeamMember(organization=organization.id, team=provider.default_team, user=user.id))


def is_address(email: str) -> bool:
    """Whether it is one address of e-mail, that everybody takes for the same."""
    return len(email) <= limits.EMAIL_MAX and _ADDRESS.fullmatch(email) is not None and not names.fault(email)


def _require_address(email: str) -> None:
    if not is_address(email):
        raise Forbidden("The identity provider told no e-mail address of yours; its administrators can have it told.")


async def _account(unit: Unit, login: SamlLogin) -> User:
    most, email = limits.USER_NAME_MAX, login.email
    name = names.plain(login.name, most) or names.plain(email.partition("@")[0], most)
    user = User(id=new_id(), email=email, name=name, created_at=unit.now, email_verified=unit.now)
    await unit.people.add_user(user)
    return user


async def arrive_anywhere(unit: Unit, issuer: str, login: SamlLogin) -> User:
    """The user who signs in by the provider of the whole installation, which the operator trusts with every account: the one
    it meant before, else the one of the address, else a new one. Raises Forbidden with a sentence for people."""
    known = await unit.saml.proven(issuer, login.subject)
    user = None if known is None else await unit.people.user(known)
    if user is None:
        _require_address(login.email)
        user = await unit.people.user_by_email(login.email) or await _account(unit, login)
        await unit.saml.remember(issuer, login.subject, user.id, unit.now)
    if user.deleted_at is not None:
        raise Forbidden("Your account is being deleted; who runs this installation can restore it.")
    return await prove(unit, user)


async def follow(unit: Unit, provider: SamlProvider, user: User, claims: Claims, values: list[str] | None) -> None:
    """Give a member the role and the teams that these values of a claim stand for. Without the claim everything stays: a
    provider that forgot it takes nobody's role. Nor does an organization lose its last admin by it."""
    member = await unit.people.member(provider.organization, user.id)
    if values is None or member is None:
        return
    if claims.roles:
        found: list[Role] = [claims.roles[one] for one in values if one in claims.roles]
        found.sort(key=lambda one: RANKED[one])
        role = found[-1] if found else provider.default_role
        last = member.role == "admin" and not await unit.people.other_admins(provider.organization, user.id)
        if role != member.role and not last:
            await unit.people.change_member(member, role=role)
            target = Target("user", user.id, user.name)
            await unit.audit.append("member.role-by-sso", target, [provider.organization], actor=user)
    wanted = {claims.teams[one] for one in values if one in claims.teams}
    present = {one.team for one in await unit.teams.of_user(user.id)}
    teams = await unit.teams.by_ids(sorted(set(claims.teams.values())))
    there = {one.id for one in teams if one.organization == provider.organization}
    # Teams that follow groups by SCIM are told by them alone.
    managed = await unit.scim.managed(claims.teams.values())
    there, present = there - managed, present - managed
    for team in sorted(wanted & there - present):
        await unit.teams.join(TeamMember(organization=provider.organization, team=team, user=user.id))
    for team in sorted((set(claims.teams.values()) - wanted) & present):
        await unit.teams.leave(team, user.id)
