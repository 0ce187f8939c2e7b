"""Wikis of GitHub: a flat repository of Markdown files, `[[links]]` by title, and a sidebar that orders them."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Mapping
from urllib.parse import quote, unquote, urlsplit

from octavo.content.importing.model import Found, Refused, Target
from octavo.content.importing.text import decoded
from octavo.content.importing.tree import Addresses, by_outline, kind_of, natural
from octavo.content.layout import paths, summary
from octavo.content.layout.links import is_external
from octavo.content.markdown import printer_escape as escape

_LINK = re.compile(r"\[\[([^\[\]\n|]+)(?:\|([^\[\]\n]+))?\]\]")
_CODE = re.compile(r"(^(`{3,}|~{3,})[^\n]*\n.*?(?:^\2[^\n]*$|\Z)|(`+)(?!`).+?(?<!`)\3(?!`))", re.DOTALL | re.MULTILINE)
_PICTURE = re.compile(r"\.(?:png|jpe?g|gif|svg|webp|bmp|avif)$", re.IGNORECASE)
_HOME = "home"


class Wiki:
    """The pages of a wiki: `names` of its files, `read` for their bytes, the address of its pages on the web."""

    lost = 0

    def __init__(self, names: list[str], read: Callable[[str], bytes], address: str) -> None:
        self._read, self._address = read, address.rstrip("/")
        self._addresses = Addresses(names)
        shown = [path for path in names if kind_of(path) == "markdown" and not posixpath.basename(path).startswith("_")]
        self._titles: Mapping[str, str] = {_folded(paths.stem(path)): path for path in reversed(shown)}
        if not shown:
            raise Refused("The wiki has no pages in Markdown.")
        order = sorted(shown, key=lambda path: (_folded(paths.stem(path)) != _HOME, natural(paths.stem(path))))
        pages = [Found(path, "markdown", paths.stem(path).replace("-", " ")) for path in order]
        sidebar = next((path for path in names if _folded(paths.stem(path)) == "_sidebar"), None)
        if sidebar is None:
            self.pages = pages
            return
        entries = summary.parse(linked(decoded(read(sidebar)))).entries
        self.pages = _home_first(by_outline(entries, pages, lambda href: self._target(sidebar, href)))

    def read(self, key: str) -> bytes:
        data = self._read(key)
        return linked(decoded(data)).encode() if kind_of(key) == "markdown" else data

    def find(self, page: str, href: str) -> Target | str | None:
        """A page by its title or by its address, a file by its path."""
        if is_external(href):
            if not href.startswith(self._address + "/"):
                return href
            inner = href.removeprefix(self._address + "/")
        else:
            inner = href.removeprefix(urlsplit(self._address).path + "/")
        path, _, anchor = inner.partition("#")
        if titled := self._titles.get(_folded(unquote(path))):
            return Target(titled, unquote(anchor))
        return self._addresses.find(page, inner) or (href if is_external(href) else None)

    def _target(self, page: str, href: str) -> Target | None:
        found = self.find(page, href)
        return found if isinstance(found, Target) else None


def linked(text: str) -> str:
    """`[[Title]]`, `[[words|Title]]` and `[[picture.png]]` outside of code as links of Markdown."""
    parts = _CODE.split(text)
    # The expression has three groups: what matched, and two that only help it.
    plain, code = parts[::4], parts[1::4]
    made = [_LINK.sub(_as_link, part) for part in plain]
    return "".join(piece for pair in zip(made, [*code, ""]) for piece in pair)


def _as_link(found: re.Match[str]) -> str:
    first, second = found[1].strip(), (found[2] or "").strip()
    if _PICTURE.search(first):
        alt = second.removeprefix("alt=") if "=" in second else second
        return f"![{escape.markdown(alt, followed=True, linked=True)}](<{quote(first, safe='/:')}>)"
    words, title = first, second or first
    name, mark, anchor = title.partition("#")
    href = title if is_external(title) else quote(name.strip().replace(" ", "-"), safe="/") + mark + anchor
    return f"[{escape.markdown(words, followed=True, linked=True)}](<{href}>)"


def _folded(title: str) -> str:
    return posixpath.basename(title).strip().replace(" ", "-").casefold()


def _home_first(pages: list[Found]) -> list[Found]:
    """The landing page stands before all others, wherever the sidebar has it."""
    home = next((page for page in pages if _folded(paths.stem(page.key)) == _HOME), None)
    if home is None or any(page.parent == home.key for page in pages):
        return pages
    return [Found(home.key, home.kind, home.title), *(page for page in pages if page.key != home.key)]
