"""The OpenAPI 3.1 document, made from the operation rows and the shapes they name."""

from __future__ import annotations

import inspect
import re
import types
import typing
from collections.abc import Iterable
from typing import Any

import msgspec

from octavo.api.examples import example_of, shown
from octavo.api.groups import GROUPS, group_of
from octavo.api.meanings import Meanings
from octavo.api.portable import portable
from octavo.kernel.operation import ANYBODY, UNLIMITED, AnyOperation, Nothing, Raw
from octavo.web.errors import ErrorBody

Json = dict[str, Any]

_REF = "#/components/schemas/{name}"
_REFERENCE = re.compile(r'"#/components/schemas/([^"]+)"')
_SPELLED = {
    "path": "pagePath",
    "reply": "commentReplyId",
    "email_domain": "emailDomain",
    "domain": "domainName",
    "subdomain": "subdomain",
    "spec": "specSlug",
    "slug": "specSlug",
    "integration": "integrationName",
    "translation_language": "translationLanguage",
}
"""Words of paths that are not called by their kind and `Id`."""
_EXAMPLES = {
    "pagePath": "guides/install",
    "emailDomain": "acme.com",
    "domainName": "acme.com",
    "subdomain": "acme",
    "specSlug": "petstore",
    "integrationName": "acme-analytics",
    "translationLanguage": "de",
}
"""Of words that are no ids."""
_ERRORS = {
    "400": "The request is wrong; the message names the field",
    "401": "No token, or one that is unknown, revoked or expired",
    "403": "The caller may see this, but not do that",
    "404": "Absent, or not to be seen by the caller",
    "409": "Forbidden by a state",
    "413": "The body is too large",
    "415": "The body is not application/json",
    "429": "Too many requests",
}


_ABOUT = """
Everything that people do with Octavo can be done by a program: organizations, spaces, their content and its history, \
change requests, reviews, comments, sites and who may see them.

## Authentication

A request carries a token: `Authorization: Bearer <token>`. Tokens are made in the settings of an account, by \
the command line, or by `POST /v1/user/tokens`; a token may be limited to scopes, and each operation says which one it asks \
for. Without a token, or with one that is unknown, revoked or expired, the answer is 401.

## Lists

Lists answer `items`, `count` and, while there is more, `next.page`, which is sent as `page` for what follows. `limit` is \
50 unless another one is asked for, and 1000 at most.

## Errors

What goes wrong is answered as `{"error": {"code": 404, "message": "…"}}` with the same status. The message is a sentence \
for people that names the field and what is allowed there. What the caller may not see is 404; what may be seen but not done \
is 403; what a state forbids is 409. Fields that an operation does not know are ignored, \
and those of a body are named in the header `Octavo-Warning`.

## Limits

Requests are counted for each token, and for each address without one. When there are too many the answer is 429, and \
`Retry-After` says how many seconds to wait.
""".strip()


def document(rows: Iterable[AnyOperation], meanings: Meanings | None = None) -> Json:
    """The document; each installation adds the version of Octavo and where it answers.

    Raises LookupError for a field, a permission or a word of a path that meanings.toml does not explain.
    """
    rows = list(rows)
    meanings = meanings or Meanings()
    schemas, components = _schemas(rows)
    meanings.describe(components)
    paths: Json = {}
    for row in rows:
        paths.setdefault(_path(row), {})[row.method.lower()] = _operation(row, schemas, components, meanings)
    responses = {code: {"description": text, "content": _error(int(code), text)} for code, text in _ERRORS.items()}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Octavo API",
            "version": "",
            "summary": "Organizations, spaces, content and sites of an Octavo installation.",
            "description": _ABOUT,
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [],
        "security": [{"token": []}],
        "tags": _tags(rows),
        "paths": paths,
        "components": {
            "securitySchemes": {
                "token": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "A personal token, or one of an integration: `Authorization: Bearer <token>`",
                }
            },
            "schemas": _named(components, paths, responses),
            "responses": responses,
        },
    }


def _tags(rows: list[AnyOperation]) -> list[Json]:
    groups = {group_of(row).name for row in rows}
    return [
        {"name": group.name, "x-displayName": group.title, "description": group.description}
        for group in GROUPS
        if group.name in groups
    ]


def _error(code: int, text: str) -> Json:
    content = _json({"$ref": _REF.format(name="ErrorBody")})
    content["application/json"]["example"] = {"error": {"code": code, "message": text}}
    return content


def _named(components: Json, *places: Json) -> Json:
    """The components that the places refer to, and those that these refer to: shapes of queries are none of them."""
    found: set[str] = set()
    new = set(_REFERENCE.findall(msgspec.json.encode(places).decode()))
    while new:
        found |= new
        inside = msgspec.json.encode([components[name] for name in new]).decode()
        new = set(_REFERENCE.findall(inside)) - found
    return {name: schema for name, schema in components.items() if name in found}


