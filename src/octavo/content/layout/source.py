"""A directory of files to read: where the bytes come from, and text made of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from octavo.content.layout.paths import is_safe
from octavo.content.layout.report import Report


@runtime_checkable
class Source(Protocol):
    """The files of one directory. Paths are relative to it and use `/`; symbolic links are not among them."""

    def paths(self) -> Iterable[str]: ...

    def read(self, path: str) -> bytes: ...

    def oid(self, path: str) -> str | None:
        """The name of the Git blob, None outside of Git."""


@dataclass(frozen=True)
class Mapped:
    """A source over a mapping of path -> bytes on demand."""

    files: Mapping[str, Callable[[], bytes]]
    oids: Mapping[str, str] = field(default_factory=dict)

    def paths(self) -> Iterable[str]:
        return self.files

    def read(self, path: str) -> bytes:
        return self.files[path]()

    def oid(self, path: str) -> str | None:
        return self.oids.get(path)


def usable(source: Source, report: Report) -> list[str]:
    """The paths that lie inside the tree, sorted; others are reported and never read."""
    kept = []
    for path in sorted(set(source.paths())):
        if is_safe(path):
            kept.append(path)
        else:
            report.warn(path, None, "lies outside of the directory and is left out")
    return kept


def text_of(source: Source, path: str, report: Report) -> str:
    """The file as text; bytes that are not UTF-8 become U+FFFD, with a warning that names the first line of them."""
    data = source.read(path)
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        report.warn(path, line, "is not valid UTF-8; the bytes that are not text were replaced")
        return data.decode(errors="replace")
