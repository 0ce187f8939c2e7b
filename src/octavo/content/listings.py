"""Code blocks as text, and the names under which their highlighting is kept."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import blake2b

import pygments

from octavo.content.document import Node, plain, walk
from octavo.content.highlight import highlight

_VERSION = f"2 {pygments.__version__}"


def code_of(block: Node) -> str:
    """The characters of a code block, lines joined by newlines."""
    return "\n".join(plain(line) for line in block.get("nodes", ()))


def highlight_key(syntax: str, code: str) -> bytes:
    """The name of a highlighted listing; another highlighter gives other names."""
    return blake2b(f"{_VERSION}\n{syntax}\n{code}".encode("utf-8", "surrogatepass"), digest_size=20).digest()


def listings(document: Node) -> Iterator[tuple[str, str]]:
    """(syntax, code) of every code block that has a language."""
    for node in walk(document):
        if node.get("type") == "code" and (syntax := str(node["data"].get("syntax") or "").strip()):
            yield syntax, code_of(node)


def highlighted(document: Node) -> Iterator[tuple[bytes, list[str]]]:
    """Every code block of a document: the name of its highlighting, and its lines as HTML."""
    for syntax, code in listings(document):
        if syntax.lower() != "mermaid":
            yield highlight_key(syntax, code), highlight(syntax, code)
