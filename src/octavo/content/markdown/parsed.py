"""What reading a page's text gives."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from octavo.content.document import Node, Ref

Resolve = Callable[[str], Ref | None]
"""What an address written in the text means: the address as written, unescaped, with its `#anchor`; None = unknown."""

TITLE = "title"
"""The name in `spans` of the heading that gives the page its title."""

FRONT = "front"
"""The name in `spans` of the front matter, fences included."""


@dataclass(frozen=True)
class Parsed:
    """A page read from its text.

    `spans` maps the key of a block to the half-open range of character offsets [start, end) of `source` that it came
    from, without the line break behind it. It holds every top-level block and every block inside tags and HTML
    containers, but none inside lists and quotes, whose text is indented. Blocks that came out of one piece of text
    together share one span: the slice stands for all of them. `TITLE` and `FRONT` name two more spans where the text
    has a title or front matter.

    A warning is a sentence that ends with "(line N)", N counted from 1.
    """

    front: dict[str, Any]
    title: str | None
    document: Node
    source: str
    spans: dict[str, tuple[int, int]]
    warnings: list[str]

    @property
    def body(self) -> int:
        """Where the text behind front matter and title begins."""
        return max(self.spans.get(FRONT, (0, 0))[1], self.spans.get(TITLE, (0, 0))[1])
