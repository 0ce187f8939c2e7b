"""Imports from the command line: a directory or a repository becomes a space, and a site if that is asked for."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal

import click
import msgspec
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from octavo.administration import OPERATOR
from octavo.content.ordering import between, spread
from octavo.exporting import MANIFEST, KeptSpace, Manifest
from octavo.gateways import zips
from octavo.gateways.failures import GatewayFailure
from octavo.gateways.snapshots import Limits, clean
from octavo.history import heads
from octavo.jobs.work import Work
from octavo.kernel.audit import Target
from octavo.kernel.clock import MINUTE
from octavo.kernel.errors import BadRequest, absent
from octavo.kernel.events import SiteChanged
from octavo.kernel.ids import new_id
from octavo.kernel.records import Json, Level
from octavo.kernel.records.jobs import Job
from octavo.kernel.records.library import Collection, Space
from octavo.kernel.records.sites import Site, SiteSpace
from octavo.kernel.settings import Settings
from octavo.main import House, open_house
from octavo.site.addresses import host_label, site_address
from octavo.site.names import label_is_free
from octavo.store.unit import Unit

HEAD = "HEAD"
LEASE = 15 * MINUTE
"""A command line does its import itself; nobody else may take it meanwhile."""
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
        title = order.title or (_name(source.stem) if order.space is None else None)
        yield replace(order, source=folder, title=title)


async def import_all(house: House, order: Order, *, quiet: bool = False) -> dict[str, Any]:
    """One space, or where the directory is an exported organization all of its spaces: {spaces, pages, files, warnings}."""
    manifest = None if order.local is None else order.local / MANIFEST
    if manifest is None or not manifest.is_file() or order.space is not None or order.directory:
        return await import_into(house, order, quiet=quiet)
    try:
        kept = msgspec.json.decode(manifest.read_bytes(), type=Manifest)
    except msgspec.MsgspecError as error:
        raise BadRequest(f"{MANIFEST}: {error}") from error
    collections = await house.store.write(lambda unit: _collections(unit, order.organization, kept), OPERATOR)
    made = {"spaces": 0, "pages": 0, "files": 0, "warnings": 0}
    for space in kept.spaces:
        within = clean(space.directory)
        one = Order(str(manifest.parent / within), order.organization, title=space.title, publish=order.publish)
        ended = await import_into(house, one, quiet=quiet)
        await house.store.write(partial(_as_kept, key=ended["space"], kept=space, collections=collections), OPERATOR)
        made = {name: made[name] + ended.get(name, 0) for name in made} | {"spaces": made["spaces"] + 1}
    return made


async def _collections(unit: Unit, organization: str, kept: Manifest) -> dict[str, str]:
    """Make the collections anew, each below the one that it was in; old id -> new one."""
    made: dict[str, str] = {}
    waiting = list(kept.collections)
    while waiting:
        ready = [one for one in waiting if one.parent is None or one.parent in made]
        if not ready:
            raise BadRequest(f"{MANIFEST}: collections lie in one another, or in one that is not there")
        waiting = [one for one in waiting if one not in ready]
        for one in ready:
            made[one.id] = new_id()
            parent = None if one.parent is None else made[one.parent]
            collection = Collection(
                id=made[one.id],
                organization=organization,
                title=one.title[:50],
                position=between(await unit.spaces.last_position(organization, parent), None),
                created_at=unit.now,
                description=one.description,
                parent=parent,
                default_level=msgspec.convert(one.default_level, Level | None),
            )
            await unit.spaces.add_collection(collection)
    return made


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
        id=new_id(),
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
    payload["refuse_empty"] = order.refuse_empty
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


async def new_site(unit: Unit, house: House, organization: str, title: str) -> Site:
    """A site that shows nothing yet, under a name that is free."""
    site = Site(id=new_id(), organization=organization, title=title, created_at=unit.now)
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
