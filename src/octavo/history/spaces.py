"""New spaces: blank, with a sample, or with the content of another one. Whoever makes one has admin on it."""

from __future__ import annotations

import msgspec

from octavo.content.revision import Digest
from octavo.history import heads
from octavo.kernel import limits
from octavo.kernel.events import ContentChanged, SpaceChanged
from octavo.kernel.ids import new_id
from octavo.kernel.records import Json
from octavo.kernel.records.library import Grant, Space
from octavo.store.unit import Unit

EMOJI = "📘"
UNTITLED = "Untitled"
_COPY = " (copy)"


async def make(
    unit: Unit, space: Space, maker: str, *, empty: bool = False, text: str | None = None, computed: Json | None = None
) -> Space:
    """Add a space without pages, or with one that is empty, has this text, or stands for what it is computed from."""
    await unit.spaces.add(space)
    revision = await heads.start(unit, space.organization, space.id, empty=empty, text=text, computed=computed)
    return await _begun(unit, space, revision.id, maker)


async def make_plain(
    unit: Unit,
    organization: str,
    maker: str,
    position: str,
    *,
    title: str,
    empty: bool = False,
    text: str | None = None,
) -> Space:
    """The same at the top of an organization, with a title and nothing else that is special."""
    space = Space(
        id=new_id(),
        organization=organization,
        title=title[: limits.SPACE_TITLE_MAX],
        emoji=EMOJI,
        position=position,
        created_at=unit.now,
        updated_at=unit.now,
        revision="",
    )
    return await make(unit, space, maker, empty=empty, text=text)


async def copy(unit: Unit, old: Space, maker: str, *, id: str, position: str) -> Space:
    """Add a space with the content of another one, whose objects they share, whatever their number."""
    head = await unit.revisions.get(old.revision)
    assert head is not None  # a space's row names its head
    space = msgspec.structs.replace(
        old,
        id=id,
        title=old.title[: limits.SPACE_TITLE_MAX - len(_COPY)] + _COPY,
        position=position,
        created_at=unit.now,
        updated_at=unit.now,
        comments=0,
        change_requests=0,
        change_requests_open=0,
        change_requests_draft=0,
    )
    return await hold(unit, space, head.root, maker)


async def hold(unit: Unit, space: Space, root: Digest, maker: str) -> Space:
    """Add a space that begins with content which is there."""
    await unit.spaces.add(space)
    revision = await heads.record(unit, space.organization, space.id, root, parents=[], kind="edits")
    return await _begun(unit, space, revision.id, maker)


async def _begun(unit: Unit, space: Space, revision: str, maker: str) -> Space:
    """The head of a new space, and admin for whoever made it."""
    space = await unit.spaces.change(space, revision=revision)
    await unit.grants.give(
        Grant(organization=space.organization, kind="space", resource=space.id, role="admin", user=maker)
    )
    await unit.emit(SpaceChanged(organization=space.organization, space=space.id))
    await unit.emit(ContentChanged(organization=space.organization, space=space.id, revision=revision))
    return space
