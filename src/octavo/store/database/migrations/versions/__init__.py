"""One file a migration: each expands, a later one contracts."""
