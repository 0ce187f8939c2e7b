"""The engine's interface: what a unit of work needs of a database, whichever it is."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Protocol, TypeVar

from octavo.store.database.families import Family
from octavo.store.database.statement import Statement

T = TypeVar("T")
Row = Sequence[Any]
Values = Mapping[str, Any]


class Connection(Protocol):
    """One open transaction."""

    dialect: str
    """sqlite or postgres."""

    async def rows(self, statement: Statement, values: Values) -> Sequence[Row]:
        """All rows of a query."""

    async def run(self, statement: Statement, values: Values) -> int:
        """Run a change; the number of rows it touched."""

    async def many(self, statement: Statement, values: Sequence[Values]) -> None:
        """Run a change once for each set of values."""


class Engine(Protocol):
    """A database: read units, write units, scripts."""

    dialect: str

    async def open(self) -> None:
        """Connect. Raises Unavailable with a sentence when the database is away."""

    async def close(self) -> None:
        """Finish what runs, then disconnect."""

    async def read(self, work: Callable[[Connection], Awaitable[T]]) -> T:
        """Run `work` on one consistent view of the data; it may not change anything."""

    async def read_apart(self, work: Callable[[Connection], Awaitable[T]]) -> T:
        """The same for what takes milliseconds, out of the way of other requests: `work` may run in a thread, so it
        uses nothing that belongs to the event loop."""

    async def write(self, work: Callable[[Connection], Awaitable[T]], *, lock: tuple[str, str] | None = None) -> T:
        """Run `work` in a transaction, committed durably when this returns. `work` may be run again, so it has no
        effect but through the connection. `lock` is (table, id) of the row that makes such units take turns."""

    async def script(self, statements: Sequence[str]) -> None:
        """Run schema statements, all or none."""

    def generation(self, family: Family) -> int:
        """A number that changes when tables of that family may have changed: with every commit of this process that
        wrote one of them, before anybody is told of it; on SQLite also with any commit of another process."""
