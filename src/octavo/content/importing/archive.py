"""Zip archives read within bounds: nothing is unpacked to the disk, and no more than allowed into memory."""

from __future__ import annotations

import io
import posixpath
import zlib
from functools import cached_property
from zipfile import BadZipFile, ZipFile, ZipInfo

from octavo.content.importing.model import BYTES, FILE_BYTES, Refused

ENTRIES_MAX = 10_000
NESTED_MAX = 20
"""Archives inside an archive."""
_JUNK = ("__MACOSX",)
_ENCRYPTED = 1


class Archive:
    """The files of an archive by their paths, which never lead out of it. Raises Refused for what is none."""

    def __init__(self, data: bytes, *, nested: bool = False) -> None:
        self._open: dict[str, tuple[ZipFile, ZipInfo]] = {}
        self._left = BYTES
        self._entries = 0
        self._add(data, nested=nested)

    @cached_property
    def names(self) -> list[str]:
        """Paths, sorted."""
        return sorted(self._open)

    def read(self, name: str) -> bytes:
        """The bytes of a file; Refused where it is damaged, encrypted or larger than allowed."""
        held = self._open.get(name)
        if held is None:
            raise Refused(f"The archive has no file {name}.")
        archive, info = held
        if info.file_size > FILE_BYTES:
            raise Refused(f"The file {name} is larger than the {FILE_BYTES:,} bytes allowed.")
        try:
            with archive.open(info) as file:
                return file.read(FILE_BYTES + 1)
        except (BadZipFile, NotImplementedError, RuntimeError, EOFError, OSError, zlib.error) as error:
            raise Refused(f"The file {name} in the archive is damaged or encrypted.") from error

    def _add(self, data: bytes, *, nested: bool) -> None:
        try:
            archive = ZipFile(io.BytesIO(data))
            infos = archive.infolist()
        except (BadZipFile, NotImplementedError, ValueError, OSError, EOFError) as error:
            raise Refused("What came is not a zip archive, or a damaged one.") from error
        self._entries += len(infos)
        # The sizes that entries claim bound what is read of them, whatever they hold.
        self._left -= sum(info.file_size for info in infos)
        if self._entries > ENTRIES_MAX:
            raise Refused(f"The archive has more than the {ENTRIES_MAX:,} files allowed.")
        if self._left < 0:
            raise Refused(f"The archive would unpack to more than the {BYTES:,} bytes allowed.")
        inner = []
        for info in infos:
            path = _safe(info)
            if path is None:
                continue
            if nested and path.lower().endswith(".zip"):
                inner.append(path)
            self._open.setdefault(path, (archive, info))
        if len(inner) > NESTED_MAX:
            raise Refused(f"The archive holds more than {NESTED_MAX} archives.")
        for path in inner:
            content = self.read(path)
            del self._open[path]
            self._add(content, nested=False)


def _safe(info: ZipInfo) -> str | None:
    """The path of an entry; None for folders, for what leads out of the archive, and for what systems leave behind."""
    path = info.filename.replace("\\", "/")
    parts = [part for part in path.split("/") if part not in ("", ".")]
    hidden = any(part in _JUNK or part in (".DS_Store", "Thumbs.db", "desktop.ini") for part in parts)
    if info.is_dir() or not parts or ".." in parts or hidden or info.flag_bits & _ENCRYPTED:
        return None
    return posixpath.join(*parts)
