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
from octavo.content.layout.project import NAME as DOCS
from octavo.content.layout.project import write_project
from octavo.content.slugs import title_slug
from octavo.jobs.content import archives
from octavo.kernel.errors import BadRequest, absent
from octavo.kernel.records.library import Space
from octavo.kernel.settings import Settings
from octavo.main import House, open_house
from octavo.manifests import NAME, Manifest, collection_of, digest_of, fonts_of, site_of, space_of
from octavo.site.projects import described
from octavo.store.unit import Unit


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
            files = (await _write(house, spaces[0], folder)).files
        else:
            manifest, spaces, projects = await house.store.read(
                lambda unit: _manifest(unit, house, str(order.organization))
            )
            files = await _write_all(house, folder, str(order.organization), manifest, spaces, projects)
        if folder != order.target:
            await asyncio.to_thread(archives.pack, order.target, folder)
    return {"target": str(order.target), "files": files, "spaces": len(spaces)}


async def _write_all(
    house: House, folder: Path, organization: str, manifest: Manifest, spaces: list[Space], projects: dict[str, str]
) -> int:
    """The files of a whole organization; how many."""
    files = 1 + len(projects)
    for directory, project in projects.items():
        archives.put(folder / directory / DOCS, project.encode())
    for kept, space in zip(manifest.spaces, spaces, strict=True):
        written = await _write(house, space, folder / kept.directory)
        files, kept.ids = files + written.files, written.ids
    for font in manifest.fonts:
        for face in font.faces:
            data = await house.worker.tools.blobs.get(organization, digest_of(face))
            if data is not None:
                archives.put(folder / face.file, data)
                files += 1
    folder.joinpath(NAME).write_bytes(msgspec.json.format(msgspec.json.encode(manifest)) + b"\n")
    return files


@contextmanager
def _folder(target: Path) -> Iterator[Path]:
    """Where files are written: the target, or for an archive a folder beside it."""
    if target.suffix.lower() != ".zip":
        target.mkdir(parents=True, exist_ok=True)
        yield target
        return
    with TemporaryDirectory(prefix=".octavo-export-", dir=target.parent) as made:
        yield Path(made)


async def _write(house: House, space: Space, folder: Path) -> archives.Files:
    return await archives.write_space(house.store, house.worker.tools.blobs, space, folder)


async def _space(unit: Unit, key: str) -> Space:
    found = await unit.spaces.get(key)
    if found is None or found.deleted_at is not None:
        raise absent("space", key)
    return found


async def _manifest(unit: Unit, house: House, organization: str) -> tuple[Manifest, list[Space], dict[str, str]]:
    """The manifest, the spaces in its order, and what `docs.yaml` says of each site, by the site's folder."""
    record = await unit.people.organization(organization)
    if record is None:
        raise absent("organization", organization)
    spaces = sorted(await unit.spaces.all(organization), key=lambda one: (one.position, one.id))
    taken: set[str] = set()
    kept = [space_of(one, f"spaces/{_free(title_slug(one.title, 'space'), taken)}") for one in spaces]
    held = sorted(await unit.spaces.collections(organization), key=lambda one: (one.position, one.id))
    collections = [collection_of(one) for one in held]
    directories = {one.id: one.directory for one in kept}
    sites, projects = [], {}
    named: set[str] = set()
    for site in sorted(await unit.sites.all(organization), key=lambda one: one.id):
        directory = f"sites/{_free(site.basename or title_slug(site.title, 'site'), named)}"
        projects[directory] = write_project(await described(unit, site, directories))
        sites.append(await site_of(unit, house.signer, site, directory))
    fonts = await fonts_of(unit, organization)
    return Manifest(2, __version__, record.title, collections, kept, sites, fonts), spaces, projects


def _free(wanted: str, taken: set[str]) -> str:
    slug = wanted
    while slug in taken:
        slug = f"{wanted}-{len(taken)}"
    taken.add(slug)
    return slug
