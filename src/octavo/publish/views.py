"""What templates are given: frozen plain values, decided and resolved before any HTML is written.

Addresses are ready for an `href`: absolute, or relative to the host. `html` and `icon` hold finished markup; every
other text is plain and escaped by the templates.
"""

from __future__ import annotations

from datetime import datetime
from typing import Literal

import msgspec

from octavo.publish.colours import Further

NavKind = Literal["document", "group", "link"]
Theme = Literal["system", "light", "dark"]
Width = Literal["default", "wide"]
CoverSize = Literal["full", "hero", "background"]
LinkStyle = Literal["link", "button-primary", "button-secondary"]
Mark = Literal["added", "changed", "moved", "removed"]
MessageKind = Literal["home", "not-found", "unpublished", "expired", "login", "error"]


class Link(msgspec.Struct, frozen=True):
    """A titled address; `icon` is finished SVG markup; `current` marks the one that is open now.

    `new_tab` opens it in a tab of its own. `lang` is the BCP 47 tag of what it leads to, where that is the page that is
    being read, as another variant has it.
    """

    title: str
    href: str
    icon: str = ""
    emoji: str = ""
    current: bool = False
    description: str = ""
    new_tab: bool = False
    lang: str = ""


class Tab(msgspec.Struct, frozen=True):
    """An entry of the site's navigation: a link, or a menu of `children` without an address, in which there may be
    further ones. `current` also marks the menus on the way to what is open."""

    title: str
    href: str = ""
    icon: str = ""
    current: bool = False
    description: str = ""
    new_tab: bool = False
    children: tuple[Tab, ...] = ()
    emoji: str = ""


class LinkGroup(msgspec.Struct, frozen=True):
    """Links under a heading, as in a footer; the heading may be empty."""

    title: str
    links: tuple[Link, ...]


class HeaderLink(msgspec.Struct, frozen=True):
    """A link in the header, or a menu of links when it has `children` (then `href` may be empty)."""

    title: str
    href: str = ""
    children: tuple[Link, ...] = ()
    style: LinkStyle = "link"
    new_tab: bool = False


class Image(msgspec.Struct, frozen=True):
    """A picture with an optional twin for the dark theme."""

    href: str
    dark: str = ""


class Announcement(msgspec.Struct, frozen=True):
    """What is said above every page; `key` changes with it, so that a visitor who hid it sees the next one."""

    key: str
    message: str
    style: Literal["info", "warning", "danger", "success"] = "info"
    link: Link | None = None


class Alternate(msgspec.Struct, frozen=True):
    """The same page in another language or variant; `lang` is a BCP 47 tag."""

    lang: str
    href: str


class SiteChrome(msgspec.Struct, frozen=True):
    """A site as every page of it needs it.

    `base_path` is the address of its first page and ends with a slash, `static_path` the address below which `assets`
    are served, ending with a slash too. `primary` and `primary_dark` are `#rrggbb`. `sections` are the tabs below the
    header, `variants` the languages or versions to choose from. An empty `search_url` means: no search;
    `search_in` is the space that is being read, where the site shows several. `public_url` is
    the whole address that the site wants to be known by; it stands for `base_path` where a page is named to others.
    `emoji` stands for the site where it has no `favicon` of its own. `touch_icon` is a square picture for home screens,
    `social_image` the picture for every page where its address is shared; when empty, each page gets one that is drawn.

    `locale` is a name of `words.LOCALES`, `lang` the BCP 47 tag of the content where that is another language.
    `colours` are further ones for the style sheet. `style` are names and values of data attributes by which style
    sheets know the look. `new_tab` says that links to elsewhere open in a tab of their own. `actions` are those that a
    page offers, the first one foremost; `markdown` and `git` are known.
    """

    title: str
    base_path: str
    static_path: str
    locale: str = "en"
    lang: str = ""
    icon: Image | None = None
    logo: Image | None = None
    favicon: str = ""
    favicon_dark: str = ""
    primary: str = "#3457d5"
    primary_dark: str = ""
    colours: Further = ()
    typefaces: tuple[tuple[str, str], ...] = ()
    """What else its style sheet is asked for: typefaces, themes of code."""
    brand_link: Link | None = None
    """Where the title leads, if not to the first page."""
    style: tuple[tuple[str, str], ...] = ()
    theme: Theme = "system"
    theme_switch: bool = True
    announcement: Announcement | None = None
    header_links: tuple[HeaderLink, ...] = ()
    header_social: tuple[Link, ...] = ()
    footer_logo: Image | None = None
    footer_groups: tuple[LinkGroup, ...] = ()
    footer_note: str = ""
    footer_social: tuple[Link, ...] = ()
    privacy_url: str = ""
    insights_url: str = ""
    """Where pages tell what is read; empty = nowhere."""
    trademark: bool = False
    pagination: bool = True
    feedback: bool = False
    """Whether readers are asked what they think of pages."""
    actions: tuple[str, ...] = ("markdown", "git")
    new_tab: bool = False
    sections: tuple[Tab, ...] = ()
    variants: tuple[Link, ...] = ()
    open_to_all: bool = False
    """Whether everybody reads all of it, without showing who they are."""
    logout_url: str = ""
    """Where visitors log out who had to log in."""
    search_url: str = ""
    search_in: str = ""
    public_url: str = ""
    emoji: str = ""
    touch_icon: str = ""
    social_image: str = ""
    reads: frozenset[str] = frozenset()
    """What of visitors decided it: names of `content.conditions`."""
    spaces: frozenset[str] = frozenset()
    """Spaces to whose pages it leads."""
    preview: PreviewView | None = None
    scripts: tuple[str, ...] = ()
    """Addresses of scripts that integrations put on its pages."""
    policies: tuple[str, ...] = ()
    """The content security policies that these need."""


