"""Members and teams of one organization as the storage of scim2-server."""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable, Collection
from datetime import UTC, datetime
from typing import Any, TypeVar

import msgspec
from scim2_models import (
    ConflictException,
    Context,
    InvalidValueException,
    Meta,
    NotFoundException,
    NotImplementedException,
    PreconditionFailedException,
    Reference,
    Resource,
    ResourceType,
    ResponseParameters,
    ScimFilter,
    SearchRequest,
    UniquenessException,
)
from scim2_models.path import AttrPath, CompareOperator, Comparison
from scim2_server.storage import AsyncScimStorage, SearchPage

from octavo.access.people import provisioning
from octavo.access.people.provisioning import Taken, Told
from octavo.kernel import limits, names
from octavo.kernel.errors import BadRequest, Conflict
from octavo.kernel.records.provisioning import Provisioned, ScimGroup
from octavo.scim.models import Email, Group, Member, Membership, Name, User
from octavo.store.unit import Unit

T = TypeVar("T")


class Storage(AsyncScimStorage):
    """What an identity provider reads and says; `run` gives units, all of one request the same where it writes. Nobody gets
    an address of `operators` by it."""

    def __init__(
        self,
        organization: str,
        operators: Collection[str],
        run: Callable[[Callable[[Unit], Awaitable[Any]]], Awaitable[Any]],
    ) -> None:
        self._organization, self._operators = organization, operators
        self._run = run

    async def get(
        self,
        resource_type: ResourceType,
        resource_id: str,
        *,
        response_parameters: ResponseParameters[Any] | None = None,
    ) -> Resource[Any]:
        """One user or group. Raises NotFoundException."""

        if resource_type.name == "User":
            person = await self._run(lambda unit: unit.scim.person(self._organization, resource_id))
            found = await self._users([] if person is None else [person], groups=True)
        else:
            group = await self._run(lambda unit: unit.scim.group(resource_id))
            mine = [] if group is None or group.organization != self._organization else [group]
            found = await self._groups(mine, members=_wants_members(response_parameters))
        if not found:
            raise NotFoundException(detail=f"{resource_type.name} {resource_id!r} was not found")
        return found[0]

    async def search(
        self, resource_types: list[ResourceType], search_request: SearchRequest[Any], *, position: Any = None
    ) -> SearchPage:
        """Filtered, sorted and cut; the oldest first where no order is asked for."""
        if len(resource_types) != 1:
            raise NotImplementedException(detail="Search users and groups each at their own address")
        users = resource_types[0].name == "User"
        return await (self._search_users if users else self._search_groups)(search_request)

    async def create(self, resource_type: ResourceType, resource: Resource[Any]) -> Resource[Any]:
        """A member, or a team that follows the group."""

        async def work(unit: Unit) -> str:
            if isinstance(resource, User):
                said = resource if resource.active is not None else resource.model_copy(update={"active": True})
                return await provisioning.create(unit, self._organization, told_of(said), self._operators)
            return await self._put_group(unit, None, resource)

        made = await self._run(lambda unit: _refusing(work(unit)))
        return await self.get(resource_type, made)

    async def update(
        self, resource_type: ResourceType, resource: Resource[Any], *, expected_version: str | None = None
    ) -> Resource[Any]:
        """What the provider says of somebody, or of a group, from now on."""

        async def work(unit: Unit) -> None:
            word = str(resource.id)
            if isinstance(resource, User):
                person = await unit.scim.person(self._organization, word)
                if person is None:
                    raise NotFoundException
                _require_version(_version_of(person), expected_version)
                await provisioning.update(unit, self._organization, person, told_of(resource), self._operators)
                return
            group = await unit.scim.group(word)
            if group is None:
                raise NotFoundException
            await self._put_group(unit, group, resource)

        await self._run(lambda unit: _refusing(work(unit)))
        return await self.get(resource_type, str(resource.id))

    async def delete(
        self, resource_type: ResourceType, resource_id: str, *, expected_version: str | None = None
    ) -> None:
        """The member leaves the organization, or the team goes."""

        async def work(unit: Unit) -> None:
            if resource_type.name == "User":
                await provisioning.remove(unit, self._organization, resource_id)
                return
            group = await unit.scim.group(resource_id)
            if group is not None:
                await provisioning.remove_group(unit, group)

        await self._run(lambda unit: _refusing(work(unit)))

    async def _put_group(self, unit: Unit, group: ScimGroup | None, said: Resource[Any]) -> str:
        assert isinstance(said, Group)
        name, external = said.display_name or "", said.external_id
        _require_plain({"displayName": name, "externalId": external or ""})
        users = {_member_id(one) for one in said.members or []}
        if len(users) > limits.SCIM_MEMBERS_MAX:
            raise InvalidValueException(detail=f"members: a group has at most {limits.SCIM_MEMBERS_MAX}")
        return await provisioning.put_group(unit, self._organization, group, name, external, users)

    async def _search_users(self, asked: SearchRequest[Any]) -> SearchPage:
        name, word = _one_word(asked.filter)
        people: list[Provisioned] = await self._run(lambda unit: self._people(unit, name, word))
        if name in ("username", "externalid") or not (asked.filter or asked.sort_by):
            return SearchPage(len(people), await self._users(_cut(people, asked), groups=True))
        matching = _matching(await self._users(people, groups="groups" in _words(asked)), asked)
        order = {str(one.id): place for place, one in enumerate(_cut(matching, asked))}
        whole = await self._users([one for one in people if one.user in order], groups=True)
        return SearchPage(len(matching), sorted(whole, key=lambda one: order[str(one.id)]))

    async def _people(self, unit: Unit, name: str | None, word: str) -> list[Provisioned]:
        if name == "username":
            return await unit.scim.named(self._organization, word)
        if name == "externalid":
            return await unit.scim.with_external_id(self._organization, word)
        return await unit.scim.people(self._organization)

    async def _search_groups(self, asked: SearchRequest[Any]) -> SearchPage:
        groups: list[ScimGroup] = await self._run(lambda unit: unit.scim.groups(self._organization))
        shown = _wants_members(asked)
        if not (asked.filter or asked.sort_by):
            return SearchPage(len(groups), await self._groups(_cut(groups, asked), members=shown))
        matching = _matching(await self._groups(groups, members="members" in _words(asked)), asked)
        order = {str(one.id): place for place, one in enumerate(_cut(matching, asked))}
        whole = await self._groups([one for one in groups if one.team in order], members=shown)
        return SearchPage(len(matching), sorted(whole, key=lambda one: order[str(one.id)]))

    async def _users(self, people: list[Provisioned], *, groups: bool) -> list[Resource[Any]]:
        """The resources of members, with the groups that they are in."""
        held: dict[str, list[Membership]] = {}
        if groups and people:
            for user, group in await self._run(lambda unit: self._held(unit, people)):
                ref = Reference[Group](f"Groups/{group.team}")
                member = Membership(value=group.team, ref=ref, display=group.display_name)
                held.setdefault(user, []).append(member)
        return [_user(one, held.get(one.user)) for one in people]

    async def _held(self, unit: Unit, people: list[Provisioned]) -> list[tuple[str, ScimGroup]]:
        kept = {one.team: one for one in await unit.scim.groups(self._organization)}
        places = await unit.teams.of_users(self._organization, [one.user for one in people])
        return [(one.user, kept[one.team]) for one in places if one.team in kept]

    async def _groups(self, groups: list[ScimGroup], *, members: bool) -> list[Resource[Any]]:
        places: dict[str, list[str]] = {one.team: [] for one in groups}
        for place in await self._run(lambda unit: unit.teams.of_teams(places)):
            places[place.team].append(place.user)
        return [_group(one, sorted(places[one.team]), members=members) for one in groups]


