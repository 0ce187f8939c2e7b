"""What is to become of a site and of its `docs.yaml`: both, as they are and as they were, put together; and writing that
down. Within units; nothing here touches the network."""

from __future__ import annotations

import posixpath
from collections.abc import Container, Mapping
from dataclasses import dataclass, field
from typing import Literal

import msgspec

from octavo.access.caller import people_among
from octavo.access.policy import allows
from octavo.access.standing import roles_on_sites, roles_on_spaces
from octavo.content.layout.project import NAME, Fault, Project, SpaceNode, read_project, spaces_of, title_of
from octavo.content.layout.project_join import Key, fill, joined, keyed, keys_of, renamed, repeated, rewritten
from octavo.content.ordering import between
from octavo.content.slugs import title_slug
from octavo.history.spaces import make_plain
from octavo.jobs.git.site_request import Found
from octavo.jobs.work import JobFailed
from octavo.kernel.audit import Target
from octavo.kernel.errors import Failure
from octavo.kernel.events import SiteChanged
from octavo.kernel.records import Json
from octavo.kernel.records.git import GitSiteBase, GitSiteConnection, GitSiteOperation
from octavo.kernel.records.library import Space
from octavo.kernel.records.sites import Site
from octavo.site.projects import arranged, described, sound
from octavo.site.structure import layout_of
from octavo.store.unit import Unit

_project = msgspec.json.Decoder(Project)


@dataclass(frozen=True)
class Plan:
    """What both are to be."""

    site: Site
    base: GitSiteBase | None
    target: Project
    """With the keys of the file."""
    now: Project
    """The structure of the site, with them too."""
    names: Mapping[Key, str]
    """Key of the file -> id of what it is on the site."""
    write: str | None
    """The `docs.yaml` to be pushed; None where it stays."""
    ours: frozenset[str] = field(default_factory=frozenset)
    """Directories that are new in the repository: their content is that of the space."""

    @property
    def moves(self) -> bool:
        """Whether the site changes."""
        return self.target != self.now


async def planned(unit: Unit, operation: GitSiteOperation, connection: GitSiteConnection, found: Found) -> Plan:
    """Raises JobFailed with a sentence where it cannot be done."""
    site = await unit.sites.get(connection.site)
    if site is None:
        raise JobFailed("The site was deleted before the operation began.")
    base = await unit.git_sites.base(site.id)
    if base is not None and not base.is_of(connection.url, connection.ref, connection.directory):
        base = None
    directories, ours = {} if base is None else dict(base.spaces), list[str]()
    if base is not None or "site" in (operation.keep, _first(connection)):
        directories, ours = await _directories(unit, site, connection, base, found)
    now = await described(unit, site, directories)
    names: dict[Key, str] = {} if base is None else {_key(word): key for word, key in base.keys.items()}
    now = renamed(now, {(kind, held): key for (kind, key), held in names.items()})
    try:
        target, write = _together(operation, connection, base, now, found)
        sound(target, site)
    except (Fault, Failure) as fault:
        raise JobFailed(_sentence(str(fault))) from fault
    names = {key: names.get(key, key[1]) for key in keys_of(now)}
    new = {node.content.directory for node in spaces_of(target)} - {*directories.values(), None}
    missing = sorted(one for one in new if one and one not in found.folders)
    if missing:
        raise JobFailed(f"{NAME} names the directory {missing[0]!r}, which does not exist on the branch.")
    return Plan(site, base, target, now, names, write, frozenset(ours))


def _together(
    operation: GitSiteOperation, connection: GitSiteConnection, base: GitSiteBase | None, now: Project, found: Found
) -> tuple[Project, str | None]:
    """The structure that both are to have, and the file where that changes."""
    within = connection.directory
    keep = operation.keep or (_first(connection) if base is None else None)
    if found.text is None:
        if keep != "site":
            raise JobFailed(_no_file(connection, base))
        return now, rewritten("", within, now, now)
    if base is None and keep == "site":
        return now, _changed(found.text, within, now)
    file = _read(found.text, within)
    if base is None:
        return fill(file, now, None), None
    before = _read(base.file, within)
    both = joined(before, file, _project.decode(base.described), now, keep)
    if both.conflicts:
        more = f", and {len(both.conflicts) - 3} more" if len(both.conflicts) > 3 else ""
        raise JobFailed(
            f"{NAME} and the site contradict each other: {'; '.join(both.conflicts[:3])}{more}. Order it again with `keep`"
            " set to `git` or `site`, or change one of both sides."
        )
    write = None if both.project == file else rewritten(found.text, within, file, both.project)
    return fill(both.project, now, before), write


