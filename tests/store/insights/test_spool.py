"""The spool: what is in it is read once and whole, whoever writes or reads at the same time."""

from __future__ import annotations

import asyncio
import fcntl
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from octavo.kernel.errors import Unavailable
from octavo.kernel.records.insights import Event
from octavo.store.insights import spool
from octavo.store.insights.spool import LOCK, Reader, Writer


def event(number: int) -> Event:
    return Event(organization="o", site="s", moment=number, type="page_view", visitor=number, session=0)


def put(writer: Writer, *numbers: int) -> None:
    asyncio.run(writer.append([event(number) for number in numbers]))


class Taken:
    """What a reader found, and how far it is."""

    def __init__(self, folder: Path) -> None:
        self.reader = Reader(folder)
        self.positions: dict[tuple[str, int], int] = {}
        self.moments: list[int] = []

    def look(self) -> list[int]:
        """Take what is there and remove what is done with; all moments so far."""
        for portion in self.reader.portions(self.positions, 1 << 20):
            self.moments += [one.moment for one in portion.events]
            self.positions[portion.writer, portion.segment] = portion.end
        self.reader.tidy(self.positions)
        return self.moments


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "spool"


@pytest.fixture
def taken(folder: Path) -> Taken:
    return Taken(folder)


def files(folder: Path) -> list[Path]:
    return sorted(folder.glob("*/*.frames"))


def test_what_a_writer_leaves_is_taken_and_removed(folder: Path, taken: Taken) -> None:
    writer = Writer(folder, 1 << 20)
    put(writer, 1, 2)
    assert taken.look() == [1, 2]
    put(writer, 3)
    assert taken.look() == [1, 2, 3]
    assert len(files(folder)) == 1  # it writes on there
    writer.close()
    assert taken.look() == [1, 2, 3]
    assert list(folder.iterdir()) == []


def test_a_reader_that_looks_while_a_writer_begins_takes_it_for_alive(
    folder: Path, taken: Taken, monkeypatch: pytest.MonkeyPatch
) -> None:
    def looking(take: Callable[[int], bool]) -> Callable[[int], bool]:
        def both(file: int) -> bool:
            taken.look()
            [lock] = folder.glob(f"*/{LOCK}")
            with lock.open("r+") as tried:  # as a reader does, in the moment before the writer takes it
                assert spool._lives(lock.parent) is False
                fcntl.flock(tried, fcntl.LOCK_UN)
            got = take(file)
            taken.look()
            return got

        return both

    monkeypatch.setattr(spool, "take", looking(spool.take))
    writer = Writer(folder, 1 << 20)
    put(writer, 1)
    assert taken.look() == [1]
    put(writer, 2)
    assert taken.look() == [1, 2]
    assert spool._lives(files(folder)[0].parent)
    writer.close()


def test_a_lock_that_somebody_else_holds_on_keeps_the_file_until_it_is_free(folder: Path, taken: Taken) -> None:
    """As a process that ends does, whose files the system closes one after the other."""
    writer = Writer(folder, 1 << 20)
    put(writer, 1)
    assert writer._lock is not None
    shared = os.dup(writer._lock)
    writer.close()
    assert taken.look() == [1]
    assert len(files(folder)) == 1
    os.close(shared)
    assert taken.look() == [1]
    assert list(folder.iterdir()) == []


def test_an_unfinished_frame_is_left_until_its_writer_is_gone(folder: Path, taken: Taken) -> None:
    writer = Writer(folder, 1 << 20)
    put(writer, 1)
    [file] = files(folder)
    with file.open("ab") as more:
        more.write(b"\x10\x00\x00\x00\x00")
    assert taken.look() == [1]
    assert taken.positions[file.parent.name, 1] < file.stat().st_size
    writer.close()
    assert taken.look() == [1]
    assert list(folder.iterdir()) == []


def test_a_damaged_frame_costs_no_other(folder: Path, taken: Taken) -> None:
    writer = Writer(folder, 1 << 20)
    put(writer, 1)
    [file] = files(folder)
    size = file.stat().st_size
    put(writer, 2)
    put(writer, 3)
    data = bytearray(file.read_bytes())
    data[size + 12] ^= 0xFF
    file.write_bytes(data)
    assert taken.look() == [1, 3]
    writer.close()


def test_a_full_spool_takes_nothing_and_goes_on_when_there_is_room(
    folder: Path, taken: Taken, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spool, "SEGMENT", 1)  # each batch begins a file
    writer = Writer(folder, 300)
    put(writer, 1)
    put(writer, *range(2, 9))
    with pytest.raises(Unavailable, match="the spool is full"):
        put(writer, 9)
    assert taken.look() == [*range(1, 9)]
    put(writer, 10)
    assert taken.look() == [*range(1, 9), 10]
    writer.close()


def test_whoever_waits_at_the_same_time_shares_one_wait(folder: Path, taken: Taken) -> None:
    writer = Writer(folder, 1 << 20)
    written: list[int] = []
    put_ = writer._put

    def counting(data: bytes) -> None:
        written.append(len(data))
        put_(data)

    writer._put = counting  # type: ignore[method-assign]

    async def together() -> None:
        await asyncio.gather(*(writer.append([event(number)]) for number in range(20)))

    asyncio.run(together())
    assert len(written) == 1
    assert sorted(taken.look()) == [*range(20)]
    writer.close()
