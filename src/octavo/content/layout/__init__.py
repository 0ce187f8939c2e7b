"""A documentation repository, read: a directory of files -> the entries of a revision; and what its `docs.yaml` says.

Nothing is imported here: who asks for the shape of `docs.yaml` alone does not wait for what reads pages.
"""
