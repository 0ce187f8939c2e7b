"""A draft: a revision's entries with changes upon them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property

import msgspec

from octavo.content.conflicts import resolved
from octavo.content.document import Node, Ref
from octavo.content.draft.changes import (
    LEFT,
    Base,
    Change,
    DeleteFile,
    DeletePage,
    InsertEntry,
    InsertFile,
    InsertPage,
    Metadata,
    Outcome,
    Refused,
    ResolveConflict,
    RevertPage,
    UpdateFile,
    UpdatePage,
)
from octavo.content.draft.forest import Forest
from octavo.content.draft.links import Links
from octavo.content.draft.reverting import with_blocks_of
from octavo.content.draft.writing import write
from octavo.content.markdown import parse
from octavo.content.revision import File, Page, computed_title
from octavo.content.slugs import LONGEST, is_usable, title_slug
from octavo.content.trie import Objects

replace = msgspec.structs.replace
LONGEST_REF = 256
"""Characters of a name that a batch gives."""


class Draft:
    """Applies changes in order; Refused leaves the draft unusable.

    `longest` are the characters that fields of a page may have, wherever they come from.
    """

    def __init__(
        self, base: Base, new_id: Callable[[], str], now: int, longest: Mapping[str, int] | None = None
    ) -> None:
        self._base = base
        self._longest = longest or {}
        self._new_id = new_id
        self._now = now
        self._forest = Forest(base.pages)
        self._refs: dict[str, Ref] = {}
        self._ids: dict[int, str] = {}
        self._texts = dict(base.texts)
        self.objects: Objects = {}
        self.files: dict[str, File | None] = {}
        """Files that were added or changed; None is one that is gone."""
        self.added: list[File] = []
        self._outcomes: dict[str, Outcome] = {}
        self._lifted: dict[str, tuple[Page, Mapping[str, Page]]] = {}
        """Pages that were put back higher than they stood, as the page above them was not there."""

    @property
    def pages(self) -> dict[str, Page | None]:
        """Pages that changed; None is one that is gone."""
        return self._forest.changed

    @property
    def outcomes(self) -> list[Outcome]:
        """What became of the pages, in the order in which they were first touched."""
        return list(self._outcomes.values())

    def announce(self, number: int, change: Change) -> None:
        """Make a change's name known to all changes of the batch, before any is applied."""
        ref = change.ref if isinstance(change, InsertPage | InsertEntry | InsertFile) else None
        if isinstance(change, InsertPage | InsertEntry):
            self._ids[number] = (change.id if isinstance(change, InsertPage) else None) or self._new_id()
        if ref is None:
            return
        if not ref.strip("./ ") or len(ref) > LONGEST_REF:
            raise Refused(f"a ref must have 1 to {LONGEST_REF} characters and be a name")
        if {ref, f"{ref}.md", ref.removesuffix(".md")} & self._refs.keys():
            raise Refused(f"the ref {ref!r} is used twice")
        if self._forest.at_path(ref.removesuffix(".md")) is not None:
            raise Refused(f"the ref {ref!r} is the path of a page")
        file = {"kind": "file", "file": change.file.id} if isinstance(change, InsertFile) else None
        self._refs[ref] = file or {"kind": "page", "page": self._ids[number]}

    def apply(self, number: int, change: Change) -> None:
        """Make one change; `number` is its place in the batch."""
        match change:
            case InsertPage():
                self._insert(self._ids[number], change)
            case InsertEntry():
                self._insert_entry(self._ids[number], change)
            case UpdatePage():
                self._update(change)
            case DeletePage():
                self._delete(self._existing(change.page))
            case RevertPage():
                self._revert(change)
            case ResolveConflict():
                self._resolve(change)
            case InsertFile():
                self.files[change.file.id] = change.file
                self.added.append(change.file)
            case UpdateFile():
                self._update_file(change)
            case DeleteFile():
                self.files[self._file(change.file).id] = None

    def _existing(self, page: str) -> Page:
        found = self._forest.get(page)
        if found is None:
            raise Refused(f"there is no page {page!r}")
        return found

    def _file(self, file: str) -> File:
        found = self.files[file] if file in self.files else self._base.files.get(file)
        if found is None:
            raise Refused(f"there is no file {file!r}")
        return found

    def _update_file(self, change: UpdateFile) -> None:
        file, new = self._file(change.file), change.content
        if new is not None:
            named = {name: getattr(new, name) for name in ("content_type", "size", "blob", "width", "height")}
            file = replace(file, **named, oid=None)
        self.files[file.id] = replace(file, name=change.name or file.name)

    def _insert_entry(self, key: str, change: InsertEntry) -> None:
        blank = Page(
            id=key, type=change.type, title="Untitled", slug="", position="", created=self._now, updated=self._now
        )
        if change.computed is not None:
            blank = replace(blank, title=computed_title(change.computed), computed=change.computed)
        page = self._forest.place(_with_fields(blank, change.metadata), change.into, change.at)
        page = replace(page, target=self._target(change.target))
        self._forest.put(page)
        wanted = change.metadata.slug or title_slug(page.title)
        self._forest.put(replace(page, slug=self._slug(page, wanted, given=bool(change.metadata.slug))))
        self._outcomes[key] = Outcome("created_page", key, change.ref)

    def _target(self, ref: Ref | None) -> Ref | None:
        if ref is not None and ref["kind"] == "page":
            self._existing(ref["page"])
        return ref

    def _resolve(self, change: ResolveConflict) -> None:
        page = self._existing(change.page)
        body, count = resolved(self._document(page), change.keep, change.blocks)
        if count == 0 or (change.blocks and count < len(set(change.blocks))):
            raise Refused(f"there is no such conflict on page {page.id!r}: it was resolved, or was never there")
        self._forest.put(replace(self._written(page, body, Metadata()), updated=self._now))
        self._outcomes.setdefault(page.id, Outcome("updated_page", page.id))

    def _insert(self, key: str, change: InsertPage) -> None:
        blank = Page(
            id=key, type="document", title="Untitled", slug="", position="", created=self._now, updated=self._now
        )
        placed = self._forest.place(blank, change.into, change.at)
        self._forest.put(placed)
        page = self._written(placed, change.body, change.metadata)
        slug = self._slug(
            page,
            change.metadata.slug or title_slug(page.title),
            given=bool(change.metadata.slug),
        )
        self._forest.put(replace(page, slug=slug))
        self._outcomes[key] = Outcome("created_page", key, change.ref)

    def _update(self, change: UpdatePage) -> None:
        page = old = self._existing(change.page)
        if change.into is not LEFT or change.at is not None:
            into = page.parent if change.into is LEFT else change.into
            assert into is None or isinstance(into, str)
            stays = change.at is None and into == page.parent and page.listed
            page = page if stays else self._forest.place(page, into, change.at)
        if change.metadata.slug is not None:
            wanted = change.metadata.slug or title_slug(change.metadata.title or page.title)
            page = replace(page, slug=self._slug(page, wanted, given=bool(change.metadata.slug)))
        elif (page.listed, page.parent) != (old.listed, old.parent):
            # What is not listed has its whole path as slug.
            page = replace(page, slug=self._slug(page, page.slug.rpartition("/")[2], given=False))
        if change.computed is not None:
            if page.type != "computed":
                raise Refused(f"page {page.id!r} is a {page.type}: it stands for nothing else")
            page = replace(page, computed=change.computed)
        if page.type == "document":
            page = self._written(page, change.body, change.metadata)
        elif change.body is not None:
            raise Refused(f"page {page.id!r} is a {page.type}: it has no document")
        else:
            page = _with_fields(page, change.metadata)
        if change.target is not None:
            if page.type != "link":
                raise Refused(f"page {page.id!r} is a {page.type}: only a link has a target")
            page = replace(page, target=self._target(change.target))
        if page != old:
            self._forest.put(replace(page, updated=self._now))
        self._outcomes.setdefault(page.id, Outcome("updated_page", page.id))

    def _delete(self, page: Page) -> None:
        for one in list(self._forest.family(page)):
            self._forest.remove(one)
            made = self._outcomes.pop(one.id, None)
            if made is None or made.kind != "created_page":
                self._outcomes[one.id] = Outcome("deleted_page", one.id)

    def _revert(self, change: RevertPage) -> None:
        old = self._base.others[change.revision].get(change.page)
        page = self._forest.get(change.page)
        if old is None and page is None:
            raise Refused(f"there is no page {change.page!r}, neither now nor in revision {change.revision!r}")
        if change.blocks:
            if old is None or page is None or page.type != "document":
                raise Refused(f"blocks of page {change.page!r} can be reverted only where both revisions have it")
            body = with_blocks_of(self._document(page), self._document(old), change.blocks)
            self._forest.put(replace(self._written(page, body, Metadata()), updated=self._now))
        elif old is None:
            assert page is not None
            self._spare(page, self._base.others[change.revision])
            self._delete(page)
            return
        else:
            self._restore(old, page, self._base.others[change.revision])
        kind = "updated_page" if page is not None else "created_page"
        self._outcomes.setdefault(change.page, Outcome(kind, change.page))

    def _spare(self, page: Page, others: Mapping[str, Page]) -> None:
        """Take what the other revision has out of the family of a page that it has not: back to where it stood there,
        with the words that it has now."""
        family = list(self._forest.family(page))
        kept = {one.id for one in family if one.id in others}
        for one in family:
            if one.id in kept and one.parent not in kept:
                was = others[one.id]
                parent = was.parent if was.parent in others else None
                back = replace(one, parent=parent, position=was.position, slug=was.slug, listed=was.listed)
                self._restore(back, replace(one, parent=page.parent), others)
                self._outcomes.setdefault(one.id, Outcome("updated_page", one.id))

    def _restore(self, old: Page, page: Page | None, others: Mapping[str, Page]) -> None:
        """Put a page back as it was; below the nearest page above it that is still there."""
        parent = old.parent
        while parent is not None and self._forest.get(parent) is None:
            gone = others.get(parent)
            parent = gone.parent if gone else None
        back = replace(old, parent=parent, updated=self._now)
        if any(one.id == old.id for one in self._forest.above(parent)):
            back = replace(back, parent=page.parent if page else None)
        beside = [one for one in self._forest.siblings(back.parent) if one.id != back.id]
        before = [one for one in beside if one.position <= back.position]
        if back.listed and before and before[-1].position == back.position:
            # Another page was put where this one stood: it goes behind that.
            back = self._forest.place(back, back.parent, len(before))
        if back.listed and (page is None or not page.listed or page.parent != back.parent):
            self._forest.require_depth(back, back.parent)
        self._forest.put(back)
        if back.listed:
            # What is not listed has its whole path as slug, which nothing beside it takes.
            self._forest.put(replace(back, slug=self._slug(back, back.slug, given=False)))
        if parent != old.parent:
            self._lifted[old.id] = (old, others)
        for lifted, known in [one for one in self._lifted.values() if one[0].parent == old.id]:
            del self._lifted[lifted.id]
            self._restore(lifted, self._forest.get(lifted.id), known)

    def _slug(self, page: Page, wanted: str, *, given: bool) -> str:
        """A slug that no other page beside it has; one that was `given` is refused where it is taken."""
        taken = {one.slug.lower() for one in self._forest.siblings(page.parent) if one.id != page.id}
        if given and not is_usable(wanted):
            raise Refused(f"the slug {wanted!r} cannot be a part of an address here")
        wanted = (
            wanted if is_usable(wanted) else f"page-{wanted.strip('.~')}"[: LONGEST - 5].removesuffix(".md").rstrip("-")
        )
        slug, number = wanted, 1
        while slug.lower() in taken:
            if given:
                raise Refused(f"the slug {slug!r} is taken by another page beside it")
            number += 1
            slug = f"{wanted}-{number}"
        return slug

    def _source(self, page: Page) -> str:
        if page.text is None:
            return ""
        return (self.objects.get(page.text) or self._texts[page.text]).decode()

    def _document(self, page: Page) -> Node:
        return parse(self._source(page), page.links.get).document

    def _written(self, page: Page, body: str | Node | None, metadata: Metadata) -> Page:
        links = Links(self._forest, page, page.links, self._refs, self)
        cover = metadata.cover if isinstance(metadata.cover, dict) else {}
        for ref in filter(None, (cover.get("ref"), cover.get("refDark"))):
            if not self.holds(ref):
                raise Refused(f"there is no file {ref['file']!r} for the cover")
        if body is None and metadata == Metadata(slug=metadata.slug):
            return page
        made = write(page, self._source(page), body, metadata, links)
        for name, longest in self._longest.items():
            if len(getattr(made.page, name) or "") > longest:
                raise Refused(f"the {name} of a page is limited to {longest} characters")
        self.objects |= made.objects
        return made.page

    @property
    def home(self) -> str:
        """The id of the space."""
        return self._base.space

    def at_source(self, path: str) -> Ref | None:
        """What lies at a path of the repository, with or without `.md`."""
        return self._sources.get(path) or self._sources.get(f"{path}.md")

    def holds(self, ref: Ref) -> bool:
        """Whether a file or reusable content exists; what lies outside of the space is not known here."""
        match ref["kind"]:
            case "file":
                return (
                    self.files[ref["file"]] if ref["file"] in self.files else self._base.files.get(ref["file"])
                ) is not None
            case "reusable-content":
                return ref["reusableContent"] in self._base.reusables
        return True

    @cached_property
    def _sources(self) -> dict[str, Ref]:
        """Where the files of a repository lie -> what they are here."""
        known: dict[str, Ref] = {}
        for page in self._base.pages.values():
            if page.path is not None:
                known[page.path] = {"kind": "page", "page": page.id}
        for file in self._base.files.values():
            if file.path is not None:
                known[file.path] = {"kind": "file", "file": file.id}
        for one in self._base.reusables.values():
            if one.path is not None:
                known[one.path] = {"kind": "reusable-content", "reusableContent": one.id}
        return known


def _with_fields(page: Page, metadata: Metadata) -> Page:
    """A group, link or computed entry with other fields: it has no text that would hold them."""
    changed: dict[str, object] = {}
    for name in ("title", "description", "emoji", "icon", "condition", "hidden", "no_index", "no_robots_index"):
        value = getattr(metadata, name)
        if value is not None:
            changed[name] = value or (page.title if name == "title" else False if value is False else None)
    return replace(page, **changed)
