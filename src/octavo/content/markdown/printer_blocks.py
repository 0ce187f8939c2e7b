"""Blocks as Markdown in its canonical style, each without a line break behind it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from typing import Any, Final

from octavo.content.document import Node, Ref, plain, tag_of, walk
from octavo.content.markdown import printer_escape as escape
from octavo.content.markdown import printer_html as html
from octavo.content.markdown import printer_tables as tables
from octavo.content.markdown.containers import MIDNIGHT
from octavo.content.markdown.printer_inlines import InlinePrinter, Notes
from octavo.content.markdown.slugs import Anchors
from octavo.content.slugs import slugify

SEPARATOR: Final = "<!-- -->"
"""Stands between two lists that would be one without it; readers do not see it."""

_BULLETED: Final = ("list-unordered", "list-tasks")
_LISTS: Final = (*_BULLETED, "list-ordered")
_GROUPS: Final = {"tabs": "tab", "stepper": "step", "columns": "column", "updates": "update"}
_ITEM_OF: Final = {"tabs-item": "tab", "stepper-step": "step", "column": "column", "update": "update"}
_KEY: Final = re.compile(r"[0-9a-f]{18}")
_PROP: Final = re.compile(r"[\w:@.-]+")


class BlockPrinter:
    """Writes blocks; remembers the annotations it met, for `notes` behind them."""

    def __init__(self, address: Callable[[Ref], str], roots: Sequence[Node], source: str = "") -> None:
        self.address = address
        self._notes = Notes(source)
        self.inlines = InlinePrinter(address, self._notes)
        self._anchored = _explicit(roots)

    def blocks(self, nodes: Sequence[Node]) -> str:
        """Blocks with a blank line between them."""
        made: list[str] = []
        previous: Node | None = None
        for node in nodes:
            if written := self.block(node):
                if previous is not None and merges(previous, node):
                    made.append(SEPARATOR)
                made.append(written)
                previous = node
        return "\n\n".join(made)

    def notes(self) -> str:
        """The bodies of the annotations, empty where there was none."""
        made: list[str] = []
        done = 0
        while done < len(self._notes.bodies):
            label, body = self._notes.bodies[done]
            made.append(f"[^{label}]: {_indented(self.blocks(body), '    ')}")
            done += 1
        return "\n".join(made)

    def anchor(self, heading: Node) -> str:
        """The anchor behind a heading's text, empty where the text alone gives the same."""
        if id(heading) not in self._anchored:
            return ""
        name = escape.attribute(heading["data"]["id"])
        return f' <a href="#{name}" id="{name}"></a>'

    def html_table(self, node: Node) -> str:
        return tables.html_table(self, node)

    def block(self, node: Node) -> str:
        """One block."""
        kind = node["type"]
        if kind in _LISTS:
            return self._list(node)
        if kind.startswith("heading-"):
            return self._heading(node)
        write = _WRITERS.get(kind)
        if write is not None:
            return write(self, node)
        inner = [*node.get("nodes", ()), *(one for part in node.get("fragments", ()) for one in part["nodes"])]
        return self.blocks([one for one in inner if one["object"] == "block"])

    def opening(self, node: Node) -> str:
        """The line that a container starts with, for those whose text stands between two tags of their own."""
        data = node["data"]
        match node["type"]:
            case "if":
                return f"{{% if {' '.join(str(data['expression']).splitlines())} %}}"
            case "hint":
                return tag("hint", style=data.get("style", "info"), icon=data.get("icon"))
            case "tabs-item":
                return tag("tab", title=data.get("title", ""), icon=data.get("icon"), slug=data.get("slug"))
            case "column":
                width = html.length(data.get("width"))
                return tag("column", width=width, verticalAlignment=data.get("verticalAlignment"))
            case "update":
                tags = ",".join(tag_of(use) for use in data.get("tags", ()))
                return tag("update", date=data.get("date", "").removesuffix(MIDNIGHT), tags=tags or None)
            case "stepper-step":
                return tag("step", icon=data.get("icon"))
            case "updates":
                return tag("updates", format=data.get("format", "full"), fullWidth=data.get("fullWidth"))
            case _:
                return tag(node["type"], fullWidth=data.get("fullWidth"))

    def _container(self, node: Node) -> str:
        name = _ITEM_OF.get(node["type"], node["type"])
        inner = self.blocks(node.get("nodes", []))
        return f"{self.opening(node)}\n{inner}\n{{% end{name} %}}"

    def _paragraph(self, node: Node) -> str:
        if node["data"].get("align"):
            return html.paragraph(self, node)
        return self.inlines.paragraph(node.get("nodes", []))

    def _heading(self, node: Node) -> str:
        if node["data"].get("align"):
            return html.heading(self, node)
        text = escape.heading(self.inlines.line(node.get("nodes", [])))
        return f"{'#' * (int(node['type'][-1]) + 1)} {text}{self.anchor(node)}".rstrip(" ")

    def _list(self, node: Node) -> str:
        items = node.get("nodes", [])
        start = node["data"].get("start")
        number = start if isinstance(start, int) and 0 <= start < 10**8 else 1
        boxed = node["type"] == "list-tasks"
        boxes = boxed and not any("checked" in item["data"] for item in items)
        made: list[str] = []
        loose = any(not _is_simple(item) for item in items)
        for place, item in enumerate(items):
            marker = f"{number + place}. " if node["type"] == "list-ordered" else "* "
            box = ""
            if boxed and (boxes or "checked" in item["data"]):
                box = "[x] " if item["data"].get("checked") else "[ ] "
            made.append((marker + _indented(self._item(item, box), " " * len(marker))).rstrip(" "))
        return ("\n\n" if loose else "\n").join(made)

    def _item(self, item: Node, box: str) -> str:
        nodes = item.get("nodes", [])
        if nodes and nodes[0]["type"] == "divider" and not box:
            # `* ***` is a rule, not an item that holds one.
            return "\n\n".join(["---", self.blocks(nodes[1:])]).rstrip("\n")
        if _is_simple(item) and nodes:
            return box + "\n".join([self.block(nodes[0]), *([self.blocks(nodes[1:])] if nodes[1:] else [])])
        if box and not (nodes and nodes[0]["type"] == "paragraph"):
            return "\n\n".join([box.rstrip(), self.blocks(nodes)])
        return box + self.blocks(nodes)

    def _quote(self, node: Node) -> str:
        lines = self.blocks(node.get("nodes", [])).split("\n")
        return "\n".join(f"> {line}".rstrip(" ") if not line else f"> {line}" for line in lines)

    def _divider(self, node: Node) -> str:
        return "***"

    def _code(self, node: Node) -> str:
        data = node["data"]
        if any(line["data"].get("highlighted") for line in node.get("nodes", [])):
            return html.code(self, node)
        fenced = _fenced(node)
        names = ("title", "overflow", "lineNumbers", "expandable", "collapsedLineCount", "fullWidth")
        given = {name: data[name] for name in names if data.get(name)}
        return f"{tag('code', **given)}\n{fenced}\n{{% endcode %}}" if given else fenced

    def _math(self, node: Node) -> str:
        return f"$$\n{node['data']['formula']}\n$$"

    def _figures(self, node: Node) -> str:
        return html.figures(self, node)

    def _drawing(self, node: Node) -> str:
        return f'<img{escape.attributes(src=self.address(node["data"]["ref"]))} alt="" class="gitbook-drawing">'

    def _expandable(self, node: Node) -> str:
        parts = {part["fragment"]: part["nodes"] for part in node.get("fragments", ())}
        body = self.blocks(parts.get("expandable-body", []))
        title = html.summary(self, parts.get("expandable-title", []))
        return "\n\n".join(part for part in (html.details(node), title, body, "</details>") if part)

    def _table(self, node: Node) -> str:
        return tables.table(self, node)

    def _prompt(self, node: Node) -> str:
        data = node["data"]
        opened = tag(
            "prompt",
            description=data.get("description", ""),
            icon=data.get("icon"),
            openInAIProviders=data.get("openInAIProviders"),
            defaultExpanded=data.get("defaultExpanded"),
        )
        return f"{opened}\n{self.blocks(node.get('nodes', []))}\n{{% endprompt %}}"

    def _embed(self, node: Node) -> str:
        data = node["data"]
        return self._captioned(node, tag("embed", url=data["url"], fullWidth=data.get("fullWidth")))

    def _file(self, node: Node) -> str:
        return self._captioned(node, tag("file", src=self.address(node["data"]["ref"])))

    def _captioned(self, node: Node, opened: str) -> str:
        caption = self.blocks([one for part in node.get("fragments", ()) for one in part["nodes"]])
        return f"{opened}\n{caption}\n{{% end{node['type']} %}}" if caption else opened

    def _content_ref(self, node: Node) -> str:
        href = self.address(node["data"]["ref"])
        return f"{tag('content-ref', url=href)}\n{_named(href)}\n{{% endcontent-ref %}}"

    def _reusable(self, node: Node) -> str:
        href = self.address(node["data"]["ref"])
        return '{% include "' + " ".join(href.splitlines()).replace('"', "%22") + '" %}'

    def _swagger(self, node: Node) -> str:
        data = node["data"]
        href = self.address(data["ref"])
        more = {name: data.get(name) for name in ("path", "method", "expanded", "fullWidth")}
        return f"{tag('openapi', src=href, **more)}\n{_named(href)}\n{{% endopenapi %}}"

    def _openapi(self, node: Node) -> str:
        data = node["data"]
        ref = data["ref"]
        address = ref.get("spec") or self.address(ref)
        source = {"spec" if ref.get("kind") == "openapi" else "src": address}
        names = ("name", "path", "method", "schemas", "grouped", "title", "headless")
        given = {name: data.get(name) for name in names}
        if isinstance(given["schemas"], list):
            given["schemas"] = ",".join(given["schemas"])
        return f"{tag(node['type'], **source, **given)}\n{{% end{node['type']} %}}"

    def _integration(self, node: Node) -> str:
        data = node["data"]
        props = {name: value for name, value in data.get("props", {}).items() if _PROP.fullmatch(name)}
        given = "".join(f" {name}{_prop(value)}" for name, value in props.items())
        made = f"{{% @{data['integration']}/{data['block']}{given} %}}"
        return f'<div data-full-width="true">\n\n{made}\n\n</div>' if data.get("fullWidth") else made


