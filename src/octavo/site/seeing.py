"""What of a space's content a visitor sees: whoever answers visitors reads contents through `seen`."""

from __future__ import annotations

from octavo.history.contents import Contents
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
