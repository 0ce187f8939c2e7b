"""Texts of pages and reusable contents: parsed with their links resolved, or known from the last time."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import msgspec

from octavo.content.document import Node, Ref
from octavo.content.layout.config import front_fields
from octavo.content.layout.links import Resolver, Targets
from octavo.content.layout.report import Notice, Report
from octavo.content.markdown import VERSION
from octavo.content.markdown.frontmatter import front_of
from octavo.content.revision import Digest
from octavo.content.trie import digest

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
    """A text that was read: its document, its links, and what its front matter and first heading say."""

    document: Digest
    tree: bytes
    """The document as JSON; empty where it did not have to be made because it is an object already."""
    links: dict[str, Ref]
    front: dict[str, Any]
    title: str | None
    fields: dict[str, Any]
    """The front matter as fields of a page."""
    notices: list[Notice]
    memo: bytes
    """What spares the next reading of this text, see `Texts.again`."""


class Memo(msgspec.Struct, frozen=True, array_like=True):
    """What a document was made of besides its text, and what was found out with it."""

    title: str | None
    asked: dict[str, Ref | None]
    """What each address meant."""
    remarks: list[str]
    """The parser's warnings."""


_write_memo = msgspec.msgpack.Encoder().encode
_read_memo = msgspec.msgpack.Decoder(Memo).decode


def memo_name(text: Digest, document: Digest) -> Digest:
    """The name of the memo of a text that became this document; another parser gives other names."""
    return digest(b"%s\n%s%s" % (VERSION.encode(), text, document))


@dataclass(frozen=True)
class Texts:
    """Reads texts one by one."""

    parse: Parse
    targets: Targets

    def read(self, path: str, text: str) -> Read:
        """Parse the text of a file."""
        report = Report()
        resolver = Resolver(self.targets, path, text, report)
        parsed = self.parse(text, resolver)
        fields = self._finished(path, parsed.front, parsed.warnings, resolver, report)
        data = _json.encode(parsed.document)
        memo = _write_memo(Memo(parsed.title, resolver.asked, parsed.warnings))
        return Read(digest(data), data, resolver.links, parsed.front, parsed.title, fields, report.warnings, memo)

    def again(self, path: str, text: str, document: Digest, memo: bytes) -> Read | None:
        """The same without parsing, of a text that became `document` before; None where its addresses mean other things
        now, so that another document would come of it."""
        try:
            known = _read_memo(memo)
        except msgspec.DecodeError:
            return None
        report = Report()
        resolver = Resolver(self.targets, path, text, report)
        if any(resolver(href) != ref for href, ref in known.asked.items()):
            return None
        front = front_of(text)
        fields = self._finished(path, front, known.remarks, resolver, report)
        return Read(document, b"", resolver.links, front, known.title, fields, report.warnings, memo)

    def _finished(
        self, path: str, front: dict[str, Any], remarks: list[str], resolver: Resolver, report: Report
    ) -> dict[str, Any]:
        """The fields of the front matter; what is wrong with the text goes to the report."""
        for warning in remarks:
            placed = _PLACED.fullmatch(warning)
            report.warn(path, int(placed[2]) if placed else None, placed[1] if placed else warning)
        return front_fields(path, front, lambda href: resolver(href) or {"kind": "url", "url": href}, report)
