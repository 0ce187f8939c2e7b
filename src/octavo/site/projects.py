"""A site as `docs.yaml` describes it, both ways: its structure from such a description, and the description of a structure."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping, Sequence
from typing import Any

from octavo.content import conditions
from octavo.content.layout.project import (
    NAME,
    Content,
    GroupNode,
    LinkNode,
    Project,
    SectionNode,
    SpaceNode,
    title_of,
)
from octavo.content.ordering import spread
from octavo.kernel import limits
from octavo.kernel.errors import BadRequest
from octavo.kernel.ids import new_id
from octavo.kernel.records.library import Space
from octavo.kernel.records.sites import Site, SiteExternalLink, SiteSection, SiteSectionGroup, SiteSpace
from octavo.site.structure import free_path, in_order, layout_of
from octavo.store.unit import Unit


async def arranged(
    unit: Unit, site: Site, project: Project, spaces: Mapping[str, Space], *, anew: bool = False
) -> dict[str, str]:
    """Give a site the structure of the project, in place of the one that it has; `spaces` by their directories. What has
    the id of something that is there as its `key` stays that, with what a project does not tell of it: a site-space
    keeps its look and its first page, and one without a directory its space. `anew` has keys be ids as far as nothing
    has them yet: of an export that comes back. Returns key -> id."""
    layout = await layout_of(unit, site)
    known = {one.id for one in layout.site_spaces} | {one.id for one in in_order(layout.entries)}
    for shown in layout.site_spaces:
        await unit.structure.remove_site_space(shown)
    for entry in reversed(in_order(layout.entries)):  # what stands in a group goes ahead of it
        await unit.structure.remove(entry)
    if anew:
        known |= await _unused(unit, project)
    arranging = _Arranging(unit, site, spaces, known, {one.id: one for one in layout.site_spaces})
    await arranging.put(project)
    return arranging.made


async def _unused(unit: Unit, project: Project) -> set[str]:
    """The keys of a project that are the ids of nothing."""
    made: set[str] = set()
    for node, _ in _every(project):
        key = node.key or ""
        find = {
            SpaceNode: unit.sites.site_space, SectionNode: unit.sites.section, GroupNode: unit.structure.group,
            LinkNode: unit.structure.link,
        }[type(node)]  # fmt: skip
        if key and await find(key) is None:
            made.add(key)
    return made


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


def sound(project: Project, site: Site) -> None:
    """Raises BadRequest with a sentence about what a site cannot have of a structure that somebody wrote."""
    nodes = [*_every(project)]
    spaces = [node for node, _ in nodes if isinstance(node, SpaceNode)]
    if len(nodes) - len(spaces) > limits.SITE_ENTRIES_MAX:
        raise BadRequest(f"{NAME}: a site has at most {limits.SITE_ENTRIES_MAX} sections, groups and links")
    if len(spaces) > limits.SITE_SPACES_MAX:
        raise BadRequest(f"{NAME}: a site has at most {limits.SITE_SPACES_MAX} site-spaces")
    for node, deep in nodes:
        name = node.title or getattr(node, "path", None) or node.key or ""
        _fits(node, name)
        if isinstance(node, GroupNode) and deep > limits.SECTION_GROUPS_DEEPEST:
            raise BadRequest(f"{NAME}: groups can be nested {limits.SECTION_GROUPS_DEEPEST} deep at most ({name!r})")
        if isinstance(node, LinkNode) and not _WEB.match(node.url):
            raise BadRequest(f"{NAME}: the address of {name!r} has to begin with http:// or https://")
        condition: str | None = getattr(node, "condition", None)
        fault = conditions.check(condition) if condition else None
        if fault is not None:
            raise BadRequest(f"{NAME}: the condition of {name!r}: {fault}")


_WEB = re.compile(r"https?://\S+\Z", re.IGNORECASE)
_LONGEST = {
    "title": limits.SITE_TITLE_MAX, "path": limits.SITE_PATH_MAX, "description": limits.SECTION_DESCRIPTION_MAX,
    "icon": limits.ICON_NAME_MAX, "condition": limits.CONDITION_MAX, "url": limits.URL_MAX,
}  # fmt: skip


def _fits(node: Any, name: str) -> None:
    for field, longest in _LONGEST.items():
        if len(getattr(node, field, None) or "") > longest:
            raise BadRequest(f"{NAME}: the {field} of {name[:60]!r} has more than {longest} characters")


def _every(project: Project) -> Iterator[tuple[SpaceNode | SectionNode | GroupNode | LinkNode, int]]:
    """Each node, and how many groups it stands in, itself included."""

    def walk(nodes: Sequence[Any], deep: int) -> Iterator[tuple[Any, int]]:
        for node in nodes:
            inner = deep + isinstance(node, GroupNode)
            yield node, inner
            yield from walk(getattr(node, "children", ()), inner)

    return walk((*project.spaces, *project.entries), 0)


def _node(entry: SiteSection | SiteSectionGroup | SiteExternalLink, nodes: Any, spaces: Mapping[Any, Any]) -> Any:
    common: dict[str, Any] = {
        "key": entry.id, "title": entry.title, "icon": entry.icon, "draft": entry.draft,
        "localized_title": entry.localized_title,
    }  # fmt: skip
    if isinstance(entry, SiteSectionGroup):
        return GroupNode(**common, children=nodes(entry.id))
    more: dict[str, Any] = {"description": entry.description, "condition": entry.condition}
    more["localized_description"] = entry.localized_description
    if isinstance(entry, SiteExternalLink):
        return LinkNode(**common, **more, url=entry.url)
    return SectionNode(
        **common,
        **more,
        path=entry.path,
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

    def __init__(
        self,
        unit: Unit,
        site: Site,
        spaces: Mapping[str, Space],
        known: Container[str],
        shown: Mapping[str, SiteSpace],
    ) -> None:
        self._unit = unit
        self._known = known
        self.made: dict[str, str] = {}
        self._spaces = spaces
        self._were = shown
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
                more["localized_description"] = entry.localized_description
                await self._unit.structure.add(
                    SiteExternalLink(**common, **more, title=entry.title or entry.url, url=entry.url)
                )
            else:
                await self._section(entry, group, common)

    async def _section(self, node: SectionNode, group: str | None, common: dict[str, Any]) -> None:
        if node.key not in self._known and not any(self._space_of(one) for one in node.children):
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
        shown = [one for one in nodes if self._space_of(one) is not None]
        first = next((one for one in shown if one.default), shown[0] if shown else None)
        for position, node in zip(spread(len(shown)), shown, strict=True):
            were = self._were.get(node.key or "")
            kept = ("page", "customization", "customized_at")
            space = self._space_of(node)
            assert space is not None  # others were left out
            more = {} if were is None or were.space != space else {name: getattr(were, name) for name in kept}
            site_space = SiteSpace(
                **self._own,
                **more,
                id=self._id(node),
                space=space,
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

    def _space_of(self, node: SpaceNode) -> str | None:
        """The space that a node shows; None where it lies elsewhere."""
        if node.content.directory is not None:
            return self._spaces[node.content.directory].id
        were = self._were.get(node.key or "")
        return None if were is None else were.space

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
