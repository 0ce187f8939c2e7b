"""What of operations, webhooks and schemas is searched: their words without markup, under the headings of the page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from octavo.content.document import Node, block, text
from octavo.content.openapi.describing import Described, Field, Media, Model

DEEPEST = 3
"""Fields in one another that are searched."""


def anchor_of(described: Described) -> str:
    """The anchor of an operation's heading."""
    return f"{described.method}-{described.path}".lower().replace("/", "-").replace("{", "").replace("}", "")


def worded(shown: Described | list[Model] | str, *, headless: bool = False) -> list[Node]:
    """A heading for each, and below it a paragraph of words; without the heading where the page has none. A sentence that
    stands for what is absent is not searched."""
    if isinstance(shown, str):
        return []
    if isinstance(shown, list):
        found = [(one.name.lower(), f"The {one.name} object", [*_field(one.schema)]) for one in shown]
    else:
        found = [(anchor_of(shown), shown.title, [*_operation(shown)])]
    made: list[Node] = []
    for anchor, title, words in found:
        if not headless:
            made.append(block("heading-1", {"id": anchor}, [text(title)]))
        made.append(block("paragraph", {}, [text(" \n".join(filter(None, words)))]))
    return made


def _operation(one: Described) -> Iterator[str]:
    yield f"{one.method.upper()} {one.path}"
    yield one.description
    for _, fields in one.parameters:
        yield from _fields(fields)
    yield one.body_description
    for media in one.body[:1]:
        yield from _media(media)
    for reply in one.replies:
        named = {media.schema.type for media in reply.media if media.schema is not None}
        yield " ".join((reply.status, reply.description, *sorted(named)))


def _media(media: Media) -> Iterator[str]:
    if media.schema is not None:
        yield media.schema.type
        yield from _field(media.schema)


def _field(field: Field, depth: int = 0) -> Iterator[str]:
    yield field.description
    yield from field.values
    if depth < DEEPEST:
        yield from _fields([*field.children, *field.variants], depth + 1)


def _fields(fields: Iterable[Field], depth: int = 0) -> Iterator[str]:
    for one in fields:
        yield one.name
        yield from _field(one, depth)
