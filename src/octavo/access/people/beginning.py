"""The first organization of an installation: who makes it on the command line, or by the word that a new server prints."""

from __future__ import annotations

import hmac

from octavo.access.people import sessions
from octavo.kernel import limits, names
from octavo.kernel.audit import Target
from octavo.kernel.errors import BadRequest, NotFound
from octavo.kernel.ids import new_id
from octavo.kernel.records.people import Member, Organization, Session, User
from octavo.store.unit import Unit

WORD = "setup"
"""What the installation calls the word while nobody has used it."""
OVER = "This address serves once, and was used: this installation has an organization. Sign in."


async def word(unit: Unit) -> str | None:
    """The word that opens the page of the first organization, the same in every process; None where somebody has an
    account. The unit writes."""
    return None if await unit.people.anybody() else await unit.installation.secret(WORD)


async def opens(unit: Unit, given: str) -> bool:
    """Whether that is the word, and nobody has an account."""
    kept = await unit.installation.get(WORD)
    return kept is not None and hmac.compare_digest(kept.encode(), given.encode()) and not await unit.people.anybody()


async def begin(unit: Unit, given: str, email: str, name: str, title: str, digest: str) -> tuple[str, Session]:
    """Use the word up: an account with that hash of a password, an organization that it is admin of, and a session, as
    `sessions.begin` gives it. Raises NotFound where the word does not serve, BadRequest for what cannot be."""
    if not await opens(unit, given) or not await unit.installation.take(WORD, given):
        raise NotFound(OVER)
    user = await account(unit, email, name)
    await unit.audit.of_account("user.create", user, actor=user)
    await found(unit, user, title)
    await unit.proofs.set_password(user.id, digest, unit.now)
    await unit.audit.of_account("user.password.set", user, actor=user)
    return await sessions.begin(unit, user.id, "password")


async def account(unit: Unit, email: str, name: str) -> User:
    """A new account; its address is taken to be its user's. Raises BadRequest for what cannot be one."""
    address = email.strip()
    if not 3 <= len(address) <= 254 or "@" not in address.strip("@") or len(address.split()) != 1:
        raise BadRequest(f"{email!r} is not an e-mail address")
    known = " ".join(name.split())[: limits.USER_NAME_MAX] or address
    wrong = names.fault(known) or names.fault(address)
    if wrong is not None:
        raise BadRequest(f"the name or address {wrong}")
    user = User(id=new_id(), email=address, name=known, created_at=unit.now, email_verified=unit.now)
    await unit.people.add_user(user)
    return user


async def found(unit: Unit, admin: User, title: str) -> Organization:
    """A new organization with its admin. Raises BadRequest for a title that cannot be one."""
    trimmed = title.strip()
    wrong = names.fault(trimmed)
    if wrong is not None:
        raise BadRequest(f"the organization's title {wrong}")
    if not 2 <= len(trimmed) <= 255:
        raise BadRequest("the organization's title must have 2 to 255 characters")
    organization = Organization(id=new_id(), title=trimmed, created_at=unit.now)
    await unit.people.add_organization(organization)
    await unit.people.add_member(Member(organization=organization.id, user=admin.id, role="admin", joined_at=unit.now))
    target = Target("organization", organization.id, organization.title)
    await unit.audit.append("organization.create", target, [organization.id])
    return organization
