"""One space from a directory or a repository, and the site that shows it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click

from octavo.administration import OPERATOR
from octavo.content.ordering import between, spread
from octavo.history import heads
from octavo.jobs.work import Work
from octavo.kernel.audit import Target
from octavo.kernel.clock import MINUTE
from octavo.kernel.errors import BadRequest, absent
from octavo.kernel.events import SiteChanged
from octavo.kernel.ids import new_id
from octavo.kernel.records import Json
from octavo.kernel.records.jobs import Job
from octavo.kernel.records.library import Space
from octavo.kernel.records.sites import Site, SiteSpace
from octavo.main import House
from octavo.manifests.library import free_id
from octavo.site.addresses import host_label, site_address
from octavo.site.names import label_is_free
from octavo.store.unit import Unit
from octavo.terminal import progress

HEAD = "HEAD"
LEASE = 15 * MINUTE
"""A command line does its import itself; nobody else may take it meanwhile."""


@dataclass(frozen=True)
class Order:
    """What to import, and where to."""

    source: str
    organization: str | None
    """None = an organization of its own, for one that was exported."""
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
    apart: bool = False
    """Make a revision beside the newest, which stays."""
    after: str | None = None
    """The revision that it then goes on from; None = the newest."""

    @property
    def local(self) -> Path | None:
        """The directory; None for a repository."""
        return Path(self.source) if Path(self.source).is_dir() else None


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
    job = await house.store.write(
        lambda unit: take(unit, "reindex", payload, space.organization, f"reindex {space.id}")
    )
    await house.worker.do(Work(job, house.store, house.worker.tools, LEASE))


async def import_space(house: House, order: Order, *, quiet: bool = False) -> tuple[Space, Json]:
    """The space as it was before, and what the job tells: revision, counts, warnings. Search follows by a job."""
    space = await house.store.write(lambda unit: _space(unit, order), OPERATOR)
    job = await _import(house, order, space, quiet=quiet)
    return space, job.result or {}


async def _space(unit: Unit, order: Order) -> Space:
    if order.organization is None:
        raise BadRequest("name the organization with --organization: only one that was exported is imported without")
    if await unit.people.organization(order.organization) is None:
        raise absent("organization", order.organization)
    if order.space is not None:
        found = await unit.spaces.get(order.space)
        if found is None or found.organization != order.organization or found.deleted_at is not None:
            raise absent("space", order.space)
        return found
    space = Space(
        id=new_id() if order.wanted is None else await free_id(unit, order.wanted),
        organization=order.organization,
        title=(order.title or name_of(order.source))[:50],
        emoji="📘",
        position=between(await unit.spaces.last_position(order.organization, None), None),
        created_at=unit.now,
        updated_at=unit.now,
        revision="",
        # What comes back of an export is nobody's to see before it is known who may.
        default_level="inherit" if order.wanted is None else None,
    )
    await unit.spaces.add(space)
    revision = await heads.start(unit, order.organization, space.id, empty=True)
    await unit.audit.append("space.create", Target("space", space.id, space.title), [space.organization])
    return await unit.spaces.change(space, revision=revision.id)


async def _import(house: House, order: Order, space: Space, *, quiet: bool) -> Job:
    payload: Json = {"space": space.id, "ref": order.ref, "directory": order.directory}
    payload |= {"refuse_empty": order.refuse_empty, "ids": dict(order.ids)}
    if order.apart:
        payload |= {"standalone": True, "parents": None if order.after is None else [order.after]}
    if order.local is not None:
        payload["local"] = str(order.local.resolve())
    elif order.source.startswith(("http://", "https://")):
        payload["sealed_url"] = house.signer.seal(order.source)
    else:
        raise BadRequest(f"{order.source!r} is neither a directory nor an http(s) address of a Git repository")

    job = await house.store.write(lambda unit: take(unit, "git_import", payload, space.organization))
    return await _run(house, job, quiet=quiet)


async def take(unit: Unit, kind: str, payload: Json, organization: str, dedup: str | None = None) -> Job:
    """A job that this command runs itself; others that wait are left to the worker."""
    job = await unit.jobs.add(kind, payload, now=unit.now, organization=organization, dedup=dedup)
    taken = await unit.jobs.lease(job, now=unit.now, lease_for=LEASE)
    assert taken is not None
    return taken


async def _run(house: House, job: Job, *, quiet: bool) -> Job:
    with progress("Importing", quiet=quiet) as show:
        ended = await house.worker.do(Work(job, house.store, house.worker.tools, LEASE, on_progress=show))
    if ended.state != "done":
        raise BadRequest(ended.error or "the import failed")
    return ended


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


def name_of(source: str) -> str:
    """What something is called that has no title: by the end of its path or address."""
    return Path(source.rstrip("/")).name.removesuffix(".git") or "Untitled"
