"""Documents in bodies: the JSON tree, checked down to its leaves, or Markdown."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta

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


ServedDocument = Annotated[dict[str, Any], Meta(extra_json_schema={"$ref": "#/components/schemas/Document"})]
"""A document as it is answered: it was checked when it was written, and is not read again for that."""


class Words(Body, frozen=True):
    """What somebody writes, wherever that is: Markdown, or a document, bare or as `document`, or nothing."""

    markdown: Maybe[str] = UNSET
    document: Maybe[Document] = UNSET
    object: Maybe[Literal["document"]] = UNSET
    """Of a bare document."""
    nodes: Maybe[list[Block]] = UNSET
    data: Json = {}

    def __post_init__(self) -> None:
        if sum(way is not UNSET for way in (self.markdown, self.document, self.nodes)) > 1:
            raise ValueError("Expected at most one of `markdown`, `document` and `nodes`")
        if self.object is not UNSET and self.nodes is UNSET:
            raise ValueError("Object missing required field `nodes`")


def tree(words: Words) -> dict[str, Any] | None:
    """What was written as a document, as the content library reads it; None where it was Markdown, or nothing.

    Raises BadRequest for one with a table of hardly any cells.
    """
    if words.document is not UNSET:
        document = words.document
    elif words.nodes is not UNSET:
        document = Document(words.nodes, words.data)
    else:
        return None
    made: dict[str, Any] = msgspec.to_builtins(document)
    try:
        require_grids(made)
    except ValueError as error:
        raise BadRequest(f"document: {error}") from error
    return made
