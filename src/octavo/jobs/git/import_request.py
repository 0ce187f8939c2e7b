"""What a job and its importing child process say to each other; apart, so that the server need not import the child."""

from __future__ import annotations

import msgspec

from octavo.content.layout.identity import Beside
from octavo.content.revision import File, Page, Reusable

RESULT = "result.frames"
"""In the folder: the objects that the new revision needs."""
FILES = "files"
"""In the folder: the bytes of its files, by digest."""


class Request(msgspec.Struct):
    """What to import, and what the space holds now."""

    url: str | None
    ref: str
    directory: str
    local: str | None
    """A directory of this machine instead of a repository; only command lines ask for it."""
    allow_private: bool
    allowed_hosts: list[str]
    max_bytes: int
    max_files: int
    seconds: float
    pages: list[Page]
    files: list[File]
    reusables: list[Reusable]
    tree_url: str | None = None
    """Prefix of addresses at which people see files of the repository."""
    key: str | None = None
    """The private key with which it comes in, where that is by SSH; and the key that the host has to show."""
    host_key: str | None = None
    kept: str | None = None
    """The folder that keeps what was fetched of the repository; None = nothing is kept."""
    kept_top: str = ""
    """The folder of all such folders of the organization."""
    kept_bytes: int = 0
    """Bytes that may be left there."""
    archive: str | None = None
    """A zip in the folder instead of a repository."""
    base: str | None = None
    """The commit that the pages, files and reusable contents were read from."""
    read_as: str | None = None
    """How they were; see `GitBase.read_as`."""
    ids: dict[str, str] = {}
    """Path -> id of what is new there; only command lines ask for it."""
    beside: Beside = Beside()
    """What other lines of the space have where these have nothing."""
