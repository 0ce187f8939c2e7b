"""The door of a preview: sites as they are, and beside them what tells browsers of changes and authors of broken links."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import cache
from hashlib import blake2b
from importlib.resources import files
from itertools import groupby
from typing import Any

import msgspec

from octavo.content.layout.report import Notice
from octavo.main import App
from octavo.publish import assets
from octavo.serving.preview.problems import is_link
from octavo.web.answers import Answer
from octavo.web.asgi import Header, Receive, Scope, Send
from octavo.web.pages import Pages

PREFIX = "/~octavo/preview/"
"""On every host: a site has nothing of its own there."""
PAGE_TAG = b"x-octavo-page"
"""Header that names the bytes of a page: when they are others, whoever reads it is to see them."""
_BEAT = 1.0
"""Seconds until a stream looks whether the server is about to end."""
_QUIET = 15
"""Beats without news after which a stream says that it is there."""
_SCRIPT = b"text/javascript; charset=utf-8"
_FILES = {"preview.js": _SCRIPT, "links.js": _SCRIPT, "preview.css": b"text/css; charset=utf-8"}
_NO_STORE: Header = (b"cache-control", b"no-store")
_POLICY: Header = (
    b"content-security-policy",
    b"default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data:; connect-src 'self';"
    b" base-uri 'none'; frame-ancestors 'none'",
)
_DROPPED = frozenset({b"content-length", b"etag", b"cache-control", b"speculation-rules"})
"""Headers of a page that would let a browser keep it, or read others ahead that may change until they are opened."""


class News(msgspec.Struct, frozen=True):
    """What browsers are told."""

    version: int = 0
    """Of what is shown: it grows with every change that was read."""
    links: int = 0
    """Links that lead nowhere."""
    others: int = 0
    """Whatever else reading warned of."""
    error: str | None = None
    """Why the last change could not be read."""


class Live:
    """The ASGI application of a preview."""

    def __init__(self, app: App) -> None:
        self._app = app
        self.news = News()
        self._notices: Sequence[Notice] = ()
        self._told = asyncio.Event()
        self._pages = Pages(
            __package__ or "", asset=lambda name: f"/~octavo/{assets.path(name)}", own=lambda name: PREFIX + name
        )

    def tell(self, *, changed: bool = False, error: str | None = None, notices: Sequence[Notice] | None = None) -> None:
        """Let every browser know how things are now."""
        if notices is not None:
            self._notices = notices
        links = sum(map(is_link, self._notices))
        self.news = News(self.news.version + changed, links, len(self._notices) - links, error)
        told, self._told = self._told, asyncio.Event()
        told.set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] not in ("GET", "HEAD"):
            await self._app(scope, receive, send)
        elif scope["path"].startswith(PREFIX):
            await self._own(scope, send, scope["path"].removeprefix(PREFIX))
        else:
            await self._page(scope, receive, send)

    async def _own(self, scope: Scope, send: Send, name: str) -> None:
        if name == "events":
            await self._events(send)
        elif name == "links":
            by_file = [(file, [*some]) for file, some in groupby(self._notices, lambda one: one.file)]
            answer = self._pages.page(
                200,
                "links.html",
                _POLICY,
                _NO_STORE,
                news=self.news,
                told=_told(self.news),
                files=by_file,
                is_link=is_link,
            )
            await answer.send(scope, send)
        elif name in _FILES:
            await Answer(200, _static(name), [(b"content-type", _FILES[name]), _NO_STORE]).send(scope, send)
        else:
            await Answer(404, b"There is nothing at this address.", [(b"content-type", b"text/plain")]).send(
                scope, send
            )

    async def _events(self, send: Send) -> None:
        """Server-sent events: how things are now, and again whenever that is otherwise."""
        headers = [(b"content-type", b"text/event-stream"), _NO_STORE]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        said: News | None = None
        beats = 0
        while not self._app.leaving:
            told = self._told
            if self.news != said:
                said, beats = self.news, 0
                await _part(send, b"data: %b\n\n" % _told(said).encode())
            try:
                await asyncio.wait_for(told.wait(), _BEAT)
            except TimeoutError:
                beats += 1
                if beats % _QUIET == 0:
                    await _part(send, b": here\n\n")
        await send({"type": "http.response.body", "body": b""})

    async def _page(self, scope: Scope, receive: Receive, send: Send) -> None:
        """An answer of the sites; a page gets what follows changes, and is never kept by the browser."""
        if b"text/html" not in dict(scope["headers"]).get(b"accept", b""):
            await self._app(scope, receive, send)
            return
        plainly = [pair for pair in scope["headers"] if pair[0] not in (b"accept-encoding", b"if-none-match")]
        held = _Held()
        await self._app({**scope, "method": "GET", "headers": plainly}, receive, held)
        if dict(held.headers).get(b"content-type", b"").startswith(b"text/html"):
            tag = blake2b(held.body, digest_size=12).hexdigest()
            own = (
                f'<link rel="stylesheet" href="{PREFIX}preview.css">\n'
                f'<script type="module" src="{PREFIX}preview.js" data-page="{tag}"></script>\n</head>'
            )
            body = held.body.replace(b"</head>", own.encode(), 1)
            headers = [pair for pair in held.headers if pair[0] not in _DROPPED]
            headers += [_NO_STORE, (PAGE_TAG, tag.encode()), (b"content-length", b"%d" % len(body))]
            held = _Held(held.status, headers, body)
        await held.send(scope, send)


class _Held:
    """An answer that is held until all of it is there."""

    def __init__(self, status: int = 200, headers: Sequence[Header] = (), body: bytes = b"") -> None:
        self.status = status
        self.headers = [*headers]
        self.body = body

    async def __call__(self, message: Any) -> None:
        if message["type"] == "http.response.start":
            self.status, self.headers = message["status"], [*message["headers"]]
        else:
            self.body += message.get("body", b"")

    async def send(self, scope: Scope, send: Send) -> None:
        await send({"type": "http.response.start", "status": self.status, "headers": self.headers})
        await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else self.body})


def _told(news: News) -> str:
    return msgspec.json.encode(news).decode()


async def _part(send: Send, data: bytes) -> None:
    await send({"type": "http.response.body", "body": data, "more_body": True})


@cache
def _static(name: str) -> bytes:
    return files(__package__ or "").joinpath("static", name).read_bytes()
