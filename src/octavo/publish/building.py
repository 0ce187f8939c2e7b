"""From a site and a page to the views that templates take: navigation, outline, neighbours, addresses."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from sys import getsizeof
from textwrap import shorten
from typing import Any, NamedTuple, get_args
from urllib.parse import quote

from octavo.content.document import Node
from octavo.content.html import Rendered, render
from octavo.content.html.text import DESCRIPTION, characters, description
from octavo.content.icons import content_icon, page_icon
from octavo.content.revision import Branch, Page
from octavo.history.contents import Contents
from octavo.kernel import extras
from octavo.publish import views, windows, words
from octavo.publish.audience import in_navigation, indexed, shown, trail
from octavo.publish.context import PageContext, feed_href, file_path, markdown_href, opens_tab, page_href
from octavo.publish.reading import Material
from octavo.publish.tree import more_entries, tree_items
from octavo.publish.views import Cover, Image, Layout, Link, NavNode, Outline, PageView, SiteChrome, Tag
from octavo.site.computed import is_made
from octavo.store.kept import Kind

STATIC = "/~octavo/"
WHOLE_TREE = 300
"""Entries up to which the table of contents is sent whole."""
OPEN_GROUPS = 150
"""Entries that a larger one may show with all of its groups open; with more, groups open only on the way to the page."""
FEEDBACK = "~octavo/feedback/"
"""Where readers say what they think of a page: ahead of its id, below the address of its space."""
PDF = "~octavo/pdf/"
"""The same where they ask for a PDF."""
MOST_PIXELS = 10_000
"""Of a cover's height and place."""


class _Order(NamedTuple):
    """The documents that a visitor sees, in reading order, and the place of each by its id."""

    pages: list[Branch]
    places: dict[str, int]


_ORDERS: Kind[_Order] = Kind("reading orders", lambda order: 120 * len(order.pages))
_LEVELS: Kind[dict[str, str]] = Kind(
    "levels of tables of contents", lambda level: sum(300 + getsizeof(html) for html in level.values())
)
_FOLDS: Kind[bool] = Kind("whether groups are folded", lambda _: 100)


@dataclass(frozen=True)
class Address:
    """Where a site is being read: `base` is its path, with a slash at the end.

    `public` is the one address, scheme and host included, that the site wants to be known by; it ends with a slash too.
    `static` is where style sheets, scripts and fonts are: behind a directory of another host that hands on no more than
    the directory, they are below it too.
    """

    base: str
    public: str
    static: str = STATIC


def nav_nodes(contents: Contents, base: str, current: str | None, site: SiteChrome) -> tuple[NavNode, ...]:
    """The table of contents; in a large one, closed entries carry the address of what is below them."""
    large = len(contents.pages) > WHOLE_TREE
    above = set(trail(contents, current))
    return tuple(_Tree(contents, base, current, above, large, site).nodes(contents.branches, None))


def nav_below(contents: Contents, base: str, page: str, site: SiteChrome) -> tuple[NavNode, ...] | None:
    """What is below one entry of the table of contents, or stands `before-` or `after-` it in its level, as links of large
    levels ask for it; None when there is no such entry."""
    side, _, word = page.partition("-") if page not in contents.by_id else ("", "", page)
    branch = contents.by_id.get(word)
    if branch is None or side not in ("", "before", "after") or not in_navigation(contents, branch.page):
        return None
    whole = _Tree(contents, base, None, set(), True, site)
    if not side:
        return tuple(whole.nodes(branch.branches, word))
    above = contents.by_id.get(branch.page.parent or "")
    level = [one for one in (contents.branches if above is None else above.branches) if shown(one.page)]
    at = next(place for place, one in enumerate(level) if one.page.id == word)
    return tuple(
        whole.portion(
            level, windows.ahead(len(level), at) if side == "before" else windows.behind(len(level), at), side
        )
    )


