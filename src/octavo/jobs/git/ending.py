"""How a child that works on a repository ends: done, overtaken, to be tried later, or refused with a sentence."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol, TypeVar

import msgspec

from octavo.gateways import failures, git_kept
from octavo.gateways.git_push import Moved
from octavo.gateways.packs import Malformed
from octavo.jobs.children.inside import Refused

T = TypeVar("T")


class Kept(Protocol):
    """A request that may name where what was fetched of the repository is kept."""

    kept: str | None
    kept_top: str
    kept_bytes: int


def ended(request: Kept, work: Callable[[], msgspec.Struct], outcome: Callable[..., msgspec.Struct]) -> dict[str, Any]:
    """What `work` returns, as plain values, or an `outcome` of lost or later. Raises Refused."""
    try:
        found = again(request, work)
    except Moved:
        found = outcome("lost")
    except failures.Unreachable as failure:
        found = outcome("later", message=str(failure))
    except failures.GatewayFailure as failure:
        raise Refused(str(failure)) from failure
    finally:
        if request.kept is not None:
            git_kept.trim(Path(request.kept_top), request.kept_bytes)
    made: dict[str, Any] = msgspec.to_builtins(found)
    return made


def again(request: Kept, work: Callable[[], T]) -> T:
    """What `work` returns, which is done once more without what was kept, as that may be what is broken."""
    try:
        return work()
    except Malformed:
        if request.kept is None:
            raise
        shutil.rmtree(request.kept, ignore_errors=True)
        return work()
