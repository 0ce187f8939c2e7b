"""Addresses in a text that is written to a repository: those that would lead elsewhere there are spelled anew."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Mapping

import msgspec

from octavo.content.document import Ref
from octavo.content.layout.config import front_fields
from octavo.content.layout.links import Index
from octavo.content.layout.report import Report
from octavo.content.markdown import parse

_ASKED = 1000
"""How often a text is parsed to find out which words are addresses, where not all of them are."""
_NOT_PLAIN = {ord(mark): f"%{ord(mark):02X}" for mark in " %()<>#?\"'[]\\"}
_tree = msgspec.json.Encoder(order="deterministic").encode


def address(folder: str, path: str, anchor: str = "") -> str:
    """The relative address of a file, as written in a file of `folder`.

    >>> address("guides", "a b.md", "top"), address("", "x.md", "a b")
    ('../a%20b.md#top', 'x.md#a%20b')
    """
    made = posixpath.relpath("/" + path, "/" + folder).translate(_NOT_PLAIN)
    return f"{made}#{anchor.translate(_NOT_PLAIN)}" if anchor else made


def respelled(
    file: str, links: Mapping[str, Ref], index: Index, place: Callable[[Ref], str | None], former: str | None = None
) -> dict[str, str]:
    """Which addresses of a text in `file` have to be written otherwise: old -> new.

    `links` are what they mean, `index` the files as they will lie, `place` where a thing lies.
    """
    folder = posixpath.dirname(file)
    changed: dict[str, str] = {}
    for href, ref in links.items():
        path = place(ref)
        if path is None:
            continue
        anchor = str(ref.get("anchor", "")) if ref.get("kind") == "anchor" else ""
        found = index.find(folder, href)
        if found is None or (found.path, found.anchor) != (path, anchor):
            changed[href] = address(folder, path, anchor)
    return changed


def rewritten(text: str, links: Mapping[str, Ref], changed: Mapping[str, str]) -> tuple[str, dict[str, Ref]]:
    """The text with these addresses in place of the old ones, and what its addresses mean now.

    The page stays the same: words that only look like an address are left alone.
    """
    meant = {changed.get(href, href): ref for href, ref in links.items()}
    known = {**links, **meant}
    wanted = _meaning(text, links)
    places = re.compile("|".join(re.escape(href) for href in sorted(changed, key=len, reverse=True)))

    def whole(found: re.Match[str]) -> bool:
        before, after = text[: found.start()][-1:], text[found.end() :][:1]
        return not (before.isalnum() or before in "/.-_") and not (after.isalnum() or after in "/-_#?%")

    hits = [found for found in places.finditer(text) if whole(found)]
    made = _replaced(text, hits, changed)
    if _meaning(made, known) == wanted:
        return made, meant
    made = _replaced(text, _addresses(text, hits, links, wanted), changed)
    return made, {href: ref for href, ref in known.items() if href in made}


def _addresses(text: str, hits: list[re.Match[str]], links: Mapping[str, Ref], wanted: bytes) -> list[re.Match[str]]:
    """Those of the places that are addresses: with another one there, of the same meaning, the page stays the same."""
    # Names that nothing else has: pages that change places have each other's.
    names = {href: f"octavo-{number}.md" for number, href in enumerate(sorted({found[0] for found in hits}))}
    known = {**links, **{name: links[href] for href, name in names.items()}}
    kept: list[re.Match[str]] = []
    asked = 0

    def take(part: list[re.Match[str]]) -> None:
        nonlocal asked
        asked += 1
        if asked > _ASKED:
            return
        if _meaning(_replaced(text, [*kept, *part], names), known) == wanted:
            kept.extend(part)
        elif len(part) > 1:
            take(part[: len(part) // 2])
            take(part[len(part) // 2 :])

    take(hits)
    return kept


def _meaning(text: str, links: Mapping[str, Ref]) -> bytes:
    """What a text says, whatever its addresses are; those of its front matter are in its fields."""
    page = parse(text, links.get)
    said = {name: value for name, value in page.front.items() if name not in ("cover", "metaLinks")}
    fields = front_fields("", page.front, lambda href: links.get(href) or {"kind": "url", "url": href}, Report())
    return _tree([page.title, page.document, repr(said), fields])


def _replaced(text: str, hits: list[re.Match[str]], changed: Mapping[str, str]) -> str:
    parts, at = [], 0
    for found in hits:
        parts += [text[at : found.start()], changed[found[0]]]
        at = found.end()
    return "".join([*parts, text[at:]])
