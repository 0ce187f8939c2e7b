"""The one place where views become HTML: compiled Jinja templates, escaped, strict about names, free of inline code."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING
from urllib.parse import urljoin

from markupsafe import Markup, escape

from octavo.publish import assets, colours
from octavo.publish.icons import interface_icon
from octavo.publish.tree import tree_items
from octavo.publish.views import MessageKind, MessageView, NavNode, PageView, SearchView, SiteView

if TYPE_CHECKING:
    from jinja2 import Environment

CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' https: data:; "
    "media-src 'self' https:; connect-src 'self'; frame-src 'self' https:; form-action 'self'; base-uri 'none'; "
    "manifest-src 'self'"
)
DIAGRAMS_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; font-src 'self'; "
    "frame-ancestors 'self'; sandbox allow-scripts"
)
"""Of the frame in which diagrams are laid out: it reaches nothing, and nothing of the site is its own."""

_MONTHS = "January February March April May June July August September October November December"


@dataclass(frozen=True, slots=True)
class _Words:
    title: str
    text: str


_MESSAGES: dict[MessageKind, _Words] = {
    "not-found": _Words(
        "This page is not here",
        "It may have moved, or its address has a slip. Search for it, or try one of these.",
    ),
    "unpublished": _Words(
        "Nothing is published here yet",
        "Its keepers have not opened this site. Come back later, or ask them.",
    ),
    "expired": _Words(
        "This link has expired",
        "It was withdrawn or ran out. Ask the person who sent it for a new one.",
    ),
    "login": _Words("Log in to read on", "These pages are for people with an account. You come back here afterwards."),
    "error": _Words(
        "Something went wrong on our side", "It is not your doing, and we have been told. Try again in a minute."
    ),
}


def page(site: SiteView, nav: Iterable[NavNode], page: PageView) -> str:
    """The whole HTML document of a page."""
    return _render("page.html", site=site, nav=tuple(nav), page=page)


def search(site: SiteView, nav: Iterable[NavNode], results: SearchView) -> str:
    """The HTML document of search results, for those without scripts and for sharing a search."""
    return _render("search.html", site=site, nav=tuple(nav), results=results)


def message(site: SiteView, view: MessageView) -> str:
    """The HTML document that stands in for content: not found, unpublished, expired, login, error."""
    return _render("message.html", site=site, view=view, words=_MESSAGES[view.kind], nav=())


def nav_children(nodes: Iterable[NavNode]) -> str:
    """The HTML fragment that a `lazy_href` answers: the list items of a group."""
    return _render("nav_children.html", nodes=tuple(nodes))


def diagrams() -> str:
    """The HTML document of the frame in which diagrams are laid out."""
    return _render("diagrams.html")


def _render(template: str, **values: object) -> str:
    # A raw "{%" must not reach a reader's tools that take HTML for templates; JSON data carries its own escape.
    return environment().get_template(template).render(values).replace("{%", "&#123;%")


@cache
def environment() -> Environment:
    """The environment of all templates, made once; a template is compiled when it is first used and kept."""
    # Jinja is imported with the first page, not with the server.
    from jinja2 import Environment, PackageLoader, StrictUndefined

    made = Environment(
        loader=PackageLoader("octavo.publish", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        auto_reload=False,
        cache_size=-1,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals.update(icon=_icon, tree_items=tree_items, asset=assets.path)
    made.globals.update(theme_query=colours.query, json_ld=_breadcrumb_list)
    made.filters.update(day=_day, safe_html=Markup, steps=_steps, marked=_marked)
    return made


@cache
def _icon(name: str) -> Markup:
    return Markup(interface_icon(name))


def _day(moment: datetime) -> str:
    return f"{moment.day} {_MONTHS.split()[moment.month - 1]} {moment.year}"


def _marked(text: str, query: str) -> Markup:
    """The text with every word of the query in a `mark`."""
    words = sorted(set(query.split()), key=len, reverse=True)
    if not words:
        return escape(text)
    parts = re.split(f"({'|'.join(map(re.escape, words))})", text, flags=re.IGNORECASE)
    return Markup("").join(Markup("<mark>{}</mark>").format(part) if at % 2 else part for at, part in enumerate(parts))


def _steps(value: float, least: int, most: int, step: int) -> int:
    """The nearest multiple of `step` within bounds: style sheets know values by name, not by number."""
    return round(min(max(value, least), most) / step) * step


def _breadcrumb_list(page: PageView, site: SiteView) -> Markup:
    """JSON-LD of the way to the page; only markup-safe characters."""
    crumbs = [(link.title, link.href) for link in page.breadcrumbs] + [(page.title, page.canonical)]
    items = []
    for position, (title, href) in enumerate(crumbs, 1):
        item: dict[str, object] = {"@type": "ListItem", "position": position, "name": title}
        if href:
            item["item"] = urljoin(
                site.public_url or page.canonical, href.removeprefix(site.base_path if site.public_url else "")
            )
        items.append(item)
    data = {"@context": "https://schema.org", "@type": "BreadcrumbList", "itemListElement": items}
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    for unsafe in "<>&\u2028\u2029":
        text = text.replace(unsafe, f"\\u{ord(unsafe):04x}")
    return Markup(text.replace("{%", "\\u007b%"))
