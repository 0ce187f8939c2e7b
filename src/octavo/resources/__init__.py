"""Rooms: one file a resource, an OPERATIONS table and one plain function a row."""
