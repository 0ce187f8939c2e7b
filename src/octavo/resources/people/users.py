"""Users: the caller's own account, and the people in the caller's organizations."""

from __future__ import annotations

from typing import Any

from msgspec import UNSET

from octavo.access.caller import Caller
from octavo.access.locate import SeenUser
from octavo.kernel.errors import Conflict
from octavo.kernel.events import AccountDeleted
from octavo.kernel.operation import ANYBODY, UNLIMITED, Nothing, Rule, nothing, reads, writes
from octavo.kernel.records.people import User
from octavo.resources.call import Call
from octavo.resources.places import Place
from octavo.wire.people import users
from octavo.wire.people.users import UpdateUser


class AtUser(Place, frozen=True):
    user: SeenUser


async def get_caller(call: Call, at: Nothing, takes: Nothing) -> User:
    """The caller."""
    return call.caller.user


async def get(call: Call, at: AtUser, takes: Nothing) -> User:
    """The caller, or somebody who is in an organization with her."""
    return at.user.record


async def update(call: Call, at: AtUser, body: UpdateUser) -> User:
    """One's own name and picture, and nobody else's."""
    changed: dict[str, object] = {
        name: value
        for name, value in (("name", body.display_name), ("photo_url", body.photo_url))
        if value is not UNSET
    }
    return await call.unit.people.change_user(at.user.record, **changed)


async def delete(call: Call, at: AtUser, takes: Nothing) -> None:
    """Tokens and sessions end at once, and nobody signs in any more. For a week an operator can restore the account;
    then a job removes it. Who is the only admin of an organization cannot go."""
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


def _herself(caller: Caller, at: AtUser, takes: object) -> bool:
    return at.user.record.id == caller.user.id


HERSELF: Rule[AtUser, Any] = Rule("the user herself", _herself, "an account is changed by its user alone")

OPERATIONS = (
    reads("getAuthenticatedUser", "/user", get_caller, users.present,
          needs=ANYBODY, scope=None, summary="Get the caller"),
    reads("getUserById", "/users/{user}", get, users.present,
          needs=ANYBODY, scope="user:read", tag="general", also="who is in an organization with the user",
          summary="Get a user"),
    writes("PATCH", "updateUserById", "/users/{user}", update, users.present,
           needs=HERSELF, scope=UNLIMITED, audit="user.update", tag="general",
           summary="Change one's name and picture"),
    writes("DELETE", "deleteUser", "/users/{user}", delete, nothing,
           needs=HERSELF, scope=UNLIMITED, audit="user.delete", tag="general",
           summary="Delete one's account; for a week it can be restored"),
)  # fmt: skip
