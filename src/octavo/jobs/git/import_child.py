"""The child process of an import: fetches a repository, reads it, leaves entries, objects and files in a folder.

It tells of progress, and asks for texts of the last revision.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO
from urllib.parse import quote, unquote

import msgspec

from octavo.content.layout.again import reread
from octavo.content.layout.identity import Previous, previous_of
from octavo.content.layout.paths import join
from octavo.content.layout.read import Layout, counted, read
from octavo.content.layout.texts import Read
from octavo.content.layout.work import Ask
from octavo.content.listings import highlighted
from octavo.content.markdown import VERSION
from octavo.content.revision import Digest
from octavo.gateways import failures, git, git_changes, git_kept, zips
from octavo.gateways.addresses import Guard
from octavo.gateways.git_ssh import Identity
from octavo.gateways.snapshots import Limits, Snapshot
from octavo.history.heads import assemble
from octavo.jobs.children import frames
from octavo.jobs.children.inside import Line, Refused
from octavo.jobs.children.spread import cores, spread
from octavo.jobs.git.ending import again
from octavo.jobs.git.import_request import FILES, RESULT, Request
from octavo.kernel.clock import system_clock
from octavo.kernel.ids import new_id

_WARNINGS_KEPT = 500
_RECALLED = 500
"""Memos that are asked for at once."""
_encode = msgspec.msgpack.Encoder(order="deterministic").encode


def work(line: Line) -> dict[str, Any]:
    """Read the repository of the request; what came of it, besides what is in the folder."""
    request = line.request(Request)
    # Entries and documents are trees, and all of them are held to the end: they go without being looked for.
    gc.set_threshold(100_000, 50, 100)
    try:
        return again(request, lambda: import_into(request, line))
    except failures.Unreachable as failure:
        return {"later": str(failure)}
    except failures.GatewayFailure as failure:
        raise Refused(str(failure)) from failure
    finally:
        if request.kept is not None:
            git_kept.trim(Path(request.kept_top), request.kept_bytes)


def import_into(request: Request, line: Line) -> dict[str, Any]:
    """Read what is to be imported into the line's folder. Returns the root, or the entries that differ from those of the
    request; sizes of files, the commit, counts and warnings. Raises a Failure of the gateways."""
    with _snapshot(request, line) as snapshot:
        part = snapshot.under(request.directory) if request.directory.strip("/.") else snapshot
        line.progress(step="reading", done=0, total=len(part.paths()))
        read_as = f"{VERSION} {request.tree_url or ''}"
        layout = _reread(request, line, snapshot, part) if request.read_as == read_as else None
        again = layout is not None
        if layout is None:
            with (line.folder / RESULT).open("wb") as out:
                layout = read(
                    part,
                    previous=_previous(request, line),
                    new_id=new_id,
                    now=system_clock(),
                    work=partial(_work, line, out),
                    elsewhere=_elsewhere(request, snapshot),
                )
        for skipped in part.skipped:
            layout.report.warn(skipped.path, None, f"left out: {skipped.reason}")
        sizes = _keep_files(layout, part, line.folder)
        made = _write_changed(layout, line.folder) if again else {"root": _write_result(layout, line.folder)}
        commit = snapshot.commit
    line.progress(step="storing", done=0, total=len(layout.objects))
    return made | {
        "read_as": read_as,
        "files": sizes,
        "commit": None if commit is None else {"oid": commit.oid, "message": commit.message},
        "counts": layout.report.counts,
        "warnings": [str(warning) for warning in layout.report.warnings[:_WARNINGS_KEPT]],
        "warning_count": len(layout.report.warnings),
    }


def _reread(request: Request, line: Line, snapshot: Snapshot, part: Snapshot) -> Layout | None:
    """What differs, where the bytes of some files are all that changed since the commit that is known."""
    if request.base is None:
        return None
    # Links may lead to whatever lies beside the content.
    within = "" if request.tree_url else part.directory
    modified = git_changes.modified(snapshot, request.base, within)
    if modified is None:
        return None
    top = f"{part.directory}/" if within != part.directory else ""
    inside = [path.removeprefix(top) for path in modified if path.startswith(top)]
    known, elsewhere = _previous(request, line), _elsewhere(request, snapshot)
    layout = reread(part, inside, previous=known, now=system_clock(), elsewhere=elsewhere)
    if layout is not None:
        pages = {page.id: page for page in (*request.pages, *layout.pages)}
        layout.report.counts = counted(list(pages.values()), request.files, request.reusables)
    return layout


def _elsewhere(request: Request, snapshot: Snapshot) -> Callable[[str, str], str | None] | None:
    """Where people see what a page links to that lies in the repository and not in the content."""
    prefix = request.tree_url
    if prefix is None:
        return None
    files = frozenset(snapshot.paths())
    folders = {path[:end] for path in files for end, letter in enumerate(path) if letter == "/"}
    top = "/".join(step for step in request.directory.split("/") if step not in ("", "."))

    def seen(folder: str, address: str) -> str | None:
        written, mark, anchor = address.partition("#")
        path = join(f"{top}/{folder}", unquote(written.partition("?")[0]))
        if path is None or (path not in files and path not in folders):
            return None
        return f"{prefix.rstrip('/')}/{quote(path)}{mark}{anchor}"

    return seen


def _snapshot(request: Request, line: Line) -> Snapshot:
    limits = Limits(
        bytes=request.max_bytes, inflated=request.max_bytes, files=request.max_files, seconds=request.seconds
    )
    if request.archive is not None:
        unpacked = line.folder / "unpacked"
        unpacked.mkdir()
        zips.unpack(line.folder / request.archive, unpacked, limits)
        return git.local(unpacked, limits)
    if request.local is not None:
        return git.local(Path(request.local), limits)
    guard = Guard(allow_private=request.allow_private, allow_hosts=frozenset(request.allowed_hosts))
    pack = line.folder / "pack"
    pack.mkdir(exist_ok=True)
    return git.clone(
        request.url or "",
        request.ref,
        pack,
        limits=limits,
        guard=guard,
        progress=lambda word, count: line.progress(step=word, done=count),
        kept=None if request.kept is None else Path(request.kept),
        identity=None if request.key is None else Identity(request.key, request.host_key or ""),
    )


def _previous(request: Request, line: Line) -> Previous:
    def load(digest: Digest) -> bytes | None:
        text: bytes | None = line.ask("text", digest)
        return text

    def recall(names: Sequence[Digest]) -> Mapping[Digest, bytes]:
        found: dict[Digest, bytes] = {}
        for start in range(0, len(names), _RECALLED):
            found |= line.ask("recall", names[start : start + _RECALLED])
        return found

    return previous_of(request.pages, request.files, request.reusables, load, recall, request.ids, request.beside)


def _work(
    line: Line, out: BinaryIO, do: Callable[[str, Ask], Read], paths: Sequence[str], answer: Ask
) -> Iterator[Read]:
    """Texts are read on all cores, and their code is highlighted where they were read."""

    def read_and_highlight(path: str, ask: Ask) -> tuple[Read, list[tuple[bytes, bytes]]]:
        made = do(path, ask)
        return made, [(key, _encode(lines)) for key, lines in highlighted(msgspec.json.decode(made.tree))]

    everything = spread(read_and_highlight, paths, answer, processes=cores())
    for done, (made, listings) in enumerate(everything, 1):
        for key, data in listings:
            frames.write(out, "cache", key, data)
        if done % 20 == 0 or done == len(paths):
            line.progress(step="reading", done=done, total=len(paths))
        yield made


def _keep_files(layout: Layout, part: Snapshot, folder: Path) -> dict[str, int]:
    """Copy the bytes of every file into the folder, by digest; returns their sizes."""
    kept = folder / FILES
    kept.mkdir(exist_ok=True)
    sizes: dict[str, int] = {}
    for blob, path in layout.blobs.items():
        data = part.read(path)
        (kept / blob).write_bytes(data)
        sizes[blob] = len(data)
    return sizes


def _write_changed(layout: Layout, folder: Path) -> dict[str, Any]:
    """The objects of the entries that differ, and these entries as a trie holds them."""
    with (folder / RESULT).open("wb") as out:
        for digest, data in layout.objects.items():
            frames.write(out, "object", digest, data)
        for name, memo in layout.memos.items():
            frames.write(out, "cache", name, memo)
        for page in layout.pages:
            tree = layout.objects.get(page.document or b"")
            for key, lines in highlighted(msgspec.json.decode(tree)) if tree else ():
                frames.write(out, "cache", key, _encode(lines))
    pages = {page.id: _encode(page) for page in layout.pages}
    return {"pages": pages, "changed_files": {file.id: _encode(file) for file in layout.files}}


def _write_result(layout: Layout, folder: Path) -> Digest:
    """Every object that the new revision needs, and what spares the next import; returns the root."""
    root, objects = assemble(
        pages=layout.pages,
        files=layout.files,
        reusables=layout.reusables,
        variables=layout.variables,
        tags=layout.tags,
        redirects=layout.redirects,
    )
    objects |= layout.objects
    with (folder / RESULT).open("ab") as out:
        for digest, data in objects.items():
            frames.write(out, "object", digest, data)
        for name, memo in layout.memos.items():
            frames.write(out, "cache", name, memo)
    return root
