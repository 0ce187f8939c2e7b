"""Which thing of the last revision a file is: the one at the same path, or one that was moved there."""

from __future__ import annotations

import json
import posixpath
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import msgspec

from octavo.content.revision import Digest, File, Page, Reusable

_ALIKE = 0.6
"""The part of equal lines above which two texts count as one that was moved and edited."""
_COMMON = 100
"""A line that would pair more vanished with new texts than this says nothing about either."""
_CANDIDATES = 8


def _nothing(_: Digest) -> bytes | None:
    return None


def _forgotten(_: Sequence[Digest]) -> Mapping[Digest, bytes]:
    return {}


class Beside(msgspec.Struct, frozen=True):
    """What other lines of the space, as those of branches, have where the last revision has nothing: what comes to lie
    there too is the same thing. Of several at one path the first one counts."""

    pages: list[Page] = []
    files: list[File] = []
    reusables: list[Reusable] = []


@dataclass(frozen=True)
class Previous:
    """The entries of the last revision; `load` gives the bytes of a text object, so that edited moves are found;
    `recall` gives back what is left of `Layout.memos`, so that unchanged texts are not read again."""

    pages: tuple[Page, ...] = ()
    files: tuple[File, ...] = ()
    reusables: tuple[Reusable, ...] = ()
    load: Callable[[Digest], bytes | None] = field(default=_nothing)
    recall: Callable[[Sequence[Digest]], Mapping[Digest, bytes]] = field(default=_forgotten)
    ids: Mapping[str, str] = field(default_factory=dict)
    """Path -> id of what is new there, and of entries without a file by `numbered` marks: of an export that comes back."""
    beside: Beside = field(default_factory=Beside)


def previous_of(
    pages: Iterable[Page],
    files: Iterable[File] = (),
    reusables: Iterable[Reusable] = (),
    load: Callable[[Digest], bytes | None] = _nothing,
    recall: Callable[[Sequence[Digest]], Mapping[Digest, bytes]] = _forgotten,
    ids: Mapping[str, str] | None = None,
    beside: Beside | None = None,
) -> Previous:
    """What a reading has to know of the last revision."""
    return Previous(tuple(pages), tuple(files), tuple(reusables), load, recall, ids or {}, beside or Beside())


@dataclass(frozen=True)
class Text:
    """A text at a path: the digest of its object and, when asked, its lines."""

    digest: object
    content: Callable[[], bytes | None]


def match(
    old: Mapping[str, tuple[str, Text]],
    new: Mapping[str, Text],
    beside: Mapping[str, tuple[str, object]] = MappingProxyType({}),
) -> dict[str, str]:
    """New path -> id of the old one: the same path, else the same text, else the most alike; each id once.

    `beside` says what other lines have at a path, as id and digest: with the same text it is that before it was moved
    there, and with any text before it is only alike.
    """
    found = {path: old[path][0] for path in new if path in old}
    taken = {*found.values()}
    gone = {path: held for path, held in old.items() if path not in new}
    come = {path: text for path, text in new.items() if path not in old}

    def claim(paths: Iterable[str]) -> None:
        for path in paths:
            if path in come and (id := beside[path][0]) not in taken:
                found[path] = id
                taken.add(id)
                del come[path]
        for path in [path for path, held in gone.items() if held[0] in taken]:
            del gone[path]

    claim(path for path, (_, same) in beside.items() if path in come and come[path].digest == same)
    by_digest: dict[object, list[str]] = {}
    for path in sorted(gone):
        by_digest.setdefault(gone[path][1].digest, []).append(path)
    for path in sorted(come):
        if same := by_digest.get(come[path].digest):
            name = posixpath.basename(path)
            chosen = next((p for p in same[:_COMMON] if posixpath.basename(p) == name), same[0])
            same.remove(chosen)
            found[path] = gone.pop(chosen)[0]
            taken.add(found[path])
            del come[path]
    claim(beside)
    for path, chosen in _alike({p: held[1] for p, held in gone.items()}, come):
        found[path] = gone[chosen][0]
    return found


def _alike(gone: Mapping[str, Text], come: Mapping[str, Text]) -> Iterator[tuple[str, str]]:
    """Pairs (new, old) of texts with most of their lines in common, best first, each path once."""
    if not gone or not come:
        return
    before = {path: _lines(text) for path, text in gone.items()}
    after = {path: _lines(text) for path, text in come.items()}
    places: dict[bytes, list[str]] = {}
    for path in sorted(before):
        for line in before[path]:
            places.setdefault(line, []).append(path)
    uses = Counter(line for lines in after.values() for line in lines)
    scored: list[tuple[float, str, str]] = []
    for path in sorted(after):
        shared: Counter[str] = Counter()
        for line in after[path]:
            if len(places.get(line, ())) * uses[line] <= _COMMON:
                shared.update(places.get(line, ()))
        scored += [(-_score(before[p], after[path]), path, p) for p, _ in shared.most_common(_CANDIDATES)]
    taken: set[str] = set()
    for score, path, chosen in sorted(scored):
        if -score > _ALIKE and path not in taken and "/" + chosen not in taken:
            taken |= {path, "/" + chosen}
            yield path, chosen


def _lines(text: Text) -> Counter[bytes]:
    return Counter(line for line in (text.content() or b"").split(b"\n") if line.strip())


def _score(a: Counter[bytes], b: Counter[bytes]) -> float:
    return 2 * sum((a & b).values()) / ((a.total() + b.total()) or 1)


def landmark(kind: str, slug: str, title: str, target: Any, computed: Any) -> str:
    """What an entry without a file is known by from one reading to the next."""
    if kind == "link":
        return f"link {title} {json.dumps(target, sort_keys=True)}"
    if kind == "computed":
        return f"computed {json.dumps(computed, sort_keys=True)}"
    return f"{kind} {slug}"


def numbered(marks: Iterable[str]) -> Iterator[str]:
    """Landmarks as an export calls entries without a file, each once: none is a path, as they end with a slash."""
    met: Counter[str] = Counter()
    for mark in marks:
        met[mark] += 1
        yield f"{mark} {met[mark]}/"
