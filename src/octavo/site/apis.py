"""What the blocks of pages show of API descriptions: the parts that they name, read from the newest versions."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any, NamedTuple

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
"""Parts that are read of schemas beside themselves."""
SCHEMAS_MAX = 1_000
"""That one block shows, as many as have pages of their own."""

Parts = Mapping[str, bytes]
"""What a description holds, by name."""
Shown = Described | list[Model] | str
_PART: msgspec.json.Decoder[Part] = msgspec.json.Decoder(Part)
_JSON: msgspec.json.Decoder[Json] = msgspec.json.Decoder(dict[str, Any])


def blocks_of(documents: Iterable[Node]) -> list[Node]:
    """The blocks that show something of an API."""
    return [node for one in documents for node in walk(one) if node.get("type") in BLOCKS]


class _Source(NamedTuple):
    """Where the parts of an API description come from."""

    name: str
    parts: Callable[[Iterable[str]], Awaitable[Mapping[str, bytes]]]


async def shown_by(
    unit: Unit, specs: Mapping[str, NewestSpec], blocks: Iterable[Node], files: Mapping[str, Parts | str] = {}
) -> dict[bytes, Shown]:
    """What each block shows, by `key_of` it. `files` are those of the space that blocks name, by id: their parts, or a sentence
    why there are none."""
    made: dict[bytes, Shown] = {}
    for node in blocks:
        if (key := key_of(node)) not in made:
            source = _source(unit, specs, files, node["data"].get("ref"))
            made[key] = source if isinstance(source, str) else await _shown(source, node["data"], str(node["type"]))
    return made


async def shown_in(parts: Parts, name: str, blocks: Iterable[Node]) -> dict[bytes, Shown]:
    """The same where all blocks name one description that is at hand; `name` is what a sentence calls it."""
    source = _Source(name, partial(_held, parts))
    found = {key_of(node): node for node in blocks}
    return {key: await _shown(source, node["data"], str(node["type"])) for key, node in found.items()}


def key_of(node: Node) -> bytes:
    """The same for blocks that show the same."""
    data = node["data"]
    named = [data.get(name) for name in ("ref", "path", "name", "method", "schemas")]
    return msgspec.json.encode([node["type"], *named], order="deterministic")


async def _shown(source: _Source, data: Json, kind: str) -> Shown:
    if kind == "openapi-schemas":
        return await _models(source, [str(one) for one in data.get("schemas") or ()])
    webhook = kind == "openapi-webhook"
    path, method = str(data.get("name" if webhook else "path") or ""), str(data.get("method") or "").lower()
    return await _operation(source, method, path, webhook=webhook) or (
        f"The API description {source.name} has no {'webhook' if webhook else 'operation'} {method.upper()} {path}."
    )


async def _operation(source: _Source, method: str, path: str, *, webhook: bool) -> Described | None:
    """An operation of a description, or a webhook by its name."""
    name = part_of(method, path, webhook=webhook)
    found = (await source.parts([name])).get(name)
    if found is None:
        return None
    part = _PART.decode(found)
    parts = {key: _JSON.decode(data) for key, data in (await source.parts(part.needs)).items()}
    said = part.operation
    title = str(said.get("summary") or "").strip() or str(said.get("operationId") or "") or f"{method.upper()} {path}"
    return Describer(parts).operation(said, method, path, title[:200], webhook=webhook)


async def _models(source: _Source, names: list[str]) -> list[Model] | str:
    if len(names) > SCHEMAS_MAX:
        return f"This block names {len(names):,} schemas; one shows {SCHEMAS_MAX:,} at most."
    refs = [SCHEMAS + name.replace("~", "~0").replace("/", "~1") for name in names]
    parts = await _reached(source, refs)
    describer = Describer(parts)
    found = [describer.model(name, {"$ref": ref}) for name, ref in zip(names, refs, strict=False) if ref in parts]
    return found or f"The API description {source.name} has no schema {', '.join(names) or 'that is named here'}."


async def _reached(source: _Source, refs: list[str]) -> dict[str, Json]:
    """These parts and what their references lead to, a query a level."""
    made: dict[str, Json] = {}
    waiting = refs
    for _ in range(DEEPEST):
        wanted = [one for one in dict.fromkeys(waiting) if one not in made][: MOST + len(refs) - len(made)]
        found = await source.parts(wanted)
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


def _source(unit: Unit, specs: Mapping[str, NewestSpec], files: Mapping[str, Parts | str], ref: Any) -> _Source | str:
    """The description that a block names: a specification by its slug, or by the address that it comes from, or a file of
    the space. A sentence where there is none."""
    ref = ref if isinstance(ref, dict) else {}
    if ref.get("kind") == "file":
        known = files.get(str(ref.get("file")), "The file that describes this API is not among those of the space.")
        return known if isinstance(known, str) else _Source("of the file", partial(_held, known))
    if ref.get("kind") == "url":
        spec = next((one for one in specs.values() if one.source_url == ref.get("url")), None)
    else:
        spec = specs.get(str(ref.get("spec")))
    if spec is None:
        named = str(ref.get("spec") or ref.get("url") or "")
        return f"There is no API description {named!r}, or it has not been read yet."
    return _Source(repr(spec.slug), partial(unit.openapi.parts, spec.id))


async def _held(parts: Parts, names: Iterable[str]) -> Mapping[str, bytes]:
    return {name: parts[name] for name in names if name in parts}
