"""Insights: a durable spool in the server, and an engine in a process of its own that loads it and is asked."""
