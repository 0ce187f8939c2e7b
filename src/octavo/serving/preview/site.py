"""A folder as the site it would become: which spaces it holds, brought in and arranged; again whenever it changes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from octavo.administration import OPERATOR
from octavo.content.layout import config
from octavo.content.layout.project import (
    NAME,
    Content,
    Fault,
    GroupNode,
    LinkNode,
    Project,
    SectionNode,
    SpaceNode,
    read_project,
    spaces_of,
    title_of,
)
from octavo.content.layout.report import Notice, Report
from octavo.content.ordering import spread
from octavo.importing import Order, import_space, make_searchable, new_site, publish
from octavo.kernel import limits
from octavo.kernel.errors import BadRequest
from octavo.kernel.ids import new_id
from octavo.kernel.records.library import Space
from octavo.kernel.records.sites import Site, SiteExternalLink, SiteSection, SiteSectionGroup, SiteSpace
from octavo.main import House
from octavo.serving.preview.problems import Anchors, below, noticed
from octavo.site.structure import free_path, in_order, layout_of
from octavo.store.unit import Unit

_GENERIC = frozenset({"docs", "doc", "documentation", "content", "src", "source", "pages"})
"""Names of folders that say nothing of what is in them."""
_SETTINGS = ".gitbook.yaml"


@dataclass
class _Held:
    """One space of the folder as it was last brought in."""

    space: Space
    notices: list[Notice]
    anchors: Anchors
    counts: dict[str, int]


class Folder:
    """The folder, its spaces and the site that shows them."""

    def __init__(self, house: House, source: Path, organization: str, title: str | None) -> None:
        self._house = house
        self._source = source
        self._organization = organization
        self._title = title
        self._project: Project | None = None
        self._held: dict[str, _Held] = {}
        self.site: Site | None = None
        self.notices: list[Notice] = []
        """What is wrong with all of it, by file."""

    @property
    def counts(self) -> dict[str, int]:
        """Pages and files of all spaces."""
        names = ("pages", "files")
        return {name: sum(one.counts.get(name, 0) for one in self._held.values()) for name in names}

    async def bring(self, changed: Iterable[str] | None = None, *, quiet: bool = False) -> None:
        """Read what lies in the folder; with `changed`, paths below it, only the spaces that these concern.

        Raises Failure with a sentence; everything is then as it was before.
        """
        project = self._read_project()
        wanted = {one.content.directory or "": one for one in spaces_of(project) if one.content.directory is not None}
        found = self._concerned(wanted, None if changed is None else [*changed])
        for directory in found:
            await self._bring(directory, wanted[directory], quiet=quiet)
        self._held = {directory: held for directory, held in self._held.items() if directory in wanted}
        if project != self._project:
            self.site = await self._house.store.write(lambda unit: self._arrange(unit, project), OPERATOR)
            self._project = project

    async def look(self) -> None:
        """Bring the search up to date, and find out what is wrong with the pages."""
        notices: list[Notice] = []
        for directory, held in self._held.items():
            await make_searchable(self._house, held.space)
            root = _root_of(self._source / directory)
            broken = await held.anchors.broken(self._house.store, held.space)
            notices += below(directory, [*held.notices, *below(root, broken)])
        self.notices = sorted(notices, key=lambda one: (one.file, one.line or 0, one.text))

    def _concerned(self, wanted: Iterable[str], changed: Sequence[str] | None) -> list[str]:
        if changed is None:
            return [*wanted]
        return [
            directory
            for directory in wanted
            if directory not in self._held
            or any(not directory or path == directory or path.startswith(f"{directory}/") for path in changed)
        ]

    def _read_project(self) -> Project:
        """What `docs.yaml` says; a folder without one is one space."""
        file = self._source / NAME
        try:
            text = file.read_text("utf-8")
        except FileNotFoundError:
            title = self._title or _title_of(self._source)
            return Project(title, [], [SpaceNode(title=title, content=Content(directory=""))])
        except UnicodeDecodeError:
            raise BadRequest(f"{file} is not UTF-8 text") from None
        try:
            project = read_project(text)
        except Fault as fault:
            raise BadRequest(f"{self._source}: {fault}") from fault
        missing = [
            one.content.directory
            for one in spaces_of(project)
            if one.content.directory is not None and not (self._source / one.content.directory).is_dir()
        ]
        if missing:
            raise BadRequest(f"{file} names the directory {missing[0]!r}, which does not exist")
        return msgspec.structs.replace(project, title=self._title or project.title or _title_of(self._source))

    async def _bring(self, directory: str, node: SpaceNode, *, quiet: bool) -> None:
        folder = self._source / directory
        if not any(folder.rglob("*.md")):
            raise BadRequest(f"there is no page in {folder}: no file that ends in .md")
        name = f"preview/{directory}" if directory else "preview"
        known = await self._house.store.read(lambda unit: unit.installation.get(name))
        order = Order(str(folder), self._organization, known, None if known else title_of(node))
        space, result = await import_space(self._house, order, quiet=quiet)
        if known is None:
            await self._house.store.write(lambda unit: unit.installation.set(name, space.id))
        if node.content.language and node.content.language != space.language:
            language = node.content.language
            await self._house.store.write(lambda unit: unit.spaces.change(space, language=language), OPERATOR)
        before = self._held.get(directory)
        anchors = Anchors() if before is None else before.anchors
        held = _Held(space, noticed(result.get("warnings", ())), anchors, result.get("counts", {}))
        self._held[directory] = held

    async def _arrange(self, unit: Unit, project: Project) -> Site:
        """The site with the structure of the project, in place of the one that it had."""
        title = (project.title or "Documentation")[: limits.SITE_TITLE_MAX].ljust(limits.SITE_TITLE_MIN, ".")
        known = await unit.installation.get("preview-site")
        _, showing = await unit.sites.of_spaces(held.space.id for held in self._held.values())
        site = next(iter(showing.values()), None) if known is None else await unit.sites.get(known)
        if site is None:
            site = await new_site(unit, self._house, self._organization, title)
            await unit.installation.set("preview-site", site.id)
        layout = await layout_of(unit, site)
        for shown in layout.site_spaces:
            await unit.structure.remove_site_space(shown)
        for entry in reversed(in_order(layout.entries)):  # what stands in a group goes ahead of it
            await unit.structure.remove(entry)
        await _Arranging(unit, site, {directory: held.space for directory, held in self._held.items()}).put(project)
        return await publish(unit, await unit.sites.change(site, title=title))


class _Arranging:
    """Writes the structure of a project into the store."""

    def __init__(self, unit: Unit, site: Site, spaces: dict[str, Space]) -> None:
        self._unit = unit
        self._spaces = spaces
        self._own: dict[str, Any] = {"organization": site.organization, "site": site.id}
        self._paths: set[str] = set()
        self._sections: list[SiteSection] = []

    async def put(self, project: Project) -> None:
        await self._entries(project.entries, None)
        await self._shown(project.spaces, None, set(self._paths))
        if self._sections and not any(one.default for one in self._sections):
            await self._unit.structure.make_default_section(self._own["site"], self._sections[0].id)

    async def _entries(self, entries: Sequence[GroupNode | SectionNode | LinkNode], group: str | None) -> None:
        for position, entry in zip(spread(len(entries)), entries, strict=True):
            common = self._own | {
                "id": new_id(), "position": position, "icon": entry.icon, "draft": entry.draft,
                "localized_title": entry.localized_title,
            }  # fmt: skip
            if isinstance(entry, GroupNode):
                made = SiteSectionGroup(**common, title=entry.title or entry.key or "Menu", parent=group)
                await self._unit.structure.add(made)
                await self._entries(entry.children, made.id)
            elif isinstance(entry, LinkNode):
                more: dict[str, Any] = {"description": entry.description, "condition": entry.condition, "group": group}
                await self._unit.structure.add(
                    SiteExternalLink(**common, **more, title=entry.title or entry.url, url=entry.url)
                )
            else:
                await self._section(entry, group, common)

    async def _section(self, node: SectionNode, group: str | None, common: dict[str, Any]) -> None:
        if not any(one.content.directory is not None for one in node.children):
            return  # its pages lie elsewhere
        section = SiteSection(
            **common,
            title=title_of(node),
            path=self._free(node.path or title_of(node), self._paths),
            description=node.description,
            localized_description=node.localized_description,
            condition=node.condition,
            default=node.default and not any(one.default for one in self._sections),
            group=group,
        )
        self._sections.append(section)
        await self._unit.structure.add(section)
        await self._shown(node.children, section.id, set())

    async def _shown(self, nodes: Sequence[SpaceNode], section: str | None, taken: set[str]) -> None:
        shown = [one for one in nodes if one.content.directory is not None]
        first = next((one for one in shown if one.default), shown[0] if shown else None)
        for position, node in zip(spread(len(shown)), shown, strict=True):
            site_space = SiteSpace(
                **self._own,
                id=new_id(),
                space=self._spaces[node.content.directory or ""].id,
                title=title_of(node),
                path=self._free(node.path or title_of(node), taken),
                position=position,
                default=node is first,
                section=section,
                condition=node.condition,
                hidden=node.hidden,
                draft=node.draft,
            )
            await self._unit.sites.add_site_space(site_space)

    @staticmethod
    def _free(wanted: str, taken: set[str]) -> str:
        path = free_path(wanted, taken)
        taken.add(path)
        return path


def _root_of(folder: Path) -> str:
    """Where the pages of a space lie below its folder."""
    try:
        text = (folder / _SETTINGS).read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        return ""
    report = Report()
    return config.config(_SETTINGS, config.load_yaml(_SETTINGS, text, report), report).root


def _title_of(source: Path) -> str:
    """What a folder is called; the one around it where its own name says nothing."""
    folder = source.resolve()
    name = folder.parent.name if folder.name.lower() in _GENERIC and folder.parent.name else folder.name
    return name.replace("-", " ").replace("_", " ").strip().capitalize() or "Documentation"
