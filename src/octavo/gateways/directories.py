"""A plain directory on the disk as the source of a snapshot; nothing outside of it is ever read."""

from __future__ import annotations

import hashlib
import os
import stat
from pathlib import Path

from octavo.gateways.failures import Refused, plain
from octavo.gateways.snapshots import (
    NAME_NOT_ALLOWED,
    NAME_NOT_UTF8,
    SPECIAL,
    SYMBOLIC_LINK,
    TOO_DEEP,
    UNREADABLE,
    Entry,
    Limits,
    Listing,
    Skipped,
    admit,
    allowed,
    too_many,
)


class Directory:
    """Files below `root`; a symbolic link is followed only to a file inside `root`."""

    def __init__(self, root: Path, limits: Limits) -> None:
        if not root.is_dir():
            raise Refused(f"There is no directory {plain(str(root))}.")
        self._root, self._limits = root.resolve(), limits

    def walk(self, directory: str) -> Listing:
        listing, todo, seen = Listing(), [("", self._root / directory)], 0
        while todo:
            prefix, place = todo.pop()
            for item in self._scan(place, prefix, listing):
                seen += 1
                if seen > self._limits.files * 4:
                    raise too_many(self._limits)
                self._sort_out(item, prefix + item.name, listing, todo)
        return listing

    def read(self, path: str, entry: Entry) -> bytes:
        try:
            place = self._root / path
            if not self._inside(place):
                raise Refused(f"The file {plain(path)} leads out of the directory.")
            return place.read_bytes()
        except (OSError, RuntimeError):
            raise Refused(f"The file {plain(path)} cannot be read.") from None

    def oid(self, path: str, entry: Entry) -> str:
        return blob_oid(self.read(path, entry))

    def close(self) -> None:
        """Nothing is held open."""

    def _scan(self, place: Path, prefix: str, listing: Listing) -> list[os.DirEntry[str]]:
        try:
            # A directory asked for by name may itself be a link that leads out, or be absent.
            if not (place.is_dir() and self._inside(place)):
                return []
            with os.scandir(place) as items:
                return list(items)
        except OSError:
            listing.skipped.append(Skipped(prefix, UNREADABLE))
            return []

    def _sort_out(self, item: os.DirEntry[str], path: str, listing: Listing, todo: list[tuple[str, Path]]) -> None:
        if item.name == ".git":
            return
        reason = self._reason(item, path)
        if reason is not None:
            shown = path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
            listing.skipped.append(Skipped(shown, reason))
        elif item.is_dir(follow_symlinks=False):
            todo.append((path + "/", Path(item.path)))
        else:
            admit(listing, self._limits, path, Entry("", item.stat().st_size))

    def _reason(self, item: os.DirEntry[str], path: str) -> str | None:
        try:
            item.name.encode("utf-8")
            if not allowed(item.name):
                return NAME_NOT_ALLOWED
            if item.is_symlink() and not (item.is_file() and self._inside(Path(item.path))):
                return SYMBOLIC_LINK
            if path.count("/") > self._limits.depth:
                return TOO_DEEP
            kind = item.stat().st_mode
        except UnicodeEncodeError:
            return NAME_NOT_UTF8
        except OSError:
            return SYMBOLIC_LINK if item.is_symlink() else UNREADABLE
        return None if stat.S_ISREG(kind) or stat.S_ISDIR(kind) else SPECIAL

    def _inside(self, place: Path) -> bool:
        target = place.resolve()
        # A link into the repository's own metadata would publish it.
        return target.is_relative_to(self._root) and ".git" not in target.relative_to(self._root).parts


def blob_oid(content: bytes) -> str:
    """The git object id of a file's content."""
    return hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()
