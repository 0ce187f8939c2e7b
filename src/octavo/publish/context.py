"""What references, conditions and names mean on a published site and on one of its pages."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from urllib.parse import quote

from octavo.content import conditions
from octavo.content.document import Node, Ref
from octavo.content.highlight import highlight
from octavo.content.html import Download, Picture, PlainContext, Target
from octavo.content.html.text import characters
from octavo.content.icons import content_icon
from octavo.content.listings import highlight_key
from octavo.content.revision import Branch, File
from octavo.content.urls import joined
from octavo.history.contents import Contents
from octavo.publish import words
from octavo.publish.boards import BOARDS, asks_of
from octavo.publish.reading import Material
from octavo.publish.views import SiteChrome
from octavo.site.addresses import page_path
from octavo.site.apis import Shown, key_of
from octavo.site.snapshot import Snapshot


class SiteContext(PlainContext):
    """What references mean on a site: those that name no space speak of `space`, whose path is `here`.

    `contents` are the entries of the spaces that the references point into; what is not among them leads nowhere.
    """

    def __init__(
        self, snapshot: Snapshot, site: SiteChrome, space: str, here: str, contents: Mapping[str, Contents]
    ) -> None:
        self._snapshot = snapshot
        self._site = site
        self._space = space
        self._here = here
        self._contents = contents

    def link(self, ref: Ref) -> Target | None:
        kind = ref.get("kind")
        # All anchors of pages are lower case, and so are they understood wherever sources lie.
        anchor = f"#{quote(str(ref['anchor']).lower(), safe='')}" if ref.get("anchor") else ""
        if kind == "anchor" and not ref.get("page"):
            return Target(anchor, kind="anchor")
        if kind in ("page", "anchor"):
            return self._page(ref, anchor)
        if kind == "file":
            found = self.file(ref)
            return None if found is None else Target(found.url, found.name, "file", "file")
        if kind == "space":
            base = self._space_base(str(ref.get("space")))
            space = self._snapshot.spaces.get(str(ref.get("space")))
            return (
                None
                if base is None or space is None
                else Target(base, space.title, "space", emoji=characters(space.emoji))
            )
        if kind == "url":
            url = str(ref.get("url", ""))
            return Target(url, kind="url", new_tab=opens_tab(self._site, url))
        return None

    def image(self, ref: Ref) -> Picture | None:
        file = self._file(ref)
        if file is None:
            return super().image(ref)
        return Picture(file_path(self._site.base_path, self._owner(ref), file), file.width, file.height)

    def file(self, ref: Ref) -> Download | None:
        file = self._file(ref)
        if file is None:
            return super().file(ref)
        url = file_path(self._site.base_path, self._owner(ref), file)
        return Download(url, file.name, file.size, file.content_type)

    def page_address(self, contents: Contents, base: str, branch: Branch) -> str:
        """The address that is written for a page; `base` is its space's."""
        return page_href(contents, base, branch)

    def _page(self, ref: Ref, anchor: str) -> Target | None:
        contents, base = self._owner_contents(ref)
        branch = None if contents is None else contents.by_id.get(str(ref.get("page")))
        if contents is None or branch is None or base is None:
            return None
        page = branch.page
        href = self.page_address(contents, base, branch) + anchor
        return Target(href, page.title, "anchor" if anchor else "page", page.icon or "", characters(page.emoji))

    def _owner(self, ref: Ref) -> str:
        return str(ref.get("space") or self._space)

    def _owner_contents(self, ref: Ref) -> tuple[Contents | None, str | None]:
        space = self._owner(ref)
        return self._contents.get(space), self._here if space == self._space else self._space_base(space)

    def _file(self, ref: Ref) -> File | None:
        contents, _ = self._owner_contents(ref)
        if ref.get("kind") != "file" or contents is None:
            return None
        return contents.files.get(str(ref.get("file")))

    def _space_base(self, space: str) -> str | None:
        shown = next((one for one in self._snapshot.shown if one.space == space), None)
        return None if shown is None else self._site.base_path + self._snapshot.base_of(shown)


