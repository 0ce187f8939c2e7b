"""Merging of revisions: what two sides made of one base becomes one, and nothing that either wrote disappears.

`model` are the values that come out; `revisions.merge`, which makes them, reads Markdown and takes 100 ms to import.
"""

from octavo.content.merge.model import Conflict

__all__ = ["Conflict"]
