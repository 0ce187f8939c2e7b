"""What SCIM says of members and teams, and the tokens that it says it with."""

from __future__ import annotations

from collections.abc import Iterable

from octavo.kernel.records.provisioning import Provisioned, ScimGroup, ScimToken, ScimUser
from octavo.store.database.engine import Connection
from octavo.store.database.statement import Statement
from octavo.store.people.people import folded
from octavo.store.shelf import Table

TOKENS = Table("scim_tokens", ScimToken)
USERS = Table("scim_users", ScimUser, key=("organization", "user"), extra=("user_name_folded",))
GROUPS = Table("scim_groups", ScimGroup, key=("team",), extra=("display_name_folded",))

_BY_HASH = TOKENS.select("WHERE hash = :hash")
_TOKENS_OF = TOKENS.select("WHERE organization = :organization ORDER BY created_at DESC, id DESC")
_TOUCH = Statement("UPDATE scim_tokens SET last_used_at = :now WHERE id = :id")
_PEOPLE = (
    'SELECT members."user", users.email, users.name, members.disabled, members.joined_at, scim_users.user_name,'
    " scim_users.external_id, scim_users.profile, scim_users.created_at, scim_users.changed_at FROM members"
    ' JOIN users ON users.id = members."user" AND users.deleted_at IS NULL LEFT JOIN scim_users'
    ' ON scim_users.organization = members.organization AND scim_users."user" = members."user"'
    " WHERE members.organization = :organization"
)
_ORDER = ' ORDER BY members.joined_at, members."user"'
_ALL = Statement(_PEOPLE + _ORDER)
_ONE = Statement(_PEOPLE + ' AND members."user" = :user')
_BY_NAME = Statement(
    _PEOPLE + ' AND (members."user" IN (SELECT "user" FROM scim_users WHERE organization = :organization'
    " AND user_name_folded = :word) OR (users.email_folded = :word AND scim_users.user_name IS NULL))"
)
_BY_EXTERNAL_ID = Statement(_PEOPLE + " AND scim_users.external_id = :word" + _ORDER)
_BY_USER_NAME = USERS.select("WHERE organization = :organization AND user_name_folded = :word")
_GROUPS_OF = GROUPS.select("WHERE organization = :organization ORDER BY created_at, team")
_BY_DISPLAY_NAME = GROUPS.select("WHERE organization = :organization AND display_name_folded = :word")
_MANAGED = Statement(
    "SELECT team FROM scim_groups WHERE team IN :teams[] AND EXISTS (SELECT 1 FROM scim_tokens"
    " WHERE scim_tokens.organization = scim_groups.organization)"
)
_BY_PROVIDERS = "(SELECT id FROM saml_providers WHERE organization = :organization)"
_END = [
    Statement(f'DELETE FROM {table} WHERE "user" = :user AND provider IN {_BY_PROVIDERS}')
    for table in ("sessions", "tokens")
]


class Scim:
    """Members and teams as an identity provider has them."""

    def __init__(self, at: Connection) -> None:
        self._at = at

    async def token(self, token: str) -> ScimToken | None:
        return await TOKENS.get(self._at, id=token)

    async def token_by_hash(self, digest: str) -> ScimToken | None:
        return await TOKENS.first(self._at, _BY_HASH, {"hash": digest})

    async def tokens(self, organization: str) -> list[ScimToken]:
        """All of an organization, newest first."""
        return await TOKENS.list(self._at, _TOKENS_OF, {"organization": organization})

    async def add_token(self, token: ScimToken) -> None:
        await TOKENS.add(self._at, token)

    async def touch_token(self, token: str, now: int) -> None:
        await self._at.run(_TOUCH, {"id": token, "now": now})

    async def remove_token(self, token: str) -> bool:
        """False when there was none."""
        return await TOKENS.remove(self._at, id=token)

    async def people(self, organization: str) -> list[Provisioned]:
        """Members and guests, the first to join first; disabled ones too."""
        return [Provisioned(*row) for row in await self._at.rows(_ALL, {"organization": organization})]

    async def person(self, organization: str, user: str) -> Provisioned | None:
        found = await self._at.rows(_ONE, {"organization": organization, "user": user})
        return Provisioned(*found[0]) if found else None

    async def named(self, organization: str, user_name: str) -> list[Provisioned]:
        """Whose `userName` it is, which is the address of somebody of whom SCIM never spoke."""
        values = {"organization": organization, "word": folded(user_name)}
        return [Provisioned(*row) for row in await self._at.rows(_BY_NAME, values)]

    async def with_external_id(self, organization: str, word: str) -> list[Provisioned]:
        values = {"organization": organization, "word": word}
        return [Provisioned(*row) for row in await self._at.rows(_BY_EXTERNAL_ID, values)]

    async def user(self, organization: str, user: str) -> ScimUser | None:
        return await USERS.get(self._at, organization=organization, user=user)

    async def user_by_name(self, organization: str, user_name: str) -> ScimUser | None:
        values = {"organization": organization, "word": folded(user_name)}
        return await USERS.first(self._at, _BY_USER_NAME, values)

    async def put_user(self, user: ScimUser) -> None:
        """Instead of what was said of the member before."""
        await USERS.remove(self._at, organization=user.organization, user=user.user)
        await USERS.add(self._at, user, user_name_folded=folded(user.user_name))

    async def group(self, team: str) -> ScimGroup | None:
        return await GROUPS.get(self._at, team=team)

    async def groups(self, organization: str) -> list[ScimGroup]:
        """The oldest first."""
        return await GROUPS.list(self._at, _GROUPS_OF, {"organization": organization})

    async def group_by_name(self, organization: str, display_name: str) -> ScimGroup | None:
        values = {"organization": organization, "word": folded(display_name)}
        return await GROUPS.first(self._at, _BY_DISPLAY_NAME, values)

    async def put_group(self, group: ScimGroup) -> None:
        """Instead of what was said of the team before."""
        await GROUPS.remove(self._at, team=group.team)
        await GROUPS.add(self._at, group, display_name_folded=folded(group.display_name))

    async def managed(self, teams: Iterable[str]) -> set[str]:
        """Those of the teams that follow a group, as long as the organization has a token for SCIM."""
        asked = sorted(set(teams))
        return {row[0] for row in await self._at.rows(_MANAGED, {"teams": asked})} if asked else set()

    async def end_by_providers(self, organization: str, user: str) -> None:
        """A user's sessions and tokens that rest on the word of the organization's identity providers."""
        for statement in _END:
            await self._at.run(statement, {"organization": organization, "user": user})
