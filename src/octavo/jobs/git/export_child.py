"""The child process of an export: fetches a branch, writes the space into its files, pushes a commit.

It asks for texts and bytes of files, and tells what it is about to push before it does.
"""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from octavo.content.layout.places import Held
from octavo.content.layout.source import Mapped, Source
from octavo.content.layout.write import Blob, Written, write
from octavo.gateways import failures
from octavo.gateways.addresses import Guard
from octavo.gateways.git_push import Branch, Person, branch
from octavo.gateways.git_ssh import Identity
from octavo.gateways.snapshots import Limits, Snapshot, clean
from octavo.jobs.children import frames
from octavo.jobs.children.inside import Line, Refused
from octavo.jobs.git.ending import ended
from octavo.jobs.git.export_request import Before, Entries, Exported, ExportRequest, Side, Signature
from octavo.jobs.git.import_request import RESULT

E = TypeVar("E")
_NOTHING = Held({}, {}, {})
GONE = "The branch {ref} is not there any more; connect the space to another one, or force an export."


def work(line: Line) -> dict[str, Any]:
    """Push what the request holds; how that ended."""
    request = line.request(ExportRequest)
    return ended(request, lambda: export(request, line), Exported)


def export(request: ExportRequest, line: Line) -> Exported:
    """Fetch, write, push. Raises a Failure of the gateways."""
    limits = Limits(
        bytes=request.max_bytes, inflated=request.max_bytes, files=request.max_files, seconds=request.seconds
    )
    guard = Guard(allow_private=request.allow_private, allow_hosts=frozenset(request.allowed_hosts))
    pack = line.folder / "pack"
    pack.mkdir(exist_ok=True)
    kept = None if request.kept is None else Path(request.kept)

    def progress(word: str, count: int) -> None:
        line.progress(step=word, done=count)

    identity = None if request.key is None else Identity(request.key, request.host_key or "")
    way = branch(
        request.url, request.ref, pack, limits=limits, guard=guard, progress=progress, kept=kept, identity=identity
    )
    with way as found:
        if request.base is not None and not found.is_there:
            # To make it anew where HEAD is would take back what HEAD has since.
            raise Refused(GONE.format(ref=request.ref))
        if request.base is not None and found.tip != request.base:
            return Exported("moved", oid=found.tip)
        directory = clean(request.directory)
        line.progress(step="writing", done=0, total=len(request.space.pages))
        same = request.base is not None and found.tip == request.base
        written = _written(request, _part(found.files, directory), line, same=same)
        changes = {posixpath.join(directory, path): _bytes(data, line) for path, data in written.changes.items()}
        author, committer = _person(request.author), _person(request.committer)
        commit = found.commit(changes, request.message, author, committer, request.now)
        if commit is None and (found.is_there or found.tip is None):
            _tell(line, written, found.tip or "")
            return Exported("same", oid=found.tip, plain=written.plain)
        if commit is None:
            # The branch is not there yet, and begins where another one is.
            commit = found.tip or ""
        _tell(line, written, commit)
        _push(found, commit, line, len(changes))
        return Exported("pushed", oid=commit, files=len(changes), moved=len(written.moved), plain=written.plain)


def _push(found: Branch, commit: str, line: Line, files: int) -> None:
    line.progress(step="pushing", done=0, total=files)
    found.push(commit)


def _written(request: ExportRequest, source: Source, line: Line, *, same: bool) -> Written:
    def load(name: bytes) -> bytes | None:
        text: bytes | None = line.ask("text", name)
        return text

    before, now = request.before, _held(request.space)
    old = request.space.root if before is None else before.differing.root
    known = _NOTHING if before is None else _known(before, now)
    # Too large to be read, or a link or a submodule: it is there all the same.
    unread = [one.path for one in source.skipped] if isinstance(source, Snapshot) else []
    return write(source, now, known, request.space.root, old, load, same=same and before is not None, unread=unread)


def _known(before: Before, now: Held) -> Held:
    """What the space held: what it holds, but for what differs."""
    came, was = frozenset(before.came), _held(before.differing)

    def merged(here: Mapping[str, E], there: Mapping[str, E]) -> dict[str, E]:
        return {key: one for key, one in here.items() if key not in came} | dict(there)

    return Held(merged(now.pages, was.pages), merged(now.files, was.files), merged(now.reusables, was.reusables))


def _held(side: Side) -> Held:
    return Held(
        {page.id: page for page in side.pages},
        {file.id: file for file in side.files},
        {one.id: one for one in side.reusables},
    )


def _part(files: Snapshot, directory: str) -> Source:
    """The files of the directory; none where it is not there yet."""
    if not directory:
        return files
    try:
        return files.under(directory)
    except failures.Refused:
        return Mapped({})


def _bytes(data: bytes | Blob | None, line: Line) -> bytes | None:
    if not isinstance(data, Blob):
        return data
    found: bytes | None = line.ask("blob", data.name)
    if found is None:
        raise Refused("The bytes of a file of the space are not there any more.")
    return found


def _tell(line: Line, written: Written, commit: str) -> None:
    """What is about to be pushed, so that it is known whatever happens then."""
    with (line.folder / RESULT).open("wb") as out:
        for name, data in written.objects.items():
            frames.write(out, "object", name, data)
    entries = Entries([*written.pages.values()], [*written.files.values()], [*written.reusables.values()])
    line.ask("pushing", [commit, msgspec.to_builtins(entries, builtin_types=(bytes,))])


def _person(signature: Signature) -> Person:
    return Person(signature.name, signature.email)
