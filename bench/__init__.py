"""Measurements of Octavo: what a request costs, and how fast everything else is."""
