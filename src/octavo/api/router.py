"""The router: a trie of path segments, so that finding an operation does not cost more when there are more of them."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import unquote

from octavo.kernel.errors import BadRequest, NotAllowed, NotFound
from octavo.kernel.operation import AnyOperation

_ALSO = {"/orgs/{organization}/imports": "/org/{organization}/imports"}
"""How paths begin that clients of the official description write otherwise; they serve as well."""


class _Node:
    __slots__ = ("fixed", "greedy", "operations", "word")

    def __init__(self) -> None:
        self.fixed: dict[str, _Node] = {}
        self.word: _Node | None = None
        self.greedy = False
        self.operations: dict[str, AnyOperation] = {}


class Router:
    """Path -> operation and the words in it. A last segment written `{name...}` takes all that is left."""

    def __init__(self, operations: Iterable[AnyOperation]) -> None:
        self._top = _Node()
        for operation in operations:
            self._add(operation.path, operation)
            for begins, also in _ALSO.items():
                if operation.path.startswith(begins):
                    self._add(also + operation.path.removeprefix(begins), operation)

    def _add(self, path: str, operation: AnyOperation) -> None:
        node = self._top
        for segment in path.strip("/").split("/") if path != "/" else ():
            if not segment.startswith("{"):
                node = node.fixed.get(segment) or node.fixed.setdefault(segment, _Node())
                continue
            if node.word is None:
                node.word = _Node()
            node = node.word
            node.greedy = node.greedy or segment.endswith("...}")
        if operation.method in node.operations:
            raise ValueError(f"two operations at {operation.method} {path}")
        node.operations[operation.method] = operation

    def find(self, method: str, raw_path: str) -> tuple[AnyOperation, list[str]]:
        """The operation and its words, percent-decoded, for a path without the version prefix.

        Raises NotFound for an unknown path, NotAllowed for an unknown method of a known one.
        """
        node = self._top
        words: list[str] = []
        segments = raw_path.strip("/").split("/") if raw_path.strip("/") else []
        for at, segment in enumerate(segments):
            following = node.fixed.get(segment)
            if following is None:
                following = node.word
                if following is None:
                    raise NotFound(f"there is nothing at /v1{raw_path[:200]}")
                if following.greedy:
                    words.append(_decoded("/".join(segments[at:])))
                    node = following
                    break
                words.append(_decoded(segment))
            node = following
        if not node.operations and node.word is not None and node.word.greedy:
            words.append("")
            node = node.word
        operation = node.operations.get("GET" if method == "HEAD" else method)
        if operation is None:
            if not node.operations:
                raise NotFound(f"there is nothing at /v1{raw_path[:200]}")
            raise NotAllowed(f"{method} is not possible here", sorted(node.operations))
        return operation, words


def _decoded(segment: str) -> str:
    if "%" not in segment:
        return segment
    word = unquote(segment, errors="surrogateescape")
    if "\x00" in word or (not word.isprintable() and any(0xD800 <= ord(char) <= 0xDFFF for char in word)):
        raise BadRequest("the path holds bytes that are no text")
    return word
