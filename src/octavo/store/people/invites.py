"""Invitations into organizations: links for whoever has them, and letters to one address."""

from __future__ import annotations

from octavo.kernel.records.invites import EmailInvite, Invite
from octavo.store.database.engine import Connection
from octavo.store.database.statement import Statement
from octavo.store.people.people import folded
from octavo.store.shelf import Table, count

INVITES = Table("invites", Invite)
EMAIL_INVITES = Table("email_invites", EmailInvite, extra=("email_folded",))

_ALL = INVITES.select("WHERE organization = :organization ORDER BY created_at DESC, id")
_COUNT = Statement("SELECT count(*) FROM invites WHERE organization = :organization")
_USE = Statement(
    "UPDATE invites SET uses = uses + 1 WHERE id = :id AND (max_uses IS NULL OR uses < max_uses)"
    " AND (expires_at IS NULL OR expires_at > :now)"
)
_REMOVE_OF = Statement("DELETE FROM invites WHERE organization = :organization AND created_by = :user")
_ALL_EMAILS = EMAIL_INVITES.select("WHERE organization = :organization ORDER BY created_at DESC, id")
_COUNT_EMAILS = Statement("SELECT count(*) FROM email_invites WHERE organization = :organization")
_BY_HASH = EMAIL_INVITES.select("WHERE hash = :hash")
_REMOVE_EMAIL = Statement("DELETE FROM email_invites WHERE organization = :organization AND email_folded = :email")


class Invites:
    """Who was asked to join, and by which links one may."""

    def __init__(self, at: Connection) -> None:
        self._at = at

    async def get(self, invite: str) -> Invite | None:
        return await INVITES.get(self._at, id=invite)

    async def all(self, organization: str) -> list[Invite]:
        """Every link of an organization, newest first."""
        return await INVITES.list(self._at, _ALL, {"organization": organization})

    async def count(self, organization: str) -> int:
        return await count(self._at, _COUNT, {"organization": organization})

    async def add(self, invite: Invite) -> None:
        await INVITES.add(self._at, invite)

    async def change(self, invite: Invite, **changed: object) -> Invite:
        return await INVITES.change(self._at, invite, **changed)

    async def use(self, invite: str, now: int) -> bool:
        """Count one use; False when it has expired, or has none left."""
        return await self._at.run(_USE, {"id": invite, "now": now}) == 1

    async def remove(self, invite: str) -> None:
        await INVITES.remove(self._at, id=invite)

    async def remove_of(self, organization: str, user: str) -> int:
        """The links that a user made; how many they were."""
        return await self._at.run(_REMOVE_OF, {"organization": organization, "user": user})

    async def emails(self, organization: str) -> list[EmailInvite]:
        """Every invitation by e-mail that nobody accepted, newest first."""
        return await EMAIL_INVITES.list(self._at, _ALL_EMAILS, {"organization": organization})

    async def count_emails(self, organization: str) -> int:
        return await count(self._at, _COUNT_EMAILS, {"organization": organization})

    async def email(self, invite: str) -> EmailInvite | None:
        return await EMAIL_INVITES.get(self._at, id=invite)

    async def email_by_hash(self, digest: str) -> EmailInvite | None:
        return await EMAIL_INVITES.first(self._at, _BY_HASH, {"hash": digest})

    async def put_email(self, invite: EmailInvite) -> None:
        """Invite an address; an earlier invitation of it into the same organization is over."""
        await self.remove_email(invite.organization, invite.email)
        await EMAIL_INVITES.add(self._at, invite, email_folded=folded(invite.email))

    async def remove_email(self, organization: str, email: str) -> bool:
        """False when the address was not invited."""
        return await self._at.run(_REMOVE_EMAIL, {"organization": organization, "email": folded(email)}) > 0
