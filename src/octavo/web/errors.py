"""How refusals are told: to programs as {"error": {"code", "message"}}, to people as a sentence."""

from __future__ import annotations

import re

import msgspec

from octavo.kernel.errors import Failure

_NAMED = re.compile(r"[^\s:]+: ")
"""A message that begins with the name of a field."""


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
    >>> sentence_of(BadRequest("q: holds the character U+0000, which no text may hold"))
    'q: holds the character U+0000, which no text may hold.'
    """
    text = failure.message
    if not _NAMED.match(text):
        text = text[:1].upper() + text[1:]
    return text + ("" if text.endswith((".", "!", "?", "…")) else ".")
