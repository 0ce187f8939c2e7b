"""Fields that an operation does not take change nothing, whatever they are called and whoever sends them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
import pytest

from octavo.api.openapi import document
from octavo.api.routes import OPERATIONS
from octavo.kernel import records
from octavo.kernel.operation import Nothing
from octavo.site.recording import Recorder
from octavo.store.database.statement import Statement
from octavo.store.schema.tables import metadata
from tests.contract.expectations import BY_RELATION
from tests.contract.stage import ROWS, Stage, expected
from tests.contract.test_standing import Ids, relate

Rows = frozenset[tuple[str, ...]]

_TABLES = {name: Statement(f"SELECT * FROM {name}") for name in metadata.tables}
_WORD = re.compile(r"[\w-]{22,}={0,2}")
"""An id, a digest, a sealed text."""
_BODIED = [row.id for row in OPERATIONS if row.takes is not Nothing and row.method in ("POST", "PUT", "PATCH")]


async def _everything(at: Any) -> Rows:
    """All rows of all tables."""
    found: set[tuple[str, ...]] = set()
    for name, statement in _TABLES.items():
        for row in await at.rows(statement, {}):
            found.add((name, *(value.hex() if isinstance(value, bytes) else str(value) for value in row)))
    return frozenset(found)


class Effects:
    """What requests do to the database: rows that went and came, with ids that are new masked."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self._before: Rows = stage.world.run(stage.world.house.store.engine.read(_everything))
        self._known = {word for row in self._before for value in row for word in _WORD.findall(value)}

    def of(self, operation: str, token: str, ids: Ids, body: Any) -> tuple[int, list[tuple[str, ...]]]:
        """The status, and what changed."""
        found: list[tuple[str, ...]] = []

        async def look(at: Any) -> None:
            after = await _everything(at)
            found.extend(self._masked("went", row) for row in self._before - after)
            found.extend(self._masked("came", row) for row in after - self._before)

        reply = self._stage.request(operation, token, ids, body, look=look)
        return reply.status, sorted(found)

    def _masked(self, what: str, row: tuple[str, ...]) -> tuple[str, ...]:
        return (what, *(_WORD.sub(lambda word: word[0] if word[0] in self._known else "new", one) for one in row))


def _names() -> set[str]:
    """Every name that something is served or stored under."""
    names = {"isAdmin", "admin", "role", "password", "scopes", "plan", "permissions", "id", "object"}
    for kind in vars(records).values():
        if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
            names.update(kind.__struct_fields__)
            names.update(field.encode_name for field in msgspec.structs.fields(kind))
    return names | set(_properties(document(OPERATIONS)))


def _properties(node: Any) -> Iterator[str]:
    if isinstance(node, Mapping):
        found = node.get("properties")
        if isinstance(found, Mapping):
            yield from found
        for value in node.values():
            yield from _properties(value)
    elif isinstance(node, list):
        for value in node:
            yield from _properties(value)


def _weakest(stage: Stage, operation: str, known: dict[str, tuple[str, Ids]]) -> tuple[str, Ids]:
    """The token of somebody who just may, and the ids of what she may do it to."""
    for relation, opened in BY_RELATION.items():
        if least := dict(opened).get(operation):
            if relation not in known:
                token = stage.world.person(least)
                known[relation] = token, relate(stage, relation, token)
            return known[relation]
    return next(one.token for one in stage.people if expected(operation, one) is None), {}


@pytest.mark.parametrize("stage", ["sqlite"], indirect=True)
def test_fields_that_are_not_taken_change_nothing(stage: Stage) -> None:
    known: dict[str, tuple[str, Ids]] = {}
    callers = {operation: _weakest(stage, operation, known) for operation in _BODIED}
    for token, ids in callers.values():
        # What is noted of who calls stays from here on, so that it is no effect of the requests below.
        stage.world.api.get(f"/v1/orgs/{stage.organization}", token=token)
        stage.request("getSpaceById", token, ids)
    # So does what visitors are hashed with, which is made with the first event.
    store = stage.world.house.store
    stage.world.run(Recorder(store).salt(store.clock()))
    effects, names, wrong = Effects(stage), _names(), []
    for operation in _BODIED:
        takes = {field.encode_name for field in msgspec.structs.fields(ROWS[operation].takes)}
        token, ids = callers[operation]
        valid = stage.body(operation, ids) or {}
        plain = effects.of(operation, token, ids, valid)
        assert plain[0] not in (401, 403, 404), f"{operation}: {plain[0]} says nothing"
        for value in ("admin", True, None, 7, stage.elsewhere, [stage.elsewhere], {"id": stage.elsewhere}):
            forged = effects.of(operation, token, ids, {**dict.fromkeys(names - takes, value), **valid})
            if forged != plain:
                wrong.append(f"{operation}: {value!r} in fields that it does not take: {forged} and not {plain}")
    assert not wrong, "\n".join(wrong)
