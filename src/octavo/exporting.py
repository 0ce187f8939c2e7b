"""Exports from the command line: a space, or all of an organization, as files that an import reads again."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from shutil import rmtree
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
from octavo.kernel.records.people import Organization
from octavo.kernel.settings import Settings
from octavo.main import House, open_house
from octavo.manifests.files import MEMORY, named_files, named_pictures, told_memory
from octavo.manifests.library import collection_of, fonts_of, in_order, space_of, translated
from octavo.manifests.manifest import FORMAT, NAME, KeptSpace, KeptState, Manifest, digest_of
from octavo.manifests.people import ORGANIZATION, PEOPLE, People, people_of, told_people, told_settings
from octavo.manifests.readme import README, told_readme
from octavo.manifests.rows import PERSON, Found, found, shown
from octavo.manifests.sites import site_of
from octavo.manifests.states import CONTENT, STATES, reduce, same, wanted_states, with_names
from octavo.manifests.sums import write_sums
from octavo.manifests.vault import SECRETS, Vault
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
            files = (await archives.write_space(house.store, house.worker.tools.blobs, spaces[0], folder)).files
        else:
            whole = await house.store.read(lambda unit: _whole(unit, house, str(order.organization)))
            spaces, files = whole.spaces, await _write_all(house, folder, str(order.organization), whole)
        if folder != order.target:
            await asyncio.to_thread(archives.pack, order.target, folder)
    return {"target": str(order.target), "files": files, "spaces": len(spaces)}


@dataclass(frozen=True)
class _Whole:
    """All of an organization as it was at one moment, but the content of its spaces."""

    record: Organization
    manifest: Manifest
    spaces: list[Space]
    projects: dict[str, bytes]
    """Path -> what the file says."""
    records: Found
    mails: dict[str, str]
    people: People
    memory: dict[bytes, str]
    roots: dict[str, bytes]
    """Revision -> root, of those that rows name, and of the newest."""
    vault: Vault


async def _write_all(house: House, folder: Path, organization: str, whole: _Whole) -> int:
    """The files of a whole organization; how many."""
    files = 0
    for kept, space in zip(whole.manifest.spaces, whole.spaces, strict=True):
        written = await _write_kept(house, space, folder / kept.directory)
        files, kept.ids = files + written.files, written.ids
    names, more = await _write_states(house, folder, whole)
    texts = whole.projects | _texts(whole, names)
    for name, text in texts.items():
        archives.put(folder / name, text)
    fonts = {face.file: digest_of(face) for font in whole.manifest.fonts for face in font.faces}
    blobs = fonts | named_pictures(whole.manifest) | named_files(whole.records)
    for name, digest in blobs.items():
        data = await house.worker.tools.blobs.get(organization, digest)
        if data is not None:
            archives.put(folder / name, data)
            files += 1
    await asyncio.to_thread(write_sums, folder)
    return files + more + len(texts) + 1


async def _write_states(house: House, folder: Path, whole: _Whole) -> tuple[dict[str, str], int]:
    """Content beside the newest: revision -> its name, and how many files. What is the same has one folder."""
    names: dict[str, str] = {}
    files = 0
    heads = {space.id: (kept, space) for kept, space in zip(whole.manifest.spaces, whole.spaces, strict=True)}
    for wanted in wanted_states(whole.records):
        if wanted.space not in heads or wanted.revision not in whole.roots:
            continue
        kept, space = heads[wanted.space]
        directory = kept.directory
        if whole.roots[wanted.revision] != whole.roots[space.revision]:
            after = None if wanted.after is None else names.get(wanted.after)
            there = [one for one in whole.manifest.states if one.space == space.id]
            state = KeptState(f"{STATES}/{directory.rpartition('/')[2]}-{len(there) + 1}", space.id, after)
            written = await _write_kept(
                house, msgspec.structs.replace(space, revision=wanted.revision), folder / state.directory
            )
            state.ids = dict(written.ids.items() - kept.ids.items())
            state.gone = await asyncio.to_thread(reduce, folder / directory, folder / state.directory)
            directory, more = await asyncio.to_thread(_settled, folder, whole.manifest, kept, state)
            files += more
        names[wanted.revision] = CONTENT + directory
    return names, files


def _settled(folder: Path, manifest: Manifest, kept: KeptSpace, state: KeptState) -> tuple[str, int]:
    """Where such content is: in the folder of the space, in one that is there, or in its own; and how many files that has."""
    own = folder / state.directory
    own.mkdir(parents=True, exist_ok=True)
    state.ids = dict(sorted(state.ids.items()))
    number = sum(path.is_file() for path in own.rglob("*"))
    if not number and not state.gone and not state.ids:
        rmtree(own)
        return kept.directory, 0
    for one in manifest.states:
        alike = (one.space, one.gone, one.ids) == (state.space, state.gone, state.ids)
        if alike and same(folder / one.directory, own):
            rmtree(own)
            return one.directory, 0
    manifest.states.append(state)
    return state.directory, number


def _texts(whole: _Whole, names: dict[str, str]) -> dict[str, bytes]:
    """Path -> what the file says, of all but content and files."""
    manifest = whole.manifest
    told = shown(with_names(whole.records, names), whole.mails, whole.vault)
    told[PEOPLE] = told_people(whole.people) | told.get(PEOPLE, {})
    told[ORGANIZATION] = told_settings(whole.record, whole.mails)
    persons = {user: PERSON + mail for user, mail in whole.mails.items()}
    for one in manifest.spaces:
        one.merge_rules = translated(one.merge_rules, persons)
    texts = {name: _json(value) for name, value in told.items()} | {NAME: _json(manifest)}
    if whole.memory:
        texts[MEMORY] = told_memory(whole.memory)
    if whole.vault.file is not None:
        texts[SECRETS] = whole.vault.file
    return texts | {README: told_readme(manifest, told, set(texts))}


def _json(value: Any) -> bytes:
    return msgspec.json.format(msgspec.json.encode(value)) + b"\n"


@contextmanager
def _folder(target: Path) -> Iterator[Path]:
    """Where files are written: the target, or for an archive a folder beside it."""
    if target.suffix.lower() != ".zip":
        target.mkdir(parents=True, exist_ok=True)
        yield target
        return
    with TemporaryDirectory(prefix=".octavo-export-", dir=target.parent) as made:
        yield Path(made)


async def _write_kept(house: House, space: Space, folder: Path) -> archives.Files:
    """Content of an organization, all of whose ids are kept by the paths of their files."""
    return await archives.write_space(house.store, house.worker.tools.blobs, space, folder, filed=True)


async def _space(unit: Unit, key: str) -> Space:
    found = await unit.spaces.get(key)
    if found is None or found.deleted_at is not None:
        raise absent("space", key)
    return found


async def _whole(unit: Unit, house: House, organization: str) -> _Whole:
    """Everything that is read in one view of the data."""
    record = await unit.people.organization(organization)
    if record is None:
        raise absent("organization", organization)
    vault = Vault(house.signer)
    manifest, spaces, projects = await _manifest(unit, vault, record)
    known = {name: {one.id for one in getattr(manifest, name)} for name in ("spaces", "collections", "sites")}
    records, named = await found(unit, organization, known)
    mails, people = await people_of(unit, organization, named)
    memory = await unit.translation_memory.whole(organization)
    revisions = [*(one.revision for one in wanted_states(records)), *(one.revision for one in spaces)]
    roots = {one.id: one.root for one in await unit.revisions.by_ids(revisions)}
    return _Whole(record, manifest, spaces, projects, records, mails, people, memory, roots, vault)


async def _manifest(
    unit: Unit, vault: Vault, organization: Organization
) -> tuple[Manifest, list[Space], dict[str, bytes]]:
    """The manifest, the spaces in its order, and the `docs.yaml` of each site by its path. What lies in a collection stands
    with it, so that the order is the same after an import."""
    held = sorted(await unit.spaces.collections(organization.id), key=lambda one: (one.position, one.id))
    manifest = Manifest(FORMAT, __version__, organization.title, [collection_of(one) for one in held], [], [], [])
    manifest.collections = in_order(manifest)
    place = {one.id: number for number, one in enumerate(manifest.collections, 1)}
    spaces = sorted(
        await unit.spaces.all(organization.id), key=lambda one: (place.get(one.parent or "", 0), one.position, one.id)
    )
    taken: set[str] = set()
    manifest.spaces = [space_of(one, f"spaces/{_free(title_slug(one.title, 'space'), taken)}") for one in spaces]
    directories = {one.id: one.directory for one in manifest.spaces}
    projects: dict[str, bytes] = {}
    named: set[str] = set()
    for site in sorted(await unit.sites.all(organization.id), key=lambda one: one.id):
        directory = f"sites/{_free(site.basename or title_slug(site.title, 'site'), named)}"
        projects[f"{directory}/{DOCS}"] = write_project(await described(unit, site, directories)).encode()
        manifest.sites.append(await site_of(unit, vault, site, directory))
    manifest.fonts = await fonts_of(unit, organization.id)
    manifest.organization = organization.id
    return manifest, spaces, projects


def _free(wanted: str, taken: set[str]) -> str:
    slug = wanted
    while slug in taken:
        slug = f"{wanted}-{len(taken)}"
    taken.add(slug)
    return slug
