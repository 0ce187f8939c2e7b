"""Git by dulwich: a shallow fetch over guarded HTTP into one bounded pack, read as a snapshot without a work tree."""

from __future__ import annotations

import re
import stat
from binascii import unhexlify
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import unquote, urlsplit

from dulwich.object_format import SHA1
from dulwich.object_store import ObjectStoreGraphWalker
from dulwich.objects import Commit as GitCommit
from dulwich.objects import ObjectID, ShaFile, Tag, parse_tree
from dulwich.pack import Pack, PackIndexer, UnpackedObject, write_pack_index_v2
from dulwich.repo import Repo

from octavo.gateways import git_kept
from octavo.gateways.addresses import Guard
from octavo.gateways.directories import Directory
from octavo.gateways.failures import GatewayFailure, Refused, plain
from octavo.gateways.git_kept import Kept, Places
from octavo.gateways.git_ssh import Identity
from octavo.gateways.git_talk import Talk, client_of, conversing
from octavo.gateways.git_wire import Clocked, Progress
from octavo.gateways.packs import Malformed, checksum, malformed, survey
from octavo.gateways.snapshots import (
    NAME_NOT_ALLOWED,
    NAME_NOT_UTF8,
    SPECIAL,
    SUBMODULE,
    SYMBOLIC_LINK,
    TOO_DEEP,
    TOO_LARGE,
    Commit,
    Entry,
    Limits,
    Listing,
    Skipped,
    Snapshot,
    admit,
    allowed,
    too_many,
)

BRANCHES_SHOWN = 10
TAGS_DEEP = 5
_OID = re.compile(r"[0-9a-f]{40}")
_TIME_MAX = 1 << 40


class Objects(Protocol):
    """Where git objects are read from."""

    def get_raw(self, oid: bytes) -> tuple[int, bytes]:
        """Type number and content; KeyError when absent."""

    def size(self, oid: bytes) -> int:
        """Bytes of an object; KeyError when absent."""

    def close(self) -> None: ...


def clone(
    url: str,
    ref: str,
    directory_for_pack: Path,
    *,
    limits: Limits | None = None,
    guard: Guard | None = None,
    progress: Progress | None = None,
    allow_local: bool = False,
    kept: Path | None = None,
    identity: Identity | None = None,
) -> Snapshot:
    """The tree of `ref` (`refs/heads/x`, a branch or tag name, a commit, or `HEAD`) of the repository at `url`.

    Runs synchronously, in a process or thread without an event loop. https and http; a user and password in the address
    are used and appear nowhere. `allow_local` also takes file:// addresses and paths. The pack is written into
    `directory_for_pack` and must stay there while the snapshot is open; into the folder `kept` where one is given: what
    lies there already is not fetched again. Raises Refused (Malformed where what is kept may be to blame), Unreachable or
    TooLarge.
    """
    limits, progress = limits or Limits(), progress or (lambda word, count: None)
    local = _local_path(url)
    if local is not None:
        if not allow_local:
            raise Refused("Repositories on this machine's own disk are not allowed; give an https:// address.")
        return _open_local(local, ref, limits)
    base = directory_for_pack / "fetched"
    with (
        guarding(),
        conversing(url, identity, guard or Guard(), limits, progress) as conversation,
        packed(base, kept, limits, conversation) as objects,
    ):
        objects.add(_receive(conversation, ref, objects))
    return snapshot_of(objects, objects.head, limits)


def local(directory: Path, limits: Limits | None = None) -> Snapshot:
    """The files of a directory on the disk as they are now; `commit` is HEAD where it lies in a git work tree."""
    source = Directory(directory, limits or Limits())
    return Snapshot(source, _head_commit(directory))


# --- reading ---------------------------------------------------------------------------------------------------------


