"""Git by dulwich, the other way: a branch as it is, a commit upon it that changes some files, and its push."""

from __future__ import annotations

import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dulwich.object_format import SHA1
from dulwich.objects import Blob, Commit, ObjectID, ShaFile, Tree, parse_tree
from dulwich.pack import pack_objects_to_data, write_pack_objects

from octavo.gateways import git
from octavo.gateways.addresses import Guard
from octavo.gateways.failures import GatewayFailure, Refused, plain
from octavo.gateways.git_ssh import Identity
from octavo.gateways.git_talk import Talk, client_of, conversing
from octavo.gateways.git_wire import Progress
from octavo.gateways.snapshots import Entry, Limits, Listing, Snapshot, allowed

_FOLDER = 0o40000
_FILE = 0o100644


class Moved(GatewayFailure):
    """Somebody else pushed to the branch meanwhile."""


@dataclass(frozen=True)
class Person:
    """Who made a commit."""

    name: str
    email: str

    def line(self) -> bytes:
        """As Git writes it."""
        name, email = (
            "".join(c for c in word if c.isprintable() and c not in "<>") for word in (self.name, self.email)
        )
        return f"{name.strip() or 'Octavo'} <{email.strip()}>".encode()


class Branch:
    """A branch of a repository on the other side, with its files, and what is put upon it."""

    def __init__(
        self,
        conversation: Talk,
        ref: str,
        refs: Mapping[bytes, bytes],
        files: Snapshot,
        objects: git.Packed,
    ) -> None:
        self.files = files
        self._objects = objects
        self._conversation, self._ref = conversation, ref.encode()
        self._old = refs.get(self._ref)
        self.tip = None if files.commit is None else files.commit.oid
        """The commit that it is at; of a branch that is not there yet, the one that it begins from."""
        self._new: list[ShaFile] = []

    @property
    def is_there(self) -> bool:
        return self._old is not None

    def commit(
        self, changes: Mapping[str, bytes | None], message: str, author: Person, committer: Person, at: int
    ) -> str | None:
        """Make a commit of files by their whole paths (None removes), at a time in milliseconds; its id.

        None where nothing would change. Raises Refused where something else than a file is in the way.
        """
        self._new = []
        with git.guarding():
            old = self._tree_of_tip()
            root = self._edited(old, {tuple(path.split("/")): data for path, data in changes.items()}, "")
            if root is None and old is None:
                return None
            if root is None:
                empty = Tree()
                self._new.append(empty)
                root = empty.id
            if root == old:
                self._new = []
                return None
            made = Commit()
            made.tree, made.parents = ObjectID(root), [] if self.tip is None else [ObjectID(self.tip.encode())]
            made.author, made.committer = author.line(), committer.line()
            made.author_time = made.commit_time = at // 1000
            made.author_timezone = made.commit_timezone = 0
            made.encoding, made.message = b"UTF-8", message.rstrip("\n").encode() + b"\n"
            self._new.append(made)
            return made.id.decode()

    def push(self, commit: str) -> None:
        """Move the branch to the commit that was made. Raises Moved when it is not where it was, Refused when the other
        side does not take it."""

        def update(refs: dict[Any, Any]) -> dict[Any, Any]:
            if refs.get(self._ref) != self._old:
                raise Moved("The branch moved while it was written to.")
            return {self._ref: commit.encode()}

        def pack(have: object, want: object, **options: object) -> Any:
            return pack_objects_to_data([(one, None) for one in self._new], deltify=False)

        client = client_of(self._conversation)
        with git.guarding("The push broke off: what the host answered is not understood."):
            result = client.send_pack("", update, pack)
        wrong = (result.ref_status or {}).get(self._ref)
        if wrong is None:
            self._keep(commit)
            return
        said = wrong if isinstance(wrong, str) else bytes(wrong).decode("utf-8", "replace")
        if any(
            word in said for word in ("fetch first", "non-fast-forward", "failed to update ref", "stale info", "lock")
        ):
            raise Moved("The branch moved while it was written to.")
        raise Refused(f"The host did not take the push: {plain(said)}.")

    def _keep(self, commit: str) -> None:
        """What was pushed need not be fetched."""
        with git.guarding():
            with self._objects.incoming.open("wb") as file:
                if self._new:
                    write_pack_objects(file, [(one, None) for one in self._new], object_format=SHA1)
            self._objects.add(commit.encode())

    # Trees.

    def _tree_of_tip(self) -> bytes | None:
        if self.tip is None:
            return None
        kind, content = self._objects.get_raw(self.tip.encode())
        found = ShaFile.from_raw_string(kind, content)
        assert isinstance(found, Commit)
        return bytes(found.tree)

    def _items(self, oid: bytes | None) -> dict[bytes, tuple[int, bytes]]:
        if oid is None:
            return {}
        _, content = self._objects.get_raw(oid)
        return {name: (mode, item) for name, mode, item in parse_tree(content, sha_len=20)}

    def _edited(self, oid: bytes | None, changes: Mapping[tuple[str, ...], bytes | None], within: str) -> bytes | None:
        """A tree with these files changed; None where nothing is left in it."""
        items = self._items(oid)
        deeper: dict[str, dict[tuple[str, ...], bytes | None]] = {}
        # What goes goes first: a name may come back in other letters.
        for steps, data in sorted(changes.items(), key=lambda one: (one[1] is not None, one[0])):
            if len(steps) > 1:
                deeper.setdefault(steps[0], {})[steps[1:]] = data
            else:
                self._edit_file(items, steps[0], data, within)
        for name, inner in sorted(deeper.items(), key=lambda one: any(data is not None for data in one[1].values())):
            held = items.get(name.encode())
            if held is not None and not stat.S_ISDIR(held[0]):
                raise _in_the_way(held[0], within + name)
            made = self._edited(None if held is None else held[1], inner, f"{within}{name}/")
            if made is None:
                items.pop(name.encode(), None)
            else:
                _admit(items, name, within)
                items[name.encode()] = (_FOLDER, made)
        if not items:
            return None
        tree = Tree()
        for key, (mode, item) in items.items():
            tree.add(key, mode, ObjectID(item))
        if tree.id != oid:
            self._new.append(tree)
        return bytes(tree.id)

    def _edit_file(self, items: dict[bytes, tuple[int, bytes]], name: str, data: bytes | None, within: str) -> None:
        key = name.encode()
        held = items.get(key)
        if held is not None and not stat.S_ISREG(held[0]):
            raise _in_the_way(held[0], within + name)
        if data is None:
            items.pop(key, None)
            return
        _admit(items, name, within)
        blob = Blob.from_string(data)
        self._new.append(blob)
        items[key] = (_FILE if held is None else held[0], bytes(blob.id))


