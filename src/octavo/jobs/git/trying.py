"""Asking a repository with credentials that somebody is about to save: what can be read there, and whether it takes pushes."""

from __future__ import annotations

import msgspec

from octavo.gateways.addresses import Guard
from octavo.gateways.failures import GatewayFailure
from octavo.jobs.work import JobFailed, Work
from octavo.kernel.records import Json

KIND = "git_try"
SECONDS = 60


async def run(work: Work) -> Json:
    """Payload: sealed_url. Result: branches, writable, refused. Raises JobFailed with a sentence where nothing can be read."""
    # dulwich is imported with the first one that is asked.
    from octavo.gateways import git_refs

    settings = work.tools.settings
    guard = Guard(allow_private=settings.allow_private_addresses, allow_hosts=frozenset(settings.allowed_hosts))
    try:
        asked = await git_refs.ask(work.tools.unseal(work.job.payload["sealed_url"]), guard)
    except GatewayFailure as failure:
        raise JobFailed(str(failure)) from failure
    made: Json = msgspec.to_builtins(asked)
    return made
