"""What the installation knows of itself: its key, and derived values that may be dropped."""

from __future__ import annotations

import secrets
from collections.abc import Collection, Iterable, Mapping

import msgspec

from octavo.store.database.engine import Connection
from octavo.store.database.statement import Statement

_GET = Statement("SELECT value FROM installation WHERE name = :name")
_SET = Statement("INSERT INTO installation (name, value) VALUES (:name, :value) ON CONFLICT (name) DO NOTHING")
_NAMES = Statement("SELECT name FROM installation WHERE name >= :begins AND name < :ends")
_DROP = Statement("DELETE FROM installation WHERE name = :name")
_TAKE = Statement("DELETE FROM installation WHERE name = :name AND value = :value")
_CACHED = Statement("SELECT key, data FROM cache WHERE key IN :keys[bytes]")
_CACHE = Statement(
    "INSERT INTO cache (key, data, touched) VALUES (:key, :data, :touched)"
    " ON CONFLICT (key) DO UPDATE SET touched = excluded.touched"
)
_REPLACE = Statement(
    "INSERT INTO cache (key, data, touched) VALUES (:key, :data, :touched)"
    " ON CONFLICT (key) DO UPDATE SET data = excluded.data, touched = excluded.touched"
)


_BACKUP = "backup-done"
_COLLECTED = "collect-done"
_COPIED = "copied"


class Collected(msgspec.Struct, frozen=True):
    """A look for what nothing refers to in one organization: when, and how much went."""

    at: int
    objects: int
    files: int


class NewestBackup(msgspec.Struct, frozen=True):
    """The newest that was made by schedule."""

    at: int
    """Milliseconds."""
    file: str
    bytes: int


class Installation:
    """Values by name."""

    def __init__(self, at: Connection) -> None:
        self._at = at

    async def get(self, name: str) -> str | None:
        rows = await self._at.rows(_GET, {"name": name})
        return rows[0][0] if rows else None

    async def set(self, name: str, value: str) -> None:
        """Keep a value, unless there is one of that name."""
        await self._at.run(_SET, {"name": name, "value": value})

    async def secret(self, name: str) -> str:
        """The secret of that name; made when it is asked for first."""
        await self.set(name, secrets.token_urlsafe(32))
        found = await self.get(name)
        assert found is not None
        return found

    async def take(self, name: str, value: str) -> bool:
        """Use a value up: of several who try, one hears True."""
        return await self._at.run(_TAKE, {"name": name, "value": value}) == 1

    async def newest_backup(self) -> NewestBackup | None:
        """The newest that was made by schedule; None where none ever was."""
        found = await self.get(_BACKUP)
        return None if found is None else msgspec.json.decode(found, type=NewestBackup)

    async def note_backup(self, made: NewestBackup) -> None:
        """There is a newer one."""
        await self._note(_BACKUP, made)

    async def collected(self) -> Collected | None:
        """When what nothing refers to was last looked for; None where it never was."""
        found = await self.get(_COLLECTED)
        return None if found is None else msgspec.json.decode(found, type=Collected)

    async def note_collected(self, done: Collected) -> None:
        """It was just now."""
        await self._note(_COLLECTED, done)

    async def copied(self) -> str | None:
        """When this was restored as a copy that is not to reach outside, as ISO 8601; None for all other installations."""
        return await self.get(_COPIED)

    async def set_copied(self, at: str) -> None:
        """It is one since then."""
        await self.set(_COPIED, at)

    async def promote(self) -> str | None:
        """From now on it is an installation of its own; since when it was a copy, None where it was none."""
        found = await self.copied()
        await self._at.run(_DROP, {"name": _COPIED})
        return found

    async def _note(self, name: str, value: msgspec.Struct) -> None:
        await self._at.run(_DROP, {"name": name})
        await self.set(name, msgspec.json.encode(value).decode())

    async def drop(self, prefix: str, keep: Collection[str]) -> None:
        """Throw away what has a name that begins so, but for these."""
        for (name,) in await self._at.rows(_NAMES, {"begins": prefix, "ends": prefix + "\U0010ffff"}):
            if name not in keep:
                await self._at.run(_DROP, {"name": name})


class Cache:
    """Derived bytes by digest: dropping all of it loses nothing but time."""

    def __init__(self, at: Connection) -> None:
        self._at = at

    async def get(self, keys: Iterable[bytes]) -> dict[bytes, bytes]:
        wanted = sorted(set(keys))
        if not wanted:
            return {}
        return {bytes(key): bytes(data) for key, data in await self._at.rows(_CACHED, {"keys": wanted})}

    async def put(self, values: Mapping[bytes, bytes], now: int) -> None:
        rows = [{"key": key, "data": data, "touched": now} for key, data in sorted(values.items())]
        if rows:
            await self._at.many(_CACHE, rows)

    async def replace(self, key: bytes, data: bytes, now: int) -> None:
        """Put what is another value than before, as it was made anew."""
        await self._at.run(_REPLACE, {"key": key, "data": data, "touched": now})
