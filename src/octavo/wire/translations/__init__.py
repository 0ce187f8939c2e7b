"""Shapes of translations."""
