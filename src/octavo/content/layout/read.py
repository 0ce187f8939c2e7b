"""Reading a directory: configuration, navigation, identities, texts, links and files, one after the other."""

from __future__ import annotations

import graphlib
import posixpath
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import msgspec

from octavo.content import markdown
from octavo.content.document import Ref
from octavo.content.layout import config as settings
from octavo.content.layout import identity, outline, paths, summary
from octavo.content.layout.identity import Previous
from octavo.content.layout.links import Index, Targets, space_ref
from octavo.content.layout.outline import Draft, Ground
from octavo.content.layout.report import Report
from octavo.content.layout.shelf import Shelf
from octavo.content.layout.source import Mapped, Source, text_of, usable
from octavo.content.layout.texts import Parse, Read, Texts, memo_name
from octavo.content.layout.work import Ask, Work, in_turn
from octavo.content.revision import Digest, File, Page, Reusable
from octavo.content.trie import digest


@dataclass
class Layout:
    """The entries of a revision, and the objects that they name."""

    pages: list[Page] = field(default_factory=list)
    """In reading order, those outside of the table of contents last."""
    files: list[File] = field(default_factory=list)
    reusables: list[Reusable] = field(default_factory=list)
    variables: dict[str, Any] = field(default_factory=dict)
    tags: list[dict[str, Any]] = field(default_factory=list)
    redirects: dict[str, str] = field(default_factory=dict)
    """Path on the site -> page id."""
    objects: dict[Digest, bytes] = field(default_factory=dict)
    """Texts, and documents as JSON."""
    blobs: dict[str, str] = field(default_factory=dict)
    """SHA-256 of a file, hexadecimal -> a path of the source that holds its bytes."""
    memos: dict[Digest, bytes] = field(default_factory=dict)
    """What the next reading may be given back by `Previous.recall`; losing it costs time."""
    report: Report = field(default_factory=Report)


def read(
    files: Source | Mapping[str, Callable[[], bytes]],
    *,
    previous: Previous | None = None,
    new_id: Callable[[], str],
    now: int,
    parse: Parse = markdown.parse,
    work: Work = in_turn,
    elsewhere: Callable[[str, str], str | None] | None = None,
) -> Layout:
    """Read a directory of documentation, given as a source or as path -> bytes on demand.

    `now` is in milliseconds; `work` is given all texts that have to be read; `elsewhere` is that of `Targets`. Entries that
    are the same as in `previous` come back unchanged, id and times included.
    Whatever is wrong with the content ends in `Layout.report`; only the source's own errors are raised.
    """
    source = Mapped(files) if isinstance(files, Mapping) else files
    return Reading(source, previous or Previous(), new_id, now, elsewhere).run(parse, work)


