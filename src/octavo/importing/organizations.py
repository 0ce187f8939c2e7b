"""An exported organization becomes all that it was: everything is read and checked before anything is written."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from pathlib import Path
from shutil import copytree
from tempfile import TemporaryDirectory
from typing import Any

from octavo.access.people import beginning
from octavo.administration import OPERATOR
from octavo.content.layout.project import NAME as DOCS
from octavo.content.layout.project import Fault, Project, read_project
from octavo.content.ordering import between
from octavo.gateways.failures import GatewayFailure
from octavo.gateways.snapshots import clean
from octavo.importing.spaces import Order, import_into, import_space, new_site, take
from octavo.jobs.work import Work
from octavo.kernel import names
from octavo.kernel.audit import Target
from octavo.kernel.clock import MINUTE
from octavo.kernel.errors import BadRequest, absent
from octavo.kernel.ids import new_id
from octavo.kernel.records.people import Organization
from octavo.kernel.records.sites import Site
from octavo.main import House
from octavo.manifests import people as kept_people
from octavo.manifests.files import read_files, read_memory, read_pictures
from octavo.manifests.library import free_ids, in_order, restored_collections, restored_fonts, translated
from octavo.manifests.manifest import NAME, KeptSite, KeptSpace, KeptState, Manifest, digest_of, read_manifest
from octavo.manifests.rows import PERSON, Held, Restoring, name_rows, read, restore_rows
from octavo.manifests.sites import restored_site
from octavo.manifests.states import CONTENT, restored
from octavo.manifests.sums import check_sums
from octavo.manifests.vault import Vault
from octavo.site.names import label_is_free
from octavo.site.projects import arranged
from octavo.store.openapi import SPECS
from octavo.store.review.change_requests import CHANGE_REQUESTS
from octavo.store.review.comments import COMMENTS
from octavo.store.unit import Unit

_TEXTS = frozenset((".md", ".yaml", ".yml", ".json", ".html"))
_ID = re.compile(rb"(?<![\w-])[\w-]{22}(?![\w-])")


@dataclass(frozen=True)
class Export:
    """All that a folder says, read and found to be whole."""

    folder: Path
    manifest: Manifest
    projects: list[Project]
    people: kept_people.People
    settings: kept_people.Settings | None
    rows: Held
    files: Mapping[str, Path]
    """Digest -> file."""
    memory: Mapping[bytes, str]


def read_export(folder: Path) -> Export:
    """Raises BadRequest, which names the file and the place, for one that is damaged or contradicts itself."""
    check_sums(folder)
    manifest = read_manifest(folder / NAME)
    _check_manifest(folder, manifest)
    people = kept_people.read_people(folder)
    known = {
        "spaces": {one.id for one in manifest.spaces},
        "collections": {one.id for one in manifest.collections},
        "sites": {one.id for one in manifest.sites},
        "users": {PERSON + one.email for one in people.people},
    }
    contents = [*(one.directory for one in manifest.spaces), *(one.directory for one in manifest.states)]
    known["revisions"] = {CONTENT + one for one in contents}
    rows = read(folder, known)
    return Export(
        folder, manifest, [project_of(folder / clean(one.directory)) for one in manifest.sites], people,
        kept_people.read_settings(folder), rows,
        {**_fonts(folder, manifest), **read_pictures(folder, manifest), **read_files(folder, rows)}, read_memory(folder),
    )  # fmt: skip


def _check_manifest(folder: Path, manifest: Manifest) -> None:
    for kind in ("collections", "spaces", "sites", "fonts"):
        ids = [one.id for one in getattr(manifest, kind)]
        if len(set(ids)) != len(ids):
            raise BadRequest(f"{NAME}: {kind} has one id twice")
    collections = {one.id for one in in_order(manifest)}
    for number, one in enumerate(manifest.spaces, 1):
        if one.parent is not None and one.parent not in collections:
            raise BadRequest(f"{NAME}: spaces {number}: parent names {one.parent!r}, which is not in this export")
    known = {CONTENT + one.directory for one in manifest.spaces}
    spaces = {one.id for one in manifest.spaces}
    for number, state in enumerate(manifest.states, 1):
        if state.space not in spaces or (state.after is not None and state.after not in known):
            raise BadRequest(f"{NAME}: states {number}: it names a space or content that is not in this export")
        known.add(CONTENT + state.directory)
        for name in (state.directory, *state.gone):
            _inside(folder, name)
    places: list[KeptSpace | KeptSite] = [*manifest.spaces, *manifest.sites]
    for place in places:
        if not _inside(folder, place.directory).is_dir():
            raise BadRequest(f"{NAME}: {place.directory}: the folder is not there")


def _inside(folder: Path, name: str) -> Path:
    """Raises BadRequest for a path that leads out of the folder."""
    try:
        return folder / clean(name)
    except GatewayFailure as failure:
        raise BadRequest(f"{NAME}: {name}: {failure}") from failure


def _fonts(folder: Path, manifest: Manifest) -> dict[str, Path]:
    """Digest -> file. Raises BadRequest for one that is not there, or another one."""
    made: dict[str, Path] = {}
    for font in manifest.fonts:
        for face in font.faces:
            try:
                path = folder / clean(face.file)
            except GatewayFailure as failure:
                raise BadRequest(f"{NAME}: {face.file}: {failure}") from failure
            if not path.is_file() or sha256(path.read_bytes()).hexdigest() != digest_of(face):
                raise BadRequest(f"{face.file}: the file of the font {font.family!r} is not there, or another one")
            made[digest_of(face)] = path
    return made


def project_of(folder: Path) -> Project:
    """What the `docs.yaml` of a folder says. Raises BadRequest."""
    try:
        return read_project((folder / DOCS).read_text("utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise BadRequest(f"{folder.name}: its {DOCS} cannot be read") from error
    except Fault as fault:
        raise BadRequest(f"{folder.name}: {fault}") from fault


async def fresh(unit: Unit, site: Site) -> Site:
    """A site as it now is."""
    found = await unit.sites.get(site.id)
    assert found is not None  # it was just made
    return found


async def import_organization(house: House, order: Order, folder: Path, *, quiet: bool) -> dict[str, Any]:
    """{organization, spaces, pages, files, warnings, sites, people, remade}. What fails on the way takes back what was
    made."""
    export, vault = read_export(folder), Vault.of(house.signer, folder)
    at, founded, empty = await house.store.write(lambda unit: _begin(unit, export, vault, order), OPERATOR)
    made: dict[str, Any] = {"organization": at.organization, "spaces": 0, "pages": 0, "files": 0, "warnings": 0}
    new: list[dict[str, Any]] = []
    try:
        for digest, path in export.files.items():
            await house.worker.tools.blobs.put_as(at.organization, digest, path.read_bytes())
        for space in export.manifest.spaces:
            new.append(await _content(house, export, at, order, space, quiet=quiet))
        for state in export.manifest.states:
            await _state(house, export, at, state)
        await house.store.write(lambda unit: _restore(unit, house, export, at, empty=empty or founded), OPERATOR)
    except BaseException:
        await house.store.write(partial(_undo, at=at, made=new, founded=founded), OPERATOR)
        raise
    await _read_specifications(house, export, at)
    for ended in new:
        made |= {name: made[name] + ended.get(name, 0) for name in ("pages", "files", "warnings")}
    made["spaces"] = len(new)
    return made | {"sites": len(export.projects), "people": len(export.people.people), "remade": at.remade}


async def _content(
    house: House, export: Export, at: Restoring, order: Order, space: KeptSpace, *, quiet: bool
) -> dict[str, Any]:
    with _renamed(export.folder / clean(space.directory), at.ids) as source:
        one = Order(
            str(source),
            at.organization,
            title=space.title,
            publish=order.publish,
            wanted=at.ids[space.id],
            ids=space.ids,
        )
        ended = await import_into(house, one, quiet=quiet)
    at.ids[CONTENT + space.directory] = ended["revision"]
    return ended


async def _state(house: House, export: Export, at: Restoring, state: KeptState) -> None:
    """Content beside the newest, as a revision of its own."""
    after = None if state.after is None else at.ids[state.after]
    [head] = [one for one in export.manifest.spaces if one.id == state.space]
    with TemporaryDirectory(prefix="octavo-import-") as made:
        whole = Path(made) / "content"
        folders = export.folder / clean(head.directory), export.folder / clean(state.directory)
        await asyncio.to_thread(restored, *folders, [clean(one) for one in state.gone], whole)
        with _renamed(whole, at.ids) as source:
            ids = {**head.ids, **state.ids}
            one = Order(str(source), at.organization, at.ids[state.space], ids=ids, apart=True, after=after)
            _, result = await import_space(house, one, quiet=True)
    at.ids[CONTENT + state.directory] = result["revision"]


async def _begin(unit: Unit, export: Export, vault: Vault, order: Order) -> tuple[Restoring, bool, bool]:
    """Where it goes, whether that organization was made for it, and whether it held nothing."""
    manifest, ids = export.manifest, await free_ids(unit, export.manifest)
    if order.organization is None:
        at = Restoring(await _founded(unit, export), vault, ids)
    else:
        if await unit.people.organization(order.organization) is None:
            raise absent("organization", order.organization)
        at = Restoring(order.organization, vault, ids)
    if manifest.organization is not None:
        ids[manifest.organization] = at.organization
    holds = (
        await unit.spaces.all(at.organization), await unit.sites.all(at.organization), await unit.teams.all(at.organization),
        await unit.spaces.collections(at.organization),
    )  # fmt: skip
    return at, order.organization is None, not any(holds)


def require_admin(export: Export) -> None:
    """Raises BadRequest for what cannot be an organization of its own."""
    if not any(one.role == "admin" and not one.disabled for one in export.people.members):
        raise BadRequest(
            f"{kept_people.PEOPLE}: nobody in this export is an admin, so name an organization for it with --organization"
        )
    title = export.manifest.title
    wrong = names.fault(title)
    if wrong is not None or not 2 <= len(title) <= 255:
        raise BadRequest(f"{NAME}: title: {wrong or 'it must have 2 to 255 characters'}")


async def _founded(unit: Unit, export: Export) -> str:
    """An organization for the export, under the id that it had where that is free; its people are made with all else."""
    manifest = export.manifest
    require_admin(export)
    wanted = manifest.organization or new_id()
    taken = await unit.people.organization_or_deleted(wanted) is not None
    organization = Organization(id=new_id() if taken else wanted, title=manifest.title, created_at=unit.now)
    await unit.people.add_organization(organization)
    target = Target("organization", organization.id, organization.title)
    await unit.audit.append("organization.create", target, [organization.id])
    await unit.installation.drop(beginning.WORD, ())
    return organization.id


async def _restore(unit: Unit, house: House, export: Export, at: Restoring, *, empty: bool) -> None:
    """Everything but the content of spaces, in one transaction."""
    manifest = export.manifest
    at.remade.clear()
    await kept_people.restore_people(unit, export.people, at, empty=empty)
    await name_rows(unit, export.rows, at)
    await restored_collections(unit, at.organization, manifest, at.ids)
    await restored_fonts(unit, at.organization, manifest, at.ids)
    sizes = {digest: path.stat().st_size for digest, path in export.files.items()}
    if sizes:
        await unit.blobs.put(at.organization, sizes, unit.now)
    for space in manifest.spaces:
        await _as_kept(unit, space, export, at)
    for site, project in zip(manifest.sites, export.projects, strict=True):
        await _site(unit, house, export, at, kept=site, project=project)
    await restore_rows(unit, export.rows, at)
    await unit.translation_memory.learn(at.organization, export.memory, unit.now)
    if export.settings is not None and empty:
        await kept_people.restore_settings(unit, export.settings, manifest.title, at)
    elif export.settings is not None:
        at.remade.append("The organization held something before: its own title and settings stay.")


async def _as_kept(unit: Unit, kept: KeptSpace, export: Export, at: Restoring) -> None:
    space = await unit.spaces.get(at.ids[kept.id])
    assert space is not None  # it was just made
    parent = None if kept.parent is None else at.ids[kept.parent]
    await unit.spaces.change(
        space,
        emoji=kept.emoji,
        icon=kept.icon,
        language=kept.language,
        parent=parent,
        position=between(await unit.spaces.last_position(space.organization, parent), None),
        edit_mode=kept.edit_mode,
        default_level=kept.default_level,
        merge_rules=translated(kept.merge_rules, at.ids),
        **_counts(kept, export),
    )


def _counts(kept: KeptSpace, export: Export) -> dict[str, int]:
    """What a space counts of its change requests and comments."""
    states = [row.get("status") for row in export.rows[CHANGE_REQUESTS.name] if row["space"] == kept.id]
    comments = [
        row
        for row in export.rows[COMMENTS.name]
        if row["space"] == kept.id and "change_request" not in row and "resolved_at" not in row
    ]
    opened, drafts = states.count("open"), states.count("draft")
    return {
        "comments": len(comments), "change_requests": kept.change_requests, "change_requests_open": opened,
        "change_requests_draft": drafts,
    }  # fmt: skip


async def _site(unit: Unit, house: House, export: Export, at: Restoring, *, kept: KeptSite, project: Project) -> None:
    """A site as it was, shown of the spaces that were just made, by their directories; under another name where its own is
    taken."""
    site = await new_site(unit, house, at.organization, kept.title, at.ids[kept.id])
    if kept.basename is not None and await unit.sites.by_basename(kept.basename) is None:
        free = await label_is_free(unit, house.settings, house.base, kept.basename, organization=at.organization)
        site = await unit.sites.change(site, basename=kept.basename) if free else site
    spaces = {one.directory: at.ids[one.id] for one in export.manifest.spaces}
    found = {one.id: one for one in await unit.spaces.by_ids(spaces.values())}
    shown = {directory: found[key] for directory, key in spaces.items()}
    at.ids |= await arranged(unit, site, project, shown, anew=True)
    at.remade += await restored_site(unit, at.vault, await fresh(unit, site), kept, at.ids)


async def _undo(unit: Unit, *, at: Restoring, made: list[dict[str, Any]], founded: bool) -> None:
    if founded:
        await unit.people.remove_organization(at.organization)
        return
    for one in made:
        if "site" in one:
            site = await unit.sites.get(one["site"])
            if site is not None:
                await unit.structure.remove_site(site)
        await unit.spaces.remove(one["space"])


@contextmanager
def _renamed(folder: Path, ids: Mapping[str, str]) -> Iterator[Path]:
    """The folder; where things have other ids here, a copy in which texts name them by these."""
    moved = {old.encode(): new.encode() for old, new in ids.items() if old != new}
    if not moved:
        yield folder
        return
    with TemporaryDirectory(prefix="octavo-import-") as made:
        copy = Path(made) / "content"
        copytree(folder, copy, symlinks=True)
        for path in copy.rglob("*"):
            if path.suffix.lower() not in _TEXTS or not path.is_file() or path.is_symlink():
                continue
            old = path.read_bytes()
            new = _ID.sub(lambda match: moved.get(match[0], match[0]), old)
            if new != old:
                path.write_bytes(new)
        yield copy


async def _read_specifications(house: House, export: Export, at: Restoring) -> None:
    """Make the newest version of each specification ready for pages."""
    for row in export.rows[SPECS.name]:
        spec = await house.store.read(lambda unit, key=at.ids[row["id"]]: unit.openapi.get(key))  # type: ignore[misc]
        if spec is None or spec.last_version is None:
            continue
        job = await house.store.write(
            partial(take, kind="openapi_parts", payload={"spec": spec.id}, organization=at.organization)
        )
        ended = await house.worker.do(Work(job, house.store, house.worker.tools, 15 * MINUTE))
        if ended.state != "done":
            at.remade.append(
                f"The specification {spec.slug!r} could not be read: send it again. {ended.error or ''}".strip()
            )
