"""What differs between two commits of a repository, found out by the trees that differ alone."""

from __future__ import annotations

import stat
from collections.abc import Iterator

from octavo.gateways import git
from octavo.gateways.failures import Refused
from octavo.gateways.packs import Malformed
from octavo.gateways.snapshots import Limits, Snapshot


def modified(files: Snapshot, since: str, directory: str = "", most: int = 200) -> list[str] | None:
    """The files below a directory whose bytes are others than in the commit `since`, as paths relative to it.

    None where that commit is not at hand, where files came, went or became something else, and where more than `most` differ.
    """
    source, commit = files.source, files.commit
    if not isinstance(source, git.Tree) or commit is None:
        return None
    try:
        with git.guarding():
            old, new = (source.below(git.tree_of(source.objects, tip), directory) for tip in (since, commit.oid))
            if old is None or new is None:
                return None
            found: list[str] = []
            for path in _differing(source, old, new, "", 0):
                if len(found) == most:
                    return None
                found.append(path)
            return found
    except (Malformed, _Otherwise):
        return None


class _Otherwise(Refused):
    """More than the bytes of files changed."""


def _differing(source: git.Tree, old: bytes, new: bytes, within: str, depth: int) -> Iterator[str]:
    if old == new:
        return
    before, after = ({name: (mode, oid) for name, mode, oid in source.items(tree)} for tree in (old, new))
    if before.keys() != after.keys() or depth > source.limits.depth:
        raise _Otherwise("")
    for name, (mode, oid) in after.items():
        was, known = before[name]
        if (was, known) == (mode, oid):
            continue
        path = within + name.decode("utf-8", "backslashreplace")
        if stat.S_ISDIR(mode) and stat.S_ISDIR(was):
            yield from _differing(source, known, oid, path + "/", depth + 1)
        elif stat.S_ISREG(mode) and stat.S_ISREG(was):
            _require_readable(source, known, oid, source.limits)
            yield path
        else:
            raise _Otherwise("")


def _require_readable(source: git.Tree, old: bytes, new: bytes, limits: Limits) -> None:
    """One that is, or was, too large to be offered comes or goes with its size."""
    for oid in (old, new):
        try:
            if source.objects.size(oid) > limits.file_bytes:
                raise _Otherwise("")
        except KeyError:
            raise _Otherwise("") from None
