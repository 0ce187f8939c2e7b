"""Spaces, collections and fonts as the export of an organization says them, and how they come back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from octavo.content.ordering import between
from octavo.kernel.errors import BadRequest
from octavo.kernel.ids import new_id
from octavo.kernel.records import Json
from octavo.kernel.records.library import Collection, Space
from octavo.kernel.records.sites import Font
from octavo.manifests.manifest import FONTS, NAME, KeptCollection, KeptFace, KeptFont, KeptSpace, Manifest, digest_of
from octavo.store.library.spaces import COLLECTIONS, SPACES
from octavo.store.shelf import Table
from octavo.store.sites.fonts import FONTS as FONTS_TABLE
from octavo.store.sites.sites import SITES
from octavo.store.unit import Unit


async def fonts_of(unit: Unit, organization: str) -> list[KeptFont]:
    """The fonts of an organization, oldest first."""
    found = sorted(await unit.fonts.all(organization), key=lambda one: (one.created_at, one.id))
    return [KeptFont(one.id, one.family, [_face(face) for face in one.faces["faces"]]) for one in found]


def _face(face: Json) -> KeptFace:
    return KeptFace(f"{FONTS}/{face['blob']}", {name: value for name, value in face.items() if name != "blob"})


def collection_of(one: Collection) -> KeptCollection:
    """A collection as a manifest has it."""
    return KeptCollection(one.id, one.title, one.parent, one.description, one.default_level)


def space_of(space: Space, directory: str) -> KeptSpace:
    """A space as a manifest has it; the ids in it are known when its files are written."""
    names = {one for one in KeptSpace.__struct_fields__ if one not in ("directory", "ids")}
    return KeptSpace(**{name: getattr(space, name) for name in names}, directory=directory)


async def free_id(unit: Unit, wanted: str) -> str:
    """The id that a space had, where nothing has it here; else a new one."""
    return wanted if await unit.spaces.get(wanted) is None else new_id()


async def free_ids(unit: Unit, kept: Manifest) -> dict[str, str]:
    """Id there -> id here, of all that a manifest names: the same where nothing has it here."""
    made: dict[str, str] = {}
    tables: tuple[tuple[Table[Any], Sequence[Any]], ...] = (
        (SPACES, kept.spaces), (COLLECTIONS, kept.collections), (SITES, kept.sites), (FONTS_TABLE, kept.fonts)
    )  # fmt: skip
    for table, wanted in tables:
        taken = {one.id for one in await table.named(unit.at, [one.id for one in wanted])}
        made |= {one.id: new_id() if one.id in taken else one.id for one in wanted}
    return made


def in_order(kept: Manifest) -> list[KeptCollection]:
    """The collections, each behind the one that it is in. Raises BadRequest for those that lie in one another."""
    made: dict[str, KeptCollection] = {}
    waiting = list(kept.collections)
    while waiting:
        ready = [one for one in waiting if one.parent is None or one.parent in made]
        if not ready:
            raise BadRequest(f"{NAME}: collections lie in one another, or in one that is not there")
        waiting = [one for one in waiting if one not in ready]
        made |= {one.id: one for one in ready}
    return list(made.values())


async def restored_collections(unit: Unit, organization: str, kept: Manifest, ids: Mapping[str, str]) -> None:
    """Make the collections, each below the one that it was in; `ids` are old id -> id."""
    for one in in_order(kept):
        parent = None if one.parent is None else ids[one.parent]
        collection = Collection(
            id=ids[one.id],
            organization=organization,
            title=one.title[:50],
            position=between(await unit.spaces.last_position(organization, parent), None),
            created_at=unit.now,
            description=one.description,
            parent=parent,
            default_level=one.default_level,
        )
        await unit.spaces.add_collection(collection)


async def restored_fonts(unit: Unit, organization: str, kept: Manifest, ids: Mapping[str, str]) -> None:
    """Make the fonts, whose files are stored; `ids` are old id -> id."""
    for number, one in enumerate(kept.fonts):
        faces = [{"blob": digest_of(face), **face.told} for face in one.faces]
        await unit.blobs.put(organization, {face["blob"]: face["size"] for face in faces}, unit.now)
        at = unit.now + number
        font = Font(
            id=ids[one.id], organization=organization, family=one.family, faces={"faces": faces}, created_at=at,
            updated_at=at,
        )  # fmt: skip
        await unit.fonts.add(font)


def translated(value: Any, ids: Mapping[str, str]) -> Any:
    """The same with the ids of here for those of there."""
    if isinstance(value, dict):
        return {name: translated(one, ids) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [translated(one, ids) for one in value]
    return ids.get(value, value) if isinstance(value, str) else value
