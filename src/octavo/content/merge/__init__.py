"""Merging of revisions: what two sides made of one base becomes one, and nothing that either wrote disappears."""

from octavo.content.merge.model import Conflict
from octavo.content.merge.revisions import Merged, merge

__all__ = ["Conflict", "Merged", "merge"]
