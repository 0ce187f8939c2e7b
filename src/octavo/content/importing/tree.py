"""Pages of an archive in a tree: by their folders, or by a table of contents that the archive brings along."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable, Mapping, Sequence

from octavo.content.importing.model import Found, Kind, Target
from octavo.content.layout import paths
from octavo.content.layout.links import Index, is_external
from octavo.content.layout.summary import Entry

KINDS: Mapping[str, Kind] = {
    ".md": "markdown", ".markdown": "markdown", ".mdx": "markdown", ".html": "html", ".htm": "html", ".docx": "docx",
}  # fmt: skip
_DIGITS = re.compile(r"(\d+)")
_OF_FOLDER = ("readme", "index")
Name = Callable[[str], str]


def kind_of(path: str) -> Kind | None:
    """How a file is read as a page; None for any other file. Names with a dot or underscore in front are none."""
    if posixpath.basename(path).startswith((".", "~$")) or any(part.startswith(".") for part in path.split("/")[:-1]):
        return None
    return KINDS.get(posixpath.splitext(path)[1].lower())


def plain_name(name: str) -> str:
    """The name of a page or folder as it is, without the ending that says its kind."""
    stem, ending = posixpath.splitext(name)
    return stem if ending.lower() in (*KINDS, ".csv") else name


def by_folders(kinds: Mapping[str, Kind], name: Name = plain_name) -> list[Found]:
    """The tree of folders: below the page of each folder what the folder holds, in the order of names.

    The page of a folder is its README or index, else the page beside it with the same name, else one made for it.
    """
    top = posixpath.commonpath([posixpath.dirname(path) for path in kinds]) if kinds else ""
    pages = _pages_of_folders(kinds, top, name)
    made: dict[str, Found] = {}
    for folder, key in pages.items():
        if key not in kinds:
            made[key] = Found(key, "folder", paths.titled(name(posixpath.basename(folder))))
    for path, kind in kinds.items():
        title = name(posixpath.basename(path))
        if title.lower() in _OF_FOLDER and (folder := posixpath.dirname(path)):
            title = name(posixpath.basename(folder))
        made[path] = Found(path, kind, paths.titled(title))
    return _in_order(made, pages, top)


def _pages_of_folders(kinds: Mapping[str, Kind], top: str, name: Name) -> dict[str, str]:
    """Folder below `top` -> key of the page that stands for it."""
    placed = {(posixpath.dirname(path), name(posixpath.basename(path)).lower()): path for path in sorted(kinds)}
    pages: dict[str, str] = {}
    for folder in {folder for path in kinds for folder in _above(path, top)}:
        own = next((placed[folder, word] for word in _OF_FOLDER if (folder, word) in placed), None)
        twin = placed.get((posixpath.dirname(folder), name(posixpath.basename(folder)).lower()))
        pages[folder] = own or twin or folder + "/"
    return pages


def _above(path: str, top: str) -> list[str]:
    """The folders of a path below `top`."""
    found: list[str] = []
    folder = posixpath.dirname(path)
    while folder and folder != top:
        found.append(folder)
        folder = posixpath.dirname(folder)
    return found


def _in_order(made: Mapping[str, Found], pages: Mapping[str, str], top: str) -> list[Found]:
    below: dict[str | None, list[tuple[object, Found]]] = {}
    for key, found in made.items():
        place = key.rstrip("/")
        if pages.get(posixpath.dirname(place)) == key:
            place = posixpath.dirname(place)
        folder, label = posixpath.split(place)
        parent = None if folder in ("", top) else pages.get(folder)
        later = plain_name(label).lower() not in _OF_FOLDER
        placed = Found(key, found.kind, found.title, parent)
        below.setdefault(parent, []).append(((later, natural(label)), placed))
    return _walked(below)


def _walked(below: Mapping[str | None, list[tuple[object, Found]]]) -> list[Found]:
    ordered: list[Found] = []
    stack = _reversed(below.get(None, []))
    while stack:
        found = stack.pop()
        ordered.append(found)
        stack += _reversed(below.get(found.key, []))
    return ordered


def _reversed(held: list[tuple[object, Found]]) -> list[Found]:
    return [found for _, found in sorted(held, key=lambda pair: pair[0], reverse=True)]  # type: ignore[arg-type,return-value]


def natural(text: str) -> list[tuple[int, int, str]]:
    """A key by which `2 b` sorts before `10 a`."""
    parts = _DIGITS.split(text.casefold())
    return [(0, int(part), "") if part.isdecimal() else (1, 0, part) for part in parts if part]


def by_outline(entries: Sequence[Entry], pages: Sequence[Found], find: Callable[[str], Target | None]) -> list[Found]:
    """The tree of a table of contents; pages that it does not name follow, below the one that they would be below.

    A heading of the table becomes a page of its own; entries that lead elsewhere are left out.
    """
    known = {page.key: page for page in pages}
    made: dict[str, Found] = {}
    stack: list[tuple[Entry, str | None]] = [(entry, None) for entry in reversed(entries)]
    while stack:
        entry, parent = stack.pop()
        target = find(entry.href) if entry.href and not is_external(entry.href) else None
        key = parent
        if target is not None and target.key in known and target.key not in made:
            key, page = target.key, known[target.key]
            made[key] = Found(key, page.kind, entry.title or page.title, parent)
        elif entry.group or (not entry.href and entry.children):
            key = f"#{len(made)} {entry.title}"
            made[key] = Found(key, "folder", entry.title, parent)
        stack += [(child, key) for child in reversed(entry.children)]
    rest = [page for page in pages if page.key not in made and page.kind != "folder"]
    return [*_peopled(made.values()), *(Found(page.key, page.kind, page.title) for page in rest)]


def _peopled(found: Iterable[Found]) -> list[Found]:
    """Without folders below which nothing is."""
    held = list(found)
    parents = {page.parent for page in held}
    return [page for page in held if page.kind != "folder" or page.key in parents]


class Addresses:
    """What local addresses mean among the files of an archive."""

    def __init__(self, names: Iterable[str]) -> None:
        self._index = Index(names)

    def find(self, page: str, href: str) -> Target | str | None:
        """The file that an address on a page means; an address of the web as it is; None where it leads nowhere."""
        if is_external(href):
            return href
        written, mark, anchor = href.partition("#")
        folder = posixpath.dirname(page)
        for spelling in (
            written,
            f"{written.rstrip('/')}/index.html",
            f"{written.rstrip('/')}/index.md",
            f"{written}.html",
        ):
            if found := self._index.find(folder, spelling + mark + anchor):
                return Target(found.path, found.anchor)
        return None
