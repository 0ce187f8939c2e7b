"""Pages that come as text: Markdown, whose addresses are replaced, and tables of comma-separated values."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from typing import Any

from octavo.content.document import Node
from octavo.content.importing.model import Refused
from octavo.content.markdown import parse, print_head, print_page, put_together
from octavo.content.markdown.printer_escape import markdown
from octavo.content.urls import joined

Address = Callable[[str, bool], str]
"""(an address, whether it is a picture's) -> the address to write instead."""

ROWS_MAX = 2000
COLUMNS_MAX = 50
_PICTURES = ("image", "inline-image")


def decoded(data: bytes) -> str:
    """Bytes as text. Raises Refused where they are none."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        encoding = "utf-16"
    else:
        encoding = "utf-8-sig"
    try:
        made = data.decode(encoding)
    except UnicodeDecodeError:
        raise Refused("What came is not text in UTF-8.") from None
    if "\0" in made:
        raise Refused("What came is not text: it holds zero bytes.")
    return made


def page(source: str, address: Address) -> tuple[str | None, str]:
    """(the title, the text): Markdown keeps its own writing but for the addresses that change."""
    base = parse(source)

    def replace(node: Node) -> list[Node] | None:
        data = node.get("data")
        if not isinstance(data, dict):
            return None
        changed = _replaced(data, address, picture=node.get("type") in _PICTURES)
        return None if changed == data else [_below(node | {"data": changed}, replace)]

    made = print_page(_below(base.document, replace), base=base)
    front = base.front.get("title")
    return (str(front).strip() if isinstance(front, str | int | float) else None) or base.title, made


def pictures(source: str, base: str) -> list[str]:
    """Absolute addresses of the pictures that a text shows."""
    shown: list[str] = []

    def note(href: str, picture: bool) -> str:
        if picture and not href.startswith("data:") and (found := joined(base, href)):
            shown.append(found)
        return href

    page(source, note)
    return list(dict.fromkeys(shown))


def _below(node: Node, replace: Callable[[Node], list[Node] | None]) -> Node:
    changed: Node = {}
    for part in ("nodes", "fragments"):
        if held := node.get(part):
            changed[part] = [(replace(child) or [_below(child, replace)])[0] for child in held]
    return node | changed


def _replaced(value: Any, address: Address, *, picture: bool) -> Any:
    if isinstance(value, dict):
        if value.get("kind") == "url" and isinstance(value.get("url"), str):
            return value | {"url": address(value["url"], picture)}
        return {name: _replaced(part, address, picture=picture) for name, part in value.items()}
    if isinstance(value, list):
        return [_replaced(part, address, picture=picture) for part in value]
    return value


def headed(title: str, body: str) -> str:
    """A text of this title and this body, whatever the body begins with."""
    return put_together(print_head(parse(""), {}, title), body)


def table(source: str) -> str:
    """Comma-separated values as a pipe table; its first row names the columns."""
    try:
        rows = [row for row in csv.reader(io.StringIO(source)) if any(row)]
    except csv.Error as error:
        raise Refused(f"The table cannot be read: {error}.") from error
    if not rows:
        return ""
    width = min(max(len(row) for row in rows), COLUMNS_MAX)
    lines = [_row(row, width) for row in rows[: ROWS_MAX + 1]]
    lines.insert(1, "|" + " --- |" * width)
    return "\n".join(lines) + "\n"


def _row(row: list[str], width: int) -> str:
    cells = [*row, *[""] * width][:width]
    return "|" + "".join(f" {cell(markdown(' '.join(text.split())))} |" for text in cells)


def cell(made: str) -> str:
    """Finished inline Markdown as it stands in a cell of a pipe table."""
    return made.replace("|", "\\|")
