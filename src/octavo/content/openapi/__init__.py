"""API descriptions, read: a text becomes a document of OpenAPI 3 (`reading`, `upgrade`), that is cut into the parts which
pages show (`cutting`), and these into what a reader sees.

Everything here is pure, and takes whatever a stranger wrote: what is not as it should be is left out and told.
"""
