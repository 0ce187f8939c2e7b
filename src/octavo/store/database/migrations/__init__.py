"""Migrations of the schema, by Alembic in its offline form: it prints SQL, our own engines run it."""
