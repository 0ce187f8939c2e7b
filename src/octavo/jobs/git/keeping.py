"""Where what was fetched of repositories is kept between operations: by organization, space and address."""

from __future__ import annotations

import shutil
from hashlib import sha256
from pathlib import Path

from octavo.kernel.records import Json
from octavo.kernel.settings import Settings
from octavo.store import directory


def top_of(settings: Settings, organization: str) -> Path:
    """The folder of an organization."""
    return settings.data / directory.GIT / organization


def folder_of(settings: Settings, organization: str, space: str, payload: Json) -> Path | None:
    """The folder of the repository of an operation; None where nothing is kept.

    Spaces that name one `repoCacheID` share it. The address is part of the name whatever they call it: who may read what
    lies there is found out by asking the host of that address.
    """
    url = payload.get("url")
    if url is None or not settings.git_kept_bytes:
        return None
    shared = payload.get("cache")
    whose = space if shared is None else f"shared-{_digest(shared)}"
    return top_of(settings, organization) / whose / _digest(url)


def forget(settings: Settings, organization: str, space: str | None = None) -> None:
    """Remove what is kept for a space, or for all of an organization."""
    top = top_of(settings, organization)
    shutil.rmtree(top if space is None else top / space, ignore_errors=True)


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:32]
