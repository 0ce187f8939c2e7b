"""The child process of an import: fetches a repository, reads it, leaves entries, objects and files in a folder.

It never opens the database. Its standard input begins with the request; on its standard output it tells of progress,
asks for texts of the last revision, and says how it ended.
"""

from __future__ import annotations

import os
import resource
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

import msgspec

from octavo.content.layout import Layout, Previous, previous_of, read
from octavo.content.layout.texts import Read
from octavo.content.layout.work import Ask
from octavo.content.listings import highlighted
from octavo.content.revision import Digest
from octavo.gateways import failures, git
from octavo.gateways.addresses import Guard
from octavo.gateways.snapshots import Limits, Snapshot
from octavo.history.heads import assemble
from octavo.jobs import frames
from octavo.jobs.import_request import FILES, RESULT, Request
from octavo.jobs.spread import cores, spread
from octavo.kernel.clock import system_clock
from octavo.kernel.ids import new_id

_MEMORY = 6 << 30
_WARNINGS_KEPT = 500
_RECALLED = 500
"""Memos that are asked for at once."""
_encode = msgspec.msgpack.Encoder(order="deterministic").encode


def main() -> None:
    """Entry point of `python -m octavo.jobs.import_child`."""
    os.nice(5)  # requests come first
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    asked, told = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr
    frame = frames.read(asked)
    if frame is None:
        return
    request = msgspec.convert(frame[0], Request)
    try:
        result = import_into(request, asked, told)
    except failures.Failure as failure:
        _tell(told, "failed", str(failure))
    except MemoryError:
        _tell(told, "failed", "The import needs more memory than an import may have.")
    else:
        _tell(told, "done", result)


def import_into(request: Request, asked: BinaryIO, told: BinaryIO) -> dict[str, Any]:
    """Read what is to be imported into the request's folder. Returns what the `done` of this process says: the root,
    sizes of files, the commit, counts and warnings. Raises a Failure of the gateways."""
    folder = Path(request.folder)
    with _snapshot(request, folder, told) as snapshot:
        part = snapshot.under(request.directory) if request.directory.strip("/.") else snapshot
        _tell(told, "progress", {"step": "reading", "done": 0, "total": len(part.paths())})
        with (folder / RESULT).open("wb") as out:
            layout = read(
                part,
                previous=_previous(request, asked, told),
                new_id=new_id,
                now=system_clock(),
                work=partial(_work, told, out),
            )
        for skipped in part.skipped:
            layout.report.warn(skipped.path, None, f"left out: {skipped.reason}")
        sizes = _keep_files(layout, part, folder)
        root = _write_result(layout, folder)
        commit = snapshot.commit
    _tell(told, "progress", {"step": "storing", "done": 0, "total": len(layout.objects)})
    return {
        "root": root,
        "files": sizes,
        "commit": None if commit is None else {"oid": commit.oid, "message": commit.message},
        "counts": layout.report.counts,
        "warnings": [str(warning) for warning in layout.report.warnings[:_WARNINGS_KEPT]],
        "warning_count": len(layout.report.warnings),
    }


def _snapshot(request: Request, folder: Path, told: BinaryIO) -> Snapshot:
    limits = Limits(bytes=request.max_bytes, files=request.max_files, seconds=request.seconds)
    if request.local is not None:
        return git.local(Path(request.local), limits)
    guard = Guard(allow_private=request.allow_private, allow_hosts=frozenset(request.allowed_hosts))
    pack = folder / "pack"
    pack.mkdir()
    return git.clone(
        request.url or "",
        request.ref,
        pack,
        limits=limits,
        guard=guard,
        progress=lambda word, count: _tell(told, "progress", {"step": word, "done": count}),
    )


def _previous(request: Request, asked: BinaryIO, told: BinaryIO) -> Previous:
    def load(digest: Digest) -> bytes | None:
        _tell(told, "need", digest)
        frame = frames.read(asked)
        return None if frame is None else frame[0]

    def recall(names: Sequence[Digest]) -> Mapping[Digest, bytes]:
        found: dict[Digest, bytes] = {}
        for start in range(0, len(names), _RECALLED):
            _tell(told, "recall", names[start : start + _RECALLED])
            frame = frames.read(asked)
            found |= {} if frame is None else frame[0]
        return found

    return previous_of(request.pages, request.files, request.reusables, load, recall)


def _work(
    told: BinaryIO, out: BinaryIO, do: Callable[[str, Ask], Read], paths: Sequence[str], answer: Ask
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
            _tell(told, "progress", {"step": "reading", "done": done, "total": len(paths)})
        yield made


def _keep_files(layout: Layout, part: Snapshot, folder: Path) -> dict[str, int]:
    """Copy the bytes of every file into the folder, by digest; returns their sizes."""
    kept = folder / FILES
    kept.mkdir()
    sizes: dict[str, int] = {}
    for blob, path in layout.blobs.items():
        data = part.read(path)
        (kept / blob).write_bytes(data)
        sizes[blob] = len(data)
    return sizes


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


def _tell(told: BinaryIO, *value: Any) -> None:
    frames.write(told, *value)
    told.flush()


if __name__ == "__main__":
    main()
