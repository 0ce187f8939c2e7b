"""Documents in bodies: the JSON tree, checked down to its leaves, or Markdown."""

from __future__ import annotations

from typing import Any, Literal

import msgspec
from msgspec import UNSET

from octavo.content.grids import require_grids
from octavo.kernel.errors import BadRequest
from octavo.wire.fields import Body, Json, Maybe


class Leaf(Body, frozen=True):
    text: str
    object: Literal["leaf"] = "leaf"
    marks: list[Json] = []


class Text(Body, tag_field="object", tag="text", frozen=True):
    leaves: list[Leaf]
    key: Maybe[str] = UNSET


class Fragment(Body, tag_field="object", tag="fragment", frozen=True):
    fragment: str
    nodes: list[Node]
    type: Maybe[str] = UNSET
    key: Maybe[str] = UNSET


class Element(Body, frozen=True):
    """What blocks and inlines have in common."""

    type: str
    data: Json = {}
    nodes: Maybe[list[Node]] = UNSET
    fragments: Maybe[list[Fragment]] = UNSET
    key: Maybe[str] = UNSET
    is_void: bool = False
    meta: Maybe[Json] = UNSET


class Block(Element, tag_field="object", tag="block", frozen=True):
    pass


class Inline(Element, tag_field="object", tag="inline", frozen=True):
    pass


Node = Block | Inline | Text | Fragment


class Document(Body, tag_field="object", tag="document", frozen=True):
    """The document itself."""

    nodes: list[Block]
    data: Json = {}


class Words(Body, frozen=True):
    """What somebody writes: Markdown, or a document, or nothing."""

    markdown: Maybe[str] = UNSET
    document: Maybe[Document] = UNSET

    def __post_init__(self) -> None:
        if self.markdown is not UNSET and self.document is not UNSET:
            raise ValueError("Expected at most one of `markdown` and `document`")


def tree(document: Document) -> dict[str, Any]:
    """The document as the content library reads it. Raises BadRequest for one with a table of hardly any cells."""
    made: dict[str, Any] = msgspec.to_builtins(document)
    try:
        require_grids(made)
    except ValueError as error:
        raise BadRequest(f"document: {error}") from error
    return made
