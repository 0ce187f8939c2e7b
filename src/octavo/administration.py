"""What operators do from the command line: the first organization, users, tokens, migrations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import msgspec

from octavo.access.people import beginning, login, passwords, sessions, tokens
from octavo.access.people.proving import prove
from octavo.kernel.audit import Target
from octavo.kernel.clock import DAY, iso
from octavo.kernel.errors import BadRequest, Conflict, absent
from octavo.kernel.records import Role
from octavo.kernel.records.people import Member, Organization, Token, User
from octavo.kernel.records.sites import Site
from octavo.kernel.settings import Settings
from octavo.main import open_house, opened
from octavo.site.names import refuse_own
from octavo.store.database.migrate import HEAD, Migrations, migrate, version
from octavo.store.unit import Provenance, Store, Unit
from octavo.wire.fields import SiteHostname

OPERATOR = Provenance(source="script")
"""Whoever has the machine."""


async def bootstrap(settings: Settings, email: str, name: str, title: str) -> dict[str, Any]:
    """{organization, user, token}: the user with that address, an organization it is admin of, a fresh token."""
    async with open_house(settings, base="", makes=True) as house:
        return await first_admin(house.store, email, name, title)


async def first_admin(store: Store, email: str, name: str, title: str) -> dict[str, Any]:
    """The same on an open store."""

    async def work(unit: Unit) -> dict[str, Any]:
        user = await _user(unit, email, name)
        organization = await unit.people.first_administered(user.id)
        if organization is None:
            organization = await beginning.found(unit, user, title)
        # Whoever has the machine was ahead of whoever has the address that a server printed.
        await unit.installation.drop(beginning.WORD, ())
        await _note_new(unit, user)
        token = await _token(unit, user, "bootstrap")
        return {"organization": organization.id, "user": user.id, "token": token}

    return await store.write(work, OPERATOR)


async def create_user(settings: Settings, email: str, name: str, organization: str, role: str) -> dict[str, Any]:
    """{user, token}; a user who is a member already gets the role."""
    given = None if role == "guest" else cast("Role", role)

    async def work(unit: Unit) -> dict[str, Any]:
        if await unit.people.organization(organization) is None:
            raise absent("organization", organization)
        user = await _user(unit, email, name)
        member = await unit.people.member(organization, user.id)
        if member is None:
            await unit.people.add_member(
                Member(organization=organization, user=user.id, role=given, joined_at=unit.now)
            )
        else:
            await unit.people.change_member(member, role=given, disabled=False)
        await unit.audit.append("member.add", Target("user", user.id, user.name), [organization])
        await _note_new(unit, user)
        return {"user": user.id, "token": await _token(unit, user, "command line")}

    async with open_house(settings, base="") as house:
        return await house.store.write(work, OPERATOR)


async def create_token(
    settings: Settings, email: str, label: str, days: int | None, scopes: Sequence[str] = ()
) -> dict[str, Any]:
    """{id, token, expiresAt}; without scopes it is not limited."""

    async def work(unit: Unit) -> tokens.Made:
        user = await _known(unit, email)
        ends = None if days is None else unit.now + days * DAY
        return await _made(unit, user, tokens.Wanted(label, scopes or None, ends))

    async with open_house(settings, base="") as house:
        made = await house.store.write(work, OPERATOR)
    return {"id": made.token.id, "token": made.secret, "expiresAt": _iso(made.token.expires_at)}


async def list_tokens(settings: Settings, email: str) -> dict[str, Any]:
    """{tokens: [{id, label, scopes, createdAt, expiresAt, lastUsedAt}]}; scopes null = all."""

    async def work(unit: Unit) -> list[Token]:
        return await unit.people.tokens_of((await _known(unit, email)).id)

    async with open_house(settings, base="") as house:
        found = await house.store.read(work)
    return {
        "tokens": [
            {
                "id": token.id,
                "label": token.label,
                "scopes": token.scopes,
                "createdAt": iso(token.created_at),
                "expiresAt": _iso(token.expires_at),
                "lastUsedAt": _iso(token.last_used_at),
            }
            for token in found
        ]
    }


async def revoke_token(settings: Settings, token: str) -> dict[str, Any]:
    """{revoked: id}."""

    async def work(unit: Unit) -> None:
        found = await unit.people.token(token)
        if found is None or not await unit.people.revoke_token(token):
            raise absent("token", token)
        await unit.audit.of_account("token.revoke", found.user, target=Target("token", found.id, found.label))

    async with open_house(settings, base="") as house:
        await house.store.write(work, OPERATOR)
    return {"revoked": token}


async def list_users(settings: Settings, organization: str | None) -> dict[str, Any]:
    """{users: [{id, email, name, createdAt, deletedAt, organizations: {id: role}}]}; all, or those of an organization."""

    async def work(unit: Unit) -> list[dict[str, Any]]:
        if organization is not None and await unit.people.organization_or_deleted(organization) is None:
            raise absent("organization", organization)
        roles = await unit.people.roles_of_everybody()
        return [
            {
                "id": user.id,
                "email": user.email,
                "name": user.name,
                "createdAt": iso(user.created_at),
                "deletedAt": _iso(user.deleted_at),
                "organizations": {key: role or "guest" for key, role in roles.get(user.id, {}).items()},
            }
            for user in await unit.people.everybody()
            if organization is None or organization in roles.get(user.id, {})
        ]

    async with open_house(settings, base="") as house:
        return {"users": await house.store.read(work)}


async def list_organizations(settings: Settings) -> dict[str, Any]:
    """{organizations: [{id, title, members, createdAt, deletedAt}]}."""

    async def work(unit: Unit) -> list[dict[str, Any]]:
        sizes = await unit.people.sizes()
        return [
            {
                "id": one.id,
                "title": one.title,
                "members": sizes.get(one.id, 0),
                "createdAt": iso(one.created_at),
                "deletedAt": _iso(one.deleted_at),
            }
            for one in await unit.people.organizations()
        ]

    async with open_house(settings, base="") as house:
        return {"organizations": await house.store.read(work)}


async def set_password(
    settings: Settings, email: str, password: str | None, *, keep_tokens: bool = False
) -> dict[str, Any]:
    """{user, password: set or removed, sessionsEnded, tokensRevoked}; None takes the password away."""
    digest = None if password is None else passwords.hashed(password)

    async def work(unit: Unit) -> dict[str, Any]:
        user = await _known(unit, email)
        ended = await login.set_password(unit, user, digest, keep_tokens=keep_tokens)
        return {
            "user": user.id,
            "password": "removed" if digest is None else "set",
            "sessionsEnded": ended.sessions,
            "tokensRevoked": ended.tokens,
        }

    async with open_house(settings, base="") as house:
        return await house.store.write(work, OPERATOR)


async def sign_out(settings: Settings, email: str) -> dict[str, Any]:
    """{user, sessionsEnded}: every browser has to sign in again."""

    async def work(unit: Unit) -> dict[str, Any]:
        user = await _known(unit, email)
        return {"user": user.id, "sessionsEnded": await sessions.end_all(unit, user.id)}

    async with open_house(settings, base="") as house:
        return await house.store.write(work, OPERATOR)


async def show_sso(settings: Settings, organization: str) -> dict[str, Any]:
    """{organization, title, sso, domains, providers: [{id, label, status}]}."""

    async def work(unit: Unit) -> dict[str, Any]:
        record = await unit.people.organization_or_deleted(organization)
        if record is None:
            raise absent("organization", organization)
        providers = await unit.saml.of(record.id)
        return {
            "organization": record.id,
            "title": record.title,
            "sso": record.sso,
            "domains": sorted(await unit.people.verified_domains(record.id)),
            "providers": [{"id": one.id, "label": one.label, "status": one.status} for one in providers],
        }

    async with open_house(settings, base="") as house:
        return await house.store.read(work)


async def sso_off(settings: Settings, organization: str) -> dict[str, Any]:
    """{organization, sso, was}: breaks the glass, everybody comes in again as without single sign-on."""

    async def work(unit: Unit) -> dict[str, Any]:
        await unit.people.hold_organization(organization)
        record = await unit.people.organization_or_deleted(organization)
        if record is None:
            raise absent("organization", organization)
        await unit.people.change_organization(record, sso=False)
        await unit.audit.append("organization.sso.off", _target(record), [record.id])
        return {"organization": record.id, "sso": False, "was": record.sso}

    async with open_house(settings, base="") as house:
        return await house.store.write(work, OPERATOR)


async def verify_domain(settings: Settings, organization: str, domain: str, *, remove: bool) -> dict[str, Any]:
    """{organization, domains}: the operator says that addresses of a domain are the organization's, or are not."""
    named = domain.strip().casefold()
    if not 1 <= len(named) <= 253 or any(mark in named for mark in "@/ "):
        raise BadRequest(f"{domain!r} is not a domain of addresses")

    async def work(unit: Unit) -> dict[str, Any]:
        await unit.people.hold_organization(organization)
        record = await unit.people.organization(organization)
        if record is None:
            raise absent("organization", organization)
        if remove:
            await unit.people.forget_domain(organization, named)
        else:
            await unit.people.change_organization(record, email_domains=sorted({*record.email_domains, named}))
            await unit.people.verify_domain(organization, named, unit.now)
        action = "organization.domain.remove" if remove else "organization.domain.verify"
        await unit.audit.append(action, _target(record), [organization], details={"domain": named})
        return {"organization": organization, "domains": sorted(await unit.people.verified_domains(organization))}

    async with open_house(settings, base="") as house:
        return await house.store.write(work, OPERATOR)


