"""A part of a specification as a reader is told of it: schemas become fields in one another, whatever they are made of.

Schemas may contain themselves, and be larger than anybody reads: what lies deep, and what is too much, is named only.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from octavo.content.openapi.schemes import Scheme, scheme_of

Json = dict[str, Any]
Parts = Mapping[str, Json]
"""What references lead to, by reference."""

DEEPEST = 7
"""Objects in one another that are described."""
MOST = 250
"""Fields that one operation shows; further ones are left out, and it says so."""
EXAMPLES = 150
"""Values of one example that is made up; further ones are left out."""
PATTERN_MAX = 60
"""Characters of a bound that is told."""
HOPS = 16
"""References that lead to references."""
_BOUNDS = (
    ("minLength", "at least {} characters"), ("maxLength", "at most {} characters"), ("minimum", "≥ {}"),
    ("maximum", "≤ {}"), ("minItems", "at least {} entries"), ("maxItems", "at most {} entries"),
    ("multipleOf", "a multiple of {}"), ("pattern", "pattern {}"),
)  # fmt: skip


class Field(msgspec.Struct):
    """A parameter, a property, or what stands in the place of one."""

    name: str
    type: str
    description: str = ""
    required: bool = False
    deprecated: bool = False
    access: str = ""
    """`read only` or `write only`."""
    bounds: list[str] = []
    values: list[str] = []
    """The only ones that are allowed."""
    default: str = ""
    children: list[Field] = []
    variants: list[Field] = []
    """One of which it is; each by its title."""
    more: str = ""
    """The name of what is not described here again."""


class Media(msgspec.Struct):
    """A body of one type."""

    type: str
    schema: Field | None
    examples: list[tuple[str, Any]]
    """(title, value); the last resort is one that is made of the schema."""


class Reply(msgspec.Struct):
    """A response by its status."""

    status: str
    description: str
    media: list[Media]
    headers: list[Field]


class Described(msgspec.Struct):
    """An operation or webhook."""

    method: str
    path: str
    title: str
    description: str
    deprecated: bool
    webhook: bool
    server: str
    schemes: list[Scheme]
    """Of the first way that is allowed; all of them together."""
    open: bool
    """Whether it may be called without any."""
    parameters: list[tuple[str, list[Field]]]
    """By where they stand: path, query, header, cookie."""
    values: list[tuple[str, str, str]]
    """(place, name, example) of the parameters that a sample call needs."""
    body: list[Media]
    body_required: bool
    body_description: str
    replies: list[Reply]


class Model(msgspec.Struct):
    """A schema by its name."""

    name: str
    schema: Field
    example: Any


_PLACES = (("path", "Path parameters"), ("query", "Query parameters"), ("header", "Headers"), ("cookie", "Cookies"))


class Describer:
    """Describes parts of one specification; `parts` holds what their references lead to."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._left = MOST
        self._values_left = EXAMPLES

    # Operations

    def operation(self, operation: Json, method: str, path: str, title: str, *, webhook: bool = False) -> Described:
        """Everything about an operation, or a webhook by its name."""
        given = [self.followed(one) for one in _list(operation.get("parameters")) if isinstance(one, dict)]
        body = self.followed(_dict(operation.get("requestBody")))
        schemes, is_open = self._security(operation)
        return Described(
            method=method,
            path=path,
            title=title,
            description=_text(operation.get("description")),
            deprecated=operation.get("deprecated") is True,
            webhook=webhook,
            server=_server(operation),
            schemes=schemes,
            open=is_open,
            parameters=[
                (place, fields)
                for place, _ in _PLACES
                if (fields := [self._parameter(one) for one in given if one.get("in") == place])
            ],
            values=self._values(given),
            body=self._media(body),
            body_required=body.get("required") is True,
            body_description=_text(body.get("description")),
            replies=[self._reply(str(status), one) for status, one in _dict(operation.get("responses")).items()],
        )

    def model(self, name: str, schema: Json) -> Model:
        """A schema by its name."""
        return Model(name, self.field("", schema), self.example(schema))

    def _parameter(self, given: Json) -> Field:
        schema = given.get("schema")
        if not isinstance(schema, dict):
            schema = next((_dict(one.get("schema")) for one in _dict(given.get("content")).values()), {})
        field = self.field(_text(given.get("name")), schema, required=given.get("required") is True)
        field.description = _text(given.get("description")) or field.description
        field.deprecated = field.deprecated or given.get("deprecated") is True
        return field

    def _values(self, given: list[Json]) -> list[tuple[str, str, str]]:
        """What a sample call sends: everything in the path, and what has to be there otherwise."""
        made = []
        for one in given:
            place, name = _text(one.get("in")), _text(one.get("name"))
            if place == "path" or one.get("required") is True:
                told = _example_of(one, self._parts)
                value = told if told is not None else self.example(_dict(one.get("schema")))
                # Nothing is known of it: its name says more than a word that is made up.
                made.append((place, name, name if value == _UNKNOWN else _plain(value)))
        return made

    def _media(self, holder: Json) -> list[Media]:
        made = []
        for kind, media in list(_dict(holder.get("content")).items())[:8]:
            if isinstance(media, dict):
                schema = media.get("schema")
                described = self.field("", schema) if isinstance(schema, dict) else None
                made.append(Media(kind, described, self._examples(media)))
        return made

    def _examples(self, media: Json) -> list[tuple[str, Any]]:
        made: list[tuple[str, Any]] = []
        for name, one in list(_dict(media.get("examples")).items())[:10]:
            one = self.followed(_dict(one))
            if "value" in one:
                made.append((_text(one.get("summary")) or name, one["value"]))
        if "example" in media:
            made.insert(0, ("", media["example"]))
        if not made and isinstance(media.get("schema"), dict):
            value = self.example(media["schema"])
            made = [] if value is None else [("", value)]
        return made

    def _reply(self, status: str, given: Any) -> Reply:
        reply = self.followed(_dict(given))
        headers = []
        for name, one in list(_dict(reply.get("headers")).items())[:20]:
            header = self.followed(_dict(one))
            headers.append(self._parameter(header | {"name": name}))
        return Reply(status, _text(reply.get("description")), self._media(reply), headers)

    def _security(self, operation: Json) -> tuple[list[Scheme], bool]:
        """(the schemes of the first way, whether none is a way too)."""
        ways = [one for one in _list(operation.get("security")) if isinstance(one, dict)]
        first: Json = next((one for one in ways if one), {})
        schemes = []
        for name, scopes in first.items():
            found = self._parts.get("#/components/securitySchemes/" + name.replace("~", "~0").replace("/", "~1"))
            if found is not None:
                schemes.append(scheme_of(name, self.followed(found), [str(one) for one in _list(scopes)]))
        return schemes, not schemes or any(not one for one in ways)

    # Schemas

    def followed(self, value: Json) -> Json:
        """What is meant where a reference may stand instead."""
        beside: Json = {}
        for _ in range(HOPS):
            ref = value.get("$ref")
            if not isinstance(ref, str):
                break
            beside = {name: held for name, held in value.items() if name != "$ref"} | beside
            value = self._parts.get(ref) or {"title": last_of(ref)}
        return value | beside if beside else value

    def field(self, name: str, given: Any, *, required: bool = False, within: tuple[str, ...] = ()) -> Field:
        """A schema by the name that it has in its place; `within` are the references that it lies in."""
        self._left -= 1
        if not isinstance(given, dict):
            return Field(name, "any" if given is not False else "nothing", required=required)
        refs = _refs(given, self._parts)
        schema = self._merged(self.followed(given), 0)
        named = last_of(refs[-1]) if refs else ""
        made = Field(
            name=name,
            type=self._type(schema, named),
            description=_text(schema.get("description")),
            required=required,
            deprecated=schema.get("deprecated") is True,
            access="read only" if schema.get("readOnly") else "write only" if schema.get("writeOnly") else "",
            bounds=_bounds(schema),
            values=[_plain(one) for one in _enum(schema)],
            default=_plain(schema["default"]) if "default" in schema else "",
        )
        if any(ref in within for ref in refs):
            made.more = named
            return made
        inside = (*within, *refs)
        if len(within) >= 3 * DEEPEST or self._left <= 0:
            made.more = named or "more"
            return made
        self._fill(made, schema, inside)
        return made

    def _fill(self, made: Field, schema: Json, within: tuple[str, ...]) -> None:
        """What is inside a schema."""
        depth = (*within, "")
        items = schema.get("items")
        if isinstance(items, dict):
            inner = self.field("", items, within=depth)
            made.children, made.variants, made.more = inner.children, inner.variants, inner.more
            made.values = made.values or inner.values
            made.description = made.description or inner.description
            return
        required = {one for one in _list(schema.get("required")) if isinstance(one, str)}
        for key, one in _dict(schema.get("properties")).items():
            if self._left <= 0:
                made.more = "more"
                break
            made.children.append(self.field(key, one, required=key in required, within=depth))
        others = schema.get("additionalProperties")
        if isinstance(others, dict) and others:
            made.children.append(self.field("*", others, within=depth))
        for place, one in enumerate(_variants(schema)[:20], 1):
            if self._left <= 0:
                break
            variant = self.field("", one, within=depth)
            followed = self.followed(one) if isinstance(one, dict) else {}
            refs = _refs(one, self._parts) if isinstance(one, dict) else []
            variant.name = _text(followed.get("title")) or (last_of(refs[0]) if refs else "") or f"Option {place}"
            made.variants.append(variant)

    def _merged(self, schema: Json, depth: int) -> Json:
        """A schema with what `allOf` adds to it."""
        whole = schema.get("allOf")
        if not isinstance(whole, list) or depth > DEEPEST:
            return schema
        made: Json = {name: value for name, value in schema.items() if name != "allOf"}
        properties: Json = {}
        required: list[Any] = []
        for one in whole:
            if not isinstance(one, dict):
                continue
            part = self._merged(self.followed(one), depth + 1)
            properties |= _dict(part.get("properties"))
            required += _list(part.get("required"))
            for name, value in part.items():
                if name not in ("properties", "required", "title"):
                    made.setdefault(name, value)
        properties |= _dict(schema.get("properties"))
        if properties:
            made["properties"] = properties
        made["required"] = [*required, *_list(schema.get("required"))]
        return made

    def _type(self, schema: Json, named: str, depth: int = 0) -> str:
        kinds = schema.get("type")
        words = [str(one) for one in kinds] if isinstance(kinds, list) else [kinds] if isinstance(kinds, str) else []
        items = schema.get("items")
        if "array" in words and isinstance(items, dict) and depth < DEEPEST:
            inner = self._merged(self.followed(items), 0)
            refs = _refs(items, self._parts)
            words[words.index("array")] = f"array of {self._type(inner, last_of(refs[-1]) if refs else '', depth + 1)}"
        if not words:
            words = ["object" if "properties" in schema else "const" if "const" in schema else ""]
            if not words[0]:
                words = ["one of" if _variants(schema) else "enum" if _enum(schema) else named or "any"]
        if schema.get("nullable") is True and "null" not in words:
            words.append("null")
        if named and words[0] == "object":
            words[0] = named
        kind = " or ".join(words)
        return f"{kind} ({schema['format']})" if isinstance(schema.get("format"), str) else kind

    # Examples

    def example(self, given: Any) -> Any:
        """A value that fits a schema, as well as can be told; None where nothing can."""
        self._values_left = EXAMPLES
        return self._example(given, ())

    def _example(self, given: Any, within: tuple[str, ...]) -> Any:
        self._values_left -= 1
        if not isinstance(given, dict) or len(within) > DEEPEST or self._values_left < 0:
            return None
        refs = _refs(given, self._parts)
        if any(ref in within for ref in refs):
            return None
        schema = self._merged(self.followed(given), 0)
        told = _told(schema)
        if told is not None:
            return told[0]
        within = (*within, *refs) if refs else (*within, "")
        variants = _variants(schema)
        properties = schema.get("properties")
        if variants and not properties:
            return self._example(next((one for one in variants if _dict(one).get("type") != "null"), None), within)
        kind = next((one for one in _kinds(schema) if one != "null"), "")
        if kind == "array":
            one = self._example(schema.get("items"), within)
            return [] if one is None else [one]
        if isinstance(properties, dict) or kind == "object":
            return self._object(schema, _dict(properties), within)
        return _made_up(kind, schema)

    def _object(self, schema: Json, properties: Json, within: tuple[str, ...]) -> Json:
        required = _list(schema.get("required"))
        wanted = list(properties.items())
        if len(within) > 3 or len(wanted) > 40:
            wanted = [one for one in wanted if one[0] in required]
        made = {}
        for name, one in wanted:
            value = self._example(one, within)
            if value is not None:
                made[name] = value
        return made


