"""What the tests of the layout share: small directories and a way to read them."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from pathlib import Path

from octavo.content.layout.identity import Previous
from octavo.content.layout.read import Layout, read
from octavo.content.layout.source import Mapped, Source
from octavo.content.revision import Page, flatten, tree


def opened(files: Mapping[str, str | bytes]) -> dict[str, Callable[[], bytes]]:
    """A directory of path -> text or bytes."""

    def opener(held: str | bytes) -> Callable[[], bytes]:
        return lambda: held.encode() if isinstance(held, str) else held

    return {path: opener(held) for path, held in files.items()}


def directory(folder: Path) -> Mapped:
    """The files of a folder on disk, without Git's own."""
    found = sorted(path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    named = {path.relative_to(folder).as_posix(): path.read_bytes for path in found}
    return Mapped({name: opener for name, opener in named.items() if not name.startswith(".git/")})


def layout(
    files: Mapping[str, str | bytes] | Source, *, previous: Previous | None = None, now: int = 1, prefix: str = "id"
) -> Layout:
    """Read with ids prefix-0, prefix-1, … in the order in which they are asked for."""
    numbers = itertools.count()
    source = opened(files) if isinstance(files, Mapping) else files
    return read(source, previous=previous, new_id=lambda: f"{prefix}-{next(numbers)}", now=now)


def addresses(made: Layout) -> dict[str, Page]:
    """Path on the site -> page, of the listed ones in reading order."""
    return {branch.path: branch.page for branch in flatten(tree(made.pages))}


def warnings(made: Layout) -> list[str]:
    return [str(notice) for notice in made.report.warnings]


def by_path(made: Layout) -> dict[str | None, Page]:
    return {page.path: page for page in made.pages}
