"""Pages and reusable contents translated: their words asked for, the answers put into their texts, and both checked.

The text of a page is printed upon its own: what has no words keeps its bytes. What was printed is read again, and has to
be the same document but for its words; a block of which that is not so stays in the language of the source.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

import msgspec

from octavo.content.document import Node, Ref
from octavo.content.markdown import Parsed, parse, print_page
from octavo.content.markdown.printer import plain_address
from octavo.content.revision import Page, Reusable
from octavo.content.translation.documents import Answer, Kept, line, skeleton, translated, words_of
from octavo.content.trie import Objects, digest

VERSION = "1"
"""Named anew whenever the same answers give another page, or the same page other questions."""
_json = msgspec.json.Encoder(order="deterministic").encode
_FIELDS = ("title", "description", "link_title")
E = TypeVar("E", Page, Reusable)


@dataclass
class Translated:
    """An entry in another language, its objects, and what stayed as it was."""

    entry: Page | Reusable
    objects: Objects = field(default_factory=dict)
    kept: list[Kept] = field(default_factory=list)


def questions(entry: Page | Reusable, text: str | None) -> list[str]:
    """What there is to translate of an entry, each once: fields first, then the text as it is read."""
    found: dict[str, None] = {}

    def note(words: str) -> None:
        found.setdefault(words)

    for name in _fields(entry):
        line(getattr(entry, name) or "", note)
    if text is not None:
        parsed = parse(text, entry.links.get)
        line(str(parsed.front.get("description") or ""), note)
        line(parsed.title or "", note)
        for words in words_of(parsed.document):
            found.setdefault(words)
    return list(found)


def translate(entry: Page | Reusable, text: str | None, answer: Answer) -> Translated:
    """The entry with everything replaced that there is an answer to."""
    made = Translated(entry)
    fields = {name: _said(getattr(entry, name), answer, made) for name in _fields(entry)}
    if text is None:
        made.entry = msgspec.structs.replace(entry, **fields)
        return made
    source = _text(parse(text, entry.links.get), entry, answer, made)
    parsed = parse(source, entry.links.get)
    data, document = source.encode(), _json(parsed.document)
    made.objects = {digest(data): data, digest(document): document}
    named = {"text": digest(data), "document": digest(document), "oid": None}
    if isinstance(entry, Page) and parsed.title:
        fields["title"] = parsed.title
    made.entry = msgspec.structs.replace(entry, **fields, **named)
    return made


def _fields(entry: Page | Reusable) -> tuple[str, ...]:
    # The title of a reusable content is the name that authors know it by.
    return _FIELDS if isinstance(entry, Page) else ()


def _said(words: str | None, answer: Answer, made: Translated) -> str | None:
    if not words:
        return words
    said, kept = line(words, answer)
    made.kept += kept
    return said


def _text(base: Parsed, entry: Page | Reusable, answer: Answer, made: Translated) -> str:
    """The text in the other language, block by block where it cannot be had whole."""
    front, title = dict(base.front), base.title
    if isinstance(front.get("description"), str):
        front["description"] = _said(front["description"], answer, made)
    if title:
        title, kept = line(title, answer)
        made.kept += kept
    document, kept = translated(base.document, answer)
    made.kept += kept
    address, bones = _addresses(entry), skeleton(base.document)

    def attempt(nodes: list[Node]) -> tuple[str, list[bytes]]:
        text = print_page({**document, "nodes": nodes}, front=front, title=title, base=base, address=address)
        return text, skeleton(parse(text, entry.links.get).document)

    text, found = attempt(document["nodes"])
    if found == bones:
        return text
    nodes = _mended(base.document["nodes"], document["nodes"], bones, found)
    text, found = attempt(nodes)
    if found == bones:
        lost = sum(new is not old for new, old in zip(nodes, document["nodes"]))
        made.kept += [Kept("", "a block would not be the same in Markdown")] * lost
        return text
    made.kept.append(Kept("", "the page would not be the same in Markdown"))
    return base.source


def _mended(own: list[Node], other: list[Node], bones: list[bytes], found: list[bytes]) -> list[Node]:
    """The translated blocks, but the source's where these came out as something else."""
    if len(bones) != len(found):
        # From the first difference on nobody can tell which block is whose.
        first = next(
            (at for at, pair in enumerate(zip(bones, found)) if pair[0] != pair[1]), min(len(bones), len(found))
        )
        return [*other[:first], *own[first:]]
    return [mine if bone != came else theirs for mine, theirs, bone, came in zip(own, other, bones, found)]


def _addresses(entry: Page | Reusable) -> Callable[[Ref], str]:
    """The address of a reference as the entry's text writes it, else the plain one."""
    known = {_json(ref): href for href, ref in entry.links.items()}

    def address(ref: Ref) -> str:
        return known.get(_json(ref)) or plain_address(ref)

    return address
