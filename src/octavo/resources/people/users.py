"""Users: the caller's own account, and the people in the caller's organizations."""

from __future__ import annotations

from dataclasses import dataclass

from msgspec import UNSET

from octavo.access.locate import SeenUser
from octavo.kernel.errors import Conflict, Forbidden
from octavo.kernel.events import AccountDeleted
from octavo.kernel.operation import READ, UNLIMITED, Nothing, Operation, write
from octavo.kernel.records.people import User
from octavo.resources.call import Call
from octavo.wire.people import users
from octavo.wire.people.users import UpdateUser
from octavo.wire.view import View


@dataclass(frozen=True)
class AtUser:
    user: SeenUser


async def get_caller(call: Call, at: Nothing, takes: Nothing) -> User:
    """The caller."""
    return call.caller.user


async def get(call: Call, at: AtUser, takes: Nothing) -> User:
    """The caller, or somebody who is in an organization with her."""
    return at.user.record


async def update(call: Call, at: AtUser, body: UpdateUser) -> User:
    """One's own name and picture, and nobody else's."""
    _own(call, at)
    changed: dict[str, object] = {
        name: value
        for name, value in (("name", body.display_name), ("photo_url", body.photo_url))
        if value is not UNSET
    }
    return await call.unit.people.change_user(at.user.record, **changed)


async def delete(call: Call, at: AtUser, takes: Nothing) -> None:
    """Tokens and sessions end at once, and nobody signs in any more. For a week an operator can restore the account;
    then a job removes it. Who is the only admin of an organization cannot go."""
    _own(call, at)
    user = at.user.record
    held = await call.unit.people.all_of(user.id)
    for organization in sorted(one.id for one in held):
        await call.unit.people.hold_organization(organization)
    alone = await call.unit.people.last_admin_of(user.id)
    if alone:
        raise Conflict(
            f"you are the only admin of {alone[0].title!r} ({alone[0].id}): make somebody else one, or delete it first"
        )
    await call.unit.people.change_user(user, deleted_at=call.now)
    await call.unit.people.revoke_tokens(user.id)
    await call.unit.sessions.remove_of_user(user.id)
    await call.unit.emit(AccountDeleted(account=user.id, deleted_at=call.now))


def _own(call: Call, at: AtUser) -> None:
    if at.user.record.id != call.caller.user.id:
        raise Forbidden("an account is changed by its user alone")


def _nothing(done: None, view: View) -> None:
    """205 carries no body."""


OPERATIONS = (
    Operation(
        id="getAuthenticatedUser",
        method="GET",
        path="/user",
        at=Nothing,
        takes=Nothing,
        does=get_caller,
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
        id="getUserById",
        method="GET",
        path="/users/{user}",
        at=AtUser,
        takes=Nothing,
        does=get,
        present=users.present,
        gives=users.User,
        status=200,
        needs="user",
        pace="read",
        unit=READ,
        scope="user:read",
        summary="Get a user",
        tag="general",
    ),
    Operation(
        id="updateUserById",
        method="PATCH",
        path="/users/{user}",
        at=AtUser,
        takes=UpdateUser,
        does=update,
        present=users.present,
        gives=users.User,
        status=200,
        needs="relation",
        pace="write",
        unit=write(),
        scope=UNLIMITED,
        summary="Change one's name and picture",
        tag="general",
    ),
    Operation(
        id="deleteUser",
        method="DELETE",
        path="/users/{user}",
        at=AtUser,
        takes=Nothing,
        does=delete,
        present=_nothing,
        gives=None,
        status=205,
        needs="relation",
        pace="write",
        unit=write(),
        scope=UNLIMITED,
        summary="Delete one's account; for a week it can be restored",
        tag="general",
    ),
)