def _first(connection: GitSiteConnection) -> Literal["git", "site"]:
    """Whose structure counts where both were never the same."""
    return "site" if connection.first == "space" else "git"


def _changed(text: str, within: str, now: Project) -> str | None:
    """The site's structure as a file, with what the text beside it says; None where that says it already."""
    try:
        file = _read(text, within)
    except Fault:
        file = now
    return None if file == now and text else rewritten(text, within, file, now)


def _read(text: str, within: str) -> Project:
    made = keyed(read_project(text, within))
    twice = repeated(made)
    if twice is not None:
        raise Fault(f"{NAME}: two entries of type {twice[0]} have the key {twice[1]!r}")
    return made


def _no_file(connection: GitSiteConnection, base: GitSiteBase | None) -> str:
    path = posixpath.join(connection.directory, NAME)
    branch = connection.ref.removeprefix("refs/heads/")
    if base is None:
        return (
            f"There is no {path} on the branch {branch}. Put one there, or set `first` to `space` to have it written."
        )
    return (
        f"{path} is gone from the branch {branch}. Put it back, or order with `keep` set to `site` to have it written."
    )


async def _directories(
    unit: Unit, site: Site, connection: GitSiteConnection, base: GitSiteBase | None, found: Found
) -> tuple[dict[str, str], list[str]]:
    """Space -> directory, and which of them are new. A space that follows a branch of its own has none."""
    held: dict[str, str] = {} if base is None else dict(base.spaces)
    taken = {*found.folders, *held.values()}
    new: list[str] = []
    shown = (await layout_of(unit, site)).site_spaces
    found_spaces = {one.id: one for one in await unit.spaces.by_ids([one.space for one in shown])}
    for one in shown:
        space = found_spaces.get(one.space)
        if space is None or space.id in held or await unit.git.connection(space.id) is not None:
            continue
        directory = _free(posixpath.join(connection.directory, title_slug(space.title, "space")), taken)
        taken.add(directory)
        held[space.id] = directory
        new.append(directory)
    return held, new


def _free(wanted: str, taken: Container[str]) -> str:
    made, number = wanted, 1
    while made in taken:
        number += 1
        made = f"{wanted}-{number}"
    return made


async def settled(
    unit: Unit,
    operation: GitSiteOperation,
    connection: GitSiteConnection,
    plan: Plan,
    found: Found,
    oid: str,
    text: str,
) -> bool:
    """Give the site its structure, and write down that both are the same at the commit `oid`, which holds `text`; False
    where the site moved meanwhile."""
    again = await planned(unit, operation, connection, found)
    if again.target != plan.target or again.now != plan.now or again.base != plan.base:
        return False
    site = plan.site
    owners = await _owners(unit, connection, plan)
    old = (await layout_of(unit, site)).site_spaces
    tokens = {key: plan.names.get(key) or " ".join(key) for key in keys_of(plan.target)}
    made = dict(plan.names)
    if plan.moves:
        ids = await arranged(unit, site, renamed(plan.target, tokens), owners)
        made = {key: ids[token] for key, token in tokens.items() if token in ids}
        await unit.audit.append("site.git.arranged", Target("site", site.id, site.title), [site.organization])
        await unit.emit(SiteChanged(organization=site.organization, site=site.id))
    left = {one.space for one in (await layout_of(unit, site)).site_spaces}
    titles = {one.id: one.title for one in await unit.spaces.by_ids([one.space for one in old])}
    gone = [{"space": one, "title": title} for one, title in titles.items() if one not in left]
    await _put_base(unit, site, connection, made, owners, oid, text)
    members = await _members(unit, connection, plan, owners)
    changed = plan.moves or plan.write is not None
    await unit.git_sites.change(operation, phase="spaces", oid=oid, spaces=members, gone=gone, changed=changed)
    return True


