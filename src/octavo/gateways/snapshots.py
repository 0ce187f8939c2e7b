"""A tree of files as it was at one moment, whatever holds it: a fetched pack, a repository, a directory, memory."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import TracebackType
from typing import Protocol, Self

from octavo.gateways.failures import Refused, TooLarge, plain

PATH_MAX = 1024
METADATA = frozenset({".git", "git~1"})

NAME_NOT_ALLOWED = "the name is not allowed"
NAME_NOT_UTF8 = "the name is not UTF-8"
SYMBOLIC_LINK = "symbolic link"
SUBMODULE = "submodule"
SPECIAL = "neither a file nor a directory"
UNREADABLE = "cannot be read"
TOO_LARGE = "larger than the limit for one file"
TOO_DEEP = "nested too deeply"


@dataclass(frozen=True)
class Limits:
    """Bounds of one tree: bytes received, bytes after decompression, bytes of one object that must be read into memory,
    bytes of a file (a larger one is skipped), files, directory levels, seconds for everything."""

    bytes: int = 256 << 20
    inflated: int = 1 << 30
    object_bytes: int = 128 << 20
    file_bytes: int = 25 << 20
    files: int = 20_000
    depth: int = 32
    seconds: float = 300.0


@dataclass(frozen=True)
class Commit:
    """`oid` in hexadecimal; `committed_at` in milliseconds since 1970."""

    oid: str
    message: str
    author: str
    email: str
    committed_at: int


@dataclass(frozen=True)
class Skipped:
    """A path that is in the tree and is not offered, with the reason in a few words."""

    path: str
    reason: str


@dataclass(frozen=True)
class Entry:
    """A file as its source knows it: `oid` is empty where it must be computed from the content."""

    oid: str
    size: int


@dataclass
class Listing:
    """Files by path, relative to the directory walked, and what was left out."""

    files: dict[str, Entry] = field(default_factory=dict)
    skipped: list[Skipped] = field(default_factory=list)


class Source(Protocol):
    """What a snapshot reads from; paths are from the root of the tree."""

    def walk(self, directory: str) -> Listing: ...
    def read(self, path: str, entry: Entry) -> bytes: ...
    def oid(self, path: str, entry: Entry) -> str: ...
    def close(self) -> None: ...


class Snapshot:
    """Files below `directory` of a tree; paths are relative to it, with `/`, sorted. Close it when done.

    Methods that take a path raise Refused when it is not one of `paths()`.
    """

    def __init__(self, source: Source, commit: Commit | None, directory: str = "") -> None:
        self.commit, self.directory = commit, directory
        self.source, listing = source, source.walk(directory)
        self._files = dict(sorted(listing.files.items()))
        self.skipped = sorted(listing.skipped, key=lambda skipped: skipped.path)

    def paths(self) -> list[str]:
        return list(self._files)

    def read(self, path: str) -> bytes:
        return self.source.read(self._full(path), self._entry(path))

    def oid(self, path: str) -> str:
        """The git object id of the file's content, 40 hexadecimal digits."""
        return self.source.oid(self._full(path), self._entry(path))

    def size(self, path: str) -> int:
        """Bytes of the file."""
        return self._entry(path).size

    def under(self, directory: str) -> Snapshot:
        """The part below `directory` (relative to this one); shares the source. Refused when it has nothing."""
        steps = clean(directory)
        inner = "/".join(filter(None, (self.directory, steps)))
        part = Snapshot(self.source, self.commit, inner)
        if not part._files and not part.skipped and steps:
            raise Refused(f"There is no directory {plain(steps)} or it is empty.")
        return part

    def close(self) -> None:
        self.source.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _full(self, path: str) -> str:
        return f"{self.directory}/{path}" if self.directory else path

    def _entry(self, path: str) -> Entry:
        entry = self._files.get(path)
        if entry is None:
            raise Refused(f"There is no file {plain(path)}.")
        return entry


def clean(directory: str) -> str:
    """A directory as people write it (`./docs/`, `docs`, `.`, ``) in its one form; Refused when it leaves the tree."""
    steps = [step for step in directory.split("/") if step not in ("", ".")]
    if not all(map(allowed, steps)) or len(directory) > PATH_MAX or (directory.startswith("/") and steps):
        raise Refused(f"The directory {plain(directory)} is not allowed; name one inside the repository.")
    return "/".join(steps)


def allowed(name: str) -> bool:
    """Whether one step of a path may be offered: no way up, no separator, no repository of git itself."""
    return (
        name not in ("", ".", "..")
        and not any(mark in name for mark in "/\\\0")
        and name.rstrip(". ").lower() not in METADATA
    )


def admit(listing: Listing, limits: Limits, path: str, entry: Entry) -> None:
    """Add a file, or skip it where it is too large; TooLarge when the files are too many."""
    if entry.size > limits.file_bytes or len(path.encode("utf-8", "surrogateescape")) > PATH_MAX:
        listing.skipped.append(Skipped(path, TOO_LARGE if entry.size > limits.file_bytes else TOO_DEEP))
        return
    listing.files[path] = entry
    if len(listing.files) > limits.files:
        raise too_many(limits)


def too_many(limits: Limits) -> TooLarge:
    return TooLarge(f"There are more than the {limits.files:,} files allowed.")
