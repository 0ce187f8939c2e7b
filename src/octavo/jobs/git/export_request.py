"""What a job and its exporting child process say to each other; apart, so that the server need not import the child."""

from __future__ import annotations

from typing import Any

import msgspec

from octavo.content.revision import File, Page, Reusable, Root


class Side(msgspec.Struct):
    """What a space holds, or held."""

    root: Root
    pages: list[Page]
    files: list[File]
    reusables: list[Reusable]


class Before(msgspec.Struct):
    """What a space held, as what differed from what it holds."""

    differing: Side
    """Its root, and entries that are others now or are gone."""
    came: list[str]
    """Ids of the entries that came since."""


class Signature(msgspec.Struct):
    """Who made a commit."""

    name: str
    email: str


class ExportRequest(msgspec.Struct):
    """What to export, and to where."""

    url: str
    ref: str
    directory: str
    message: str
    author: Signature
    committer: Signature
    now: int
    """Milliseconds since 1970."""
    base: str | None
    """The commit at which the branch has to be; None = wherever it is."""
    space: Side
    before: Before | None
    """What the space held when both were last the same."""
    allow_private: bool
    allowed_hosts: list[str]
    max_bytes: int
    max_files: int
    seconds: float
    key: str | None = None
    """The private key with which it comes in, where that is by SSH; and the key that the host has to show."""
    host_key: str | None = None
    kept: str | None = None
    """The folder that keeps what was fetched of the repository, all such folders of the organization, and the bytes that
    may be left there."""
    kept_top: str = ""
    kept_bytes: int = 0


class Exported(msgspec.Struct):
    """What came of it. Objects of changed texts are in the folder."""

    outcome: str
    """`pushed`; `same` where there was nothing to do; `moved` where the branch is elsewhere; `lost` where somebody else
    pushed meanwhile; `later` where the host could not be reached."""
    oid: str | None = None
    """The commit at which the branch is."""
    files: int = 0
    """Files that the commit changes."""
    moved: int = 0
    plain: bool = False
    """See `Written.plain`."""
    message: str = ""


class Entries(msgspec.Struct):
    """Entries of the space that say more after it: where they lie, and what their text became there."""

    pages: list[Page] = []
    files: list[File] = []
    reusables: list[Reusable] = []


def decoded(value: Any) -> Exported:
    """What a child said."""
    return msgspec.convert(value, Exported)
