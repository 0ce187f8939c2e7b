"""Files by signed address: what the API gives as `downloadURL`, and what it takes as uploads."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from octavo.access.signing import PASSING, Signer
from octavo.kernel.clock import Clock
from octavo.kernel.errors import Failure
from octavo.publish.answers import Answer, file_answer, plain
from octavo.store.content.blobs import Blobs


class Files:
    """The ASGI application under /files/<signed>/<name> and /uploads/<signed>."""

    def __init__(self, blobs: Blobs, signer: Signer, clock: Clock) -> None:
        self._blobs = blobs
        self._signer = signer
        self._clock = clock

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer the bytes of a blob, or take those of an upload."""
        try:
            answer = await (self._take(scope, receive) if scope["path"].startswith("/uploads/") else self._give(scope))
        except Failure as failure:
            answer = plain(failure.status, failure.message)
        await answer.send(scope, send)

    async def _give(self, scope: Any) -> Answer:
        parts = scope["path"].split("/", 3)
        if len(parts) < 4 or scope["method"] not in ("GET", "HEAD"):
            return plain(404, "There is no such file.")
        if parts[2].startswith(PASSING):
            return await self._give_passing(scope, parts[2], parts[3])
        download = self._signer.read_download(parts[2], self._clock())
        answer = await file_answer(scope, self._blobs, download.organization, download.blob, download.content_type)
        # The address expires: nobody on the way may keep the file for others, or for longer.
        answer.headers = [header for header in answer.headers if header[0] != b"cache-control"]
        return answer.header("cache-control", "private, max-age=86400")

    async def _give_passing(self, scope: Any, token: str, name: str) -> Answer:
        """A file that is fetched by this address for a short time: nobody on the way may keep it for longer."""
        found = self._signer.read_passing(token, self._clock())
        answer = await file_answer(scope, self._blobs, found.organization, found.blob, found.content_type)
        replaced = (b"cache-control", b"content-disposition")
        answer.headers = [header for header in answer.headers if header[0] not in replaced]
        answer.header("cache-control", "private, no-store")
        return answer.header("content-disposition", f"attachment; filename*=UTF-8''{quote(name, safe='')}")

    async def _take(self, scope: Any, receive: Any) -> Answer:
        if scope["method"] not in ("PUT", "POST"):
            return plain(405, "Send the bytes of the file by PUT.").header("allow", "PUT")
        upload = self._signer.read_upload_address(scope["path"].removeprefix("/uploads/"), self._clock())
        parts: list[bytes] = []
        size = 0
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                return plain(400, "The connection was closed before the file ended.")
            part = message.get("body", b"")
            size += len(part)
            if size > upload.size:
                return plain(413, f"The file is larger than the {upload.size} bytes that were announced.")
            parts.append(part)
            if not message.get("more_body"):
                break
        if size != upload.size:
            return plain(400, f"The file has {size} bytes, {upload.size} were announced.")
        await self._blobs.put_as(upload.organization, upload.name, b"".join(parts))
        return Answer(204)
