"""Documents taken apart into the texts that are translated, and put together of answers.

What stays as it is: code, formulas, descriptions of APIs, what integrations show, addresses, references, ids, conditions
and expressions. Headings keep the anchors that they had, tabs too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from octavo.content.document import Node, document, walk
from octavo.content.translation import marked
from octavo.content.translation.marked import Marked, Unusable

Answer = Callable[[str], str | None]
"""The translation of words with placeholders; None where there is none."""

UNTOUCHED = frozenset(
    (
        "code", "math", "divider", "drawing", "content-ref", "reusable-content", "integration", "swagger",
        "openapi-operation", "openapi-schemas", "openapi-webhook",
    )
)  # fmt: skip
"""Blocks in which nothing is translated."""
_NAMED = {
    "tabs-item": ("title",), "image": ("alt",), "prompt": ("description",), "inline-image": ("alt", "caption"),
    "button": ("label",),
}  # fmt: skip
"""Type of a node -> what of its data is words."""
_json = msgspec.json.Encoder(order="sorted").encode


class Kept(msgspec.Struct, frozen=True):
    """Words that stay in the language of the source, and why."""

    words: str
    reason: str


def words_of(page: Node) -> list[str]:
    """What there is to translate in a document, in reading order, each text once."""
    found: dict[str, None] = {}

    def note(words: str) -> None:
        found.setdefault(words)

    translated(page, note)
    return list(found)


def translated(page: Node, answer: Answer) -> tuple[Node, list[Kept]]:
    """The document with everything replaced that there is an answer to; and what could not be used of the answers."""
    work = _Work(answer)
    made = document([work.node(node) for node in page["nodes"]])
    return made, work.kept


class _Work:
    """One way through a document."""

    def __init__(self, answer: Answer) -> None:
        self._answer = answer
        self.kept: list[Kept] = []

    def node(self, node: Node) -> Node:
        """The node with its words, and those below it, translated; itself where nothing is."""
        kind = node.get("type")
        if node["object"] == "text" or kind in UNTOUCHED:
            return node
        changed: Node = {}
        if (data := self._data(node)) is not None:
            changed["data"] = data
        for part in ("nodes", "fragments"):
            held = node.get(part)
            if not held:
                continue
            made = self._inlines(held) if _is_text(held) else [self.node(one) for one in held]
            if _differ(made, held):
                changed[part] = made
        if kind == "tabs-item" and "data" in changed and (anchor := (node.get("meta") or {}).get("id")):
            changed["data"] = {**changed["data"], "slug": anchor}
        return {**node, **changed} if changed else node

    def _inlines(self, nodes: list[Node]) -> list[Node]:
        """The text of one block; what its inlines say apart from it comes first."""
        nodes = [one if one["object"] == "text" else self._inline(one) for one in nodes]
        question = marked.marked(nodes)
        answer = self._asked(question)
        if answer is None or answer == question.words:
            return nodes
        try:
            return marked.read(question, answer)
        except Unusable as why:
            self.kept.append(Kept(question.words, str(why)))
            return nodes

    def _inline(self, node: Node) -> Node:
        """An inline with its label, and with the remark that it holds; the words of a link are those of its block."""
        changed: Node = {}
        if (data := self._data(node)) is not None:
            changed["data"] = data
        if fragments := node.get("fragments"):
            made = [self.node(one) for one in fragments]
            if _differ(made, fragments):
                changed["fragments"] = made
        if nodes := node.get("nodes"):
            inner = [one if one["object"] == "text" else self._inline(one) for one in nodes]
            if _differ(inner, nodes):
                changed["nodes"] = inner
        return {**node, **changed} if changed else node

    def _data(self, node: Node) -> Node | None:
        """What the node says in its data, translated; None where nothing is."""
        changed: dict[str, Any] = {}
        data = node.get("data") or {}
        for name in _NAMED.get(str(node.get("type")), ()):
            said = data.get(name)
            if isinstance(said, str) and (made := self.line(said)) != said:
                changed[name] = made
        if node.get("type") == "table" and isinstance(data.get("definition"), dict):
            columns = {key: self._column(column) for key, column in data["definition"].items()}
            if columns != data["definition"]:
                changed["definition"] = columns
        return {**data, **changed} if changed else None

    def _column(self, column: Any) -> Any:
        if not isinstance(column, dict) or not isinstance(column.get("title"), str):
            return column
        return {**column, "title": self.line(column["title"])}

    def line(self, words: str) -> str:
        """A text of words alone."""
        question = marked.plain(words)
        answer = self._asked(question)
        if answer is None or answer == question.words:
            return words
        try:
            return marked.read_plain(question, answer)
        except Unusable as why:
            self.kept.append(Kept(question.words, str(why)))
            return words

    def _asked(self, question: Marked) -> str | None:
        return self._answer(question.words) if marked.has_words(question.words) else None


def line(words: str, answer: Answer) -> tuple[str, list[Kept]]:
    """A title or another text of words alone, translated."""
    work = _Work(answer)
    return work.line(words), work.kept


def skeleton(page: Node) -> list[bytes]:
    """Of each block at the top everything that a translation leaves as it is: the same before and after it."""
    return [_json(list(_bones(node))) for node in page["nodes"]]


def _bones(node: Node) -> Iterator[Any]:
    data = {name: value for name, value in (node.get("data") or {}).items() if name not in _worded(node)}
    if node.get("type") == "table":
        data["definition"] = [*(data.get("definition") or {})]
    yield [node["object"], node.get("type"), node.get("fragment"), data]
    if node.get("type") in UNTOUCHED:
        yield [one["leaves"] for one in walk(node) if one["object"] == "text"]
        return
    for part in ("fragments", "nodes"):
        held = node.get(part) or []
        if _is_text(held):
            yield sorted(_json(bone) for bone in _inline_bones(held))
        else:
            for one in held:
                yield from _bones(one)


def _worded(node: Node) -> tuple[str, ...]:
    # The address of a tab follows from its title where it has none of its own.
    return (
        (*_NAMED.get(str(node.get("type")), ()), "slug")
        if node.get("type") == "tabs-item"
        else _NAMED.get(str(node.get("type")), ())
    )


def _inline_bones(nodes: list[Node]) -> Iterator[Any]:
    for node in nodes:
        if node["object"] == "text":
            yield from (
                [one["text"], one["marks"]]
                for one in node["leaves"]
                if any(mark["type"] in ("code", "keyboard") for mark in one["marks"])
            )
        else:
            own = _worded(node)
            yield [node["type"], {name: value for name, value in node.get("data", {}).items() if name not in own}]
            yield from _inline_bones(node.get("nodes") or [])
            for one in node.get("fragments") or []:
                yield from _bones(one)


def _is_text(nodes: list[Node]) -> bool:
    return bool(nodes) and nodes[0]["object"] in ("text", "inline")


def _differ(made: list[Node], held: list[Node]) -> bool:
    """Whether any of the nodes was made anew."""
    return len(made) != len(held) or any(new is not old for new, old in zip(made, held))
