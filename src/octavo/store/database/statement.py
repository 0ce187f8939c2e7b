"""Plain SQL with :names, translated once for each dialect.

Lists are written `column IN :names[]` (text) and `column IN :digests[bytes]`. Everything else is the SQL that SQLite
and PostgreSQL share; what differs stands in `Statement.sqlite` or `Statement.postgres`, given by the file that needs it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import msgspec

from octavo.store.database.families import Family, stale_after

_LIST = re.compile(r"IN :(\w+)\[(bytes)?\]")
_NAME = re.compile(r"(?<![:\w]):(\w+)")


class Statement:
    """One SQL text in both dialects."""

    __slots__ = ("_bytes", "_lists", "names", "postgres", "sqlite", "stale")

    def __init__(self, text: str, *, postgres: str | None = None, stale: frozenset[Family] | None = None) -> None:
        """`text` serves both dialects; `postgres` replaces it there. `stale` is what it makes stale of that which is
        remembered; left out, the tables that it writes say so."""
        self.stale = stale_after(text) if stale is None else stale
        lists = [*_LIST.finditer(text)]
        self._lists = frozenset(found[1] for found in lists if not found[2])
        self._bytes = frozenset(found[1] for found in lists if found[2])
        self.sqlite = _LIST.sub(_sqlite_list, text)
        self.names: list[str] = []
        self.postgres = _NAME.sub(self._number, _LIST.sub(_postgres_list, postgres or text))

    def _number(self, found: re.Match[str]) -> str:
        name = found[1]
        if name not in self.names:
            self.names.append(name)
        return f"${self.names.index(name) + 1}"

    def for_sqlite(self, values: Mapping[str, Any]) -> Mapping[str, Any]:
        """The parameters as SQLite takes them: lists as JSON arrays."""
        if not self._lists and not self._bytes:
            return values
        bound = dict(values)
        for name in self._lists:
            bound[name] = msgspec.json.encode(list(values[name])).decode()
        for name in self._bytes:
            bound[name] = msgspec.json.encode([item.hex() for item in values[name]]).decode()
        return bound

    def for_postgres(self, values: Mapping[str, Any]) -> list[Any]:
        """The parameters in the order of their numbers."""
        return [list(values[n]) if n in self._lists or n in self._bytes else values[n] for n in self.names]


def _sqlite_list(found: re.Match[str]) -> str:
    each = "unhex(value)" if found[2] else "value"
    return f"IN (SELECT {each} FROM json_each(:{found[1]}))"


def _postgres_list(found: re.Match[str]) -> str:
    return f"= ANY(:{found[1]}::{'bytea' if found[2] else 'text'}[])"
