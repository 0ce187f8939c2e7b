"""From a site and a page to the views that templates take: navigation, outline, neighbours, addresses."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote

from octavo.content.html import render
from octavo.content.html.text import characters
from octavo.content.revision import Branch, Page
from octavo.history.contents import Contents
from octavo.publish import assets, views
from octavo.publish.audience import in_navigation, shown, trail
from octavo.publish.context import PageContext, file_path, page_href
from octavo.publish.icons import content_icon
from octavo.publish.reading import Material
from octavo.publish.tree import tree_items
from octavo.publish.views import Cover, Image, Layout, Link, NavNode, Outline, PageView, SiteView, Tag
from octavo.site.addresses import page_path
from octavo.site.snapshot import Place, Snapshot

STATIC = "/~octavo/"
WHOLE_TREE = 300
"""Entries up to which the table of contents is sent whole."""


@dataclass(frozen=True)
class Address:
    """Where a site is being read: `base` is its path, with a slash at the end.

    `public` is the one address, scheme and host included, that the site wants to be known by; it ends with a slash too.
    """

    base: str
    public: str


def site_view(snapshot: Snapshot, address: Address, place: Place | None) -> SiteView:
    """The site around every page."""
    look = snapshot.site.customization or {}
    colour = look.get("styling", {}).get("primaryColor", {}) if isinstance(look.get("styling"), dict) else {}
    return SiteView(
        title=snapshot.site.title,
        base_path=address.base,
        static_path=STATIC,
        primary=colour.get("light", "#3457d5"),
        primary_dark=colour.get("dark", ""),
        favicon=STATIC + assets.path("mark.svg"),
        sections=_sections(snapshot, address, place),
        variants=_variants(snapshot, address, place),
        search_url=address.base + "~octavo/search",
        public_url=address.public,
    )


def _sections(snapshot: Snapshot, address: Address, place: Place | None) -> tuple[Link, ...]:
    current = place.section if place is not None else None
    made = []
    for section in snapshot.sections:
        if any(one.section == section.id for one in snapshot.shown):
            href = address.base + ("" if section.default else page_path(section.path) + "/")
            icon = content_icon(section.icon) if section.icon else ""
            made.append(Link(section.title, href, icon=icon, current=current is not None and current.id == section.id))
    return tuple(made) if len(made) > 1 else ()


def _variants(snapshot: Snapshot, address: Address, place: Place | None) -> tuple[Link, ...]:
    if place is None:
        return ()
    beside = [one for one in snapshot.siblings(place.site_space) if not one.hidden]
    if len(beside) < 2:
        return ()
    return tuple(
        Link(one.title, address.base + snapshot.base_of(one), current=one.id == place.site_space.id) for one in beside
    )


def nav_nodes(contents: Contents, base: str, current: str | None) -> tuple[NavNode, ...]:
    """The table of contents; in a large one, closed entries carry the address of what is below them."""
    large = len(contents.pages) > WHOLE_TREE
    above = set(trail(contents, current))
    return tuple(_nodes(contents.branches, contents, base, current, above, large))


def nav_below(contents: Contents, base: str, page: str) -> tuple[NavNode, ...] | None:
    """What is below one entry of the table of contents; None when there is no such entry."""
    branch = contents.by_id.get(page)
    if branch is None or not in_navigation(contents, branch.page):
        return None
    return tuple(_nodes(branch.branches, contents, base, None, set(), large=True))


def _nodes(
    branches: list[Branch], contents: Contents, base: str, current: str | None, above: set[str], large: bool
) -> Iterator[NavNode]:
    """Entries around the current page are made anew; all others are the same on every page, and kept as markup."""
    for branch in branches:
        page = branch.page
        if not shown(contents, page):
            continue
        if page.id in above:
            yield _node(branch, contents, base, current, above, large)
            continue
        key = ("entry", base, large, page.id)
        kept = contents.derived.get(key)
        if kept is None:
            made = _node(branch, contents, base, None, set(), large)
            kept = contents.derived[key] = NavNode(made.title, html=str(tree_items((made,))))
        yield kept


def _node(branch: Branch, contents: Contents, base: str, current: str | None, above: set[str], large: bool) -> NavNode:
    page = branch.page
    is_group = page.type == "group"
    inside = [one for one in branch.branches if shown(contents, one.page)]
    expanded = page.id in above or page.type != "document"
    lazy = large and bool(inside) and not expanded
    if lazy:
        children: tuple[NavNode, ...] = ()
    elif above:
        children = tuple(_nodes(inside, contents, base, current, above, large))
    else:
        children = tuple(_node(one, contents, base, None, above, large) for one in inside)
    return NavNode(
        title=page.link_title or page.title,
        href="" if is_group else entry_href(contents, base, branch),
        kind="group" if is_group else "link" if page.type == "link" else "document",
        emoji=characters(page.emoji),
        icon=content_icon(page.icon) if page.icon else "",
        current=page.id == current,
        open=expanded,
        children=children,
        lazy_href=f"{base}~octavo/nav/{page.id}" if lazy else "",
    )


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
    order: list[Branch] | None = contents.derived.get("readable")
    if order is None:
        order = contents.derived["readable"] = [*_documents(contents, contents.branches)]
        contents.derived["places"] = {branch.page.id: place for place, branch in enumerate(order)}
    return order


def _documents(contents: Contents, branches: list[Branch]) -> Iterator[Branch]:
    for branch in branches:
        if shown(contents, branch.page):
            if branch.page.type == "document":
                yield branch
            yield from _documents(contents, branch.branches)


def page_view(material: Material, address: Address, edit_url: Callable[[Page], str]) -> tuple[PageView, PageContext]:
    """The page with its rendered body; the context tells what had to be highlighted."""
    page, contents = material.branch.page, material.contents
    base = address.base + material.place.base
    context = PageContext(material, address.base)
    body = render(material.document, context) if material.document is not None else None
    href = page_href(contents, base, material.branch)
    before, after = _neighbours(contents, base, page)
    closed = material.snapshot.site.agents_context == "excluded"
    return PageView(
        title=page.title,
        html="" if body is None else body.html,
        emoji=characters(page.emoji),
        icon=content_icon(page.icon) if page.icon else "",
        description=page.description or "",
        outline=() if body is None else tuple(Outline(one.level, one.id, one.text) for one in body.outline),
        breadcrumbs=_breadcrumbs(contents, base, page),
        previous=before,
        next=after,
        updated_at=datetime.fromtimestamp(page.updated / 1000, UTC) if page.updated else None,
        cover=_cover(page, context),
        tags=_tags(page, material),
        layout=_layout(page.layout or {}),
        edit_url=edit_url(page),
        markdown_url="" if closed else base + page_path(material.branch.path) + ".md",
        canonical=address.public + href.removeprefix(address.base),
        noindex=page.no_index or page.no_robots_index or material.snapshot.site.visibility != "public",
        needs=frozenset() if body is None else frozenset(body.needs),
    ), context


def _neighbours(contents: Contents, base: str, page: Page) -> tuple[Link | None, Link | None]:
    order = readable(contents)
    at: int | None = contents.derived["places"].get(page.id)
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
        href = entry_href(contents, base, branch) if branch.page.type == "document" else ""
        made.append(Link(branch.page.link_title or branch.page.title, href))
    return tuple(made)


def _cover(page: Page, context: PageContext) -> Cover | None:
    stored = page.cover
    picture = _cover_address(stored, "ref", context)
    if stored is None or not picture:
        return None
    size = (page.layout or {}).get("coverSize", "hero")
    return Cover(
        Image(picture, _cover_address(stored, "refDark", context)),
        size="full" if size == "full" else "hero",
        y=float(stored.get("yPos", 0) or 0),
        height=int(stored.get("height", 240) or 240),
    )


def _cover_address(stored: dict[str, Any] | None, name: str, context: PageContext) -> str:
    ref = stored.get(name) if stored else None
    picture = context.image(ref) if isinstance(ref, dict) else None
    return picture.url if picture is not None and picture.url.startswith(("https://", "/")) else ""


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
    "site_view",
]
