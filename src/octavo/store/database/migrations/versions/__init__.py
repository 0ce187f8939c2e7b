"""One file a migration, never changed once it was released: each expands, a later one contracts."""
