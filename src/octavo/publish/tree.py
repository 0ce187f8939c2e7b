"""The table of contents as HTML, written without a template: it is the larger part of most pages."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from html import escape

from markupsafe import Markup

from octavo.publish import words
from octavo.publish.icons import interface_icon
from octavo.publish.views import NavNode, SiteChrome

_SHORT = {"delete": "DEL", "options": "OPT"}


def tree_items(nodes: Iterable[NavNode], site: SiteChrome) -> Markup:
    """The list items of entries and of everything below them."""
    parts: list[str] = []
    pages_in = escape(words.of(site.locale).text["pages_in"])
    _write(nodes, parts.append, interface_icon("arrow-up-right"), pages_in)
    return Markup("".join(parts))


def more_entries(href: str, source: str, count: int, site: SiteChrome) -> str:
    """The entry that stands for those of a level that are not shown: a link to a page among them, in whose place scripts
    fetch a portion of them from `source`."""
    label = f"<span>{escape(words.of(site.locale).text['more'])}</span><small>{count}</small>"
    link = f'<a href="{escape(href)}" rel="nofollow" data-nav-more="{escape(source)}">{label}</a>'
    return f'<li class="nav-more"><div class="nav-row">{link}</div></li>'


def _write(nodes: Iterable[NavNode], add: Callable[[str], None], leads_out: str, pages_in: str) -> None:
    for node in nodes:
        if node.html:
            add(node.html)
            continue
        branch = bool(node.children or node.lazy_href)
        add(f'<li class="nav-{node.kind}{" nav-branch" if branch else ""}"{" data-open" if node.open else ""}>')
        add('<div class="nav-row">')
        add(_name(node, branch, leads_out))
        if branch and (node.href or node.kind != "group"):
            expanded = "true" if node.open else "false"
            add(f'<button class="nav-toggle" type="button" data-nav-toggle aria-expanded="{expanded}"')
            add(f' aria-label="{pages_in.replace("{title}", escape(node.title))}"></button>')
        add("</div>")
        if branch:
            add(f'<ul data-lazy="{escape(node.lazy_href)}">' if node.lazy_href else "<ul>")
            _write(node.children, add, leads_out, pages_in)
            add("</ul>")
        add("</li>")


def _name(node: NavNode, branch: bool, leads_out: str) -> str:
    label = f"{_mark(node)}<span>{escape(node.title)}</span>"
    label += f'<small class="nav-mark">{escape(node.mark)}</small>' if node.mark else ""
    if node.method:
        shown = _SHORT.get(node.method, node.method.upper())
        label += f'<small class="nav-method" data-method="{escape(node.method)}">{escape(shown)}</small>'
    label += f'<small class="nav-tag">{escape(node.tag)}</small>' if node.tag else ""
    if node.href:
        more = ' aria-current="page"' if node.current else ""
        more += ' target="_blank" rel="noopener"' if node.new_tab else ""
        return f'<a href="{escape(node.href)}"{more}>{label}{leads_out if node.kind == "link" else ""}</a>'
    if branch and not node.open:
        return f'<button class="nav-name" type="button" data-nav-toggle aria-expanded="false">{label}</button>'
    return f'<span class="nav-name">{label}</span>'


def _mark(node: NavNode) -> str:
    if node.emoji:
        return f'<span class="emoji" aria-hidden="true">{escape(node.emoji)}</span>'
    return node.icon
