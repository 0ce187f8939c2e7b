"""Migrations that follow the first, for tests of how migrations run."""