async def give_hostname(settings: Settings, site: str, hostname: str, *, remove: bool) -> dict[str, Any]:
    """{site, hostname}: the operator says that a site may answer on a host, or may not."""
    named = hostname.strip().lower()
    try:
        msgspec.convert(named, SiteHostname)
    except msgspec.ValidationError as error:
        raise BadRequest(
            f"{hostname!r} is no hostname of three labels or more, docs.example.com for example"
        ) from error
    refuse_own(settings, settings.base_url or "", named)

    async def work(unit: Unit) -> dict[str, Any]:
        found = await hostname_given(unit, site, named, remove=remove)
        return {"site": found.id, "hostname": found.hostname}

    async with open_house(settings, base="") as house:
        return await house.store.write(work, OPERATOR)


async def hostname_given(unit: Unit, site: str, named: str, *, remove: bool = False) -> Site:
    """The same in a unit."""
    found = await unit.sites.get(site)
    if found is None:
        raise absent("site", site)
    if remove and found.wanted_hostname != named:
        raise BadRequest(f"the site's hostname is {found.wanted_hostname or 'not set'}, not {named}")
    other = None if remove else await unit.sites.by_hostname(named)
    if other is not None and other.id != found.id:
        raise Conflict(f"site {other.id} answers on {named}; take it away from that one first (--remove)")
    found = await unit.sites.change(
        found, hostname=None if remove else named, wanted_hostname=None if remove else named
    )
    proof = await unit.hostnames.of_site(found.id)
    assert proof is not None  # of the row that has just changed
    # What the operator says needs no proof, and is never asked for one.
    await unit.hostnames.change(proof, hostname_secret=None, hostname_problem=None, hostname_checked_at=None)
    await unit.audit.append(
        "site.update", Target("site", found.id, found.title), [found.organization], details={"hostname": found.hostname}
    )
    return found


