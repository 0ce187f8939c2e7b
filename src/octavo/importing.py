"""Imports from the command line: a directory or a repository becomes a space, and a site if that is asked for."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal

import click
import msgspec
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from octavo import manifests
from octavo.administration import OPERATOR
from octavo.content.layout.project import NAME, Fault, Project, read_project, spaces_of, title_of
from octavo.content.ordering import between, spread
from octavo.gateways import zips
from octavo.gateways.failures import GatewayFailure
from octavo.gateways.snapshots import Limits, clean
from octavo.history import heads
from octavo.jobs.work import Work
from octavo.kernel import limits
from octavo.kernel.audit import Target
from octavo.kernel.clock import MINUTE
from octavo.kernel.errors import BadRequest, absent
from octavo.kernel.events import SiteChanged
from octavo.kernel.ids import new_id
from octavo.kernel.records import Json, Level
from octavo.kernel.records.jobs import Job
from octavo.kernel.records.library import Space
from octavo.kernel.records.sites import Site, SiteSpace
from octavo.kernel.settings import Settings
from octavo.main import House, open_house
from octavo.manifests import (
    KeptSite,
    KeptSpace,
    Manifest,
    digest_of,
    free_id,
    restored_collections,
    restored_fonts,
    restored_site,
)
from octavo.site.addresses import host_label, site_address
from octavo.site.names import label_is_free
from octavo.site.projects import arranged
from octavo.store.unit import Unit

HEAD = "HEAD"
LEASE = 15 * MINUTE
"""A command line does its import itself; nobody else may take it meanwhile."""
Visibility = Literal["public", "unlisted", "share-link", "visitor-auth"]
LINES = 5.0
"""Seconds between two lines of progress within one step."""


@dataclass(frozen=True)
class Order:
    """What to import, and where to."""

    source: str
    organization: str
    space: str | None = None
    title: str | None = None
    ref: str = HEAD
    directory: str = ""
    publish: bool = False
    refuse_empty: bool = False
    """Leave a space as it is where there are no pages: the directory is hardly the right one."""
    wanted: str | None = None
    """The id that a new space is to have, unless another one has it."""
    ids: Mapping[str, str] = field(default_factory=dict)
    """Path -> id of what is read there."""

    @property
    def local(self) -> Path | None:
        """The directory; None for a repository."""
        return Path(self.source) if Path(self.source).is_dir() else None


async def import_now(settings: Settings, order: Order) -> dict[str, Any]:
    """{space, revision, site?, url?, pages, files, warnings}. Raises Failure with the job's sentence."""
    with unpacked(settings, order) as taken:
        _refuse_odd(taken)
        async with open_house(settings, base=(settings.base_url or "http://localhost:8000").rstrip("/")) as house:
            return await import_all(house, taken)


@contextmanager
def unpacked(settings: Settings, order: Order) -> Iterator[Order]:
    """The order with an archive unpacked beside other temporary files. Raises BadRequest for one that cannot be."""
    source = Path(order.source)
    if not source.is_file():
        yield order
        return
    with TemporaryDirectory(prefix="octavo-import-") as folder:
        limits = Limits(bytes=settings.git_max_bytes, inflated=settings.git_max_bytes, files=settings.git_max_files)
        try:
            zips.unpack(source, Path(folder), limits)
        except GatewayFailure as failure:
            raise BadRequest(str(failure)) from failure
        named = order.space is not None or (Path(folder) / NAME).is_file()
        title = order.title or (None if named else _name(source.stem))
        yield replace(order, source=folder, title=title)


