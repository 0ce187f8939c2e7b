"""Writing a space into a directory: which files change, so that reading it gives what the space holds.

What nobody edited keeps every byte: texts, the table of contents, front matter, settings and their comments.
"""

from __future__ import annotations

import json
import posixpath
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha1, sha256
from typing import Any

import msgspec

from octavo.content.document import Ref
from octavo.content.layout import config, lines, outline, paths, relinking, table
from octavo.content.layout.links import Index
from octavo.content.layout.outline import Draft
from octavo.content.layout.placed import placed
from octavo.content.layout.places import Held, Places, are_arranged_alike, find, gone
from octavo.content.layout.read import Reading
from octavo.content.layout.report import Report
from octavo.content.layout.rows import json_of, meaning, row_of
from octavo.content.layout.source import Source, text_of
from octavo.content.layout.table import Row
from octavo.content.markdown import parse, print_page
from octavo.content.revision import Branch, Digest, File, Page, Reusable, Root, flatten, tree
from octavo.content.trie import digest

replace = msgspec.structs.replace


@dataclass(frozen=True)
class Blob:
    """The bytes of a file of the space, by their SHA-256, hexadecimal."""

    name: str


@dataclass
class Written:
    """What a directory has to become, and what the space's entries then are."""

    changes: dict[str, bytes | Blob | None] = field(default_factory=dict)
    """Path -> what is written there; None = the file goes."""
    moved: dict[str, str] = field(default_factory=dict)
    """Old path -> new one, of files that go on under another name."""
    pages: dict[str, Page] = field(default_factory=dict)
    """Entries that say more now: where they lie, and what their text became there."""
    files: dict[str, File] = field(default_factory=dict)
    reusables: dict[str, Reusable] = field(default_factory=dict)
    objects: dict[Digest, bytes] = field(default_factory=dict)
    plain: bool = field(default=False, compare=False)
    """Whether nothing but the texts of pages changed, which lie where they lay: a directory that was read as the space held
    it is then read as the space holds it."""


def write(
    source: Source,
    now: Held,
    before: Held,
    root: Root,
    old: Root,
    load: Callable[[Digest], bytes | None],
    *,
    same: bool = False,
    filed: bool = False,
    unread: Iterable[str] = (),
) -> Written:
    """What changes in the directory `source`, so that it holds what the space holds `now`.

    `before` is what the space held when both were last the same, `root` and `old` are the variables, tags and redirects
    of the two; `load` gives the bytes of a text. `same` says that the directory is still what `before` was read from, or
    written to. `filed` gives every page a file, so that each has a path. Files that the space never knew are left alone;
    `unread` are those that the directory has beside what `source` offers.
    """
    return _Writing(source, now, before, load, root, same=same, filed=filed, unread=unread).run(old)


