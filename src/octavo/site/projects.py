"""A site as `docs.yaml` describes it, both ways: its structure from such a description, and the description of a structure."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from typing import Any

from octavo.content.layout.project import (
    Content,
    GroupNode,
    LinkNode,
    Project,
    SectionNode,
    SpaceNode,
    title_of,
)
from octavo.content.ordering import spread
from octavo.kernel.ids import new_id
from octavo.kernel.records.library import Space
from octavo.kernel.records.sites import Site, SiteExternalLink, SiteSection, SiteSectionGroup, SiteSpace
from octavo.site.structure import free_path, in_order, layout_of
from octavo.store.unit import Unit


async def arranged(unit: Unit, site: Site, project: Project, spaces: Mapping[str, Space]) -> dict[str, str]:
    """Give a site the structure of the project, in place of the one that it has; `spaces` by their directories. Entries
    whose `key` is the id of one that is there keep it. Returns key -> id."""
    layout = await layout_of(unit, site)
    known = {one.id for one in layout.site_spaces} | {one.id for one in in_order(layout.entries)}
    for shown in layout.site_spaces:
        await unit.structure.remove_site_space(shown)
    for entry in reversed(in_order(layout.entries)):  # what stands in a group goes ahead of it
        await unit.structure.remove(entry)
    arranging = _Arranging(unit, site, spaces, known)
    await arranging.put(project)
    return arranging.made


async def described(unit: Unit, site: Site, directories: Mapping[str, str]) -> Project:
    """The structure of a site; `directories` says where the content of each space lies, by its id."""
    layout = await layout_of(unit, site)
    found = {one.id: one for one in await unit.spaces.by_ids([one.space for one in layout.site_spaces])}
    by_section: dict[str | None, list[SpaceNode]] = {}
    for shown in sorted(layout.site_spaces, key=lambda one: (one.position, one.id)):
        if shown.space in found:
            node = _space_node(shown, found[shown.space], directories.get(shown.space))
            by_section.setdefault(shown.section, []).append(node)
    entries: dict[str | None, list[Any]] = {}
    for entry in sorted(layout.entries, key=lambda one: (one.position, one.id)):
        within = entry.parent if isinstance(entry, SiteSectionGroup) else entry.group
        entries.setdefault(within, []).append(entry)

    def nodes(within: str | None) -> list[Any]:
        return [_node(one, nodes, by_section) for one in entries.get(within, [])]

    return Project(site.title, nodes(None), by_section.get(None, []))


def _node(entry: SiteSection | SiteSectionGroup | SiteExternalLink, nodes: Any, spaces: Mapping[Any, Any]) -> Any:
    common: dict[str, Any] = {
        "key": entry.id, "title": entry.title, "icon": entry.icon, "draft": entry.draft,
        "localized_title": entry.localized_title,
    }  # fmt: skip
    if isinstance(entry, SiteSectionGroup):
        return GroupNode(**common, children=nodes(entry.id))
    more: dict[str, Any] = {"description": entry.description, "condition": entry.condition}
    if isinstance(entry, SiteExternalLink):
        return LinkNode(**common, **more, url=entry.url)
    return SectionNode(
        **common,
        **more,
        path=entry.path,
        localized_description=entry.localized_description,
        default=entry.default,
        children=spaces.get(entry.id, []),
    )


def _space_node(shown: SiteSpace, space: Space, directory: str | None) -> SpaceNode:
    return SpaceNode(
        key=shown.id,
        title=shown.title,
        path=shown.path,
        default=shown.default,
        hidden=shown.hidden,
        draft=shown.draft,
        condition=shown.condition,
        content=Content(directory, space.language),
    )


class _Arranging:
    """Writes the structure of a project into the store."""

    def __init__(self, unit: Unit, site: Site, spaces: Mapping[str, Space], known: Container[str]) -> None:
        self._unit = unit
        self._known = known
        self.made: dict[str, str] = {}
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
                "id": self._id(entry), "position": position, "icon": entry.icon, "draft": entry.draft,
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
                id=self._id(node),
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

    def _id(self, node: SpaceNode | SectionNode | GroupNode | LinkNode) -> str:
        """What was there under this key stays what it is."""
        made = node.key if node.key is not None and node.key in self._known else new_id()
        if node.key is not None:
            self.made[node.key] = made
        return made

    @staticmethod
    def _free(wanted: str, taken: set[str]) -> str:
        path = free_path(wanted, taken)
        taken.add(path)
        return path
