"""Reading a directory again in which nothing but the bytes of some files changed: those files, and what the table of contents
says of the others. It says no where more follows from them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import msgspec

from octavo.content import markdown
from octavo.content.layout import outline, paths
from octavo.content.layout.identity import Previous
from octavo.content.layout.links import Targets
from octavo.content.layout.outline import Draft
from octavo.content.layout.read import Layout, Reading
from octavo.content.layout.source import Source, text_of
from octavo.content.layout.texts import Parse
from octavo.content.layout.work import in_turn
from octavo.content.markdown.frontmatter import front_of
from octavo.content.revision import Page
from octavo.content.trie import digest


def reread(
    source: Source,
    modified: Sequence[str],
    *,
    previous: Previous,
    now: int,
    elsewhere: Callable[[str, str], str | None] | None = None,
) -> Layout | None:
    """What becomes of a directory that `previous` was read from, and in which nothing but the bytes of some files changed
    since: its pages and files that differ, with their objects.

    None where more follows from it than these pages and files: then all of it has to be read.
    """

    def nobody() -> str:
        raise _More

    try:
        return _Again(source, previous, nobody, now, elsewhere).again(modified, markdown.parse)
    except _More:
        return None


class _More(Exception):
    """More changed than the texts of pages, the bytes of files and the order of the table of contents."""


class _Again(Reading):
    def again(self, modified: Sequence[str], parse: Parse) -> Layout:
        """See `reread`. Raises _More."""
        pages = {self._full(page.path): page for page in self._previous.pages if page.path}
        ids = {path: page.id for path, page in pages.items()}
        reusables = {self._full(one.path): one.id for one in self._previous.reusables if one.path}
        contents = self.contents()
        texts = [path for path in modified if path in pages]
        if any(self._settles(path) or path in reusables for path in modified):
            raise _More
        targets = Targets(self._index, ids, reusables, self._shelf.take, self._known(ids), contents)
        if self._elsewhere is not None:
            targets = replace(targets, elsewhere=self._elsewhere)
        self._take(texts, targets, parse)
        for path in texts:
            self._require_files(pages[path], path)
        if contents is not None and (
            contents in modified or any(self._is_renamed(pages[path], path) for path in texts)
        ):
            self._made.pages = self._navigated(pages, texts, targets, parse)
        else:
            self._made.pages = [self._page_again(pages[path], path, targets) for path in texts]
        known = {self._full(file.path) for file in self._previous.files if file.path}
        for path in modified:
            if path in known:
                self._shelf.take(path)
        self._made.files = [self._shelf.files[path] for path in modified if path in known]
        self._made.blobs = {file.blob: self._full(file.path or "") for file in self._made.files}
        return self._made

    def _take(self, texts: Sequence[str], targets: Targets, parse: Parse) -> None:
        for path in texts:
            self._texts[path] = text_of(self._source, path, self._report)
            self._digests[path] = digest(self._texts[path].encode())
        self._read_all(texts, targets, parse, in_turn)

    def _settles(self, path: str) -> bool:
        """Whether other files mean something else with this one."""
        return path == ".gitbook.yaml" or (
            paths.is_below(path, self.gitbook) and not paths.is_below(path, f"{self.gitbook}/assets")
        )

    def _require_files(self, old: Page, path: str) -> None:
        """Raises _More where a file is no longer named, which may have been the last time."""
        was, now = (
            {ref.get("file") for ref in links.values()} - {None} for links in (old.links, self._found[path].links)
        )
        if was - now:
            raise _More

    def _is_renamed(self, old: Page, path: str) -> bool:
        """Whether what the table of contents calls a page is to be compared with its title anew."""
        found = self._found[path]
        named = (old.text and self._previous.load(old.text)) or b""
        front = front_of(named.decode(errors="replace"))
        return old.listed and (found.title != old.title or "linkTitle" in front or "linkTitle" in found.front)

    def _page_again(self, old: Page, path: str, targets: Targets) -> Page:
        """A page whose text alone changed. Raises _More where its file's name is its title."""
        found = self._found[path]
        if not found.title or (self._is_renamed(old, path) and found.title == old.title):
            raise _More
        parent = None if old.parent is None else Draft("group", "", id=old.parent)
        # Without a table of contents nothing but the front matter gives another name, and the text says it anew.
        link_title = old.link_title if old.listed and self.contents() is not None else None
        return self._page(
            Draft(
                old.type, old.title, path=path, link_title=link_title, listed=old.listed, slug=old.slug, id=old.id,
                parent=parent, position=old.position,
            ),
            targets,
        )  # fmt: skip

    def _navigated(self, pages: dict[str, Page], texts: Sequence[str], targets: Targets, parse: Parse) -> list[Page]:
        """The pages that differ under the table of contents as it is now. Raises _More where entries come or go."""
        drafts, outside = self.navigation(self.survey()[0])
        everything = [*outline.walk(drafts), *outside]
        for draft in everything:
            if draft.path:
                if draft.path not in pages:
                    raise _More
                draft.id = pages[draft.path].id
        self._other_ids(everything, targets)
        if {draft.id for draft in everything} != self._before.keys() or len(everything) != len(self._before):
            raise _More
        self._place(drafts)
        self._take(
            [
                draft.path
                for draft in everything
                if draft.path in self._there and draft.path not in texts and _says_more(draft, pages[draft.path])
            ],
            targets,
            parse,
        )
        made = [(draft.path in texts, self._placed(draft, targets)) for draft in everything]
        return [page for changed, page in made if changed or page != self._before[page.id]]

    def _placed(self, draft: Draft, targets: Targets) -> Page:
        """A page where it stands now; its text is not read where that has nothing to say to it."""
        if draft.path in self._texts or draft.path not in self._there:
            return self._page(draft, targets)
        return self._timed(
            msgspec.structs.replace(
                self._before[draft.id],
                slug=draft.slug,
                position=draft.position,
                parent=draft.parent.id if draft.parent else None,
            )
        )


def _says_more(draft: Draft, old: Page) -> bool:
    """Whether a page's title or its name in the table of contents may be others than they were."""
    other = draft.written and draft.label != old.title
    expected = draft.link_title or (draft.label if other else None)
    return draft.listed != old.listed or expected != old.link_title or (other and old.link_title != draft.label)
