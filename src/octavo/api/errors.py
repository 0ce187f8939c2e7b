"""The one error body: {"error": {"code", "message"}}."""

from __future__ import annotations

import msgspec

from octavo.kernel.errors import Failure


class ErrorDetail(msgspec.Struct):
    """`code` is the HTTP status, `message` a sentence."""

    code: int
    message: str


class ErrorBody(msgspec.Struct):
    """What every answer that is no success carries."""

    error: ErrorDetail


def body_of(failure: Failure) -> bytes:
    """The JSON of a failure."""
    return msgspec.json.encode(ErrorBody(ErrorDetail(failure.status, failure.message)))
