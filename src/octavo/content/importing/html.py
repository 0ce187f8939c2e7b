"""Pages that come as HTML: the part that people read is found, cleaned and written as Markdown."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from octavo.content.importing.model import Refused
from octavo.content.importing.text import Address
from octavo.content.urls import joined

if TYPE_CHECKING:
    from bs4 import BeautifulSoup, Tag

_THEME = "theme-doc-markdown"


def _has(tag: Tag, name: str) -> bool:
    return name in tag.get_attribute_list("class")


_MAIN: tuple[Callable[[Tag], object], ...] = (
    lambda tag: tag.get("id") == "main-content",
    lambda tag: tag.name == "article" and _has(tag, _THEME),
    lambda tag: _has(tag, _THEME),
    lambda tag: tag.name == "article" and tag.find_parent("main"),
    lambda tag: tag.name == "main",
    lambda tag: tag.get("role") == "main",
    lambda tag: _has(tag, "markdown-body"),
    lambda tag: tag.name == "article",
    lambda tag: tag.get("id") == "content",
    lambda tag: tag.name == "body",
)
"""Where the text of a page is, the surest first."""
_NEVER = frozenset((
    "script", "style", "noscript", "template", "nav", "footer", "form", "button", "svg", "canvas", "dialog", "select",
    "textarea", "object", "link", "meta",
))  # fmt: skip
"""What is around the text: elements, and by their roles, classes and ids any."""
_NEVER_ROLES = frozenset(("navigation", "banner", "contentinfo", "search"))
_NEVER_CLASSES = frozenset((
    "breadcrumb", "breadcrumbs", "toc", "table-of-contents", "pagination-nav", "sr-only", "visually-hidden", "skip-link",
    "edit-this-page", "page-metadata", "linenos", "lineno", "linenodiv", "line-numbers-rows",
))  # fmt: skip
_NEVER_ANCHORS = frozenset(("headerlink", "hash-link", "anchor-link", "footnote-backref"))
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_ANCHORS = frozenset(("", "#", "¶", "§", "🔗", "\u200b", "link", "permalink"))
"""What the link of a heading to itself says."""
_SUFFIX = re.compile(r"\s+[|·•—–]\s+[^|·•—–]*$|\s+-\s+[^-]*$")
_HINT_TITLES = ".admonition-title, .admonition-heading, [class*=admonitionHeading], .markdown-alert-title"
_HINT_WORDS = frozenset(("note", "info", "tip", "hint", "important", "warning", "caution", "danger", "attention"))
_TABS = frozenset(("tabbed-set", "tabs-container", "theme-tabs-container"))
_LABELS = ".tabbed-labels > label, [role=tab]"
_PANELS = ".tabbed-content > .tabbed-block, [role=tabpanel]"
_LAZY = ("data-src", "data-original", "data-lazy-src")
DEEPEST = 250
"""Elements within one another: what is done with them takes stack and time by their depth."""
_EMPTY = "There is no text on the page."


def page(data: bytes, address: Address, *, titled: bool = False) -> tuple[str | None, str]:
    """(the title, the text as Markdown); with `titled` the page has its title from elsewhere and keeps all headings.

    Raises Refused where the bytes are no HTML or nothing is on the page.
    """
    # These libraries cost a tenth of a second, which only imports should pay.
    from octavo.content.importing.writer import Writer

    title, root = _cleaned(data, address, titled=titled)
    made = Writer().convert_soup(root).strip("\n")
    if not made.strip() and not title:
        raise Refused(_EMPTY)
    return title, made + "\n"


def _cleaned(data: bytes, address: Address, *, titled: bool = False) -> tuple[str | None, Tag]:
    """(the title, the part that people read)."""
    soup = soup_of(data)
    root = _main(soup)
    title = None if titled else _title(soup, root)
    _lowered(root)
    _clean(root, _based(soup, address))
    return title, root


def _decoded(data: bytes) -> str:
    """The text of a document, in the encoding that it names, or else in the usual two. Which one it might be is not guessed:
    that depended on what else is installed, and took short texts for Polish.
    """
    from bs4.dammit import EncodingDetector  # as above

    data, marked = EncodingDetector.strip_byte_order_mark(data)
    for encoding in (marked, EncodingDetector.find_declared_encoding(data, is_html=True), "utf-8"):
        with contextlib.suppress(UnicodeDecodeError, LookupError):
            if encoding:
                return data.decode(encoding)
    return data.decode("windows-1252", "replace")


def soup_of(data: bytes) -> BeautifulSoup:
    """The tree of a document. Raises Refused where there is no element in it."""
    from bs4 import BeautifulSoup  # as above

    soup = BeautifulSoup(_decoded(data), "lxml")
    if b"<" not in data or soup.find(True) is None:
        raise Refused("What came is not HTML.")
    level, depth = [*_inside(soup)], 0
    while level:
        level, depth = [child for one in level for child in _inside(one)], depth + 1
        if depth > DEEPEST:
            raise Refused(f"The elements of the page are nested more than {DEEPEST} deep.")
    return soup


def _inside(of: Tag) -> Iterator[Tag]:
    return (child for child in of.contents if hasattr(child, "contents"))  # type: ignore[misc]


def links(soup: BeautifulSoup, base: str) -> list[str]:
    """Absolute addresses of everything that a document links to."""
    base = _base(soup, base)
    return [_joined(base, str(a["href"])) for a in soup.find_all("a", href=True)]


def pictures(data: bytes, base: str) -> list[str]:
    """Absolute addresses of the pictures that the text of a page shows."""
    shown: list[str] = []

    def note(href: str, picture: bool) -> str:
        if picture and not href.startswith("data:"):
            shown.append(_joined(base, href))
        return href

    _cleaned(data, note)
    return list(dict.fromkeys(shown))


def _joined(base: str, href: str) -> str:
    return joined(base, href.strip()) or ""


def _base(soup: BeautifulSoup, base: str) -> str:
    named = soup.find("base", href=True)
    return base if named is None else _joined(base, str(named["href"])) or base


def _based(soup: BeautifulSoup, address: Address) -> Address:
    """Addresses as the document's own base has them."""
    base = _base(soup, "")
    if not base:
        return address
    return lambda href, picture: address(href if href.startswith(("#", "data:")) else _joined(base, href), picture)


