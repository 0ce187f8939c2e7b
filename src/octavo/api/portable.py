"""Schemas as strict tools of every language read them: types beside enumerations, plain patterns, names that are words."""

from __future__ import annotations

import re
from typing import Any

from octavo.wire.fields import END

Json = dict[str, Any]

_REF = "#/components/schemas/"
_TYPES = {str: "string", bool: "boolean", int: "integer", float: "number", type(None): "null"}
_GENERIC = re.compile(r"(\w+?)_(.*)_")
_BETWEEN = re.compile(r"_{2,}")


def portable(schemas: dict[Any, Json], components: Json) -> tuple[dict[Any, Json], Json]:
    """What msgspec says of types, and the components that it names. Raises ValueError where two would have one name."""
    names = {name: plain_name(name) for name in components}
    if len(set(names.values())) < len(names):
        raise ValueError(f"two shapes have one name: {sorted(names.values())}")
    made = {names[name]: _portable(schema, names) for name, schema in components.items()}
    return {kind: _portable(schema, names) for kind, schema in schemas.items()}, made


def plain_name(name: str) -> str:
    """A component's name as one word.

    >>> plain_name("octavo.wire.people.invites.Invite")
    'Invite'
    >>> plain_name("Listing_Space_")
    'SpaceListing'
    >>> plain_name("Listing_octavo.wire.search.SpaceHits___octavo.wire.search.RecordHit_")
    'SpaceHitsOrRecordHitListing'
    """
    generic = _GENERIC.fullmatch(name)
    if generic is None:
        return name.rpartition(".")[2]
    return "Or".join(plain_name(part) for part in _BETWEEN.split(generic[2])) + generic[1]


def _portable(schema: Any, names: dict[str, str]) -> Any:
    if isinstance(schema, list):
        return [_portable(one, names) for one in schema]
    if not isinstance(schema, dict):
        return schema
    made = {key: _portable(value, names) for key, value in schema.items()}
    values = schema.get("enum")
    if isinstance(values, list) and "type" not in schema:
        types = list(dict.fromkeys(_TYPES[type(value)] for value in values))
        made["type"] = types[0] if len(types) == 1 else types
    if schema.get("type") == "array":
        made.setdefault("items", {})
    # Python alone needs to be told that no line break may follow.
    if isinstance(pattern := schema.get("pattern"), str):
        made["pattern"] = pattern.replace(END, "$")
    if isinstance(ref := schema.get("$ref"), str):
        made.pop("type", None)  # the reference says it
        made["$ref"] = _REF + names[ref.removeprefix(_REF)]
    if "propertyName" in schema and isinstance(mapping := schema.get("mapping"), dict):
        made["mapping"] = {tag: _REF + names[ref.removeprefix(_REF)] for tag, ref in mapping.items()}
    return made
