"""Addresses in a text that is written to a repository: those that would lead elsewhere there are spelled anew."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Mapping

import msgspec

from octavo.content.document import Ref
from octavo.content.layout.links import Index
from octavo.content.markdown import parse

_ASKED = 200
"""Places of one address that are tried one by one, where not all of them are addresses."""
_NOT_PLAIN = {ord(mark): f"%{ord(mark):02X}" for mark in " %()<>#?\"'[]\\"}
_tree = msgspec.json.Encoder(order="deterministic").encode


def address(folder: str, path: str, anchor: str = "") -> str:
    """The relative address of a file, as written in a file of `folder`.

    >>> address("guides", "a b.md", "top"), address("", "x.md")
    ('../a%20b.md#top', 'x.md')
    """
    made = posixpath.relpath("/" + path, "/" + folder).translate(_NOT_PLAIN)
    return f"{made}#{anchor}" if anchor else made


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

    The document stays the same: words that only look like an address are left alone.
    """
    meant = {changed.get(href, href): ref for href, ref in links.items()}
    known = {**links, **meant}
    wanted = _tree(parse(text, links.get).document)
    places = re.compile("|".join(re.escape(href) for href in sorted(changed, key=len, reverse=True)))

    def whole(found: re.Match[str]) -> bool:
        before, after = text[: found.start()][-1:], text[found.end() :][:1]
        return not (before.isalnum() or before in "/.-_") and not (after.isalnum() or after in "/-_#?%")

    hits = [found for found in places.finditer(text) if whole(found)]
    made = _replaced(text, hits, changed)
    if _tree(parse(made, known.get).document) == wanted:
        return made, meant
    kept: list[re.Match[str]] = []
    for found in hits[:_ASKED]:
        if _tree(parse(_replaced(text, [*kept, found], changed), known.get).document) == wanted:
            kept.append(found)
    made = _replaced(text, kept, changed)
    return made, {href: ref for href, ref in known.items() if href in made}


def _replaced(text: str, hits: list[re.Match[str]], changed: Mapping[str, str]) -> str:
    parts, at = [], 0
    for found in hits:
        parts += [text[at : found.start()], changed[found[0]]]
        at = found.end()
    return "".join([*parts, text[at:]])
