"""Jobs that translate."""
