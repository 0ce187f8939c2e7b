"""Files of content by signed address: what the API gives as `downloadURL`."""

from __future__ import annotations

from typing import Any

from octavo.access.signing import Signer
from octavo.kernel.errors import Failure
from octavo.publish.answers import Answer, file_answer, plain
from octavo.store.blobs import Blobs


class Files:
    """The ASGI application under /files/<signed>/<name>."""

    def __init__(self, blobs: Blobs, signer: Signer) -> None:
        self._blobs = blobs
        self._signer = signer

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer the bytes of a blob."""
        await (await self._answer(scope)).send(scope, send)

    async def _answer(self, scope: Any) -> Answer:
        parts = scope["path"].split("/", 3)
        if len(parts) < 4 or scope["method"] not in ("GET", "HEAD"):
            return plain(404, "There is no such file.")
        try:
            download = self._signer.read_download(parts[2])
        except Failure:
            return plain(404, "There is no such file.")
        return await file_answer(scope, self._blobs, download.organization, download.blob, download.content_type)