class _Writing:
    def __init__(
        self,
        source: Source,
        now: Held,
        before: Held,
        load: Callable[[Digest], bytes | None],
        root: Root,
        *,
        same: bool,
        filed: bool,
        unread: Iterable[str],
    ) -> None:
        self._same, self._root = same, root
        self._made = Written()
        self._source, self._given, self._before, self._load = source, now, before, load
        self._now = now = placed(now, before)
        self._reading = Reading(source, _nothing(), lambda: "", 0)
        self._top = self._reading.root
        self._there = frozenset(source.paths())
        known = [paths.relative(path, self._top) for path in self._there]
        self._settings = settings = paths.relative(self._reading.gitbook, self._top)
        told = filed or self._reading.contents() is not None
        others = [paths.relative(path, self._top) for path in (*unread, *self._tables())]
        self._places = Places(now, before, known, settings, self._top, root=root, told=told, others=others)
        self._find = find(now, self._places, self._top)

    def run(self, old: Root) -> Written:
        self._drop()
        self._put_files()
        self._index = Index(self._after(), self._top, self._reading.config.readme)
        for page in self._now.pages.values():
            if page.id in self._places.pages:
                self._put_page(page, self._full(self._places.pages[page.id]))
        for one in self._now.reusables.values():
            self._put_reusable(one, self._full(self._places.reusables[one.id]))
        self._put_settings(self._root, old)
        self._put_contents()
        self._made.plain = self._is_plain()
        return self._made

    def _is_plain(self) -> bool:
        own = {self._full(page.path) for page in self._before.pages.values() if page.path and page.text is not None}
        held = [(self._given.files, self._before.files), (self._given.reusables, self._before.reusables)]
        return (
            self._same
            and not self._made.moved
            and all(data is not None and path in own for path, data in self._made.changes.items())
            and all(now.keys() == before.keys() for now, before in held)
            and are_arranged_alike(self._given, self._before)
        )

    def _full(self, inner: str) -> str:
        """A path of the space, from the top of the directory."""
        made = paths.join(self._top, inner)
        assert made is not None  # paths come from a reading of the directory, and names from `Places`
        return made

    def _after(self) -> list[str]:
        """The files of the directory as they will be."""
        own = (*self._places.pages.values(), *self._places.files.values(), *self._places.reusables.values())
        gone = {path for path, data in self._made.changes.items() if data is None}
        return sorted((self._there - gone) | {self._full(path) for path in own})

    def _drop(self) -> None:
        """What is gone, and the old places of what moved."""
        staying = {*self._places.pages.values(), *self._places.files.values(), *self._places.reusables.values()}
        for path in gone(self._now, self._before, self._settings):
            full = paths.join(self._top, path)
            if path not in staying and full in self._there:
                self._made.changes[full] = None
        for page in self._now.pages.values():
            new = self._places.pages.get(page.id)
            was = paths.join(self._top, page.path) if page.path else None
            if was and new and new != page.path and was in self._there:
                self._made.moved[was] = self._full(new)
                if page.path not in staying:
                    self._made.changes[was] = None

    # Texts and files.

    def _put_files(self) -> None:
        for file in self._now.files.values():
            inner = self._places.files[file.id]
            path = self._full(inner)
            oid = self._source.oid(path) if path in self._there else None
            if oid is None or oid != file.oid:
                same = path in self._there and sha256(self._source.read(path)).hexdigest() == file.blob
                if not same:
                    self._made.changes[path] = Blob(file.blob)
                    oid = None
            made = replace(file, path=inner, oid=oid)
            if made != file:
                self._made.files[file.id] = made

    def _put_page(self, page: Page, path: str) -> None:
        if page.text is None and page.path is not None:
            # A file that the table of contents names in vain.
            return
        if self._lies(page, self._before.pages.get(page.id), path):
            return
        text = self._text(page.text) if page.text is not None else _titled(page.title)
        if text is None:
            return
        made = replace(page, path=paths.relative(path, self._top))
        if page.text is None:
            data = json_of(parse(text).document)
            made = replace(made, text=digest(text.encode()), document=digest(data))
            self._made.objects |= {digest(text.encode()): text.encode(), digest(data): data}
        was = paths.join(self._top, page.path) if page.path else None
        made = self._settled(made, path, text, was)
        if made != self._given.pages[page.id]:
            self._made.pages[page.id] = made

    def _lies(self, entry: Page | Reusable, before: Page | Reusable | None, path: str) -> bool:
        """Whether the entry lies at the path as it is, so that its text need not be looked at."""
        if entry.text is None or entry.path is None or path not in self._there or path in self._made.moved:
            return False
        if entry not in (self._given.pages.get(entry.id), self._given.reusables.get(entry.id)):
            return False
        if paths.join(self._top, entry.path) != path or paths.relative(path, self._top) != entry.path:
            return False
        oid = self._source.oid(path)
        return ((oid is not None and oid == entry.oid) or (self._same and entry == before)) and not self._wrong(
            entry, path
        )

    def _put_reusable(self, one: Reusable, path: str) -> None:
        if self._lies(one, self._before.reusables.get(one.id), path):
            return
        text = self._text(one.text)
        if text is not None:
            made = self._settled(
                replace(one, path=paths.relative(path, self._top)),
                path,
                text,
                paths.join(self._top, one.path) if one.path else None,
            )
            if made != self._given.reusables[one.id]:
                self._made.reusables[one.id] = made

    def _settled(self, entry: Any, path: str, text: str, was: str | None) -> Any:
        """The entry with its text as it lies at the path: written there, unless it lies there already."""
        own = path if path in self._there and path not in self._made.moved else None
        there = was if was in self._there else None
        unedited = there is not None and self._is_unedited(entry, there)
        if unedited and there is not None and not self._wrong(entry, path):
            if there == path == own:
                return replace(entry, oid=self._source.oid(path))
            self._made.changes[path] = data = self._source.read(there)
            return replace(entry, oid=_oid(data))
        changed = relinking.respelled(path, entry.links, self._index, self._find)
        if changed:
            text, links = relinking.rewritten(text, entry.links, changed)
            data = text.encode()
            self._made.objects[digest(data)] = data
            entry = replace(entry, text=digest(data), links=links)
        data = text.encode()
        if own is None or self._source.read(own) != data:
            self._made.changes[path] = data
        return replace(entry, oid=_oid(data))

    def _is_unedited(self, entry: Any, path: str) -> bool:
        oid = self._source.oid(path)
        if oid is not None and oid == entry.oid:
            return True
        return bool(digest(text_of(self._source, path, Report()).encode()) == entry.text)

    def _wrong(self, entry: Any, path: str) -> bool:
        """Whether an address of a text leads elsewhere because something moved."""
        if not self._made.moved:
            return False
        moved = self._displaced
        if path in moved or any((self._find(ref) or "") in moved for ref in entry.links.values()):
            return bool(relinking.respelled(path, entry.links, self._index, self._find))
        return False

    @cached_property
    def _displaced(self) -> frozenset[str]:
        """Old and new paths of what moves; nothing is added to these once texts are written."""
        return frozenset((*self._made.moved, *self._made.moved.values()))

    def _text(self, name: Digest) -> str | None:
        data = self._load(name)
        return None if data is None else data.decode()

    # Settings.

    def _put_settings(self, root: Root, old: Root) -> None:
        self._put_redirects(root, old)
        path = f"{self._reading.gitbook}/vars.yaml"
        written = self._yaml(path)
        read = config.variables(path, written, Report())
        if read != root.variables and self._is_readable(path):
            held = written if isinstance(written, dict) else {}
            foreign = {str(name): value for name, value in held.items() if str(name) not in read}
            self._put(path, lines.with_names(self._own_text(path), foreign | root.variables))
        path = f"{self._reading.gitbook}/tags.yaml"
        if config.tags(path, self._yaml(path), Report()) != root.tags and self._is_readable(path):
            rows = [f"- {json.dumps(tag, ensure_ascii=False)}\n" for tag in root.tags]
            self._put(path, "".join(rows) or "[]\n")

    def _put_redirects(self, root: Root, old: Root) -> None:
        """Redirects whose pages moved lead to where these are; those that lead nowhere stay as they were written."""
        value = self._yaml(".gitbook.yaml")
        held = value.get("redirects") if isinstance(value, dict) else None
        written = {str(name): to for name, to in held.items()} if isinstance(held, dict) else {}
        wanted: dict[str, Any] = {}
        for name, to in written.items():
            page = root.redirects.get(name.strip("/"))
            if page is not None:
                wanted[name] = self._redirect(to, page)
            elif name.strip("/") not in old.redirects:
                wanted[name] = to
        known = {name.strip("/") for name in written}
        wanted |= {name: self._redirect(None, page) for name, page in root.redirects.items() if name not in known}
        wanted = {name: to for name, to in wanted.items() if to is not None}
        if wanted != written and self._is_readable(".gitbook.yaml"):
            text = self._own_text(".gitbook.yaml")
            self._put(".gitbook.yaml", lines.with_names(text, wanted, within="redirects"))

    def _redirect(self, written: Any, page: str) -> Any:
        inner = self._places.pages.get(page)
        if inner is None:
            return None
        path = self._full(inner)
        found = self._index.find(self._top, written) if isinstance(written, str) else None
        return written if found and found.path == path else relinking.address(self._top, path)

    def _yaml(self, path: str) -> Any:
        return config.load_yaml(path, self._own_text(path), Report())

    def _is_readable(self, path: str) -> bool:
        """Whether what a file of settings says is known; else what is written there would be lost."""
        report = Report()
        config.load_yaml(path, self._own_text(path), report)
        return not report.warnings

    def _own_text(self, path: str) -> str:
        return text_of(self._source, path, Report()) if path in self._there else ""

    def _put(self, path: str, text: str) -> None:
        self._made.changes[path] = text.encode()

    # The table of contents.

    def _put_contents(self) -> None:
        if self._same and not self._made.moved and self._is_arranged_alike():
            # To read a long table of contents takes longer than all the rest.
            return
        ground, _ = self._reading.survey()
        wanted = list(self._rows(ground.contents))
        drafts, _ = self._reading.navigation(ground)
        old = list(self._rows_of(drafts))
        if ground.contents is None and not self._differs("", None, list(self._rows(None, natural=True))):
            # What the folders say is what the space has.
            return
        if ground.contents is not None and [row.key for row in old] == [row.key for row in wanted]:
            return
        path = ground.contents or self._tables()[0]
        before = self._own_text(ground.contents) if ground.contents else ""
        listed = old if ground.contents and all(row.lines for row in old) else []
        self._put(path, self._contents(before, listed, wanted, path))
        if before and self._made.changes.get(path) == before.encode():
            del self._made.changes[path]

    def _tables(self) -> list[str]:
        """Where a table of contents lies, or may be written."""
        usual = posixpath.join(self._top, "SUMMARY.md")
        found = self._reading.contents()
        return [found] if found else [self._reading.config.summary or usual, usual]

    def _is_arranged_alike(self) -> bool:
        if are_arranged_alike(self._now, self._before):
            return True
        return _navigation(self._now) == _navigation(self._before)

    def _contents(self, before: str, old: list[Row], wanted: list[Row], path: str) -> str:
        """The table with its lines, if that says what is wanted; else with all groups named, else made anew."""
        groups = {row.slug for row in wanted if row.kind == "group"}
        for pinned in (frozenset[str](), frozenset(groups)):
            made = table.rewritten(before, old, wanted, pinned) if old else table.written(wanted, pinned)
            if not self._differs(made, path, wanted):
                return made
        return table.written(wanted, groups)

    def _differs(self, text: str, path: str | None, wanted: list[Row]) -> bool:
        """Whether a table would be read as something else; without a path, what the folders say."""
        reading = Reading(_Overlay(self._source, self._made.changes, path, text), _nothing(), lambda: "", 0)
        ground, _ = reading.survey()
        return [row.key for row in self._rows_of(reading.navigation(ground)[0])] != [row.key for row in wanted]

    def _rows(self, contents: str | None, *, natural: bool = False) -> Iterator[Row]:
        """The entries as the space has them; of a table, where there is no way out of a group, groups come last."""
        folder = posixpath.dirname(contents or self._reading.config.summary or posixpath.join(self._top, "SUMMARY.md"))
        branches = tree(self._now.pages.values())
        loose = [branch for branch in branches if branch.page.type != "group"]
        groups = [branch for branch in branches if branch.page.type == "group"]
        stack = [(branch, 0) for branch in reversed(branches if natural else [*loose, *groups])]
        while stack:
            branch, level = stack.pop()
            row = self._row(branch, level, folder)
            if row is not None:
                yield row
            deeper = level + 1 if row is not None else level
            stack += [(below, deeper) for below in reversed(branch.branches)]

    def _row(self, branch: Branch, level: int, folder: str) -> Row | None:
        page = branch.page
        if page.type == "group":
            return Row(("group", level, page.title, page.slug), "group", level, page.title, slug=page.slug)
        if page.type == "computed":
            key = ("computed", level, page.title, json_of(page.computed))
            return Row(key, "computed", level, page.title, computed=page.computed)
        if page.type == "link":
            return self._link_row(page, level, folder)
        inner = self._places.pages.get(page.id)
        if inner is None:
            return Row(("document", level, None, page.title), "document", level, page.title)
        path = self._full(inner)
        said = page.link_title if path in self._texts else page.title
        href = relinking.address(folder, path)
        return Row(("document", level, path, said), "document", level, page.title, href, page.link_title)

    def _link_row(self, page: Page, level: int, folder: str) -> Row | None:
        target: Ref = page.target or {}
        if target.get("kind") == "url":
            href = str(target.get("url", ""))
        elif target.get("kind") == "space":
            href = f"https://app.gitbook.com/s/{target.get('space')}/"
        else:
            path = self._find(target)
            if path is None:
                return None
            anchor = str(target.get("anchor", "")) if target.get("kind") == "anchor" else ""
            key = ("link", level, page.title, path, anchor)
            return Row(key, "link", level, page.title, relinking.address(folder, path, anchor))
        return Row(("link", level, page.title, meaning(href)), "link", level, page.title, href)

    @property
    def _texts(self) -> frozenset[str]:
        """Paths at which there is a text, or will be."""
        if not hasattr(self, "_known_texts"):
            kept = {path for path in self._there if self._made.changes.get(path, b"") is not None}
            self._known_texts = frozenset(
                kept | {path for path, data in self._made.changes.items() if data is not None}
            )
        return self._known_texts

    def _rows_of(self, drafts: list[Draft]) -> Iterator[Row]:
        """The entries that were read, in the words of those of the space."""
        titles = {self._full(path): self._now.pages[key].title for key, path in self._places.pages.items()}
        levels: dict[int, int] = {}
        for draft in outline.walk(drafts):
            level = levels[id(draft)] = 0 if draft.parent is None else levels[id(draft.parent)] + 1
            yield row_of(draft, level, titles, self._texts)