def _bounds(schema: Json) -> list[str]:
    told = [(schema[key], words) for key, words in _BOUNDS if schema.get(key) not in (None, 0, False)]
    # A long pattern, or one of characters that nobody sees, is for programs.
    told = [
        (value, words) for value, words in told if len(plain := _plain(value)) <= PATTERN_MAX and plain.isprintable()
    ]
    return [
        words.format(_plain(value)).replace("entries", "entry")
        if value == 1 and "entr" in words
        else words.format(_plain(value)).removesuffix("s")
        if value == 1 and words.endswith("s")
        else words.format(_plain(value))
        for value, words in told
    ]


def _server(operation: Json) -> str:
    """The address of the first server, its variables in place."""
    server = next((one for one in _list(operation.get("servers")) if isinstance(one, dict)), {})
    url = _text(server.get("url"))
    for name, variable in _dict(server.get("variables")).items():
        url = url.replace("{" + name + "}", _text(_dict(variable).get("default")) or name)
    return url.rstrip("/")


def _example_of(parameter: Json, parts: Parts) -> Any:
    if "example" in parameter:
        return parameter["example"]
    for one in _dict(parameter.get("examples")).values():
        found = parts.get(str(_dict(one).get("$ref"))) or _dict(one)
        if "value" in found:
            return found["value"]
    return None


