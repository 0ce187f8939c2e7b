"""What is kept stays within its bytes, by the order of its use, whoever asks for it from whichever thread."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from octavo.content import trie
from octavo.content.revision import Digest, Page, Root
from octavo.history.contents import contents_at
from octavo.store.database.sqlite import drive
from octavo.store.kept import EACH, Count, Kept, Kind

TEXTS: Kind[bytes] = Kind("texts", len)
OTHERS: Kind[bytes] = Kind("others", len)
TEN = b"1234567890"
ONE = EACH + len(TEN)


def test_what_was_used_least_recently_makes_room() -> None:
    kept = Kept(3 * ONE)
    for key in "abc":
        kept.put(TEXTS, key, TEN)
    assert kept.get(TEXTS, "a") == TEN
    kept.put(TEXTS, "d", TEN)
    assert [kept.get(TEXTS, key) for key in "abcd"] == [TEN, None, TEN, TEN]
    assert kept.weight == 3 * ONE


def test_kinds_share_the_bytes_and_no_keys() -> None:
    kept = Kept(2 * ONE)
    kept.put(TEXTS, "a", TEN)
    kept.put(OTHERS, "a", b"another on")
    assert (kept.get(TEXTS, "a"), kept.get(OTHERS, "a")) == (TEN, b"another on")
    kept.put(OTHERS, "b", TEN)
    assert (kept.get(TEXTS, "a"), kept.get(OTHERS, "b")) == (None, TEN)


def test_the_first_of_two_is_kept() -> None:
    kept = Kept()
    first, second = bytearray(TEN), bytearray(TEN)
    kind: Kind[bytearray] = Kind("things", len)
    assert kept.put(kind, "a", first) is first
    assert kept.put(kind, "a", second) is first


def test_a_renewed_value_takes_the_place_of_another() -> None:
    kept = Kept()
    kept.put(TEXTS, "a", TEN)
    kept.renew(TEXTS, "a", b"1")
    assert kept.get(TEXTS, "a") == b"1"
    assert kept.weight == EACH + 1
    kept.renew(TEXTS, "b", b"22")
    assert kept.get(TEXTS, "b") == b"22"


def test_what_is_too_large_is_kept_beside_others() -> None:
    """Entries of a very large space: to read them anew for every request is worse than their bytes."""
    kept = Kept(4 * ONE)
    kept.put(TEXTS, "large", bytes(100 * ONE))
    kept.put(TEXTS, "a", TEN)
    assert kept.get(TEXTS, "large") is not None
    for key in "bcdefg":
        kept.put(TEXTS, key, TEN)
        assert kept.get(TEXTS, "large") is not None
    assert kept.weight == 4 * ONE


def test_every_kind_is_counted() -> None:
    kept = Kept(2 * ONE)
    assert kept.get(TEXTS, "a") is None
    kept.put(TEXTS, "a", TEN)
    assert kept.get(TEXTS, "a") == TEN
    kept.put(OTHERS, "a", TEN)
    assert kept.counts() == {"texts": Count(1, 1, 1, ONE), "others": Count(0, 0, 1, ONE)}
    kept.put(OTHERS, "b", TEN)
    assert kept.counts() == {"texts": Count(1, 1, 0, 0), "others": Count(0, 0, 2, 2 * ONE)}


@given(st.lists(st.tuples(st.sampled_from(["get", "put", "renew"]), st.integers(0, 12), st.integers(0, 900))))
def test_the_weight_is_that_of_what_is_there(steps: list[tuple[str, int, int]]) -> None:
    kept = Kept(6 * ONE)
    for do, key, size in steps:
        if do == "get":
            kept.get(TEXTS, key)
        else:
            getattr(kept, do)(TEXTS, key, bytes(size))
        there = [found for found in (kept._values.get((TEXTS, key)) for key in range(13)) if found is not None]
        assert kept.weight == sum(weight for _, weight in there) <= kept.most
        assert kept.counts().get("texts", Count()).values == len(there)


class _Objects:
    def __init__(self, held: dict[Digest, bytes]) -> None:
        self._held = held

    async def get(self, organization: str, wanted: frozenset[Digest]) -> dict[Digest, bytes]:
        return {digest: self._held[digest] for digest in wanted}


class _Unit:
    """As much of a unit as reading contents takes."""

    def __init__(self, objects: _Objects, kept: Kept) -> None:
        self.objects = objects
        self.kept = kept


def _revisions(number: int) -> tuple[dict[Digest, bytes], list[Digest]]:
    """Objects, and the digests of that many roots with one page each."""
    held: dict[Digest, bytes] = {}
    roots = []
    for at in range(number):
        page = Page(id=f"page{at}", type="document", title="A", slug="a", position="a")
        entries = {page.id: msgspec.msgpack.encode(page)}
        pages, objects = trie.run(trie.apply(None, entries), lambda wanted: {})
        encoded = msgspec.msgpack.encode(Root(pages=pages))
        roots.append(trie.digest(encoded))
        held |= {**objects, roots[-1]: encoded}
    return held, roots


@pytest.fixture
def _switching() -> Iterator[None]:
    """Threads take turns at every opportunity."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def _together(work: Callable[[int], None]) -> list[Exception]:
    """Run it in four threads, each with its number; what was raised."""
    start, errors = threading.Barrier(4), []

    def run(number: int) -> None:
        start.wait()
        try:
            work(number)
        except Exception as error:
            errors.append(error)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return errors