class Marked(msgspec.Struct, frozen=True):
    """A page that a change request changes; one that is gone has no address."""

    page: str
    title: str
    mark: Mark
    href: str = ""


class PreviewView(msgspec.Struct, frozen=True):
    """What a preview says of itself above every page; of a change request, which pages it changes, `count` in all."""

    number: int = 0
    subject: str = ""
    changes: tuple[Marked, ...] = ()
    count: int = 0

    def mark(self, page: str) -> Mark | None:
        """How the page differs."""
        return next((one.mark for one in self.changes if one.page == page), None)


class NavNode(msgspec.Struct, frozen=True):
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
    new_tab: bool = False
    mark: str = ""
    """How it differs from primary content, in a word of the locale."""
    method: str = ""
    """Of the operation of an API that the page is about, in lower case."""
    tag: str = ""
    """The label of its primary tag."""
    html: str = ""
    """The whole entry as finished markup, where it was made before."""


class Outline(msgspec.Struct, frozen=True):
    """A heading of the page: level 1 to 3 as in the document, its anchor and its text."""

    level: int
    id: str
    text: str


class Cover(msgspec.Struct, frozen=True):
    """The picture above a page: `y` is the offset of its focus from the middle, -100 to 100 percent; `height` in px."""

    image: Image
    size: CoverSize = "full"
    y: float = 0
    height: int = 240


class Tag(msgspec.Struct, frozen=True):
    """A label of a page."""

    label: str
    icon: str = ""
    emoji: str = ""
    color: str = ""
    primary: bool = False


class Layout(msgspec.Struct, frozen=True):
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


class Action(msgspec.Struct, frozen=True):
    """Something that a page offers: a link, or a button that copies `copy`, or else the text at the address `page`."""

    title: str
    icon: str
    href: str = ""
    copy: str = ""
    page: str = ""
    type: str = ""
    """The media type of what a link leads to."""
    away: bool = False
    """Whether it leads to somebody else's site."""


class PageView(msgspec.Struct, frozen=True):
    """A page: `html` is its rendered body, `needs` the features of that body which call for more scripts.

    `noindex` asks search engines to leave the page out. `breadcrumbs` are the pages and groups above it, outermost
    first; a group without an address has an empty `href`. `summary` says in a sentence what the page is about, to
    search engines and wherever its address is shared; when empty, the description does. `canonical` and
    `social_image` are absolute. `edit_on` names the place where `edit_url` leads. `stale`
    says that the page translates what its source does not say any more.
    """

    title: str
    html: str
    emoji: str = ""
    icon: str = ""
    description: str = ""
    summary: str = ""
    outline: tuple[Outline, ...] = ()
    breadcrumbs: tuple[Link, ...] = ()
    previous: Link | None = None
    next: Link | None = None
    updated_at: datetime | None = None
    cover: Cover | None = None
    tags: tuple[Tag, ...] = ()
    layout: Layout = msgspec.field(default_factory=Layout)
    actions: tuple[Action, ...] = ()
    edit_url: str = ""
    edit_on: str = ""
    markdown_url: str = ""
    canonical: str = ""
    feed_url: str = ""
    feedback_url: str = ""
    pdf_url: str = ""
    alternates: tuple[Alternate, ...] = ()
    social_image: str = ""
    noindex: bool = False
    stale: bool = False
    needs: frozenset[str] = frozenset()


Pieces = tuple[str, ...]
"""A text cut at the words that somebody searched for: every second piece is such a word, the first never."""


class SectionHit(msgspec.Struct, frozen=True):
    """A place inside a found page; `snippet` is a piece of its text, or a line of its code, `marked` its title."""

    title: str
    href: str
    snippet: Pieces = ()
    marked: Pieces = ()
    code: bool = False


class SearchHit(msgspec.Struct, frozen=True):
    """A found page with the places in it, best first; the snippet is of what stands ahead of the first heading.

    `where` names the section and the variant, on a site that has several.
    """

    title: str
    href: str
    breadcrumbs: tuple[str, ...] = ()
    sections: tuple[SectionHit, ...] = ()
    snippet: Pieces = ()
    marked: Pieces = ()
    where: str = ""
    code: bool = False
    """Whether the snippet is a line of code."""


class SearchView(msgspec.Struct, frozen=True):
    """The plain results page; `nearest` are pages to offer when nothing was found, `only` says that one space was asked."""

    query: str
    items: tuple[SearchHit, ...] = ()
    nearest: tuple[Link, ...] = ()
    next_href: str = ""
    only: bool = False


class FeedbackView(msgspec.Struct, frozen=True):
    """The page on which readers say what they think of another; `rating` is what they said just now, `sent` that they said
    it in words too. `action` takes the form."""

    title: str
    href: str
    action: str
    rating: str | None = None
    sent: bool = False


class PdfView(msgspec.Struct, frozen=True):
    """The page on which readers ask for a PDF, or wait for one. `action` takes the form; `below` says whether there are
    pages below this one; `done` of `total` pages are set; `failed` is the sentence of one that came to nothing."""

    title: str
    space: str
    href: str
    action: str
    below: bool = False
    waits: bool = False
    done: int = 0
    total: int = 0
    failed: str = ""


class MessageView(msgspec.Struct, frozen=True):
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
