"""The rules of a site's structure: what stands where in its navigation, which paths are free, what is the default."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

import msgspec

from octavo.content import conditions
from octavo.content.ordering import between, spread
from octavo.content.slugs import is_usable, title_slug
from octavo.kernel import limits
from octavo.kernel.errors import BadRequest, Conflict
from octavo.kernel.ids import new_id
from octavo.kernel.records.sites import Site, SiteExternalLink, SiteSection, SiteSectionGroup, SiteSpace
from octavo.store.sites.structure import Entry
from octavo.store.unit import Unit

Sibling = TypeVar("Sibling", bound=Entry | SiteSpace)

_NUMBERED = 6
"""Characters that are left for a number behind a path that is taken."""


class Layout(msgspec.Struct, frozen=True):
    """What a site is made of, as of one moment; the spaces that it shows may be deleted ones."""

    site: Site
    sections: list[SiteSection]
    groups: list[SiteSectionGroup]
    links: list[SiteExternalLink]
    site_spaces: list[SiteSpace]

    @property
    def entries(self) -> list[Entry]:
        """What stands in its navigation, in no order."""
        return [*self.sections, *self.groups, *self.links]

    @property
    def default_section(self) -> SiteSection | None:
        return next((one for one in self.sections if one.default), None)

    def at(self, group: str | None) -> list[Entry]:
        """What stands directly below a group, or at the top, in order."""
        return levels(self.entries).get(group, [])

    def inside(self, section: str | None) -> list[SiteSpace]:
        """The site-spaces of a section, or at the root, in order."""
        return [one for one in self.site_spaces if one.section == section]


async def layout_of(unit: Unit, site: Site) -> Layout:
    """In four queries."""
    return Layout(
        site=site,
        sections=await unit.sites.sections(site.id),
        groups=await unit.sites.groups(site.id),
        links=await unit.structure.links(site.id),
        site_spaces=await unit.sites.site_spaces(site.id),
    )


# The tree of the navigation.


def above(entry: Entry) -> str | None:
    """The group that an entry stands in."""
    return entry.parent if isinstance(entry, SiteSectionGroup) else entry.group


def levels(entries: Iterable[Entry]) -> dict[str | None, list[Entry]]:
    """Group -> what stands directly below it, in order; None is the top."""
    made: dict[str | None, list[Entry]] = {}
    for entry in sorted(entries, key=lambda one: (one.position, one.id)):
        made.setdefault(above(entry), []).append(entry)
    return made


def in_order(entries: Sequence[Entry]) -> list[Entry]:
    """All entries as somebody reads them who opens every group."""
    below = levels(entries)

    def walk(group: str | None) -> Iterator[Entry]:
        for entry in below.get(group, ()):
            yield entry
            if isinstance(entry, SiteSectionGroup):
                yield from walk(entry.id)

    return [*walk(None)]


def tree_keys(entries: Sequence[Entry]) -> dict[str, str]:
    """Entry -> what sorts it behind the group that it is in, and among its siblings; it changes with no move elsewhere."""
    made: dict[str, str] = {}
    for entry in in_order(entries):
        group = above(entry)
        made[entry.id] = (made[group] + "/" if group is not None else "") + f"{entry.position}!{entry.id}"
    return made


def closed_groups(groups: Sequence[SiteSectionGroup]) -> set[str]:
    """Groups that are drafts, or in one that is."""
    closed: set[str] = set()
    for group in in_order(groups):
        if isinstance(group, SiteSectionGroup) and (group.draft or group.parent in closed):
            closed.add(group.id)
    return closed


def require_room_for_group(layout: Layout, moved: SiteSectionGroup | None, parent: str | None) -> None:
    """Raises BadRequest where a group, or a new one, would come into itself, or groups too deep into one another."""
    known = {group.id: group for group in layout.groups}
    chain: list[str] = []
    at = parent
    while at is not None:
        chain.append(at)
        at = known[at].parent
    if moved is not None and moved.id in chain:
        raise BadRequest("parentSectionGroupId: a group cannot be put into itself")
    height = 1 if moved is None else _height(layout.groups, moved.id)
    if len(chain) + height > limits.SECTION_GROUPS_DEEPEST:
        raise BadRequest(f"parent: groups can be nested {limits.SECTION_GROUPS_DEEPEST} deep at most")


def _height(groups: Sequence[SiteSectionGroup], top: str) -> int:
    below = levels(groups)
    level, height = [top], 0
    while level:
        level, height = [child.id for one in level for child in below.get(one, ())], height + 1
    return height


def require_room(layout: Layout, *, entries: int = 0, site_spaces: int = 0) -> None:
    """Raises BadRequest where a site would have more of them than it may."""
    if len(layout.entries) + entries > limits.SITE_ENTRIES_MAX:
        raise BadRequest(f"a site has at most {limits.SITE_ENTRIES_MAX} sections, groups and links")
    if len(layout.site_spaces) + site_spaces > limits.SITE_SPACES_MAX:
        raise BadRequest(f"a site has at most {limits.SITE_SPACES_MAX} site-spaces")


# Positions.


def last_position(siblings: Sequence[Entry | SiteSpace]) -> str:
    """A position behind all of them."""
    return between(max((one.position for one in siblings), default=None), None)


def reordered(siblings: Sequence[Sibling], moved: Sibling, word: str | None, sibling: str) -> list[Sibling]:
    """The siblings, `moved` among them, with that one `before` or `after` another; None is the end.

    Raises BadRequest where the other one is none of them.
    """
    rest = [one for one in siblings if one.id != moved.id]
    if word is None:
        return [*rest, moved]
    at = next((at for at, one in enumerate(rest) if one.id == sibling), None)
    if at is None:
        raise BadRequest(f"position.{word}: {sibling!r} is no sibling of what is to be moved")
    at += word == "after"
    return [*rest[:at], moved, *rest[at:]]


def position_among(order: Sequence[Entry | SiteSpace], moved: str) -> str:
    """A position for one of these where it stands among the others."""
    at = next(at for at, one in enumerate(order) if one.id == moved)
    before = order[at - 1].position if at else None
    # Two may have one position from before they shared their order: behind both of them there is room.
    after = next((one.position for one in order[at + 1 :] if before is None or one.position > before), None)
    return between(before, after)


# Paths.


def free_path(title: str, taken: Iterable[str]) -> str:
    """A path made of a title that is none of those taken."""
    known = {path.lower() for path in taken}
    wanted = title_slug(title, "docs")[: limits.SITE_PATH_MAX - _NUMBERED]
    path, number = wanted, 1
    while path in known or not is_usable(path):
        number += 1
        path = f"{wanted}-{number}"
    return path


def require_path(path: str, taken: Iterable[str]) -> None:
    """Raises BadRequest for a path that cannot be reached, Conflict for one of those taken."""
    if not is_usable(path):
        raise BadRequest(
            f"path: {path!r} is not possible, because a site answers there itself or browsers change it:"
            " use letters, digits, hyphens, dots and underscores"
        )
    if path.lower() in {one.lower() for one in taken}:
        raise Conflict(f"path: {path!r} belongs to another section or site-space beside it")


def paths_beside_section(layout: Layout, own: SiteSection | None) -> set[str]:
    """The paths that a section may not have; `own` is None for a new one.

    The default section has no segment in addresses, so that its site-spaces stand among the other sections.
    """
    others = {one.path for one in layout.sections if own is None or one.id != own.id}
    default = layout.default_section
    if default is None or (own is not None and own.id == default.id):
        return others
    return others | {one.path for one in layout.inside(default.id)}


def paths_beside_space(layout: Layout, section: SiteSection | None, own: SiteSpace | None) -> set[str]:
    """The paths that a site-space of a section, or of the root, may not have; `own` is None for a new one."""
    within = None if section is None else section.id
    beside = {one.path for one in layout.inside(within) if own is None or one.id != own.id}
    if section is None or not section.default:
        return beside
    return beside | {one.path for one in layout.sections if one.id != within}


# Conditions.


def require_condition(condition: str | None) -> str | None:
    """A condition as it is stored: none for a blank one. Raises BadRequest for one that cannot be read."""
    if condition is None or not condition.strip():
        return None
    fault = conditions.check(condition)
    if fault is not None:
        raise BadRequest(f"condition: {fault}")
    return condition


# Sections of a site that had none.


async def ensure_sections(unit: Unit, layout: Layout) -> Layout:
    """Put what stands at the root of a site into a default section; a site that has sections stays as it is."""
    if layout.sections or not layout.site_spaces:
        return layout
    first = next((one for one in layout.site_spaces if one.default), layout.site_spaces[0])
    title = first.title if len(first.title) >= limits.SITE_TITLE_MIN else layout.site.title
    ahead = layout.at(None)
    section = SiteSection(
        id=new_id(),
        organization=layout.site.organization,
        site=layout.site.id,
        title=title,
        path=free_path(title, ()),
        position=between(None, ahead[0].position if ahead else None),
        default=True,
    )
    await unit.structure.add(section)
    await unit.structure.wrap(section)
    return await layout_of(unit, layout.site)


# Defaults.


async def make_default_section(unit: Unit, layout: Layout, chosen: SiteSection) -> None:
    """Let the site's root show this section. Raises Conflict where one of its site-spaces has the path of another section."""
    others = {one.path.lower() for one in layout.sections if one.id != chosen.id}
    for one in layout.inside(chosen.id):
        if one.path.lower() in others:
            raise Conflict(
                f"defaultSiteSection: the path {one.path!r} of a site-space in it is that of another section;"
                " change one of the two first"
            )
    await unit.structure.make_default_section(layout.site.id, chosen.id)


