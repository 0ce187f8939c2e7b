"""Laws of the hash trie: one root for one set of entries, edits and differences that agree, few and small batches."""

from __future__ import annotations

import random
from collections.abc import Mapping

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from octavo.content import trie
from octavo.content.revision import Digest

Edits = tuple[dict[str, bytes], dict[str, bytes | None]]
"""Entries as they were, and what changes: None takes one away."""
# The number of entries is drawn apart from their contents: sizes around the limit of a leaf and of two levels matter.
SIZES = st.sampled_from([0, 1, 2, 5, 31, 32, 33, 34, 65, 350, 1100])


class Memory:
    """A store of objects that counts what it is asked for."""

    def __init__(self, *parts: Mapping[Digest, bytes]) -> None:
        self.objects: dict[Digest, bytes] = {}
        for part in parts:
            self.objects |= part
        self.batches: list[frozenset[Digest]] = []

    def load(self, wanted: frozenset[Digest]) -> dict[Digest, bytes]:
        self.batches.append(wanted)
        return {name: self.objects[name] for name in wanted}


def entries(size: int, seed: int = 0) -> dict[str, bytes]:
    return {f"key-{seed}-{n}": f"value {n}".encode() for n in range(size)}


def depth(size: int) -> int:
    """The most levels that a trie of this size has in these tests."""
    return 1 + (size > 32) + (size > 250) + (size > 4_000) + (size > 65_000)


@st.composite
def edits(draw: st.DrawFn) -> Edits:
    before = entries(draw(SIZES))
    rng = random.Random(draw(st.integers(0, 2**32)))
    removed = rng.sample(sorted(before), draw(st.integers(0, len(before))))
    changed = rng.sample(sorted(before), min(len(before), draw(st.integers(0, 5))))
    changes: dict[str, bytes | None] = dict.fromkeys(removed) | dict.fromkeys(entries(2, seed=9))
    changes |= {key: draw(st.sampled_from([b"value 1", b"other", b""])) for key in changed}
    changes |= entries(draw(st.sampled_from([0, 1, 70])), seed=1)
    return before, changes


def after(before: dict[str, bytes], changes: dict[str, bytes | None]) -> dict[str, bytes]:
    return {key: value for key, value in (before | changes).items() if value is not None}


@settings(max_examples=60, deadline=None)
@given(edits())
def test_apply_is_the_build_of_the_result(case: tuple[dict[str, bytes], dict[str, bytes | None]]) -> None:
    before, changes = case
    root, objects = trie.build(before)
    store = Memory(objects)
    new, made = trie.run(trie.apply(root, changes), store.load)
    expected, whole = trie.build(after(before, changes))
    assert new == expected
    assert set(made) == set(whole) - set(objects), "the new objects are exactly those that the old trie lacks"
    assert all(trie.digest(data) == name for name, data in made.items())
    assert len(store.batches) <= depth(len(before))


@settings(max_examples=60, deadline=None)
@given(edits())
def test_diff_finds_the_effective_changes(case: tuple[dict[str, bytes], dict[str, bytes | None]]) -> None:
    before, changes = case
    root, objects = trie.build(before)
    new, made = trie.run(trie.apply(root, changes), Memory(objects).load)
    store = Memory(objects, made)
    result = after(before, changes)
    expected = {k: (before.get(k), result.get(k)) for k in changes if before.get(k) != result.get(k)}
    assert trie.run(trie.diff(root, new), store.load) == expected
    assert len(store.batches) <= depth(max(len(before), len(result)))
    assert trie.run(trie.diff(new, root), store.load) == {k: (b, a) for k, (a, b) in expected.items()}


@settings(max_examples=40, deadline=None)
@given(SIZES, st.randoms(use_true_random=False))
def test_one_set_of_entries_has_one_root(size: int, rng: random.Random) -> None:
    pairs = list(entries(size).items())
    root, objects = trie.build(pairs)
    rng.shuffle(pairs)
    assert trie.build(pairs) == (root, objects)
    grown, store = None, Memory()
    for start in range(0, len(pairs), 97):
        grown, made = trie.run(trie.apply(grown, dict(pairs[start : start + 97])), store.load)
        store.objects |= made
    assert grown == root


@settings(max_examples=40, deadline=None)
@given(SIZES, st.integers(0, 40))
def test_what_is_built_can_be_read(size: int, asked: int) -> None:
    held = entries(size)
    root, objects = trie.build(held)
    store = Memory(objects)
    assert trie.run(trie.items(root), store.load) == held
    assert trie.run(trie.count(root), store.load) == size
    assert trie.run(trie.reach(root), store.load) == set(objects)
    store.batches.clear()
    keys = [*list(held)[:asked], "absent"]
    assert trie.run(trie.get(root, keys), store.load) == {key: held[key] for key in keys if key in held}
    assert len(store.batches) <= depth(size)


def test_the_empty_trie_is_no_object() -> None:
    assert trie.build({}) == (None, {})
    root, objects = trie.build(entries(500))
    assert trie.run(trie.apply(root, dict.fromkeys(entries(500))), Memory(objects).load) == (None, {})
    nothing = Memory()
    assert trie.run(trie.get(None, ["a"]), nothing.load) == {}
    assert trie.run(trie.items(None), nothing.load) == {}
    assert trie.run(trie.count(None), nothing.load) == 0
    assert trie.run(trie.reach(None), nothing.load) == set()
    assert trie.run(trie.diff(None, None), nothing.load) == {}
    assert nothing.batches == []


