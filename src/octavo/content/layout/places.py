"""Where the files of a space lie in a repository: as they did, or where what moved and what is new belongs."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

import msgspec

from octavo.content.layout import paths
from octavo.content.revision import Branch, File, Page, Reusable, Root, flatten, outside, tree
from octavo.content.slugs import title_slug

replace = msgspec.structs.replace
_NO_ROOT = Root()
E = TypeVar("E", Page, File, Reusable)
_DEVICES = frozenset(("con", "prn", "aux", "nul", *(f"{name}{n}" for name in ("com", "lpt") for n in range(1, 10))))
"""Names that no file may have on some systems, whatever its ending."""


@dataclass(frozen=True)
class Held:
    """What a space holds, or held when it was last the same as the repository."""

    pages: Mapping[str, Page]
    files: Mapping[str, File]
    reusables: Mapping[str, Reusable]


class Places:
    """Gives every page, file and reusable content its path, relative to the content root."""

    def __init__(
        self,
        now: Held,
        before: Held,
        taken: Iterable[str],
        settings: str = ".gitbook",
        top: str = "",
        *,
        root: Root = _NO_ROOT,
        told: bool = True,
        others: Iterable[str] = (),
    ) -> None:
        """`top` is the folder of the directory; `root` has the redirects; `told` says that a table of contents tells, or
        has to tell, which entries there are; `others` are paths that nothing of the space may ever have."""
        self.pages: dict[str, str] = {}
        self.files: dict[str, str] = {}
        self.reusables: dict[str, str] = {}
        now = _inside(now, top)
        self._now, self._before = now, before
        self._settings = settings
        self._root, self._told = root, told
        self._others = frozenset(others)
        self._staying = set(taken).difference(gone(now, before, settings))
        self._taken: set[str] = set()
        self._folders: dict[str, str | None] = {}
        self._branches = tree(now.pages.values())
        self._old = {branch.page.id: branch for branch in flatten(tree(before.pages.values()))}
        self._place_pages()
        self._place_rest()

    def _place_pages(self) -> None:
        moving: list[tuple[Branch, str]] = []
        for branch in (*flatten(self._branches), *outside(self._now.pages.values())):
            page = branch.page
            if page.type != "document" or (page.path is None and page.text is None and self._is_entry(branch)):
                continue
            wanted = self._wanted(branch)
            self.pages[page.id] = wanted
            if wanted != page.path:
                moving.append((branch, wanted))
        self._staying -= {branch.page.path for branch, _ in moving if branch.page.path}
        staying = self.pages.keys() - {branch.page.id for branch, _ in moving}
        self._staying |= self._others.union(self.pages[key] for key in staying)
        self._taken = {path.casefold() for path in self._staying}
        for branch, wanted in moving:
            self.pages[branch.page.id] = self._free(wanted)

    def _is_entry(self, branch: Branch) -> bool:
        """Whether something without a text needs no file: nothing leads to it, and it never had one, or where no table of
        contents says what there is the folder of what is below it says as much."""
        page = branch.page
        if page.id not in self._before.pages and (self._told or not _says_as_much(branch)):
            return False
        return page.id not in self._led_to

    @cached_property
    def _led_to(self) -> frozenset[str]:
        """The pages that a redirect or anything written in the space means."""
        held: list[Any] = [[one.links, one.target, one.cover, one.meta_links] for one in self._now.pages.values()]
        held += [one.links for one in self._now.reusables.values()]
        return frozenset((*self._root.redirects.values(), *_pages_in(held)))

    def _wanted(self, branch: Branch) -> str:
        page, old = branch.page, self._before.pages.get(branch.page.id)
        path = page.path or (old.path if old is not None else None)
        if path is None:
            if not page.listed:
                return _safe(page.slug) + ".md"
            inner = posixpath.join(self._folder(page.parent), _safe(page.slug))
            return (
                f"{inner}/README.md" if any(one.page.type == "document" for one in branch.branches) else f"{inner}.md"
            )
        if old is None or old.path is None:
            return path
        renamed = page.slug != old.slug
        if not page.listed or not old.listed:
            return _named(path, posixpath.dirname(page.slug), posixpath.basename(page.slug)) if renamed else path
        usual = _outer(path) == self._folder_before(old.parent)
        folder = self._folder(page.parent) if usual else _outer(path)
        name = page.slug if renamed else None
        return _named(path, folder, name) if renamed or folder != _outer(path) else path

    def _folder(self, parent: str | None) -> str:
        """The folder in which the pages below a page or group lie."""
        page = self._now.pages.get(parent or "")
        if page is None or not page.listed:
            return ""
        if page.type == "document":
            path = self.pages.get(page.id) or page.path
            return _inner(path) if path else posixpath.join(self._folder(page.parent), _safe(page.slug))
        old = self._before.pages.get(page.id)
        was = self._folder_before(page.id) if old is not None else None
        if old is None or was is None:
            return posixpath.join(self._folder(page.parent), _safe(page.slug))
        renamed = old.slug != page.slug and posixpath.basename(was) == old.slug
        return posixpath.join(posixpath.dirname(was), _safe(page.slug)) if renamed else was

    def _folder_before(self, parent: str | None) -> str | None:
        """The same as it was; None where the pages below lie in several."""
        if parent is None or parent not in self._old:
            return ""
        if parent not in self._folders:
            branch = self._old[parent]
            if branch.page.type == "document":
                self._folders[parent] = _inner(branch.page.path) if branch.page.path else None
            else:
                found = {_outer(one.page.path) for one in branch.branches if one.page.path}
                self._folders[parent] = found.pop() if len(found) == 1 else None
        return self._folders[parent]

    def _place_rest(self) -> None:
        held: list[File | Reusable] = [*self._now.files.values(), *self._now.reusables.values()]
        self._taken |= {one.path.casefold() for one in held if one.path}
        for file in sorted(self._now.files.values(), key=lambda one: (one.name, one.id)):
            name = _safe(file.name.replace("/", "-"))
            self.files[file.id] = file.path or self._free(f"{self._settings}/assets/{name}")
        for one in sorted(self._now.reusables.values(), key=lambda one: (one.title, one.id)):
            name = title_slug(one.title, "include")
            self.reusables[one.id] = one.path or self._free(f"{self._settings}/includes/{name}.md")

    def _free(self, wanted: str) -> str:
        """The path, or one with a number, that nothing has, whatever its letters' case."""
        folder = self._reachable(posixpath.dirname(wanted))
        wanted = posixpath.join(folder, posixpath.basename(wanted))
        stem, ending = posixpath.splitext(wanted)
        if paths.is_readme(wanted) and "/" in wanted:
            stem, ending = folder, "/" + posixpath.basename(wanted)
        path, number = wanted, 1
        while path.casefold() in self._taken or path.casefold() in self._spelled:
            path, number = f"{stem}-{number}{ending}", number + 1
        self._taken.add(path.casefold())
        _spell(self._spelled, path)
        return path

    def _reachable(self, folder: str) -> str:
        """The folder, spelled as it is there; where one of its steps is a file, that step gets a number."""
        made = ""
        for step in filter(None, folder.split("/")):
            wanted = at = posixpath.join(made, step)
            number = 1
            while at.casefold() in self._taken:
                at, number = f"{wanted}-{number}", number + 1
            spellings = self._spelled.get(at.casefold(), [at])
            made = at if at in spellings else spellings[0]
        return made

    @cached_property
    def _spelled(self) -> dict[str, list[str]]:
        """The folders that there are, by their names in small letters."""
        made: dict[str, list[str]] = {}
        for path in sorted(self._staying):
            _spell(made, path)
        return made