@contextmanager
def branch(
    url: str,
    ref: str,
    folder: Path,
    *,
    limits: Limits,
    guard: Guard,
    progress: Progress,
    kept: Path | None = None,
    identity: Identity | None = None,
) -> Iterator[Branch]:
    """The branch `ref` (`refs/heads/…`) of the repository at `url`; one that is not there begins where HEAD is.

    Objects are kept in `folder` while it is open, or in `kept` beyond that. Raises Refused, Unreachable or TooLarge.
    """
    with conversing(url, identity, guard, limits, progress) as conversation:
        with git.guarding(), git.packed(folder / "fetched", kept, limits, conversation) as objects:
            refs = git.receive_if_there(conversation, ref, objects)
            head = refs.get(ref.encode()) or refs.get(b"HEAD")
            objects.add(head or b"")
            files = Snapshot(_Nothing(), None) if head is None else git.snapshot_of(objects, head, limits)
        try:
            yield Branch(conversation, ref, refs, files, objects)
        finally:
            objects.close()


class _Nothing:
    """The files of a repository without commits."""

    objects: Any = None

    def walk(self, directory: str) -> Listing:
        return Listing()

    def read(self, path: str, entry: Entry) -> bytes:
        raise KeyError(path)

    def oid(self, path: str, entry: Entry) -> str:
        raise KeyError(path)

    def close(self) -> None:
        """There is nothing to close."""


def _admit(items: Mapping[bytes, tuple[int, bytes]], name: str, within: str) -> None:
    """Refuse a name that Git must not have, and a new one that some systems cannot tell from another."""
    if not allowed(name):
        raise Refused(f"The name {plain(within + name)} is not allowed in a repository.")
    if name.encode() in items:
        return
    for other in items:
        known = other.decode("utf-8", "replace")
        if known.casefold() == name.casefold():
            raise Refused(f"{plain(within + name)} and {plain(within + known)} differ in capital letters only.")


def _in_the_way(mode: int, path: str) -> Refused:
    if stat.S_ISREG(mode):
        return Refused(f"There is a file at {plain(path)}, where a folder of the space belongs.")
    what = "a folder" if stat.S_ISDIR(mode) else "a symbolic link" if stat.S_ISLNK(mode) else "a submodule"
    return Refused(f"There is {what} at {plain(path)}, where a file of the space belongs.")
