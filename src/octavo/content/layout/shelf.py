"""The files of a revision: each read once, measured and let go, so that a big directory needs little memory."""

from __future__ import annotations

import posixpath
from collections.abc import Callable
from hashlib import sha256

from octavo.content import images
from octavo.content.layout.identity import Previous
from octavo.content.layout.paths import relative
from octavo.content.layout.source import Source
from octavo.content.revision import File


class Shelf:
    """Takes up files by path; a file keeps the id it had at its path, or had elsewhere with the same bytes."""

    def __init__(
        self, source: Source, paths: frozenset[str], root: str, previous: Previous, new_id: Callable[[], str]
    ) -> None:
        self.files: dict[str, File] = {}
        self.blobs: dict[str, str] = {}
        """SHA-256, hexadecimal -> a path that holds these bytes."""
        self._source = source
        self._root = root
        self._new_id = new_id
        self._ids = previous.ids
        self._beside = {file.path: file for file in reversed(previous.beside.files) if file.path}
        here = {relative(path, root): path for path in paths}
        self._before = {file.path: file for file in previous.files if file.path}
        self._places = {file.id: here[file.path] for file in previous.files if file.path in here}
        self._gone: dict[str, list[str]] = {}
        for file in previous.files:
            if file.path not in here:
                self._gone.setdefault(file.blob, []).append(file.id)
        self._taken = {*self._places}

    def take(self, path: str) -> str:
        """The id of the file at the path, which belongs to the revision from now on."""
        if path not in self.files:
            file = self._read(path)
            self.files[path] = file
            self.blobs.setdefault(file.blob, path)
        return self.files[path].id

    def known(self, file: str) -> bool:
        """Whether the last revision's file of this id is still there; it is taken up when it is."""
        return file in self._places and self.take(self._places[file]) == file

    def _read(self, path: str) -> File:
        inner, oid = relative(path, self._root), self._source.oid(path)
        before = self._before.get(inner)
        if before and oid and before.oid == oid:
            return before
        data = self._source.read(path)
        blob = sha256(data).hexdigest()
        name = posixpath.basename(path)
        width, height = images.dimensions(name, data) or (None, None)
        return File(
            id=before.id if before else self._id_at(inner, blob),
            name=name,
            content_type=images.content_type(name),
            size=len(data),
            blob=blob,
            width=width,
            height=height,
            path=inner,
            oid=oid,
        )

    def _id_at(self, inner: str, blob: str) -> str:
        """The id of what is new at a path: what another line has there, else what had these bytes elsewhere."""
        beside = self._beside.get(inner)
        moved = [one for one in self._gone.get(blob, ()) if one not in self._taken]
        if beside is not None and beside.id not in self._taken and (beside.blob == blob or not moved):
            found = beside.id
        else:
            found = moved[0] if moved else self._ids.get(inner) or self._new_id()
        self._taken.add(found)
        return found
