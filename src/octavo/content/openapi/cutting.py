"""A document of OpenAPI 3, cut into parts: an index, each operation, and whatever a reference or a page names.

A part names others by reference, so that every part is about as large as it was written, however often it is named.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote

import msgspec

from octavo.content.openapi.index import INDEX, SCHEMAS, SCHEMES, Index, Operation, Part, Tag
from octavo.content.openapi.reading import Unreadable
from octavo.content.openapi.upgrade import METHODS

Json = dict[str, Any]

DEEPEST = 8
"""References behind one another that a part of an operation names what it needs for."""
MOST = 400
"""Parts that one operation needs; a reader sees the names of further ones."""
HOPS = 32
"""References that lead to nothing but a reference."""
HIDDEN = ("x-internal", "x-hidden", "x-gitbook-ignore", "x-octavo-ignore")
TITLE_MAX = 200


class Cut(msgspec.Struct):
    """What came of a document."""

    index: Index
    parts: dict[str, bytes]
    """By name, `index` among them; each is JSON."""
    faults: list[tuple[str, str]]
    """What is not as it should be: (code, sentence)."""


def cut(document: Json, most: int) -> Cut:
    """The parts of a document. Raises Unreadable for one of more than `most` operations."""
    return _Cutter(document, most).run()


class _Cutter:
    def __init__(self, document: Json, most: int) -> None:
        self._document = document
        self._most = most
        self._faults: dict[str, tuple[str, str]] = {}
        self._found: dict[str, Any] = {}
        """What references lead to, by reference; None where that is nowhere."""
        self._named: dict[str, tuple[str, ...]] = {}
        """The references in what a reference leads to."""
        self._parts: dict[str, bytes] = {}

    def run(self) -> Cut:
        operations = [*self._operations("paths"), *self._operations("webhooks")]
        schemas = [name for name, one in _objects(self._component("schemas")) if not _is_hidden(one)]
        for name in schemas:
            self._target(SCHEMAS + _escaped(name))
        schemes = [name for name, _ in _objects(self._component("securitySchemes"))]
        for name in schemes:
            self._target(SCHEMES + _escaped(name))
        self._reach()
        info = self._document.get("info")
        info = info if isinstance(info, dict) else {}
        if not _text(info.get("title")):
            self._fault("INFO", "`info.title` is missing: pages call the API by it.")
        index = Index(
            title=_text(info.get("title"))[:TITLE_MAX] or "API",
            version=_text(info.get("version")),
            description=_text(info.get("description")),
            openapi=_text(self._document.get("openapi")),
            servers=_list(self._document.get("servers")),
            tags=self._tags(operations),
            operations=operations,
            schemas=schemas,
            schemes=schemes,
        )
        parts = {name: msgspec.json.encode(value) for name, value in self._found.items() if value is not None}
        parts |= self._parts | {INDEX: msgspec.json.encode(index)}
        return Cut(index, parts, list(self._faults.values()))

    def _component(self, kind: str) -> Any:
        components = self._document.get("components")
        return components.get(kind) if isinstance(components, dict) else None

    def _fault(self, code: str, sentence: str) -> None:
        self._faults.setdefault(sentence, (code, sentence))

    # Operations

    def _operations(self, kind: str) -> list[Operation]:
        made: list[Operation] = []
        given = self._document.get(kind) or {}
        for path, item in given.items():
            where = f"{kind}.{path}"
            if not isinstance(item, dict):
                if not path.startswith("x-"):
                    self._fault("PATH", f"`{where}` is no object.")
                continue
            item = self._followed(item, where)
            if kind == "paths" and not path.startswith(("/", "x-")):
                self._fault("PATH", f"`{where}` does not begin with a slash.")
            for method in METHODS:
                operation = item.get(method)
                if operation is None or _is_hidden(item) or (isinstance(operation, dict) and _is_hidden(operation)):
                    continue
                if not isinstance(operation, dict):
                    self._fault("OPERATION", f"`{where}.{method}` is no object.")
                    continue
                made.append(self._operation(path, method, item, operation, webhook=kind == "webhooks"))
                if len(made) > self._most:
                    raise Unreadable(f"It describes more than {self._most:,} operations.")
        return made

    def _operation(self, path: str, method: str, item: Json, operation: Json, *, webhook: bool) -> Operation:
        where = f"{'webhooks' if webhook else 'paths'}.{path}.{method}"
        summary = _text(operation.get("summary")) or _text(item.get("summary"))
        named = _text(operation.get("operationId"))
        if not isinstance(operation.get("responses"), dict) and not webhook:
            self._fault("OPERATION", f"`{where}` has no `responses`.")
        made = Operation(
            method=method,
            path=path,
            title=(summary or _spoken(named) or f"{method.upper()} {path}")[:TITLE_MAX],
            tags=[one for one in _list(operation.get("tags")) if isinstance(one, str)],
            summary=summary,
            id=named,
            deprecated=operation.get("deprecated") is True,
            webhook=webhook,
        )
        whole = dict(operation) | {"parameters": self._parameters(item, operation)}
        for name in ("servers", "description"):
            if not whole.get(name) and item.get(name):
                whole[name] = item[name]
        for name in ("servers", "security"):
            if name not in whole and self._document.get(name) is not None and not webhook:
                whole[name] = self._document[name]
        needs = self._needed(whole, where)
        needs += [ref for ref in self._schemes(whole) if ref not in needs]
        self._parts[made.part] = msgspec.json.encode(Part(whole, needs))
        return made

    def _parameters(self, item: Json, operation: Json) -> list[Json]:
        """The operation's own, behind those of its path that it does not say anew."""
        own = [one for one in _list(operation.get("parameters")) if isinstance(one, dict)]
        said = {self._name(one) for one in own}
        shared = [one for one in _list(item.get("parameters")) if isinstance(one, dict)]
        return [*(one for one in shared if self._name(one) not in said), *own]

    def _name(self, parameter: Json) -> tuple[Any, Any]:
        one = self._followed(parameter, "parameters")
        return str(one.get("in")), str(one.get("name"))

    def _schemes(self, operation: Json) -> list[str]:
        """The parts of the security schemes that an operation names."""
        named = {name: None for one in _list(operation.get("security")) if isinstance(one, dict) for name in one}
        refs = [SCHEMES + _escaped(name) for name in named]
        return [ref for ref in refs if self._target(ref, "security") is not None]

    def _tags(self, operations: list[Operation]) -> list[Tag]:
        """Those that are described, then those that operations name."""
        made: dict[str, Tag] = {}
        for one in _list(self._document.get("tags")):
            if isinstance(one, dict) and _text(one.get("name")) and not _is_hidden(one):
                name = _text(one["name"])
                title = _text(one.get("x-page-title")) or _text(one.get("x-displayName")) or _text(one.get("summary"))
                made[name] = Tag(
                    name=name,
                    title=(title or name)[:TITLE_MAX],
                    description=_text(one.get("x-page-description")) or _text(one.get("description")),
                    parent=_text(one.get("parent")) or _text(one.get("x-parent")),
                    icon=_text(one.get("x-page-icon")),
                    emoji=_text(one.get("x-page-emoji")),
                )
        for operation in operations:
            for name in operation.tags:
                made.setdefault(name, Tag(name=name, title=name[:TITLE_MAX]))
        return list(made.values())

    # References

    def _needed(self, value: Any, where: str) -> list[str]:
        """The references in a value, and those in what they lead to, the nearest first."""
        found: dict[str, None] = {}
        waiting = list(_references(value))
        for _ in range(DEEPEST):
            following: list[str] = []
            for ref in waiting:
                if ref in found:
                    continue
                if len(found) >= MOST:
                    return list(found)
                if self._target(ref, where) is not None:
                    found[ref] = None
                    following += self._named[ref]
            waiting = following
        return list(found)

    def _reach(self) -> None:
        """Make parts of everything that parts name, whatever led to them."""
        waiting = [ref for named in self._named.values() for ref in named]
        while waiting:
            ref = waiting.pop()
            if ref not in self._found and self._target(ref) is not None:
                waiting += self._named[ref]

    def _target(self, ref: str, where: str = "") -> Any:
        """What a reference leads to; None where that is nowhere, which is told."""
        if ref not in self._found:
            value = self._looked_up(ref)
            self._found[ref] = value
            self._named[ref] = () if value is None else tuple(dict.fromkeys(_references(value)))
            if value is None:
                told = f" (first in `{where}`)" if where else ""
                if ref.startswith("#"):
                    self._fault("REFERENCE", f"`{ref[:200]}`{told} leads nowhere.")
                else:
                    self._fault("REFERENCE", f"`{ref[:200]}`{told} leads out of the text, and is not followed.")
        return self._found[ref]

    def _looked_up(self, ref: str) -> Any:
        if not ref.startswith("#/"):
            return None
        value: Any = self._document
        for word in ref[2:].split("/"):
            word = unquote(word).replace("~1", "/").replace("~0", "~")
            if isinstance(value, list):
                value = value[int(word)] if word.isdecimal() and len(word) < 8 and int(word) < len(value) else None
            else:
                value = value.get(word) if isinstance(value, dict) else None
        return value if isinstance(value, dict) else None

    def _followed(self, value: Json, where: str) -> Json:
        """What is meant where a reference may stand instead; what it says beside the reference counts too."""
        beside: Json = {}
        for _ in range(HOPS):
            ref = value.get("$ref")
            if not isinstance(ref, str):
                return value | beside
            beside = {name: held for name, held in value.items() if name != "$ref"} | beside
            found = self._target(ref, where)
            if found is None:
                return beside
            value = found
        self._fault("REFERENCE", f"`{where}` refers to itself.")
        return beside


def _references(value: Any) -> Iterator[str]:
    """The references in a value, in its order."""
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict):
            ref = one.get("$ref")
            if isinstance(ref, str):
                yield ref
            waiting += reversed(one.values())
        elif isinstance(one, list):
            waiting += reversed(one)


def _spoken(name: str) -> str:
    """An operation's id as words: `listUserKeys` is "List user keys"."""
    words = "".join(
        f" {letter.lower()}" if letter.isupper() and not before.isupper() else letter
        for before, letter in zip(" " + name, name, strict=False)
    )
    words = " ".join(words.replace("_", " ").replace("-", " ").replace(".", " ").split())
    return words[:1].upper() + words[1:]


def _escaped(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")


def _is_hidden(value: Json) -> bool:
    return any(value.get(name) is True for name in HIDDEN)


def _objects(given: Any) -> list[tuple[str, Json]]:
    return [(name, one) for name, one in given.items() if isinstance(one, dict)] if isinstance(given, dict) else []


def _list(given: Any) -> list[Any]:
    return given if isinstance(given, list) else []


def _text(given: Any) -> str:
    return (
        given.strip()
        if isinstance(given, str)
        else ""
        if given is None or isinstance(given, dict | list)
        else str(given)
    )
