"""Octavo: a documentation platform that people host themselves."""

__version__ = "0.1.0"
