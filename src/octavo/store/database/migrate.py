"""Bring a database to the newest schema: an empty one by the SQL of the newest, any other by Alembic's migrations.

Alembic and SQLAlchemy are imported only when a database of an earlier version is met. Migrations are printed as SQL and
run by our own engines, so that they run in one transaction, on the drivers that everything else uses.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from octavo.kernel.errors import BadRequest, Unavailable
from octavo.store.database.engine import Connection, Engine
from octavo.store.database.statement import Statement

HEAD = "0022"
"""The newest migration; a test compares it with the files."""

UNFINISHED = "transfer "
"""How the version of a database begins into which everything is being moved: nobody opens it until that has ended."""
HELD = "restore"
"""The version of a database that does not say one yet: a copy, from a backup, in which not all is switched off."""

VERSIONS = Path(__file__).parent / "migrations" / "versions"
_EXISTS = Statement(
    "SELECT 1 FROM sqlite_master WHERE name = 'alembic_version'",
    postgres="SELECT 1 FROM pg_tables WHERE tablename = 'alembic_version' AND schemaname = current_schema()",
)
_VERSION = Statement("SELECT version_num FROM alembic_version")
_SAID = Statement("INSERT INTO alembic_version (version_num) VALUES (:version)")


class Steps(msgspec.Struct, frozen=True):
    """What leads from one migration to another."""

    statements: Sequence[str]
    offline: bool = False
    """One of them may run only while nothing else uses the database."""


class Migrations:
    """A line of migrations, numbered in the order in which they run."""

    def __init__(self, head: str = HEAD, folders: Sequence[Path] = (VERSIONS,), *, newest: bool = True) -> None:
        """`newest` = an empty database gets the SQL of the newest schema at once."""
        self.head = head
        self._folders = folders
        self._newest = newest

    async def migrate(self, engine: Engine, *, to: str | None = None, offline: bool = False) -> bool:
        """Run what is missing, all or nothing; False when there was nothing to do. `to` an earlier migration goes back.

        `offline` = nothing else uses the database. Raises Unavailable when the database is newer than this program, or
        when a migration is missing that runs offline only; BadRequest when there is no migration `to`.
        """
        at, wanted = await version(engine), to or self.head
        self._refuse_newer(at)
        if at == wanted:
            return False
        steps = self.steps(engine.dialect, at, wanted)
        if steps.offline and not offline:
            raise Unavailable(
                f"the way from migration {at} to {wanted} rewrites tables: stop every process of Octavo, make a backup"
                " with `octavo backup`, then run `octavo migrate`"
            )

        async def unmoved(connection: Connection) -> bool:
            return await _version(connection) == at

        if await engine.script(steps.statements, when=unmoved, rewrites=steps.offline):
            return True
        # Another process was ahead of this one.
        return await self.migrate(engine, to=to, offline=offline)

    def missing(self, dialect: str, at: str) -> Steps:
        """What leads from there to the newest; nothing where it is there. Raises Unavailable for a newer database."""
        self._refuse_newer(at)
        return Steps([]) if at == self.head else self.steps(dialect, at, self.head)

    def _refuse_newer(self, at: str | None) -> None:
        refuse_unfinished(at)
        if at is not None and at > self.head:
            raise Unavailable(
                f"the database is at migration {at}, newer than this Octavo ({self.head}); run the newer version"
            )

    def steps(self, dialect: str, at: str | None, to: str) -> Steps:
        """The SQL that leads from migration `at` (None = empty) to another, later or earlier."""
        if at is None and to == self.head and self._newest:
            return Steps([newest_file(dialect).read_text()])
        return self._printed(dialect, at, to)

    def _printed(self, dialect: str, at: str | None, to: str) -> Steps:
        from alembic import command
        from alembic.script import ScriptDirectory

        output = _Printed()
        config = self._config(output, "sqlite" if dialect == "sqlite" else "postgresql")
        scripts = ScriptDirectory.from_config(config)
        known = {script.revision: script.module for script in scripts.walk_revisions()}
        if to not in known:
            raise BadRequest(f"there is no migration {to}; there are {', '.join(sorted(known))}")
        low, high = sorted((at or "", to))
        between = [module for revision, module in known.items() if low < revision <= high]
        if to > (at or ""):
            command.upgrade(config, f"{at}:{to}" if at else to, sql=True)
        else:
            command.downgrade(config, f"{at}:{to}", sql=True)
        return Steps(output.statements, any(dialect in getattr(module, "offline", ()) for module in between))

    def _config(self, output: _Printed, dialect: str) -> Any:
        from alembic.config import Config

        config = Config()
        config.set_main_option("path_separator", "newline")
        config.set_main_option("script_location", _literally(VERSIONS.parent))
        config.set_main_option("version_locations", "\n".join(map(_literally, self._folders)))
        config.attributes.update(dialect=dialect, output=output)
        return config


class _Printed:
    """Where Alembic prints to: it writes each statement, and each remark, at once."""

    def __init__(self) -> None:
        self.statements: list[str] = []

    def write(self, text: str) -> None:
        lines = text.strip().splitlines()
        if any(not line.startswith("--") for line in lines):
            self.statements.append("\n".join(lines).removesuffix(";"))

    def flush(self) -> None:
        """Nothing waits."""


def newest_file(dialect: str) -> Path:
    """The SQL of the newest schema; `tools/schema.py` makes it."""
    return Path(__file__).parents[1] / "schema" / f"newest.{dialect}.sql"


async def version(engine: Engine) -> str | None:
    """The migration that the database is at; None = it is empty."""
    return await engine.read(_version)


def unfinished(at: str | None) -> tuple[str, str] | None:
    """What has not ended in a database of this version, and what to do about it; None = it is whole."""
    if at is not None and at.startswith(UNFINISHED):
        return "a transfer into this database has not ended", "run `octavo transfer` again, or empty the database"
    if at == HELD:
        return "a restore into this database has not ended", "empty it, and run `octavo restore` again"
    return None


def refuse_unfinished(at: str | None) -> None:
    """Raises Unavailable for the version of a database in which not all is that should be."""
    if found := unfinished(at):
        raise Unavailable("; ".join(found))


async def migrate(engine: Engine, *, to: str | None = None, offline: bool = False) -> bool:
    """See `Migrations.migrate`."""
    return await Migrations().migrate(engine, to=to, offline=offline)


async def say(connection: Connection) -> None:
    """A database that was held is at the newest migration, and may be opened."""
    await connection.run(_SAID, {"version": HEAD})


def statements(dialect: str, at: str | None) -> Sequence[str]:
    """The SQL that leads from migration `at` (None = empty) to the newest."""
    return Migrations().steps(dialect, at, HEAD).statements


async def _version(connection: Connection) -> str | None:
    if not await connection.rows(_EXISTS, {}):
        return None
    rows = await connection.rows(_VERSION, {})
    return str(rows[0][0]) if rows else HELD


def _literally(path: Path) -> str:
    return str(path).replace("%", "%%")