class _Pausing(str):
    """A word that lets another thread have its turn when its hash is asked for the second time."""

    asked = 0

    def __hash__(self) -> int:
        self.asked += 1
        if self.asked == 2:
            self.turn()
        return super().__hash__()

    turn: Callable[[], None]


def test_nothing_is_evicted_while_it_is_taken() -> None:
    """Between finding a value and noting its use, another thread makes room for others."""
    held, roots = _revisions(5)
    unit = _Unit(_Objects(held), Kept(4_000))
    first = drive(contents_at(unit, "o", roots[0]))  # type: ignore[arg-type]
    others = threading.Thread(target=lambda: [drive(contents_at(unit, "o", root)) for root in roots[1:]])  # type: ignore[arg-type]

    def turn() -> None:
        others.start()
        others.join(0.2)  # it has to wait, but does not where nothing keeps it from going on

    word = _Pausing("o")
    word.turn = turn
    assert drive(contents_at(unit, word, roots[0])) is first  # type: ignore[arg-type]
    others.join()
    assert unit.kept.weight <= unit.kept.most


@pytest.mark.usefixtures("_switching")
def test_contents_are_asked_for_by_threads_at_the_same_time() -> None:
    """Requests read them on the loop, edits and merges in the writer's thread, searches in two more."""
    held, roots = _revisions(12)
    kept = Kept(4_000)
    unit = _Unit(_Objects(held), kept)

    def work(number: int) -> None:
        for at in range(4_000):
            root = roots[(at * (number + 1) + number) % len(roots)]
            contents = drive(contents_at(unit, "o", root))  # type: ignore[arg-type]
            assert list(contents.pages) == [f"page{roots.index(root)}"]

    assert _together(work) == []
    counts = kept.counts()["contents of revisions"]
    assert 0 < counts.values < len(roots)
    assert kept.weight == counts.weight == sum(weight for _, weight in kept._values.values()) <= kept.most
    assert counts.hits + counts.misses == 4 * 4_000


def test_two_stores_share_nothing() -> None:
    held, roots = _revisions(1)
    one, other = (_Unit(_Objects(held), Kept()) for _ in range(2))
    assert drive(contents_at(one, "o", roots[0])) is drive(contents_at(one, "o", roots[0]))  # type: ignore[arg-type]
    assert drive(contents_at(one, "o", roots[0])) is not drive(contents_at(other, "o", roots[0]))  # type: ignore[arg-type]
    drive(contents_at(one, "o", roots[0])).derived.put(TEXTS, TEN, "comment")  # type: ignore[arg-type]
    assert drive(contents_at(one, "o", roots[0])).derived.get(TEXTS, "comment") == TEN  # type: ignore[arg-type]
    assert drive(contents_at(other, "o", roots[0])).derived.get(TEXTS, "comment") is None  # type: ignore[arg-type]
