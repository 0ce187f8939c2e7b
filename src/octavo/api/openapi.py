"""The OpenAPI 3.1 document, made from the operation rows and the shapes they name."""

from __future__ import annotations

import inspect
import types
import typing
from collections.abc import Iterable
from typing import Any

import msgspec

from octavo.access.locate import (
    SeenChangeRequest,
    SeenCommentReply,
    SeenOrganization,
    SeenReviewable,
    SeenRevision,
    SeenSpace,
    SeenSpaceOrDeleted,
)
from octavo.access.locate_sites import SeenSite
from octavo.api.examples import example_of, shown
from octavo.api.portable import portable
from octavo.kernel.operation import ANYBODY, AnyOperation, Nothing
from octavo.web.errors import ErrorBody

Json = dict[str, Any]

_REF = "#/components/schemas/{name}"
_SPELLED = {
    SeenOrganization: "organizationId",
    SeenSpace: "spaceId",
    SeenSpaceOrDeleted: "spaceId",
    SeenSite: "siteId",
    SeenRevision: "revisionId",
    SeenChangeRequest: "changeRequestId",
    SeenReviewable: "changeRequestId",
    SeenCommentReply: "commentReplyId",
}
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


def document(rows: Iterable[AnyOperation]) -> Json:
    """The document; each installation adds the version of Octavo and where it answers."""
    rows = list(rows)
    schemas, components = _schemas(rows)
    paths: Json = {}
    for row in rows:
        paths.setdefault("/v1" + _path(row), {})[row.method.lower()] = _operation(row, schemas, components)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Octavo API",
            "version": "",
            "description": "Organizations, spaces, content and sites of an Octavo installation.",
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [],
        "security": [{"token": []}],
        "tags": [{"name": tag} for tag in dict.fromkeys(tag_of(row) for row in rows)],
        "paths": paths,
        "components": {
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
            "schemas": components,
            "responses": {
                code: {"description": text, "content": _json({"$ref": _REF.format(name="ErrorBody")})}
                for code, text in _ERRORS.items()
            },
        },
    }


def tag_of(row: AnyOperation) -> str:
    """The group of an operation: what its path is about."""
    if row.tag:
        return row.tag
    fixed = [part for part in row.path.split("/") if part and not part.startswith("{")]
    if not fixed or fixed[0] == "user":
        return "general"
    if "change-requests" in fixed:
        return "change-request-content" if "content" in fixed else "change-requests"
    names = {"orgs": "organizations"}
    within = [part for part in fixed if part in ("spaces", "sites", "git", "content", "revisions", "search")]
    return within[-1] if within else names.get(fixed[0], fixed[0])


def _schemas(rows: list[AnyOperation]) -> tuple[dict[Any, Json], Json]:
    wanted: list[Any] = [ErrorBody]
    for row in rows:
        kinds = (row.takes, row.query, *_given(row))
        wanted += [kind for kind in kinds if kind is not None and kind is not Nothing]
    unique = list(dict.fromkeys(wanted))
    made, components = msgspec.json.schema_components(unique, ref_template=_REF)
    return portable(dict(zip(unique, made)), components)


def _operation(row: AnyOperation, schemas: dict[Any, Json], components: Json) -> Json:
    made: Json = {
        "operationId": row.id,
        "summary": row.summary,
        "description": _description(row),
        "tags": [tag_of(row)],
        "parameters": [*_words(row), *_queries(row, schemas, components)],
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
    return "\n\n".join(part for part in (inspect.getdoc(row.does), who) if part)


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
    if row.media:
        return {"description": row.summary, "content": {kind: {"schema": {"type": "string"}} for kind in row.media}}
    shapes = [schemas[kind] for kind in _given(row)]
    return {"description": row.summary, "content": _json(shapes[0] if len(shapes) == 1 else {"anyOf": shapes})}


def _given(row: AnyOperation) -> tuple[Any, ...]:
    """The shape of the answer; each of them where one is not told from another by a tag."""
    if row.media:
        return ()
    kinds = typing.get_args(row.gives) if isinstance(row.gives, types.UnionType) else ()
    tags = [kind.__struct_config__.tag for kind in kinds if msgspec.inspect.is_struct_type(kind)]
    return kinds if None in tags else (row.gives,)


def _codes(row: AnyOperation) -> list[str]:
    body = row.takes is not Nothing
    wanted = ["400"] * body + ["401", "403", "404"] + ["409"] * row.writes
    return wanted + (["413", "415"] if body and row.method != "GET" else []) + ["429"]


def _json(schema: Json) -> Json:
    return {"application/json": {"schema": schema}}


def _path(row: AnyOperation) -> str:
    path = row.path.replace("...}", "}")
    for name, word in _spelled(row).items():
        path = path.replace("{" + name + "}", "{" + word + "}")
    return path


def _spelled(row: AnyOperation) -> dict[str, str]:
    """Word of the path -> the name of the parameter in the specification."""
    hints = {} if row.at is Nothing else typing.get_type_hints(row.at)
    return {name: _SPELLED.get(kind, f"{name}Id" if name != "path" else "pagePath") for name, kind in hints.items()}


def _words(row: AnyOperation) -> list[Json]:
    return [
        {"name": word, "in": "path", "required": True, "schema": {"type": "string"}} for word in _spelled(row).values()
    ]


def _queries(row: AnyOperation, schemas: dict[Any, Json], components: Json) -> list[Json]:
    if row.asked is None:
        return []
    whole = components[schemas[row.asked]["$ref"].rsplit("/", 1)[-1]]
    required = set(whole.get("required", ()))
    return [
        {"name": name, "in": "query", "required": name in required, "schema": part}
        for name, part in whole["properties"].items()
    ]
