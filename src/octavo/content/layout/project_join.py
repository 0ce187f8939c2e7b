"""Two structures of a site over what each of them was before: what changed in its `docs.yaml` and what changed on the
site come together. A field that the file leaves out is nobody's edit, though the site has a value for it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import product
from typing import Any, Literal, TypeAlias

import msgspec

from octavo.content import diff3
from octavo.content.layout.project import (
    Content,
    Fault,
    GroupNode,
    LinkNode,
    Project,
    SectionNode,
    SpaceNode,
    Style,
    read_project,
    title_of,
    write_project,
)
from octavo.content.slugs import title_slug

Node: TypeAlias = GroupNode | SectionNode | SpaceNode | LinkNode
Key: TypeAlias = tuple[str, str]
"""The type of a node, and its key."""
Side = Literal["git", "site"]
TOP: Key = ("", "")
_WORDS = {"section-group": "group", "external-link": "link", "section": "section", "space": "space", "": "site"}
_CHILDREN = ("children",)


@dataclass(frozen=True)
class Joined:
    """What both are to be."""

    project: Project
    conflicts: list[str] = field(default_factory=list)
    """Sentences about what both sides changed; empty where one of them counts."""


@dataclass(frozen=True)
class _Held:
    """A node without its children."""

    node: Node
    parent: Key
    fields: Mapping[str, Any]


def keyed(project: Project) -> Project:
    """The same with a key for each node that has none, made of what else names it, and unique among its type."""
    taken: set[Key] = {key for key in (_key(node) for node in _all(project)) if key[1]}

    def named(node: Node) -> Node:
        children = [named(child) for child in getattr(node, "children", ())]
        held: dict[str, Any] = {"children": children} if children else {}
        if not node.key:
            held["key"] = _free(node, taken)
        return msgspec.structs.replace(node, **held)

    return _with(project, named)


def renamed(project: Project, names: Mapping[Key, str]) -> Project:
    """The same with other keys, where `names` has some."""

    def one(node: Node) -> Node:
        children = [one(child) for child in getattr(node, "children", ())]
        held: dict[str, Any] = {"children": children} if children else {}
        return msgspec.structs.replace(node, key=names.get(_key(node), node.key), **held)

    return _with(project, one)


def keys_of(project: Project) -> list[Key]:
    """The type and key of every node."""
    return [_key(node) for node in _all(project)]


def repeated(project: Project) -> Key | None:
    """A key that two nodes of one type have."""
    seen: set[Key] = set()
    for key in keys_of(project):
        if key in seen:
            return key
        seen.add(key)
    return None


def joined(
    file_before: Project | None, file: Project, site_before: Project | None, site: Project, keep: Side | None
) -> Joined:
    """What changed in the file and what changed on the site, together. All nodes have keys, and those of one thing are the
    same in all four. Of what both changed, `keep` counts; without it that is told as a conflict."""
    return _Joining(file_before, file, site_before, site, keep).made()


def fill(project: Project, now: Project, before: Project | None) -> Project:
    """What a file asks for with what it leaves to the site: fields that it did not change are those of the site `now`. Where
    there was no file before, that is a title and a path that it does not give."""
    old, here = {} if before is None else _held(before), _held(now)
    chosen = {
        (one.parent if key[0] == "space" else TOP, key[0])
        for key, one in _held(project).items()
        if one.fields.get("default") and key in old and not old[key].fields["default"]
    }

    def filled(node: Node, parent: Key) -> Node:
        key = _key(node)
        children = [filled(child, key) for child in getattr(node, "children", ())]
        made: dict[str, Any] = {"children": children} if children else {}
        was, is_ = old.get(key), here.get(key)
        for name in () if is_ is None else is_.fields:
            value = getattr(node, name)
            if value == was.fields[name] if was is not None else value is None and name in ("title", "path"):
                made[name] = is_.fields[name]  # type: ignore[union-attr]
        scope = (parent if key[0] == "space" else TOP, key[0])
        if scope in chosen and "default" in made and was is not None and not getattr(node, "default", False):
            made["default"] = False
        return msgspec.structs.replace(node, **made)

    return _with(project, lambda node: filled(node, TOP))


def rewritten(text: str, base: str, was: Project, now: Project) -> str:
    """A `docs.yaml` in the folder `base` that says `now` instead of `was`: with its comments and lines as they are, where
    nothing changes beside them, else written anew."""
    for indented, relative in product((True, False), ("./", "", None)):
        style = Style(indented, relative, base)
        pieces = diff3.merge_text(write_project(was, style), write_project(now, style), text)
        if all(isinstance(piece, diff3.Stable) or _only_remarks(piece) for piece in pieces):
            made = "".join("".join(_units(piece)) for piece in pieces)
            with suppress(Fault):
                if keyed(read_project(made, base)) == now:
                    return made
    return write_project(now)


def _only_remarks(piece: diff3.Conflict) -> bool:
    """Whether nothing but comments stands where something new comes."""
    return not piece.base and all(line.strip()[:1] in ("", "#") for line in piece.theirs)


def _units(piece: diff3.Piece) -> list[str]:
    return piece.units if isinstance(piece, diff3.Stable) else [*piece.ours, *piece.theirs]


class _Joining:
    def __init__(
        self, file_before: Project | None, file: Project, site_before: Project | None, site: Project, keep: Side | None
    ) -> None:
        self._title = (file_before or file).title, file.title, (site_before or site).title, site.title
        self._file, self._site = _held(file), _held(site)
        self._file_before = {} if file_before is None else _held(file_before)
        self._site_before = {} if site_before is None else _held(site_before)
        self._keep = keep
        self._conflicts: list[str] = []

    def made(self) -> Joined:
        held: dict[Key, _Held] = {}
        for key in [*self._file, *(key for key in self._site if key not in self._file)]:
            one = self._one(key)
            if one is not None:
                held[key] = one
        self._complete(held)
        return Joined(self._project(held), [] if self._keep else self._conflicts)

    def _one(self, key: Key) -> _Held | None:
        """What becomes of one node; None where it goes."""
        file, site = self._file.get(key), self._site.get(key)
        if file is not None and site is not None:
            return self._both(key, file, site)
        if file is not None:
            gone = key in self._site_before
            return None if gone and self._goes(key, self._file_before.get(key), file, by="site") else file
        assert site is not None  # it came from one of them
        gone = key in self._file_before
        return None if gone and self._goes(key, self._site_before.get(key), site, by="git") else site

    def _goes(self, key: Key, before: _Held | None, now: _Held, *, by: Side) -> bool:
        """Whether what one side took away is gone, though the other may have changed it."""
        if before is not None and before.fields == now.fields and before.parent == now.parent:
            return True
        self._conflicts.append(f"{_told(now.node)} was taken away on one side and changed on the other")
        return self._keep == by

    def _both(self, key: Key, file: _Held, site: _Held) -> _Held:
        file_before, site_before = self._file_before.get(key), self._site_before.get(key)
        fields: dict[str, Any] = {}
        for name in file.fields:
            there = file.fields[name], file_before is None or file_before.fields[name] != file.fields[name]
            here = site.fields[name], site_before is not None and site_before.fields[name] != site.fields[name]
            fields[name] = self._value(f"the {name.replace('_', ' ')} of {_told(file.node)}", there, here)
        there = file.parent, file_before is None or file_before.parent != file.parent
        here = site.parent, site_before is not None and site_before.parent != site.parent
        return _Held(file.node, self._value(f"the place of {_told(file.node)}", there, here), fields)

    def _value(self, what: str, there: tuple[Any, bool], here: tuple[Any, bool]) -> Any:
        """What one thing becomes that has a value on either side, each with whether it changed there."""
        (file, theirs), (site, ours) = there, here
        if ours and theirs and file != site:
            self._conflicts.append(f"{what} changed on both sides")
            return site if self._keep == "site" else file
        return site if ours else file

    def _complete(self, held: dict[Key, _Held]) -> None:
        """What stands in something that went stands where that would be: it is told."""
        for one in list(held.values()):
            if one.parent != TOP and one.parent not in held:
                self._conflicts.append(f"{_told(one.node)} stands in what was taken away on the other side")
                above = (self._site if self._keep == "site" else self._file).get(one.parent)
                above = above or self._file.get(one.parent) or self._site.get(one.parent)
                while above is not None:
                    held[one.parent] = above
                    one = above
                    if one.parent == TOP or one.parent in held:
                        break
                    above = self._file.get(one.parent) or self._site.get(one.parent)

    def _project(self, held: Mapping[Key, _Held]) -> Project:
        below: dict[Key, list[Key]] = {}
        for key, one in held.items():
            below.setdefault(one.parent, []).append(key)

        def built(key: Key) -> Any:
            one = held[key]
            fields = dict(one.fields)
            if isinstance(one.node, GroupNode | SectionNode):
                fields["children"] = [built(child) for child in self._order(key, below.get(key, ()))]
            return msgspec.structs.replace(one.node, **fields)

        top = [built(key) for key in self._order(TOP, below.get(TOP, ()))]
        before, file, site_before, site = self._title
        title = site if site != site_before and file == before else file
        entries = [node for node in top if not isinstance(node, SpaceNode)]
        return Project(title, entries, [node for node in top if isinstance(node, SpaceNode)])

    def _order(self, parent: Key, keys: Iterable[Key]) -> list[Key]:
        """Siblings in the order of the side that changed it, the file's where both did; new ones behind those that they
        follow on their own side."""
        wanted = set(keys)
        file, site = _siblings(self._file, parent), _siblings(self._site, parent)
        moved_there = _moved(_siblings(self._file_before, parent), file)
        moved_here = _moved(_siblings(self._site_before, parent), site)
        first, second = (site, file) if moved_here and not moved_there else (file, site)
        made = [key for key in first if key in wanted]
        for at, key in enumerate(second):
            if key in wanted and key not in made:
                behind = next((one for one in reversed(second[:at]) if one in made), None)
                made.insert(0 if behind is None else made.index(behind) + 1, key)
        return made + [key for key in keys if key not in made]


def _siblings(held: Mapping[Key, _Held], parent: Key) -> list[Key]:
    return [key for key, one in held.items() if one.parent == parent]


def _moved(before: Sequence[Key], now: Sequence[Key]) -> bool:
    """Whether what stands in both stands there in another order."""
    return [key for key in before if key in now] != [key for key in now if key in before]


def _held(project: Project) -> dict[Key, _Held]:
    """Every node of a project, in the order in which they stand there."""
    made: dict[Key, _Held] = {}

    def put(node: Node, parent: Key) -> None:
        key = _key(node)
        names = [name for name in node.__struct_fields__ if name not in ("key", *_CHILDREN)]
        made[key] = _Held(node, parent, {name: getattr(node, name) for name in names})
        for child in getattr(node, "children", ()):
            put(child, key)

    for node in (*project.spaces, *project.entries):
        put(node, TOP)
    return made


def _all(project: Project) -> Iterable[Node]:
    def walk(nodes: Iterable[Node]) -> Iterable[Node]:
        for node in nodes:
            yield node
            yield from walk(getattr(node, "children", ()))

    return walk((*project.spaces, *project.entries))


def _key(node: Node) -> Key:
    return str(node.__struct_config__.tag), node.key or ""


def _free(node: Node, taken: set[Key]) -> str:
    kind = _key(node)[0]
    words = {
        "space": getattr(node, "content", Content()).directory or getattr(node, "path", None),
        "external-link": getattr(node, "url", None),
    }.get(kind) or getattr(node, "path", None)
    wanted = made = title_slug(words or _title(node), _WORDS[kind])
    number = 1
    while (kind, made) in taken:
        number += 1
        made = f"{wanted}-{number}"
    taken.add((kind, made))
    return made


def _title(node: Node) -> str:
    return title_of(node) if isinstance(node, SpaceNode | SectionNode) else node.title or "untitled"


def _told(node: Node) -> str:
    return f"the {_WORDS[_key(node)[0]]} “{_title(node)}”"


def _with(project: Project, work: Any) -> Project:
    return Project(project.title, [work(node) for node in project.entries], [work(node) for node in project.spaces])