class Tree:
    """The files of one git tree."""

    def __init__(self, objects: Objects, root: bytes, limits: Limits) -> None:
        self.objects, self.limits = objects, limits
        self._root = root

    def walk(self, directory: str) -> Listing:
        listing = Listing()
        with guarding():
            oid = self.below(self._root, directory)
            if oid is not None:
                self._walk(oid, listing)
        return listing

    def read(self, path: str, entry: Entry) -> bytes:
        with guarding():
            return self.objects.get_raw(entry.oid.encode())[1]

    def oid(self, path: str, entry: Entry) -> str:
        return entry.oid

    def close(self) -> None:
        self.objects.close()

    def below(self, oid: bytes, directory: str) -> bytes | None:
        """The tree of a directory of a tree; None where there is none."""
        for step in filter(None, directory.split("/")):
            found = [item for name, mode, item in self.items(oid) if name == step.encode() and stat.S_ISDIR(mode)]
            if not found:
                return None
            oid = found[0]
        return oid

    def _walk(self, root: bytes, listing: Listing) -> None:
        # The same tree under many names would be walked many times: what counts is entries, not objects.
        todo, seen = [("", root, 0)], 0
        while todo:
            prefix, oid, depth = todo.pop()
            for raw, mode, item in self.items(oid):
                seen += 1
                if seen > self.limits.files * 4:
                    raise too_many(self.limits)
                name = raw.decode("utf-8", "backslashreplace")
                path = prefix + name
                reason = _reason(raw, name, mode, depth, self.limits)
                if reason is not None:
                    listing.skipped.append(Skipped(path, reason))
                elif stat.S_ISDIR(mode):
                    todo.append((path + "/", item, depth + 1))
                else:
                    self._admit(listing, path, item)

    def _admit(self, listing: Listing, path: str, oid: bytes) -> None:
        try:
            size = self.objects.size(oid)
        except KeyError:
            # The server was asked to leave out files above the limit.
            listing.skipped.append(Skipped(path, TOO_LARGE))
            return
        admit(listing, self.limits, path, Entry(oid.decode(), size))

    def items(self, oid: bytes) -> Iterator[tuple[bytes, int, bytes]]:
        """Name, mode and object id of what a tree holds."""
        kind, content = self.objects.get_raw(oid)
        if kind != 2:
            raise _malformed()
        yield from parse_tree(content, sha_len=20)


class Packed:
    """Objects of packs on the disk: those that are kept, and those that come."""

    def __init__(self, base: Path, kept: Kept | None, limits: Limits, conversation: Clocked) -> None:
        self.incoming = base.with_suffix(".pack")
        """Where the next pack is written to."""
        self.head = b""
        """What was fetched."""
        self._base, self._kept, self._limits, self._conversation = base, kept, limits, conversation
        self._packs: list[Pack] = []
        self._places: dict[bytes, tuple[Pack, int]] = {}
        for known, places in () if kept is None else kept.packs():
            self._open(known, places)

    @property
    def tips(self) -> list[bytes]:
        """What need not be sent."""
        return [] if self._kept is None else self._kept.tips

    def add(self, head: bytes) -> None:
        """Take the pack that was written, which makes known what lies below `head`; nothing came where that is known."""
        self.head = head
        if self.incoming.exists() and self.incoming.stat().st_size:
            places = indexed(self._base, self._limits, self._conversation, self._outside)
            at = self._base if self._kept is None else self._kept.add(self._base, places, head)
            self._open(at, places)
        elif self._kept is not None and head:
            self._kept.know(head)

    def _open(self, base: Path, places: Places) -> None:
        # What is sent to somebody who knows something may be told as a difference from that.
        pack = Pack(str(base), object_format=SHA1, resolve_ext_ref=self._outside)
        self._packs.append(pack)
        for oid, _, size in places:
            self._places[oid] = (pack, size)

    def _outside(self, oid: bytes) -> tuple[int, list[bytes]]:
        kind, data = self._places[oid][0].get_raw(oid)  # type: ignore[arg-type]
        return kind, [data]

    def get_raw(self, oid: bytes) -> tuple[int, bytes]:
        return self._places[unhexlify(oid)][0].get_raw(oid)  # type: ignore[arg-type]

    def size(self, oid: bytes) -> int:
        return self._places[unhexlify(oid)][1]

    def close(self) -> None:
        for pack in self._packs:
            try:
                pack.close()
            except BufferError:
                # A view of the mapping lives in a traceback; the second call closes what the first could not reach.
                pack.close()
        if self._kept is not None:
            self._kept.close()


@contextmanager
def packed(base: Path, kept: Path | None, limits: Limits, conversation: Clocked) -> Iterator[Packed]:
    """Objects that a conversation adds to; closed where that fails, else by whoever has them then."""
    known = git_kept.opened(kept)
    objects: Packed | None = None
    try:
        objects = Packed(base, known, limits, conversation)
        yield objects
    except BaseException:
        if objects is not None:
            objects.close()
        elif known is not None:
            known.close()
        raise


