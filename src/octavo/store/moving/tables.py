"""Every table as it is read and written whole: columns, keys, and an order in which rows find what they refer to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

Row = tuple[Any, ...]


@dataclass(frozen=True)
class Table:
    """A table, and the SQL that reads it in the order of its keys, bytes by bytes: the same on both databases."""

    name: str
    columns: tuple[str, ...]
    key: tuple[int, ...]
    """Where the columns of its key stand in a row; those of a table without one are all of them."""
    texts: frozenset[int]
    whole: bool
    """It has no key, or its rows refer to one another: it is written in one piece."""

    @property
    def listed(self) -> str:
        """Its columns, as SQL lists them."""
        return ", ".join(f'"{column}"' for column in self.columns)

    def key_of(self, row: Row) -> Row:
        """What orders a row, and names it; absent values come first."""
        return tuple(row[at] for at in self.key)

    def query(self, dialect: str, *, after: bool = False) -> str:
        """All rows; with `after` those whose keys are greater than the parameters."""
        keys = [self._named(at, dialect) for at in self.key]
        marks = ", ".join(f"${at}" if dialect == "postgres" else "?" for at in range(1, len(keys) + 1))
        where = f" WHERE ({', '.join(keys)}) > ({marks})" if after else ""
        ordered = ", ".join(f"{key} NULLS FIRST" if self.whole else key for key in keys)
        return f'SELECT {self.listed} FROM "{self.name}"{where} ORDER BY {ordered}'

    def last(self, dialect: str) -> str:
        """The greatest key."""
        keys = [self._named(at, dialect) for at in self.key]
        descending = ", ".join(f"{key} DESC" for key in keys)
        return f'SELECT {", ".join(keys)} FROM "{self.name}" ORDER BY {descending} LIMIT 1'

    def insert(self) -> str:
        """For SQLite; PostgreSQL copies."""
        return f'INSERT INTO "{self.name}" ({self.listed}) VALUES ({", ".join("?" for _ in self.columns)})'

    def _named(self, at: int, dialect: str) -> str:
        collated = ' COLLATE "C"' if dialect == "postgres" and at in self.texts else ""
        return f'"{self.columns[at]}"{collated}'


@cache
def tables() -> Sequence[Table]:
    """Those of the newest schema, each behind those that its rows refer to; what is made of them is not among them."""
    # SQLAlchemy, which no server loads.
    from octavo.store.schema.tables import metadata

    made = []
    for table in metadata.sorted_tables:
        columns = list(table.columns)
        key = tuple(columns.index(column) for column in table.primary_key.columns)
        refers = any(reference.column.table is table for column in columns for reference in column.foreign_keys)
        made.append(
            Table(
                name=table.name,
                columns=tuple(column.name for column in columns),
                key=key or tuple(range(len(columns))),
                texts=frozenset(at for at, column in enumerate(columns) if str(column.type) == "TEXT"),
                whole=refers or not key,
            )
        )
    return made
