"""What content is still needed: everything that revisions reach, marked step by step (see `trie`)."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field

import msgspec

from octavo.content.revision import Digest, File, Page, Reusable, Root
from octavo.content.trie import Inner, Leaf, Steps

BATCH = 200
"""Objects that one step reads."""

_node: msgspec.msgpack.Decoder[Leaf | Inner] = msgspec.msgpack.Decoder(Leaf | Inner)
_root = msgspec.msgpack.Decoder(Root)
_ENTRIES: dict[
    str, msgspec.msgpack.Decoder[Page] | msgspec.msgpack.Decoder[File] | msgspec.msgpack.Decoder[Reusable]
] = {
    "pages": msgspec.msgpack.Decoder(Page),
    "files": msgspec.msgpack.Decoder(File),
    "reusables": msgspec.msgpack.Decoder(Reusable),
}


@dataclass
class Needed:
    """Names of the objects and blobs that are needed."""

    objects: set[Digest] = field(default_factory=set)
    blobs: set[str] = field(default_factory=set)


def mark(roots: Iterable[Digest]) -> Steps[Needed]:
    """Everything that the roots reach; what two revisions share is read once."""
    made = Needed()
    waiting: deque[tuple[str, Digest]] = deque()

    def want(kind: str, name: Digest | None) -> None:
        if name is not None and name not in made.objects:
            made.objects.add(name)
            waiting.append((kind, name))

    for name in roots:
        want("root", name)
    while waiting:
        some = [waiting.popleft() for _ in range(min(BATCH, len(waiting)))]
        data = yield frozenset(name for _, name in some)
        for kind, name in some:
            if kind == "root":
                root = _root.decode(data[name])
                for part in ("pages", "files", "reusables", "moved"):
                    want(part, getattr(root, part))
            elif isinstance(node := _node.decode(data[name]), Inner):
                for child in node.children:
                    want(kind, child)
            elif kind in _ENTRIES:
                _note(kind, node, made)
    return made


def _note(kind: str, leaf: Leaf, made: Needed) -> None:
    for _, value in leaf.entries:
        entry = _ENTRIES[kind].decode(value)
        if isinstance(entry, File):
            made.blobs.add(entry.blob)
        else:
            made.objects |= {name for name in (entry.text, entry.document) if name is not None}
