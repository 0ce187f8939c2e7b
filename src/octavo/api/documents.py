"""The description of the API as programs read it: /openapi.json."""

from __future__ import annotations

import gzip
import logging
from functools import cached_property
from hashlib import blake2b
from pathlib import Path

import msgspec

from octavo import __version__
from octavo.web.answers import REVALIDATE, Answer
from octavo.web.asgi import Receive, Scope, Send
from octavo.web.door import answered, only, refuse_plainly
from octavo.web.fields import Fields

DESCRIPTION = Path(__file__).with_name("static") / "openapi.json"
"""Made by tools/openapi.py: to make it of all rows and shapes would keep everybody else waiting for a tenth of a second."""
_ALWAYS = ((b"content-security-policy", b"default-src 'none'"), (b"x-content-type-options", b"nosniff"))
_log = logging.getLogger("octavo.api")


class Documents:
    """The ASGI application of /openapi.json."""

    def __init__(self, base: str) -> None:
        self._base = base

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""

        async def work(_: Fields) -> Answer:
            only(scope, "GET")
            return self._made.copy()

        answer = await answered(scope, _log, work, refuse_plainly)
        await answer.send(scope, send, _ALWAYS)

    @cached_property
    def _made(self) -> Answer:
        return _kept("application/json", described(self._base))


def described(base: str) -> bytes:
    """The description of an installation that answers at `base`."""
    made = msgspec.json.decode(DESCRIPTION.read_bytes())
    made["info"]["version"] = __version__
    made["servers"] = [{"url": base}]
    return msgspec.json.encode(made)


def _kept(media: str, body: bytes) -> Answer:
    answer = Answer(200, body).header("content-type", media).header("cache-control", REVALIDATE)
    answer.etag = b'"' + blake2b(body, digest_size=10).hexdigest().encode() + b'"'
    answer.zipped = gzip.compress(body, 6, mtime=0)
    return answer