def _main(soup: BeautifulSoup) -> Tag:
    for body in soup.find_all("body"):
        for around in body.find_all(("header", "aside"), recursive=False):
            around.decompose()
    # Selectors look at every element, ten times: those that have nothing to go by are left out first.
    some = [one for one in soup.find_all(True) if one.attrs or one.name in ("article", "main", "body")]
    for place in _MAIN:
        found = [one for one in some if place(one)][:2]
        # Several articles are a list of them: what holds them all is the page.
        if len(found) == 1 and (found[0].get_text(strip=True) or found[0].find("img")):
            return found[0]
    return soup


def _title(soup: BeautifulSoup, root: Tag) -> str | None:
    """The first main heading, which is taken out of the text; else the document's name without that of its site."""
    heading = root.find("h1") or soup.select_one("body h1")
    if heading is not None:
        for anchor in heading.select("a"):
            if anchor.get_text(strip=True).lower() in _ANCHORS:
                anchor.decompose()
        named = " ".join(heading.get_text(" ", strip=True).split())
        heading.decompose()
        if named:
            return named
    name = soup.select_one("head > title")
    whole = " ".join(name.get_text().split()) if name is not None else ""
    return _SUFFIX.sub("", whole) or whole or None


def _lowered(root: Tag) -> None:
    """Move all headings down by one level where main headings are left: a page has one, its title."""
    if root.find("h1"):
        for heading in root.select("h5, h4, h3, h2, h1"):
            heading.name = f"h{int(heading.name[1]) + 1}"


def _clean(root: Tag, address: Address) -> None:
    """Take out what is no text, mark what Octavo has blocks for, and replace addresses."""
    _mark_tabs(root)
    for gone in [one for one in root.find_all(True) if one.name in _NEVER or (one.attrs and _is_around(one))]:
        gone.decompose()
    within = {id(anchor): anchor for heading in root.find_all(_HEADINGS) for anchor in heading.find_all("a")}
    for anchor in within.values():
        if anchor.get_text(strip=True).lower() in _ANCHORS and not anchor.find("img"):
            anchor.decompose()
        elif str(anchor.get("href") or "").startswith("#"):
            anchor.unwrap()
    for heading in root.select(_HINT_TITLES):
        # The hint says the same by its colour and its picture.
        if heading.get_text(strip=True).lower().rstrip(":!") in _HINT_WORDS:
            heading.decompose()
    _unwrap_tables(root)
    for image in root.find_all("img"):
        source = next((str(image[name]) for name in (*_LAZY, "src") if image.get(name)), "")
        image["src"] = address(source.strip(), True) if source else ""
        if not image["src"]:
            image.decompose()
    for anchor in root.find_all("a", href=True):
        anchor["href"] = address(str(anchor["href"]).strip(), False)


def _is_around(tag: Tag) -> bool:
    """Whether an element is no part of the text, by its attributes. One look at each element: selectors, which are matched
    one after the other, take most of the time of a page of small elements."""
    if "hidden" in tag.attrs or tag.get("role") in _NEVER_ROLES or tag.get("id") == "breadcrumb-section":
        return True
    classes = tag.get("class") or ()
    held = frozenset(classes.split() if isinstance(classes, str) else classes)
    if tag.name == "a" and (held & _NEVER_ANCHORS or "data-footnote-backref" in tag.attrs):
        return True
    return bool(held & _NEVER_CLASSES) or (tag.name == "aside" and "sidebar" in held)


def _mark_tabs(root: Tag) -> None:
    """Sets of tabs as generators of documentation write them: labels first, then as many panels."""
    from octavo.content.importing.writer import TAB, TABS  # as above

    groups = [one for one in root.find_all(True) if one.attrs and not _TABS.isdisjoint(one.get_attribute_list("class"))]
    known = {id(group) for group in groups}
    for group in groups:
        labels, panels = (
            [one for one in group.select(part) if next(at for at in one.parents if id(at) in known) is group]
            for part in (_LABELS, _PANELS)
        )
        if not labels or len(labels) != len(panels):
            continue
        group[TABS] = ""
        for label, panel in zip(labels, panels):
            panel[TAB] = label.get_text(" ", strip=True)
            panel.attrs.pop("hidden", None)
            label.decompose()


def _unwrap_tables(root: Tag) -> None:
    """A table of one cell is there for the sake of layout: what it holds stands for it."""
    for table in root.find_all("table"):
        parts = table.find_all(["thead", "tbody", "tr", "td", "th"])
        if sum(part.name in ("td", "th") for part in parts) == 1:
            for part in (table, *parts):
                part.name = "div"