def merges(left: Node, right: Node) -> bool:
    """Whether two neighbours are lists that Markdown would read as one."""
    return any(left["type"] in kinds and right["type"] in kinds for kinds in (_BULLETED, ("list-ordered",)))


def tag(name: str, /, **given: Any) -> str:
    """`{% name key="value" %}` without what is None or False; True is written out."""
    set_ = {key: "true" if value is True else value for key, value in given.items() if value is not None}
    shown = "".join(f" {key}={escape.quoted(value)}" for key, value in set_.items() if value is not False)
    return f"{{% {name}{shown} %}}"


def _prop(value: Any) -> str:
    if value is True:
        return ""
    if isinstance(value, str):
        return "=" + escape.quoted(value)
    written = json.dumps(value, separators=(",", ":"))
    for character in " '%":
        written = written.replace(character, f"\\u{ord(character):04x}")
    return "=" + written


def _named(href: str) -> str:
    return f"[{escape.markdown(href, linked=True)}]({escape.destination(href)})"


def _fenced(node: Node) -> str:
    text = "\n".join(plain(line) for line in node.get("nodes", []))
    syntax = "".join(str(node["data"].get("syntax", "")).split())
    mark = "~" if "`" in syntax else "`"
    longest = max((len(run) for run in re.findall(mark + "{3,}", text)), default=2)
    fence = mark * (longest + 1)
    return f"{fence}{syntax}\n{text}\n{fence}"