@dataclass(frozen=True)
class _Tree:
    """The table of contents around one page; `above` are the entries on the way to it."""

    contents: Contents
    base: str
    current: str | None
    above: set[str]
    large: bool
    site: SiteChrome

    def nodes(self, branches: list[Branch], parent: str | None) -> Iterator[NavNode]:
        """The entries of a level: those around the current page are made anew, all others are the same on every page. Of
        very many, those that stand around it."""
        if self.large and len(branches) > windows.MOST:
            level = [branch for branch in branches if shown(branch.page)]
            here = next((at for at, branch in enumerate(level) if branch.page.id in self.above), None)
            yield from self.portion(level, windows.window(len(level), here))
            return
        way = {branch.page.id: branch for branch in branches if branch.page.id in self.above}
        alike: list[str] = []
        for page, html in self._level(branches, parent).items():
            if page not in way:
                alike.append(html)
                continue
            if alike:
                yield NavNode("", html="".join(alike))
                alike = []
            yield self._node(way[page])
        if alike:
            yield NavNode("", html="".join(alike))

    def portion(self, level: list[Branch], part: windows.Window, side: str = "") -> Iterator[NavNode]:
        """The entries of a part of a level, and links to what stands on its sides, or on one of them."""
        if part.start and side != "after":
            yield self._more(level[: part.start], "before", level[part.start])
        for branch in level[part.start : part.stop]:
            yield self._node(branch)
        if part.stop < part.whole and side != "before":
            yield self._more(level[part.stop :], "after", level[part.stop - 1])

    def _more(self, hidden: list[Branch], side: str, last: Branch) -> NavNode:
        """Without scripts, the page that stands next there is opened, which shows those around it."""
        near = hidden if side == "after" else reversed(hidden)
        first = next(_documents(self.contents, near), None)
        href = self.base if first is None else page_href(self.contents, self.base, first)
        return NavNode(
            "", html=more_entries(href, f"{self.base}~octavo/nav/{side}-{last.page.id}", len(hidden), self.site)
        )

    def _level(self, branches: list[Branch], parent: str | None) -> dict[str, str]:
        """By page, the markup of the entries of a level as it is where none of them leads to the page that is shown."""
        key = (self.base, self.large, self.site.locale, self.site.new_tab, self.site.preview, parent)
        kept = self.contents.derived.get(_LEVELS, key)
        if kept is None:
            apart = replace(self, current=None, above=set())
            shown_here = [branch for branch in branches if shown(branch.page)]
            made = {one.page.id: str(tree_items((apart._node(one),), self.site)) for one in shown_here}
            kept = self.contents.derived.put(_LEVELS, made, key)
        return kept

    def _node(self, branch: Branch) -> NavNode:
        page = branch.page
        is_group = page.type == "group"
        inside = [one for one in branch.branches if shown(one.page)]
        expanded = page.id in self.above or page.type != "document"
        href = "" if is_group else entry_href(self.contents, self.base, branch)
        if is_group and self.large and page.id not in self.above and _folds(self.contents):
            # Without scripts, a closed group is opened by its first page.
            first = next(_documents(self.contents, inside), None)
            href = "" if first is None else page_href(self.contents, self.base, first)
            expanded = first is None
        lazy = self.large and bool(inside) and not expanded
        if lazy:
            children: tuple[NavNode, ...] = ()
        elif self.above or (self.large and len(inside) > windows.MOST):
            children = tuple(self.nodes(branch.branches, page.id))
        else:
            children = tuple(self._node(one) for one in inside)
        return NavNode(
            title=page.link_title or page.title,
            href=href,
            kind="group" if is_group else "link" if page.type == "link" else "document",
            emoji=characters(page.emoji),
            icon=page_icon(page.icon or ""),
            current=page.id == self.current,
            open=expanded,
            children=children,
            lazy_href=f"{self.base}~octavo/nav/{page.id}" if lazy else "",
            new_tab=opens_tab(self.site, href),
            mark=_mark(self.site, page),
            method=_method(page),
            tag=_primary(self.contents, page),
        )


def _folds(contents: Contents) -> bool:
    """Whether groups are closed but on the way to the page that is shown."""
    kept = contents.derived.get(_FOLDS)
    return contents.derived.put(_FOLDS, _open_entries(contents.branches) > OPEN_GROUPS) if kept is None else kept


