"""The order of spaces and collections below one parent: they share it, and so do their positions."""

from __future__ import annotations

from msgspec import UNSET, UnsetType

from octavo.content.ordering import between
from octavo.kernel.errors import BadRequest
from octavo.resources.call import Call
from octavo.wire.library.moves import Position, pointed


async def position_in(
    call: Call, organization: str, parent: str | None, moved: str, wanted: Position | UnsetType = UNSET
) -> str:
    """A position below `parent` for what is `moved` there; the organization is held until the unit ends, so that no two
    take one place. Raises BadRequest for a sibling that is none."""
    await call.unit.people.hold_organization(organization)
    siblings = [one for one in await call.unit.spaces.siblings(organization, parent) if one[0] != moved]
    at = len(siblings)
    if wanted is not UNSET:
        for word, pointer, behind in (("before", wanted.before, 0), ("after", wanted.after, 1)):
            if pointer is not UNSET:
                at = _find(siblings, pointed(pointer), word) + behind
    before = siblings[at - 1][1] if at else None
    # Two may have one position from before they shared their order: behind both of them there is room.
    after = next((position for _, position in siblings[at:] if before is None or position > before), None)
    return between(before, after)


def _find(siblings: list[tuple[str, str]], key: str, word: str) -> int:
    for at, (sibling, _) in enumerate(siblings):
        if sibling == key:
            return at
    raise BadRequest(f"position.{word}: {key!r} does not stand below that parent")
