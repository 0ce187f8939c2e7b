"""Exports from the command line: a space, or all of an organization, as files that an import reads again."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec

from octavo import __version__
from octavo.content.layout.project import NAME, write_project
from octavo.content.slugs import title_slug
from octavo.jobs.content import archives
from octavo.kernel.errors import BadRequest, absent
from octavo.kernel.records.library import Collection, Space
from octavo.kernel.records.sites import Site, SiteRedirect
from octavo.kernel.settings import Settings
from octavo.main import House, open_house
from octavo.site.projects import described
from octavo.store.unit import Unit

MANIFEST = "octavo.json"
"""At the top of the export of an organization: what its folders are."""


class KeptCollection(msgspec.Struct, omit_defaults=True):
    """A collection as a manifest has it; ids only tell which is which within it."""

    id: str
    title: str
    parent: str | None = None
    description: str | None = None
    default_level: str | None = "inherit"


class KeptSpace(msgspec.Struct, omit_defaults=True):
    """A space and the folder of its content."""

    id: str
    title: str
    directory: str
    emoji: str
    parent: str | None = None
    icon: str | None = None
    language: str | None = None
    edit_mode: str = "locked"
    default_level: str | None = "inherit"


class KeptRedirect(msgspec.Struct, omit_defaults=True):
    """A redirect of a site."""

    source: str
    destination: dict[str, Any]
    page: str | None = None
    """The path of the page that it leads to; a page has another id in another installation."""
    capture_wildcard: bool = False
    permanent: bool = False
    draft: bool = False


class KeptSite(msgspec.Struct, omit_defaults=True):
    """A site; its structure is the `docs.yaml` in its folder."""

    id: str
    title: str
    directory: str
    basename: str | None = None
    visibility: str = "public"
    published: bool = False
    type: str = "basic"
    adaptive_enabled: bool = False
    adaptive_schema: dict[str, Any] | None = None
    customization: dict[str, Any] | None = None
    redirects: list[KeptRedirect] = []


class Manifest(msgspec.Struct):
    """What an export of an organization holds."""

    format: int
    octavo: str
    title: str
    collections: list[KeptCollection]
    spaces: list[KeptSpace]
    sites: list[KeptSite] = []


@dataclass(frozen=True)
class Order:
    """What to export, and to where: a folder that is empty or not there, or a file that ends in .zip."""

    target: Path
    space: str | None = None
    organization: str | None = None


async def export_now(settings: Settings, order: Order) -> dict[str, Any]:
    """{target, files, spaces}. Raises Failure."""
    if (order.space is None) == (order.organization is None):
        raise BadRequest("give one of --space and --organization")
    _refuse_taken(order.target)
    async with open_house(settings, base=(settings.base_url or "http://localhost:8000").rstrip("/")) as house:
        return await export(house, order)


def _refuse_taken(target: Path) -> None:
    if target.suffix.lower() == ".zip" and target.exists():
        raise BadRequest(f"{target} is there already; nothing is written over")
    if target.is_dir() and any(target.iterdir()):
        raise BadRequest(f"{target} is not empty; nothing is written over")


async def export(house: House, order: Order) -> dict[str, Any]:
    """The same in an open house."""
    with _folder(order.target) as folder:
        if order.space is not None:
            spaces = [await house.store.read(lambda unit: _space(unit, str(order.space)))]
            files = [await _write(house, spaces[0], folder)]
        else:
            manifest, spaces, projects = await house.store.read(lambda unit: _manifest(unit, str(order.organization)))
            for directory, project in projects.items():
                archives.put(folder / directory / NAME, project.encode())
            folder.joinpath(MANIFEST).write_bytes(msgspec.json.format(msgspec.json.encode(manifest)) + b"\n")
            files = [1 + len(projects)]
            for kept, space in zip(manifest.spaces, spaces):
                files.append(await _write(house, space, folder / kept.directory))
        if folder != order.target:
            await asyncio.to_thread(archives.pack, order.target, folder)
    return {"target": str(order.target), "files": sum(files), "spaces": len(spaces)}


@contextmanager
def _folder(target: Path) -> Iterator[Path]:
    """Where files are written: the target, or for an archive a folder beside it."""
    if target.suffix.lower() != ".zip":
        target.mkdir(parents=True, exist_ok=True)
        yield target
        return
    with TemporaryDirectory(prefix=".octavo-export-", dir=target.parent) as made:
        yield Path(made)


async def _write(house: House, space: Space, folder: Path) -> int:
    return await archives.write_space(house.store, house.worker.tools.blobs, space, folder)


async def _space(unit: Unit, key: str) -> Space:
    found = await unit.spaces.get(key)
    if found is None or found.deleted_at is not None:
        raise absent("space", key)
    return found


async def _manifest(unit: Unit, organization: str) -> tuple[Manifest, list[Space], dict[str, str]]:
    """The manifest, the spaces in its order, and what `docs.yaml` says of each site, by the site's folder."""
    record = await unit.people.organization(organization)
    if record is None:
        raise absent("organization", organization)
    spaces = sorted(await unit.spaces.all(organization), key=lambda one: (one.position, one.id))
    taken: set[str] = set()
    kept = [_kept(space, taken) for space in spaces]
    collections = [_collection(one) for one in await unit.spaces.collections(organization)]
    directories = {one.id: one.directory for one in kept}
    sites, projects = [], {}
    named: set[str] = set()
    for site in sorted(await unit.sites.all(organization), key=lambda one: one.id):
        directory = f"sites/{_free(site.basename or title_slug(site.title, 'site'), named)}"
        projects[directory] = write_project(await described(unit, site, directories))
        sites.append(await _site(unit, site, directory))
    return Manifest(1, __version__, record.title, collections, kept, sites), spaces, projects


async def _site(unit: Unit, site: Site, directory: str) -> KeptSite:
    names = ("id", "title", "basename", "visibility", "published", "type", "adaptive_enabled", "adaptive_schema")
    shown = {one.id: one.space for one in await unit.sites.site_spaces(site.id)}
    kept = [await _redirect(unit, one, shown) for one in await unit.redirects.all(site.id)]
    fields = {name: getattr(site, name) for name in (*names, "customization")}
    return KeptSite(**fields, directory=directory, redirects=kept)


async def _redirect(unit: Unit, one: SiteRedirect, shown: dict[str, str]) -> KeptRedirect:
    path = None
    space = await unit.spaces.get(shown.get(one.destination.get("siteSpaceId", ""), ""))
    if space is not None and "pageId" in one.destination:
        branch = (await archives.content_of(unit, space)).by_id.get(one.destination["pageId"])
        path = None if branch is None else branch.path
    said = ("source", "destination", "capture_wildcard", "permanent", "draft")
    return KeptRedirect(**{name: getattr(one, name) for name in said}, page=path)


def _free(wanted: str, taken: set[str]) -> str:
    slug = wanted
    while slug in taken:
        slug = f"{wanted}-{len(taken)}"
    taken.add(slug)
    return slug


def _kept(space: Space, taken: set[str]) -> KeptSpace:
    slug = _free(title_slug(space.title, "space"), taken)
    fields = {name: getattr(space, name) for name in ("id", "title", "emoji", "parent", "icon", "language")}
    return KeptSpace(**fields, directory=f"spaces/{slug}", edit_mode=space.edit_mode, default_level=space.default_level)


def _collection(one: Collection) -> KeptCollection:
    return KeptCollection(one.id, one.title, one.parent, one.description, one.default_level)
