"""Records of invitations into organizations."""

from __future__ import annotations

from octavo.kernel.records import Record, Role


class Invite(Record, frozen=True):
    """A link by which whoever has it joins an organization, and is given a role on one space or collection of it."""

    id: str
    """Random: who knows it may join."""
    organization: str
    role: Role | None
    """In the organization, or with a space or collection the one on that; None = guest."""
    created_by: str
    created_at: int
    space: str | None = None
    collection: str | None = None
    expires_at: int | None = None
    max_uses: int | None = None
    uses: int = 0


class EmailInvite(Record, frozen=True):
    """An invitation of one address into an organization."""

    id: str
    organization: str
    email: str
    """As written."""
    role: Role | None
    """None = guest."""
    hash: str
    """Of the word in the link."""
    created_by: str
    created_at: int
    expires_at: int
    sso: bool = False
    mailed: bool = False
    """Whoever has the link has the mailbox; otherwise it was shown to whoever invited."""