async def restore_user(settings: Settings, email: str) -> dict[str, Any]:
    """{user, restored}: a deleted account comes back; its tokens and sessions do not."""

    async def work(unit: Unit) -> dict[str, Any]:
        user = await _known(unit, email)
        await unit.people.change_user(user, deleted_at=None)
        await unit.audit.of_account("user.restore", user)
        return {"user": user.id, "restored": user.deleted_at is not None}

    async with open_house(settings, base="") as house:
        return await house.store.write(work, OPERATOR)


async def restore_organization(settings: Settings, organization: str) -> dict[str, Any]:
    """{organization, restored}: a deleted organization comes back as it was."""

    async def work(unit: Unit) -> dict[str, Any]:
        found = await unit.people.organization_or_deleted(organization)
        if found is None:
            raise absent("organization", organization)
        await unit.people.change_organization(found, deleted_at=None)
        await unit.audit.append("organization.restore", _target(found), [found.id])
        return {"organization": found.id, "restored": found.deleted_at is not None}

    async with open_house(settings, base="") as house:
        return await house.store.write(work, OPERATOR)


async def migrate_now(settings: Settings, to: str | None = None) -> dict[str, Any]:
    """{version, migrated}; nothing else uses the database meanwhile. Without `to` it comes to the newest."""
    async with opened(settings) as engine:
        changed = await migrate(engine, to=to, offline=True)
        return {"version": await version(engine), "migrated": changed}


async def migrations_missing(settings: Settings) -> dict[str, Any]:
    """{version, newest, offline}: where the database is, where this version brings it, and whether everything has to be
    stopped for that. Raises Unavailable where the database is newer."""
    async with opened(settings) as engine:
        at = await version(engine)
        assert at is not None  # `opened` refuses an empty one
        missing = Migrations().missing(engine.dialect, at)
    return {"version": at, "newest": HEAD, "offline": missing.offline}


async def _user(unit: Unit, email: str, name: str) -> User:
    found = await unit.people.user_by_email(email.strip())
    if found is not None and found.deleted_at is not None:
        raise Conflict(f"the account of {email} is deleted; `octavo user restore` brings it back")
    return await (beginning.account(unit, email, name) if found is None else prove(unit, found))


async def _known(unit: Unit, email: str) -> User:
    user = await unit.people.user_by_email(email)
    if user is None:
        raise absent("user", email)
    return user


async def _token(unit: Unit, user: User, label: str) -> str:
    return (await _made(unit, user, tokens.Wanted(label))).secret


async def _made(unit: Unit, user: User, wanted: tokens.Wanted) -> tokens.Made:
    made = await tokens.make(unit, user.id, wanted)
    await unit.audit.of_account("token.create", user, target=Target("token", made.token.id, made.token.label))
    return made


async def _note_new(unit: Unit, user: User) -> None:
    """An account is in no organization yet when it is made."""
    if user.created_at == unit.now:
        await unit.audit.of_account("user.create", user)


def _target(organization: Organization) -> Target:
    return Target("organization", organization.id, organization.title)


def _iso(at: int | None) -> str | None:
    return None if at is None else iso(at)
