"""Where what a space holds lies in a directory, when that was not told to the space, or told twice."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from octavo.content.layout.places import Held
from octavo.content.revision import Page


def placed(now: Held, before: Held) -> Held:
    """The same where everything lies where it lay, also when the space was not told: the answer to a push may have been
    lost, and what it wrote or moved is there once."""

    def known(one: Any, old: Any) -> Any:
        elsewhere = old is not None and old.path is not None and old.path != one.path and one.text is not None
        return replace(one, path=old.path) if elsewhere else one

    pages = {key: known(page, before.pages.get(key)) for key, page in now.pages.items()}
    reusables = {key: known(one, before.reusables.get(key)) for key, one in now.reusables.items()}
    return Held(_alone(pages, before), now.files, reusables)


def _alone(pages: dict[str, Page], before: Held) -> dict[str, Page]:
    """Each page with a file of its own: what came twice from one file, by a branch and by its squash, lies there once, and
    that is the page which the space had there; the others are as new ones."""
    taken: dict[str, str] = {}
    for key, page in pages.items():
        if page.path is not None and (page.path not in taken or key in before.pages):
            taken[page.path] = key
    return {
        key: page if page.path is None or taken[page.path] == key else replace(page, path=None)
        for key, page in pages.items()
    }
