"""People of an exported organization: who they are by their addresses, what they are in it, and its settings."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from octavo.access.people.proving import prove
from octavo.kernel import limits, names
from octavo.kernel.audit import Target
from octavo.kernel.errors import BadRequest, Conflict
from octavo.kernel.ids import new_id
from octavo.kernel.records import Json, Role
from octavo.kernel.records.people import Member, Organization, User
from octavo.manifests.library import translated
from octavo.manifests.rows import PERSON, Restoring, plain, read_file
from octavo.store.people.people import folded
from octavo.store.unit import Unit

ORGANIZATION = "organization.json"
PEOPLE = "people.json"
_OF_ORGANIZATION = ("id", "title", "created_at", "hostname", "deleted_at")
"""What is not a setting: the manifest says it, or it is proven anew."""
_OF_MEMBER = ("user", "last_seen_at")


class Person(msgspec.Struct):
    """An account, as far as others know it."""

    email: str
    name: str
    id: str
    created_at: int
    photo_url: str | None = None
    language: str | None = None


class Membership(msgspec.Struct):
    """What somebody is in the organization."""

    user: str
    joined_at: int
    role: Role | None = None
    disabled: bool = False
    sso: bool = False


class Settings(msgspec.Struct):
    """Of an organization."""

    default_role: Role | None = None
    email_domains: list[str] = []
    default_content: str | None = None
    logo: str | None = None
    sso: bool = False
    ai: bool = True
    invite_links: bool = True
    use_case: str | None = None
    community_type: str | None = None
    merge_rules: Json | None = None


class People(msgspec.Struct):
    """Who is in an export."""

    people: list[Person] = []
    members: list[Membership] = []


async def people_of(unit: Unit, organization: str, named: set[str]) -> tuple[dict[str, str], People]:
    """Id -> address of all members and of those whom rows name, and the same for the file."""
    members = await unit.people.whole(organization)
    users = [one for one in await unit.people.users(named | {one.user for one in members}) if one.deleted_at is None]
    users.sort(key=lambda one: folded(one.email))
    mails = {one.id: one.email for one in users}
    told = People(
        [Person(one.email, one.name, one.id, one.created_at, one.photo_url, one.language) for one in users],
        sorted((_membership(one, mails) for one in members), key=lambda one: folded(one.user)),
    )
    return mails, told


def _membership(one: Member, mails: dict[str, str]) -> Membership:
    return Membership(PERSON + mails[one.user], one.joined_at, one.role, one.disabled, one.sso)


def told_people(people: People) -> Json:
    """As the file has them."""
    return {"people": [plain(one) for one in people.people], "members": [plain(one) for one in people.members]}


def told_settings(organization: Organization, mails: dict[str, str]) -> Json:
    """As the file has them; of a person it names the address."""
    settings = plain(organization, left=_OF_ORGANIZATION)
    return dict(translated(settings, {user: PERSON + mail for user, mail in mails.items()}))


def read_people(folder: Path) -> People:
    """Raises BadRequest, which names the file and the place."""
    told = read_file(folder, PEOPLE, (), more=True)
    known = {name: told[name] for name in ("people", "members") if name in told}
    try:
        people = msgspec.convert(known, People)
    except msgspec.ValidationError as error:
        raise BadRequest(f"{PEOPLE}: {error}") from error
    addresses: set[str] = set()
    for number, one in enumerate(people.people, 1):
        _check_person(number, one, addresses)
    for number, member in enumerate(people.members, 1):
        if member.user not in {PERSON + one.email for one in people.people}:
            raise BadRequest(f"{PEOPLE}: members {number}: user names {member.user!r}, who is not among its people")
    return people


def _check_person(number: int, one: Person, addresses: set[str]) -> None:
    place = f"{PEOPLE}: people {number}"
    if not 3 <= len(one.email) <= 254 or "@" not in one.email.strip("@") or len(one.email.split()) != 1:
        raise BadRequest(f"{place}: {one.email!r} is not an e-mail address")
    wrong = names.fault(one.name) or names.fault(one.email)
    if wrong is not None or not 1 <= len(one.name) <= limits.USER_NAME_MAX:
        raise BadRequest(f"{place}: the name or address {wrong or 'is too long or empty'}")
    if folded(one.email) in addresses:
        raise BadRequest(f"{place}: {one.email} is there twice")
    addresses.add(folded(one.email))


def read_settings(folder: Path) -> Settings | None:
    """None where the export has none. Raises BadRequest for what are none."""
    file = folder / ORGANIZATION
    if not file.is_file():
        return None
    try:
        return msgspec.json.decode(file.read_bytes(), type=Settings)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise BadRequest(f"{ORGANIZATION}: {error}") from error


async def restore_people(unit: Unit, kept: People, at: Restoring, *, empty: bool) -> None:
    """Find the accounts by their addresses, or make them without a password; make them members. In an organization that was
    empty members become what they were; nobody stops being an admin by it, and elsewhere members stay what they are."""
    known = await unit.people.users_by_email(one.email for one in kept.people)
    taken = {one.id for one in await unit.people.users(one.id for one in kept.people)}
    for one in kept.people:
        user = known.get(folded(one.email))
        if user is None:
            user = await _account(unit, one, new_id() if one.id in taken else one.id)
            at.remade.append(f"{one.email} has an account now, and has to set a password or sign in by mail.")
        elif user.deleted_at is not None:
            raise Conflict(f"the account of {one.email} is deleted; `octavo user restore` brings it back")
        else:
            await prove(unit, user)
        at.ids |= {PERSON + one.email: user.id, one.id: user.id}
    there = {one.user: one for one in await unit.people.whole(at.organization)}
    for told in kept.members:
        values: dict[str, Any] = {name: getattr(told, name) for name in ("joined_at", "role", "disabled", "sso")}
        member = there.get(at.ids[told.user])
        if member is None:
            await unit.people.add_member(Member(organization=at.organization, user=at.ids[told.user], **values))
        elif empty and (member.role != "admin" or (told.role == "admin" and not told.disabled)):
            await unit.people.change_member(member, **values)


async def _account(unit: Unit, one: Person, id: str) -> User:
    user = User(
        id=id,
        email=one.email,
        name=one.name,
        photo_url=one.photo_url,
        created_at=one.created_at,
        email_verified=unit.now,
        language=one.language,
    )
    await unit.people.add_user(user)
    await unit.audit.of_account("user.create", user)
    return user


async def restore_settings(unit: Unit, kept: Settings, title: str, at: Restoring) -> None:
    """Give an organization that was empty the title and settings of the export."""
    organization = await unit.people.organization(at.organization)
    assert organization is not None  # it was there when the import began
    values = {name: translated(getattr(kept, name), at.ids) for name in kept.__struct_fields__}
    await unit.people.change_organization(organization, title=title, **values)
    target = Target("organization", organization.id, title)
    await unit.audit.append("organization.update", target, [organization.id])
