"""Parties outside the installation: a file a protocol, real ones and fakes; jobs use them, requests never do."""
