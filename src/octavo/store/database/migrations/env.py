"""How Alembic prints our migrations; see `store/database/migrate.py`."""

from __future__ import annotations

from alembic import context

context.configure(
    dialect_name=context.config.attributes["dialect"],
    as_sql=True,
    literal_binds=True,
    transactional_ddl=False,
    output_buffer=context.config.attributes["output"],
)
context.run_migrations()