def _open_entries(branches: list[Branch]) -> int:
    """How many entries are shown where groups are open and pages are closed."""
    seen = [branch for branch in branches if shown(branch.page)]
    return len(seen) + sum(_open_entries(branch.branches) for branch in seen if branch.page.type != "document")


def _method(page: Page) -> str:
    """The method of the operation that a page was made of."""
    props = page.computed.get("props") if is_made(page) and page.computed else None
    return str(props.get("method") or "") if isinstance(props, dict) else ""


def _primary(contents: Contents, page: Page) -> str:
    """The label of the tag that stands beside a page's title; "" for pages without one."""
    slug = next((str(one.get("tag")) for one in page.tags if one.get("primary")), None)
    if slug is None:
        return ""
    known = (one for one in contents.root.tags if str(one.get("tag", one.get("slug"))) == slug)
    return str(next(known, {}).get("label") or slug)


def _mark(site: SiteChrome, page: Page) -> str:
    mark = None if site.preview is None else site.preview.mark(page.id)
    return "" if mark is None else words.of(site.locale).text[f"mark_{mark}"]


def entry_href(contents: Contents, base: str, branch: Branch) -> str:
    """Where an entry of the table of contents leads."""
    page = branch.page
    if page.type != "link":
        return page_href(contents, base, branch)
    target = page.target or {}
    if target.get("kind") == "url":
        url = str(target.get("url", ""))
        return url if url.startswith(("http://", "https://", "mailto:", "/", "#")) else ""
    leads = contents.by_id.get(str(target.get("page", "")))
    if leads is None:
        return ""
    anchor = target.get("anchor")
    return page_href(contents, base, leads) + (f"#{quote(str(anchor).lower(), safe='')}" if anchor else "")


def readable(contents: Contents) -> list[Branch]:
    """The documents of the table of contents that a visitor sees, in reading order."""
    return _reading_order(contents).pages


def _reading_order(contents: Contents) -> _Order:
    order = contents.derived.get(_ORDERS)
    if order is None:
        pages = [*_documents(contents, contents.branches)]
        order = _Order(pages, {branch.page.id: place for place, branch in enumerate(pages)})
        order = contents.derived.put(_ORDERS, order)
    return order


def _documents(contents: Contents, branches: Iterable[Branch]) -> Iterator[Branch]:
    for branch in branches:
        if shown(branch.page):
            if branch.page.type == "document":
                yield branch
            yield from _documents(contents, branch.branches)


def page_view(
    material: Material, site: SiteChrome, document: Node | None, edit_url: Callable[[Page], str]
) -> tuple[PageView, PageContext]:
    """The page with its rendered body, the document; the context tells what had to be highlighted."""
    page, contents = material.branch.page, material.contents
    base = site.base_path + material.place.base
    context = PageContext(material, site)
    body = render(document, context) if document is not None else None
    href = page_href(contents, base, material.branch)
    before, after = _neighbours(contents, base, page)
    closed = material.snapshot.site.agents_context == "excluded"
    return PageView(
        title=page.title,
        html="" if body is None else body.html,
        emoji=characters(page.emoji),
        icon=page_icon(page.icon or ""),
        description=page.description or "",
        summary=_summary(page, material, body),
        outline=() if body is None else tuple(Outline(one.level, one.id, one.text) for one in body.outline),
        breadcrumbs=_breadcrumbs(contents, base, page),
        previous=before,
        next=after,
        updated_at=datetime.fromtimestamp(page.updated / 1000, UTC) if page.updated else None,
        cover=_cover(page, context),
        tags=_tags(page, material),
        layout=_layout(page.layout or {}),
        edit_url=edit_url(page),
        markdown_url="" if closed else markdown_href(base, material.branch),
        pdf_url=f"{base}{PDF}{page.id}" if _prints(site) else "",
        feedback_url=f"{base}{FEEDBACK}{page.id}" if site.feedback and site.preview is None else "",
        feed_url=feed_href(contents, base, material.branch) if body is not None and body.updates else "",
        canonical=site.public_url + href.removeprefix(site.base_path),
        noindex=not indexed(material.snapshot, page),
        needs=frozenset() if body is None else frozenset(body.needs),
    ), context


