"""Rows of tables as files of an export, and the same rows again: people by their addresses, secrets aside, ids as they are
free."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from octavo.history.contents import contents_of
from octavo.kernel.errors import BadRequest
from octavo.kernel.ids import new_id
from octavo.kernel.records import Json
from octavo.manifests.library import translated
from octavo.manifests.tables import ROWS, USERS, Rows
from octavo.manifests.vault import Vault
from octavo.store.integrations.integrations import INSTALLATIONS, INTEGRATIONS, PLACEMENTS
from octavo.store.review.change_requests import CHANGE_REQUESTS
from octavo.store.review.comments import COMMENTS
from octavo.store.unit import Unit

Found = dict[str, list[Any]]
"""Table -> its records that are exported."""
Held = dict[str, list[Json]]
"""Table -> its rows, as a file has them."""
BESIDES = {"people.json": {"people", "members"}}
"""What files have besides the rows of tables."""
PERSON = "mailto:"
"""Begins the name of a person, where a row has the id of one."""


# What is.


async def found(unit: Unit, organization: str, known: dict[str, set[str]]) -> tuple[Found, set[str]]:
    """The rows that are exported, and the users whom they name. `known` has the ids of the manifest by table; those of rows
    are put into it."""
    made: Found = {}
    people: set[str] = set()
    for rows in ROWS:
        every = [rows.only(one) for one in await rows.table.whole(unit.at, organization)]
        records = [one for one in every if one is not None]
        kept = [_whole(rows, one, known) for one in records if _leads(rows, one, known)]
        made[rows.name] = kept
        if "id" in rows.table.record.__struct_fields__:
            known[rows.name] = {one.id for one in kept}
        columns = [name for name, kind in (rows.refs | rows.soft).items() if kind == USERS]  # type: ignore[operator]
        people |= {getattr(one, column) for one in kept for column in columns} - {None}
    return made, people


def _order(rows: Rows, row: Json) -> list[tuple[bool, Any]]:
    """As the file has it, so that it is the same where people have other ids."""
    told = ((column in row, row.get(column)) for column in rows.order)
    return [
        (there, value.casefold() if isinstance(value, str) and value.startswith(PERSON) else value)
        for there, value in told
    ]


def _leads(rows: Rows, record: Any, known: Mapping[str, Collection[str]]) -> bool:
    """Whether all that a row cannot do without is exported too."""
    for column, kinds in rows.refs.items():
        value = getattr(record, column)
        if value is not None and kinds != USERS and not any(value in known.get(kind, ()) for kind in kinds.split()):
            return False
    return True


def _whole(rows: Rows, record: Any, known: Mapping[str, Collection[str]]) -> Any:
    """The record without what leads out of the export."""
    changed: Json = {}
    for column, kind in rows.soft.items():
        value = getattr(record, column)
        if value is not None and kind in known and value not in known[kind]:
            changed[column] = None
    for column, kind in rows.lists.items():
        value = getattr(record, column)
        if value is not None:
            changed[column] = [one for one in value if one in known[kind]]
    return msgspec.structs.replace(record, **changed) if changed else record


def shown(records: Found, people: Mapping[str, str], vault: Vault) -> dict[str, Json]:
    """File -> what it says. `people` are id -> address; secrets go into the vault."""
    names = {user: PERSON + email for user, email in people.items()}
    files: dict[str, Json] = {}
    for rows in ROWS:
        kept = [one for one in records[rows.name] if _of_known(rows, one, people)]
        for one in kept:
            for column in rows.sealed:
                if (sealed := getattr(one, column)) is not None:
                    vault.put_sealed(_secret(rows, one, column), sealed)
        if kept:
            told = [translated(plain(one, rows), names) for one in kept]
            files.setdefault(rows.file, {})[rows.name] = sorted(told, key=lambda row, rows=rows: _order(rows, row))  # type: ignore[misc]
    return files


def _of_known(rows: Rows, record: Any, people: Mapping[str, str]) -> bool:
    columns = (column for column, kind in rows.refs.items() if kind == USERS)
    return all(getattr(record, column) in people for column in columns if getattr(record, column) is not None)


def plain(record: Any, rows: Rows | None = None, left: Collection[str] = ()) -> Json:
    """A record without what a row of its kind does not need to say."""
    told = msgspec.to_builtins(record)
    besides = {"organization", *left, *(() if rows is None else (*rows.left, *rows.sealed))}
    usual = {one.name: one.default for one in msgspec.structs.fields(type(record))}
    lists: Json = {one.name: [] for one in msgspec.structs.fields(type(record)) if one.default_factory is list}
    usual |= lists
    return {name: value for name, value in told.items() if name not in besides and value != usual[name]}


def _secret(rows: Rows, record: Any, column: str) -> str:
    key = next(getattr(record, name) for name in ("id", "space", "site") if hasattr(record, name))
    return f"{rows.name}/{key}/{column}"


# What becomes of it.


def read(folder: Path, known: dict[str, set[str]]) -> Held:
    """The rows of an export. `known` has the ids of the manifest by table, and `users` the names of people; those of rows are
    put into it. Raises BadRequest, which names the file and the place, before anything is written."""
    files: dict[str, Json] = {}
    for file in dict.fromkeys(rows.file for rows in ROWS):
        files[file] = read_file(
            folder, file, {rows.name for rows in ROWS if rows.file == file} | BESIDES.get(file, set())
        )
    held = {rows.name: files[rows.file].get(rows.name, []) for rows in ROWS}
    for rows in ROWS:
        _check_shapes(rows, held[rows.name])
        known[rows.name] = {row["id"] for row in held[rows.name] if "id" in row}
        if len(known[rows.name]) != sum("id" in row for row in held[rows.name]):
            raise BadRequest(f"{rows.file}: {rows.name} has one id twice")
    for rows in ROWS:
        for number, row in enumerate(held[rows.name]):
            _check_refs(rows, number, row, known)
    return held


def read_file(folder: Path, name: str, tables: Collection[str], *, more: bool = False) -> Json:
    """{table: rows}; of a file that is not there, nothing. Raises BadRequest for another file, and unless it may have more
    for one with other tables."""
    path = folder / name
    if not path.is_file():
        return {}
    try:
        told = msgspec.json.decode(path.read_bytes(), type=dict[str, list[dict[str, Any]]])
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise BadRequest(f"{name}: {error}") from error
    odd = sorted(told.keys() - set(tables))
    if odd and not more:
        raise BadRequest(f"{name}: {odd[0]!r} is nothing that it may have; it has {', '.join(sorted(tables))}")
    return told


def _check_shapes(rows: Rows, held: list[Json]) -> None:
    for number, row in enumerate(held):
        record_of(rows, row, f"{rows.file}: {rows.name} {number + 1}")


def record_of(rows: Rows, row: Json, place: str) -> Any:
    """The record of a row, without an organization yet. Raises BadRequest, which begins with the place."""
    usual = {"organization": ""} | dict.fromkeys(rows.sealed, "") | dict(rows.left)
    optional = {one.name for one in msgspec.structs.fields(rows.table.record) if not one.required}
    missing = {name: value for name, value in usual.items() if name not in row and name not in optional}
    if "id" in rows.table.record.__struct_fields__ and not row.get("id"):
        raise BadRequest(f"{place}: it has no id")
    try:
        return msgspec.convert(row | missing, rows.table.record)
    except msgspec.ValidationError as error:
        raise BadRequest(f"{place}: {error}") from error


def _check_refs(rows: Rows, number: int, row: Json, known: Mapping[str, Collection[str]]) -> None:
    place = f"{rows.file}: {rows.name} {number + 1}"
    for column, kinds in rows.refs.items():
        value = row.get(column)
        if value is not None and not any(value in known.get(kind, ()) for kind in kinds.split()):
            raise BadRequest(f"{place}: {column} names {value!r}, which is not in this export")
    for column in rows.states:
        if row.get(column) is not None and row[column] not in known["revisions"]:
            raise BadRequest(f"{place}: {column} names {row[column]!r}, which is not in this export")
    for column, kind in rows.soft.items():
        value = row.get(column)
        gone = kind == USERS and not str(value).startswith(PERSON)
        if value is not None and value not in known.get(kind, ()) and not gone:
            raise BadRequest(f"{place}: {column} names {value!r}, which is not in this export")


@dataclass
class Restoring:
    """What an import has come to know."""

    organization: str
    vault: Vault
    ids: dict[str, str]
    """Id, or name of a person, there -> id here."""
    about: dict[str, Json] = field(default_factory=dict)
    """Comment -> what it is about: its revision and, with a node, the document."""
    remade: list[str] = field(default_factory=list)
    """Sentences about what had to be made anew."""


async def name_rows(unit: Unit, held: Held, at: Restoring) -> None:
    """Find the ids of all rows: the ones that they had, where nothing has them here."""
    for rows in ROWS:
        wanted = [row["id"] for row in held[rows.name] if "id" in row]
        taken = {one.id for one in await rows.table.named(unit.at, wanted)} if wanted else set()
        if rows.table is INTEGRATIONS:
            # Their ids are their names, of which an installation has one each.
            held[rows.name] = [row for row in held[rows.name] if row["id"] not in taken]
            at.remade += [f"The integration {one!r} is here already and stays as it is." for one in sorted(taken)]
            at.ids |= {one: one for one in wanted}
            continue
        at.ids |= {one: new_id() if one in taken else one for one in wanted}


async def restore_rows(unit: Unit, held: Held, at: Restoring) -> None:
    """Add all rows."""
    await _leave_uninstalled(unit, held, at)
    at.about = await _about(unit, held, at)
    lost: dict[str, int] = {}
    stays: set[str] = set()
    for rows in ROWS:
        there = await _there(unit, rows, at.organization)
        added = []
        for row in held[rows.name]:
            if rows.unique and _key(rows, row) in there:
                at.remade.append(f"{rows.file}: {' '.join(_key(rows, row))} is here already and stays as it is.")
                stays.add(row.get("id", ""))
                continue
            if any(row.get(column) in stays for column in rows.refs):
                continue
            record = _restored(rows, row, unit.now, at, lost)
            added.append(rows.table.values(record, **({} if rows.extra is None else rows.extra(record))))
        await rows.table.add_all(unit.at, added)
    at.remade += [f"{number} {said}." for said, number in sorted(lost.items())]


async def _there(unit: Unit, rows: Rows, organization: str) -> set[tuple[str, ...]]:
    if not rows.unique:
        return set()
    found = await rows.table.whole(unit.at, organization)
    return {tuple(str(getattr(one, column)).casefold() for column in rows.unique) for one in found}


def _key(rows: Rows, row: Json) -> tuple[str, ...]:
    return tuple(str(row.get(column)).casefold() for column in rows.unique)


def _restored(rows: Rows, row: Json, now: int, at: Restoring, lost: dict[str, int]) -> Any:
    """The record of a row with the ids of here and its secrets."""
    changed: Json = {"organization": at.organization, **rows.left, **at.about.get(row.get("id", ""), {})}
    if rows.fill is not None:
        changed |= rows.fill(row, now)
    if rows.stilled and row.get("active", True):
        lost[rows.stilled] = lost.get(rows.stilled, 0) + 1
    old = record_of(rows, row, rows.file)
    for column, secret in rows.sealed.items():
        words = at.vault.get(_secret(rows, old, column))
        if words is None:
            words = secret.anew()
            if words is not None or at.vault.names(_secret(rows, old, column)):
                lost[secret.said] = lost.get(secret.said, 0) + 1
        changed[column] = None if words is None else at.vault.seal(words)
    return msgspec.structs.replace(record_of(rows, translated(row, at.ids) | _shapes(changed), rows.file), **changed)


def _shapes(changed: Json) -> Json:
    """Values as a file would have them: digests are no text."""
    return {name: None if isinstance(value, bytes) else value for name, value in changed.items()}


async def _about(unit: Unit, held: Held, at: Restoring) -> dict[str, Json]:
    """Comment -> the revision that it is about, and the document of its node."""
    requests = {row["id"]: row["revision"] for row in held[CHANGE_REQUESTS.name]}
    made: dict[str, Json] = {}
    spaces = {one.id: one for one in await unit.spaces.by_ids(at.ids[row["space"]] for row in held[COMMENTS.name])}
    pages: dict[str, Mapping[str, Any]] = {}
    for row in held[COMMENTS.name]:
        request = row.get("change_request")
        revision = spaces[at.ids[row["space"]]].revision if request is None else at.ids[requests[request]]
        made[row["id"]] = {"revision": revision, "document": None}
        if row.get("node") is not None:
            if revision not in pages:
                pages[revision] = await _pages(unit, revision)
            page = pages[revision].get(row.get("page") or "")
            made[row["id"]]["document"] = None if page is None else page.document
    return made


async def _pages(unit: Unit, revision: str) -> Mapping[str, Any]:
    found = await unit.revisions.get(revision)
    assert found is not None  # it was just made
    return (await contents_of(unit, found)).pages


async def _leave_uninstalled(unit: Unit, held: Held, at: Restoring) -> None:
    """Installations of integrations that are nowhere here cannot be."""
    installed = held[INSTALLATIONS.name]
    own = {row["id"] for row in held[INTEGRATIONS.name]}
    there = own | set(await unit.integrations.by_names({row["integration"] for row in installed}))
    held[INSTALLATIONS.name] = [row for row in installed if row["integration"] in there]
    left = {row["id"] for row in installed if row["integration"] not in there}
    held[PLACEMENTS.name] = [row for row in held[PLACEMENTS.name] if row["installation"] not in left]
    gone = sorted({row["integration"] for row in installed} - there)
    at.remade += [f"The integration {one!r} is not published here, so it is not installed." for one in gone]
