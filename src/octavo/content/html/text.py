"""The words of a document without markup: for search, for descriptions, for outlines, for titles of news."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from octavo.content.document import Node
from octavo.content.html.escape import name, string

DESCRIPTION = 160
"""Characters of the longest description."""

_SPACE = re.compile(r"\s+")
_SENTENCE = re.compile(r"[.!?。！？…](?=\s|$)")
_CODE = re.compile(r"[0-9a-fA-F]{2,6}(?:[-_\s][0-9a-fA-F]{2,6})*\Z")
_NAMING = ("mention", "content-ref")
_SHOWN = {"button": "label", "math": "formula", "inline-math": "formula", "embed": "url"}


Naming = Callable[[Node], str]
"""What a reader is shown of whatever a reference leads to; "" where it leads nowhere."""


def unnamed(ref: Node) -> str:
    """The naming of who knows one page alone: titles of others change without it."""
    return ""


@dataclass(slots=True)
class Section:
    """A heading and what stands under it: anchor and title are empty for what comes ahead of the first heading.

    The text is lines: each line of code is one that begins with a tab, what stands between is another, with single spaces.
    """

    anchor: str
    title: str
    text: str


def words(node: Node, named: Naming = unnamed) -> str:
    """What a reader sees in the node as one string with single spaces."""
    return _SPACE.sub(" ", "".join(piece for piece in _pieces(node, named=named) if isinstance(piece, str))).strip()


def sections(document: Node) -> list[Section]:
    """The document cut at its headings, wherever they stand, in reading order."""
    made = [Section("", "", "")]
    pieces: list[str] = []
    lines: list[str] = []

    def end_line() -> None:
        if line := _SPACE.sub(" ", "".join(pieces)).strip():
            lines.append(line)
        pieces.clear()

    def close() -> None:
        end_line()
        made[-1].text = "\n".join(lines)
        lines.clear()

    for piece in _pieces(document, whole=True):
        if isinstance(piece, str):
            pieces.append(piece)
        elif piece.get("type") == "code-line":
            end_line()
            lines.append("\t" + words(piece))
        else:
            close()
            made.append(Section(heading_id(piece) or name(piece.get("key")), words(piece), ""))
    close()
    return made[0 if made[0].text else 1 :]


def description(document: Node) -> str:
    """The first sentence or so of the first paragraph that has one, at most 160 characters; "" without any."""
    for node in children(document):
        if node.get("type") == "paragraph" and (text := words(node)):
            return _shorten(text)
    return ""


def first_words(blocks: Iterable[Node], named: Naming = unnamed) -> str:
    """The first heading in some blocks, wherever it stands, or else the first paragraph; "" without any that says a word."""
    whole: Node = {"nodes": list(blocks)}
    for kind in ("heading-", "paragraph"):
        found = (words(node, named) for node in _walk(whole) if string(node.get("type")).startswith(kind))
        if first := next(filter(None, found), ""):
            return first
    return ""


def heading_id(node: Node) -> str:
    """The anchor that a heading asks for; "" when it has none."""
    for holder in (node.get("data"), node.get("meta")):
        if isinstance(holder, dict) and (wanted := name(holder.get("id"))):
            return wanted
    return ""


def characters(code: Any) -> str:
    """The emoji of hexadecimal code points such as `2705` or `1f468-200d-1f4bb`; other short texts as they are."""
    written = string(code).strip()
    if not _CODE.match(written):
        return written[:32]
    points = [int(point, 16) for point in re.split(r"[-_\s]", written)]
    return "".join(chr(point) for point in points if 0x20 <= point < 0xD800 or 0xE000 <= point < 0x110000)


def children(node: Node) -> list[Node]:
    """Fragments, then nodes; what is no node is passed over."""
    fragments = node.get("fragments")
    return listed(fragments) + listed(node.get("nodes")) if fragments else listed(node.get("nodes"))


def mapped(value: Any) -> dict[str, Node]:
    """The objects of an object; empty for anything else."""
    return {key: item for key, item in value.items() if isinstance(item, dict)} if isinstance(value, dict) else {}


def listed(value: Any) -> list[Node]:
    """The objects of a list; empty for anything that is no list."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _shorten(text: str) -> str:
    end = 0
    for found in _SENTENCE.finditer(text):
        if found.end() > DESCRIPTION:
            break
        end = found.end()
        if end >= DESCRIPTION // 3:
            return text[:end]
    if len(text) <= DESCRIPTION:
        return text
    if end:
        return text[:end]
    return text[:DESCRIPTION].rsplit(" ", 1)[0][: DESCRIPTION - 1].rstrip(" ,;:–—-") + "…"