def _spell(spelled: dict[str, list[str]], path: str) -> None:
    """Add the folders that the path lies in."""
    while path := posixpath.dirname(path):
        known = spelled.setdefault(path.casefold(), [])
        if path in known:
            return
        known.append(path)


def _inside(held: Held, top: str) -> Held:
    """The same, where what would lie outside of the directory has no path: another one gave it."""

    def kept(entries: Mapping[str, E]) -> dict[str, E]:
        return {
            key: replace(entry, path=None) if entry.path is not None and paths.join(top, entry.path) is None else entry
            for key, entry in entries.items()
        }

    return Held(kept(held.pages), kept(held.files), kept(held.reusables))


def _everything(held: Held) -> list[Page | File | Reusable]:
    return [*held.pages.values(), *held.files.values(), *held.reusables.values()]


def _same(key: str, now: Held) -> bool:
    return key in now.pages or key in now.files or key in now.reusables


def gone(now: Held, before: Held, settings: str) -> list[str]:
    """Paths of what was there and is not there any more.

    Of files that is what lies among the assets: others are the repository's own, which pages did no more than link to.
    """
    return [
        held.path
        for held in _everything(before)
        if held.path
        and not _same(held.id, now)
        and (not isinstance(held, File) or paths.is_below(held.path, f"{settings}/assets"))
    ]


