"""Git: what spaces take from repositories."""
