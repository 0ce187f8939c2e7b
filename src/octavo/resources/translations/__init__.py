"""Rooms of translations."""
