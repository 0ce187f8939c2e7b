"""Where an address leads that no page has now: where its page moved to, what the writers say, where its source lies."""

from __future__ import annotations

from octavo.content.revision import Branch
from octavo.history.contents import Contents
from octavo.history.moves import follow
from octavo.store.unit import Unit


async def leads_to(unit: Unit, contents: Contents, path: str) -> Branch | None:
    """The page meant by a path below the space's, whoever may see it; None where nothing is known of the address."""
    moved = await follow(unit, contents, path)
    if moved is not None:
        return moved
    return contents.by_id.get(contents.root.redirects.get(path, "")) or contents.by_source.get(path)
