"""Plans for the floors, taken down from the application: what it answers, and the SQL that it runs to do so."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, MutableMapping, Sequence
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

import msgspec

from bench.floors import Entry, Plan, Step
from octavo.kernel.settings import Settings
from octavo.main import App, engine_of, open_house
from octavo.store.database.engine import Connection, Engine, Row, Values
from octavo.store.database.families import Family
from octavo.store.database.statement import Statement

T = TypeVar("T")

_KEPT = (b"content-type", b"etag", b"cache-control", b"vary", b"content-encoding")
"""Headers that a floor sends too."""


class _Connection:
    """A connection that writes down what it is asked."""

    def __init__(self, inner: Connection, steps: list[Step]) -> None:
        self._inner = inner
        self._steps = steps
        self.dialect = inner.dialect
        self.raw = getattr(inner, "raw", None)

    async def rows(self, statement: Statement, values: Values) -> Sequence[Row]:
        self._steps.append(_step(self.dialect, statement, values))
        return await self._inner.rows(statement, values)

    async def run(self, statement: Statement, values: Values) -> int:
        self._steps.append(_step(self.dialect, statement, values))
        return await self._inner.run(statement, values)

    async def many(self, statement: Statement, values: Sequence[Values]) -> None:
        await self._inner.many(statement, values)


def _step(dialect: str, statement: Statement, values: Values) -> Step:
    makes = str(values.get("id", "")) if statement.sqlite.startswith("INSERT") else ""
    if dialect == "sqlite":
        return Step(statement.sqlite, dict(statement.for_sqlite(values)), makes=makes)
    return Step(statement.postgres, statement.for_postgres(values), makes=makes)


class RecordingEngine:
    """An engine that takes down the SQL of its units; but not what one of them runs many times over."""

    def __init__(self, inner: Engine) -> None:
        self._inner = inner
        self.dialect = inner.dialect
        self.steps: list[Step] = []

    async def open(self) -> None:
        await self._inner.open()

    async def close(self) -> None:
        await self._inner.close()

    async def read(self, work: Callable[[Connection], Awaitable[T]]) -> T:
        return await self._read(self._inner.read, work)

    async def read_apart(self, work: Callable[[Connection], Awaitable[T]]) -> T:
        return await self._read(self._inner.read_apart, work)

    async def _read(self, read: Callable[..., Awaitable[T]], work: Callable[[Connection], Awaitable[T]]) -> T:
        self.steps.append(Step(unit="begin"))
        try:
            return await read(lambda at: work(_Connection(at, self.steps)))
        finally:
            self.steps.append(Step(unit="end"))

    async def write(self, work: Callable[[Connection], Awaitable[T]], *, lock: tuple[str, str] | None = None) -> T:
        self.steps.append(Step(unit="write"))
        if lock is not None and self.dialect == "postgres":
            self.steps.append(Step(f"SELECT 1 FROM {lock[0]} WHERE id = $1 FOR NO KEY UPDATE", [lock[1]]))
        try:
            return await self._inner.write(lambda at: work(_Connection(at, self.steps)), lock=lock)
        finally:
            self.steps.append(Step(unit="end"))

    async def script(self, statements: Sequence[str], **given: Any) -> bool:
        return await self._inner.script(statements, **given)

    def generation(self, family: Family) -> int:
        if self.dialect == "sqlite":
            self.steps.append(Step("PRAGMA data_version", {}))
        return self._inner.generation(family)


async def record(
    settings: Settings,
    base: str,
    paths: Sequence[str],
    headers: Mapping[str, str],
    shape: str,
    method: str = "GET",
    body: bytes = b"",
) -> dict[str, Entry]:
    """How the application answers each path when it is warm, with every SQL statement of it; `shape` as in floors."""
    engine = RecordingEngine(engine_of(settings))
    made: dict[str, Entry] = {}
    async with open_house(settings, base=base, engine=engine) as house:
        app = App(house, works=False)
        for path in paths:
            # The first time a token is used, that is written down; from the second time on everything is remembered.
            for _ in range(2):
                await _ask(app, path, headers, method, body)
            engine.steps.clear()
            status, answered, said = await _ask(app, path, headers, method, body)
            kept = [pair for pair in answered if pair[0] in _KEPT]
            steps = [*engine.steps] if method == "GET" else _with_fresh_ids(engine.steps)
            made[path] = Entry(status, kept, said, steps, shape)
    return made


def _with_fresh_ids(steps: Sequence[Step]) -> list[Step]:
    """The steps of a request that made something: the ids of all rows that it made are to be others each time."""
    made = {step.makes for step in steps if step.makes}

    def places(step: Step) -> list[tuple[str | int, str]]:
        values = step.values or {}
        pairs = values.items() if isinstance(values, dict) else enumerate(values)
        return [(place, value) for place, value in pairs if isinstance(value, str) and value in made]

    return [msgspec.structs.replace(step, fresh=places(step)) for step in steps]


async def _ask(
    app: App, path: str, headers: Mapping[str, str], method: str = "GET", body: bytes = b""
) -> tuple[int, list[tuple[bytes, bytes]], bytes]:
    parts = urlsplit(path)
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message: MutableMapping[str, Any]) -> None:
        sent.append(dict(message))

    given = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
    given += [(b"content-type", b"application/json")] if body else []
    scope = {
        "type": "http",
        "method": method,
        "scheme": "http",
        "path": parts.path,
        "raw_path": parts.path.encode(),
        "query_string": parts.query.encode(),
        "headers": [(b"host", b"localhost"), *given],
        "client": ("127.0.0.1", 1),
    }
    await app(scope, receive, send)
    return sent[0]["status"], sent[0]["headers"], b"".join(message["body"] for message in sent[1:])


def write_plan(target: Path, floor: int, settings: Settings, entries: dict[str, Entry]) -> Path:
    """A plan in a file of its own."""
    database = settings.database_url or str(settings.data / "octavo.db")
    engine = "sqlite" if settings.database_url is None else "postgres"
    target.write_bytes(msgspec.msgpack.encode(Plan(floor, engine, database, entries)))
    return target
