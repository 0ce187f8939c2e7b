"""Words with placeholders: how the text of a block is handed to a translator, and how her answer is read.

A placeholder stands for what is not translated, `<3/>`, or encloses words of which it says something, `<1>bold</1>`. An
answer has the same placeholders as the question, each once and within the same other ones; their order is the
translator's.
"""

from __future__ import annotations

import html
import re
from dataclasses import dataclass, field
from typing import Any

from octavo.content.document import Node, leaf, text

_TOKEN = re.compile(r"<(\d+)(/?)>|</(\d+)>")
_ADDRESS = re.compile(r"(?:https?://|www\.)\S+|\S+@\S+\.\S+")
_VERBATIM = frozenset(("code", "keyboard"))
"""Marks whose words are names."""
_ENCLOSING = frozenset(("link", "annotation"))
"""Inlines that hold words."""
_INVISIBLE = re.compile(r"[\x00-\x1f\x7f\u2028\u2029\ud800-\udfff]+")
LONGEST = 20
"""How many times as long as the question an answer may be, beside a few words."""


class Unusable(ValueError):
    """An answer that cannot stand in for its question; the sentence says why."""


@dataclass
class Marked:
    """The words of a block, and what its placeholders stand for."""

    words: str = ""
    before: str = ""
    """White space that stands around them."""
    behind: str = ""
    slots: dict[int, Slot] = field(default_factory=dict)


@dataclass
class Slot:
    """What one placeholder stands for."""

    node: Node | None = None
    """An inline; without one it is the marks of words."""
    marks: list[Any] = field(default_factory=list)
    said: str = ""
    """Of a void one without a node: its characters."""
    encloses: bool = False


def marked(nodes: list[Node]) -> Marked:
    """The words of inlines and texts."""
    made = Marked()
    whole = _written(nodes, made)
    made.words = whole.strip()
    start = len(whole) - len(whole.lstrip())
    made.before, made.behind = whole[:start], whole[start + len(made.words) :]
    return made


def plain(words: str) -> Marked:
    """The same of a text that has nothing in it but words."""
    inner = words.strip()
    start = len(words) - len(words.lstrip())
    return Marked(html.escape(inner, quote=False), words[:start], words[start + len(inner) :])


def has_words(words: str) -> bool:
    """Whether there is anything to translate: a letter that is not part of an address."""
    bare = html.unescape(_TOKEN.sub(" ", words))
    return any(character.isalpha() for character in _ADDRESS.sub("", bare))


def count(words: str) -> int:
    """How many words there are, as they are counted for bills: where no spaces are written, characters."""
    bare = html.unescape(_TOKEN.sub("", words))
    wide = sum(_is_wide(character) for character in bare)
    return wide + len("".join(" " if _is_wide(one) else one for one in bare).split())


def checked(words: str, answer: str) -> str:
    """The answer without what shows nothing. Raises Unusable where it cannot stand in for the words."""
    made = _INVISIBLE.sub(" ", answer).strip()
    if not made:
        raise Unusable("the answer is empty")
    if len(made) > LONGEST * len(words) + 200:
        raise Unusable("the answer is many times as long as the text")
    if "<" in _TOKEN.sub("", made):
        raise Unusable("the answer has markup that the text does not have")
    if not has_words(made):
        raise Unusable("the answer has no words")
    if _places(made) != _places(words):
        raise Unusable("the answer has other placeholders than the text, or has them elsewhere")
    return made


def _places(words: str) -> dict[str, str] | None:
    """Each placeholder with the one that it stands in, and which enclose nothing; None where one comes twice, or they are
    not closed in their order."""
    found: dict[str, str] = {}
    stack, opened = [""], 0
    for token in _TOKEN.finditer(words):
        number, void, closes = token.groups()
        if closes:
            if stack.pop() != closes:
                return None
            found[f"/{closes}"] = "" if words[opened : token.start()].strip() else "empty"
        elif number in found:
            return None
        else:
            found[number] = f"{stack[-1]}{void}"
            if not void:
                stack.append(number)
                opened = token.end()
                continue
        opened = 0
    return found if stack == [""] else None


