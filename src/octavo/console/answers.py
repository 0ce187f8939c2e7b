"""Answers of the console: nothing is kept by anybody, nothing is framed, no script runs."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

Header = tuple[bytes, bytes]

_SECURITY = (
    (
        b"content-security-policy",
        b"default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self' data:; form-action 'self'; "
        b"base-uri 'none'; frame-ancestors 'none'",
    ),
    (b"x-frame-options", b"DENY"),
    (b"x-content-type-options", b"nosniff"),
    # With `no-referrer` browsers would send forms without their origin.
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),
)
_NO_STORE = (b"cache-control", b"no-store")


@dataclass
class Answer:
    """One HTTP answer."""

    status: int
    body: bytes = b""
    headers: list[Header] = field(default_factory=list)
    kept: bool = False
    """A file whose address changes with its bytes."""

    async def send(self, scope: Any, send: Any) -> None:
        headers = [*self.headers, *_SECURITY, (b"content-length", str(len(self.body)).encode())]
        if not self.kept:
            headers.append(_NO_STORE)
        await send({"type": "http.response.start", "status": self.status, "headers": headers})
        await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else self.body})


def html(status: int, text: str, *headers: Header) -> Answer:
    """A page."""
    return Answer(status, text.encode(), [(b"content-type", b"text/html; charset=utf-8"), *headers])


def go(to: str, *headers: Header) -> Answer:
    """303: after a form was taken, the browser gets a page."""
    return Answer(303, b"", [(b"location", to.encode("ascii", "replace")), *headers])
