"""What rooms of a site's structure share: which space is shown, where something goes, and what is answered."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from msgspec import UNSET, Struct, UnsetType

from octavo.access import locate
from octavo.access.caller import people_of
from octavo.access.locate import SeenOrganization, SeenSpace
from octavo.access.placing import may_place
from octavo.access.policy import at_least
from octavo.access.standing import roles_of_people
from octavo.content.ordering import spread
from octavo.history.contents import contents_of
from octavo.history.spaces import UNTITLED, make_plain
from octavo.kernel.errors import BadRequest, Forbidden
from octavo.kernel.events import SiteChanged
from octavo.kernel.ids import new_id
from octavo.kernel.records import Role
from octavo.kernel.records.library import Space
from octavo.kernel.records.sites import Site, SiteSection, SiteSpace
from octavo.resources.call import Call
from octavo.resources.order import position_in
from octavo.resources.places import AtSite
from octavo.site.arranged import Arranged, arranged
from octavo.site.structure import (
    Layout,
    above,
    free_path,
    last_position,
    paths_beside_space,
    position_among,
    reordered,
)
from octavo.store.sites.structure import Entry
from octavo.wire.fields import Json
from octavo.wire.sites.structure import Beside


async def may_show(call: Call, organization: SeenOrganization, word: str, field: str) -> SeenSpace:
    """A space of the organization that the caller may put on a site. Raises NotFound, BadRequest or Forbidden."""
    seen = await locate.space(call.unit, call.caller, word)
    if seen.record.organization != organization.record.id:
        raise BadRequest(f"{field}: space {word!r} belongs to another organization")
    if not at_least(seen.role, "create"):
        raise Forbidden(f"{field}: your role on space {word!r} does not allow publishing it (needs create)")
    return seen


async def new_space(
    call: Call, organization: SeenOrganization, title: str = UNTITLED, *, empty: bool = False, text: str | None = None
) -> Space:
    """A space that the caller makes for a site, at the top of the organization."""
    await may_place(call.unit, call.caller, organization, None)
    position = await position_in(call, organization.record.id, None, "")
    maker = call.caller.user.id
    return await make_plain(call.unit, organization.record.id, maker, position, title=title, empty=empty, text=text)


async def space_to_show(
    call: Call, at: AtSite, word: str | None, title: str | UnsetType | None, template: Json | UnsetType
) -> SeenSpace:
    """The space that a body names by `spaceId`, or a blank one for null."""
    if template is not UNSET:
        raise BadRequest("template: this installation has no templates; leave it out for a space with one empty page")
    if word is not None:
        return await may_show(call, at.organization, word, "spaceId")
    return SeenSpace("admin", await new_space(call, at.organization, title or UNTITLED))


async def page_of(call: Call, space: Space, page: str | UnsetType | None) -> str | None:
    """The page that an address is to open, by `pageId`. Raises BadRequest for one that the space does not have."""
    if page is UNSET or page is None:
        return None
    revision = await call.unit.revisions.get(space.revision)
    assert revision is not None  # a space's row names its head
    known = (await contents_of(call.unit, revision)).by_id.get(page)
    if known is None or known.page.type != "document":
        raise BadRequest(f"pageId: the space has no page {page!r}")
    return page


async def giving_nobody_more(call: Call, shown: SeenSpace, work: Callable[[], Awaitable[None]]) -> None:
    """Do what puts a space on a site. Raises Forbidden where somebody would have more on the space by that than the caller
    has: what a site says counts for spaces that inherit."""
    space = shown.record
    if shown.role == "admin" or space.default_level != "inherit":
        await work()
        return
    people = await people_of(call.unit, space.organization)
    before = await roles_of_people(call.unit, people, space)
    await work()
    after = await roles_of_people(call.unit, people, space)
    if any(not at_least(max_of(before[user], shown.role), role) for user, role in after.items() if role is not None):
        raise Forbidden(
            f"spaceId: roles that were given on the site would be more than yours on space {space.id!r}:"
            " an admin of the space may put it there"
        )


def max_of(one: Role | None, other: Role | None) -> Role | None:
    """The higher of two roles."""
    return one if at_least(one, other) else other


def made_site_space(site: Site, space: Space, path: str, position: str, *, default: bool, **more: object) -> SiteSpace:
    """A site-space with the space's title, unless another is given."""
    fields = {"title": space.title} | more
    return SiteSpace(
        id=new_id(), organization=site.organization, site=site.id, space=space.id, path=path, position=position,
        default=default, **fields,  # type: ignore[arg-type]
    )  # fmt: skip


async def show_first(call: Call, site: Site, spaces: Sequence[Space]) -> None:
    """Put spaces on a site that shows nothing yet; the first is the default."""
    taken: set[str] = set()
    for position, space in zip(spread(len(spaces)), spaces, strict=True):
        path = free_path(space.title, taken)
        taken.add(path)
        made = made_site_space(site, space, path, position, default=space is spaces[0])
        await call.unit.sites.add_site_space(made)


async def show_in(
    call: Call, layout: Layout, section: SiteSection | None, shown: SeenSpace, **fields: object
) -> SiteSpace:
    """Put a space behind the site-spaces of a section, or of the root; the first one is the default."""
    beside = layout.inside(None if section is None else section.id)
    title = str(fields.get("title") or shown.record.title)
    made = made_site_space(
        layout.site,
        shown.record,
        free_path(title, paths_beside_space(layout, section, None)),
        last_position(beside),
        default=not beside,
        section=None if section is None else section.id,
        **fields,
    )
    await giving_nobody_more(call, shown, lambda: call.unit.sites.add_site_space(made))
    return made


async def set_default_space(call: Call, layout: Layout, section: str | None, word: str) -> None:
    """Let a site-space of a section, or of the root, be what that shows first. Raises BadRequest for one elsewhere."""
    chosen = next((one for one in layout.inside(section) if one.id == word), None)
    if chosen is None:
        place = "at the root or in the default section" if section is None else "in that section"
        raise BadRequest(f"defaultSiteSpace: {word!r} is not a site-space {place}")
    await call.unit.structure.make_default_space(chosen)


async def move_entry(call: Call, layout: Layout, moved: Entry, to: Beside) -> None:
    """Put a section, a group or a link elsewhere among its siblings."""
    order = reordered(layout.at(above(moved)), moved, to.word, to.sibling)
    await call.unit.structure.put([moved], above(moved), [position_among(order, moved.id)])


async def move_site_space(call: Call, layout: Layout, moved: SiteSpace, to: Beside) -> None:
    """Put a site-space elsewhere in its section, or at the root."""
    order = reordered(layout.inside(moved.section), moved, to.word, to.sibling)
    await call.unit.sites.change_site_space(moved, position=position_among(order, moved.id))


async def put_into(call: Call, layout: Layout, moved: Sequence[Entry], group: str | None) -> None:
    """Put entries behind what stands in a group, or at the top, in their order."""
    gone = {one.id for one in moved}
    last = max((one.position for one in layout.at(group) if one.id not in gone), default=None)
    await call.unit.structure.put(moved, group, spread(len(moved), last))


def given(body: Struct, *names: str) -> dict[str, object]:
    """The fields of a body that were sent, by their names."""
    return {name: value for name in names if (value := getattr(body, name)) is not UNSET}


async def answered(call: Call, site: Site) -> Arranged:
    """Tell what happened to a site's structure; as it is now."""
    await call.unit.emit(SiteChanged(organization=site.organization, site=site.id))
    return await arranged(call.unit, call.caller, call.view, site)