def _schemas(rows: list[AnyOperation]) -> tuple[dict[Any, Json], Json]:
    wanted: list[Any] = [ErrorBody]
    for row in rows:
        kinds = (row.takes, row.query, *_given(row))
        wanted += [kind for kind in kinds if kind is not None and kind is not Nothing]
    unique = list(dict.fromkeys(wanted))
    made, components = msgspec.json.schema_components(unique, ref_template=_REF)
    return portable(dict(zip(unique, made)), components)


def _operation(row: AnyOperation, schemas: dict[Any, Json], components: Json, meanings: Meanings) -> Json:
    made: Json = {
        "operationId": row.id,
        "summary": row.summary,
        "description": _description(row),
        "tags": [group_of(row).name],
        "parameters": [*_words(row, meanings), *_queries(row, schemas, components)],
        "responses": {str(row.status): _success(row, schemas)}
        | {code: {"$ref": f"#/components/responses/{code}"} for code in _codes(row)},
        "x-permission": row.needs if isinstance(row.needs, str) else row.needs.who,
    }
    if row.anyone:
        made["security"] = [{}, {"token": []}]
    if row.scope is not None:
        made["x-scope"] = row.scope
    if row.in_body:
        content = _json(schemas[row.takes])
        content["application/json"]["example"] = shown(example_of(row))
        made["requestBody"] = {"required": _must_say_something(row), "content": content}
    return made


def _description(row: AnyOperation) -> str:
    """What the row's function says of itself, and who may."""
    needs = f"`{row.needs}`" if isinstance(row.needs, str) else row.needs.who
    who = "" if row.needs == ANYBODY else f"Who may: {needs}{f'; {row.also}' if row.also else ''}."
    scope = f"A limited token needs the scope `{row.scope}`." if row.scope not in (None, UNLIMITED) else ""
    scope = "No limited token may." if row.scope == UNLIMITED else scope
    return "\n\n".join(part for part in (inspect.getdoc(row.does), " ".join(filter(None, (who, scope)))) if part)


def _must_say_something(row: AnyOperation) -> bool:
    """Whether the body may not be absent, which is the same as empty."""
    try:
        msgspec.convert({}, row.takes)
    except msgspec.ValidationError:
        return True
    return False


def _success(row: AnyOperation, schemas: dict[Any, Json]) -> Json:
    if row.gives is None:
        return {"description": "Done"}
    shapes = [schemas[kind] for kind in _given(row)]
    content: Json = {kind: {"schema": {"type": "string"}} for kind in row.media}
    if shapes:
        content = _json(shapes[0] if len(shapes) == 1 else {"anyOf": shapes}) | content
    return {"description": row.summary, "content": content}


def _given(row: AnyOperation) -> tuple[Any, ...]:
    """The shape of the answer; each of them where one is not told from another by a tag."""
    union = typing.get_origin(row.gives) in (types.UnionType, typing.Union)
    if row.media:
        # What is also answered as a file is a shape beside the bytes.
        return tuple(one for one in typing.get_args(row.gives) if union and one is not Raw)
    # Raw is a shape that was encoded before.
    kinds = tuple(one for one in typing.get_args(row.gives) if one is not msgspec.Raw) if union else ()
    if len(kinds) == 1:
        return kinds
    tags = [kind.__struct_config__.tag for kind in kinds if msgspec.inspect.is_struct_type(kind)]
    return kinds if None in tags else (row.gives,)


def _codes(row: AnyOperation) -> list[str]:
    body = row.takes is not Nothing
    wanted = ["400"] * body + ["401", "403", "404"] + ["409"] * row.writes
    return wanted + (["413", "415"] if body and row.method != "GET" else []) + ["429"]


def _json(schema: Json) -> Json:
    return {"application/json": {"schema": schema}}


def _path(row: AnyOperation) -> str:
    path = row.path.replace("...}", "}").rstrip("/")
    for name, word in _spelled(row).items():
        path = path.replace("{" + name + "}", "{" + word + "}")
    return f"/v1{path}"


def _spelled(row: AnyOperation) -> dict[str, str]:
    """Word of the path -> the name of the parameter."""
    names = () if row.at is Nothing else row.at.__struct_fields__
    return {name: _SPELLED.get(name) or _camel(f"{name}_id") for name in names}


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(part.capitalize() for part in rest)


def _words(row: AnyOperation, meanings: Meanings) -> list[Json]:
    return [
        {
            "name": word,
            "in": "path",
            "description": meanings.word(word),
            "required": True,
            "schema": {"type": "string"},
            "example": _EXAMPLES.get(word, f"{name}_id"),
        }
        for name, word in _spelled(row).items()
    ]


def _queries(row: AnyOperation, schemas: dict[Any, Json], components: Json) -> list[Json]:
    if row.asked is None:
        return []
    whole = components[schemas[row.asked]["$ref"].rsplit("/", 1)[-1]]
    required = set(whole.get("required", ()))
    return [
        {
            "name": name,
            "in": "query",
            "description": part["description"],
            "required": name in required,
            "schema": {key: value for key, value in part.items() if key != "description"},
        }
        for name, part in whole["properties"].items()
    ]
