"""Drafts: changes to a revision's entries, one after the other, that become a new revision together or not at all."""

from octavo.content.draft.changes import (
    Change,
    DeletePage,
    InsertFile,
    InsertPage,
    Metadata,
    Refused,
    RevertPage,
    UpdatePage,
)
from octavo.content.draft.draft import Base, Draft, Outcome

__all__ = [
    "Base",
    "Change",
    "DeletePage",
    "Draft",
    "InsertFile",
    "InsertPage",
    "Metadata",
    "Outcome",
    "Refused",
    "RevertPage",
    "UpdatePage",
]
