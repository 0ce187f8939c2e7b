"""Bodies of requests: in pieces where they are large, whole where they are small, never longer than allowed."""

from __future__ import annotations

from collections.abc import AsyncIterator

from octavo.kernel.errors import BadRequest, TooLarge
from octavo.web.asgi import Headers, Receive


async def stream_body(receive: Receive, headers: Headers, most: int) -> AsyncIterator[bytes]:
    """The body in the pieces in which it arrives; only one of them is held.

    Raises TooLarge for more than `most` bytes: before anything is read where the header Content-Length says so. Raises
    BadRequest where that header is wrong, and where the connection ends before the body does.
    """
    declared = _declared(headers)
    if declared is not None and declared > most:
        raise TooLarge(f"the body is larger than {most} bytes")
    size = 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise BadRequest("the connection was closed before the body ended")
        part: bytes = message.get("body", b"")
        size += len(part)
        if size > most:
            raise TooLarge(f"the body is larger than {most} bytes")
        if part:
            yield part
        if not message.get("more_body"):
            break
    if declared is not None and declared != size:
        raise BadRequest(f"the body has {size} bytes, the header Content-Length says {declared}")


async def read_body(receive: Receive, headers: Headers, most: int) -> bytes:
    """The whole body. Raises as `stream_body` does."""
    return b"".join([part async for part in stream_body(receive, headers, most)])


def content_type(headers: Headers) -> bytes:
    """The type of the body in lower case, without parameters; empty where none is named."""
    return headers.get(b"content-type", b"").split(b";")[0].strip().lower()


def _declared(headers: Headers) -> int | None:
    given = headers.get(b"content-length")
    if given is None:
        return None
    if not given.isdigit() or len(given) > 18:
        raise BadRequest("the header Content-Length is no number of bytes")
    return int(given)
