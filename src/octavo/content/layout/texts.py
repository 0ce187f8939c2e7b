"""Texts of pages and reusable contents: parsed with their links resolved, and kept as objects."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import msgspec

from octavo.content import document as model
from octavo.content.document import Node, Ref
from octavo.content.layout.config import front_fields
from octavo.content.layout.links import Resolver, Targets
from octavo.content.layout.report import Report
from octavo.content.revision import Digest
from octavo.content.trie import digest

LARGEST = 5 * 1024 * 1024
"""Bytes of a text that are parsed; a larger one is kept whole and shown as one block of code."""
_HEADING = re.compile(r"^#[ \t]+(\S[^\n]{0,200})", re.MULTILINE)
_HEAD = 100_000
_PLACED = re.compile(r"(.*?)\s*\(line (\d{1,9})\)", re.DOTALL)
"""How a parser's warning says where."""
_json = msgspec.json.Encoder(order="deterministic")


class Parsed(Protocol):
    """What a parser makes of a text."""

    @property
    def front(self) -> dict[str, Any]: ...
    @property
    def title(self) -> str | None: ...
    @property
    def document(self) -> Node: ...
    @property
    def warnings(self) -> list[str]: ...


Parse = Callable[[str, Callable[[str], Ref | None]], Parsed]


@dataclass(frozen=True)
class Read:
    """A text that was read: its objects, its links, and what its front matter and first heading say."""

    text: Digest
    document: Digest
    links: dict[str, Ref]
    front: dict[str, Any]
    title: str | None
    fields: dict[str, Any]
    """The front matter as fields of a page."""


@dataclass(frozen=True)
class Texts:
    """Reads texts one by one and collects the objects."""

    parse: Parse
    targets: Targets
    report: Report
    objects: dict[Digest, bytes]

    def read(self, path: str, text: str) -> Read:
        """Parse the text of a file; its exact text and its document become objects."""
        data = text.encode()
        resolver = Resolver(self.targets, path, text, self.report)
        front: dict[str, Any] = {}
        if len(data) > LARGEST:
            self.report.warn(path, None, f"is larger than {LARGEST >> 20} MB and is shown as one block of code")
            heading = _HEADING.search(text, 0, _HEAD)
            title, tree = heading[1].strip() if heading else None, _code(text)
        else:
            parsed = self.parse(text, resolver)
            front, title, tree = parsed.front, parsed.title, parsed.document
            for warning in parsed.warnings:
                placed = _PLACED.fullmatch(warning)
                self.report.warn(path, int(placed[2]) if placed else None, placed[1] if placed else warning)
        fields = front_fields(path, front, lambda href: resolver(href) or {"kind": "url", "url": href}, self.report)
        return Read(self._keep(data), self._keep(_json.encode(tree)), resolver.links, front, title, fields)

    def _keep(self, data: bytes) -> Digest:
        name = digest(data)
        self.objects[name] = data
        return name


def _code(text: str) -> Node:
    """A document that shows a text as it is: in one line of code, so that its size stays that of the text."""
    lines = [model.block("code-line", nodes=[model.text(text)])]
    return model.assign_keys(model.document([model.block("code", {"syntax": "markdown"}, lines)]))
