"""How refusals are told: to programs as {"error": {"code", "message"}}, to people as a sentence."""

from __future__ import annotations

import msgspec

from octavo.kernel.errors import Failure


class ErrorDetail(msgspec.Struct):
    """`code` is the HTTP status, `message` a sentence."""

    code: int
    message: str


class ErrorBody(msgspec.Struct):
    """What every answer of the API that is no success carries."""

    error: ErrorDetail


def body_of(failure: Failure) -> bytes:
    """The JSON of a failure."""
    return msgspec.json.encode(ErrorBody(ErrorDetail(failure.status, failure.message)))


def sentence_of(failure: Failure) -> str:
    """The same for people.

    >>> from octavo.kernel.errors import BadRequest
    >>> sentence_of(BadRequest("the query is longer than 16384 bytes"))
    'The query is longer than 16384 bytes.'
    """
    text = failure.message
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "!", "?", "…")) else ".")
