"""What a job and its child say to each other about the `docs.yaml` of a site; apart, so that the server need not import the
child."""

from __future__ import annotations

import msgspec

from octavo.jobs.git.export_request import Signature


class Writing(msgspec.Struct):
    """A `docs.yaml` to be pushed."""

    text: str
    base: str | None
    """The commit at which the branch has to be; None where it has none."""
    message: str
    author: Signature
    committer: Signature
    now: int
    """Milliseconds since 1970."""


class SiteRequest(msgspec.Struct):
    """Which branch is read, or written to."""

    url: str
    ref: str
    path: str
    """Of the `docs.yaml`, from the top of the repository."""
    allow_private: bool
    allowed_hosts: list[str]
    max_bytes: int
    max_files: int
    seconds: float
    key: str | None = None
    """The private key with which it comes in, where that is by SSH; and the key that the host has to show."""
    host_key: str | None = None
    kept: str | None = None
    kept_top: str = ""
    kept_bytes: int = 0
    """See `ExportRequest`."""
    writing: Writing | None = None


class Found(msgspec.Struct):
    """What there is, or became of the push."""

    outcome: str
    """`read`, `pushed`, `same` where the branch holds that already, `lost` where somebody pushed meanwhile, `later` where
    the host could not be reached."""
    oid: str = ""
    """The commit at which the branch is."""
    text: str | None = None
    """The `docs.yaml`; None where there is none."""
    folders: list[str] = []
    """Every folder that holds something: from the top of the repository."""
    message: str = ""
