"""Drafts: changes to a revision's entries, one after the other, that become a new revision together or not at all.

`changes` are the values that go in and come out; `draft.Draft`, which applies them, reads Markdown and takes 100 ms to
import.
"""

from octavo.content.draft.changes import (
    Base,
    Change,
    DeleteFile,
    DeletePage,
    InsertEntry,
    InsertFile,
    InsertPage,
    Metadata,
    Outcome,
    Refused,
    ResolveConflict,
    RevertPage,
    UpdateFile,
    UpdatePage,
)

__all__ = [
    "Base",
    "Change",
    "DeleteFile",
    "DeletePage",
    "InsertEntry",
    "InsertFile",
    "InsertPage",
    "Metadata",
    "Outcome",
    "Refused",
    "ResolveConflict",
    "RevertPage",
    "UpdateFile",
    "UpdatePage",
]
