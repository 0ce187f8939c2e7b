"""Backups: made, kept, restored, and proven."""
