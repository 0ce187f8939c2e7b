"""Fields of queries and forms, read in one way: what cannot be read is refused with a sentence, nothing is dropped."""

from __future__ import annotations

from urllib.parse import parse_qs

from octavo.kernel.errors import BadRequest, Unsupported
from octavo.web.asgi import Headers, Receive, Scope
from octavo.web.bodies import content_type, read_body
from octavo.web.limits import FIELDS_MAX, QUERY_MAX

Fields = dict[str, list[str]]
"""Name -> values in their order; a field without a value has the empty text."""

_FORM = b"application/x-www-form-urlencoded"


def read_query(scope: Scope) -> Fields:
    """The fields of a request's query. Raises BadRequest for one that is too long or that is no text."""
    raw: bytes = scope.get("query_string", b"")
    if not raw:
        return {}
    if len(raw) > QUERY_MAX:
        raise BadRequest(f"the query is longer than {QUERY_MAX} bytes")
    return _fields(raw, "query")


async def read_form(receive: Receive, headers: Headers, most: int) -> Fields:
    """What was typed into a form. Raises Unsupported for another type of body, TooLarge for more than `most` bytes,
    BadRequest for one that cannot be read."""
    return form_fields(headers, await read_body(receive, headers, most))


def form_fields(headers: Headers, body: bytes) -> Fields:
    """The fields of a form that was received already. Raises Unsupported for another type of body, BadRequest for one that
    cannot be read."""
    if content_type(headers) != _FORM:
        raise Unsupported("a form must be sent as Content-Type: application/x-www-form-urlencoded")
    return _fields(body, "form")


def first(fields: Fields, name: str) -> str:
    """The first value of a field; empty where there is none."""
    return (fields.get(name) or [""])[0]


def _fields(raw: bytes, what: str) -> Fields:
    if raw.count(b"&") >= FIELDS_MAX:
        raise BadRequest(f"the {what} has more than {FIELDS_MAX} fields")
    try:
        found = parse_qs(raw.decode(), keep_blank_values=True, errors="strict")
    except UnicodeDecodeError as error:
        raise BadRequest(f"the {what} holds bytes that are no text in UTF-8") from error
    for name, values in found.items():
        if "\x00" in name or any("\x00" in value for value in values):
            shown = name.replace("\x00", "")[:100]
            raise BadRequest(f"{shown}: holds the character U+0000, which no text may hold")
    return found
