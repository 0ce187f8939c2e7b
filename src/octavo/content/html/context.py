"""What rendering asks of its surroundings, and what it gives back."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from typing import Protocol

import msgspec

from octavo.content.document import Node, Ref
from octavo.content.highlight import highlight
from octavo.content.openapi.describing import Described, Model


class Target(msgspec.Struct, frozen=True):
    """Where a reference leads.

    `kind` is that of the reference (page, anchor, file, url, space, …); `icon` is the name of an icon; a broken target
    has a title to show and no address. `new_tab` opens it in a tab of its own.
    """

    href: str
    title: str = ""
    kind: str = "url"
    icon: str = ""
    emoji: str = ""
    broken: bool = False
    new_tab: bool = False


class Picture(msgspec.Struct, frozen=True):
    """An image to show: its address and its own size in pixels, where known."""

    url: str
    width: int | None = None
    height: int | None = None


class Download(msgspec.Struct, frozen=True):
    """A file to fetch; size in bytes."""

    url: str
    name: str
    size: int = 0
    content_type: str = ""


class Heading(msgspec.Struct, frozen=True):
    """An entry of a page's outline: level 1 to 3, the anchor without `#`, plain text."""

    level: int
    id: str
    text: str


class Update(msgspec.Struct, frozen=True):
    """A piece of news: its anchor without `#`, its day (None where that cannot be read), its tags, the HTML of it.

    `blocks` are what the HTML was made of.
    """

    id: str
    day: date | None
    tags: list[str]
    html: str
    blocks: list[Node]


@dataclass(slots=True)
class Rendered:
    """HTML, the outline in reading order, and the names of what the page needs beside the basic style sheet.

    Needs: "mermaid", "math", "tabs", "code", "notes", "zoom", "buttons", and "embed:<origin>" for every foreign origin
    framed.
    """

    html: str
    outline: list[Heading] = field(default_factory=list)
    needs: set[str] = field(default_factory=set)
    updates: list[Update] = field(default_factory=list)
    """The pieces of news on the page, in its order."""


class Context(Protocol):
    """The surroundings of a document: what its references, expressions and names mean here.

    None means: leads nowhere. Addresses are plain (not escaped) and checked again by the renderer. What `icon`,
    `highlight` return goes into the page as it is: they escape what they are given.
    """

    def link(self, ref: Ref) -> Target | None:
        """Where a content reference leads."""

    def image(self, ref: Ref) -> Picture | None:
        """The picture that a reference names."""

    def file(self, ref: Ref) -> Download | None:
        """The file that a reference names."""

    def reusable(self, ref: Ref) -> Node | None:
        """The document of a reusable content."""

    def holds(self, expression: str) -> bool:
        """Whether a condition is true for this visitor."""

    def value(self, expression: str) -> str:
        """An expression's value as text."""

    def highlight(self, syntax: str, code: str) -> list[str] | None:
        """One complete HTML fragment for each line, or None to show the code plain."""

    def icon(self, name: str) -> str:
        """Inline SVG of an icon; "" for none."""

    def openapi(self, block: Node) -> Described | list[Model] | str | None:
        """What a swagger or openapi-* block shows: an operation, schemas, or a sentence that says why nothing is there;
        None where nobody knows."""

    def integration(self, block: Node) -> list[Node] | None:
        """What a block of an integration shows, as blocks; None where nothing was drawn."""

    def pressed(self, block: Node) -> tuple[str, str]:
        """Where buttons of an integration's block are pressed, and the token that goes there; "" where they cannot be."""

    def action(self, action: str, query: str) -> str:
        """The address that does what a button's action does without a script; "" for none."""

    def user(self, id_: str) -> str:
        """A person's name."""

    def tag(self, slug: str) -> str:
        """A tag's label."""

    def date(self, day: date, style: str) -> str:
        """A day in words; style: full, short or numeric."""

    def phrase(self, english: str) -> str:
        """One of the renderer's own few phrases in the reader's language."""


class PlainContext:
    """A context that knows only the document itself: web addresses and anchors work, conditions hold; to subclass."""

    def link(self, ref: Ref) -> Target | None:
        kind = ref.get("kind")
        if kind == "url":
            return Target(str(ref.get("url", "")), kind="url")
        if kind == "anchor" and not ref.get("page"):
            return Target("#" + str(ref.get("anchor", "")), kind="anchor")
        return None

    def image(self, ref: Ref) -> Picture | None:
        return Picture(str(ref.get("url", ""))) if ref.get("kind") == "url" else None

    def file(self, ref: Ref) -> Download | None:
        url = str(ref.get("url", "")) if ref.get("kind") == "url" else ""
        return Download(url, url.rpartition("/")[2] or url) if url else None

    def reusable(self, ref: Ref) -> Node | None:
        return None

    def holds(self, expression: str) -> bool:
        return True

    def value(self, expression: str) -> str:
        return ""

    def highlight(self, syntax: str, code: str) -> list[str] | None:
        return highlight(syntax, code)

    def icon(self, name: str) -> str:
        return ""

    def openapi(self, block: Node) -> Described | list[Model] | str | None:
        return None

    def integration(self, block: Node) -> list[Node] | None:
        return None

    def pressed(self, block: Node) -> tuple[str, str]:
        return "", ""

    def action(self, action: str, query: str) -> str:
        return ""

    def user(self, id_: str) -> str:
        return id_

    def tag(self, slug: str) -> str:
        return slug

    def date(self, day: date, style: str) -> str:
        if style == "numeric":
            return day.isoformat()
        return f"{day.day} {day:%b} {day.year}" if style == "short" else f"{day.day} {day:%B} {day.year}"

    def phrase(self, english: str) -> str:
        return english