async def _put_base(
    unit: Unit,
    site: Site,
    connection: GitSiteConnection,
    made: Mapping[Key, str],
    owners: Mapping[str, Space],
    oid: str,
    text: str,
) -> None:
    """Write down what the site and the file both say, and which of its parts each node of the file is."""
    directories = {space.id: directory for directory, space in owners.items()}
    now = renamed(await described(unit, site, directories), {(kind, held): key for (kind, key), held in made.items()})
    await unit.git_sites.put_base(
        GitSiteBase(
            site=site.id,
            organization=site.organization,
            url=connection.url,
            ref=connection.ref,
            directory=connection.directory,
            oid=oid,
            file=text,
            described=msgspec.json.encode(now).decode(),
            keys={" ".join(key): held for key, held in made.items()},
            spaces=directories,
        )
    )


async def _owners(unit: Unit, connection: GitSiteConnection, plan: Plan) -> dict[str, Space]:
    """Directory -> its space: that which it was, that of the site-space which the file puts there, or a new one."""
    known = {} if plan.base is None else dict(plan.base.spaces)
    shown = {one.id: one.space for one in (await layout_of(unit, plan.site)).site_spaces}
    nodes = [node for node in spaces_of(plan.target) if node.content.directory is not None]
    made: dict[str, str] = {}
    for same in (True, False):
        for node in nodes:
            directory = str(node.content.directory)
            space = shown.get(plan.names.get(("space", node.key or ""), ""))
            if space is None or directory in made or space in made.values():
                continue
            if not same or known.get(space, directory) == directory:
                made[directory] = space
    for space, directory in known.items():
        if directory not in made and space not in made.values():
            made[directory] = space
    found = {one.id: one for one in await unit.spaces.by_ids(made.values())}
    owners = {directory: found[key] for directory, key in made.items() if key in found}
    wanted = {str(node.content.directory) for node in nodes}
    owners = {directory: space for directory, space in owners.items() if directory in wanted}
    for node in nodes:
        directory = str(node.content.directory)
        if directory not in owners:
            owners[directory] = await _new_space(unit, connection, node)
        language = node.content.language
        if language and language != owners[directory].language:
            owners[directory] = await unit.spaces.change(owners[directory], language=language)
    return owners


async def _new_space(unit: Unit, connection: GitSiteConnection, node: SpaceNode) -> Space:
    people = await people_among(unit, connection.organization, [connection.created_by])
    if not people or not allows("organization", "createContent", people[0].role_in(connection.organization)):
        raise JobFailed("Whoever connected the site may not make spaces in the organization any more.")
    position = between(await unit.spaces.last_position(connection.organization, None), None)
    return await make_plain(
        unit, connection.organization, connection.created_by, position, title=title_of(node), empty=True
    )


async def _members(unit: Unit, connection: GitSiteConnection, plan: Plan, owners: Mapping[str, Space]) -> list[Json]:
    """The spaces whose turn comes: those that whoever connected the site administers."""
    people = await people_among(unit, connection.organization, [connection.created_by])
    on_site = await roles_on_sites(unit, people[0], (plan.site,)) if people else {}
    if on_site.get(plan.site.id) != "admin":
        raise JobFailed("Whoever connected the site does not administer it any more; connect it again.")
    roles = await roles_on_spaces(unit, people[0], tuple(owners.values()))
    members: list[Json] = []
    for directory, space in owners.items():
        one: Json = {"directory": directory, "space": space.id, "state": "queued"}
        if await unit.git.connection(space.id) is not None:
            one |= {"state": "failure", "message": "The space follows a branch of its own, and was left alone."}
        elif roles[space.id] != "admin":
            one |= {"state": "failure", "message": "Whoever connected the site does not administer the space."}
        elif directory in plan.ours or (plan.base is None and connection.first == "space"):
            one["first"] = "space"
        members.append(one)
    return members


def _key(word: str) -> Key:
    kind, _, key = word.partition(" ")
    return kind, key


def _sentence(text: str) -> str:
    return text if text.endswith(".") else text + "."
