"""The description of the API: /openapi.json, and a reference to read and try it at /docs."""

from __future__ import annotations

import gzip
import logging
from hashlib import blake2b
from pathlib import Path

import msgspec

from octavo import __version__
from octavo.kernel.errors import NotFound
from octavo.web.answers import REVALIDATE, Answer
from octavo.web.asgi import Receive, Scope, Send
from octavo.web.door import answered, only, refuse_plainly
from octavo.web.fields import Fields

_STATIC = Path(__file__).with_name("static")
DESCRIPTION = _STATIC / "openapi.json"
"""Made by tools/openapi.py: to make it of all rows and shapes would keep everybody else waiting for a tenth of a second."""
_ALWAYS = (
    (
        b"content-security-policy",
        b"default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'; "
        b"img-src 'self' data:; font-src 'self'; base-uri 'none'; form-action 'none'",
    ),
    (b"x-content-type-options", b"nosniff"),
)
_TYPES = {
    "html": "text/html; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "css": "text/css; charset=utf-8",
}
_SERVED = ("reference.html", "reference.js", "rapidoc-min.js")
_log = logging.getLogger("octavo.api")


class Documents:
    """The ASGI application of /openapi.json and /docs."""

    def __init__(self, base: str) -> None:
        self._base = base
        self._made: dict[str, Answer] = {}
        """Name -> answer, made when it is first asked for."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""

        async def work(_: Fields) -> Answer:
            only(scope, "GET")
            return self._find(scope["path"])

        answer = await answered(scope, _log, work, refuse_plainly)
        await answer.send(scope, send, _ALWAYS)

    def _find(self, path: str) -> Answer:
        name = "" if path == "/openapi.json" else path.removeprefix("/docs").strip("/") or "reference.html"
        made = self._made.get(name)
        if made is None:
            made = self._made[name] = self._make(name)
        return made

    def _make(self, name: str) -> Answer:
        if not name:
            return _kept("application/json", _description(self._base))
        if name not in _SERVED:
            raise NotFound("there is nothing at this address")
        return _kept(_TYPES[name.rsplit(".", 1)[-1]], (_STATIC / name).read_bytes())


def _description(base: str) -> bytes:
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
