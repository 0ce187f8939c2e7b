"""The door for programs: JSON under /v1."""
