"""Content of spaces that rows name beside the newest: what a translation was made of, what a change request proposes."""

from __future__ import annotations

import filecmp
import shutil
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from octavo.manifests.rows import Found
from octavo.manifests.tables import ROWS, Rows
from octavo.store.review.change_requests import CHANGE_REQUESTS

CONTENT = "content:"
"""Begins the name of content, in front of its folder, where a row has the id of a revision."""
STATES = "states"


@dataclass(frozen=True)
class Wanted:
    """A revision that rows name."""

    revision: str
    space: str
    after: str | None = None
    """The revision that it goes on from."""


def wanted_states(records: Found) -> list[Wanted]:
    """The revisions that rows name, each once, those first that others go on from."""
    made: dict[str, Wanted] = {}
    for rows in ROWS:
        own = {column: whose for column, whose in rows.states.items() if whose != "change_request"}
        for one in sorted(records[rows.name], key=partial(_place, rows)):
            for column, whose in own.items():
                revision, space = getattr(one, column), getattr(one, whose)
                if revision is not None and space is not None:
                    after = one.revision_initial if rows.table is CHANGE_REQUESTS and column == "revision" else None
                    made.setdefault(revision, Wanted(revision, space, None if after == revision else after))
    return list(made.values())


def _place(rows: Rows, record: Any) -> list[str]:
    return [str(getattr(record, column)) for column in rows.order]


def with_names(records: Found, names: Mapping[str, str]) -> Found:
    """The records with the names of contents for revisions; `names` are revision -> name. What somebody saw of a change
    request before its newest content counts as the content that it began from."""
    requests = {one.id: one for one in records[CHANGE_REQUESTS.name]}
    made = dict(records)
    for rows in ROWS:
        if rows.states:
            made[rows.name] = [_named(one, rows.states, requests, names) for one in records[rows.name]]
    return made


def _named(record: Any, states: Mapping[str, str], requests: Mapping[str, Any], names: Mapping[str, str]) -> Any:
    changed: dict[str, str | None] = {}
    for column, whose in states.items():
        revision = getattr(record, column)
        if whose == "change_request":
            request = requests[record.change_request]
            revision = request.revision if revision == request.revision else request.revision_initial
        changed[column] = names.get(revision)
    return msgspec.structs.replace(record, **changed)


def reduce(head: Path, folder: Path) -> list[str]:
    """Remove from a folder what is the same in the one of the space; the files of that one that it has not."""
    there, own = _files(head), _files(folder)
    for name in sorted(own & there):
        if filecmp.cmp(head / name, folder / name, shallow=False):
            (folder / name).unlink()
    for path in sorted(folder.rglob("*"), reverse=True):
        if path.is_dir() and not any(path.iterdir()):
            path.rmdir()
    return sorted(there - own)


def restored(head: Path, folder: Path, gone: Iterable[str], target: Path) -> None:
    """The inverse: all files of such content, in a folder that is not there yet."""
    shutil.copytree(head, target, symlinks=True)
    for name in gone:
        (target / name).unlink(missing_ok=True)
    if folder.is_dir():
        shutil.copytree(folder, target, symlinks=True, dirs_exist_ok=True)


def same(one: Path, other: Path) -> bool:
    """Whether two folders have the same files."""
    files = _files(one)
    return files == _files(other) and all(filecmp.cmp(one / name, other / name, shallow=False) for name in files)


def _files(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