def read(question: Marked, answer: str) -> list[Node]:
    """The inlines and texts of an answer. Raises Unusable."""
    nodes, open_at = _Reading(question), 0
    tokens = checked(question.words, answer)
    for found in _TOKEN.finditer(tokens):
        nodes.say(tokens[open_at : found.start()])
        open_at = found.end()
        if found[3]:
            nodes.close(int(found[3]))
        else:
            nodes.open(int(found[1]), void=bool(found[2]))
    nodes.say(tokens[open_at:])
    return nodes.finish()


def read_plain(question: Marked, answer: str) -> str:
    """The words of an answer to a `plain` question. Raises Unusable."""
    return question.before + _said(checked(question.words, answer)) + question.behind


def _said(words: str) -> str:
    """Characters as a reader sees them."""
    return _INVISIBLE.sub(" ", html.unescape(words))


def _written(nodes: list[Node], made: Marked) -> str:
    said = ""
    for node in nodes:
        if node["object"] == "text":
            said += "".join(_leaf(one, made) for one in node["leaves"])
        elif node.get("type") in _ENCLOSING:
            number = _slot(made, Slot(node=node, encloses=True))
            said += f"<{number}>{_written(node.get('nodes', []), made)}</{number}>"
        else:
            said += f"<{_slot(made, Slot(node=node))}/>"
    return said


def _leaf(one: Node, made: Marked) -> str:
    words, marks = one["text"], one.get("marks", [])
    if not words:
        return ""
    if any(mark["type"] in _VERBATIM for mark in marks):
        return f"<{_slot(made, Slot(marks=marks, said=words))}/>"
    parts = []
    for place, part in enumerate(words.split("\n")):
        if place:
            parts.append(f"<{_slot(made, Slot(marks=marks, said=chr(10)))}/>")
        if not part or not marks:
            parts.append(html.escape(part, quote=False))
        elif has_words(html.escape(part, quote=False)):
            number = _slot(made, Slot(marks=marks, encloses=True))
            parts.append(f"<{number}>{html.escape(part, quote=False)}</{number}>")
        else:
            parts.append(f"<{_slot(made, Slot(marks=marks, said=part))}/>")
    return "".join(parts)


def _slot(made: Marked, slot: Slot) -> int:
    made.slots[len(made.slots) + 1] = slot
    return len(made.slots)


def _is_wide(character: str) -> bool:
    return "\u3040" <= character <= "\u30ff" or "\u3400" <= character <= "\u9fff"


class _Reading:
    """Puts the nodes of an answer together while its placeholders open and close."""

    def __init__(self, question: Marked) -> None:
        self._question = question
        self._stack: list[tuple[int, list[Node]]] = [(0, [])]
        self._leaf(question.before, [])

    def say(self, words: str) -> None:
        if words:
            slot = self._question.slots.get(self._stack[-1][0])
            self._leaf(_said(words), slot.marks if slot is not None and slot.node is None else [])

    def open(self, number: int, *, void: bool) -> None:
        slot = self._question.slots[number]
        if not void:
            self._stack.append((number, []))
        elif slot.node is not None:
            self._stack[-1][1].append(slot.node)
        else:
            self._leaf(slot.said, slot.marks)

    def close(self, number: int) -> None:
        _, nodes = self._stack.pop()
        slot = self._question.slots[number]
        if slot.node is not None:
            self._stack[-1][1].append({**slot.node, "nodes": nodes})
        else:
            for one in nodes:
                # Marks hold words and no inlines; their texts go on in the one that stands before them.
                for said in one["leaves"]:
                    self._leaf(said["text"], said["marks"])

    def finish(self) -> list[Node]:
        self._leaf(self._question.behind, [])
        return self._stack[0][1]

    def _leaf(self, words: str, marks: list[Any]) -> None:
        if not words:
            return
        nodes = self._stack[-1][1]
        if not nodes or nodes[-1]["object"] != "text":
            nodes.append(text([]))
        leaves = nodes[-1]["leaves"]
        if leaves and leaves[-1]["marks"] == marks:
            leaves[-1] = leaf(leaves[-1]["text"] + words, marks)
        else:
            leaves.append(leaf(words, marks))
