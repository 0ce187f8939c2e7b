"""How Alembic prints our migrations; see `store/migrate.py`."""

from __future__ import annotations

from alembic import context

from octavo.store.schema.tables import metadata

context.configure(
    dialect_name=context.config.attributes["dialect"],
    target_metadata=metadata,
    as_sql=True,
    literal_binds=True,
    transactional_ddl=False,
    output_buffer=context.config.attributes["output"],
)
context.run_migrations()
