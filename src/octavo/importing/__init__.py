"""Imports from the command line: a directory or a repository becomes a space, and a site if that is asked for; an exported
organization becomes all that it was."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from octavo.administration import OPERATOR
from octavo.content.layout.project import NAME, spaces_of, title_of
from octavo.gateways import zips
from octavo.gateways.failures import GatewayFailure
from octavo.gateways.snapshots import Limits
from octavo.importing.organizations import fresh, import_organization, project_of, read_export, require_admin
from octavo.importing.spaces import HEAD, Order, import_into, import_space, make_searchable, name_of, new_site, publish
from octavo.kernel import limits
from octavo.kernel.errors import BadRequest
from octavo.kernel.records.sites import Site
from octavo.kernel.settings import Settings
from octavo.main import House, open_house
from octavo.manifests.manifest import NAME as MANIFEST
from octavo.site.addresses import site_address
from octavo.site.projects import arranged
from octavo.store.unit import Unit

__all__ = [
    "Order", "import_all", "import_into", "import_now", "import_space", "make_searchable", "new_site", "publish", "unpacked",
]  # fmt: skip


async def import_now(settings: Settings, order: Order) -> dict[str, Any]:
    """{space, revision, site?, url?, pages, files, warnings}. Raises Failure with the job's sentence."""
    with unpacked(settings, order) as taken:
        _refuse_odd(taken)
        own = taken.organization is None
        if own:
            # It may be the first of an installation, which is not begun for what cannot be imported.
            _require_export(taken)
        base = (settings.base_url or "http://localhost:8000").rstrip("/")
        async with open_house(settings, base=base, makes=own) as house:
            return await import_all(house, taken)


def _require_export(order: Order) -> None:
    if order.local is None or not (order.local / MANIFEST).is_file() or order.space is not None or order.directory:
        raise BadRequest("name the organization with --organization: only one that was exported is imported without")
    require_admin(read_export(order.local))


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
        title = order.title or (None if named else name_of(source.stem))
        yield replace(order, source=folder, title=title)


async def import_all(house: House, order: Order, *, quiet: bool = False) -> dict[str, Any]:
    """One space, or where the directory is an exported organization everything in it: {organization, spaces, pages, files,
    warnings, sites, people, remade}."""
    manifest = None if order.local is None else order.local / MANIFEST
    if order.local is not None and order.space is None and not order.directory and _describes(order.local):
        return await _import_site(house, order, order.local, quiet=quiet)
    if order.local is None or manifest is None or not manifest.is_file() or order.space is not None or order.directory:
        return await import_into(house, order, quiet=quiet)
    return await import_organization(house, order, order.local, quiet=quiet)


def _describes(folder: Path) -> bool:
    """Whether it is the folder of a site: what a `docs.yaml` says of it counts, but for that of an exported organization."""
    return (folder / NAME).is_file() and not (folder / MANIFEST).is_file()


async def _import_site(house: House, order: Order, folder: Path, *, quiet: bool) -> dict[str, Any]:
    """The spaces of a `docs.yaml`, and a site that shows them as it says: {site, url, spaces, pages, files, warnings}."""
    organization = order.organization
    if organization is None:
        raise BadRequest("name the organization with --organization: only one that was exported is imported without")
    project = project_of(folder)
    nodes = {one.content.directory: one for one in spaces_of(project) if one.content.directory is not None}
    missing = [directory for directory in nodes if not (folder / directory).is_dir()]
    if missing:
        raise BadRequest(f"{NAME} names the directory {missing[0]!r}, which does not exist")
    made: dict[str, Any] = {"spaces": 0, "pages": 0, "files": 0, "warnings": 0}
    new: dict[str, str] = {}
    for directory, node in nodes.items():
        one = Order(str(folder / directory), organization, title=title_of(node), refuse_empty=order.refuse_empty)
        ended = await import_into(house, one, quiet=quiet)
        new[directory] = ended["space"]
        made = {name: made[name] + ended.get(name, 0) for name in made} | {"spaces": made["spaces"] + 1}

    async def arrange(unit: Unit) -> Site:
        found = {one.id: one for one in await unit.spaces.by_ids(new.values())}
        for directory, node in nodes.items():
            if node.content.language:
                await unit.spaces.change(found[new[directory]], language=node.content.language)
        title = order.title or project.title or name_of(order.source)
        site = await new_site(
            unit, house, organization, title[: limits.SITE_TITLE_MAX].ljust(limits.SITE_TITLE_MIN, ".")
        )
        await arranged(unit, site, project, {directory: found[key] for directory, key in new.items()})
        site = await fresh(unit, site)
        return await publish(unit, site) if order.publish else site

    site = await house.store.write(arrange, OPERATOR)
    return made | {"site": site.id, "url": site_address(house.base, site)}


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
