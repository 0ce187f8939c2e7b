"""Files by signed address: what the API gives as `downloadURL`, and what it takes as uploads."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from urllib.parse import quote

from octavo.access.signing import PASSING, Download, Signer, Upload
from octavo.kernel import limits
from octavo.kernel.clock import HOUR, Clock
from octavo.kernel.errors import BadRequest, Conflict, NotFound
from octavo.store.content.blobs import Blobs, Opened
from octavo.web.answers import FOREVER, Answer, Stream, has, plain
from octavo.web.asgi import Header, Receive, Scope, Send
from octavo.web.bodies import stream_body
from octavo.web.door import answered, only, refuse_plainly
from octavo.web.fields import Fields
from octavo.web.ranges import Unsatisfiable, part_of

_SAFE_INLINE = ("image/png", "image/jpeg", "image/gif", "image/webp", "image/avif", "image/svg+xml", "application/pdf",
                "video/mp4", "video/webm", "audio/mpeg", "text/plain")  # fmt: skip
"""Types that a browser may show; everything else is downloaded."""
HELD = 1 << 20
"""Bytes of a file up to which it is read at once; of larger ones a part is held at a time."""
_log = logging.getLogger("octavo.publish")


class Files:
    """The ASGI application under /files/<signed>/<name> and /uploads/<signed>."""

    def __init__(
        self, blobs: Blobs, signer: Signer, clock: Clock, reachable: Callable[[Download], Awaitable[bool]]
    ) -> None:
        """`reachable` says whether what an address names is there still: addresses outlive much."""
        self._blobs = blobs
        self._reachable = reachable
        self._signer = signer
        self._clock = clock
        self._arriving: set[str] = set()
        """Uploads of which bytes come in: one that is sent often at once would take as much room as often."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer the bytes of a blob, or take those of an upload."""

        async def work(_: Fields) -> Answer:
            return await (self._take(scope, receive) if scope["path"].startswith("/uploads/") else self._give(scope))

        answer = await answered(scope, _log, work, refuse_plainly)
        await answer.send(scope, send)

    async def _give(self, scope: Scope) -> Answer:
        only(scope, "GET")
        parts = scope["path"].split("/", 3)
        if len(parts) < 4:
            raise NotFound("there is no such file")
        if parts[2].startswith(PASSING):
            return await self._give_passing(scope, parts[2], parts[3])
        download = self._signer.read_download(parts[2], self._clock())
        if not await self._reachable(download):
            raise NotFound("there is no such file any more")
        answer = await file_answer(scope, self._blobs, download.organization, download.blob, download.content_type)
        # The address expires: nobody on the way may keep the file for others, or for longer.
        answer.headers = [header for header in answer.headers if header[0] != b"cache-control"]
        return answer.header("cache-control", "private, max-age=86400")

    async def _give_passing(self, scope: Scope, token: str, name: str) -> Answer:
        """A file that is fetched by this address for a short time: nobody on the way may keep it for longer."""
        found = self._signer.read_passing(token, self._clock())
        if not await self._reachable(found):
            raise NotFound("there is no such file any more")
        answer = await file_answer(scope, self._blobs, found.organization, found.blob, found.content_type)
        replaced = (b"cache-control", b"content-disposition")
        answer.headers = [header for header in answer.headers if header[0] not in replaced]
        answer.header("cache-control", "private, no-store")
        return answer.header("content-disposition", f"attachment; filename*=UTF-8''{quote(name, safe='')}")

    async def _take(self, scope: Scope, receive: Receive) -> Answer:
        only(scope, "PUT", "POST")
        key, headers = scope["path"].removeprefix("/uploads/"), dict(scope["headers"])
        upload = self._signer.read_upload_address(key, self._clock())
        if upload.name in self._arriving:
            raise Conflict("this file is being sent already")
        self._arriving.add(upload.name)
        try:
            parts = _exactly(upload.size, stream_body(receive, headers, upload.size))
            await self._blobs.put_stream(upload.organization, upload.name, parts)
            await self._let_go_if_late(key, upload)
        finally:
            self._arriving.remove(upload.name)
        return Answer(204)

    async def _let_go_if_late(self, key: str, upload: Upload) -> None:
        """What was still arriving when the bytes of this key were to be removed is removed now."""
        try:
            self._signer.read_upload_address(key, self._clock() - (limits.UPLOAD_HOURS - 1) * HOUR)
        except NotFound:
            await self._blobs.remove(upload.organization, upload.name)
            raise


async def _exactly(size: int, parts: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """The same parts. Raises BadRequest where they end too early."""
    seen = 0
    async for part in parts:
        seen += len(part)
        yield part
    if seen != size:
        raise BadRequest(f"the file has {seen} bytes, {size} were announced")


async def file_answer(scope: Scope, blobs: Blobs, organization: str, blob: str, content_type: str) -> Answer:
    """The bytes of a file: never sniffed, never able to run as a page of this host. Raises NotFound where none are."""
    etag = f'"{blob[:32]}"'.encode()
    headers = [
        (b"cache-control", FOREVER.encode()),
        (b"x-content-type-options", b"nosniff"),
        (b"content-security-policy", b"default-src 'none'; style-src 'unsafe-inline'; sandbox"),
        (b"cross-origin-resource-policy", b"cross-origin"),
    ]
    shown = content_type.split(";")[0] in _SAFE_INLINE
    kind = (content_type if shown else "application/octet-stream").encode("latin-1", "replace")
    headers.append((b"content-type", kind))
    if not shown:
        headers.append((b"content-disposition", b"attachment"))
    if has(dict(scope["headers"]), etag):
        return Answer(304, b"", headers, etag)
    found = await blobs.open(organization, blob)
    if found is None:
        raise NotFound("there is no such file")
    headers.append((b"accept-ranges", b"bytes"))
    try:
        # Of HEAD the header means nothing.
        part = part_of(dict(scope["headers"]), etag, found.size) if scope["method"] == "GET" else None
    except Unsatisfiable:
        refused = plain(416, f"The file has {found.size} bytes.")
        return refused.header("content-range", f"bytes */{found.size}").header("accept-ranges", "bytes")
    if part is None:
        return await _sent(200, found, headers, etag)
    headers.append((b"content-range", part.said(found.size).encode()))
    found = await blobs.open(organization, blob, part)
    if found is None:
        raise NotFound("there is no such file any more")
    return await _sent(206, found, headers, etag)


async def _sent(status: int, found: Opened, headers: list[Header], etag: bytes) -> Answer:
    if found.size <= HELD:
        return Answer(status, await found.whole(), headers, etag)
    return Answer(status, b"", headers, etag, stream=Stream(found.size, found.parts()))
