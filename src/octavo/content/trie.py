"""The canonical hash trie that holds the entries of a revision: key -> bytes, in small objects named by digest.

A node with at most 32 entries below it is a leaf; any other has sixteen children, chosen by the next nibble of the hash
of the key. The same set of entries therefore has one root, whatever the history of edits, and two revisions share every
object below which nothing differs. The empty trie has no object: its root is None.

Nothing here reads or writes. An algorithm that needs objects is a generator: it yields the digests that it needs next,
one batch for each level of the trie, is sent their bytes, and returns its result. So one code runs over memory, SQLite
and PostgreSQL. A batch that is answered without one of its objects ends in KeyError, bytes that are no node in
msgspec.DecodeError.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from hashlib import blake2b
from typing import TypeAlias, TypeVar

import msgspec

from octavo.content.revision import Digest

T = TypeVar("T")
Steps: TypeAlias = Generator[frozenset[Digest], Mapping[Digest, bytes], T]
"""An algorithm in steps: yields digests, is sent {digest: bytes}, returns a T."""
Entries: TypeAlias = dict[str, bytes]
Objects: TypeAlias = dict[Digest, bytes]

FAN_OUT = 16
LEAF = 32
"""The most entries that a leaf holds."""
_HASH = 20
_DEPTH = 2 * _HASH


class Leaf(msgspec.Struct, frozen=True, array_like=True, tag=0):
    """Entries in the order of their keys."""

    entries: list[tuple[str, bytes]]


class Inner(msgspec.Struct, frozen=True, array_like=True, tag=1):
    """Sixteen children, None where nothing is, and the number of entries below each."""

    children: list[Digest | None]
    counts: list[int]


_Node: TypeAlias = Leaf | Inner
_Side: TypeAlias = Digest | Entries | None
"""What lies at one place of a trie: a node by name, the part of a leaf that belongs there, or nothing."""

_encoder = msgspec.msgpack.Encoder()
_decoder: msgspec.msgpack.Decoder[Leaf | Inner] = msgspec.msgpack.Decoder(Leaf | Inner)


def digest(data: bytes) -> Digest:
    """The name of an object: blake2b-160 of its bytes."""
    return blake2b(data, digest_size=20).digest()


def run(steps: Steps[T], load: Callable[[frozenset[Digest]], Mapping[Digest, bytes]]) -> T:
    """Drive an algorithm to its end, asking `load` for each batch."""
    try:
        wanted = next(steps)
        while True:
            wanted = steps.send(load(wanted))
    except StopIteration as end:
        result: T = end.value
        return result


def once(steps: Steps[T]) -> Steps[T]:
    """The same algorithm, but what it asks for a second time is not asked for: for those that read few objects."""
    known: dict[Digest, bytes] = {}
    try:
        wanted = next(steps)
        while True:
            if missing := wanted - known.keys():
                known |= yield missing
            wanted = steps.send(known)
    except StopIteration as end:
        result: T = end.value
        return result


def over(objects: Mapping[Digest, bytes], steps: Steps[T]) -> Steps[T]:
    """The same algorithm upon objects that are not stored yet: they are not asked for."""
    try:
        wanted = next(steps)
        while True:
            known = {name: objects[name] for name in wanted if name in objects}
            if missing := wanted - known.keys():
                known |= yield missing
            wanted = steps.send(known)
    except StopIteration as end:
        result: T = end.value
        return result


def together(algorithms: Iterable[Steps[T]]) -> Steps[list[T]]:
    """Several algorithms side by side: a batch has what all of them want next; their results in order."""
    ends: dict[int, T] = {}
    waiting: dict[int, tuple[Steps[T], frozenset[Digest]]] = {}
    for at, steps in enumerate(algorithms):
        _advance(at, steps, None, waiting, ends)
    while waiting:
        found = yield frozenset[Digest]().union(*(wanted for _, wanted in waiting.values()))
        for at, (steps, _) in [*waiting.items()]:
            _advance(at, steps, found, waiting, ends)
    return [ends[at] for at in sorted(ends)]


def _advance(
    at: int,
    steps: Steps[T],
    found: Mapping[Digest, bytes] | None,
    waiting: dict[int, tuple[Steps[T], frozenset[Digest]]],
    ends: dict[int, T],
) -> None:
    try:
        waiting[at] = steps, next(steps) if found is None else steps.send(found)
    except StopIteration as end:
        waiting.pop(at, None)
        ends[at] = end.value


def build(items: Mapping[str, bytes] | Iterable[tuple[str, bytes]]) -> tuple[Digest | None, Objects]:
    """The root of a trie of these entries, and all its objects."""
    made: Objects = {}
    node = _grow({key: (_hash(key), value) for key, value in dict(items).items()}, 0, made)
    return (_put(node, made) if node else None), made


def get(root: Digest | None, keys: Iterable[str]) -> Steps[Entries]:
    """The entries that exist among `keys`."""
    found: Entries = {}
    asked = {root: [(_hash(key), key) for key in dict.fromkeys(keys)]} if root else {}
    depth = 0
    while any(asked.values()):
        nodes = yield from _load(asked)
        below: dict[Digest, list[tuple[str, str]]] = {}
        for name, wanted in asked.items():
            node = nodes[name]
            if isinstance(node, Leaf):
                entries = dict(node.entries)
                found.update((key, entries[key]) for _, key in wanted if key in entries)
                continue
            for hashed, key in wanted:
                if child := node.children[int(hashed[depth], FAN_OUT)]:
                    below.setdefault(child, []).append((hashed, key))
        asked, depth = below, depth + 1
    return found


def items(root: Digest | None) -> Steps[Entries]:
    """All entries, in no particular order."""
    found: Entries = {}
    level = [root] if root else []
    while level:
        nodes = yield from _load(level)
        level = []
        for node in nodes.values():
            if isinstance(node, Leaf):
                found.update(node.entries)
            else:
                level.extend(child for child in node.children if child)
    return found


def count(root: Digest | None) -> Steps[int]:
    """The number of entries, read from the root alone."""
    if root is None:
        return 0
    nodes = yield from _load([root])
    return _size(nodes[root])


def reach(root: Digest | None) -> Steps[set[Digest]]:
    """The digests of all nodes; leaves are named without being loaded."""
    found: set[Digest] = set()
    level = [root] if root else []
    while level:
        found.update(level)
        nodes = yield from _load(level)
        level = []
        for node in nodes.values():
            if isinstance(node, Inner):
                for child, size in zip(node.children, node.counts):
                    if child and size > LEAF:
                        level.append(child)
                    elif child:
                        found.add(child)
    return found


def apply(root: Digest | None, changes: Mapping[str, bytes | None]) -> Steps[tuple[Digest | None, Objects]]:
    """Set or, where the value is None, remove entries: the new root and the objects that the old trie does not hold.

    Removing what is not there changes nothing. Where nothing changes, the root stays and there is no new object.
    """
    hashed = {key: (_hash(key), value) for key, value in changes.items()}
    known = yield from _descend(root, hashed)
    made: Objects = {}
    node = _rebuild(root, hashed, 0, known, made)
    new = _put(node, made) if isinstance(node, Leaf | Inner) else node
    return new, {name: data for name, data in made.items() if name not in known}


def diff(a: Digest | None, b: Digest | None) -> Steps[dict[str, tuple[bytes | None, bytes | None]]]:
    """What differs, as key -> (value in a, value in b); equal subtrees are not loaded."""
    found: dict[str, tuple[bytes | None, bytes | None]] = {}
    pairs: list[tuple[_Side, _Side]] = [(a, b)] if a != b else []
    depth = 0
    while pairs:
        nodes = yield from _load(side for pair in pairs for side in pair if isinstance(side, bytes))
        below: list[tuple[_Side, _Side]] = []
        for pair in pairs:
            left, right = (_open(side, nodes) for side in pair)
            if isinstance(left, Inner) or isinstance(right, Inner):
                below.extend(p for p in zip(_split(left, depth), _split(right, depth)) if p[0] != p[1])
            else:
                found.update(_compare(left, right))
        pairs, depth = below, depth + 1
    return found


def _hash(key: str) -> str:
    return blake2b(key.encode(), digest_size=_HASH).hexdigest()


def _size(node: _Node) -> int:
    return len(node.entries) if isinstance(node, Leaf) else sum(node.counts)


def _load(names: Iterable[Digest]) -> Steps[dict[Digest, _Node]]:
    wanted = frozenset(names)
    if not wanted:
        return {}
    data = yield wanted
    return {name: _decoder.decode(data[name]) for name in wanted}


def _put(node: _Node, made: Objects) -> Digest:
    data = _encoder.encode(node)
    name = digest(data)
    made[name] = data
    return name


_Hashed: TypeAlias = dict[str, tuple[str, bytes]]
_Changes: TypeAlias = dict[str, tuple[str, bytes | None]]
V = TypeVar("V")


def _nibbles(keyed: Mapping[str, tuple[str, V]], depth: int) -> dict[int, dict[str, tuple[str, V]]]:
    parts: dict[int, dict[str, tuple[str, V]]] = {}
    for key, pair in keyed.items():
        parts.setdefault(int(pair[0][depth], FAN_OUT), {})[key] = pair
    return parts


def _grow(entries: _Hashed, depth: int, made: Objects) -> _Node | None:
    """The node of these entries at this depth; its descendants are put into `made`, itself is not."""
    if not entries:
        return None
    if len(entries) <= LEAF or depth == _DEPTH:
        return Leaf([(key, entries[key][1]) for key in sorted(entries)])
    children: list[Digest | None] = [None] * FAN_OUT
    counts = [0] * FAN_OUT
    for nibble, part in _nibbles(entries, depth).items():
        if child := _grow(part, depth + 1, made):
            children[nibble], counts[nibble] = _put(child, made), len(part)
    return Inner(children, counts)


def _descend(root: Digest | None, changes: _Changes) -> Steps[dict[Digest, _Node]]:
    """Load every node that the changes touch, and beside them the leaves that may have to join them in one."""
    known: dict[Digest, _Node] = {}
    level: dict[Digest, _Changes] = {root: changes} if root and changes else {}
    depth = 0
    while level:
        known.update((yield from _load(level)))
        below: dict[Digest, _Changes] = {}
        for name, asked in level.items():
            node = known[name]
            if isinstance(node, Leaf):
                continue
            parts = _nibbles(asked, depth)
            removed = sum(value is None for _, value in asked.values())
            shrinks = _size(node) - removed <= LEAF
            for nibble, child in enumerate(node.children):
                if child and (shrinks or nibble in parts):
                    below[child] = parts.get(nibble, {})
        level, depth = below, depth + 1
    return known


def _rebuild(
    name: Digest | None, changes: _Changes, depth: int, known: Mapping[Digest, _Node], made: Objects
) -> _Node | Digest | None:
    """What stands at a place after the changes: its old name where they change nothing, else a node not yet put."""
    if not changes:
        return name
    old = known[name] if name else Leaf([])
    if isinstance(old, Leaf):
        entries = dict(old.entries)
        for key, (_, value) in changes.items():
            if value is None:
                entries.pop(key, None)
            else:
                entries[key] = value
        if entries == dict(old.entries):
            return name
        if len(entries) <= LEAF:
            return Leaf(sorted(entries.items())) if entries else None
        return _grow({key: (_hash(key), value) for key, value in entries.items()}, depth, made)
    children: list[_Node | Digest | None] = list(old.children)
    counts = list(old.counts)
    for nibble, part in _nibbles(changes, depth).items():
        child = _rebuild(old.children[nibble], part, depth + 1, known, made)
        if child != old.children[nibble]:
            children[nibble] = child
            counts[nibble] = _size(child) if isinstance(child, Leaf | Inner) else 0
    if children == old.children:
        return name
    if sum(counts) <= LEAF:
        return _join(children, known)
    return Inner([_put(c, made) if isinstance(c, Leaf | Inner) else c for c in children], counts)


def _join(children: Iterable[_Node | Digest | None], known: Mapping[Digest, _Node]) -> Leaf | None:
    """One leaf of leaves: what a node becomes when it shrinks enough."""
    entries: list[tuple[str, bytes]] = []
    for child in children:
        node = known[child] if isinstance(child, bytes) else child
        if isinstance(node, Leaf):
            entries += node.entries
    return Leaf(sorted(entries)) if entries else None


def _open(side: _Side, nodes: Mapping[Digest, _Node]) -> Inner | Entries:
    if isinstance(side, bytes):
        node = nodes[side]
        return node if isinstance(node, Inner) else dict(node.entries)
    return side or {}


def _split(side: Inner | Entries, depth: int) -> list[_Side]:
    if isinstance(side, Inner):
        return list(side.children)
    parts: list[Entries] = [{} for _ in range(FAN_OUT)]
    for key, value in side.items():
        parts[int(_hash(key)[depth], FAN_OUT)][key] = value
    return [part or None for part in parts]


def _compare(left: Entries, right: Entries) -> Iterator[tuple[str, tuple[bytes | None, bytes | None]]]:
    for key in left.keys() | right.keys():
        pair = left.get(key), right.get(key)
        if pair[0] != pair[1]:
            yield key, pair
