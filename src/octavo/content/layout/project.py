"""`docs.yaml`: which folders of a repository are the spaces of a site, and how the site arranges them."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence
from typing import Any, Literal, TypeAlias

import msgspec

from octavo.content.layout.paths import join
from octavo.content.yaml import LONGEST_FILE, YamlFault, dump, load

NAME = "docs.yaml"
Localized: TypeAlias = dict[str, str] | None
"""Language -> the same in it."""


class Fault(ValueError):
    """Why a `docs.yaml` cannot be followed: a sentence that names the file and the place in it."""


class Content(msgspec.Struct, frozen=True):
    """Where the pages of a space lie; no directory where they lie elsewhere."""

    directory: str | None = None
    language: str | None = None


class _Node(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", rename="camel"):
    title: str | None = None
    key: str | None = None
    localized_title: Localized = None
    draft: bool = False


class SpaceNode(_Node, frozen=True, kw_only=True, tag="space"):
    """A space; beside others it is a variant."""

    path: str | None = None
    default: bool = False
    hidden: bool = False
    condition: str | None = None
    content: Content = Content()


class LinkNode(_Node, frozen=True, kw_only=True, tag="external-link"):
    """An entry that leads elsewhere."""

    url: str
    icon: str | None = None
    description: str | None = None
    localized_description: Localized = None
    condition: str | None = None


class SectionNode(_Node, frozen=True, kw_only=True, tag="section"):
    """A section of a site, with its variants."""

    path: str | None = None
    icon: str | None = None
    description: str | None = None
    localized_description: Localized = None
    default: bool = False
    condition: str | None = None
    children: list[SpaceNode] = []


class GroupNode(_Node, frozen=True, kw_only=True, tag="section-group"):
    """A menu of sections, links and further groups."""

    icon: str | None = None
    children: list[GroupNode | SectionNode | LinkNode] = []


Entry: TypeAlias = GroupNode | SectionNode | LinkNode


class _Site(msgspec.Struct, frozen=True):
    title: str | None = None
    structure: list[GroupNode | SectionNode | SpaceNode | LinkNode] = []


class _File(msgspec.Struct, frozen=True):
    site: _Site
    version: Literal[1] = 1


class Project(msgspec.Struct, frozen=True):
    """A site as a repository describes it. Either `spaces` stand at its root, or sections hold them."""

    title: str | None
    entries: list[Entry]
    spaces: list[SpaceNode]


def read_project(text: str, base: str = "") -> Project:
    """The site of a `docs.yaml`; directories come out as paths from the top of the repository, of which the file lies in
    the folder `base`. Raises Fault."""
    try:
        value = load(text.removeprefix("\ufeff"), LONGEST_FILE)
    except YamlFault as fault:
        raise Fault(f"{NAME} {fault}") from fault
    try:
        site = msgspec.convert(value, _File).site
    except msgspec.ValidationError as error:
        raise Fault(f"{NAME} does not describe a site: {_lowered(str(error))}") from error
    spaces = [node for node in site.structure if isinstance(node, SpaceNode)]
    entries = [node for node in site.structure if not isinstance(node, SpaceNode)]
    if spaces and any(True for _ in _sections(entries)):
        raise Fault(f"{NAME}: spaces stand beside sections; put each of them into a section")
    placed = Project(site.title, [_placed(node, base) for node in entries], [_space(node, base) for node in spaces])
    if not any(node.content.directory is not None for node in spaces_of(placed)):
        raise Fault(f"{NAME} names no directory: give a space of its structure `content: {{directory: …}}`")
    return placed


def write_project(project: Project, style: Style | None = None) -> str:
    """The `docs.yaml` of a site; reading it gives the same project. Directories are from the top of the repository, unless
    the style says otherwise."""
    style = style or Style()
    structure = [*project.spaces, *project.entries] if project.spaces else project.entries
    site = {"title": project.title, "structure": [_plain(node, style) for node in structure]}
    return "".join(_lines({"version": 1, "site": site}, "", "  " if style.indented else ""))


class Style(msgspec.Struct, frozen=True):
    """How a `docs.yaml` is written."""

    indented: bool = False
    """Entries of lists stand further in than the word above them."""
    relative: str | None = None
    """What stands before directories below the folder `base`: `./` or nothing; None = all are from the top."""
    base: str = ""

    def directory(self, path: str) -> str:
        """A directory as it is written."""
        inside = f"{self.base}/" if self.base else ""
        if self.relative is None or not path.startswith(inside) or path == "":
            return "/" + path
        return self.relative + path.removeprefix(inside)


def _plain(node: Any, style: Style) -> dict[str, Any]:
    """A node without what says nothing, in the order in which the format explains its fields."""
    told = msgspec.to_builtins(node)
    names = ["type", "key", *(name for name in told if name not in ("type", "key", "content", "children"))]
    held: dict[str, Any] = {name: told[name] for name in names if told[name] not in (None, [], False)}
    if isinstance(node, SpaceNode):
        content = {name: value for name, value in told["content"].items() if value is not None}
        if "directory" in content:
            content["directory"] = style.directory(content["directory"])
        held["content"] = content
    if isinstance(node, SectionNode | GroupNode) and node.children:
        held["children"] = [_plain(child, style) for child in node.children]
    return held


def _lines(value: dict[str, Any], indent: str, further: str) -> Iterator[str]:
    """YAML in blocks; lists stand `further` in than the word above them."""
    for name, held in value.items():
        if isinstance(held, list) and held and isinstance(held[0], dict):
            yield f"{indent}{name}:\n"
            for one in held:
                first, *rest = _lines(one, indent + further + "  ", further)
                yield f"{indent}{further}- {first.lstrip(' ')}"
                yield from rest
        elif isinstance(held, dict) and held:
            yield f"{indent}{name}:\n"
            yield from _lines(held, indent + "  ", further)
        else:
            yield from (indent + line for line in dump({name: held}).splitlines(keepends=True))


def spaces_of(project: Project) -> Iterator[SpaceNode]:
    """Every space, in the order of the file."""
    yield from project.spaces
    for section in _sections(project.entries):
        yield from section.children


def _sections(entries: Sequence[Any]) -> Iterator[SectionNode]:
    for entry in entries:
        if isinstance(entry, SectionNode):
            yield entry
        elif isinstance(entry, GroupNode):
            yield from _sections(entry.children)


def _placed(entry: Entry, base: str) -> Entry:
    if isinstance(entry, SectionNode):
        return msgspec.structs.replace(entry, children=[_space(one, base) for one in entry.children])
    if isinstance(entry, GroupNode):
        return msgspec.structs.replace(entry, children=[_placed(one, base) for one in entry.children])
    return entry


def _space(node: SpaceNode, base: str) -> SpaceNode:
    directory = node.content.directory
    if directory is None:
        return node
    found = join("" if directory.startswith("/") else base, directory)
    if found is None:
        raise Fault(f"{NAME}: the directory {directory!r} lies outside of the repository")
    content = msgspec.structs.replace(node.content, directory=found)
    return msgspec.structs.replace(node, content=content)


def title_of(node: SpaceNode | SectionNode) -> str:
    """What a space or a section is called: by its title, else by its path, key or folder."""
    directory = node.content.directory if isinstance(node, SpaceNode) else None
    words = node.path or node.key or posixpath.basename(directory or "") or "Untitled"
    return node.title or words.replace("-", " ").replace("_", " ").strip().capitalize() or "Untitled"


def _lowered(sentence: str) -> str:
    return sentence[:1].lower() + sentence[1:]
