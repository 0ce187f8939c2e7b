"""Answers of the publish door: status, headers, body, and how a browser may keep them."""

from __future__ import annotations

import gzip
import re
from dataclasses import dataclass, field
from typing import Any

from octavo.store.content.blobs import Blobs

REVALIDATE = "no-cache"
FOREVER = "public, max-age=31536000, immutable"
_SAFE_INLINE = ("image/png", "image/jpeg", "image/gif", "image/webp", "image/avif", "image/svg+xml", "application/pdf",
                "video/mp4", "video/webm", "audio/mpeg", "text/plain")  # fmt: skip
"""Types that a browser may show; everything else is downloaded."""


@dataclass
class Answer:
    """One HTTP answer."""

    status: int
    body: bytes = b""
    headers: list[tuple[bytes, bytes]] = field(default_factory=list)
    etag: bytes | None = None
    zipped: bytes | None = None
    """The body compressed, where it was made before."""

    def header(self, name: str, value: str) -> Answer:
        self.headers.append((name.encode(), value.encode("latin-1", "replace")))
        return self

    def copy(self) -> Answer:
        """One for this visit alone: headers are added on the way out."""
        return Answer(self.status, self.body, list(self.headers), self.etag, self.zipped)

    async def send(self, scope: Any, send: Any) -> None:
        """Send it; 304 when the visitor has it already, compressed when the visitor takes that."""
        asked = dict(scope["headers"])
        headers = list(self.headers)
        status, body = self.status, self.body
        if self.etag is not None:
            headers.append((b"etag", self.etag))
            if _has(asked, self.etag):
                status, body = 304, b""
        if self.zipped is not None:
            headers.append((b"vary", b"accept-encoding"))
            if status != 304 and _GZIP.search(asked.get(b"accept-encoding", b"")):
                body = self.zipped
                headers.append((b"content-encoding", b"gzip"))
        if status != 304:
            headers.append((b"content-length", str(len(body)).encode()))
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else body})


_GZIP = re.compile(rb"(?i)(?:^|,)\s*gzip\s*(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))(?:;|,|$)")
"""Accept-Encoding that takes gzip."""


def _has(asked: dict[bytes, bytes], etag: bytes) -> bool:
    """Whether the visitor says to have that version already."""
    given = asked.get(b"if-none-match", b"")
    return given.strip() == b"*" or etag in given


def html(status: int, text: str) -> Answer:
    """An HTML document."""
    return zipped(status, "text/html", text)


def zipped(status: int, content_type: str, text: str) -> Answer:
    """A text of that type, compressed as well."""
    body = text.encode()
    answer = Answer(status, body, [(b"content-type", f"{content_type}; charset=utf-8".encode())])
    answer.zipped = gzip.compress(body, 5, mtime=0)
    return answer


def plain(status: int, text: str) -> Answer:
    """A sentence."""
    return Answer(status, text.encode(), [(b"content-type", b"text/plain; charset=utf-8")])


def redirect(status: int, to: str) -> Answer:
    """307 or 308 to another address."""
    return plain(status, f"It is at {to}").header("location", to)


async def file_answer(scope: Any, blobs: Blobs, organization: str, blob: str, content_type: str) -> Answer:
    """The bytes of a file: never sniffed, never able to run as a page of this host."""
    etag = f'"{blob[:32]}"'.encode()
    headers = [
        (b"cache-control", FOREVER.encode()),
        (b"x-content-type-options", b"nosniff"),
        (b"content-security-policy", b"default-src 'none'; style-src 'unsafe-inline'; sandbox"),
        (b"cross-origin-resource-policy", b"cross-origin"),
    ]
    if _has(dict(scope["headers"]), etag):
        return Answer(304, b"", headers, etag)
    data = await blobs.get(organization, blob)
    if data is None:
        return plain(404, "There is no such file.")
    shown = content_type.split(";")[0] in _SAFE_INLINE
    headers.append(
        (b"content-type", (content_type if shown else "application/octet-stream").encode("latin-1", "replace"))
    )
    if not shown:
        headers.append((b"content-disposition", b"attachment"))
    return Answer(200, data, headers, etag)
