"""What tests of migrations look at: all rows of a database, and what it says of its own schema."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from octavo.store.database.engine import Connection, Engine
from octavo.store.database.sqlite import SqliteEngine
from octavo.store.database.statement import Statement

Rows = dict[str, list[dict[str, Any]]]
FILLED: Rows = json.loads((Path(__file__).parent / "filled_0001.json").read_text())
"""Two rows of every table of the first schema; bytes are {"hex": …}."""

_INDEXED = {
    "sqlite": "INSERT INTO search_index (rowid, words) VALUES (1, 'duck pond')",
    "postgres": "INSERT INTO search_index (id, words) VALUES (1, to_tsvector('simple', 'duck pond'))",
}
_FOUND = Statement(
    "SELECT rowid FROM search_index WHERE search_index MATCH 'pond'",
    postgres="SELECT id FROM search_index WHERE words @@ to_tsquery('simple', 'pond')",
)
_TABLES = Statement(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'search_index%'",
    postgres="SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'search_index'",
)
_SQLITE_SAID = {
    "columns": "SELECT m.name, c.name, c.type, c.\"notnull\", coalesce(c.dflt_value, ''), c.pk, c.hidden"
    " FROM sqlite_master m, pragma_table_xinfo(m.name) c WHERE m.type = 'table' AND m.name NOT LIKE 'search_index%'"
    " AND m.name NOT LIKE 'sqlite_%'",
    "references": 'SELECT m.name, f."from", f."table", coalesce(f."to", \'\'), f.on_delete, f.on_update'
    " FROM sqlite_master m, pragma_foreign_key_list(m.name) f WHERE m.type = 'table'",
    "unique": "SELECT m.name, i.origin, (SELECT group_concat(x.name) FROM pragma_index_info(i.name) x)"
    " FROM sqlite_master m, pragma_index_list(m.name) i WHERE m.type = 'table' AND i.origin <> 'c'",
    "written": "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE type IN ('index', 'trigger', 'view')"
    " AND sql IS NOT NULL",
    "special": "SELECT name, sql FROM sqlite_master WHERE sql LIKE 'CREATE VIRTUAL%' OR sql LIKE '%WITHOUT ROWID%'"
    " OR sql LIKE '%AUTOINCREMENT%'",
}
_POSTGRES_SAID = {
    "columns": "SELECT table_name, column_name, data_type, is_nullable, coalesce(column_default, ''),"
    " coalesce(collation_name, '') FROM information_schema.columns WHERE table_schema = 'public'",
    "constraints": "SELECT conrelid::regclass::text, contype::text, pg_get_constraintdef(oid) FROM pg_constraint"
    " WHERE connamespace = 'public'::regnamespace",
    "written": "SELECT tablename, indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'",
    "triggers": "SELECT tgname, pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal",
}


async def fill(engine: Engine) -> None:
    """Put `FILLED` into a database of the first schema, and a section into its search index."""

    async def work(connection: Connection) -> None:
        for table, rows in FILLED.items():
            for row in rows:
                names, given = ", ".join(f'"{name}"' for name in row), ", ".join(f":p{at}" for at in range(len(row)))
                values = {f"p{at}": _value(value) for at, value in enumerate(row.values())}
                await connection.run(Statement(f'INSERT INTO "{table}" ({names}) VALUES ({given})'), values)
        await connection.run(Statement(_INDEXED[engine.dialect]), {})

    await engine.write(work)


async def rows_of(engine: Engine) -> Rows:
    """Table -> its rows, in the order of their values."""

    async def work(connection: Connection) -> Rows:
        found: Rows = {}
        for (table,) in await connection.rows(_TABLES, {}):
            columns = await _names(connection, table)
            rows = await connection.rows(Statement(f'SELECT {", ".join(map(_quoted, columns))} FROM "{table}"'), {})
            found[table] = sorted((dict(zip(columns, row)) for row in rows), key=repr)
        found["search_index"] = [{"id": row[0]} for row in await connection.rows(_FOUND, {})]
        return found

    return await engine.read(work)


def only(rows: Rows, like: Rows) -> Rows:
    """The tables and columns of `rows` that `like` has too."""
    kept = {table: [{name: row[name] for name in like[table][0]} for row in rows[table]] for table in like}
    return {table: sorted(rows, key=repr) for table, rows in kept.items()}


async def said(engine: Engine) -> dict[str, list[tuple[Any, ...]]]:
    """What the database says of its tables, columns, references, indexes and triggers, whatever their order."""
    asked = _SQLITE_SAID if isinstance(engine, SqliteEngine) else _POSTGRES_SAID

    async def work(connection: Connection) -> dict[str, list[tuple[Any, ...]]]:
        return {
            kind: sorted(tuple(map(_plain, row)) for row in await connection.rows(Statement(query), {}))
            for kind, query in asked.items()
        }

    return await engine.read(work)


async def _names(connection: Connection, table: str) -> Sequence[str]:
    asked = Statement(
        f"SELECT name FROM pragma_table_info('{table}')",
        postgres=f"SELECT column_name FROM information_schema.columns WHERE table_name = '{table}'"
        " AND table_schema = 'public' ORDER BY ordinal_position",
    )
    return [row[0] for row in await connection.rows(asked, {})]


def _value(value: Any) -> Any:
    return bytes.fromhex(value["hex"]) if isinstance(value, dict) else value


def _plain(value: Any) -> Any:
    """Blanks and quotation marks that the writers of SQL set differently mean nothing."""
    return (
        " ".join(value.replace('"', "").replace("( ", "(").replace(" )", ")").split()) if type(value) is str else value
    )


def _quoted(name: str) -> str:
    return f'"{name}"'
