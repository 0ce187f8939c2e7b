"""Failures that a caller is told of: each carries its HTTP status and a sentence.

Failure
├── BadRequest      400  the input is wrong; the sentence names the field
├── Unauthorized    401  no token, or none that is valid
├── Forbidden       403  may be seen, may not be done by this caller
├── NotFound        404  absent, or not to be seen by this caller
├── NotAllowed      405  the path exists, the method does not
├── Conflict        409  forbidden by a state, not by the caller's rights
├── Precondition    412
├── TooLarge        413
├── Unsupported     415
├── TooMany         429
├── Broken          500  a bug; the log has it under the request id
├── NotInstalled    501  an optional part is absent from this installation
├── Unavailable     503  a store is away, or work that was waited for broke
└── TookTooLong     504  an awaited job is still running
"""

from __future__ import annotations

import re

TOKEN_PREFIX = "octavo_"
"""How tokens begin."""
_TOKEN = re.compile(rf"{TOKEN_PREFIX}[\w-]{{16,}}")


def masked(text: str) -> str:
    """Without tokens: somebody may put one where an id belongs, and errors and log lines are kept and passed on.

    >>> masked("token 'octavo_0123456789abcdef' was not found")
    "token 'octavo_…' was not found"
    """
    return _TOKEN.sub(f"{TOKEN_PREFIX}…", text) if TOKEN_PREFIX in text else text


class Failure(Exception):
    """A refusal with a status and a sentence for the caller."""

    status = 500

    def __init__(self, message: str) -> None:
        self.message = masked(message)
        super().__init__(self.message)


class BadRequest(Failure):
    status = 400


class Unauthorized(Failure):
    status = 401


class Forbidden(Failure):
    status = 403


class NotFound(Failure):
    status = 404


class NotAllowed(Failure):
    status = 405

    def __init__(self, message: str, allow: list[str]) -> None:
        super().__init__(message)
        self.allow = allow


class Conflict(Failure):
    status = 409


class Precondition(Failure):
    status = 412


class TooLarge(Failure):
    status = 413


class Unsupported(Failure):
    status = 415


class TooMany(Failure):
    status = 429


class Broken(Failure):
    status = 500


class NotInstalled(Failure):
    status = 501


class Unavailable(Failure):
    status = 503


class TookTooLong(Failure):
    status = 504


def absent(what: str, word: str) -> NotFound:
    """The one sentence for "no such thing, or none that you may see"."""
    return NotFound(f"{what} {word!r} was not found")


class Stale(Exception):
    """What was prepared ahead of a unit does not fit any more: it is prepared again, and the unit runs again."""
