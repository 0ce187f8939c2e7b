"""What a visitor does with a site: opens pages, follows links, reads; HTML as a small tree to ask questions of."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import quote

from tests.client import Client, Reply, World

_VOID = frozenset({"area", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"})


@dataclass
class Element:
    """An element with its attributes; `children` are elements and texts."""

    tag: str
    attributes: dict[str, str] = field(default_factory=dict)
    children: list[Element | str] = field(default_factory=list)

    def walk(self) -> Iterator[Element]:
        yield self
        for child in self.children:
            if isinstance(child, Element):
                yield from child.walk()

    def all(self, tag: str = "", class_: str = "", **attributes: str) -> list[Element]:
        """Elements below with the tag, the class and the attributes (`_` for `-`)."""
        wanted = {name.rstrip("_").replace("_", "-"): value for name, value in attributes.items()}
        return [
            one
            for one in self.walk()
            if (not tag or one.tag == tag)
            and (not class_ or class_ in one.attributes.get("class", "").split())
            and all(one.attributes.get(name) == value for name, value in wanted.items())
        ]

    def one(self, tag: str = "", class_: str = "", **attributes: str) -> Element:
        """The only such element."""
        found = self.all(tag, class_, **attributes)
        assert len(found) == 1, (tag, class_, attributes, len(found))
        return found[0]

    @property
    def text(self) -> str:
        """The words in it, with single spaces."""
        return " ".join("".join(self._texts()).split())

    def _texts(self) -> Iterator[str]:
        for child in self.children:
            if isinstance(child, str):
                yield child
            elif child.tag not in ("script", "style", "svg", "template"):
                yield from child._texts()

    def __getitem__(self, name: str) -> str:
        return self.attributes[name]


class _Builder(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = Element("")
        self.open = [self.root]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        made = Element(tag, {name: value or "" for name, value in attrs})
        self.open[-1].children.append(made)
        if tag not in _VOID:
            self.open.append(made)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open[-1].children.append(Element(tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        assert self.open[-1].tag == tag, f"</{tag}> closes <{self.open[-1].tag}>"
        self.open.pop()

    def handle_data(self, data: str) -> None:
        self.open[-1].children.append(data)


def tree(html: str) -> Element:
    """The HTML as a tree; fails where an end tag does not match."""
    builder = _Builder()
    builder.feed(html)
    builder.close()
    assert len(builder.open) == 1, [one.tag for one in builder.open]
    return builder.root


Entry = tuple[str, str, list[Any]]
"""Title, address, entries below."""


def entries(listing: Element) -> list[Entry]:
    """The table of contents in a `<ul>`."""
    made: list[Entry] = []
    for item in listing.children:
        if not isinstance(item, Element) or item.tag != "li":
            continue
        row = item.one("div", "nav-row") if len(item.all("div", "nav-row")) == 1 else item.all("div", "nav-row")[0]
        link = next(iter(row.all("a")), None)
        name = link if link is not None else row.all(class_="nav-name")[0]
        below = [child for child in item.children if isinstance(child, Element) and child.tag == "ul"]
        title = next(one for one in name.all("span") if "class" not in one.attributes)
        made.append((title.text, "" if link is None else link["href"], entries(below[0]) if below else []))
    return made


def flat(nested: list[Entry]) -> list[Entry]:
    """All entries in reading order."""
    return [one for entry in nested for one in (entry, *flat(entry[2]))]


@dataclass
class Visitor:
    """Somebody without an account, at a site."""

    world: World
    space: str
    site: dict[str, Any]

    @property
    def base(self) -> str:
        """The path of the site, with a slash at the end."""
        return f"/sites/{self.site['basename']}/"

    @property
    def client(self) -> Client:
        return Client(self.world.app, self.world.loop)

    def get(self, path: str = "", **options: Any) -> Reply:
        """An answer; `path` is below the site's base unless it begins with a slash."""
        return self.client.get(path if path.startswith("/") else self.base + path, **options)

    def page(self, path: str = "", **options: Any) -> Element:
        """A page that must be there."""
        reply = self.get(path, **options)
        assert reply.status == 200, (path, reply.status, reply.text[:200])
        return tree(reply.text)

    def nav(self, path: str = "") -> list[Entry]:
        """The table of contents as it stands on a page."""
        return entries(next(one for one in self.page(path).one("nav", "nav").walk() if one.tag == "ul"))

    def search(self, query: str) -> list[dict[str, Any]]:
        """What the dialog gets."""
        reply = self.get(f"~octavo/search?q={quote(query)}", headers={"accept": "application/json"})
        assert reply.status == 200
        items: list[dict[str, Any]] = reply.json["items"]
        return items

    def change(self, **body: Any) -> None:
        """Change the site by the API."""
        reply = self.world.api.patch(f"/v1/orgs/{self.world.organization}/sites/{self.site['id']}", body)
        assert reply.status == 200, reply.text
        self.site = reply.json


def write(folder: Path, files: dict[str, str | bytes]) -> Path:
    """A documentation repository without Git."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def visit(world: World, source: Path, **site: Any) -> Visitor:
    """Import a directory, publish it, and look at it."""
    space = world.imported(source)
    return Visitor(world, space, world.site(space, **site))
