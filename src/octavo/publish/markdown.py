"""A page as Markdown: what the visitor sees of it, with addresses that work wherever the text is taken."""

from __future__ import annotations

import re
from typing import Any

from octavo.content.document import Node, Ref, block, inline, rebuilt, text
from octavo.content.document import document as empty_document
from octavo.content.html import Target
from octavo.content.html.escape import address as safe_address
from octavo.content.openapi.telling import told
from octavo.content.reading import as_read
from octavo.content.revision import Branch
from octavo.history.contents import Contents
from octavo.publish.context import SiteContext, absolute, markdown_href, page_href
from octavo.publish.reading import Material
from octavo.publish.views import SiteChrome
from octavo.site.apis import BLOCKS, key_of

_WEIGHT = re.compile(r"q\s*=\s*(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\Z", re.IGNORECASE)


def takes_markdown(accept: str) -> bool:
    """Whether who sends this `Accept` wants Markdown: names `text/markdown` itself, and HTML with no more weight."""
    weights: dict[str, float] = {}
    for part in accept.lower().split(","):
        name, *parameters = (piece.strip() for piece in part.split(";"))
        given = [found for piece in parameters if (found := _WEIGHT.match(piece))]
        weights[name] = float(given[0][1]) if given else 1.0
    wanted = weights.get("text/markdown", 0.0)
    html = next((weights[name] for name in ("text/html", "text/*", "*/*") if name in weights), 0.0)
    return wanted > 0 and wanted >= html


def page_markdown(material: Material, public: str) -> str:
    """The page with its title as heading and its description as front matter; `public` is the site's address.

    Conditions are decided, expressions answered, reusable contents in place. Addresses are absolute; pages of the site
    are named by their Markdown, so that who reads on gets that again.
    """
    page = material.branch.page
    front = {"description": page.description} if page.description else None
    return _printed(material, public, front=front, title=page.title)


def page_entry(material: Material, public: str) -> str:
    """The same for a text of many pages: below the title stand the page's address for people and its description."""
    from octavo.content.markdown import print_page
    from octavo.content.markdown import printer_escape as escape

    page = material.branch.page
    parts = [
        print_page(empty_document([]), title=page.title).rstrip("\n"),
        f"Source: {page_href(material.contents, public + material.place.base, material.branch)}",
        f"> {escape.markdown(' '.join(page.description.split()))}" if page.description else "",
        _printed(material, public, front=None, title=None).rstrip("\n"),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _printed(material: Material, public: str, *, front: dict[str, Any] | None, title: str | None) -> str:
    # The parser beside it costs 100 ms to import: with the first page that somebody reads so, not with the server.
    from octavo.content.markdown import print_page

    whole = as_read(material.document or empty_document([]), material.reusables, material.scope)
    writing = _Writing(material, public)
    body = rebuilt(whole, writing.replaced)
    return print_page(body, front=front, title=title, address=writing.address)


class _Context(SiteContext):
    """What references mean on the site, pages by the addresses of their Markdown."""

    def page_address(self, contents: Contents, base: str, branch: Branch) -> str:
        return markdown_href(base, branch)


class _Writing:
    """How a page's references are written, and what stands in the place of those that lead nowhere."""

    def __init__(self, material: Material, public: str) -> None:
        site = SiteChrome(title="", base_path=public, static_path="", public_url=public)
        space, here = material.place.space.id, public + material.place.base
        contents = {**material.others, space: material.contents}
        self._apis = material.apis
        self._context = _Context(material.snapshot, site, space, here, contents)
        self._here = page_href(material.contents, here, material.branch)

    def address(self, ref: Ref) -> str:
        """The absolute address, `#anchor` within the page, empty where it leads nowhere."""
        target = self._target(ref)
        return "" if target is None else self._whole(target.href)

    def replaced(self, node: Node) -> list[Node] | None:
        """What is written in the place of a node; None: the node with what is below it."""
        data = node.get("data") or {}
        if node.get("type") in BLOCKS and (shown := self._apis.get(key_of(node))) is not None:
            return told(shown)
        leads_nowhere = "ref" in data and self._target(data["ref"]) is None
        match node.get("type"):
            case "link" if leads_nowhere:
                return [part for child in node.get("nodes", ()) for part in self._each(child)]
            case "mention":
                return self._named(data)
            case "content-ref":
                named = self._named(data)
                return [block("paragraph", {}, named)] if named else []
            case "button" if leads_nowhere:
                return [text(str(data.get("label", "")))]
            case "inline-image" if leads_nowhere:
                return [text(str(data["alt"]))] if data.get("alt") else []
            case "image" | "drawing" | "file" if leads_nowhere:
                return []
            case "image" | "inline-image" if "refDark" in data and self._target(data["refDark"]) is None:
                return self._with(node, {name: data[name] for name in data if name != "refDark"})
            case "table" if data.get("records"):
                return self._with(node, data | self._shown(data))
            case "code-line" if data.get("highlighted"):
                # Highlighted lines would need HTML in the place of a fence.
                return self._with(node, {})
        return None

    def _each(self, node: Node) -> list[Node]:
        replaced = self.replaced(node)
        return [rebuilt(node, self.replaced)] if replaced is None else replaced

    def _with(self, node: Node, data: Node) -> list[Node]:
        return [rebuilt(node | {"data": data}, self.replaced)]

    def _named(self, data: Node) -> list[Node]:
        """A link that says the title of what it leads to."""
        target = self._target(data.get("ref"))
        if target is None:
            return []
        title = f"{target.emoji} {target.title or self._whole(target.href)}".strip()
        return [inline("link", {"ref": data["ref"]}, [text(title)])]

    def _shown(self, table: Node) -> Node:
        """What of a table is seen: neither hidden columns nor cells that lead nowhere."""
        view = table["view"]
        seen = {*view.get("columns", table["definition"]), view.get("targetDefinition"), view.get("coverDefinition")}
        records = {
            key: row | {"values": {name: self._cell(value) for name, value in (row.get("values") or {}).items()}}
            for key, row in table["records"].items()
        }
        return {
            "definition": {name: one for name, one in table["definition"].items() if name in seen},
            "records": records,
        }

    def _cell(self, value: Any) -> Any:
        if isinstance(value, dict) and "kind" in value:
            return None if self._target(value) is None else value
        if isinstance(value, list):
            return [one for one in value if not isinstance(one, dict) or self._target(one) is not None]
        return value

    def _target(self, ref: Any) -> Target | None:
        target = self._context.link(ref) if isinstance(ref, dict) else None
        return target if target is not None and not target.broken and safe_address(target.href) else None

    def _whole(self, href: str) -> str:
        return href if href.startswith("#") else absolute(self._here, href)
