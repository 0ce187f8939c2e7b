"""Where what a space holds lies in a directory, when that was not told to the space, or told twice."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from msgspec.structs import replace

from octavo.content.layout.places import Held
from octavo.content.revision import File, Page, Reusable

E = TypeVar("E", Page, File, Reusable)


def placed(now: Held, before: Held) -> Held:
    """The same where everything lies where it lay, also when the space was not told: the answer to a push may have been
    lost, and what it wrote or moved is there once."""

    def known(one: Any, old: Any) -> Any:
        elsewhere = old is not None and old.path is not None and old.path != one.path and one.text is not None
        return replace(one, path=old.path) if elsewhere else one

    return Held(
        _alone({key: known(page, before.pages.get(key)) for key, page in now.pages.items()}, before.pages),
        _alone(now.files, before.files),
        _alone({key: known(one, before.reusables.get(key)) for key, one in now.reusables.items()}, before.reusables),
    )


def _alone(entries: Mapping[str, E], before: Mapping[str, E]) -> dict[str, E]:
    """Each entry with a file of its own: two that were written here for two branches, and that lie at one place there, are
    two where both came together. The place is that of the one which was there before; the others are as new ones."""
    taken: dict[str, str] = {}
    for key, entry in entries.items():
        if entry.path is not None and (entry.path not in taken or key in before):
            taken[entry.path] = key
    return {
        key: entry if entry.path is None or taken[entry.path] == key else replace(entry, path=None)
        for key, entry in entries.items()
    }