def _told(schema: Json) -> tuple[Any] | None:
    """The value that a schema itself names."""
    for name in ("example", "const", "default"):
        if schema.get(name) is not None:
            return (schema[name],)
    for name in ("examples", "enum"):
        values = schema.get(name)
        if isinstance(values, list) and values and values[0] is not None:
            return (values[0],)
    return None


_UNKNOWN = "text"
_TEXTS = {
    "date-time": "2026-01-31T09:30:00Z", "date": "2026-01-31", "time": "09:30:00", "email": "ada@example.org",
    "uuid": "123e4567-e89b-12d3-a456-426614174000", "uri": "https://example.org/", "url": "https://example.org/",
    "hostname": "example.org", "ipv4": "192.0.2.1", "ipv6": "2001:db8::1", "byte": "aGVyb24=", "password": "secret",
}  # fmt: skip


def _made_up(kind: str, schema: Json) -> Any:
    if kind in ("integer", "number"):
        least = schema.get("minimum")
        return least if isinstance(least, int | float) and not isinstance(least, bool) else 1
    if kind == "boolean":
        return True
    if kind == "string" or "pattern" in schema:
        return _TEXTS.get(str(schema.get("format")), _UNKNOWN)
    return None


def _kinds(schema: Json) -> list[str]:
    kinds = schema.get("type")
    return [str(one) for one in kinds] if isinstance(kinds, list) else [kinds] if isinstance(kinds, str) else []


def _variants(schema: Json) -> list[Any]:
    found = _list(schema.get("oneOf")) or _list(schema.get("anyOf"))
    return [one for one in found if isinstance(one, dict)]


def _enum(schema: Json) -> list[Any]:
    return _list(schema.get("enum"))[:50] or ([schema["const"]] if "const" in schema else [])


def _refs(given: Json, parts: Parts) -> list[str]:
    """The references that one after another lead from a value to what it means."""
    made: list[str] = []
    while isinstance(ref := given.get("$ref"), str) and len(made) < HOPS:
        made.append(ref)
        given = parts.get(ref) or {}
    return made


def last_of(ref: str) -> str:
    return ref.rpartition("/")[2].replace("~1", "/").replace("~0", "~")


def _plain(value: Any) -> str:
    if isinstance(value, str):
        return value
    return msgspec.json.encode(value).decode()


def _dict(given: Any) -> Json:
    return given if isinstance(given, dict) else {}


def _list(given: Any) -> list[Any]:
    return given if isinstance(given, list) else []


def _text(given: Any) -> str:
    return given.strip() if isinstance(given, str) else ""