class _Stored:
    """Objects of a repository on the disk."""

    def __init__(self, repo: Repo) -> None:
        self._repo = repo

    def get_raw(self, oid: bytes) -> tuple[int, bytes]:
        return self._repo.object_store.get_raw(oid)  # type: ignore[arg-type]

    def size(self, oid: bytes) -> int:
        return len(self.get_raw(oid)[1])

    def close(self) -> None:
        self._repo.close()


def _reason(raw: bytes, name: str, mode: int, depth: int, limits: Limits) -> str | None:
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError:
        return NAME_NOT_UTF8
    if not allowed(name):
        return NAME_NOT_ALLOWED
    if stat.S_ISLNK(mode):
        return SYMBOLIC_LINK
    if stat.S_IFMT(mode) == 0o160000:
        return SUBMODULE
    if depth >= limits.depth and stat.S_ISDIR(mode):
        return TOO_DEEP
    return None if stat.S_ISDIR(mode) or stat.S_ISREG(mode) else SPECIAL


def snapshot_of(objects: Objects, head: bytes, limits: Limits) -> Snapshot:
    try:
        with guarding():
            tip = _peel(objects, head)
            return Snapshot(Tree(objects, tip.tree, limits), _commit(tip))
    except BaseException:
        objects.close()
        raise


def _peel(objects: Objects, oid: bytes) -> GitCommit:
    for _ in range(TAGS_DEEP):
        kind, content = objects.get_raw(oid)
        found = ShaFile.from_raw_string(kind, content, sha=oid)  # type: ignore[arg-type]
        if isinstance(found, GitCommit):
            return found
        if not isinstance(found, Tag):
            break
        oid = found.object[1]
    raise Refused("The ref does not lead to a commit.")


def tree_of(objects: Objects, commit: str) -> bytes:
    """The tree of a commit."""
    return bytes(_peel(objects, commit.encode()).tree)


def _commit(tip: GitCommit) -> Commit:
    author = tip.author.decode("utf-8", "replace")
    name, _, rest = author.partition("<")
    seconds = min(max(tip.commit_time, 0), _TIME_MAX)
    message = tip.message.decode("utf-8", "replace")
    return Commit(tip.id.decode(), message, name.strip(), rest.partition(">")[0].strip(), seconds * 1000)


# --- the disk --------------------------------------------------------------------------------------------------------


def _local_path(url: str) -> Path | None:
    if url.lower().startswith("file://"):
        return Path(unquote(urlsplit(url).path))
    return Path(url) if url.startswith(("/", "./", "../")) else None


def _open_local(path: Path, ref: str, limits: Limits) -> Snapshot:
    with guarding(f"There is no git repository at {plain(str(path))}."):
        repo = Repo(str(path))
    try:
        with guarding():
            refs: dict[bytes, bytes] = {bytes(name): bytes(oid) for name, oid in repo.get_refs().items()}
            head = _choose(refs, ref)
    except BaseException:
        repo.close()
        raise
    return snapshot_of(_Stored(repo), head, limits)


def _head_commit(directory: Path) -> Commit | None:
    # A broken or absent repository is no reason not to read the files.
    try:
        with Repo.discover(str(directory.resolve())) as repo:
            return _commit(_peel(_Stored(repo), repo.head()))
    except Exception:
        return None


def indexed(base: Path, limits: Limits, conversation: Clocked, outside: Callable[..., Any]) -> Places:
    """Survey the pack `base`.pack, resolve its deltas, also from what is known `outside`, and write its index beside it;
    what is in it."""
    sizes: dict[int, int] = {}
    path = base.with_suffix(".pack")
    with path.open("rb") as pack:
        # Read through the file: dulwich's own mapping cannot be closed while a view of it lives in some traceback.
        indexer = PackIndexer(pack, SHA1.hash_func, resolve_ext_ref=outside, object_format=SHA1)
        for placed in survey(path, limits, conversation.require_time):
            sizes[placed.offset] = placed.size
            indexer.record(UnpackedObject(placed.kind, delta_base=placed.base, offset=placed.offset))
        entries = []
        for entry in indexer:
            conversation.require_time()
            entries.append(entry)
    if len(entries) != len(sizes):
        raise _malformed()
    conversation.progress("indexing", len(entries))
    with base.with_suffix(".idx").open("wb") as index:
        write_pack_index_v2(index, sorted(entries), checksum(path))
    return [(oid, offset, sizes[offset]) for oid, offset, _ in entries]


