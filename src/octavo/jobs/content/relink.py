"""Links follow content: what pages that changed refer to is noted anew, and what refers to something that came or went."""

from __future__ import annotations

from functools import partial
from itertools import islice

from octavo.content import trie
from octavo.content.revision import Digest, Root
from octavo.history.contents import Contents, contents_of, root_at, walk
from octavo.history.linking import links_of
from octavo.jobs.work import Work
from octavo.kernel.records import Json
from octavo.kernel.records.library import Space
from octavo.store.unit import Unit

PAGES = 16
"""Pages in one unit: nobody waits longer than that."""
_KINDS = (("page", "pages"), ("file", "files"), ("reusable-content", "reusables"))


async def run(work: Work) -> Json | None:
    """Payload: space. Brings its links to the head; where the space was deleted, links into it are broken."""
    key = work.job.payload["space"]
    space = await work.read(lambda unit: unit.spaces.get(key))
    if space is None:
        return None
    if space.deleted_at is not None:
        await work.write(lambda unit: unit.links.drop(key))
        await work.write(lambda unit: unit.links.mark_into(space.organization, key))
        return None
    contents, root, before = await work.read(lambda unit: _heads(unit, space))
    changed = await work.read(lambda unit: _changed(unit, space.organization, before, contents.root))
    waiting = iter(sorted(changed["page"]))
    while some := tuple(islice(waiting, PAGES)):
        await work.write(partial(_note, space=space, contents=contents, keys=some), lock=("spaces", key))
    await work.write(partial(_finish, space=space, root=root, changed=changed), lock=("spaces", key))
    return {"pages": len(changed["page"])}


Changed = dict[str, dict[str, tuple[bytes | None, bytes | None]]]
"""Kind of a target -> id -> (before, after)."""


async def _heads(unit: Unit, space: Space) -> tuple[Contents, Digest, Root]:
    """What the space holds now, the name of its root, and the root up to which its links are known."""
    head = await unit.revisions.get(space.revision)
    assert head is not None  # a space's row names its head
    known = await unit.links.head(space.id)
    before = Root() if known is None else await root_at(unit, space.organization, known)
    return await contents_of(unit, head), head.root, before


async def _changed(unit: Unit, organization: str, before: Root, after: Root) -> Changed:
    return {
        kind: await walk(unit, organization, trie.diff(getattr(before, part), getattr(after, part)))
        for kind, part in _KINDS
    }


async def _note(unit: Unit, *, space: Space, contents: Contents, keys: tuple[str, ...]) -> None:
    found = await links_of(unit, space, contents, keys)
    for key in keys:
        await unit.links.replace(space.id, key, found.get(key, ()))


async def _finish(unit: Unit, *, space: Space, root: Digest, changed: Changed) -> None:
    """What came holds again, what went is broken, whoever links to it; and the root up to which that is so."""
    for kind, differences in changed.items():
        came = [f"{kind}/{space.id}/{key}" for key, (before, _) in differences.items() if before is None]
        went = [f"{kind}/{space.id}/{key}" for key, (_, after) in differences.items() if after is None]
        await unit.links.mark(space.organization, came, broken=False)
        await unit.links.mark(space.organization, went, broken=True)
    await unit.links.mark(space.organization, [f"space/{space.id}"], broken=False)
    await unit.links.set_head(space.organization, space.id, root)