def _walk(node: Node) -> Iterator[Node]:
    stack = [node]
    while stack:
        at = stack.pop()
        yield at
        stack.extend(reversed(_shown_children(at)))


def _pieces(node: Node, whole: bool = False, named: Naming = unnamed) -> Iterator[str | Node]:
    """The texts below the node in reading order; with `whole`, headings and lines of code themselves in place of theirs."""
    stack: list[Node] = [node]
    while stack:
        at = stack.pop()
        if whole and string(at.get("type")).startswith(("heading-", "code-line")):
            yield at
            continue
        for leaf in listed(at.get("leaves")):
            yield string(leaf.get("text"))
        if at.get("object") in ("block", "fragment"):
            yield " "
        yield _label(at, named)
        stack.extend(reversed(_shown_children(at)))


def _shown_children(node: Node) -> list[Node]:
    return _cells(node) if node.get("type") == "table" else children(node)


def _label(node: Node, named: Naming) -> str:
    """What a node shows of its own data."""
    of = node.get("data")
    kind = string(node.get("type"))
    if not isinstance(of, dict):
        return ""
    if kind == "emoji":
        return characters(of.get("code"))
    if kind in _NAMING:
        ref = of.get("ref")
        return named(ref) if isinstance(ref, dict) else ""
    if kind in _SHOWN:
        return string(of.get(_SHOWN[kind])) + " "
    if kind == "table":
        return _titles(of)
    shown = [string(of.get(key)) for key in ("title", "alt", "description")]
    return " ".join(["", *shown, ""]) if any(shown) else ""


def _shown_columns(of: Node) -> tuple[dict[str, Node], bool]:
    """The columns of a table that its view shows, and whether with their titles."""
    view = of.get("view")
    view = view if isinstance(view, dict) else {}
    columns = mapped(of.get("definition"))
    named = view.get("columns")
    if isinstance(named, list):
        columns = {key: columns[key] for key in named if isinstance(key, str) and key in columns}
    titled = view.get("hideColumnTitle") is False if view.get("type") == "cards" else view.get("hideHeader") is not True
    return columns, titled


def _titles(of: Node) -> str:
    """What a table shows beside its cells of text: titles of columns, unless they are hidden, numbers and choices."""
    columns, titled = _shown_columns(of)
    shown = [string(column.get("title")) for column in columns.values() if titled]
    plain = {key: column for key, column in columns.items() if column.get("type") in ("number", "select")}
    for record in mapped(of.get("records")).values() if plain else ():
        values = record.get("values")
        for key, column in plain.items():
            value = values.get(key) if isinstance(values, dict) else None
            shown += _choices(column, value) if column["type"] == "select" else [string(value)]
    return " ".join([*shown, ""])


def _choices(column: Node, value: Any) -> list[str]:
    """The labels of what is chosen in a cell."""
    labels = {string(option.get("value")): string(option.get("label")) for option in listed(column.get("options"))}
    chosen = [string(one) for one in (value if isinstance(value, list) else [value])]
    return [labels.get(one) or one for one in chosen if one]


def _cells(table: Node) -> list[Node]:
    """The cells of text in the columns that a table shows."""
    of = table.get("data")
    if not isinstance(of, dict):
        return children(table)
    columns, _ = _shown_columns(of)
    records = [
        record["values"] for record in mapped(of.get("records")).values() if isinstance(record.get("values"), dict)
    ]
    named = {values[key] for values in records for key in columns if isinstance(values.get(key), str)}
    return [one for one in children(table) if one.get("fragment") in named]
