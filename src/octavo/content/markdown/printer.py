"""From a document to a page's text: where a base is given, only what changed is written anew."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from ryaml import dumps  # type: ignore[attr-defined]

from octavo.content.document import Node, Ref, walk
from octavo.content.markdown import printer_escape as escape
from octavo.content.markdown.parse import parse
from octavo.content.markdown.parsed import FRONT, TITLE, Parsed
from octavo.content.markdown.printer_blocks import BlockPrinter
from octavo.content.markdown.printer_keep import Keeper, content

Address = Callable[[Ref], str]


class _Unchanged:
    """Stands for what the base has."""


UNCHANGED: Final = _Unchanged()

_LABEL: Final = re.compile(r"\[\^([^\s\[\]]+)\]")
_FOOTNOTE: Final = re.compile(r"^\[\^([^\s\[\]]+)\]:[^\n]*\n*(?:(?: {4}|\t)[^\n]*\n*)*", re.MULTILINE)

_FOLDERS: Final = {
    "page": ("/pages/", "page"),
    "file": ("/files/", "file"),
    "space": ("/spaces/", "space"),
    "reusable-content": ("/reusable-contents/", "reusableContent"),
    "openapi": ("/openapi/", "spec"),
    "user": ("/users/", "user"),
    "collection": ("/collections/", "collection"),
}


def plain_address(ref: Ref) -> str:
    """The address of a reference where nobody knows a better one: `/pages/<id>`, `/files/<id>`, a URL as it is; that of
    a part of another space begins with `/spaces/<id>`."""
    kind = ref.get("kind")
    other = f"/spaces/{ref['space']}" if ref.get("space") and kind != "space" else ""
    if kind == "anchor":
        return other + (f"/pages/{ref['page']}" if ref.get("page") else "") + f"#{ref.get('anchor', '')}"
    folder, name = _FOLDERS.get(str(kind), ("", "url"))
    return other + folder + str(ref.get(name, ""))


def print_blocks(nodes: Sequence[Node], address: Address = plain_address) -> str:
    """Blocks as Markdown, without a line break at the end; empty for none."""
    printer = BlockPrinter(address, nodes)
    return _ended(printer.blocks(nodes), printer).rstrip("\n")


def print_page(
    document: Node,
    *,
    front: dict[str, Any] | _Unchanged | None = UNCHANGED,
    title: str | _Unchanged | None = UNCHANGED,
    base: Parsed | None = None,
    address: Address = plain_address,
) -> str:
    """The text of a page.

    `front` and `title` are those of `base` where they are not given, and none without a base. With a base, blocks of
    equal content keep their own text and the text between them, also within containers whose tag is the same; of others
    what did not change stays as it was written, as long as the text then reads as the document. An untouched document gives
    `base.source`. `address` is the href that is written for a reference.
    """
    own_front = (base.front if base else {}) if isinstance(front, _Unchanged) else front or {}
    own_title = (base.title if base else None) if isinstance(title, _Unchanged) else title or None
    if base is None:
        return _fresh(document, own_front, own_title, "", address)
    if (own_front, own_title) == (base.front, base.title) and content(document) == content(base.document):
        return base.source
    kept = None
    for carry in (True, False):
        kept = _with_base(document, own_front, own_title, base, address, carry=carry)
        for text in (kept, _without_orphans(kept or "")):
            found = parse(text) if text else None
            if not found or not _is(found, document, own_front, own_title):
                continue
            if not carry or _leads_where(found, document, base, address):
                return found.source
    fresh = _fresh(document, own_front, own_title, base.source, address)
    # What no text can express is no reason to lose the author's own.
    return fresh if kept is None or _is(parse(fresh), document, own_front, own_title) else kept


def print_head(base: Parsed, front: dict[str, Any], title: str | None) -> str:
    """The text of `base` up to its body, with this front matter and title; what did not change keeps its own text."""
    return _head(base.source[: base.body], front, title, base).rstrip("\r\n")


def put_together(head: str, body: str) -> str:
    """A text from its head and its body, with at least a blank line between them."""
    if not head or not body.strip():
        return body.lstrip("\r\n") if body.strip() else f"{head}\n" if head else ""
    return head + body if body.startswith(("\n", "\r")) else f"{head}\n\n{body}"


def _without_orphans(text: str) -> str:
    """Without the footnotes that nothing refers to any more: they would show up as text."""
    labels = Counter(_LABEL.findall(text))
    return _FOOTNOTE.sub(lambda found: found[0] if labels[found[1]] > 1 else "", text)


def _fresh(document: Node, front: dict[str, Any], title: str | None, taken: str, address: Address) -> str:
    nodes = document["nodes"]
    printer = BlockPrinter(address, nodes, taken)
    parts = [_front(front), _title(title), printer.blocks(nodes)]
    made = "\n\n".join(part for part in parts if part)
    return _ended(f"{made}\n" if made else "", printer)


def _with_base(
    document: Node, front: dict[str, Any], title: str | None, base: Parsed, address: Address, *, carry: bool
) -> str | None:
    nodes = document["nodes"]
    printer = BlockPrinter(address, nodes, base.source)
    found = Keeper(base, printer, carry=carry).body(nodes, base.document["nodes"])
    if found is None:
        return None
    before, made, behind = found
    head = _head(before, front, title, base)
    if made and head.strip("\ufeff") and not head.endswith("\n"):
        head += "\n\n"
    return _ended(head + made + behind, printer)


def _head(before: str, front: dict[str, Any], title: str | None, base: Parsed) -> str:
    """The text before the first block with its front matter and title replaced where they changed."""
    front_end = base.spans.get(FRONT, (0, 0))[1]
    head, rest = before[:front_end], before[front_end:]
    if title != base.title:
        start, end = (at - front_end for at in base.spans.get(TITLE, (front_end, front_end)))
        heading = _title(title)
        if start == end:
            rest = f"\n\n{heading}\n\n{rest.lstrip()}" if head else f"{heading}\n\n{rest.lstrip()}"
        else:
            rest = rest[:start] + heading + (rest[end:] if heading else rest[end:].lstrip())
    if front != base.front:
        head = _front(front)
        rest = rest if not head or rest.startswith(("\n", "\r")) else "\n\n" + rest
        rest = rest if head else rest.lstrip("\r\n")
    return head + rest


def _front(front: dict[str, Any]) -> str:
    return f"---\n{dumps(front).strip()}\n---" if front else ""


def _title(title: str | None) -> str:
    if not title:
        return ""
    text = escape.markdown(" ".join(title.split()))
    return f"# {text[:-1]}\\#" if text.endswith("#") else f"# {text}"


def _ended(made: str, printer: BlockPrinter) -> str:
    notes = printer.notes()
    if not notes:
        return made
    return "\n\n".join(part for part in (made.rstrip("\n"), notes) if part) + "\n"


def _is(parsed: Parsed, document: Node, front: dict[str, Any], title: str | None) -> bool:
    """Whether a text reads as the page, leaving aside how addresses are written."""
    same = parsed.front == front and parsed.title == title
    return same and _unaddressed(parsed.document["nodes"]) == _unaddressed(document["nodes"])


def _leads_where(parsed: Parsed, document: Node, base: Parsed, address: Address) -> bool:
    """Whether each address of a text that reads as the page is the one to be written, or the author's own for the same."""
    own: dict[str, set[str]] = {}
    before = [address(ref) for ref in _refs(base.document)]
    for canonical, ref in zip(before, _refs(parse(base.source).document)):
        own.setdefault(canonical, set()).add(plain_address(ref))
    pairs = zip([address(ref) for ref in _refs(document)], _refs(parsed.document))
    return all(plain_address(ref) in {canonical, *own.get(canonical, ())} for canonical, ref in pairs)


def _refs(value: Any) -> Iterator[Ref]:
    """The references of a document, in an order that does not depend on how it was written down."""
    if isinstance(value, dict):
        if _is_ref(value):
            yield value
        else:
            for name in sorted(value):
                yield from _refs(value[name])
    elif isinstance(value, list):
        for part in value:
            yield from _refs(part)


def _is_ref(value: dict[str, Any]) -> bool:
    return isinstance(value.get("kind"), str) and "object" not in value and "label" not in value


def _unaddressed(value: Any) -> Any:
    """Content, in place of whose references there is only that they are there."""
    if isinstance(value, dict):
        if _is_ref(value):
            return "ref"
        if str(value.get("type")).startswith("heading-") and not _has_words(value):
            # The anchor of such a heading follows from all that is in it, its references too.
            value = value | {"data": {name: part for name, part in value["data"].items() if name != "id"}}
        return {name: _unaddressed(part) for name, part in value.items() if name not in ("key", "meta")}
    if isinstance(value, list):
        return [_unaddressed(part) for part in value]
    return value


def _has_words(node: Node) -> bool:
    return any(leaf["text"].strip() for one in walk(node) for leaf in one.get("leaves", ()))