# --- the wire --------------------------------------------------------------------------------------------------------


def _receive(conversation: Talk, ref: str, objects: Packed) -> bytes:
    """Fetch what lies below a ref at depth 1, but what is known; the object id of the ref."""
    chosen: list[bytes] = []

    def choose(refs: dict[bytes, bytes], depth: int | None = None) -> list[bytes]:
        chosen.append(_choose(refs, ref))
        return [] if chosen[0] in objects.tips else chosen

    _fetch(conversation, ref, objects, choose)
    return chosen[0]


def receive_if_there(conversation: Talk, ref: str, objects: Packed) -> dict[bytes, bytes]:
    """The same of a branch that need not be there, then of HEAD, which need not either; all refs that there are."""
    known: dict[bytes, bytes] = {}

    def choose(refs: dict[bytes, bytes], depth: int | None = None) -> list[bytes]:
        known.update((name, oid) for name, oid in refs.items() if oid)
        head = known.get(ref.encode()) or known.get(b"HEAD")
        return [] if head is None or head in objects.tips else [head]

    _fetch(conversation, ref, objects, choose)
    return known


def _fetch(conversation: Talk, ref: str, objects: Packed, choose: Callable[..., list[bytes]]) -> None:
    """Fetch the pack of what is chosen at depth 1 into a file, without what is known."""
    told = 0
    tips = [ObjectID(tip) for tip in reversed(objects.tips)]
    with objects.incoming.open("wb") as file:

        def store(data: bytes) -> int:
            nonlocal told
            if file.tell() - told > 1 << 20:
                told = file.tell()
                conversation.progress("receiving", told)
            return file.write(data)

        client_of(conversation, thin_packs=bool(tips)).fetch_pack(
            "",
            choose,
            ObjectStoreGraphWalker(tips, lambda oid: [], shallow=set(tips)),
            store,
            progress=lambda message: conversation.require_time(),
            depth=1,
            ref_prefix=prefixes(ref),
            filter_spec=b"blob:limit=%d" % (conversation.limits.file_bytes + 1),
        )
        conversation.progress("receiving", file.tell())


def prefixes(ref: str) -> Sequence[bytes]:
    if ref.startswith("refs/"):
        return [b"HEAD", b"refs/heads/", ref.encode("utf-8", "replace")]
    return [b"HEAD", b"refs/heads/", b"refs/tags/" + ref.encode("utf-8", "replace")]


def _choose(refs: dict[bytes, bytes], ref: str) -> bytes:
    """The object id of a ref, or a sentence that says what there is."""
    if _OID.fullmatch(ref):
        return ref.encode()
    if not refs:
        raise Refused("The repository is empty: it has no commits yet.")
    wanted = ref.encode("utf-8", "replace")
    names = [wanted] if ref == "HEAD" or ref.startswith("refs/") else [b"refs/heads/" + wanted, b"refs/tags/" + wanted]
    for name in names:
        if name in refs:
            return refs[name]
    branches = sorted(name[11:].decode("utf-8", "replace") for name in refs if name.startswith(b"refs/heads/"))
    few = ", ".join(plain(branch, 100) for branch in branches[:BRANCHES_SHOWN]) or "none"
    more = f" and {len(branches) - BRANCHES_SHOWN} more" if len(branches) > BRANCHES_SHOWN else ""
    short = ref.removeprefix("refs/heads/")
    raise Refused(f"The repository has no branch {plain(short, 100)}; its branches are: {few}{more}.")


def _malformed(sentence: str = "") -> Malformed:
    return Malformed(sentence) if sentence else malformed()


@contextmanager
def guarding(sentence: str = "") -> Iterator[None]:
    """What a hostile or broken repository makes dulwich raise, of whatever class, becomes one refusal."""
    try:
        yield
    except (GatewayFailure, MemoryError):
        raise
    except Exception as error:
        raise _malformed(sentence) from error
