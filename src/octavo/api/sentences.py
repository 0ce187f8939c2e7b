"""What msgspec says of a body or a query that does not fit, as a sentence that names what is allowed."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import inspect

from octavo.wire.fields import PATTERNS

_TOKEN = re.compile(r"\[[^\]]*\]|[^.\[\]]+")
_NAMES = {
    "str": "a text", "int": "a whole number", "float": "a number", "bool": "true or false", "array": "a list",
    "object": "an object", "null": "null", "datetime": "a time",
}  # fmt: skip
_KIND = r"`([\w |]+)`"
_BOUND = re.compile(rf"Expected {_KIND} (of length )?(>=|<=|>|<) (\S+)")
_OTHER = re.compile(rf"Expected {_KIND}, got {_KIND}")
_REGEX = re.compile(r"Expected `str` matching regex (.*)", re.DOTALL)
_VALUE = re.compile(r"Invalid (?:enum )?value (.*)", re.DOTALL)
_MISSING = re.compile(r"Object missing required field `([^`]*)`")
_BOUNDS = {">=": "at least", "<=": "at most", ">": "more than", "<": "less than"}
_COUNTED = {"str": "character", "array": "item", "object": "entry"}
MOMENT = "expected a time with an offset, as in 2026-01-31T12:00:00Z"
_LONGEST = 100
"""Characters of a wrong value that are said again."""


def sentence(error: msgspec.ValidationError, kind: Any) -> str:
    """`field: what is wrong`, of what was read as `kind`."""
    # A struct that checks itself names the place in it, and msgspec its own place behind that.
    text, *places = str(error).split(" - at `$")
    field = "".join(place.removesuffix("`") for place in reversed(places)).lstrip(".")
    if missing := _MISSING.fullmatch(text):
        return f"{field}{'.' if field else ''}{missing[1]}: this field is required"
    said = _said(text, kind, field)
    return f"{field}: {said[:1].lower()}{said[1:]}" if field else f"the body: {said}" if said != text else text


def _said(text: str, kind: Any, field: str) -> str:
    if found := _REGEX.fullmatch(text):
        words = next((words for pattern, words in PATTERNS.items() if repr(pattern) == found[1]), None)
        return f"expected {words or f'a text that matches {found[1]}'}"
    if found := _VALUE.fullmatch(text):
        allowed = list(dict.fromkeys(_allowed(kind, field)))
        named = f"; allowed is {_or(allowed)}" if allowed else ""
        return f"{found[1][:_LONGEST]} is not allowed here{named}"
    if found := _BOUND.fullmatch(text):
        return f"expected {_bounded(found[1], bool(found[2]), found[3], found[4])}"
    if found := _OTHER.fullmatch(text):
        return f"expected {_kinds(found[1])}, got {_kinds(found[2])}"
    return MOMENT if text.startswith("Invalid RFC3339") else text


def _bounded(kind: str, length: bool, sign: str, bound: str) -> str:
    if not length:
        return f"{_kinds(kind)} of {_BOUNDS[sign]} {bound}"
    counted = _COUNTED.get(kind, "item")
    plural = "" if bound == "1" else "s"
    return f"{_BOUNDS[sign]} {bound} {counted}{plural}"


def _kinds(words: str) -> str:
    return " or ".join(_NAMES.get(word, word) for word in words.split(" | "))


def _or(values: list[str]) -> str:
    return values[0] if len(values) == 1 else f"{', '.join(values[:-1])} or {values[-1]}"


def _allowed(kind: Any, field: str) -> Iterator[str]:
    """The values that the field may have, of an enumeration or as the tag of a union."""
    holding, found = [], [_type_of(kind)]
    # The name of a field may have dots: `format.markdown.refs`.
    names = [field] if any(_below(_type_of(kind), field)) else _TOKEN.findall(field)
    for name in names:
        holding = [*_flat(found)]
        found = [below for one in holding for below in _below(one, name)]
    for one in holding:
        if isinstance(one, inspect.StructType) and one.tag_field == names[-1]:
            yield str(one.tag)
    for one in _flat(found):
        if isinstance(one, inspect.LiteralType):
            yield from (str(value) for value in one.values)
        elif isinstance(one, inspect.NoneType):
            yield "null"
        elif isinstance(one, inspect.BoolType):
            yield from ("true", "false")


@functools.cache
def _type_of(kind: Any) -> inspect.Type:
    return inspect.type_info(kind)


def _flat(types: list[inspect.Type]) -> Iterator[inspect.Type]:
    """Without unions and remarks around them."""
    for one in types:
        if isinstance(one, inspect.UnionType):
            yield from _flat(list(one.types))
        elif isinstance(one, inspect.Metadata):
            yield from _flat([one.type])
        else:
            yield one


def _below(one: inspect.Type, token: str) -> Iterator[inspect.Type]:
    if isinstance(one, inspect.StructType):
        yield from (field.type for field in one.fields if field.encode_name == token)
    elif token.startswith("["):
        if isinstance(one, inspect.ListType):
            yield one.item_type
        elif isinstance(one, inspect.DictType):
            yield one.value_type
