"""Addresses in texts: which file of the tree one means, and the content reference for it."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from urllib.parse import unquote

from octavo.content.document import Ref
from octavo.content.layout.paths import is_readme, join
from octavo.content.layout.report import Report

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//")
_SPACE = re.compile(r"https?://app\.gitbook\.com/(?:o/[\w-]+/)?s/([\w-]+)/?")
_ID = re.compile(r"/(pages|files)/([\w-]+)")
_OUTSIDE = re.compile(
    r"/(?:(?P<outer>users|collections)/(?P<one>[\w-]{22})"
    r"|spaces/(?P<space>[\w-]{22})/(?P<inner>pages|files|reusable-contents)/(?P<part>[\w.-]+))/?"
)
_OUTER = {"users": "user", "collections": "collection"}
_PLACED = 200
"""Broken links of one file that get a line: to look for each costs a walk over the text."""
_MOST = 1000
"""Broken links of one file that are named."""


def is_external(href: str) -> bool:
    """True for an address with a scheme or a host."""
    return _SCHEME.match(href) is not None


@dataclass(frozen=True)
class Found:
    """A file of the tree; `exact` is False when only the letters' case had to be overlooked."""

    path: str
    anchor: str
    exact: bool = True


class Index:
    """The files of a tree, found as links name them; `readme` is the page of its folder whatever its name."""

    def __init__(self, paths: Iterable[str], root: str = "", readme: str | None = None) -> None:
        self._root = root
        self._exact: dict[str, str] = {}
        self._folded: dict[str, str] = {}
        self._readmes: dict[str, str] = {}
        self._folded_readmes: dict[str, str] = {}
        for path in sorted(paths):
            self._exact[path] = path
            self._folded.setdefault(path.casefold(), path)
            if is_readme(path):
                folder = posixpath.dirname(path)
                self._readmes.setdefault(folder, path)
                self._folded_readmes.setdefault(folder.casefold(), path)
        if readme in self._exact:
            self._readmes[posixpath.dirname(readme)] = readme

    def find(self, folder: str, href: str) -> Found | None:
        """The file that a local address means when written in a file of `folder`; None when there is none."""
        written, _, anchor = href.partition("#")
        bare = written.partition("?")[0]
        spellings = dict.fromkeys((written, bare, unquote(bare)))
        for exact in (True, False):
            for spelling in spellings:
                if spelling and (path := self._at(folder, spelling, exact)):
                    return Found(path, unquote(anchor), exact)
        return None

    def _at(self, folder: str, spelling: str, exact: bool) -> str | None:
        path = join(self._root if spelling.startswith("/") else folder, spelling)
        if path is None:
            return None
        files, readmes = (self._exact, self._readmes) if exact else (self._folded, self._folded_readmes)
        path = path if exact else path.casefold()
        if spelling.endswith("/") and path in readmes:
            return readmes[path]
        return files.get(path) or files.get(path + ".md") or readmes.get(path)


@dataclass(frozen=True)
class Targets:
    """What references are made of: ids by path, ids that exist, and the way to take up a further file."""

    index: Index
    pages: Mapping[str, str]
    reusables: Mapping[str, str]
    file: Callable[[str], str]
    """Path -> id of the file; a file gets one when it is first asked for."""
    known: Callable[[str, str], bool]
    """("pages" | "files", id) -> whether such a thing exists."""
    contents: str | None = None
    """The path of the table of contents, which is no page."""
    elsewhere: Callable[[str, str], str | None] = lambda folder, address: None
    """(folder, address as written there) -> where people see what lies beside the content, in the same repository."""

    def ref(self, path: str, anchor: str = "") -> Ref:
        """The reference to what lies at the path: a page or an anchor on it, a reusable content, else a file."""
        if path in self.pages:
            return page_ref(self.pages[path], anchor)
        if path in self.reusables:
            return {"kind": "reusable-content", "reusableContent": self.reusables[path]}
        return {"kind": "file", "file": self.file(path)}


class Resolver:
    """Resolves the addresses in one text and remembers what each meant; called by the parser."""

    def __init__(self, targets: Targets, file: str, source: str, report: Report) -> None:
        self.links: dict[str, Ref] = {}
        self.asked: dict[str, Ref | None] = {}
        """Every address that was asked for, with the answer."""
        self._targets = targets
        self._file = file
        self._source = source
        self._report = report
        self._warned = 0

    def __call__(self, href: str) -> Ref | None:
        """The content reference, None for an address of the web and for one that leads nowhere."""
        if href not in self.asked:
            ref = self.asked[href] = self._resolve(href)
            if ref is not None:
                self.links[href] = ref
        return self.asked[href]

    def _resolve(self, href: str) -> Ref | None:
        if space := space_ref(href):
            return space
        if not href or href.startswith("#") or is_external(href):
            return None
        found = self._targets.index.find(posixpath.dirname(self._file), href)
        if found:
            if not found.exact:
                self._warn(href, f"links to {href}, whose name is written differently: {found.path}")
            if found.path != self._targets.contents:
                return self._targets.ref(found.path, found.anchor)
            self._warn(href, f"links to {href}, which is the table of contents and no page")
            return None
        named = _ID.fullmatch(href.partition("#")[0])
        if named and self._targets.known(named[1], named[2]):
            anchor = href.partition("#")[2]
            return page_ref(named[2], anchor) if named[1] == "pages" else {"kind": "file", "file": named[2]}
        if outside := outside_ref(href):
            return outside
        if seen := self._targets.elsewhere(posixpath.dirname(self._file), href):
            return {"kind": "url", "url": seen}
        self._warn(href, f"links to {href}, which does not exist")
        return None

    def _warn(self, href: str, text: str) -> None:
        self._warned += 1
        if self._warned >= _MOST:
            if self._warned == _MOST:
                self._report.warn(self._file, None, "has more links that lead nowhere than are named here")
            return
        at = self._place(href) if self._warned <= _PLACED else -1
        self._report.warn(self._file, self._source.count("\n", 0, at) + 1 if at >= 0 else None, text)

    def _place(self, href: str) -> int:
        """Where the text has the address first, rather not as the end or the beginning of another one; -1 for nowhere."""
        whole = re.search(rf"(?<![\w./%-]){re.escape(href)}(?![\w/%-])", self._source)
        return self._source.find(href) if whole is None else whole.start()


def page_ref(page: str, anchor: str = "") -> Ref:
    """The reference to a page, or to an anchor on it."""
    return {"kind": "anchor", "anchor": anchor, "page": page} if anchor else {"kind": "page", "page": page}


def outside_ref(href: str) -> Ref | None:
    """The reference to a user, a collection or a part of another space, from the address that texts have for it; None for
    any other address."""
    path, _, anchor = href.partition("#")
    found = _OUTSIDE.fullmatch(path)
    if found is None:
        return None
    if found["outer"]:
        kind = _OUTER[found["outer"]]
        return {"kind": kind, kind: found["one"]}
    match found["inner"]:
        case "pages":
            ref = page_ref(found["part"], unquote(anchor))
        case "files":
            ref = {"kind": "file", "file": found["part"]}
        case _:
            ref = {"kind": "reusable-content", "reusableContent": found["part"]}
    return ref | {"space": found["space"]}


def space_ref(href: str) -> Ref | None:
    """The reference to a space, from its address without a page; None for any other address."""
    found = _SPACE.fullmatch(href)
    return {"kind": "space", "space": found[1]} if found else None