def _indented(text: str, by: str) -> str:
    """Every line but the first one and blank ones moved in."""
    return re.sub(r"\n(?=[^\n])", "\n" + by, text)


def _is_simple(item: Node) -> bool:
    """Whether an item needs no blank line: at most one paragraph and one list of such items below it."""
    nodes = item.get("nodes", [])
    if not nodes:
        return True
    if nodes[0]["type"] != "paragraph" or not nodes[0].get("nodes") or nodes[0]["data"].get("align"):
        return False
    return len(nodes) == 1 or (len(nodes) == 2 and _interrupts(nodes[1]))


def _interrupts(node: Node) -> bool:
    """Whether Markdown sees a list although a paragraph stands on the line before it."""
    items = node.get("nodes", [])
    if node["type"] not in _LISTS or node["data"].get("start", 1) != 1 or not all(map(_is_simple, items)):
        return False
    return bool(items) and bool(items[0].get("nodes"))


def _explicit(roots: Sequence[Node]) -> set[int]:
    """id() of the headings whose anchor the text alone would not give."""
    blocks = [node for root in roots for node in walk(root) if node.get("type", "").startswith("heading-")]
    headings = [node for node in blocks if node["data"].get("id")]
    slugs = {id(node): slugify(plain(node)) for node in headings}
    found: set[int] = set()
    for node in headings:
        stem = slugs[id(node)]
        own = node["data"]["id"]
        given = _KEY.fullmatch(own) if not stem else own == stem or re.fullmatch(re.escape(stem) + r"-\d+", own)
        if not given:
            found.add(id(node))
    # One more explicit anchor can move the numbers of the others: a few rounds, then all of them are written.
    for _ in range(3):
        wrong = _misnamed(headings, slugs, found)
        if not wrong:
            return found
        found |= wrong
    return {id(node) for node in headings}


def _misnamed(headings: list[Node], slugs: dict[int, str], explicit: set[int]) -> set[int]:
    anchors = Anchors({node["data"]["id"] for node in headings if id(node) in explicit})
    wrong: set[int] = set()
    for node in headings:
        stem = slugs[id(node)]
        if stem and id(node) not in explicit and anchors.unique(stem) != node["data"]["id"]:
            wrong.add(id(node))
    return wrong


_WRITERS: Final[dict[str, Callable[[BlockPrinter, Node], str]]] = {
    "paragraph": BlockPrinter._paragraph,
    "blockquote": BlockPrinter._quote,
    "divider": BlockPrinter._divider,
    "code": BlockPrinter._code,
    "math": BlockPrinter._math,
    "images": BlockPrinter._figures,
    "drawing": BlockPrinter._drawing,
    "expandable": BlockPrinter._expandable,
    "table": BlockPrinter._table,
    "prompt": BlockPrinter._prompt,
    "embed": BlockPrinter._embed,
    "file": BlockPrinter._file,
    "content-ref": BlockPrinter._content_ref,
    "reusable-content": BlockPrinter._reusable,
    "swagger": BlockPrinter._swagger,
    "openapi-operation": BlockPrinter._openapi,
    "openapi-schemas": BlockPrinter._openapi,
    "openapi-webhook": BlockPrinter._openapi,
    "integration": BlockPrinter._integration,
    **dict.fromkeys(("hint", "if", *_GROUPS, *_ITEM_OF), BlockPrinter._container),
}
