"""Words of a path become imports, or the answer is 404."""

from __future__ import annotations

from typing import Any

import msgspec

from octavo.access import locate
from octavo.access.caller import Caller
from octavo.access.locate import Finder
from octavo.access.policy import allows
from octavo.kernel.errors import NotFound, absent
from octavo.kernel.operation import Rule
from octavo.kernel.records import Role
from octavo.kernel.records.imports import ImportRun
from octavo.kernel.records.people import Organization
from octavo.store.unit import Unit


class SeenImportRun(msgspec.Struct, frozen=True):
    """An import into a space that the caller sees, and her role on that."""

    record: ImportRun
    role: Role


async def import_run(unit: Unit, caller: Caller, word: str, within: Organization) -> SeenImportRun:
    """An import of the organization."""
    record = await unit.imports.get(word)
    if record is None or record.organization != within.id:
        raise absent("import run", word)
    try:
        space = await locate.space(unit, caller, record.space)
    except NotFound:
        raise absent("import run", word) from None
    assert space.role is not None  # who has none does not see the space
    return SeenImportRun(record, space.role)


FINDERS: dict[type, Finder] = {
    SeenImportRun: lambda unit, caller, word, found: import_run(unit, caller, word, found["organization"].record),
}


SEES: Rule[Any, Any] = Rule("`view` on the space", lambda caller, at, takes: True, "")
WRITES: Rule[Any, Any] = Rule(
    "`edit` on the space",
    lambda caller, at, takes: allows("space", "edit", at.import_run.role),
    "you may not write into the space of this import (needs edit)",
)
