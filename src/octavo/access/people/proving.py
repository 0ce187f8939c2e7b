"""An address is shown to be somebody's: the account is hers from then on, and what was made in its name before ends.

Where no mail is sent, whoever is handed an invitation may open an account under an address that is another's. As long as
nobody has shown the address to be hers, such an account is a name that somebody gave: it works, and it gives way.
"""

from __future__ import annotations

from octavo.access.caller import Caller
from octavo.kernel.records.people import User
from octavo.store.unit import Unit


async def prove(unit: Unit, user: User, *, by: Caller | None = None) -> User:
    """The user, whose address was just shown to be hers: by a mail to it, an identity provider, or the operator's word.

    When that is news, every token and session of the account ends and its password is forgotten, but for the session or
    token of `by`, who showed it.
    """
    if user.email_verified:
        return user
    session = "" if by is None or by.session is None else by.session.id
    token = "" if by is None or by.session is not None else by.token.id
    details = {
        "sessions": await unit.sessions.remove_of_user(user.id, besides=session),
        "tokens": await unit.people.revoke_tokens(user.id, besides=token),
    }
    await unit.proofs.remove_password(user.id)
    proven = await unit.people.change_user(user, email_verified=unit.now)
    await unit.audit.of_account("user.address.prove", user, details=details)
    return proven
