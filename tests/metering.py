"""An engine that counts what each unit reads and writes of content, and lets somebody in ahead of a unit."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from octavo.store.database.engine import Connection, Engine, Row, Values
from octavo.store.database.statement import Statement

T = TypeVar("T")


@dataclass
class Spent:
    """Objects of content that one unit read and put, and the bytes of those that it put, as they are stored."""

    writes: bool
    read: int = 0
    put: int = 0
    size: int = 0


class _Connection:
    def __init__(self, inner: Connection, spent: Spent) -> None:
        self._inner = inner
        self._spent = spent
        self.dialect = inner.dialect

    async def rows(self, statement: Statement, values: Values) -> Sequence[Row]:
        found = await self._inner.rows(statement, values)
        if " FROM objects " in statement.sqlite:
            self._spent.read += len(found)
        return found

    async def run(self, statement: Statement, values: Values) -> int:
        return await self._inner.run(statement, values)

    async def many(self, statement: Statement, values: Sequence[Values]) -> None:
        if "INTO objects " in statement.sqlite:
            self._spent.put += len(values)
            self._spent.size += sum(len(one["data"]) for one in values)
        await self._inner.many(statement, values)


@dataclass
class Metering:
    """Wraps the engine of a store."""

    inner: Engine
    units: list[Spent] = field(default_factory=list)
    let_in: Callable[[], Awaitable[None]] | None = None
    """Awaited once ahead of the next write unit that locks a row."""

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    def _counted(
        self, work: Callable[[Connection], Awaitable[T]], *, writes: bool
    ) -> Callable[[Connection], Awaitable[T]]:
        async def counted(at: Connection) -> T:
            spent = Spent(writes)
            self.units.append(spent)
            return await work(_Connection(at, spent))

        return counted

    async def read(self, work: Callable[[Connection], Awaitable[T]]) -> T:
        return await self.inner.read(self._counted(work, writes=False))

    async def read_apart(self, work: Callable[[Connection], Awaitable[T]]) -> T:
        return await self.inner.read_apart(self._counted(work, writes=False))

    async def write(self, work: Callable[[Connection], Awaitable[T]], *, lock: tuple[str, str] | None = None) -> T:
        if lock is not None and self.let_in is not None:
            first, self.let_in = self.let_in, None
            await first()
        return await self.inner.write(self._counted(work, writes=True), lock=lock)
