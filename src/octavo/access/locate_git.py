"""Finders of Git: operations of spaces and of sites."""

from __future__ import annotations

import msgspec

from octavo.access.locate import Finder
from octavo.kernel.errors import absent
from octavo.kernel.records.git import GitOperation, GitSiteOperation
from octavo.kernel.records.library import Space
from octavo.kernel.records.sites import Site
from octavo.store.unit import Unit


class SeenGitOperation(msgspec.Struct, frozen=True):
    """A Git operation of the space that was found before it."""

    record: GitOperation


class SeenGitSiteOperation(msgspec.Struct, frozen=True):
    """A Git operation of the site that was found before it."""

    record: GitSiteOperation


async def operation(unit: Unit, word: str, within: Space) -> SeenGitOperation:
    """A Git operation of the space."""
    record = await unit.git.operation(word)
    if record is None or record.space != within.id:
        raise absent("operation", word)
    return SeenGitOperation(record)


async def site_operation(unit: Unit, word: str, within: Site) -> SeenGitSiteOperation:
    """A Git operation of the site."""
    record = await unit.git_sites.operation(word)
    if record is None or record.site != within.id:
        raise absent("operation", word)
    return SeenGitSiteOperation(record)


FINDERS: dict[type, Finder] = {
    SeenGitOperation: lambda unit, caller, word, found: operation(unit, word, found["space"].record),
    SeenGitSiteOperation: lambda unit, caller, word, found: site_operation(unit, word, found["site"].record),
}
