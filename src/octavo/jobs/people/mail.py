"""Sending a letter: tried for a day where the mail server does not take it yet; its words are forgotten when it is over."""

from __future__ import annotations

import logging

import msgspec

from octavo.gateways.failures import GatewayFailure, Unreachable
from octavo.jobs.people.letters import Letters
from octavo.jobs.work import JobFailed, NotYet, Work
from octavo.kernel.clock import HOUR, MINUTE
from octavo.kernel.letters import Occasion
from octavo.kernel.records import Json

PAUSES = (1 * MINUTE, 5 * MINUTE, 15 * MINUTE, 1 * HOUR, 4 * HOUR, 8 * HOUR)
"""Between two tries. A server that does not know the sender yet often takes the second or third."""
TRIES = len(PAUSES) + 2
SECONDS = 300

_log = logging.getLogger("octavo.mail")


async def run(work: Work) -> Json:
    """Payload: sealed_letter. Result: sent. A letter that is refused ends the job, and its record says why."""
    mailer = work.tools.mailer
    if mailer is None:
        _log.warning("a letter was not sent: OCTAVO_SMTP_HOST is not set", extra={"job": work.job.id})
        return {"sent": False}
    try:
        occasion = msgspec.json.decode(work.tools.unseal(work.job.payload["sealed_letter"]), type=Occasion)
    except ValueError:
        raise JobFailed("The letter cannot be read: OCTAVO_SECRET was changed since it was written.") from None
    if occasion.until is not None and work.store.clock() > occasion.until:
        raise JobFailed("The letter could not be sent while it was worth something.")
    letter = Letters(work.tools.settings).write(occasion)
    try:
        await mailer.send(letter, key=work.job.id, now=work.job.created_at)
    except Unreachable as failure:
        raise NotYet(str(failure)) from None
    except GatewayFailure as failure:
        raise JobFailed(str(failure)) from None
    return {"sent": True}
