"""Work ahead of a unit: where it is done, how much is read at once, and what is left to put."""

from __future__ import annotations

import asyncio
import threading

import pytest

from octavo.content import trie
from octavo.content.trie import Steps
from octavo.history import ahead
from octavo.kernel.ids import new_id
from octavo.kernel.records.people import Organization
from octavo.store.content.revisions import packed
from octavo.store.unit import Store
from tests.metering import Metering

MANY = {trie.digest(data): data for data in (f"object {at}".encode() * 40 for at in range(3 * ahead.READ))}


@pytest.fixture
def metering(store: Store) -> Metering:
    store.engine = made = Metering(store.engine)
    return made


@pytest.fixture
def organization(store: Store, loop: asyncio.AbstractEventLoop) -> str:
    made = Organization(id=new_id(), title="", created_at=0)
    loop.run_until_complete(store.write(lambda unit: unit.people.add_organization(made)))
    return made.id


def test_steps_run_apart_from_the_loop_and_read_little_at_once(
    store: Store, metering: Metering, organization: str, loop: asyncio.AbstractEventLoop
) -> None:
    loop.run_until_complete(store.write(lambda unit: unit.objects.put(organization, MANY, unit.now)))
    metering.units.clear()
    threads: set[int] = set()

    def steps() -> Steps[bytes]:
        threads.add(threading.get_ident())
        found = yield frozenset(MANY)
        threads.add(threading.get_ident())
        assert found == MANY
        nothing = yield frozenset()
        assert nothing == {}
        return b"done"

    computed = loop.run_until_complete(ahead.compute(store, organization, steps()))
    assert computed.result == b"done"
    assert threading.get_ident() not in threads
    assert [unit.read for unit in metering.units] == [ahead.READ] * 3
    assert not any(unit.writes for unit in metering.units)


def test_an_algorithm_that_breaks_breaks_where_it_is_awaited(store: Store, loop: asyncio.AbstractEventLoop) -> None:
    with pytest.raises(KeyError):
        loop.run_until_complete(ahead.compute(store, "nobody", trie.items(b"nowhere")))


def test_objects_are_put_in_small_units_and_the_last_is_left(
    store: Store, metering: Metering, organization: str, loop: asyncio.AbstractEventLoop
) -> None:
    metering.units.clear()
    left = loop.run_until_complete(ahead.put(store, organization, MANY))
    assert [unit.put for unit in metering.units] == [ahead.PUT]
    assert left == packed(dict(sorted(MANY.items())[ahead.PUT :]))
    loop.run_until_complete(store.write(lambda unit: unit.objects.put_packed(organization, left, unit.now)))
    assert loop.run_until_complete(store.read(lambda unit: unit.objects.get(organization, MANY))) == MANY
    assert loop.run_until_complete(ahead.put(store, organization, {})) == {}
    large = {bytes([at]): bytes(ahead.PUT_BYTES // 2) for at in range(5)}
    metering.units.clear()
    assert len(loop.run_until_complete(ahead.put(store, organization, large))) == 1
    assert [unit.put for unit in metering.units] == [2, 2]
