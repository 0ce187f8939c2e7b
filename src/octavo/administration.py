"""What operators do from the command line: the first organization, users, tokens, migrations."""

from __future__ import annotations

from typing import Any, cast

from octavo.kernel.clock import DAY, iso
from octavo.kernel.errors import BadRequest, absent
from octavo.kernel.ids import new_id, new_token, token_hash
from octavo.kernel.records import Member, Organization, Role, Token, User
from octavo.kernel.settings import Settings
from octavo.main import engine_of, open_house
from octavo.store.migrate import migrate, version
from octavo.store.unit import Store, Unit


async def bootstrap(settings: Settings, email: str, name: str, title: str) -> dict[str, Any]:
    """{organization, user, token}: the user with that address, an organization it is admin of, a fresh token."""
    async with open_house(settings, base="") as house:
        return await first_admin(house.store, email, name, title)


async def first_admin(store: Store, email: str, name: str, title: str) -> dict[str, Any]:
    """The same on an open store."""

    async def work(unit: Unit) -> dict[str, Any]:
        user = await _user(unit, email, name)
        organization = await unit.people.first_administered(user.id)
        if organization is None:
            organization = Organization(id=new_id(), title=_title(title), created_at=unit.now)
            await unit.people.add_organization(organization)
            await unit.people.add_member(
                Member(organization=organization.id, user=user.id, role="admin", joined_at=unit.now)
            )
        token = await _token(unit, user, "bootstrap")
        return {"organization": organization.id, "user": user.id, "token": token}

    return await store.write(work)


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
        return {"user": user.id, "token": await _token(unit, user, "command line")}

    async with open_house(settings, base="") as house:
        return await house.store.write(work)


async def create_token(settings: Settings, email: str, label: str, days: int | None) -> dict[str, Any]:
    """{id, token, expiresAt}."""

    async def work(unit: Unit) -> dict[str, Any]:
        user = await _known(unit, email)
        expires_at = None if days is None else unit.now + days * DAY
        secret = new_token()
        token = Token(
            id=new_id(),
            user=user.id,
            hash=token_hash(secret),
            label=label[:50],
            created_at=unit.now,
            expires_at=expires_at,
        )
        await unit.people.add_token(token)
        return {"id": token.id, "token": secret, "expiresAt": None if expires_at is None else iso(expires_at)}

    async with open_house(settings, base="") as house:
        return await house.store.write(work)


async def list_tokens(settings: Settings, email: str) -> dict[str, Any]:
    """{tokens: [{id, label, createdAt, expiresAt, lastUsedAt}]}."""

    async def work(unit: Unit) -> list[Token]:
        return await unit.people.tokens_of((await _known(unit, email)).id)

    async with open_house(settings, base="") as house:
        tokens = await house.store.read(work)
    return {
        "tokens": [
            {
                "id": token.id,
                "label": token.label,
                "createdAt": iso(token.created_at),
                "expiresAt": None if token.expires_at is None else iso(token.expires_at),
                "lastUsedAt": None if token.last_used_at is None else iso(token.last_used_at),
            }
            for token in tokens
        ]
    }


async def revoke_token(settings: Settings, token: str) -> dict[str, Any]:
    """{revoked: id}."""
    async with open_house(settings, base="") as house:
        if not await house.store.write(lambda unit: unit.people.revoke_token(token)):
            raise absent("token", token)
    return {"revoked": token}


async def migrate_now(settings: Settings) -> dict[str, Any]:
    """{version, migrated}."""
    engine = engine_of(settings)
    await engine.open()
    try:
        changed = await migrate(engine)
        return {"version": await version(engine), "migrated": changed}
    finally:
        await engine.close()


async def _user(unit: Unit, email: str, name: str) -> User:
    address = email.strip()
    if not 3 <= len(address) <= 254 or "@" not in address.strip("@"):
        raise BadRequest(f"{email!r} is not an e-mail address")
    found = await unit.people.user_by_email(address)
    if found is not None:
        return found
    user = User(id=new_id(), email=address, name=name.strip()[:64] or address, created_at=unit.now)
    await unit.people.add_user(user)
    return user


async def _known(unit: Unit, email: str) -> User:
    user = await unit.people.user_by_email(email)
    if user is None:
        raise absent("user", email)
    return user


async def _token(unit: Unit, user: User, label: str) -> str:
    secret = new_token()
    await unit.people.add_token(
        Token(id=new_id(), user=user.id, hash=token_hash(secret), label=label, created_at=unit.now)
    )
    return secret


def _title(title: str) -> str:
    trimmed = title.strip()
    if not 2 <= len(trimmed) <= 255:
        raise BadRequest("the organization's title must have 2 to 255 characters")
    return trimmed
