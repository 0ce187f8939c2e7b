"""What templates are given: frozen plain values, decided and resolved before any HTML is written.

Addresses are ready for an `href`: absolute, or relative to the host. `html` and `icon` hold finished markup; every
other text is plain and escaped by the templates.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

NavKind = Literal["document", "group", "link"]
Theme = Literal["system", "light", "dark"]
Width = Literal["default", "wide"]
CoverSize = Literal["full", "hero"]
MessageKind = Literal["not-found", "unpublished", "expired", "login", "error"]


@dataclass(frozen=True, slots=True)
class Link:
    """A titled address; `icon` is finished SVG markup; `current` marks the one that is open now."""

    title: str
    href: str
    icon: str = ""
    emoji: str = ""
    current: bool = False
    description: str = ""


@dataclass(frozen=True, slots=True)
class LinkGroup:
    """Links under a heading, as in a footer; the heading may be empty."""

    title: str
    links: tuple[Link, ...]


@dataclass(frozen=True, slots=True)
class HeaderLink:
    """A link in the header, or a menu of links when it has `children` (then `href` may be empty)."""

    title: str
    href: str = ""
    children: tuple[Link, ...] = ()
    button: bool = False


@dataclass(frozen=True, slots=True)
class Image:
    """A picture with an optional twin for the dark theme."""

    href: str
    dark: str = ""


@dataclass(frozen=True, slots=True)
class Alternate:
    """The same page in another language or variant; `lang` is a BCP 47 tag."""

    lang: str
    href: str


@dataclass(frozen=True, slots=True)
class SiteView:
    """A site as every page of it needs it.

    `base_path` is the address of its first page and ends with a slash, `static_path` the address below which `assets`
    are served, ending with a slash too. `primary` and `primary_dark` are `#rrggbb`. `sections` are the tabs below the
    header, `variants` the languages or versions to choose from. An empty `search_url` means: no search. `public_url` is
    the whole address that the site wants to be known by; it stands for `base_path` where a page is named to others.
    """

    title: str
    base_path: str
    static_path: str
    locale: str = "en"
    icon: Image | None = None
    logo: Image | None = None
    favicon: str = ""
    primary: str = "#3457d5"
    primary_dark: str = ""
    theme: Theme = "system"
    theme_switch: bool = True
    header_links: tuple[HeaderLink, ...] = ()
    footer_groups: tuple[LinkGroup, ...] = ()
    footer_note: str = ""
    sections: tuple[Link, ...] = ()
    variants: tuple[Link, ...] = ()
    search_url: str = ""
    public_url: str = ""


@dataclass(frozen=True, slots=True)
class NavNode:
    """An entry of the table of contents.

    `open` shows the children. A closed node of a large tree carries no children but `lazy_href`, the address of an HTML
    fragment made by `Templates.nav`; without scripts its own `href` leads there. `current` marks the page shown.
    """

    title: str
    href: str = ""
    kind: NavKind = "document"
    emoji: str = ""
    icon: str = ""
    current: bool = False
    open: bool = False
    children: tuple[NavNode, ...] = ()
    lazy_href: str = ""
    html: str = ""
    """The whole entry as finished markup, where it was made before."""


@dataclass(frozen=True, slots=True)
class Outline:
    """A heading of the page: level 1 to 3 as in the document, its anchor and its text."""

    level: int
    id: str
    text: str


@dataclass(frozen=True, slots=True)
class Cover:
    """The picture above a page: `y` is the offset of its focus from the middle, -100 to 100 percent; `height` in px."""

    image: Image
    size: CoverSize = "full"
    y: float = 0
    height: int = 240


@dataclass(frozen=True, slots=True)
class Tag:
    """A label of a page."""

    label: str
    icon: str = ""
    emoji: str = ""
    color: str = ""
    primary: bool = False


@dataclass(frozen=True, slots=True)
class Layout:
    """Which parts of a page are shown; `width` is that of the text."""

    cover: bool = True
    title: bool = True
    description: bool = True
    table_of_contents: bool = True
    outline: bool = True
    pagination: bool = True
    metadata: bool = True
    tags: bool = True
    actions: bool = True
    width: Width = "default"


@dataclass(frozen=True, slots=True)
class PageView:
    """A page: `html` is its rendered body, `needs` the features of that body which call for more scripts.

    `noindex` asks search engines to leave the page out. `breadcrumbs` are the pages and groups above it, outermost
    first; a group without an address has an empty `href`. `canonical` is absolute.
    """

    title: str
    html: str
    emoji: str = ""
    icon: str = ""
    description: str = ""
    outline: tuple[Outline, ...] = ()
    breadcrumbs: tuple[Link, ...] = ()
    previous: Link | None = None
    next: Link | None = None
    updated_at: datetime | None = None
    cover: Cover | None = None
    tags: tuple[Tag, ...] = ()
    layout: Layout = field(default_factory=Layout)
    edit_url: str = ""
    markdown_url: str = ""
    canonical: str = ""
    alternates: tuple[Alternate, ...] = ()
    social_image: str = ""
    noindex: bool = False
    needs: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class SectionHit:
    """A place inside a found page; the snippet is plain text."""

    title: str
    href: str
    snippet: str = ""


@dataclass(frozen=True, slots=True)
class SearchHit:
    """A found page with the places in it, best first; the snippet is of what stands ahead of the first heading."""

    title: str
    href: str
    breadcrumbs: tuple[str, ...] = ()
    sections: tuple[SectionHit, ...] = ()
    snippet: str = ""


@dataclass(frozen=True, slots=True)
class SearchView:
    """The plain results page; `nearest` are pages to offer when nothing was found."""

    query: str
    items: tuple[SearchHit, ...] = ()
    nearest: tuple[Link, ...] = ()
    next_href: str = ""


@dataclass(frozen=True, slots=True)
class MessageView:
    """A page that says why there is no content and what to do next.

    `action` is the one thing to do (log in, try again); `nearest` are pages that come close; `reference` is a request
    id to quote; `title` and `text` replace the usual words of the kind.
    """

    kind: MessageKind
    title: str = ""
    text: str = ""
    action: Link | None = None
    nearest: tuple[Link, ...] = ()
    reference: str = ""
