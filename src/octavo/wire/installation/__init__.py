"""Shapes of what operators see of the whole installation."""