async def _next_default_section(unit: Unit, left: Layout, gone: str) -> None:
    """The section that followed the default one becomes it; site-spaces of it that are in the way get other paths.

    `left` is without the section, `gone` where it stood as the keys of the tree say."""
    keys = tree_keys(left.entries)
    ordered = sorted(left.sections, key=lambda one: keys[one.id])
    chosen = next((one for one in ordered if keys[one.id] > gone), ordered[0])
    taken = {one.path for one in left.sections if one.id != chosen.id}
    beside = {one.path for one in left.inside(chosen.id)}
    for one in left.inside(chosen.id):
        if one.path.lower() in {path.lower() for path in taken}:
            path = free_path(one.path, taken | beside)
            beside.add(path)
            await unit.sites.change_site_space(one, path=path)
    await unit.structure.make_default_section(left.site.id, chosen.id)


async def drop_group(unit: Unit, layout: Layout, group: SiteSectionGroup) -> None:
    """Remove a group; what it holds takes its place among its siblings."""
    inside = layout.at(group.id)
    if inside:
        beside = layout.at(above(group))
        after = next((one.position for one in beside if one.position > group.position), None)
        await unit.structure.put(inside, above(group), spread(len(inside), group.position, after))
    await unit.structure.remove(group)


async def drop_section(unit: Unit, layout: Layout, section: SiteSection) -> None:
    """Remove a section with its site-spaces; if it was the default one, the next takes its place."""
    await unit.structure.remove(section)
    left = msgspec.structs.replace(
        layout,
        sections=[one for one in layout.sections if one.id != section.id],
        site_spaces=[one for one in layout.site_spaces if one.section != section.id],
    )
    if section.default and left.sections:
        await _next_default_section(unit, left, tree_keys(layout.entries)[section.id])


async def drop_site_space(unit: Unit, layout: Layout, site_space: SiteSpace) -> None:
    """Remove a site-space; if it was the default one, the next takes its place. A section without any goes too."""
    await unit.structure.remove_site_space(site_space)
    left = msgspec.structs.replace(layout, site_spaces=[one for one in layout.site_spaces if one.id != site_space.id])
    inside = left.inside(site_space.section)
    section = next((one for one in layout.sections if one.id == site_space.section), None)
    if section is not None and not inside:
        await drop_section(unit, left, section)
    elif site_space.default and inside:
        await unit.structure.make_default_space(
            next((one for one in inside if one.position > site_space.position), inside[0])
        )


async def forget_space(unit: Unit, space: str) -> None:
    """Take a space out of every site that shows it: it is to be removed for good."""
    shown, sites = await unit.sites.of_spaces((space,))
    for one in shown:
        await drop_site_space(unit, await layout_of(unit, sites[one.site]), one)