class Reading:
    """One reading of a directory; whoever writes one asks it what lies where."""

    def __init__(
        self,
        source: Source,
        previous: Previous,
        new_id: Callable[[], str],
        now: int,
        elsewhere: Callable[[str, str], str | None] | None = None,
    ) -> None:
        self._elsewhere = elsewhere
        self._made = Layout()
        self._report = self._made.report
        self._source = source
        self._previous = previous
        self._new_id = new_id
        self._now = now
        self._paths = usable(source, self._report)
        self._there = frozenset(self._paths)
        self.config = self._configuration()
        self.root = self.config.root
        self.gitbook = self._folder_of_settings()
        self._index = Index(self._paths, self.root, self.config.readme)
        self._shelf = Shelf(source, self._there, self.root, previous, new_id)
        self._texts: dict[str, str] = {}
        self._found: dict[str, Read] = {}
        self._digests: dict[str, Digest] = {}
        self._before = {page.id: page for page in previous.pages}
        self._beside = {page.id: page for page in reversed(previous.beside.pages)}

    def run(self, parse: Parse, work: Work) -> Layout:
        ground, includes = self.survey()
        drafts, outside = self.navigation(ground)
        everything = [*outline.walk(drafts), *outside]
        for path in [*sorted(ground.pages), *includes]:
            self._texts[path] = text_of(self._source, path, self._report)
            self._digests[path] = digest(self._texts[path].encode())
        ids = self._page_ids(everything)
        targets = Targets(
            self._index, ids, self._reusable_ids(includes), self._shelf.take, self._known(ids), ground.contents
        )
        if self._elsewhere is not None:
            targets = replace(targets, elsewhere=self._elsewhere)
        self._other_ids(everything, targets)
        self._place(drafts)
        self._assets()
        self._read_all(
            [*(draft.path for draft in everything if draft.path in self._texts), *includes], targets, parse, work
        )
        self._made.pages = [self._page(draft, targets) for draft in everything]
        self._made.reusables = [self._reusable(path, targets) for path in includes]
        self._cycles()
        self._root_fields(targets)
        self._made.files, self._made.blobs = list(self._shelf.files.values()), self._shelf.blobs
        self._count()
        return self._made

    def _full(self, inner: str) -> str:
        return paths.join(self.root, inner) or inner

    # What lies where.

    def _configuration(self) -> settings.Config:
        value = self._yaml(".gitbook.yaml")
        return settings.config(".gitbook.yaml", value, self._report)

    def _yaml(self, path: str) -> Any:
        if path not in self._there:
            return None
        return settings.load_yaml(path, text_of(self._source, path, self._report), self._report)

    def _folder_of_settings(self) -> str:
        """The `.gitbook` folder of the content root, else the one at the top of the directory."""
        inner = posixpath.join(self.root, ".gitbook")
        return inner if any(paths.is_below(path, inner) for path in self._paths) else ".gitbook"

    def contents(self) -> str | None:
        """The path of the table of contents."""
        wanted = self.config.summary or posixpath.join(self.root, "SUMMARY.md")
        if self.config.summary and wanted not in self._there:
            self._report.warn(".gitbook.yaml", None, f"names {wanted} as table of contents, which does not exist")
            wanted = posixpath.join(self.root, "SUMMARY.md")
        if wanted in self._there:
            return wanted
        return next((path for path in self._paths if path.casefold() == wanted.casefold()), None)

    def survey(self) -> tuple[Ground, list[str]]:
        """What the navigation stands on, and the paths of the reusable contents."""
        contents = self.contents()
        texts = [path for path in self._paths if paths.is_markdown(path) and path != contents]
        includes = [path for path in texts if paths.is_below(path, f"{self.gitbook}/includes")]
        pages = frozenset(
            path for path in texts if paths.is_below(path, self.root) and not paths.is_below(path, self.gitbook)
        )
        return Ground(self._index, self.root, contents, pages, self.config.readme, self._report), includes

    def navigation(self, ground: Ground) -> tuple[list[Draft], list[Draft]]:
        """The pages as the table of contents or the folders order them, and those outside of it."""
        drafts: list[Draft] = []
        if ground.contents:
            found = summary.parse(text_of(self._source, ground.contents, self._report))
            for line, text in found.warnings:
                self._report.warn(ground.contents, line, text)
            drafts = outline.from_summary(found.entries, ground)
            if not drafts:
                self._report.warn(ground.contents, None, "names no page; the navigation follows the folders")
        drafts = drafts or outline.from_folders(ground)
        outside = outline.unlisted(drafts, ground)
        outline.name(drafts, outside, ground)
        return drafts, outside

    def _assets(self) -> None:
        for path in self._paths:
            if paths.is_below(path, f"{self.gitbook}/assets"):
                self._shelf.take(path)

    # Who is who.

    def _page_ids(self, drafts: list[Draft]) -> dict[str, str]:
        """Ids of the pages with files, by path; set on the drafts."""
        old = {
            page.path: (page.id, identity.Text(page.text or page.id, self._loader(page.text)))
            for page in self._previous.pages
            if page.path
        }
        mine = [draft.path for draft in drafts if draft.path]
        beside = _by_path(self._previous.beside.pages)
        found = identity.match(old, self._new_texts([path for path in mine if path in self._texts]), beside)
        # A file that the table of contents names in vain is the old page only if no other file has become that.
        used = set(found.values())
        lost = {paths.relative(path, self.root) for path in mine if path not in self._texts} & old.keys()
        found |= {path: old[path][0] for path in lost if old[path][0] not in used}
        for draft in drafts:
            if draft.path:
                draft.id = found.get(paths.relative(draft.path, self.root)) or self._id_at(draft.path)
        return {draft.path: draft.id for draft in drafts if draft.path}

    def _reusable_ids(self, includes: list[str]) -> dict[str, str]:
        old = {
            held.path: (held.id, identity.Text(held.text, self._loader(held.text)))
            for held in self._previous.reusables
            if held.path
        }
        found = identity.match(old, self._new_texts(includes), _by_path(self._previous.beside.reusables))
        return {path: found.get(paths.relative(path, self.root)) or self._id_at(path) for path in includes}

    def _id_at(self, path: str) -> str:
        """The id of what is new at a path."""
        return self._previous.ids.get(paths.relative(path, self.root)) or self._new_id()

    def _new_texts(self, mine: list[str]) -> dict[str, identity.Text]:
        return {
            paths.relative(path, self.root): identity.Text(self._digests[path], self._texts[path].encode)
            for path in mine
        }

    def _loader(self, text: Digest | None) -> Callable[[], bytes | None]:
        return lambda: self._previous.load(text) if text else None

    def _known(self, ids: Mapping[str, str]) -> Callable[[str, str], bool]:
        pages = frozenset(ids.values())
        return lambda kind, name: name in pages if kind == "pages" else self._shelf.known(name)

    def _other_ids(self, drafts: list[Draft], targets: Targets) -> None:
        """Ids of groups, links, computed entries and pages without a file."""
        loose = [draft for draft in drafts if not draft.path]
        marks = [identity.landmark(one.type, one.slug, one.label, _target(one, targets), one.computed) for one in loose]
        told = [self._previous.ids.get(mark) for mark in identity.numbered(marks)]
        old: dict[str, list[str]] = {}
        taken = {draft.id for draft in drafts if draft.path} | {*told}
        for known in (self._previous.pages, self._previous.beside.pages):
            for page in sorted(known, key=lambda page: (page.position, page.id)):
                if not page.path and page.id not in taken:
                    mark = identity.landmark(page.type, page.slug, page.title, page.target, page.computed)
                    old.setdefault(mark, []).append(page.id)
                    taken.add(page.id)
        for draft, mark, own in zip(loose, marks, told, strict=True):
            held = old.get(mark)
            draft.id = own or (held.pop(0) if held else self._new_id())

    def _place(self, drafts: list[Draft]) -> None:
        before = {page.id: page.position for page in self._previous.pages if page.listed}
        outline.place(drafts, before)
        for draft in outline.walk(drafts):
            outline.place(draft.children, before)

    # What becomes of it.

    def _read_all(self, paths: Iterable[str | None], targets: Targets, parse: Parse, work: Work) -> None:
        """Read every text: those first of which all is known, the others as `work` has it done."""
        wanted = [path for path in dict.fromkeys(paths) if path]
        known = self._remembered(wanted, Texts(parse, targets))
        waiting = [path for path in wanted if path not in known]

        def one(path: str, ask: Ask) -> Read:
            asking = replace(targets, file=partial(ask, "file"), known=partial(ask, "known"))
            return Texts(parse, asking).read(path, self._texts[path])

        def answer(about: str, *words: str) -> Any:
            return targets.file(*words) if about == "file" else targets.known(*words)

        made = known | dict(zip(waiting, work(one, waiting, answer)))
        for path in wanted:
            found = self._found[path] = made[path]
            self._report.warnings += found.notices
            if found.memo:
                self._made.memos[memo_name(self._digests[path], found.document)] = found.memo
            if found.tree:
                self._made.objects[self._digests[path]] = self._texts[path].encode()
                self._made.objects[found.document] = found.tree

    def _remembered(self, wanted: list[str], texts: Texts) -> dict[str, Read]:
        """The texts that the last revision has and whose addresses mean the same; read from what is remembered of them."""
        held: list[Page | Reusable] = [*self._previous.pages, *self._previous.reusables]
        anywhere = {entry.text: entry.document for entry in held if entry.text and entry.document}
        here = {(entry.path, entry.text): entry.document for entry in held if entry.text and entry.document}
        documents: dict[str, Digest] = {}
        for path in wanted:
            text = self._digests[path]
            if document := here.get((paths.relative(path, self.root), text)) or anywhere.get(text):
                documents[path] = document
        names = {path: memo_name(self._digests[path], document) for path, document in documents.items()}
        memos = self._previous.recall(list(names.values())) if names else {}
        found: dict[str, Read] = {}
        for path, name in names.items():
            if name in memos:
                read = texts.again(path, self._texts[path], documents[path], memos[name])
                if read is not None:
                    found[path] = read
        return found

    def _page(self, draft: Draft, targets: Targets) -> Page:
        fields: dict[str, Any] = {"link_title": draft.link_title}
        title = draft.label
        if draft.path in self._texts:
            found = self._found[draft.path]
            title = found.title or title
            if draft.written and draft.label != title:
                fields["link_title"] = draft.link_title or draft.label
            fields |= found.fields
            fields |= {"text": self._digests[draft.path], "document": found.document, "links": found.links}
            fields["oid"] = self._source.oid(draft.path)
        if not draft.listed:
            fields["hidden"] = True
        page = Page(
            id=draft.id,
            type=draft.type,
            title=title,
            slug=draft.slug,
            position=draft.position,
            parent=draft.parent.id if draft.parent else None,
            path=paths.relative(draft.path, self.root) if draft.path else None,
            listed=draft.listed,
            target=_target(draft, targets),
            computed=draft.computed,
            **fields,
        )
        return self._timed(page)

    def _timed(self, page: Page) -> Page:
        """The page with its times: those of the last revision when nothing else differs."""
        old = self._before.get(page.id) or self._beside.get(page.id)
        if old is None:
            return msgspec.structs.replace(page, created=self._now, updated=self._now)
        same = msgspec.structs.replace(page, created=old.created, updated=old.updated)
        return same if same == old else msgspec.structs.replace(same, updated=self._now)

    def _reusable(self, path: str, targets: Targets) -> Reusable:
        found = self._found[path]
        return Reusable(
            id=targets.reusables[path],
            title=str(found.front.get("title") or found.title or paths.titled(paths.stem(path))),
            text=self._digests[path],
            document=found.document,
            links=found.links,
            path=paths.relative(path, self.root),
            oid=self._source.oid(path),
        )

    def _cycles(self) -> None:
        """Warn of a reusable content that includes itself, directly or by way of others."""
        graph = {
            held.id: [ref["reusableContent"] for ref in held.links.values() if ref["kind"] == "reusable-content"]
            for held in self._made.reusables
        }
        try:
            graphlib.TopologicalSorter(graph).prepare()
        except graphlib.CycleError as error:
            names = {held.id: held.path or "" for held in self._made.reusables}
            loop = [names[name] for name in error.args[1]]
            self._report.warn(posixpath.join(self.root, loop[0]), None, f"includes itself: {' → '.join(loop)}")

    def _root_fields(self, targets: Targets) -> None:
        for name in ("vars", "tags"):
            path = f"{self.gitbook}/{name}.yaml"
            value = self._yaml(path)
            if name == "vars":
                self._made.variables = settings.variables(path, value, self._report)
            else:
                self._made.tags = settings.tags(path, value, self._report)
        for old, new in self.config.redirects.items():
            found = self._index.find(self.root, new)
            if found and found.path in targets.pages:
                self._made.redirects[old] = targets.pages[found.path]
            else:
                self._report.warn(".gitbook.yaml", None, f"redirects {old} to {new}, which is no page")

    def _count(self) -> None:
        made = self._made
        self._report.counts = counted(made.pages, made.files, made.reusables) | {"warnings": len(self._report.warnings)}


def _by_path(entries: Iterable[Page | Reusable]) -> dict[str, tuple[str, object]]:
    """Path -> id and digest of the text, of the first at each."""
    found: dict[str, tuple[str, object]] = {}
    for entry in entries:
        if entry.path:
            found.setdefault(entry.path, (entry.id, entry.text))
    return found


def counted(pages: Sequence[Page], files: Sequence[File], reusables: Sequence[Reusable]) -> dict[str, int]:
    """How many there are of everything."""
    return {
        "pages": sum(page.type == "document" and page.listed for page in pages),
        "unlisted": sum(not page.listed for page in pages),
        "groups": sum(page.type == "group" for page in pages),
        "links": sum(page.type == "link" for page in pages),
        "computed": sum(page.type == "computed" for page in pages),
        "files": len(files),
        "reusables": len(reusables),
    }


def _target(draft: Draft, targets: Targets) -> Ref | None:
    """What a link entry points to; None for any other."""
    if draft.type != "link":
        return None
    if draft.found:
        return targets.ref(draft.found, draft.anchor)
    return space_ref(draft.href or "") or {"kind": "url", "url": draft.href}
