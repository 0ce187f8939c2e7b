"""Bytes of files by their SHA-256, on a local disk or any store that obstore speaks."""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
from collections.abc import AsyncIterable, AsyncIterator
from pathlib import Path
from typing import Any, NamedTuple

import obstore
from obstore.exceptions import BaseError
from obstore.store import LocalStore, MemoryStore, from_url

from octavo.kernel.errors import Unavailable

_CERTIFICATE = re.compile(r"InvalidCertificate\(\s*(\w+)")
_WHY = {
    "Expired": "it has expired",
    "NotValidYet": "it is not valid yet; look at the clocks too",
    "NotValidForName": "it is for another name",
    "UnknownIssuer": "nobody who is trusted here vouches for it",
    "CaUsedAsEndEntity": "it is signed by itself alone",
}
"""What the library's TLS calls what it found, in words."""
PART = 5 << 20
"""Bytes of a part of what is stored as it arrives: the least that object stores take."""
_READ = 256 << 10
_FAILED = (OSError, BaseError)


def require_endpoint(url: str) -> None:
    """Raises Unavailable where a variable sends an S3-compatible store to what is no address: obstore breaks on it later,
    without a word."""
    for name in ("AWS_ENDPOINT", "AWS_ENDPOINT_URL", "AWS_ENDPOINT_URL_S3"):
        place = os.environ.get(name)
        if place and url.startswith("s3://") and not re.match(r"https?://[^/\s]", place):
            raise Unavailable(f"{name} must begin with http:// or https:// and name a host, and {place!r} does not")


class Opened:
    """A blob that is read once: whole, or in parts."""

    def __init__(self, found: Any) -> None:
        self._found = found
        self.whole_size: int = found.meta["size"]
        """Bytes of the blob."""
        first, end = found.range
        self.size: int = end - first
        """Bytes of what was opened of it."""

    async def whole(self) -> bytes:
        try:
            return bytes(await self._found.bytes_async())
        except _FAILED as error:
            raise _unread(error) from error

    async def parts(self) -> AsyncIterator[bytes]:
        """The bytes in parts of some 256 KiB."""
        try:
            async for part in self._found.stream(min_chunk_size=_READ):
                yield bytes(part)
        except _FAILED as error:
            raise _unread(error) from error


class Listed(NamedTuple):
    """What a store says of an object."""

    path: str
    """`organization/ab/name`."""
    size: int
    """Bytes."""
    written_at: int
    """Milliseconds."""


class Blobs:
    """Immutable bytes; the same bytes are kept once for each organization."""

    def __init__(self, store: Any) -> None:
        self._store = store

    @classmethod
    def local(cls, directory: Path) -> Blobs:
        """Blobs as files below a directory, made on first use."""
        try:
            directory.mkdir(parents=True, exist_ok=True)
            return cls(LocalStore(prefix=str(directory)))
        except _FAILED as error:
            raise Unavailable(f"{directory} cannot hold files: {said(error)}") from error

    @classmethod
    def at(cls, url: str, *, named: str = "OCTAVO_BLOBS_URL") -> Blobs:
        """Blobs in an object store; keys and endpoint are in the variables that its own tools read. Raises Unavailable for
        an address that is none of those it knows; `named` is what it is called then."""
        require_endpoint(url)
        try:
            return cls(from_url(url))
        except (*_FAILED, ValueError) as error:
            raise Unavailable(f"{named} names no object store that can be used: {said(error)}") from error

    @classmethod
    def memory(cls) -> Blobs:
        return cls(MemoryStore())

    async def put(self, organization: str, data: bytes) -> str:
        """Keep the bytes; returns their name."""
        blob = hashlib.sha256(data).hexdigest()
        await self.put_as(organization, blob, data)
        return blob

    async def put_as(self, organization: str, name: str, data: bytes) -> None:
        """Keep bytes under a name that was given out before they were known."""
        try:
            await obstore.put_async(self._store, _path(organization, name), data)
        except _FAILED as error:
            raise Unavailable(f"the file store could not be written: {said(error)}") from error

    async def put_stream(self, organization: str, name: str, parts: AsyncIterable[bytes]) -> None:
        """The same for bytes that arrive in parts, of which few are held at a time. Nothing is kept of what breaks off:
        whatever `parts` raises is raised."""
        try:
            await obstore.put_async(
                self._store, _path(organization, name), parts, use_multipart=True, chunk_size=PART, max_concurrency=2
            )
        except _FAILED as error:
            raise Unavailable(f"the file store could not be written: {said(error)}") from error

    async def get(self, organization: str, blob: str) -> bytes | None:
        """The bytes, or None when they are not there."""
        found = await self.open(organization, blob)
        return None if found is None else await found.whole()

    async def open(self, organization: str, blob: str, part: tuple[int, int] | None = None) -> Opened | None:
        """What is needed to read the bytes, or a part of them: from where, and how many; None when they are not there.
        Raises Unavailable where the store does not answer."""
        options: Any = None if part is None else {"range": (part[0], part[0] + part[1])}
        try:
            return Opened(await obstore.get_async(self._store, _path(organization, blob), options=options))
        except FileNotFoundError:
            return None
        except _FAILED as error:
            raise _unread(error) from error

    async def names(self) -> AsyncIterator[str]:
        """Everything that is kept, as `organization/ab/name`. Raises Unavailable where it cannot be listed."""
        async for one in self.listed():
            yield one.path

    async def listed(self) -> AsyncIterator[Listed]:
        """The same with what the store knows of each."""
        try:
            async for found in obstore.list(self._store):
                for one in found:
                    yield Listed(str(one["path"]), int(one["size"]), int(one["last_modified"].timestamp() * 1000))
        except _FAILED as error:
            raise Unavailable(f"the file store could not be listed: {said(error)}") from error

    async def written_at(self, organization: str, blob: str) -> int | None:
        """When the bytes were put there last, in milliseconds; None when they are not there."""
        try:
            found = await obstore.head_async(self._store, _path(organization, blob))
        except FileNotFoundError:
            return None
        except _FAILED as error:
            raise _unread(error) from error
        return int(found["last_modified"].timestamp() * 1000)

    async def remove(self, organization: str, blob: str) -> None:
        """Let the bytes go; what is not there is gone already."""
        with contextlib.suppress(FileNotFoundError):
            await obstore.delete_async(self._store, _path(organization, blob))


def _unread(error: Exception) -> Unavailable:
    return Unavailable(f"the file store could not be read: {said(error)}")


def said(error: Exception) -> str:
    """What went wrong, in one line: the library goes on about itself, and names a certificate only there."""
    if found := _CERTIFICATE.search(str(error)):
        why = _WHY.get(found[1].removesuffix("Context"), found[1])
        return f"the certificate of the object store is not valid: {why}"
    return (str(error).splitlines() or [type(error).__name__])[0]


def _path(organization: str, blob: str) -> str:
    return f"{organization}/{blob[:2]}/{blob}"
