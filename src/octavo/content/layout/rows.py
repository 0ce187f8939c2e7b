"""Entries of a table of contents as they were read, in the words in which the space has them, to compare the two."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from octavo.content.layout.links import space_ref
from octavo.content.layout.outline import Draft
from octavo.content.layout.table import Row

json_of = msgspec.json.Encoder(order="deterministic").encode


def row_of(draft: Draft, level: int, titles: Mapping[str, str], texts: frozenset[str]) -> Row:
    """An entry that was read, in the words of the space: `titles` of pages by path, `texts` the paths where there is one."""
    key: tuple[Any, ...]
    if draft.type == "group":
        key = ("group", level, draft.label, draft.slug)
    elif draft.type == "computed":
        key = ("computed", level, draft.label, json_of(draft.computed))
    elif draft.type == "link" and draft.found:
        key = ("link", level, draft.label, draft.found, draft.anchor)
    elif draft.type == "link":
        key = ("link", level, draft.label, meaning(draft.href or ""))
    elif draft.path is None:
        key = ("document", level, None, draft.label)
    elif draft.path not in texts:
        key = ("document", level, draft.path, draft.label)
    else:
        said = draft.link_title
        if draft.written and draft.label != titles.get(draft.path, draft.label):
            said = said or draft.label
        key = ("document", level, draft.path, said)
    return Row(key, draft.type, level, draft.label, slug=draft.slug if draft.type == "group" else "", lines=draft.lines)


def meaning(href: str) -> Any:
    """What an address outside of the space means, however it is written."""
    found = space_ref(href)
    return ("space", found["space"]) if found else href
