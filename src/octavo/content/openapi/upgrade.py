"""A description in the format of Swagger 2.0, as one of OpenAPI 3.0 that says the same.

Python has no kept library for this. What the older format can say is little; see the tests for each of it.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

Json = dict[str, Any]

METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")
_MOVED = {
    "#/definitions/": "#/components/schemas/",
    "#/parameters/": "#/components/parameters/",
    "#/responses/": "#/components/responses/",
    "#/securityDefinitions/": "#/components/securitySchemes/",
}
_KEPT = ("info", "tags", "externalDocs", "security")
_FLOWS = {"application": "clientCredentials", "accessCode": "authorizationCode"}
_SCHEMA = (
    "type", "format", "items", "default", "maximum", "exclusiveMaximum", "minimum", "exclusiveMinimum", "maxLength",
    "minLength", "pattern", "maxItems", "minItems", "uniqueItems", "enum", "multipleOf",
)  # fmt: skip
_STYLES = {"ssv": "spaceDelimited", "pipes": "pipeDelimited"}


def upgraded(document: Json) -> Json:
    """Input is not changed; what was no object where one belongs is left out."""
    old = _moved(document)
    made: Json = {"openapi": "3.0.3", **{name: old[name] for name in _KEPT if name in old}}
    made |= {name: value for name, value in old.items() if name.startswith("x-")}
    made["servers"] = _servers(old)
    bodies, parameters = {}, {}
    for name, parameter in _objects(old.get("parameters")):
        if parameter.get("in") in ("body", "formData"):
            bodies[name] = parameter
        else:
            parameters[name] = _parameter(parameter)
    convert = _Converter(_words(old.get("consumes")), _words(old.get("produces")), bodies)
    made["paths"] = {path: convert.path(item) for path, item in _objects(old.get("paths"))}
    made["components"] = {
        "schemas": dict(_objects(old.get("definitions"))),
        "parameters": parameters,
        "responses": {name: convert.response(one, []) for name, one in _objects(old.get("responses"))},
        "securitySchemes": {name: _scheme(one) for name, one in _objects(old.get("securityDefinitions"))},
    }
    return made


class _Converter:
    """Operations, which take what the whole document says where they say nothing themselves."""

    def __init__(self, consumes: list[str], produces: list[str], bodies: dict[str, Json]) -> None:
        self._consumes = consumes
        self._produces = produces
        self._bodies = bodies
        """Parameters of the document that are bodies now, by name."""

    def path(self, item: Json) -> Json:
        """A path with its operations."""
        shared, body, form = self._parameters(item.get("parameters"))
        made = {name: value for name, value in item.items() if name not in (*METHODS, "parameters")}
        if shared:
            made["parameters"] = shared
        for method in METHODS:
            if isinstance(item.get(method), dict):
                made[method] = self._operation(item[method], body, form)
        return made

    def _operation(self, operation: Json, body: Json | None, form: list[Json]) -> Json:
        left = ("consumes", "produces", "parameters", "responses", "schemes")
        made = {name: value for name, value in operation.items() if name not in left}
        parameters, own_body, own_form = self._parameters(operation.get("parameters"))
        if parameters:
            made["parameters"] = parameters
        consumes = _words(operation.get("consumes")) or self._consumes
        produces = _words(operation.get("produces")) or self._produces
        request = _body(own_body or body, own_form or form, consumes)
        if request is not None:
            made["requestBody"] = request
        made["responses"] = {
            str(code): self.response(one, produces) for code, one in _objects(operation.get("responses"))
        }
        return made

    def _parameters(self, given: Any) -> tuple[list[Json], Json | None, list[Json]]:
        """(parameters, the body, fields of a form)."""
        parameters: list[Json] = []
        body: Json | None = None
        form: list[Json] = []
        for one in given if isinstance(given, list) else ():
            if not isinstance(one, dict):
                continue
            named = self._bodies.get(str(one.get("$ref", "")).removeprefix("#/components/parameters/"))
            one = named or one
            if one.get("in") == "body":
                body = one
            elif one.get("in") == "formData":
                form.append(one)
            else:
                parameters.append(_parameter(one))
        return parameters, body, form

    def response(self, response: Json, produces: list[str]) -> Json:
        """A response; its schema is that of each type that is produced."""
        if "$ref" in response:
            return response
        made = {name: value for name, value in response.items() if name not in ("schema", "examples", "headers")}
        given = response.get("examples")
        examples: Json = given if isinstance(given, dict) else {}
        content: Json = {}
        for media in list(dict.fromkeys((*(produces or self._produces or ["application/json"]), *examples))):
            if "schema" in response:
                content[media] = {"schema": response["schema"]}
            if media in examples:
                content.setdefault(media, {})["example"] = examples[media]
        if content:
            made["content"] = content
        headers = {name: _parameter(one) for name, one in _objects(response.get("headers"))}
        if headers:
            made["headers"] = headers
        return made


def _parameter(parameter: Json) -> Json:
    """A parameter or header, whose type stands in a schema now."""
    if "$ref" in parameter or "schema" in parameter:
        return parameter
    schema = {name: parameter[name] for name in _SCHEMA if name in parameter}
    made = {name: value for name, value in parameter.items() if name not in (*_SCHEMA, "collectionFormat")}
    made["schema"] = schema
    if schema.get("type") == "array":
        joined = parameter.get("collectionFormat", "csv")
        if joined in _STYLES:
            made["style"] = _STYLES[joined]
        if parameter.get("in") == "query":
            made["explode"] = joined == "multi"
    return made


def _body(body: Json | None, form: list[Json], consumes: list[str]) -> Json | None:
    if body is not None:
        made = {name: body[name] for name in ("description", "required") if name in body}
        schema = body.get("schema", {})
        return made | {"content": {media: {"schema": schema} for media in consumes or ["application/json"]}}
    if not form:
        return None
    properties: Json = {}
    for field in form:
        schema = {name: field[name] for name in (*_SCHEMA, "description") if name in field}
        if schema.get("type") == "file":
            schema |= {"type": "string", "format": "binary"}
        properties[str(field.get("name", ""))] = schema
    required = [str(field.get("name", "")) for field in form if field.get("required") is True]
    schema = {"type": "object", "properties": properties} | ({"required": required} if required else {})
    files = any(field.get("type") == "file" for field in form)
    usual = "multipart/form-data" if files else "application/x-www-form-urlencoded"
    fitting = [media for media in consumes if media.startswith(("multipart/", "application/x-www-form"))]
    return {"content": {media: {"schema": schema} for media in fitting or [usual]}}


def _scheme(scheme: Json) -> Json:
    kind = scheme.get("type")
    if kind == "basic":
        return {name: value for name, value in scheme.items() if name != "type"} | {"type": "http", "scheme": "basic"}
    if kind != "oauth2":
        return scheme
    names = ("authorizationUrl", "tokenUrl", "scopes")
    flow = {name: scheme[name] for name in names if name in scheme}
    made = {name: value for name, value in scheme.items() if name not in (*names, "flow")}
    word = str(scheme.get("flow", "implicit"))
    return made | {"flows": {_FLOWS.get(word, word): flow}}


def _servers(old: Json) -> list[Json]:
    host, base = old.get("host"), old.get("basePath")
    path = base.rstrip("/") if isinstance(base, str) else ""
    if not isinstance(host, str) or not host:
        return [{"url": path or "/"}]
    return [
        {"url": f"{scheme}://{quote(host, safe=':[]{}')}{path}"} for scheme in _words(old.get("schemes")) or ["https"]
    ]


def _moved(value: Any) -> Any:
    """References lead to where things stand now, and `discriminator` is an object."""
    if isinstance(value, list):
        return [_moved(one) for one in value]
    if not isinstance(value, dict):
        return value
    made = {name: _moved(held) for name, held in value.items()}
    ref = made.get("$ref")
    if isinstance(ref, str):
        for old, new in _MOVED.items():
            if ref.startswith(old):
                made["$ref"] = new + ref.removeprefix(old)
    if isinstance(made.get("discriminator"), str) and "properties" in made:
        made["discriminator"] = {"propertyName": made["discriminator"]}
    if made.get("x-nullable") is True:
        made["nullable"] = True
    return made


def _objects(given: Any) -> list[tuple[str, Json]]:
    return [(name, one) for name, one in given.items() if isinstance(one, dict)] if isinstance(given, dict) else []


def _words(given: Any) -> list[str]:
    return [one for one in given if isinstance(one, str)] if isinstance(given, list) else []