def _summary(page: Page, material: Material, body: Rendered | None) -> str:
    """The page's description, else its first sentences, else what its headings speak of."""
    if page.description or material.document is None or body is None:
        return page.description or ""
    headings = ", ".join(heading.text for heading in body.outline if heading.level == 1)
    return description(material.document) or shorten(headings, DESCRIPTION, placeholder=" …")


def _neighbours(contents: Contents, base: str, page: Page) -> tuple[Link | None, Link | None]:
    known = _reading_order(contents)
    order, at = known.pages, known.places.get(page.id)
    if at is None:
        return None, None

    def link(number: int) -> Link | None:
        if not 0 <= number < len(order):
            return None
        branch = order[number]
        return Link(branch.page.link_title or branch.page.title, page_href(contents, base, branch))

    return link(at - 1), link(at + 1)


def _breadcrumbs(contents: Contents, base: str, page: Page) -> tuple[Link, ...]:
    above = [*trail(contents, page.parent)]
    made = []
    for key in reversed(above):
        branch = contents.by_id[key]
        href = _leads(contents, base, branch, page)
        made.append(Link(branch.page.link_title or branch.page.title, href))
    return tuple(made)


def _leads(contents: Contents, base: str, branch: Branch, page: Page) -> str:
    """Where an entry above a page leads: a group to its first page, unless that is this one or on the way too."""
    if branch.page.type == "document":
        return entry_href(contents, base, branch)
    first = next(_documents(contents, branch.branches), None)
    return "" if first is None or first.page.id in trail(contents, page.id) else page_href(contents, base, first)


def _cover(page: Page, context: PageContext) -> Cover | None:
    stored = page.cover
    picture = _cover_address(stored, "ref", context)
    if stored is None or not picture:
        return None
    named = (page.layout or {}).get("coverSize")
    sizes: tuple[views.CoverSize, ...] = get_args(views.CoverSize)
    return Cover(
        Image(picture, _cover_address(stored, "refDark", context)),
        size=next((size for size in sizes if size == named), "hero"),
        y=_number(stored.get("yPos"), 0),
        height=int(_number(stored.get("height"), 240)) or 240,
    )


def _number(value: Any, default: float) -> float:
    """A measure that somebody wrote; the default for what is none."""
    fits = isinstance(value, int | float) and abs(value) <= MOST_PIXELS
    return float(value) if fits else default


def _cover_address(stored: dict[str, Any] | None, name: str, context: PageContext) -> str:
    ref = stored.get(name) if stored else None
    picture = context.image(ref) if isinstance(ref, dict) else None
    return picture.url if picture is not None and picture.url.startswith(("https://", "/")) else ""


def _prints(site: SiteChrome) -> bool:
    """Whether readers get pages as PDFs."""
    return "pdf" in site.actions and site.preview is None and not extras.lacks("pdf")


def _tags(page: Page, material: Material) -> tuple[Tag, ...]:
    known = {str(tag.get("tag", tag.get("slug"))): tag for tag in material.contents.root.tags}
    made = []
    for entry in page.tags:
        slug = str(entry.get("tag", ""))
        tag = known.get(slug, {})
        icon = tag.get("icon")
        made.append(
            Tag(
                str(tag.get("label") or slug),
                icon=content_icon(str(icon)) if icon else "",
                emoji=characters(tag.get("emoji")),
                color=str(tag.get("color") or ""),
                primary=bool(entry.get("primary")),
            )
        )
    return tuple(made)


_LAYOUT = {
    "cover": "cover",
    "title": "title",
    "description": "description",
    "tableOfContents": "table_of_contents",
    "outline": "outline",
    "pagination": "pagination",
    "metadata": "metadata",
    "tags": "tags",
    "actions": "actions",
}


def _layout(stored: dict[str, Any]) -> Layout:
    given = {ours: bool(stored[theirs]) for theirs, ours in _LAYOUT.items() if isinstance(stored.get(theirs), bool)}
    width: views.Width = "wide" if stored.get("width") == "wide" else "default"
    return Layout(**given, width=width)


__all__ = [
    "STATIC",
    "Address",
    "entry_href",
    "file_path",
    "nav_below",
    "nav_nodes",
    "page_view",
    "readable",
]
