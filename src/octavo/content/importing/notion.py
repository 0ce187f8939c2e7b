"""Exports of Notion: pages and folders with an id behind their names, databases as comma-separated values."""

from __future__ import annotations

import posixpath
import re

from octavo.content.importing.archive import Archive
from octavo.content.importing.model import Kind, Refused, Target
from octavo.content.importing.tree import Addresses, by_folders, kind_of, plain_name

_ID = re.compile(r" [0-9a-f]{32}(?=$|_all$)")
_ALL = "_all.csv"


class Notion:
    """The pages of an export; a database is a page with its table, above the pages of its rows."""

    lost = 0

    def __init__(self, archive: Archive) -> None:
        self._archive = archive
        self._addresses = Addresses(archive.names)
        names = set(archive.names)
        kinds: dict[str, Kind] = {path: kind for path in archive.names if (kind := kind_of(path))}
        for path in archive.names:
            if path.lower().endswith(".csv") and path.removesuffix(_ALL) + ".csv" not in names - {path}:
                kinds[path] = "table"
        if not kinds:
            raise Refused("The archive is no export of Notion: it holds neither pages nor databases.")
        self.pages = by_folders(kinds, _name)

    def read(self, key: str) -> bytes:
        # Beside a database as its view shows it lies the whole of it.
        whole = key.removesuffix(".csv") + _ALL
        return self._archive.read(whole if key.endswith(".csv") and whole in self._archive.names else key)

    def find(self, page: str, href: str) -> Target | str | None:
        found = self._addresses.find(page, href)
        if isinstance(found, Target) and found.key.endswith(_ALL):
            plain = self._addresses.find(page, "/" + posixpath.join(found.key.removesuffix(_ALL) + ".csv"))
            return plain or found
        return found


def _name(name: str) -> str:
    """`Title 0123…` and `Title 0123…_all` without what the export put behind the title."""
    return _ID.sub("", plain_name(name)).removesuffix("_all") or "Untitled"