def _navigation(held: Held) -> list[tuple[Any, ...]]:
    """Everything that a table of contents says of a space."""
    return [
        (page.id, page.parent, page.type, page.title, page.link_title, page.slug, page.path, page.text is None,
         page.target, page.computed)
        for page in (branch.page for branch in flatten(tree(held.pages.values())))
    ]  # fmt: skip


def _titled(title: str) -> str:
    """The text of a page that has a title alone."""
    return print_page(parse("").document, title=title)


def _oid(data: bytes) -> str:
    return sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


def _nothing() -> Any:
    from octavo.content.layout.identity import Previous

    return Previous()


class _Overlay:
    """A source as it will be, to see how a table of contents will be read in it."""

    def __init__(
        self, source: Source, changes: Mapping[str, bytes | Blob | None], path: str | None, contents: str
    ) -> None:
        self._source, self._changes = source, dict(changes)
        if path is not None:
            self._changes[path] = contents.encode()

    def paths(self) -> list[str]:
        gone = {path for path, data in self._changes.items() if data is None}
        return [*(set(self._source.paths()) - gone | (self._changes.keys() - gone))]

    def read(self, path: str) -> bytes:
        held = self._changes.get(path)
        return held if isinstance(held, bytes) else b"" if isinstance(held, Blob) else self._source.read(path)

    def oid(self, path: str) -> str | None:
        return None if path in self._changes else self._source.oid(path)
