"""The floors: what the same requests cost with nothing of Octavo in between.

Floor 1 answers constant bytes of the same size. Floor 2 runs the same SQL on the raw driver and encodes the same shape
with msgspec. Both are raw ASGI under the same server as the application. What to answer stands in a plan that
`bench/recording.py` makes from the application itself.

    python -m bench.floors PLAN PORT
"""

from __future__ import annotations

import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import apsw
import asyncpg
import msgspec
import uvicorn
import uvloop

from octavo.kernel.ids import new_id
from octavo.wire.content.pages import Page
from octavo.wire.library.spaces import Space
from octavo.wire.lists import Listing
from octavo.wire.review.comments import Comment

SHAPES: dict[str, Any] = {
    "space": Space,
    "spaces": Listing[Space],
    "page": Page,
    "comment": Comment,
    "comments": Listing[Comment],
}


class Step(msgspec.Struct):
    """One thing asked of the database. `sql` is empty where a unit begins or ends: see `unit`."""

    sql: str = ""
    values: dict[str, Any] | list[Any] | None = None
    unit: str = ""
    """begin, write or end."""
    fresh: list[tuple[str | int, str]] = []
    """Which values are an id that must be another one with each request, in all steps the same: its name, on PostgreSQL
    its place, and the id that it was."""
    makes: str = ""
    """The id of the row that this inserts."""


class Entry(msgspec.Struct):
    """How one path is answered."""

    status: int
    headers: list[tuple[bytes, bytes]]
    body: bytes
    steps: list[Step]
    shape: str
    """A name in SHAPES; empty = the body is constant."""


class Plan(msgspec.Struct):
    """Everything that a floor needs; `floor` is 1 or 2."""

    floor: int
    engine: str
    database: str
    entries: dict[str, Entry]


Ask = Callable[[Entry], Awaitable[None]]


class Floor:
    """The ASGI application."""

    def __init__(self, plan: Plan, ask: Ask | None) -> None:
        self._ask = ask
        self._entries = plan.entries
        self._shapes = {path: _shape(entry) for path, entry in plan.entries.items()} if plan.floor == 2 else {}

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        query = scope["query_string"]
        path = f"{scope['path']}?{query.decode()}" if query else scope["path"]
        entry = self._entries[path]
        body = entry.body
        if self._ask is not None:
            await self._ask(entry)
            shape = self._shapes[path]
            if shape is not None:
                body = msgspec.json.encode(shape)
        headers = [*entry.headers, (b"content-length", str(len(body)).encode())]
        await send({"type": "http.response.start", "status": entry.status, "headers": headers})
        await send({"type": "http.response.body", "body": body})


def _shape(entry: Entry) -> Any:
    return msgspec.json.decode(entry.body, type=SHAPES[entry.shape]) if entry.shape else None


def _fresh(step: Step, given: dict[str, str]) -> Any:
    """The values of a step, with new ids where they have to be new; `given` is what this request made so far."""
    if not step.fresh or step.values is None:
        return step.values
    made: Any = step.values.copy()
    for place, was in step.fresh:
        if was not in given:
            given[was] = new_id()
        made[place] = given[was]
    return made


def _sqlite(path: str) -> Ask:
    raw = apsw.Connection(path, flags=apsw.SQLITE_OPEN_READWRITE, statementcachesize=512)
    raw.set_busy_timeout(5000)
    raw.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, 1)
    for name, value in (("synchronous", 2), ("cache_size", -32768), ("foreign_keys", 1)):
        raw.pragma(name, value)
    begins = {"begin": "BEGIN", "write": "BEGIN IMMEDIATE", "end": "COMMIT"}

    async def ask(entry: Entry) -> None:
        given: dict[str, str] = {}
        for step in entry.steps:
            if step.sql:
                raw.execute(step.sql, _fresh(step, given)).fetchall()
            else:
                raw.execute(begins[step.unit])

    return ask


async def _postgres(url: str) -> Ask:
    async def no_reset(connection: Any) -> None:
        """Read-only queries leave nothing behind on a connection."""

    pool = await asyncpg.create_pool(url, min_size=1, max_size=10, statement_cache_size=1024, reset=no_reset)

    async def ask(entry: Entry) -> None:
        raw: Any = None
        transaction: Any = None
        given: dict[str, str] = {}
        for step in entry.steps:
            if step.sql:
                await raw.fetch(step.sql, *(_fresh(step, given) or ()))
            elif step.unit != "end":
                raw = await pool.acquire()
                if step.unit == "write":
                    transaction = raw.transaction()
                    await transaction.start()
            else:
                if transaction is not None:
                    await transaction.commit()
                    transaction = None
                await pool.release(raw)

    return ask


async def serve(plan: Plan, port: int) -> None:
    ask: Ask | None = None
    if plan.floor == 2:
        ask = _sqlite(plan.database) if plan.engine == "sqlite" else await _postgres(plan.database)
    config = uvicorn.Config(
        Floor(plan, ask),
        host="127.0.0.1",
        port=port,
        loop="uvloop",
        http="httptools",
        lifespan="off",
        access_log=False,
        log_level="warning",
        server_header=False,
        date_header=True,
        backlog=2048,
        proxy_headers=False,
    )
    await uvicorn.Server(config).serve()


def main() -> None:
    plan = msgspec.msgpack.decode(Path(sys.argv[1]).read_bytes(), type=Plan)
    uvloop.run(serve(plan, int(sys.argv[2])))


if __name__ == "__main__":
    main()
