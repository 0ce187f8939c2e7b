"""Large files by name in a directory or an object store: where backups are put."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import obstore
from obstore.exceptions import BaseError
from obstore.store import from_url

from octavo.kernel.errors import NotFound, Unavailable
from octavo.store.content.blobs import require_endpoint, said

_PART = 8 << 20
_FAILED = (OSError, BaseError)


class Depot:
    """A place for files; whatever is wrong with it is told with its name."""

    def __init__(self, place: str) -> None:
        """`place` is a directory, or an address as s3://BUCKET/PREFIX. Raises Unavailable for one that cannot be."""
        self.place = place.rstrip("/")
        self._folder = None if "://" in place else Path(place)
        if place.startswith("file://"):
            self._folder = Path(place.removeprefix("file://"))
        self._store: Any = None
        if self._folder is None:
            require_endpoint(place)
            try:
                self._store = from_url(place)
            except (*_FAILED, ValueError) as error:
                raise Unavailable(f"{place} is no place for backups: {said(error)}") from error

    @classmethod
    def of(cls, file: str) -> tuple[Depot, str]:
        """The place of a file, and its name there."""
        if "://" not in file:
            path = Path(file)
            return cls(str(path.absolute().parent)), path.name
        place, _, name = file.rpartition("/")
        return cls(place), name

    @property
    def folder(self) -> Path | None:
        """The directory that it is; None = an object store."""
        return self._folder

    def called(self, name: str) -> str:
        """The file, as people write it."""
        return f"{self.place}/{name}"

    async def put(self, name: str, file: Path) -> None:
        """Let a file be there under the name, whole or not at all; the file itself may go with that."""
        if self._folder is not None:
            os.replace(file, self._folder / name)
            return
        try:
            await obstore.put_async(self._store, name, _parts(file), use_multipart=True, chunk_size=_PART)
        except _FAILED as error:
            raise Unavailable(f"{self.called(name)} could not be written: {said(error)}") from error

    async def fetch(self, name: str, folder: Path) -> Path:
        """The file on this machine: the one that it is, or a copy in `folder`. Raises NotFound or Unavailable."""
        if self._folder is not None:
            if not (self._folder / name).is_file():
                raise NotFound(f"there is no file {self.called(name)}")
            return self._folder / name
        target = folder / "fetched"
        try:
            found = await obstore.get_async(self._store, name)
            with target.open("wb") as written:
                async for part in found.stream(min_chunk_size=_PART):
                    written.write(part)
        except FileNotFoundError as error:
            raise NotFound(f"there is no file {self.called(name)}") from error
        except _FAILED as error:
            raise Unavailable(f"{self.called(name)} could not be read: {said(error)}") from error
        return target

    async def names(self) -> list[str]:
        """All files, by name."""
        if self._folder is not None:
            return sorted(path.name for path in self._folder.iterdir() if path.is_file())
        try:
            found = [one["path"] async for some in obstore.list(self._store) for one in some]
        except _FAILED as error:
            raise Unavailable(f"{self.place} could not be listed: {said(error)}") from error
        return sorted(str(path) for path in found)

    async def remove(self, name: str) -> None:
        if self._folder is not None:
            (self._folder / name).unlink(missing_ok=True)
            return
        try:
            await obstore.delete_async(self._store, name)
        except FileNotFoundError:
            return
        except _FAILED as error:
            raise Unavailable(f"{self.called(name)} could not be removed: {said(error)}") from error


async def _parts(file: Path) -> AsyncIterator[bytes]:
    with file.open("rb") as read:
        while part := read.read(_PART):
            yield part
