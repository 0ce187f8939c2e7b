"""What a site may know of its visitors: the schema of claims, and conditions that can be made of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta

from octavo.kernel import limits
from octavo.kernel.clock import iso
from octavo.kernel.records import Json
from octavo.wire.fields import Body, DateTime, Maybe, Shape
from octavo.wire.view import View

UNSIGNED = "Unsigned claims of the site visitor."
"""The one description that the claim `unsigned` has."""

Words = Annotated[str, Meta(max_length=limits.ADAPTIVE_TEXT_MAX)]
Name = Annotated[str, Meta(min_length=1, max_length=100)]


class _Declared(msgspec.Struct, tag_field="type", rename="camel", forbid_unknown_fields=True, frozen=True):
    """A part of a schema: with a field that it does not know it would promise more than it does."""


class BooleanClaim(_Declared, tag="boolean", frozen=True):
    description: Words


class NumberClaim(_Declared, tag="number", frozen=True):
    description: Words


class StringClaim(_Declared, tag="string", frozen=True):
    """Conditions can be suggested for one whose values are listed."""

    description: Words
    enum: Maybe[Annotated[list[Words], Meta(min_length=1, max_length=limits.ADAPTIVE_PROPERTIES_MAX)]] = UNSET


class ArrayClaim(_Declared, tag="array", frozen=True):
    description: Words
    items: BooleanClaim | NumberClaim | StringClaim


class ObjectClaim(_Declared, tag="object", frozen=True):
    description: Words
    properties: dict[Name, BooleanClaim | NumberClaim | StringClaim | ArrayClaim | ObjectClaim]
    additional_properties: bool

    def __post_init__(self) -> None:
        _closed(self.additional_properties)


Claim = BooleanClaim | NumberClaim | StringClaim | ArrayClaim | ObjectClaim


class JsonSchema(msgspec.Struct, rename="camel", forbid_unknown_fields=True, frozen=True):
    """JSON Schema, draft 07: an object of claims, and `unsigned` with those that visitors say of themselves."""

    type: Literal["object"]
    properties: dict[Name, BooleanClaim | NumberClaim | StringClaim | ArrayClaim | ObjectClaim]
    additional_properties: bool
    schema: Maybe[Literal["http://json-schema.org/draft-07/schema#"]] = msgspec.field(name="$schema", default=UNSET)
    id: Maybe[Words] = msgspec.field(name="$id", default=UNSET)

    def __post_init__(self) -> None:
        _closed(self.additional_properties)
        own = self.properties.get("unsigned")
        if own is not None and not (isinstance(own, ObjectClaim) and own.description == UNSIGNED):
            raise ValueError(f"Expected an object described as {UNSIGNED!r} - at `$.properties.unsigned`")
        depths = list(_depths(self.properties, 1))
        if len(depths) > limits.ADAPTIVE_PROPERTIES_MAX:
            raise ValueError(f"Expected at most {limits.ADAPTIVE_PROPERTIES_MAX} claims - at `$.properties`")
        if max(depths, default=0) > limits.ADAPTIVE_DEEPEST:
            raise ValueError(f"Expected claims at most {limits.ADAPTIVE_DEEPEST} deep - at `$.properties`")


def _closed(additional: bool) -> None:
    if additional:
        raise ValueError("Expected `false` - at `$.additionalProperties`")


def _depths(properties: Mapping[str, Claim], depth: int) -> Iterator[int]:
    for one in properties.values():
        yield depth
        if isinstance(one, ObjectClaim):
            yield from _depths(one.properties, depth + 1)


class UpdateAdaptiveSchema(Body, frozen=True):
    json_schema: JsonSchema


class AdaptiveSchema(Shape, tag_field="object", tag="site-adaptive-schema", frozen=True):
    json_schema: Json
    updated_at: DateTime


class TemplateCondition(Shape, frozen=True):
    description: str
    condition: str


class TemplateConditions(Shape, frozen=True):
    items: list[TemplateCondition]


class SchemaView(msgspec.Struct, frozen=True):
    schema: Json
    updated_at: int


def stored(schema: JsonSchema) -> Json:
    """The schema as it is kept and served: as it was sent."""
    made: dict[str, Any] = msgspec.to_builtins(schema)
    return made


def present(shown: SchemaView, view: View) -> AdaptiveSchema:
    """The schema as the API serves it."""
    return AdaptiveSchema(shown.schema, iso(shown.updated_at))


def present_conditions(found: list[tuple[str, str]], view: View) -> TemplateConditions:
    """Suggested conditions."""
    return TemplateConditions([TemplateCondition(*one) for one in found])
