"""Identity providers, whom they have proven, and what may be used once only."""

from __future__ import annotations

from collections.abc import Iterable

from octavo.kernel.ids import token_hash
from octavo.kernel.records.saml import SamlIdentity, SamlLogin, SamlProvider
from octavo.store.database.engine import Connection
from octavo.store.database.statement import Statement
from octavo.store.shelf import Table

PROVIDERS = Table("saml_providers", SamlProvider)
IDENTITIES = Table("saml_identities", SamlIdentity, key=("provider", "subject"))
LOGINS = Table("saml_logins", SamlLogin, key=("hash",))

_OF_ORGANIZATION = PROVIDERS.select("WHERE organization = :organization ORDER BY created_at DESC, id DESC")
_SIGNING = PROVIDERS.select(
    "WHERE certificate <> '' AND ready = 1"
    " AND organization IN (SELECT id FROM organizations WHERE deleted_at IS NULL) ORDER BY organization, id"
)
_SERVED = Statement(
    "SELECT DISTINCT organization FROM saml_providers JOIN organizations ON organizations.id = organization"
    " WHERE ready = 1 AND organizations.deleted_at IS NULL LIMIT 2"
)
_USE = Statement(
    "INSERT INTO saml_used (organization, provider, word, expires_at)"
    " VALUES (:organization, :provider, :word, :expires_at) ON CONFLICT (provider, word) DO NOTHING"
)
_LINK = Statement(
    'INSERT INTO saml_identities (organization, provider, subject, "user", created_at)'
    " VALUES (:organization, :provider, :subject, :user, :created_at)"
    ' ON CONFLICT (provider, subject) DO UPDATE SET "user" = excluded."user", created_at = excluded.created_at'
)
_PROVEN = Statement('SELECT "user" FROM oidc_identities WHERE issuer = :issuer AND subject = :subject')
_PROVE = Statement(
    'INSERT INTO oidc_identities (issuer, subject, "user", created_at) VALUES (:issuer, :subject, :user, :now)'
    ' ON CONFLICT (issuer, subject) DO UPDATE SET "user" = excluded."user", created_at = excluded.created_at'
)
_FORGET_USED = Statement("DELETE FROM saml_used WHERE expires_at <= :now")
_FORGET_LOGINS = Statement("DELETE FROM saml_logins WHERE expires_at <= :now")
_END_SESSIONS = Statement("DELETE FROM sessions WHERE provider = :provider")
_END_TOKENS = Statement("DELETE FROM tokens WHERE provider = :provider")
_BARRED = Statement(
    "SELECT organizations.id FROM organizations JOIN members ON members.organization = organizations.id"
    ' WHERE members."user" = :user AND organizations.sso = 1'
    " AND EXISTS (SELECT 1 FROM saml_providers WHERE organization = organizations.id AND ready = 1)"
    " AND NOT EXISTS (SELECT 1 FROM saml_providers WHERE organization = organizations.id AND id = :provider)"
)


class Saml:
    """Single sign-on of organizations."""

    def __init__(self, at: Connection) -> None:
        self._at = at

    async def get(self, provider: str) -> SamlProvider | None:
        return await PROVIDERS.get(self._at, id=provider)

    async def of(self, organization: str) -> list[SamlProvider]:
        """Every provider of an organization, newest first."""
        return await PROVIDERS.list(self._at, _OF_ORGANIZATION, {"organization": organization})

    async def signing(self) -> list[SamlProvider]:
        """All that sign what they say by a certificate, of every organization."""
        return await PROVIDERS.list(self._at, _SIGNING, {})

    async def only_organization(self) -> str | None:
        """The one organization of the installation whose people can sign in by a provider; None = none, or several."""
        found = await self._at.rows(_SERVED, {})
        return found[0][0] if len(found) == 1 else None

    async def serves(self) -> bool:
        """Whether anybody of the installation can sign in by a provider."""
        return bool(await self._at.rows(_SERVED, {}))

    async def add(self, provider: SamlProvider) -> None:
        await PROVIDERS.add(self._at, provider)

    async def change(self, provider: SamlProvider, **changed: object) -> SamlProvider:
        return await PROVIDERS.change(self._at, provider, **changed)

    async def remove(self, provider: str) -> None:
        """Sessions and tokens that rest on its word end with it; the people stay."""
        await self._at.run(_END_SESSIONS, {"provider": provider})
        await self._at.run(_END_TOKENS, {"provider": provider})
        await PROVIDERS.remove(self._at, id=provider)

    async def identity(self, provider: str, subject: str) -> SamlIdentity | None:
        return await IDENTITIES.get(self._at, provider=provider, subject=subject)

    async def link(self, identity: SamlIdentity) -> None:
        """From now on the provider means that user by the subject."""
        await self._at.run(_LINK, IDENTITIES.values(identity))

    async def proven(self, issuer: str, subject: str) -> str | None:
        """The user whom the provider of the whole installation means by a subject."""
        found = await self._at.rows(_PROVEN, {"issuer": issuer, "subject": subject})
        return found[0][0] if found else None

    async def remember(self, issuer: str, subject: str, user: str, now: int) -> None:
        """From now on that provider means that user by the subject."""
        await self._at.run(_PROVE, {"issuer": issuer, "subject": subject, "user": user, "now": now})

    async def use_once(self, provider: SamlProvider, words: Iterable[str], now: int, expires_at: int) -> bool:
        """Whether none of these words was used before; they are remembered until `expires_at`."""
        await self._at.run(_FORGET_USED, {"now": now})
        values = {"organization": provider.organization, "provider": provider.id, "expires_at": expires_at}
        fresh = [await self._at.run(_USE, values | {"word": token_hash(word)}) for word in sorted(words)]
        return all(fresh)

    async def await_login(self, login: SamlLogin, now: int) -> None:
        """Keep it until the browser comes for it, once."""
        await self._at.run(_FORGET_LOGINS, {"now": now})
        await LOGINS.add(self._at, login)

    async def take_login(self, digest: str, now: int) -> SamlLogin | None:
        """The login of that hash, which is gone then; None also when it has expired."""
        found = await LOGINS.get(self._at, hash=digest)
        if found is None or not await LOGINS.remove(self._at, hash=digest):
            return None
        return found if now < found.expires_at else None

    async def barred(self, user: str, provider: str | None) -> frozenset[str]:
        """The user's organizations that let nobody in but by a provider of theirs, which that provider is not.

        An organization without a provider that is ready bars nobody: nobody could come in.
        """
        return frozenset(row[0] for row in await self._at.rows(_BARRED, {"user": user, "provider": provider}))