def told_of(said: User) -> Told:
    """What a resource says of somebody. Raises InvalidValueException for what nobody can keep."""
    addresses = sorted(said.emails or [], key=lambda one: (not one.primary, (one.type or "").lower() != "work"))
    values = [one.value.strip() for one in addresses if one.value]
    user_name = (said.user_name or "").strip()
    name = said.name or Name()
    parts = " ".join(part for part in (name.given_name, name.family_name) if part)
    address = values[0] if values else user_name
    called = said.display_name or name.formatted or parts or address.partition("@")[0]
    profile = said.model_dump(scim_ctx=Context.DEFAULT, mode="json")
    profile = {key: profile[key] for key in ("name", "displayName", "emails", "active") if key in profile}
    if len(msgspec.json.encode(profile)) > limits.SCIM_PROFILE_BYTES:
        raise InvalidValueException(detail=f"the user has more than {limits.SCIM_PROFILE_BYTES} bytes")
    _require_plain({"userName": user_name, "externalId": said.external_id or ""})
    if not user_name:
        raise InvalidValueException(detail="userName: is empty")
    return Told(
        user_name=user_name,
        address=address,
        name=names.plain(called, limits.USER_NAME_MAX) or address.partition("@")[0][: limits.USER_NAME_MAX],
        external_id=said.external_id,
        active=said.active is not False,
        profile=profile,
    )