def _inner(path: str) -> str:
    """The folder of the pages below the page at this path."""
    return paths.address(path)


def _outer(path: str) -> str:
    """The folder in which the page at this path stands for itself."""
    return posixpath.dirname(paths.address(path))


def _folder_of(branch: Branch) -> str | None:
    """The folder that what is below an entry without a file lies in; None where nothing there has one."""
    at, levels = branch, 0
    while at.page.path is None and at.branches:
        at, levels = at.branches[0], levels + 1
    if at.page.path is None:
        return None
    folder = _outer(at.page.path)
    for _ in range(levels - 1):
        folder = posixpath.dirname(folder)
    return folder


def _says_as_much(branch: Branch) -> bool:
    """Whether title and address of an entry are those that its folder has by itself, and keeps in a table of contents."""
    name, page = posixpath.basename(_folder_of(branch) or ""), branch.page
    return (
        bool(name)
        and (page.title, page.slug) == (paths.titled(name), paths.segment(name))
        and page.slug == title_slug(page.title, "page")
    )


def _pages_in(value: Any) -> Iterator[str]:
    """The pages that the content references inside a value mean."""
    if isinstance(value, dict):
        if isinstance(page := value.get("page"), str) and not value.get("space"):
            yield page
        value = value.values()
    elif not isinstance(value, list):
        return
    for one in value:
        yield from _pages_in(one)


def _named(path: str, folder: str, name: str | None) -> str:
    """The path of a page in another folder or under another name; a README stays one."""
    if paths.is_readme(path) and paths.address(path):
        return posixpath.join(folder, _safe(name or posixpath.basename(paths.address(path))), posixpath.basename(path))
    ending = path[len(path) - len(posixpath.basename(path)) + len(paths.stem(path)) :]
    return posixpath.join(folder, _safe(name or paths.stem(path)) + ending)


def _safe(slug: str) -> str:
    """The slug as the name of a file or folder, each step of it one that every system takes."""
    return "/".join(_step(step) for step in slug.split("/") if step) or "page"


def _step(name: str) -> str:
    plain = name.strip(". ").lower()
    if not plain or plain.partition(".")[0] in _DEVICES or plain in (".git", "git", "git~1") or name.startswith("."):
        return f"page-{name.strip('. ')}".rstrip("-")
    return name


def find(now: Held, places: Places, root: str) -> Callable[[Mapping[str, object]], str | None]:
    """What tells where the thing lies that a content reference means, from the top of the directory."""

    def path(ref: Mapping[str, object]) -> str | None:
        inner: str | None = None
        match ref.get("kind"):
            case "page" | "anchor" if not ref.get("space"):
                inner = places.pages.get(str(ref.get("page", "")))
            case "file" if not ref.get("space"):
                inner = places.files.get(str(ref.get("file", "")))
            case "reusable-content":
                inner = places.reusables.get(str(ref.get("reusableContent", "")))
        return None if inner is None else paths.join(root, inner)

    return path


def are_arranged_alike(now: Held, before: Held) -> bool:
    """Whether each page says of its place what it said before; what is the same entry is not looked at."""
    return now.pages.keys() == before.pages.keys() and all(
        page is (old := before.pages[key]) or _place(page) == _place(old) for key, page in now.pages.items()
    )


def _place(page: Page) -> tuple[Any, ...]:
    return (
        page.parent, page.position, page.listed, page.type, page.title, page.link_title, page.slug, page.path,
        page.text is None, page.target, page.computed,
    )  # fmt: skip
