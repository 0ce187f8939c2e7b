"""A folder as the site it would become: which spaces it holds, brought in and arranged; again whenever it changes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from octavo.administration import OPERATOR
from octavo.content.layout import config
from octavo.content.layout.project import (
    NAME,
    Content,
    Fault,
    Project,
    SpaceNode,
    read_project,
    spaces_of,
    title_of,
)
from octavo.content.layout.report import Notice, Report
from octavo.importing import Order, import_space, make_searchable, new_site, publish
from octavo.kernel import limits
from octavo.kernel.errors import BadRequest
from octavo.kernel.records.library import Space
from octavo.kernel.records.sites import Site
from octavo.main import House
from octavo.serving.preview.problems import Anchors, below, noticed
from octavo.site.projects import arranged
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
        await arranged(unit, site, project, {directory: held.space for directory, held in self._held.items()})
        return await publish(unit, await unit.sites.change(site, title=title))


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