class PageContext(SiteContext):
    """The surroundings of one page."""

    def __init__(self, material: Material, site: SiteChrome) -> None:
        space, here = material.place.space.id, site.base_path + material.place.base
        contents = {**material.others, space: material.contents}
        super().__init__(material.snapshot, site, space, here, contents)
        self._material = material
        self._words = words.of(site.locale)
        self._scope = material.scope
        self._purse = conditions.Purse()
        self.highlighted: dict[bytes, list[str]] = {}
        """What had to be highlighted now; worth keeping."""

    def reusable(self, ref: Ref) -> Node | None:
        return self._material.reusables.get(str(ref.get("reusableContent")))

    def holds(self, expression: str) -> bool:
        return conditions.compile(expression).holds(self._scope, self._purse)

    def value(self, expression: str) -> str:
        return conditions.printed(expression, self._scope, self._purse)

    def highlight(self, syntax: str, code: str) -> list[str] | None:
        key = highlight_key(syntax, code)
        known = self._material.highlights.get(key) or self.highlighted.get(key)
        if known is None:
            known = self.highlighted[key] = highlight(syntax, code)
        return known

    def openapi(self, block: Node) -> Shown | None:
        return self._material.apis.get(key_of(block))

    def integration(self, block: Node) -> list[Node] | None:
        board = self._material.boards.get(asks_of(block))
        return None if board is None else board.blocks

    def pressed(self, block: Node) -> tuple[str, str]:
        board = self._material.boards.get(asks_of(block))
        if board is None or not board.token:
            return "", ""
        return f"{self._here}{BOARDS}{self._material.branch.page.id}", board.token

    def icon(self, name: str) -> str:
        return content_icon(name)

    def action(self, action: str, query: str) -> str:
        return f"{self._site.base_path}~octavo/search?q={quote(query)}" if action == "search" else ""

    def tag(self, slug: str) -> str:
        labels = {str(tag.get("tag", tag.get("slug"))): tag.get("label") for tag in self._material.contents.root.tags}
        return str(labels.get(slug) or slug)

    def date(self, day: date, style: str) -> str:
        return self._words.day(day, "numeric" if style == "numeric" else "short" if style == "short" else "full")

    def phrase(self, english: str) -> str:
        return self._words.content.get(english, english)


def opens_tab(site: SiteChrome, url: str) -> bool:
    """Whether a link to the address opens in a tab of its own: where the site wants that, and it leads elsewhere."""
    own = bool(site.public_url) and url.startswith(site.public_url)
    return site.new_tab and not own and url.lower().startswith(("http://", "https://"))


def page_href(contents: Contents, base: str, branch: Branch) -> str:
    """The address of a page; the first document is the space's root. `base` is the space's path."""
    landing = contents.landing
    if landing is not None and landing.page.id == branch.page.id:
        return base
    return base + page_path(branch.path)


def absolute(page: str, href: str) -> str:
    """Where an address written on a page leads, for who reads it elsewhere; `page` is the page's own whole address."""
    found = joined(page, href)
    return href if found is None else found


def markdown_href(base: str, branch: Branch) -> str:
    """The address of a page as Markdown; `base` is the space's path."""
    return f"{base}{page_path(branch.path)}.md"


def feed_href(contents: Contents, base: str, branch: Branch) -> str:
    """The address of the feed of a page's updates; `base` is the space's path."""
    href = page_href(contents, base, branch)
    return f"{href}rss.xml" if href == base else f"{href}/rss.xml"


def file_path(base: str, space: str, file: File) -> str:
    """The address of a file on a site, new whenever its bytes are."""
    return f"{base}~octavo/files/{space}/{file.id}/{file.blob[:12]}/{quote(file.name, safe='')}"
