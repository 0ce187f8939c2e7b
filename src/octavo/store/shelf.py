"""A shelf: how rows of one table become records and back; each family of tables has one or a few."""

from __future__ import annotations

import types
import typing
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, Generic, TypeVar

import msgspec

from octavo.kernel.records import Record
from octavo.store.database.engine import Connection, Row
from octavo.store.database.statement import Statement

R = TypeVar("R", bound=Record)

_PLAIN = (str, int, bytes, float)


class Table(Generic[R]):
    """The columns of a table in the order of its record's fields; statements are made once, at import."""

    def __init__(
        self, name: str, record: type[R], *, key: tuple[str, ...] = ("id",), extra: tuple[str, ...] = ()
    ) -> None:
        """`key` are the columns that name one row; `extra` are columns that the record does not show, given on insert."""
        self.name = name
        self.record = record
        self._fields = record.__struct_fields__
        # Records that take their fields by position cost a third.
        self._by_position = record.__match_args__ == self._fields
        self.columns = ", ".join(f'"{field}"' for field in self._fields)
        names = [*self._fields, *extra]
        columns = ", ".join(f'"{name}"' for name in names)
        values = ", ".join(f":{name}" for name in names)
        self._insert = Statement(f"INSERT INTO {name} ({columns}) VALUES ({values})")
        where = " AND ".join(f'"{column}" = :{column}' for column in key)
        self._by_key = Statement(f"SELECT {self.columns} FROM {name} WHERE {where}")
        self._delete = Statement(f"DELETE FROM {name} WHERE {where}")
        self._key = key
        self._where = where
        self._updates: dict[tuple[str, ...], Statement] = {}

    # With the first row: to read all annotations takes a start 15 ms, and few tables are asked before the first reply.
    @cached_property
    def _hints(self) -> dict[str, Any]:
        return typing.get_type_hints(self.record)

    @cached_property
    def _encode(self) -> dict[str, Callable[[Any], Any]]:
        encoders = ((field, _encoder(self._hints[field])) for field in self._fields)
        return {field: encode for field, encode in encoders if encode is not None}

    @cached_property
    def _decode(self) -> list[tuple[int, Callable[[Any], Any]]]:
        decoders = ((at, _decoder(self._hints[field])) for at, field in enumerate(self._fields))
        return [(at, decode) for at, decode in decoders if decode is not None]

    # Not every table has these columns, and few are asked so: made with the first use.
    @cached_property
    def _of_organization(self) -> Statement:
        return self.select("WHERE organization = :organization")

    @cached_property
    def _named(self) -> Statement:
        return self.select("WHERE id IN :ids[]")

    def select(self, rest: str, *, postgres: str | None = None) -> Statement:
        """SELECT of the record's columns, FROM the table, then `rest`."""
        head = f"SELECT {self.columns} FROM {self.name} "
        return Statement(head + rest, postgres=None if postgres is None else head + postgres)

    def read(self, row: Row) -> R:
        """The record of one row."""
        values = list(row)
        for at, decode in self._decode:
            if values[at] is not None:
                values[at] = decode(values[at])
        return self.record(*values) if self._by_position else self.record(**dict(zip(self._fields, values)))

    def values(self, record: R, **extra: Any) -> dict[str, Any]:
        """The record as parameters."""
        made = {field: getattr(record, field) for field in self._fields}
        for field, encode in self._encode.items():
            if made[field] is not None:
                made[field] = encode(made[field])
        return made | extra

    async def get(self, at: Connection, **key: str) -> R | None:
        """The row of that key."""
        rows = await at.rows(self._by_key, key)
        return self.read(rows[0]) if rows else None

    async def add(self, at: Connection, record: R, **extra: Any) -> None:
        """Insert."""
        await at.run(self._insert, self.values(record, **extra))

    async def add_all(self, at: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
        """Insert the `values` of several records."""
        if rows:
            await at.many(self._insert, rows)

    async def whole(self, at: Connection, organization: str) -> list[R]:
        """Every row of an organization, in no order."""
        return await self.list(at, self._of_organization, {"organization": organization})

    async def named(self, at: Connection, ids: Iterable[str]) -> list[R]:
        """Those of these ids that are there; of tables whose rows have ids."""
        wanted = sorted(set(ids))
        return await self.list(at, self._named, {"ids": wanted}) if wanted else []

    async def change(self, at: Connection, record: R, **changed: Any) -> R:
        """Write the changed fields of a record; returns the record as it now is."""
        if not changed:
            return record
        names = tuple(sorted(changed))
        if names not in self._updates:
            assignments = ", ".join(f'"{name}" = :{name}' for name in names)
            self._updates[names] = Statement(f"UPDATE {self.name} SET {assignments} WHERE {self._where}")
        new = msgspec.structs.replace(record, **changed)
        values = self.values(new)
        await at.run(self._updates[names], {name: values[name] for name in (*names, *self._key)})
        return new

    async def remove(self, at: Connection, **key: str) -> bool:
        """Delete; False when there was none."""
        return await at.run(self._delete, key) > 0

    async def list(self, at: Connection, statement: Statement, values: Mapping[str, Any]) -> list[R]:
        """The records of a `select`."""
        return [self.read(row) for row in await at.rows(statement, values)]

    async def first(self, at: Connection, statement: Statement, values: Mapping[str, Any]) -> R | None:
        """The first record of a `select`."""
        rows = await at.rows(statement, values)
        return self.read(rows[0]) if rows else None


async def count(at: Connection, statement: Statement, values: Mapping[str, Any]) -> int:
    """The one number that a query answers."""
    return int((await at.rows(statement, values))[0][0])


def by_id(records: Iterable[Any]) -> dict[str, Any]:
    """Records by their ids."""
    return {record.id: record for record in records}


def _core(hint: Any) -> Any:
    """The type without `| None`."""
    if isinstance(hint, types.UnionType) or typing.get_origin(hint) is typing.Union:
        kinds = [kind for kind in typing.get_args(hint) if kind is not type(None)]
        return kinds[0] if len(kinds) == 1 else str
    return hint


def _kind(hint: Any) -> Any:
    core = _core(hint)
    return str if typing.get_origin(core) is typing.Literal else core


def _encoder(hint: Any) -> Callable[[Any], Any] | None:
    kind = _kind(hint)
    if kind is bool:
        return int
    if kind in _PLAIN:
        return None
    return lambda value: msgspec.json.encode(value).decode()


def _decoder(hint: Any) -> Callable[[Any], Any] | None:
    kind = _kind(hint)
    if kind is bool:
        return bool
    if kind in _PLAIN:
        return None
    return msgspec.json.Decoder(kind).decode
