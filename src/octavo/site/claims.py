"""Claims: what is known of a visitor, of what the site's schema declares and as it declares it; everything else is dropped."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from octavo.kernel.records import Json

UNSIGNED = "unsigned"
"""The claim that holds what visitors say of themselves."""
LONGEST = 100
"""Entries of a list that is a claim."""

_NOTHING = object()
_IDENTIFIER = re.compile(r"[A-Za-z_$][A-Za-z0-9_$]*\Z")


def filtered(schema: Json, signed: Mapping[str, Any], unsigned: Mapping[str, Any]) -> Json:
    """What holds of a visitor: nothing that the schema does not declare, and nothing of another type."""
    properties = schema.get("properties", {})
    claims = _members({name: one for name, one in properties.items() if name != UNSIGNED}, signed)
    said = _members(_unsigned(schema), unsigned)
    return claims | {UNSIGNED: said} if said else claims


def ignored(schema: Json, given: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """What `filtered` leaves out of claims as a token has them, `unsigned` among them: the way to each, and what the schema
    says of it in a few words."""
    properties = schema.get("properties", {})
    for name, value in given.items():
        yield from _ignored(name, properties.get(name), value)


def _ignored(path: str, kind: Json | None, value: Any) -> Iterator[tuple[str, str]]:
    if kind is None:
        yield path, "the schema does not declare it"
    elif kind["type"] == "object" and isinstance(value, dict):
        for name, one in value.items():
            yield from _ignored(f"{path}.{name}", kind["properties"].get(name), one)
    elif _value(kind, value) is _NOTHING:
        yield path, f"the schema wants {_wanted(kind)}"


def _wanted(kind: Json) -> str:
    match kind["type"]:
        case "boolean":
            return "true or false"
        case "number":
            return "a number"
        case "array":
            return f"a list of at most {LONGEST}, of which each is {_wanted(kind['items'])}"
        case "string" if "enum" in kind:
            return " or ".join(_quoted(value) for value in kind["enum"])
        case "string":
            return "a text"
    return "an object"


def said(schema: Json, fields: Mapping[str, list[str]]) -> Json:
    """What fields such as `visitor.plan=pro` say, as far as the schema lets visitors say it; values are JSON or text."""
    made: Json = {}
    for name, values in fields.items():
        kind: Any = {"type": "object", "properties": _unsigned(schema)}
        path = name.split(".")[1:]
        for part in path:
            kind = kind.get("properties", {}).get(part) if isinstance(kind, dict) else None
        value = _read(kind, values[-1]) if isinstance(kind, dict) and path else _NOTHING
        if value is not _NOTHING:
            at = made
            for part in path[:-1]:
                at = at.setdefault(part, {})
            at[path[-1]] = value
    return made


def _unsigned(schema: Json) -> Mapping[str, Any]:
    found: Mapping[str, Any] = schema.get("properties", {}).get(UNSIGNED, {}).get("properties", {})
    return found


def _read(kind: Json, text: str) -> Any:
    try:
        value = _value(kind, msgspec.json.decode(text))
    except (msgspec.DecodeError, RecursionError):
        value = _NOTHING
    return _value(kind, text) if value is _NOTHING else value


def _members(declared: Mapping[str, Any], given: Mapping[str, Any]) -> Json:
    found = {name: _value(kind, given[name]) for name, kind in declared.items() if name in given}
    return {name: value for name, value in found.items() if value is not _NOTHING}


def _value(kind: Json, value: Any) -> Any:
    """The value where it is of that kind."""
    match kind["type"]:
        case "boolean" if isinstance(value, bool):
            return value
        case "number" if isinstance(value, int | float) and not isinstance(value, bool):
            # Beyond that numbers are not told from one another.
            return value if abs(value) < 1 << 53 else _NOTHING
        case "string" if isinstance(value, str):
            return value if value in kind.get("enum", (value,)) and _is_text(value) else _NOTHING
        case "array" if isinstance(value, list) and len(value) <= LONGEST:
            items = [_value(kind["items"], one) for one in value]
            return _NOTHING if any(one is _NOTHING for one in items) else items
        case "object" if isinstance(value, dict):
            return _members(kind["properties"], value)
    return _NOTHING


def _is_text(value: str) -> bool:
    """Not with half of a surrogate pair, which JSON may hold and no text may."""
    return value.isascii() or not any("\ud800" <= character <= "\udfff" for character in value)


def suggestions(schema: Json) -> Iterator[tuple[str, str]]:
    """Conditions that the schema makes possible: what each asks, and its expression."""
    yield from _suggested("visitor.claims", "", schema.get("properties", {}))


def _suggested(above: str, named: str, properties: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for name, kind in properties.items():
        expression = f"{above}.{name}" if _IDENTIFIER.match(name) else f"{above}[{_quoted(name)}]"
        title = f"{named}{name}"
        match kind["type"]:
            case "boolean":
                yield f"{title} is true", f"{expression} == true"
            case "string":
                for value in kind.get("enum", ()):
                    yield f"{title} is {value}", f"{expression} == {_quoted(value)}"
            case "array":
                for value in kind["items"].get("enum", ()):
                    yield f"{title} has {value}", f"{expression}.includes({_quoted(value)})"
            case "object":
                yield from _suggested(expression, f"{title}.", kind["properties"])


def _quoted(text: str) -> str:
    return msgspec.json.encode(text).decode()
