"""Text with marks and inlines, from Markdown's inline tokens and from HTML alike."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from html import unescape
from typing import Any

from markdown_it.token import Token

from octavo.content.document import Node, fragment, inline, mark, plain, text
from octavo.content.markdown.emoji import characters_of
from octavo.content.markdown.html_lexer import INLINE, lex
from octavo.content.markdown.reading import Reading
from octavo.content.markdown.tree import MOST_DEEP, Piece, pair

MARKS = ("bold", "italic", "strikethrough", "code", "keyboard", "superscript", "subscript", "color")
"""Every kind of mark, in the order that a leaf lists its own."""

COLOURS = frozenset(
    [
        "default",
        "green",
        "blue",
        "red",
        "orange",
        "yellow",
        "purple",
        "pink",
        "violet",
        "cyan",
        "$primary",
        "$info",
        "$success",
        "$warning",
        "$danger",
        "$tint",
    ]
)

_MARK_OF = {
    "b": "bold",
    "strong": "bold",
    "i": "italic",
    "em": "italic",
    "s": "strikethrough",
    "del": "strikethrough",
    "strike": "strikethrough",
    "code": "code",
    "kbd": "keyboard",
    "sup": "superscript",
    "sub": "subscript",
}
_MARKDOWN = {"em_open": "em", "strong_open": "strong", "s_open": "s", "link_open": "a"}
_SPACE = re.compile(r"[ \t\r\n\f]+")
_SHORTCODE = re.compile(r":[\w+-]+:")
_STYLE = re.compile(r"(background-color|color)\s*:\s*([^;]+)")
_DESCRIPTOR = re.compile(r"\s\d[\d.]*[wx]\s*(?:,|$)")
_LAST_WORD = re.compile(r"\S+$")


@dataclass(slots=True)
class _Scope:
    """An element that is open: the mark it set, or the inline that its content goes into."""

    kind: str
    attributes: dict[str, Any]
    mark: Node | None = None
    held: list[Node] | None = None


class Inlines:
    """Collects the text of one paragraph, heading, cell or line."""

    def __init__(self, reading: Reading, line: int) -> None:
        self._reading = reading
        self._line = line
        self._nodes: list[Node] = []
        self._marks: list[Node] = []
        self._leaf_marks: list[Node] | None = None
        self._parts: list[str] = []
        self._leaves: list[Node] = []
        self._scopes: list[_Scope] = []
        self.anchor: str | None = None
        """The id of an empty `<a id="…">`."""
        self.images: list[dict[str, Any]] = []
        """What the images among the nodes were written with, in order."""

    def text(self, characters: str) -> None:
        if characters:
            self._write(characters, self._marks)

    def html_text(self, characters: str) -> None:
        """Text as HTML has it: entities, and white space that counts once."""
        self._reading.conditions_in(characters, self._line)
        characters = _SPACE.sub(" ", characters)
        if characters[:1] == " " and (not self._parts or self._parts[-1][-1] in " \n") and not self._nodes:
            characters = characters[1:]
        self.text(unescape(characters))

    def _write(self, characters: str, marks: list[Node]) -> None:
        if self._leaf_marks is None or (marks is not self._leaf_marks and marks != self._leaf_marks):
            self._end_leaf()
            self._leaf_marks = marks
        self._parts.append(characters)

    def _end_leaf(self) -> None:
        if self._parts:
            marks = [dict(one) for one in self._leaf_marks] if self._leaf_marks else []
            self._leaves.append({"object": "leaf", "text": "".join(self._parts), "marks": marks})
            self._parts = []
        self._leaf_marks = None

    def _end_text(self) -> None:
        self._end_leaf()
        if self._leaves:
            self._nodes.append(text(self._leaves))
            self._leaves = []

    def add(self, node: Node) -> None:
        self._end_text()
        self._nodes.append(node)

    def mark(self, characters: str, type_: str) -> None:
        """A run under one more mark."""
        self._write(characters, self._with(mark(type_)))

    def _with(self, added: Node) -> list[Node]:
        others = [one for one in self._marks if one["type"] != added["type"]]
        return sorted([*others, added], key=lambda one: MARKS.index(one["type"]))

    def start(self, name: str, attributes: dict[str, Any]) -> None:
        kind = self._kind(name, attributes) if len(self._scopes) < MOST_DEEP else ""
        scope = _Scope(kind, attributes)
        if kind in MARKS:
            scope.held = self._marks
            self._marks = self._with(mark(kind, self._colours(attributes) if kind == "color" else None))
        elif kind:
            self._end_text()
            scope.held = self._nodes
            self._nodes = []
        self._scopes.append(scope)

    def _kind(self, name: str, attributes: dict[str, Any]) -> str:
        classes = attributes.get("class", "").split()
        if name == "a":
            return self._link_kind(classes, attributes)
        if name == "button":
            return "button" if "button" in classes or "data-action" in attributes else ""
        if name == "i" and any(one.startswith("fa-") for one in classes):
            return "icon"
        if name == "span":
            return "emoji" if attributes.get("data-tag") == "emoji" and attributes.get("data-code") else ""
        if name == "code" and "expression" in classes:
            return "expression"
        if name == "mark":
            return "color"
        if name == "picture":
            return "picture"
        return _MARK_OF.get(name, "")

    def _link_kind(self, classes: list[str], attributes: dict[str, Any]) -> str:
        if any(scope.kind in ("link", "button") for scope in self._scopes):
            return ""
        if attributes.get("id") or attributes.get("name"):
            return "anchor"
        if "href" not in attributes:
            return ""
        if "button" in classes:
            return "button"
        return "mention" if "data-mention" in attributes or attributes.get("title") == "mention" else "link"

    def _colours(self, attributes: dict[str, Any]) -> Node:
        style = dict(_STYLE.findall(attributes.get("style", "")))
        given = {"text": style.get("color", "").strip(), "background": style.get("background-color", "").strip()}
        if not any(given.values()):
            given["background"] = "yellow"
        for colour in given.values():
            if colour and colour not in COLOURS:
                self._reading.warn(self._line, f"There is no colour {colour!r}")
        return {name: colour if colour in COLOURS else "default" for name, colour in given.items()}

    def end(self) -> None:
        scope = self._scopes.pop()
        if scope.held is None:
            return
        if scope.kind in MARKS:
            self._marks = scope.held
            return
        self._end_text()
        content, self._nodes = self._nodes, scope.held
        made = self._close(scope.kind, scope.attributes, content)
        self._nodes.extend(made)

    def _close(self, kind: str, attributes: dict[str, Any], content: list[Node]) -> list[Node]:
        match kind:
            case "anchor":
                return self._anchor(attributes, content)
            case "link":
                return [inline("link", {"ref": self._reading.ref(attributes["href"])}, content)]
            case "mention":
                return [inline("mention", {"ref": self._reading.ref(attributes["href"])}, void=True)]
            case "picture":
                return self._picture(attributes, content)
            case _:
                return self._drawn(kind, attributes, content)

    def _drawn(self, kind: str, attributes: dict[str, Any], content: list[Node]) -> list[Node]:
        shown = "".join(plain(node) for node in content).strip()
        match kind:
            case "button":
                return [self._button(attributes, shown)]
            case "icon":
                return self._icon(attributes, content, shown)
            case "emoji":
                code = attributes["data-code"].lower()
                stands_for = _SHORTCODE.fullmatch(shown) or not any(one.isalnum() for one in shown)
                kept = [] if stands_for else content
                return [inline("emoji", {"code": code}, void=True), *kept]
            case _:
                return [inline("expression", {"expression": shown}, void=True)]

    def _anchor(self, attributes: dict[str, Any], content: list[Node]) -> list[Node]:
        if not content:
            self.anchor = attributes.get("id") or attributes.get("name")
            return []
        href = attributes.get("href")
        return content if href is None else [inline("link", {"ref": self._reading.ref(href)}, content)]

    def _button(self, attributes: dict[str, Any], label: str) -> Node:
        classes = attributes.get("class", "").split()
        href = attributes.get("href")
        data = {
            "label": label,
            "kind": "secondary" if "secondary" in classes else "primary",
            "size": attributes.get("data-size"),
            "icon": attributes.get("data-icon"),
            "ref": self._reading.ref(href) if href is not None else None,
        }
        # Of two ways to somewhere a document names one.
        action = _action(attributes)
        return inline("button", data if action is None else data | {"ref": None, "action": action}, void=True)

    def _icon(self, attributes: dict[str, Any], content: list[Node], shown: str) -> list[Node]:
        names = [one[3:] for one in attributes.get("class", "").split() if one.startswith("fa-")]
        colour = dict(_STYLE.findall(attributes.get("style", ""))).get("color", "").strip() or None
        drawn = inline("icon", {"icon": names[-1], "color": colour}, void=True)
        stands_for = not shown or _SHORTCODE.fullmatch(shown) or shown in names
        return [drawn] if stands_for else [drawn, *content]

    def _picture(self, attributes: dict[str, Any], content: list[Node]) -> list[Node]:
        dark = attributes.get("dark")
        content = [node for node in content if node["object"] == "inline" or plain(node).strip()]
        for node in content:
            if dark and node.get("type") == "inline-image":
                node["data"]["refDark"] = self._reading.ref(dark)
        return content

    def void(self, name: str, attributes: dict[str, Any]) -> None:
        if name == "br":
            self._trim_end()
            self._write("\n", self._marks)
        elif name == "img" and attributes.get("src"):
            self.image(attributes)
        elif name == "source" and "dark" in attributes.get("media", ""):
            picture = next((scope for scope in self._scopes[-1:] if scope.kind == "picture"), None)
            if picture is not None:
                picture.attributes["dark"] = _first_of(attributes.get("srcset", ""))

    def _trim_end(self) -> None:
        if self._parts:
            self._parts[-1] = self._parts[-1].rstrip(" ")
            if not self._parts[-1]:
                self._parts.pop()

    def image(self, attributes: dict[str, Any]) -> None:
        """An image in text; `src`, `alt`, `data-size`, and `title` as its caption."""
        self.images.append(attributes)
        size = attributes.get("data-size")
        data = {
            "ref": self._reading.ref(attributes["src"]),
            "alt": attributes.get("alt") or None,
            "caption": attributes.get("title") or None,
            "size": size if size in ("original", "line") else None,
        }
        self.add(inline("inline-image", data, void=True))

    def footnote(self, label: str, written: str) -> None:
        """An annotation of the word just written."""
        body = self._reading.annotate(label)
        if body is None:
            self.text(written)
            return
        self._end_text()
        content: list[Node] = []
        if self._nodes and self._nodes[-1].get("type") != "annotation":
            noted = self._nodes.pop()
            content = self._last_word(noted) if noted["object"] == "text" else [noted]
        bodies = [fragment("annotation-body", "annotation-body", body)]
        self._nodes.append(inline("annotation", {}, content, fragments=bodies))

    def _last_word(self, node: Node) -> list[Node]:
        """Cut the last word off a text node, or the whole of its last leaf where that is marked."""
        last = node["leaves"][-1]
        found = _LAST_WORD.search(last["text"])
        cut = 0 if last["marks"] else found.start() if found else len(last["text"])
        rest = [*node["leaves"][:-1], *([{**last, "text": last["text"][:cut]}] if cut else [])]
        if rest:
            self._nodes.append(text(rest))
        return [text([{**last, "text": last["text"][cut:]}])] if cut < len(last["text"]) else []

    def finish(self) -> list[Node]:
        """The nodes, without white space around them."""
        while self._scopes:
            self.end()
        self._end_text()
        nodes = self._nodes
        _trim(nodes, 0)
        _trim(nodes, -1)
        return nodes

    def tokens(self, tokens: list[Token]) -> None:
        """What the Markdown parser found within a paragraph."""
        if "html_inline" in [token.type for token in tokens]:
            self._mixed(tokens)
            return
        for token in tokens:
            if token.type == "text":
                self.text(token.content)
            elif token.nesting > 0:
                self.start(_MARKDOWN[token.type], token.attrs)
            elif token.nesting:
                self.end()
            else:
                self._token(token)

    def _mixed(self, tokens: list[Token]) -> None:
        """Markdown with HTML in it, whose tags are matched first."""
        run = [piece for token in tokens for piece in _pieces(token)]
        paired = pair(run)
        ends = Counter(paired.values())
        for at, piece in enumerate(run):
            for _ in range(ends[at]):
                self.end()
            if piece.kind == "open":
                if at in paired:
                    self.start(piece.name.lstrip("+"), piece.attributes)
            elif piece.kind == "void":
                self.void(piece.name, piece.attributes)
            elif piece.kind == "leaf":
                self._token(piece.data)

    def _token(self, token: Token) -> None:
        match token.type:
            case "text" | "text_special":
                self.text(token.content)
            case "softbreak":
                self.text(" ")
            case "hardbreak":
                self.void("br", {})
            case "code_inline":
                self.mark(token.content, "code")
            case "emoji":
                self.add(inline("emoji", {"code": token.content}, void=True))
            case "math_inline":
                self.add(inline("inline-math", {"formula": token.content}, void=True))
            case "expression":
                self.add(inline("expression", {"expression": unescape(token.content).strip()}, void=True))
            case "footnote":
                self.footnote(token.content, token.markup)
            case "condition":
                self._reading.condition(token.markup, self._line)
                self.text(token.content)
            case "image":
                for child in token.children or ():
                    if child.type == "condition":
                        self._reading.condition(child.markup, self._line)
                self.image(dict(token.attrs) | {"alt": _alternative(token)})
            case _:
                self.text(token.content)

    def html(self, pieces: list[Piece]) -> None:
        """Elements of HTML; of blocks among them the text."""
        for piece in pieces:
            if piece.kind == "text":
                self.html_text(piece.raw)
                continue
            if piece.name not in INLINE:
                self.html_text(" ")
            if piece.kind == "void":
                self.void(piece.name, piece.attributes)
            elif piece.kind == "open":
                self.start(piece.name, piece.attributes)
                self.html(piece.children)
                self.end()
            elif piece.kind == "leaf":
                self._block(piece.tokens)
            else:
                self.html_text(piece.raw)

    def _block(self, tokens: list[Token]) -> None:
        for token in tokens:
            self.tokens(token.children or [])
            if token.children is None:
                self.text(_SPACE.sub(" ", token.content))


def _action(attributes: dict[str, Any]) -> Node | None:
    """What a button does, where it does something: `search` and `ask` may have a query, `select` has a slug."""
    action = attributes.get("data-action")
    if action in ("search", "ask"):
        query = attributes.get("data-query")
        return {"action": action, "query": query} if query else {"action": action}
    slug = attributes.get("data-slug")
    return {"action": action, "slug": slug} if action == "select" and slug else None


def _first_of(srcset: str) -> str:
    """The first address of a `srcset`. Authors write names of files with spaces as they are, so that only a width or a
    density after an address ends it."""
    described = _DESCRIPTOR.search(srcset)
    return (srcset[: described.start()].split(", ")[0] if described else srcset).strip()


def _alternative(token: Token) -> str:
    return "".join(
        " " if child.type == "softbreak" else child.markup if child.type in ("emoji", "footnote") else child.content
        for child in token.children or ()
        if child.type != "html_inline"
    )


def _pieces(token: Token) -> list[Piece]:
    """A token as pieces; Markdown's own elements are containers that HTML does not reach out of."""
    if token.nesting:
        name = _MARKDOWN[token.type.replace("_close", "_open")]
        return [Piece("open" if token.nesting > 0 else "close", "+" + name, attributes=dict(token.attrs))]
    if token.type != "html_inline":
        return [Piece("leaf", "", data=token)]
    return [
        Piece(markup.kind, markup.name, attributes=dict(markup.attributes))
        for markup in lex(token.content)
        if markup.kind in ("open", "close", "void")
    ]


def _trim(nodes: list[Node], side: int) -> None:
    """Take the white space off one end; nothing stays of a leaf or text that held nothing else."""
    while nodes and nodes[side]["object"] == "text":
        leaves = nodes[side]["leaves"]
        while leaves:
            kept = leaves[side]["text"]
            if any(one["type"] == "code" for one in leaves[side]["marks"]):
                return
            kept = kept.lstrip(" ") if side == 0 else kept.rstrip(" ")
            if kept:
                leaves[side]["text"] = kept
                return
            leaves.pop(side)
        nodes.pop(side)


def characters(nodes: list[Node]) -> str:
    """What a title shows of its inlines: text, emoji as characters."""
    shown = []
    for node in nodes:
        if node["object"] == "inline" and node["type"] == "emoji":
            shown.append(characters_of(node["data"]["code"]))
        else:
            shown.append(plain(node))
    return "".join(shown).strip()