async def import_all(house: House, order: Order, *, quiet: bool = False) -> dict[str, Any]:
    """One space, or where the directory is an exported organization all of its spaces: {spaces, pages, files, warnings}."""
    manifest = None if order.local is None else order.local / manifests.NAME
    if order.local is not None and order.space is None and not order.directory and _describes(order.local):
        return await _import_site(house, order, order.local, quiet=quiet)
    if manifest is None or not manifest.is_file() or order.space is not None or order.directory:
        return await import_into(house, order, quiet=quiet)
    try:
        kept = msgspec.json.decode(manifest.read_bytes(), type=Manifest)
    except msgspec.MsgspecError as error:
        raise BadRequest(f"{manifests.NAME}: {error}") from error
    organization, top = order.organization, manifest.parent
    await _store_fonts(house, organization, kept, top)
    ids = await house.store.write(lambda unit: restored_collections(unit, organization, kept), OPERATOR)
    ids |= await house.store.write(lambda unit: restored_fonts(unit, organization, kept), OPERATOR)
    made: dict[str, Any] = {"spaces": 0, "pages": 0, "files": 0, "warnings": 0}
    new: dict[str, str] = {}
    for space in kept.spaces:
        one = Order(
            str(top / clean(space.directory)), organization, title=space.title, publish=order.publish, wanted=space.id,
            ids=space.ids,
        )  # fmt: skip
        ended = await import_into(house, one, quiet=quiet)
        await house.store.write(partial(_as_kept, key=ended["space"], kept=space, collections=ids), OPERATOR)
        new[space.id] = ended["space"]
        made = {name: made[name] + ended.get(name, 0) for name in made} | {"spaces": made["spaces"] + 1}
    remade: list[str] = []
    for site in kept.sites:
        project = _project(top / clean(site.directory))
        directories = {one.directory: new[one.id] for one in kept.spaces}
        work = partial(_site, house=house, organization=organization, kept=site, project=project)
        remade += await house.store.write(partial(work, spaces=directories, ids=ids | new), OPERATOR)
    return made | {"sites": len(kept.sites), "remade": remade}


async def _store_fonts(house: House, organization: str, kept: Manifest, top: Path) -> None:
    """The files of fonts. Raises BadRequest for one that is not there, or another one."""
    for font in kept.fonts:
        for face in font.faces:
            path = top / clean(face.file)
            data = path.read_bytes() if path.is_file() else b""
            if sha256(data).hexdigest() != digest_of(face):
                raise BadRequest(f"{face.file}: the file of the font {font.family!r} is not there, or another one")
            await house.worker.tools.blobs.put(organization, data)


def _describes(folder: Path) -> bool:
    """Whether it is the folder of a site: what a `docs.yaml` says of it counts, but for that of an exported organization."""
    return (folder / NAME).is_file() and not (folder / manifests.NAME).is_file()


async def _import_site(house: House, order: Order, folder: Path, *, quiet: bool) -> dict[str, Any]:
    """The spaces of a `docs.yaml`, and a site that shows them as it says: {site, url, spaces, pages, files, warnings}."""
    project = _project(folder)
    nodes = {one.content.directory: one for one in spaces_of(project) if one.content.directory is not None}
    missing = [directory for directory in nodes if not (folder / directory).is_dir()]
    if missing:
        raise BadRequest(f"{NAME} names the directory {missing[0]!r}, which does not exist")
    made: dict[str, Any] = {"spaces": 0, "pages": 0, "files": 0, "warnings": 0}
    new: dict[str, str] = {}
    for directory, node in nodes.items():
        one = Order(str(folder / directory), order.organization, title=title_of(node), refuse_empty=order.refuse_empty)
        ended = await import_into(house, one, quiet=quiet)
        new[directory] = ended["space"]
        made = {name: made[name] + ended.get(name, 0) for name in made} | {"spaces": made["spaces"] + 1}

    async def arrange(unit: Unit) -> Site:
        found = {one.id: one for one in await unit.spaces.by_ids(new.values())}
        for directory, node in nodes.items():
            if node.content.language:
                await unit.spaces.change(found[new[directory]], language=node.content.language)
        title = order.title or project.title or _name(order.source)
        site = await new_site(
            unit, house, order.organization, title[: limits.SITE_TITLE_MAX].ljust(limits.SITE_TITLE_MIN, ".")
        )
        await arranged(unit, site, project, {directory: found[key] for directory, key in new.items()})
        site = await _fresh(unit, site)
        return await publish(unit, site) if order.publish else site

    site = await house.store.write(arrange, OPERATOR)
    return made | {"site": site.id, "url": site_address(house.base, site)}


