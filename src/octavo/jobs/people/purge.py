"""Removing deleted organizations and accounts when their days are over."""

from __future__ import annotations

import asyncio
from functools import partial

from octavo.jobs.git import keeping
from octavo.jobs.work import Work
from octavo.kernel import limits
from octavo.kernel.clock import DAY
from octavo.kernel.records import Json
from octavo.kernel.records.library import Space
from octavo.store.unit import Unit

ORGANIZATION = limits.DELETED_ORGANIZATION_DAYS * DAY
"""Milliseconds from the deletion of an organization to its removal."""
ACCOUNT = limits.DELETED_ACCOUNT_DAYS * DAY
"""The same of an account."""
BATCH = 200
"""Objects that one unit removes: nobody waits long for it."""
_EVER = 1 << 62


async def run_organization(work: Work) -> Json | None:
    """Payload: deleted, deleted_at. One that was restored, or deleted again since, stays."""
    key, deleted_at = work.job.payload["deleted"], work.job.payload["deleted_at"]
    organization = await work.read(lambda unit: unit.people.organization_or_deleted(key))
    if organization is None or organization.deleted_at != deleted_at:
        return None
    for space in await work.read(partial(_spaces, organization=key)):
        await work.write(partial(_remove_space, space=space.id), lock=("spaces", space.id))
    while objects := await work.read(lambda unit: unit.objects.old(key, b"", _EVER, BATCH)):
        await work.write(partial(_remove_objects, organization=key, gone=objects))
    while blobs := await work.read(lambda unit: unit.blobs.old(key, "", _EVER, BATCH)):
        # The bytes first: a run that is broken off finds the rows of what is left.
        for blob in blobs:
            await work.tools.blobs.remove(key, blob)
        await work.write(partial(_remove_blobs, organization=key, gone=blobs))
    await asyncio.to_thread(keeping.forget, work.tools.settings, key)
    while await work.write(lambda unit: unit.audit.drop(key, BATCH)) == BATCH:
        pass
    await work.write(lambda unit: unit.people.remove_organization(key), lock=("organizations", key))
    return None


async def _spaces(unit: Unit, *, organization: str) -> list[Space]:
    return [*await unit.spaces.all(organization), *await unit.spaces.all(organization, deleted=True)]


async def _remove_space(unit: Unit, *, space: str) -> None:
    await unit.search.drop(space)
    await unit.spaces.remove(space)


async def _remove_objects(unit: Unit, *, organization: str, gone: list[bytes]) -> int:
    return await unit.objects.remove(organization, gone, _EVER)


async def _remove_blobs(unit: Unit, *, organization: str, gone: list[str]) -> None:
    for blob in gone:
        await unit.blobs.remove(organization, blob, _EVER)


async def run_account(work: Work) -> Json | None:
    """Payload: account, deleted_at. One that was restored, or deleted again since, stays."""
    key, deleted_at = work.job.payload["account"], work.job.payload["deleted_at"]

    async def remove(unit: Unit) -> None:
        user = await unit.people.user(key)
        if user is not None and user.deleted_at == deleted_at:
            await unit.people.remove_user(key)

    await work.write(remove)
    return None
