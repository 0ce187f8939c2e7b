"""The one place where views of published sites become HTML."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import pairwise
from typing import Any
from urllib.parse import quote, urljoin

from markupsafe import Markup, escape

from octavo.content.html.direction import runs_from_right
from octavo.publish import assets, theme, words
from octavo.publish.icons import interface_icon
from octavo.publish.sections import section_bar, section_list
from octavo.publish.tree import tree_items
from octavo.publish.views import (
    FeedbackView,
    MessageView,
    NavNode,
    Outline,
    PageView,
    PdfView,
    Pieces,
    SearchView,
    SiteChrome,
)
from octavo.web import pages

CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' https: data:; "
    "media-src 'self' https:; connect-src 'self'; frame-src 'self' https:; form-action 'self'; base-uri 'none'; "
    "manifest-src 'self'"
)


SECURITY = (
    (b"content-security-policy", CONTENT_SECURITY_POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"strict-origin-when-cross-origin"),
    (b"x-frame-options", b"SAMEORIGIN"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),
)
"""Headers of everything that visitors are answered."""


DIAGRAMS_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; font-src 'self'; "
    "frame-ancestors 'self'; sandbox allow-scripts"
)
"""Of the frame in which diagrams are laid out: it reaches nothing, and nothing of the site is its own."""


_MARKED = 3
"""Words of a snippet that are marked on the page that it leads to."""


def page(site: SiteChrome, nav: Iterable[NavNode], page: PageView) -> str:
    """The whole HTML document of a page."""
    return _on_site("page.html", site, nav=tuple(nav), page=page)


def search(site: SiteChrome, nav: Iterable[NavNode], results: SearchView) -> str:
    """The HTML document of search results, for those without scripts and for sharing a search."""
    return _on_site("search.html", site, nav=tuple(nav), results=results)


def feedback(site: SiteChrome, view: FeedbackView) -> str:
    """The HTML document that asks for an opinion of a page, and thanks for it."""
    return _on_site("feedback.html", site, view=view, nav=())


def pdf(site: SiteChrome, view: PdfView) -> str:
    """The HTML document that asks what a PDF is to hold, or waits for it."""
    return _on_site("pdf.html", site, view=view, nav=())


def message(site: SiteChrome, view: MessageView) -> str:
    """The HTML document that stands in for content: not found, unpublished, expired, login, error."""
    return _on_site("message.html", site, view=view, nav=())


def nav_children(site: SiteChrome, nodes: Iterable[NavNode]) -> str:
    """The HTML fragment that a `lazy_href` answers: the list items of a group."""
    return _on_site("nav_children.html", site, nodes=tuple(nodes))


def diagrams() -> str:
    """The HTML document of the frame in which diagrams are laid out."""
    return _render("diagrams.html")


def _on_site(template: str, site: SiteChrome, **values: object) -> str:
    own = words.of(site.locale)
    lang = site.lang or own.lang
    return _render(
        template,
        site=site,
        lang=lang,
        direction=words.direction(lang),
        words=own.text,
        script_words=own.script,
        words_lang=own.lang,
        day=own.day,
        **values,
    )


def _render(template: str, **values: object) -> str:
    # A raw "{%" must not reach a reader's tools that take HTML for templates; JSON data carries its own escape.
    html: str = _environment().get_template(template).render(values)
    return html.replace("{%", "&#123;%")


@cache
def _environment() -> Any:
    """The environment of all templates of published pages, with what they call."""
    made = pages.environment("octavo.publish")
    made.globals.update(icon=_icon, tree_items=tree_items, asset=assets.path)
    made.globals.update(section_bar=section_bar, section_list=section_list)
    made.globals.update(theme_query=theme.query, json_ld=_breadcrumb_list)
    made.filters.update(runs_from_right=runs_from_right)
    made.filters.update(
        filled=words.filled, safe_html=Markup, steps=_steps, marked=_marked, nested=_nested, at_words=_at_words
    )
    return made


@cache
def _icon(name: str) -> Markup:
    return Markup(interface_icon(name))


def _nested(headings: Sequence[Outline]) -> Iterator[tuple[Outline, Sequence[Outline]]]:
    """The uppermost headings, each with those below it."""
    top = min(heading.level for heading in headings)
    starts = [place for place, heading in enumerate(headings) if heading.level == top or not place]
    for start, end in pairwise((*starts, len(headings))):
        yield headings[start], headings[start + 1 : end]


def _marked(pieces: Pieces) -> Markup:
    """The pieces as one text, every second one in a `mark`."""
    return Markup("").join(
        Markup("<mark>{}</mark>").format(piece) if at % 2 else escape(piece) for at, piece in enumerate(pieces)
    )


def _at_words(href: str, snippet: Pieces) -> str:
    """The address with the text that browsers mark there: the words of a snippet that were asked for."""
    found = [*dict.fromkeys(snippet[1::2])][:_MARKED]
    if not found:
        return href
    return href + ("" if "#" in href else "#") + ":~:" + "&".join(f"text={quote(word, safe='')}" for word in found)


def _steps(value: float, least: int, most: int, step: int) -> int:
    """The nearest multiple of `step` within bounds: style sheets know values by name, not by number."""
    return round(min(max(value, least), most) / step) * step


def _breadcrumb_list(page: PageView, site: SiteChrome) -> Markup:
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
