"""Removing a deleted space when its days are over, and then all content that no revision reaches any more."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import NamedTuple

from octavo.content.garbage import Needed, mark
from octavo.jobs.git import keeping
from octavo.jobs.people.forgetting import forget
from octavo.jobs.work import Work
from octavo.kernel import limits
from octavo.kernel.audit import Target
from octavo.kernel.clock import DAY
from octavo.kernel.records import Json
from octavo.kernel.records.integrations import blobs_of
from octavo.kernel.records.library import Space
from octavo.site.structure import forget_space
from octavo.store.installation import Collected
from octavo.store.unit import Unit
from octavo.wire.sites.pictures import named as named_pictures

DAYS = limits.DELETED_SPACE_DAYS * DAY
"""Milliseconds from the deletion of a space to its removal."""
GRACE = DAY
"""Milliseconds for which content is kept that nothing reaches: an import stores objects long before its revision."""
BATCH = 200
"""Objects that one unit removes: nobody waits long for it."""


async def run(work: Work) -> Json | None:
    """Payload: space, deleted_at. A space that was restored, or deleted again since, stays."""
    key, deleted_at = work.job.payload["space"], work.job.payload["deleted_at"]
    space = await work.read(lambda unit: unit.spaces.get(key))
    if space is None or space.deleted_at != deleted_at:
        return None
    await forget(work, key)
    await work.write(partial(_remove_space, space=space), lock=("spaces", key))
    await asyncio.to_thread(keeping.forget, work.tools.settings, space.organization, key)
    removed = await collect(work, space.organization)
    return {"objects": removed.objects}


async def run_collect(work: Work) -> Json | None:
    """No payload: what nothing reaches in the job's organization."""
    assert work.job.organization is not None  # it is asked for with one
    removed = await collect(work, work.job.organization)
    await work.write(lambda unit: unit.installation.note_collected(Collected(unit.now, removed.objects, removed.files)))
    return {"objects": removed.objects, "files": removed.files}


class Removed(NamedTuple):
    """How much was let go."""

    objects: int
    files: int


async def collect(work: Work, organization: str) -> Removed:
    """Remove the objects and blobs of an organization that no revision, font, look, specification or integration reaches, and
    that nobody stored since the grace began."""
    before = work.store.clock() - GRACE
    needed = await _marked(work, organization)
    removed = 0
    after = b""
    while old := await work.read(partial(_old_objects, organization=organization, after=after, before=before)):
        after = old[-1]
        if gone := [name for name in old if name not in needed.objects]:
            removed += await work.write(partial(_remove, organization=organization, gone=gone, before=before))
        await asyncio.sleep(0)
    return Removed(removed, await _collect_blobs(work, organization, needed, before))


async def _remove_space(unit: Unit, *, space: Space) -> None:
    await forget_space(unit, space.id)
    await unit.spaces.remove(space.id)
    await unit.audit.append("space.purge", Target("space", space.id, space.title), [space.organization])


async def _marked(work: Work, organization: str) -> Needed:
    """What every revision reaches, read in small units: whoever else reads or writes has a turn between two of them."""
    roots = await work.read(lambda unit: unit.revisions.roots(organization))
    steps = mark(roots)
    wanted = next(steps, None)
    try:
        while wanted is not None:
            found = await work.read(partial(_objects, organization=organization, wanted=wanted))
            await asyncio.sleep(0)
            wanted = steps.send(found)
    except StopIteration as done:
        needed: Needed = done.value
        return needed
    return Needed()


async def _collect_blobs(work: Work, organization: str, needed: Needed, before: int) -> int:
    fonts = await work.read(lambda unit: unit.fonts.all(organization))
    looks = await work.read(lambda unit: unit.fonts.looks(organization))
    integrations = await work.read(lambda unit: unit.integrations.owned(organization))
    kept = needed.blobs | {face["blob"] for font in fonts for face in font.faces["faces"]}
    kept |= await work.read(lambda unit: unit.openapi.blobs(organization))
    kept |= {blob for one in integrations for blob in blobs_of(one)}
    kept |= {blob for look in looks for blob in named_pictures(look)}
    last, removed = "", 0
    while old := await work.read(partial(_old_blobs, organization=organization, after=last, before=before)):
        last = old[-1]
        for blob in old:
            if blob not in kept and await _let_go(work, organization, blob, before):
                removed += 1
    return removed


async def _let_go(work: Work, organization: str, blob: str, before: int) -> bool:
    """Remove a blob that nothing reaches; whether it went. Whoever stores the same bytes now has put them ahead of the unit
    that notes them, so that the age of the bytes tells of it when the index cannot yet."""
    blobs = work.tools.blobs
    written = await blobs.written_at(organization, blob)
    if written is not None and written >= before:
        return False
    if not await work.write(partial(_remove_blob, organization=organization, blob=blob, before=before)):
        return False
    written = await blobs.written_at(organization, blob)
    if written is not None and written < before:
        await blobs.remove(organization, blob)
    return True


async def _objects(unit: Unit, *, organization: str, wanted: frozenset[bytes]) -> dict[bytes, bytes]:
    return await unit.objects.get(organization, wanted)


async def _old_objects(unit: Unit, *, organization: str, after: bytes, before: int) -> list[bytes]:
    return await unit.objects.old(organization, after, before, BATCH)


async def _old_blobs(unit: Unit, *, organization: str, after: str, before: int) -> list[str]:
    return await unit.blobs.old(organization, after, before, BATCH)


async def _remove(unit: Unit, *, organization: str, gone: list[bytes], before: int) -> int:
    return await unit.objects.remove(organization, gone, before)


async def _remove_blob(unit: Unit, *, organization: str, blob: str, before: int) -> bool:
    return await unit.blobs.remove(organization, blob, before)
