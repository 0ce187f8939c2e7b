"""Tables and constraints, for migrations only."""
