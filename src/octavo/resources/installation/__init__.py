"""Rooms for those who run the installation."""
