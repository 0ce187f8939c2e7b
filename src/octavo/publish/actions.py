"""What a page offers beside being read, in the order that its site wants: copied, opened by assistants, saved, edited."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from urllib.parse import quote

from octavo.publish import words
from octavo.publish.views import Action, PageView, SiteChrome

MCP = "~octavo/mcp"
"""Where a site answers assistants, below its base."""
_ASSISTANTS = (
    ("ChatGPT", "https://chatgpt.com/?hints=search&q="),
    ("Claude", "https://claude.ai/new?q="),
)
"""Name -> what an address begins with that opens one with a question."""
_EDITORS = (("VS Code", "https://vscode.dev/redirect/mcp/install"),)


def page_actions(site: SiteChrome, page: PageView) -> tuple[Action, ...]:
    """The actions of a page, without those that would lead nowhere."""
    return tuple(one for name in site.actions if name in _MAKERS for one in _MAKERS[name](site, page))


def _markdown(site: SiteChrome, page: PageView) -> list[Action]:
    text, href = words.of(site.locale).text, page.markdown_url
    if not href:
        return []
    return [
        Action(text["copy_page"], "copy", page=href),
        Action(text["view_markdown"], "file-text", href, type="text/markdown"),
        Action(text["copy_link"], "link", copy=page.canonical),
    ]


def _assistants(site: SiteChrome, page: PageView) -> list[Action]:
    """Assistants read what everybody can: of a site that asks who comes they would see the log-in."""
    if not page.markdown_url or not site.open_to_all:
        return []
    text = words.of(site.locale).text
    own = site.public_url + page.markdown_url.removeprefix(site.base_path)
    asked = quote(text["ask_assistant"].format(address=own), safe="")
    return [
        Action(text["open_in"].format(name=name), "sparkles", begins + asked, away=True) for name, begins in _ASSISTANTS
    ]


def _mcp(site: SiteChrome, page: PageView) -> list[Action]:
    if not page.markdown_url:
        return []
    text, address = words.of(site.locale).text, site.public_url + MCP
    config = quote(json.dumps({"type": "http", "url": address}, separators=(",", ":")), safe="")
    connected = [
        Action(
            text["connect_mcp"].format(name=name),
            "plug",
            f"{begins}?name={quote(site.title, safe='')}&config={config}",
            away=True,
        )
        for name, begins in _EDITORS
    ]
    return [Action(text["copy_mcp"], "plug", copy=address), *connected]


def _pdf(site: SiteChrome, page: PageView) -> list[Action]:
    return [Action(words.of(site.locale).text["save_pdf"], "file-down", page.pdf_url)] if page.pdf_url else []


def _git(site: SiteChrome, page: PageView) -> list[Action]:
    if not page.edit_url:
        return []
    text = words.of(site.locale).text
    title = text["edit_on"].format(provider=page.edit_on) if page.edit_on else text["edit_page"]
    return [Action(title, "pencil", page.edit_url, away=True)]


_MAKERS: Mapping[str, Callable[[SiteChrome, PageView], list[Action]]] = {
    "markdown": _markdown,
    "external-ai": _assistants,
    "mcp": _mcp,
    "pdf": _pdf,
    "git": _git,
}
"""By their names in the customization."""
