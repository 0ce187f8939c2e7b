"""The child process that looks which branches a repository has, and where one of them begins."""

from __future__ import annotations

from typing import Any

import msgspec

from octavo.gateways import failures
from octavo.gateways.addresses import Guard
from octavo.gateways.git_graph import look
from octavo.gateways.git_ssh import Identity
from octavo.gateways.snapshots import Limits
from octavo.jobs.children.inside import Line, Refused
from octavo.jobs.git.branch_request import LookRequest


def work(line: Line) -> dict[str, Any]:
    """What is there; {later} where the host could not be reached."""
    request = line.request(LookRequest)
    try:
        looked = look(
            request.url,
            line.folder,
            limits=Limits(bytes=request.max_bytes, inflated=request.max_bytes, seconds=request.seconds),
            guard=Guard(allow_private=request.allow_private, allow_hosts=frozenset(request.allowed_hosts)),
            progress=lambda word, count: line.progress(step=word, done=count),
            ref=request.ref,
            known=request.known,
            also=request.also,
            identity=None if request.key is None else Identity(request.key, request.host_key or ""),
        )
    except failures.Unreachable as failure:
        return {"later": str(failure)}
    except failures.GatewayFailure as failure:
        raise Refused(str(failure)) from failure
    made: dict[str, Any] = msgspec.to_builtins(looked)
    return made
