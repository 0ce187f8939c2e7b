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
    return contents.by_id.get(contents.root.redirects.get(path, "")) or _by_source(contents).get(path)


def _by_source(contents: Contents) -> dict[str, Branch]:
    """Documents by where their files lie: addresses follow the table of contents, which may differ."""
    known: dict[str, Branch] | None = contents.derived.get("by_source")
    if known is None:
        known = contents.derived["by_source"] = {}
        for branch in contents.by_id.values():
            if branch.page.type == "document" and branch.page.path is not None:
                path = branch.page.path.removesuffix(".md")
                known.setdefault(path.removesuffix("/README"), branch)
                known[path] = branch
    return known
