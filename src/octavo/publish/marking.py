"""What a change request changes, on the pages of its preview: entries that differ, and the blocks of a page."""

from __future__ import annotations

from dataclasses import replace

from octavo.content import changes
from octavo.content.changes import PageChange
from octavo.content.comparison import Status, compare
from octavo.content.document import Node, block, document
from octavo.content.reading import evaluated, reads_of
from octavo.history.contents import contents_of, document_of, walk
from octavo.kernel.records.content import Revision
from octavo.publish.context import page_href
from octavo.publish.reading import Material, contents_at
from octavo.publish.views import Mark, Marked, PreviewView
from octavo.publish.words import Words
from octavo.site.seeing import seen
from octavo.site.snapshot import Snapshot
from octavo.store.kept import Kind
from octavo.store.unit import Unit

LISTED = 50
"""Pages that a preview lists."""

_MARKS: dict[str, Mark] = {"created": "added", "edited": "changed", "moved": "moved", "deleted": "removed"}
_BLOCKS: dict[Status, Mark] = {"added": "added", "changed": "changed", "deleted": "removed"}
_CHANGES: Kind[list[PageChange]] = Kind("pages that change requests change", lambda found: 200 + 600 * len(found))


async def preview_of(unit: Unit, snapshot: Snapshot, base: str) -> PreviewView:
    """What stands above every page of a preview; `base` is the path of the site."""
    draft = snapshot.draft
    if draft is None:
        return PreviewView()
    after = await contents_at(unit, snapshot, draft.space)
    before = seen(await contents_of(unit, draft.before), snapshot.visitor)
    link = next((one for one in snapshot.shown if one.space == draft.space), None)
    here = base + ("" if link is None else snapshot.base_of(link))
    made: dict[str, Marked] = {}
    for change in await _changed(unit, draft.before, snapshot.revisions[draft.space]):
        page, mark = change.page, _MARKS[change.kind]
        branch = after.by_id.get(page.id)
        # Of a page that its visitor may not see, they are not told either that it differs.
        if (branch is None and page.id not in before.pages) or (mark != "removed" and branch is None):
            continue
        if page.id not in made or made[page.id].mark == "moved":
            href = page_href(after, here, branch) if branch is not None and page.type == "document" else ""
            made[page.id] = Marked(page.id, page.title, mark, href)
    return PreviewView(draft.number, draft.subject, tuple(made.values())[:LISTED], len(made))


async def _changed(unit: Unit, before: Revision, after: Revision) -> list[PageChange]:
    key = (after.organization, before.root, after.root)
    found = unit.kept.get(_CHANGES, key)
    if found is None:
        old = (await contents_of(unit, before)).root
        new = (await contents_of(unit, after)).root
        all_ = await walk(unit, after.organization, changes.changes(old, new))
        found = unit.kept.put(_CHANGES, key, [one for one in all_ if isinstance(one, PageChange)])
    return found


async def with_before(unit: Unit, material: Material) -> Material:
    """The same with the page as primary content has it, where that is another one."""
    before = await _before(unit, material)
    return material if before is None else replace(material, before=before, reads=material.reads | reads_of(before))


async def _before(unit: Unit, material: Material) -> Node | None:
    draft, page = material.snapshot.draft, material.branch.page
    if draft is None or draft.space != material.place.space.id:
        return None
    contents = seen(await contents_of(unit, draft.before), material.snapshot.visitor)
    was = contents.pages.get(page.id)
    if was is None:
        return document([])
    return None if was.document == page.document else await document_of(unit, contents.organization, was.document)


def marked(material: Material, words: Words) -> Node | None:
    """The page's document with what differs from primary content marked, where anything does."""
    before, after = material.before, material.document
    if before is None or after is None:
        return after
    nodes: list[Node] = []
    # Decided first: nobody is told that something differs which they do not see.
    scope = material.scope
    for one in compare(evaluated(before, scope, expressions=False), evaluated(after, scope, expressions=False)):
        mark = _BLOCKS.get(one.status)
        node = one.after or one.before
        assert node is not None  # it is in one of the two
        label = "" if mark is None else words.text[f"mark_{mark}"]
        nodes.append(node if mark is None else block("marked", {"mark": mark, "label": label}, [node]))
    return after | {"nodes": nodes}