def _project(folder: Path) -> Project:
    try:
        return read_project((folder / NAME).read_text("utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise BadRequest(f"{folder.name}: its {NAME} cannot be read") from error
    except Fault as fault:
        raise BadRequest(f"{folder.name}: {fault}") from fault


async def _site(
    unit: Unit,
    *,
    house: House,
    organization: str,
    kept: KeptSite,
    project: Project,
    spaces: dict[str, str],
    ids: Mapping[str, str],
) -> list[str]:
    """A site as it was, shown of the spaces that were just made, by their directories; under another name where its own is
    taken. Returns sentences about what had to be made anew."""
    site = await new_site(unit, house, organization, kept.title, await free_id(unit, kept.id, "site"))
    if kept.basename is not None and await unit.sites.by_basename(kept.basename) is None:
        free = await label_is_free(unit, house.settings, house.base, kept.basename, organization=organization)
        site = await unit.sites.change(site, basename=kept.basename) if free else site
    found = {one.id: one for one in await unit.spaces.by_ids(spaces.values())}
    shown = {directory: found[key] for directory, key in spaces.items()}
    made = await arranged(unit, site, project, shown, anew=True)
    known = {**ids, **made, kept.id: site.id}
    return await restored_site(unit, house.signer, await _fresh(unit, site), kept, known)


async def _fresh(unit: Unit, site: Site) -> Site:
    found = await unit.sites.get(site.id)
    assert found is not None  # it was just made
    return found


async def _as_kept(unit: Unit, *, key: str, kept: KeptSpace, collections: dict[str, str]) -> None:
    space = await unit.spaces.get(key)
    assert space is not None  # it was just made
    parent = None if kept.parent is None else collections.get(kept.parent)
    await unit.spaces.change(
        space,
        emoji=kept.emoji,
        icon=kept.icon,
        language=kept.language,
        parent=parent,
        position=between(await unit.spaces.last_position(space.organization, parent), None),
        edit_mode=msgspec.convert(kept.edit_mode, Literal["live", "locked"]),
        default_level=msgspec.convert(kept.default_level, Level | None),
        merge_rules=kept.merge_rules,
    )


def _refuse_odd(order: Order) -> None:
    """Raises BadRequest for what would be dropped, or would drop everything."""
    if order.space is not None and order.title is not None:
        raise BadRequest("--title is the title of a new space, --space names one that is there: give one of them")
    if order.local is None:
        return
    if order.ref != HEAD:
        raise BadRequest("--ref is a branch or tag of a Git repository at an address; a directory is taken as it is")
    within = order.local / order.directory
    if order.refuse_empty and not any(within.rglob("*.md")):
        raise BadRequest(f"there is no page in {within}: no file that ends in .md; --force imports it all the same")


async def import_into(house: House, order: Order, *, quiet: bool = False) -> dict[str, Any]:
    """The same in an open house."""
    space, result = await import_space(house, order, quiet=quiet)
    if not quiet:
        for warning in result.get("warnings", ()):
            click.echo(f"warning: {warning}", err=True)
    made: dict[str, Any] = {"space": space.id, "revision": result.get("revision"), **result.get("counts", {})}
    made["warnings"] = result.get("warning_count", 0)
    if order.publish:
        site = await house.store.write(lambda unit: _publish(unit, house, space), OPERATOR)
        made |= {"site": site.id, "url": site_address(house.base, site)}
    await make_searchable(house, space)
    return made


async def make_searchable(house: House, space: Space) -> None:
    """Make the new content searchable at once."""
    payload: Json = {"space": space.id}
    job = await house.store.write(lambda unit: _take(unit, "reindex", payload, space, f"reindex {space.id}"))
    await house.worker.do(Work(job, house.store, house.worker.tools, LEASE))


async def import_space(house: House, order: Order, *, quiet: bool = False) -> tuple[Space, Json]:
    """The space as it was before, and what the job tells: revision, counts, warnings. Search follows by a job."""
    space = await house.store.write(lambda unit: _space(unit, order), OPERATOR)
    job = await _import(house, order, space, quiet=quiet)
    return space, job.result or {}


async def _space(unit: Unit, order: Order) -> Space:
    if await unit.people.organization(order.organization) is None:
        raise absent("organization", order.organization)
    if order.space is not None:
        found = await unit.spaces.get(order.space)
        if found is None or found.organization != order.organization or found.deleted_at is not None:
            raise absent("space", order.space)
        return found
    space = Space(
        id=new_id() if order.wanted is None else await free_id(unit, order.wanted, "space"),
        organization=order.organization,
        title=(order.title or _name(order.source))[:50],
        emoji="📘",
        position=between(await unit.spaces.last_position(order.organization, None), None),
        created_at=unit.now,
        updated_at=unit.now,
        revision="",
    )
    await unit.spaces.add(space)
    revision = await heads.start(unit, order.organization, space.id, empty=True)
    await unit.audit.append("space.create", Target("space", space.id, space.title), [space.organization])
    return await unit.spaces.change(space, revision=revision.id)


async def _import(house: House, order: Order, space: Space, *, quiet: bool) -> Job:
    payload: Json = {"space": space.id, "ref": order.ref, "directory": order.directory}
    payload |= {"refuse_empty": order.refuse_empty, "ids": dict(order.ids)}
    if order.local is not None:
        payload["local"] = str(order.local.resolve())
    elif order.source.startswith(("http://", "https://")):
        payload["sealed_url"] = house.signer.seal(order.source)
    else:
        raise BadRequest(f"{order.source!r} is neither a directory nor an http(s) address of a Git repository")

    job = await house.store.write(lambda unit: _take(unit, "git_import", payload, space))
    return await _run(house, job, quiet=quiet)


async def _take(unit: Unit, kind: str, payload: Json, space: Space, dedup: str | None = None) -> Job:
    """A job that this command runs itself; others that wait are left to the worker."""
    job = await unit.jobs.add(kind, payload, now=unit.now, organization=space.organization, dedup=dedup)
    taken = await unit.jobs.lease(job, now=unit.now, lease_for=LEASE)
    assert taken is not None
    return taken


async def _run(house: House, job: Job, *, quiet: bool) -> Job:
    with _told(quiet=quiet) as show:
        ended = await house.worker.do(Work(job, house.store, house.worker.tools, LEASE, on_progress=show))
    if ended.state != "done":
        raise BadRequest(ended.error or "the import failed")
    return ended


@contextmanager
def _told(*, quiet: bool) -> Iterator[Callable[[Json], None]]:
    """How far the work is, on standard error: a bar on a terminal, else a line for each step and now and then between."""
    console = Console(stderr=True)
    if quiet or not console.is_terminal:
        yield _Lines(quiet=quiet)
        return
    columns = (
        TextColumn("{task.description:<10}"),
        BarColumn(),
        TextColumn("{task.completed}/{task.total}"),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("Importing", total=None)

        def show(step: Json) -> None:
            bar.update(task, description=str(step["step"]).title(), completed=step["done"], total=step.get("total"))

        yield show


class _Lines:
    """Progress where nobody looks at a bar: in logs of other programs."""

    def __init__(self, *, quiet: bool) -> None:
        self._quiet = quiet
        self._step = ""
        self._again_at = 0.0

    def __call__(self, step: Json) -> None:
        now = time.monotonic()
        if self._quiet or (step["step"] == self._step and now < self._again_at):
            return
        self._step, self._again_at = step["step"], now + LINES
        total = f" of {step['total']}" if step.get("total") is not None else ""
        click.echo(f"{str(step['step']).title()}: {step['done']}{total}", err=True)


async def _publish(unit: Unit, house: House, space: Space) -> Site:
    """The site that shows the space already, or a new one."""
    links, sites = await unit.sites.of_spaces((space.id,))
    if links:
        site = sites[links[0].site]
    else:
        site = await new_site(unit, house, space.organization, space.title)
        await unit.sites.add_site_space(
            SiteSpace(
                id=new_id(),
                organization=space.organization,
                site=site.id,
                space=space.id,
                title=space.title,
                path=(host_label(space.title) or "docs")[:100],
                position=spread(1)[0],
                default=True,
            )
        )
    return await publish(unit, site)


async def new_site(unit: Unit, house: House, organization: str, title: str, id: str | None = None) -> Site:
    """A site that shows nothing yet, under a name that is free."""
    site = Site(id=id or new_id(), organization=organization, title=title, created_at=unit.now)
    wanted = host_label(title) or "docs"
    taken = await unit.sites.by_basename(wanted) is not None or not await label_is_free(
        unit, house.settings, house.base, wanted, organization=organization
    )
    await unit.sites.add(site)
    await unit.audit.append("site.create", Target("site", site.id, site.title), [site.organization])
    return await unit.sites.change(site, basename=f"{wanted}-{site.id[-6:].lower()}" if taken else wanted)


async def publish(unit: Unit, site: Site) -> Site:
    """Let visitors in, and tell of it."""
    await unit.audit.append("site.publish", Target("site", site.id, site.title), [site.organization])
    await unit.emit(SiteChanged(organization=site.organization, site=site.id))
    return await unit.sites.change(site, published=True)


def _name(source: str) -> str:
    return Path(source.rstrip("/")).name.removesuffix(".git") or "Untitled"
