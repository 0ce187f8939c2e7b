"""Bring a database to the newest schema; Alembic and SQLAlchemy are imported only when there is something to do."""

from __future__ import annotations

import io
from pathlib import Path

from octavo.kernel.errors import Unavailable
from octavo.store.database.engine import Connection, Engine
from octavo.store.database.statement import Statement

HEAD = "0001"
"""The newest migration; a test compares it with the files."""

_MIGRATIONS = Path(__file__).parent / "migrations"
_SEPARATOR = ";\n"


async def version(engine: Engine) -> str | None:
    """The migration that the database is at; None = it is empty."""
    exists = Statement(
        "SELECT 1 FROM sqlite_master WHERE name = 'alembic_version'",
        postgres="SELECT 1 FROM pg_tables WHERE tablename = 'alembic_version' AND schemaname = current_schema()",
    )

    async def look(connection: Connection) -> str | None:
        if not await connection.rows(exists, {}):
            return None
        rows = await connection.rows(Statement("SELECT version_num FROM alembic_version"), {})
        return str(rows[0][0]) if rows else None

    return await engine.read(look)


async def migrate(engine: Engine) -> bool:
    """Run what is missing, all or nothing; False when there was nothing to do.

    Raises Unavailable when the database is newer than this program.
    """
    at = await version(engine)
    if at == HEAD:
        return False
    if at is not None and at > HEAD:
        raise Unavailable(f"the database is at migration {at}, newer than this Octavo ({HEAD}); run the newer version")
    await engine.script(statements(engine.dialect, at))
    return True


def statements(dialect: str, at: str | None) -> list[str]:
    """The SQL that leads from migration `at` (None = empty) to the newest."""
    from alembic import command
    from alembic.config import Config

    output = io.StringIO()
    config = Config(output_buffer=output)
    config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.attributes["dialect"] = "sqlite" if dialect == "sqlite" else "postgresql"
    config.attributes["output"] = output
    command.upgrade(config, f"{at}:head" if at else "head", sql=True)
    parts = (part.strip() for part in output.getvalue().replace(";\r\n", _SEPARATOR).split(_SEPARATOR))
    return [part for part in parts if _says_something(part)]


def _says_something(part: str) -> bool:
    return any(line.strip() and not line.lstrip().startswith("--") for line in part.splitlines())
