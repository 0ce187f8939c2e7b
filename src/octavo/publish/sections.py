"""The sections of a site as HTML, written without a template: a site with many has them twice on every page."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from markupsafe import Markup

from octavo.publish.icons import interface_icon
from octavo.publish.views import Tab


def section_bar(tabs: Iterable[Tab]) -> Markup:
    """The entries of the bar below the header; groups are menus."""
    return Markup("".join(f"<li>{_menu(one) if one.children else _link(one, describes=False)}</li>" for one in tabs))


def section_list(tabs: Iterable[Tab]) -> Markup:
    """The entries as lists in lists, with what each is about."""
    return Markup("".join(f"<li>{_group(one) if one.children else _link(one, describes=True)}</li>" for one in tabs))


def _menu(tab: Tab) -> str:
    current = ' aria-current="true"' if tab.current else ""
    named = f"<summary{current}>{_named(tab)}{interface_icon('chevron-down')}</summary>"
    return f'<details class="menu" data-closes>{named}<ul>{section_list(tab.children)}</ul></details>'


def _group(tab: Tab) -> str:
    return f"<p>{_named(tab)}</p><ul>{section_list(tab.children)}</ul>"


def _link(tab: Tab, *, describes: bool) -> str:
    about = f"<small>{escape(tab.description)}</small>" if describes and tab.description else ""
    current = ' aria-current="true"' if tab.current else ""
    away = ' target="_blank" rel="noopener"' if tab.new_tab else ""
    leads_out = interface_icon("arrow-up-right") if tab.new_tab else ""
    return f'<a href="{escape(tab.href)}"{current}{away}>{_named(tab, about)}{leads_out}</a>'


def _named(tab: Tab, about: str = "") -> str:
    mark = f'<span class="emoji" aria-hidden="true">{escape(tab.emoji)}</span>' if tab.emoji else tab.icon
    return f"{mark}<span>{escape(tab.title)}{about}</span>"