def _user(person: Provisioned, groups: list[Membership] | None) -> User:
    """A member; of somebody of whom SCIM never spoke, what her account says."""
    if person.profile is None:
        profile: dict[str, Any] = {
            "name": {"formatted": person.name},
            "displayName": person.name,
            "emails": [{"value": person.email, "type": "work", "primary": True}],
            "active": True,
        }
    else:
        profile = msgspec.json.decode(person.profile)
    return User(
        id=person.user,
        external_id=person.external_id,
        user_name=person.user_name or person.email,
        name=Name.model_validate(profile["name"]) if "name" in profile else None,
        display_name=profile.get("displayName"),
        emails=[Email.model_validate(one) for one in profile["emails"]] if "emails" in profile else None,
        # Taken away, it is said no more; it means what it means without.
        active=not person.disabled if person.disabled or "active" in profile else None,
        groups=groups,
        meta=_meta(
            "User", person.created_at or person.joined_at, person.changed_at or person.joined_at, _version_of(person)
        ),
    )


def _group(group: ScimGroup, users: list[str], *, members: bool) -> Group:
    """A team; long ones are asked for without their members."""
    there = [Member(value=user, ref=Reference[User](f"Users/{user}")) for user in users] if members else []
    version = _version(group.display_name, group.external_id, users)
    return Group(
        id=group.team,
        external_id=group.external_id,
        display_name=group.display_name,
        members=there or None,
        meta=_meta("Group", group.created_at, group.changed_at, version),
    )


def _meta(kind: str, created_at: int, changed_at: int, version: str) -> Meta:
    created, changed = (datetime.fromtimestamp(at / 1000, UTC) for at in (created_at, changed_at))
    return Meta(resource_type=kind, created=created, last_modified=changed, version=version)


def _version_of(person: Provisioned) -> str:
    return _version(*msgspec.structs.astuple(person))


def _version(*said: object) -> str:
    """By content, so that a change by hand is seen too."""
    return f'W/"{hashlib.blake2b(msgspec.json.encode(said), digest_size=12).hexdigest()}"'


def _require_version(version: str, expected: str | None) -> None:
    if expected is not None and version != expected:
        raise PreconditionFailedException


def _member_id(said: Member) -> str:
    """Who is meant; by reference alone, the end of it."""
    word = said.value or str(said.ref or "").rstrip("/").rpartition("/")[2]
    if not word:
        raise InvalidValueException(detail="members: each has a value, the id of a user")
    return word


def _require_plain(said: dict[str, str]) -> None:
    for field, value in said.items():
        wrong = names.fault(value)
        if wrong is None and len(value) > limits.SCIM_TEXT_MAX:
            wrong = f"has more than {limits.SCIM_TEXT_MAX} characters"
        if wrong is not None:
            raise InvalidValueException(detail=f"{field}: {wrong}")


async def _refusing(work: Awaitable[T]) -> T:
    """A refusal of Octavo as one of SCIM."""
    try:
        return await work
    except Taken as failure:
        raise UniquenessException(detail=failure.message) from failure
    except Conflict as failure:
        raise ConflictException(detail=failure.message) from failure
    except BadRequest as failure:
        raise InvalidValueException(detail=failure.message) from failure


def _one_word(asked: ScimFilter[Any] | None) -> tuple[str | None, str]:
    """Attribute in lower case and value of a filter that is `userName eq "…"`, as nearly all are; (None, "") for others."""
    node = None if asked is None else asked.ast
    if not isinstance(node, Comparison) or node.op != CompareOperator.eq or not isinstance(node.value, str):
        return None, ""
    path: AttrPath = node.attr_path
    name = path.attr.lower()
    plain = path.sub_attr is None and name in ("username", "externalid", "displayname")
    return (name, node.value) if plain else (None, "")


def _words(asked: SearchRequest[Any]) -> str:
    """In which names of attributes are looked for."""
    return f"{asked.filter or ''} {asked.sort_by or ''}".lower()


def _wants_members(asked: ResponseParameters[Any] | None) -> bool:
    if asked is None:
        return True
    named = [str(one).rpartition(":")[2].lower() for one in asked.attributes or []]
    if named:
        return any(one.split(".")[0] == "members" for one in named)
    left_out = [str(one).rpartition(":")[2].lower() for one in asked.excluded_attributes or []]
    return "members" not in left_out


def _matching(found: list[Resource[Any]], asked: SearchRequest[Any]) -> list[Resource[Any]]:
    """What the filter takes, in the order that is asked for."""
    taken = found if asked.filter is None else [one for one in found if asked.filter.match(one)]
    return asked.sort(taken) if asked.sort_by else taken


def _cut(found: list[T], asked: SearchRequest[Any]) -> list[T]:
    start = max(1, asked.start_index or 1) - 1
    most = limits.SCIM_PAGE_MAX if asked.count is None else max(0, asked.count)
    return found[start : start + most]
