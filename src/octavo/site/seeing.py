"""What of a space's content a visitor sees: whoever answers visitors reads contents through `seen`; and of a site's look."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from octavo.history.contents import Contents
from octavo.kernel.records import Json
from octavo.site.visitor import Visitor, holds
from octavo.store.kept import Kind

_CLOSED: Kind[tuple[str, ...]] = Kind("pages that somebody does not see", lambda keys: 80 + 80 * len(keys))
_SEEN: Kind[Contents] = Kind("contents as somebody sees them", lambda contents: contents.weight)


def seen(contents: Contents, visitor: Visitor) -> Contents:
    """The contents without the pages that the visitor may not see, what is below them, and entries that lead to them.

    Those of whom the same is known share one answer, and so do those who see the same pages.
    """
    if not contents.conditional:
        return contents
    known = visitor.known(contents.reads)
    closed = contents.derived.get(_CLOSED, known)
    if closed is None:
        variables = contents.root.variables
        found = (
            one for one in contents.conditional if not holds(one.condition, visitor.scope(variables, one.variables))
        )
        closed = contents.derived.put(_CLOSED, tuple(sorted(page.id for page in found)), known)
    if not closed:
        return contents
    made = contents.derived.get(_SEEN, closed)
    return made if made is not None else contents.derived.put(_SEEN, contents.without(closed), closed)


def seen_look(stored: Json | None, visitor: Visitor) -> Json | None:
    """A stored customization without the links whose condition does not hold for the visitor, and what held only such."""
    if not stored:
        return stored
    made, scope = dict(stored), visitor.scope()
    for group, part in (("header", "links"), ("footer", "groups")):
        held = made.get(group)
        if isinstance(held, dict) and isinstance(held.get(part), list):
            made[group] = held | {part: [*_seen_links(held[part], scope)]}
    said = made.get("announcement")
    if isinstance(said, dict) and isinstance(said.get("link"), dict) and not [*_seen_links([said["link"]], scope)]:
        made["announcement"] = {name: value for name, value in said.items() if name != "link"}
    return made


def _seen_links(links: list[Any], scope: Mapping[str, Any]) -> Iterator[Json]:
    """Links, each with those below it."""
    for link in links:
        condition = link.get("condition")
        if condition and not (isinstance(condition, str) and holds(condition, scope)):
            continue
        below = link.get("links")
        if not below:
            yield link
        elif (kept := [*_seen_links(below, scope)]) or link.get("to"):
            yield link | {"links": kept}
