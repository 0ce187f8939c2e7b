"""Content as files."""

from __future__ import annotations

from octavo.wire.fields import Body, Shape


class Archive(Shape, frozen=True):
    """Where a zip is fetched; for an hour."""

    url: str
    files: int


class ArchiveImport(Body, frozen=True):
    """`POST …/content/import`: the zip, which was uploaded."""

    key: str
    """Of `POST /orgs/{organization}/storage/upload`."""


class ArchiveImported(Shape, frozen=True):
    """What the space holds now."""

    revision: str
    pages: int
    files: int
    warnings: list[str]
