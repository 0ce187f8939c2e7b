"""Paths of a repository and the addresses that pages get from them."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable

from octavo.content.slugs import title_slug

_UNSAFE = re.compile(r"[\x00-\x1f\x7f?#%\\]")


def is_markdown(path: str) -> bool:
    """True for a file that is text of a page: `x.md` or `x.markdown`, in any case."""
    return stem(path) != posixpath.basename(path)


def stem(path: str) -> str:
    """The file's name without a Markdown ending."""
    name = posixpath.basename(path)
    return re.sub(r"(?<=.)\.(?:md|markdown)$", "", name, flags=re.IGNORECASE)


def is_readme(path: str) -> bool:
    """True for the page of a folder."""
    return is_markdown(path) and stem(path).lower() == "readme"


def join(folder: str, address: str) -> str | None:
    """The path that a relative address means from a folder ("" = the top); None when it leaves the tree."""
    parts: list[str] = []
    for part in f"{folder}/{address}".split("/"):
        if part == "..":
            if not parts:
                return None
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts)


def is_safe(path: str) -> bool:
    """True for a normalised path inside the tree."""
    return bool(path) and not path.startswith("/") and join("", path) == path


def is_below(path: str, folder: str) -> bool:
    """True when the path lies in the folder ("" = the top) at any depth."""
    return not folder or path.startswith(folder + "/")


def relative(path: str, root: str) -> str:
    """The path as seen from the content root; one outside of it starts with `../`."""
    return posixpath.relpath("/" + path, "/" + root) if root else path


def address(path: str) -> str:
    """A page's address by its file, relative to the same folder: without ending, a README stands for its folder."""
    folder = posixpath.dirname(path)
    return folder if is_readme(path) else posixpath.join(folder, stem(path))


def segment(name: str) -> str:
    """The slug of a file or folder: its very name, unless an address could not hold it."""
    return title_slug(name) if _UNSAFE.search(name) or not name.strip(".") else name


def title_of(path: str) -> str:
    """A title for a page that names none: from its file's name, for a README from its folder's."""
    folder = posixpath.basename(posixpath.dirname(path))
    return titled(folder if folder and is_readme(path) else stem(path))


def titled(name: str) -> str:
    """A title from the name of a file or folder."""
    words = re.sub(r"[-_\s]+", " ", name).strip()
    return words[:1].upper() + words[1:] if words else "Untitled"


class Names:
    """Gives out names that are unique among themselves, by suffix -1, -2, …; equal requests cost constant time."""

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self._taken = set(taken)
        self._next: dict[str, int] = {}

    def take(self, wanted: str) -> str:
        """The wanted name, or the first free one that starts with it."""
        name = wanted
        while name in self._taken:
            number = self._next[wanted] = self._next.get(wanted, 0) + 1
            name = f"{wanted}-{number}"
        self._taken.add(name)
        return name
