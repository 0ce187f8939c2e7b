"""What the blocks of pages show of API descriptions: the parts that they name, read from the newest versions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

from octavo.content.document import Node, walk
from octavo.content.openapi.describing import Described, Describer, Json, Model
from octavo.content.openapi.index import SCHEMAS, Part, part_of
from octavo.kernel.records.openapi import NewestSpec
from octavo.store.unit import Unit

BLOCKS = frozenset(("openapi-operation", "openapi-webhook", "openapi-schemas", "swagger"))
DEEPEST = 5
"""References behind one another that are read of a schema."""
MOST = 300
"""Parts that are read of one schema."""
SCHEMAS_MAX = 50
"""That one block shows."""

Shown = Described | list[Model] | str
_PART: msgspec.json.Decoder[Part] = msgspec.json.Decoder(Part)
_JSON: msgspec.json.Decoder[Json] = msgspec.json.Decoder(dict[str, Any])


def blocks_of(documents: Iterable[Node]) -> list[Node]:
    """The blocks that show something of an API."""
    return [node for one in documents for node in walk(one) if node.get("type") in BLOCKS]


async def shown_by(unit: Unit, specs: Mapping[str, NewestSpec], blocks: Iterable[Node]) -> dict[bytes, Shown]:
    """What each block shows, by `key_of` it."""
    made: dict[bytes, Shown] = {}
    for node in blocks:
        if (key := key_of(node)) not in made:
            made[key] = await _shown(unit, specs, node["data"], str(node["type"]))
    return made


def key_of(node: Node) -> bytes:
    """The same for blocks that show the same."""
    data = node["data"]
    named = [data.get(name) for name in ("ref", "path", "name", "method", "schemas")]
    return msgspec.json.encode([node["type"], *named], order="deterministic")


async def _shown(unit: Unit, specs: Mapping[str, NewestSpec], data: Json, kind: str) -> Shown:
    spec = _spec(specs, data.get("ref"))
    if spec is None:
        named = _named(data.get("ref"))
        return f"There is no API description {named!r}, or it has not been read yet."
    if kind == "openapi-schemas":
        return await _models(unit, spec, [str(one) for one in data.get("schemas") or ()])
    webhook = kind == "openapi-webhook"
    path, method = str(data.get("name" if webhook else "path") or ""), str(data.get("method") or "").lower()
    return await operation(unit, spec, method, path, webhook=webhook) or (
        f"The API description {spec.slug!r} has no {'webhook' if webhook else 'operation'} {method.upper()} {path}."
    )


async def operation(unit: Unit, spec: NewestSpec, method: str, path: str, *, webhook: bool = False) -> Described | None:
    """An operation of a specification, or a webhook by its name."""
    name = part_of(method, path, webhook=webhook)
    found = (await unit.openapi.parts(spec.id, [name])).get(name)
    if found is None:
        return None
    part = _PART.decode(found)
    parts = {key: _JSON.decode(data) for key, data in (await unit.openapi.parts(spec.id, part.needs)).items()}
    said = part.operation
    title = str(said.get("summary") or "").strip() or str(said.get("operationId") or "") or f"{method.upper()} {path}"
    return Describer(parts).operation(said, method, path, title[:200], webhook=webhook)


async def _models(unit: Unit, spec: NewestSpec, names: list[str]) -> list[Model] | str:
    refs = [SCHEMAS + name.replace("~", "~0").replace("/", "~1") for name in names[:SCHEMAS_MAX]]
    parts = await _reached(unit, spec, refs)
    describer = Describer(parts)
    found = [describer.model(name, {"$ref": ref}) for name, ref in zip(names, refs, strict=False) if ref in parts]
    return found or f"The API description {spec.slug!r} has no schema {', '.join(names) or 'that is named here'}."


async def _reached(unit: Unit, spec: NewestSpec, refs: list[str]) -> dict[str, Json]:
    """These parts and what their references lead to, a query a level."""
    made: dict[str, Json] = {}
    waiting = refs
    for _ in range(DEEPEST):
        wanted = [one for one in dict.fromkeys(waiting) if one not in made][: MOST - len(made)]
        found = await unit.openapi.parts(spec.id, wanted)
        fresh = {name: _JSON.decode(data) for name, data in found.items()}
        made |= fresh
        waiting = [ref for one in fresh.values() for ref in _references(one)]
    return made


def _references(value: Any) -> Iterator[str]:
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict):
            if isinstance(one.get("$ref"), str):
                yield one["$ref"]
            waiting += one.values()
        elif isinstance(one, list):
            waiting += one


def _spec(specs: Mapping[str, NewestSpec], ref: Any) -> NewestSpec | None:
    """The specification that a block names by its slug; older blocks name one by the address that it comes from."""
    if not isinstance(ref, dict):
        return None
    if ref.get("kind") == "url":
        return next((one for one in specs.values() if one.source_url == ref.get("url")), None)
    return specs.get(str(ref.get("spec")))


def _named(ref: Any) -> str:
    return str(ref.get("spec") or ref.get("url") or "") if isinstance(ref, dict) else ""
