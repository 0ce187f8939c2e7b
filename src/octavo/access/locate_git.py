"""Finders of Git: operations of a space."""

from __future__ import annotations

import msgspec

from octavo.access.locate import Finder
from octavo.kernel.errors import absent
from octavo.kernel.records.git import GitOperation
from octavo.kernel.records.library import Space
from octavo.store.unit import Unit


class SeenGitOperation(msgspec.Struct, frozen=True):
    """A Git operation of the space that was found before it."""

    record: GitOperation


async def operation(unit: Unit, word: str, within: Space) -> SeenGitOperation:
    """A Git operation of the space."""
    record = await unit.git.operation(word)
    if record is None or record.space != within.id:
        raise absent("operation", word)
    return SeenGitOperation(record)


FINDERS: dict[type, Finder] = {
    SeenGitOperation: lambda unit, caller, word, found: operation(unit, word, found["space"].record),
}
