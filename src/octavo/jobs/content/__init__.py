"""Content: pages, revisions, files, links."""
