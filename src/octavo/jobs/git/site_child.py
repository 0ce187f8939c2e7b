"""The child process of a site in Git: fetches a branch and reads its `docs.yaml`, or pushes one."""

from __future__ import annotations

import posixpath
from pathlib import Path
from typing import Any

from octavo.content.layout.project import NAME
from octavo.content.yaml import LONGEST_FILE
from octavo.gateways import failures
from octavo.gateways.addresses import Guard
from octavo.gateways.git_push import Branch, Person, branch
from octavo.gateways.git_ssh import Identity
from octavo.gateways.snapshots import Limits, Snapshot
from octavo.jobs.children.inside import Line
from octavo.jobs.git.ending import ended
from octavo.jobs.git.export_request import Signature
from octavo.jobs.git.site_request import Found, SiteRequest


def work(line: Line) -> dict[str, Any]:
    """Do what the request says; how that ended."""
    request = line.request(SiteRequest)
    return ended(request, lambda: done(request, line), Found)


def done(request: SiteRequest, line: Line) -> Found:
    """Fetch, and read or push. Raises a Failure of the gateways."""
    limits = Limits(
        bytes=request.max_bytes, inflated=request.max_bytes, files=request.max_files, seconds=request.seconds
    )
    guard = Guard(allow_private=request.allow_private, allow_hosts=frozenset(request.allowed_hosts))
    pack = line.folder / "pack"
    pack.mkdir(exist_ok=True)
    way = branch(
        request.url,
        request.ref,
        pack,
        limits=limits,
        guard=guard,
        progress=lambda word, count: line.progress(step=word, done=count),
        kept=None if request.kept is None else Path(request.kept),
        identity=None if request.key is None else Identity(request.key, request.host_key or ""),
    )
    with way as found:
        if request.writing is None:
            return Found("read", found.tip or "", _text(found.files, request.path), _folders(found.files))
        return _pushed(found, request)


def _pushed(found: Branch, request: SiteRequest) -> Found:
    writing = request.writing
    assert writing is not None  # it was asked for
    if (found.tip or None) != writing.base:
        return Found("lost")
    author, committer = _person(writing.author), _person(writing.committer)
    commit = found.commit({request.path: writing.text.encode()}, writing.message, author, committer, writing.now)
    if commit is None:
        return Found("same", found.tip or "")
    found.push(commit)
    return Found("pushed", commit)


def _person(signature: Signature) -> Person:
    return Person(signature.name, signature.email)


def _text(files: Snapshot, path: str) -> str | None:
    if path not in files.paths():
        return None
    if files.size(path) > LONGEST_FILE:
        raise failures.TooLarge(f"{NAME} is larger than {LONGEST_FILE >> 20} MiB.")
    try:
        return files.read(path).decode("utf-8")
    except UnicodeDecodeError:
        raise failures.Refused(f"{NAME} is not written in UTF-8.") from None


def _folders(files: Snapshot) -> list[str]:
    found: set[str] = set()
    for path in files.paths():
        folder = posixpath.dirname(path)
        while folder and folder not in found:
            found.add(folder)
            folder = posixpath.dirname(folder)
    return sorted(found)
