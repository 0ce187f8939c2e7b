"""What branches a repository has, and where one of them goes on beside what is known, without any of its files."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TypeAlias

import msgspec
from dulwich.object_store import ObjectStoreGraphWalker
from dulwich.objects import Commit, ObjectID, ShaFile

from octavo.gateways import git
from octavo.gateways.addresses import Guard
from octavo.gateways.git_ssh import Identity
from octavo.gateways.git_talk import Talk, client_of, conversing
from octavo.gateways.git_wire import Progress
from octavo.gateways.snapshots import Limits

COMMITS_MAX = 100_000
"""Commits of a branch that are walked."""
_EMPTY_PACK = 32
_Choose: TypeAlias = Callable[..., list[bytes]]
"""Told what there is, it says what is wanted of it."""


class Looked(msgspec.Struct, frozen=True):
    """What a repository has; of one branch, what it has that a known commit has not."""

    refs: dict[str, str]
    """Branches in full, or what was asked for -> commits."""
    ahead: int = 0
    """Commits of the branch that the known one does not have."""
    base: str | None = None
    """The newest commit that both have; None where there is none."""
    author: str = ""
    """The address of who wrote the newest commit."""
    subject: str = ""
    """The first line of its message."""


def look(
    url: str,
    folder: Path,
    *,
    limits: Limits,
    guard: Guard,
    progress: Progress,
    ref: str | None = None,
    known: str = "",
    also: str = "",
    identity: Identity | None = None,
) -> Looked:
    """Ask for all branches and, where `ref` is given, for that one's commits beyond `known`. What `also` has is not asked for
    either: a commit that both are expected to have, where the branch may not go on from the known one.

    Runs synchronously, in a process or thread without an event loop. Raises a failure of the gateways.
    """
    refs: dict[str, str] = {}
    tip = b""

    def choose(found: dict[bytes, bytes], depth: int | None = None) -> list[bytes]:
        nonlocal tip
        for name, oid in found.items():
            if oid and (name.startswith(b"refs/heads/") or name == (ref or "").encode()):
                refs[name.decode("utf-8", "replace")] = oid.decode()
        tip = refs.get(ref or "", "").encode()
        return [tip] if tip and tip.decode() != known else []

    with (
        git.guarding(),
        conversing(url, identity, guard, limits, progress) as talk,
        git.packed(folder / "graph", None, limits, talk) as objects,
    ):
        _fetch(talk, objects, choose, [one for one in (known, also) if one], ref)
        objects.add(tip)
        with closing(objects):
            return _looked(refs, tip, known, objects)


def _fetch(talk: Talk, objects: git.Packed, choose: _Choose, has: list[str], ref: str | None) -> None:
    """Take in the commits, without their trees, of what is chosen; `has` is not asked for."""
    with objects.incoming.open("wb") as file:
        client_of(talk).fetch_pack(
            "",
            choose,
            ObjectStoreGraphWalker([ObjectID(one.encode()) for one in has], lambda oid: []),
            file.write,
            progress=lambda message: talk.require_time(),
            ref_prefix=[b"refs/heads/"] if ref is None else git.prefixes(ref),
            filter_spec=b"tree:0",
        )
    if objects.incoming.stat().st_size <= _EMPTY_PACK:
        objects.incoming.unlink()


def _looked(refs: dict[str, str], tip: bytes, known: str, objects: git.Packed) -> Looked:
    if not tip or tip.decode() == known:
        return Looked(refs, base=known or None)
    newest = _commit(objects, tip)
    if newest is None:
        return Looked(refs, base=tip.decode())
    # The newest first: the first one that did not come is the newest that both have.
    todo, seen, base, ahead = [(-newest.commit_time, tip)], {tip}, None, 0
    while todo and ahead < COMMITS_MAX:
        _, oid = heapq.heappop(todo)
        commit = _commit(objects, oid)
        if commit is None:
            base = base or oid.decode()
            continue
        ahead += 1
        for parent in commit.parents:
            if bytes(parent) not in seen:
                seen.add(bytes(parent))
                before = _commit(objects, bytes(parent))
                at = commit.commit_time if before is None else before.commit_time
                heapq.heappush(todo, (-at, bytes(parent)))
    if known.encode() in seen:
        base = known
    author = newest.author.decode("utf-8", "replace")
    subject = newest.message.decode("utf-8", "replace").strip().partition("\n")[0]
    return Looked(refs, ahead, base, author.rpartition("<")[2].rstrip("> "), subject)


def _commit(objects: git.Packed, oid: bytes) -> Commit | None:
    """A commit that came; None for one that the other side knew to be there."""
    try:
        kind, content = objects.get_raw(oid)
    except KeyError:
        return None
    found = ShaFile.from_raw_string(kind, content)
    return found if isinstance(found, Commit) else None