def test_a_node_is_a_leaf_at_the_limit_and_not_above() -> None:
    held = sorted(entries(34))
    root, objects = trie.build(entries(34))
    for size, leaf in ((34, False), (33, False), (32, True)):
        new, made = trie.run(trie.apply(root, dict.fromkeys(held[size:])), Memory(objects).load)
        assert new == trie.build({key: entries(34)[key] for key in held[:size]})[0]
        assert (len(trie.run(trie.reach(new), Memory(objects, made).load)) == 1) == leaf


def test_changing_nothing_makes_nothing() -> None:
    held = entries(300)
    root, objects = trie.build(held)
    changes = {"key-0-7": held["key-0-7"], "absent": None}
    assert trie.run(trie.apply(root, changes), Memory(objects).load) == (root, {})


@pytest.mark.parametrize("value", [b"new", None])
def test_a_small_edit_of_many_entries_touches_few_objects(value: bytes | None) -> None:
    root, objects = trie.build(entries(10_000))
    store = Memory(objects)
    new, made = trie.run(trie.apply(root, {"key-0-5000": value}), store.load)
    assert len(made) <= 4
    assert sum(len(batch) for batch in store.batches) <= 4
    store = Memory(objects, made)
    assert trie.run(trie.diff(root, new), store.load) == {"key-0-5000": (b"value 5000", value)}
    assert sum(len(batch) for batch in store.batches) <= 8
    assert len(objects) > 256


def test_reach_loads_no_leaves() -> None:
    root, objects = trie.build(entries(1100))
    store = Memory(objects)
    trie.run(trie.reach(root), store.load)
    inner = [name for name, data in objects.items() if msgspec.msgpack.decode(data)[0] == 1]
    assert sorted(name for batch in store.batches for name in batch) == sorted(inner)


def test_a_missing_or_broken_object_is_an_error() -> None:
    root, objects = trie.build(entries(100))
    assert root is not None
    with pytest.raises(KeyError):
        trie.run(trie.items(root), lambda wanted: {})
    with pytest.raises(msgspec.DecodeError):
        trie.run(trie.items(root), lambda wanted: dict.fromkeys(wanted, b"\xc1"))
    assert root in objects


@pytest.mark.parametrize(
    ("size", "root"),
    [
        (1, "376b0c2327c362d7c4703ed9a2000c9540050e09"),
        (32, "5ae7b561bcd1919753fe83f8211542faaf127576"),
        (33, "05334abf6bb7d98cc79db4b90f3549df062f31f9"),
        (350, "a83b3f1ba3c77b3af8ad75863b094986235a51b6"),
    ],
)
def test_what_installations_hold_keeps_its_name(size: int, root: str) -> None:
    """Revisions are kept for years: another name would be another revision of the same content."""
    made, _ = trie.build(entries(size))
    assert made is not None
    assert made.hex() == root


def test_reaching_reads_no_leaf() -> None:
    root, objects = trie.build(entries(512))
    assert root is not None
    assert trie.LEAF in msgspec.msgpack.decode(objects[root])[2], "a full leaf is among them"
    store = Memory(objects)
    assert trie.run(trie.reach(root), store.load) == set(objects)
    assert all(msgspec.msgpack.decode(objects[name])[0] == 1 for batch in store.batches for name in batch)


@settings(max_examples=30, deadline=None)
@given(st.lists(edits(), max_size=4))
def test_algorithms_side_by_side_find_what_they_find_alone(
    made: list[tuple[dict[str, bytes], dict[str, bytes | None]]],
) -> None:
    pairs = [(trie.build(before), trie.build(after(before, changes))) for before, changes in made]
    memory = Memory(*(objects for pair in pairs for _, objects in pair))
    alone, batches = [], []
    for (a, _), (b, _) in pairs:
        memory.batches.clear()
        alone.append(trie.run(trie.diff(a, b), memory.load))
        batches.append(len(memory.batches))
    memory.batches.clear()
    assert trie.run(trie.together(trie.diff(a, b) for (a, _), (b, _) in pairs), memory.load) == alone
    assert len(memory.batches) == max(batches, default=0)


def test_what_was_asked_for_or_is_at_hand_is_not_asked_for_again() -> None:
    held = entries(1100)
    root, objects = trie.build(held)
    new, made = trie.run(trie.apply(root, {"key-0-7": b"new"}), Memory(objects).load)

    def twice() -> trie.Steps[list[dict[str, bytes]]]:
        return [(yield from trie.items(root)), (yield from trie.items(new))]

    store = Memory(objects, made)
    assert trie.run(trie.once(twice()), store.load) == [held, held | {"key-0-7": b"new"}]
    assert sorted(name for batch in store.batches for name in batch) == sorted(store.objects)
    store = Memory(objects)
    assert trie.run(trie.over(made, trie.items(new)), store.load) == held | {"key-0-7": b"new"}
    assert not {name for batch in store.batches for name in batch} & made.keys()
