"""Writes the newest schema as SQL, one file a database, which a first start runs as it is. `--check` only compares."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from sqlalchemy.dialects.postgresql.base import PGDialect
from sqlalchemy.dialects.sqlite.base import SQLiteDialect
from sqlalchemy.engine import Dialect
from sqlalchemy.schema import CreateIndex, CreateTable

from octavo.store.database.migrate import HEAD, newest_file
from octavo.store.schema.tables import BY_DIALECT, metadata

_DIALECTS = {"sqlite": SQLiteDialect(), "postgres": PGDialect()}  # type: ignore[no-untyped-call]
_VERSIONS = (
    "CREATE TABLE alembic_version"
    " (version_num VARCHAR(32) NOT NULL, CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num))"
)


def schemas() -> dict[Path, str]:
    """Path of each file -> its text."""
    return {newest_file(name): _schema(dialect) for name, dialect in _DIALECTS.items()}


def stale() -> list[Path]:
    """The files whose text is not what `store/schema` says."""
    return [path for path, text in schemas().items() if not path.exists() or path.read_text() != text]


def _schema(dialect: Dialect) -> str:
    statements = [_VERSIONS]
    for table in metadata.sorted_tables:
        statements.append(str(CreateTable(table).compile(dialect=dialect)))
        indexes = sorted(table.indexes, key=lambda index: str(index.name))
        statements += [str(CreateIndex(index).compile(dialect=dialect)) for index in indexes]
    statements += BY_DIALECT[dialect.name]
    statements.append(f"INSERT INTO alembic_version (version_num) VALUES ('{HEAD}')")
    head = "-- Made by tools/schema.py from store/schema: the schema that all migrations together lead to.\n"
    return head + "".join(f"{_on_one_line(statement)};\n" for statement in statements)


def _on_one_line(statement: str) -> str:
    return " ".join(statement.split()).replace("( ", "(").replace(" )", ")")


def main(arguments: Sequence[str]) -> int:
    """Write the files, or with `--check` say which are stale; the exit code."""
    if "--check" not in arguments:
        for path, text in schemas().items():
            path.write_text(text)
        return 0
    for path in stale():
        print(f"{path} is not what store/schema says: run `python tools/schema.py`", file=sys.stderr)
    return 1 if stale() else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
