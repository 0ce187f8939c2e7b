"""The description of the API: /openapi.json, and a reference to read and try it at /docs."""

from __future__ import annotations

import gzip
from collections.abc import Iterable
from functools import cached_property
from hashlib import blake2b
from importlib.resources import files
from typing import Any

import msgspec

from octavo.api.openapi import document
from octavo.kernel.operation import AnyOperation

_POLICY = (
    b"default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'; "
    b"img-src 'self' data:; font-src 'self'; base-uri 'none'; form-action 'none'"
)
_TYPES = {
    "html": b"text/html; charset=utf-8",
    "js": b"text/javascript; charset=utf-8",
    "css": b"text/css; charset=utf-8",
}
_SERVED = ("reference.html", "reference.js", "rapidoc-min.js")


class Documents:
    """The ASGI application of /openapi.json and /docs."""

    def __init__(self, rows: Iterable[AnyOperation], base: str) -> None:
        self._rows = tuple(rows)
        self._base = base

    @cached_property
    def _described(self) -> bytes:
        return msgspec.json.encode(document(self._rows, self._base))

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer one request."""
        status, media, body = self._find(scope["path"], scope["method"])
        tag = b'"' + blake2b(body, digest_size=10).hexdigest().encode() + b'"'
        asked = dict(scope["headers"])
        headers = [
            (b"content-type", media),
            (b"content-security-policy", _POLICY),
            (b"x-content-type-options", b"nosniff"),
            (b"cache-control", b"no-cache"),
            (b"etag", tag),
        ]
        if status == 200 and tag in asked.get(b"if-none-match", b""):
            status, body = 304, b""
        elif b"gzip" in asked.get(b"accept-encoding", b"") and len(body) > 1000:
            body = gzip.compress(body, 6, mtime=0)
            headers += [(b"content-encoding", b"gzip"), (b"vary", b"accept-encoding")]
        if status != 304:
            headers.append((b"content-length", str(len(body)).encode()))
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else body})

    def _find(self, path: str, method: str) -> tuple[int, bytes, bytes]:
        if method not in ("GET", "HEAD"):
            return 405, b"text/plain", b"Only GET is possible here."
        if path == "/openapi.json":
            return 200, b"application/json", self._described
        name = path.removeprefix("/docs").strip("/") or "reference.html"
        if name not in _SERVED:
            return 404, b"text/plain", b"There is nothing at this address."
        return 200, _TYPES[name.rsplit(".", 1)[-1]], files("octavo.api").joinpath("static", name).read_bytes()
