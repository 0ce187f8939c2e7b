"""Shelves of sites: what each is put together of, and who may read it."""
