"""Asking a script, wherever it runs: at its development tunnel, or in a child process of this worker."""

from __future__ import annotations

import msgspec

from octavo.gateways import scripts
from octavo.gateways.addresses import Guard
from octavo.gateways.failures import GatewayFailure
from octavo.jobs.children.staying import Ended, Staying
from octavo.jobs.children.terms import Child
from octavo.jobs.integrations.orders import LOADING, Order, Ran, Sent
from octavo.jobs.work import Lane, Work
from octavo.site.integrations import tunnel_of
from octavo.site.scripts import Told

SCRIPTS = Lane(4, each=2)
"""What programs of others are told."""
GRACE = 5.0
"""Seconds that the child has beside those of the script, to say how it ended."""
_COMPUTING = 300
"""Seconds of CPU time of a child's life, as of its script's."""
_ADDRESS_SPACE = 256 << 30
"""Bytes: the engine reserves far more than it uses, and what it uses is limited in the child."""


class Unasked(Exception):
    """The script could not be asked, or answered nothing; the sentence says why."""


async def ask(work: Work, told: Told, organization: str, body: bytes | None = None) -> Ran:
    """What a script answers to an event in an organization; `body` is that of the request which the event tells of.

    Raises Unasked.
    """
    tunnel = tunnel_of(told.integration, organization)
    if tunnel is None:
        return await _run(work, told, organization, body)
    settings = work.tools.settings
    guard = Guard(allow_private=settings.allow_private_addresses, allow_hosts=frozenset(settings.allowed_hosts))
    try:
        answer = await scripts.post(tunnel, told.payload, told.environment, guard, body)
    except GatewayFailure as failure:
        raise Unasked(str(failure)) from failure
    return Ran(answer.status, [*answer.headers.items()], answer.body)


async def _run(work: Work, told: Told, organization: str, body: bytes | None) -> Ran:
    settings, one = work.tools.settings, told.integration
    program = settings.script_program
    if program is None:
        raise Unasked("nothing runs scripts in this installation")
    kind, data = scripts.encoded(told.payload, told.environment, body)

    async def start() -> Staying:
        script = await work.tools.blobs.get(one.organization, one.script)
        if script is None:
            raise Ended("the script is not among the files of its owner any more")
        order = Order(
            program,
            script.decode(),
            settings.script_seconds,
            settings.script_memory,
            work.tools.base,
            settings.script_hosts,
            settings.allow_private_addresses,
            settings.allowed_hosts,
        )
        return await Staying.started(_child(order), msgspec.to_builtins(order), work.tools.room)

    # What one organization's events leave behind in a script's memory, those of another do not find.
    key = (one.id, one.script, organization)
    try:
        async with work.tools.staying.lent(key, start, settings.script_processes) as child:
            sent = msgspec.to_builtins(Sent(kind, data), builtin_types=(bytes,))
            answer = await child.asked(sent, settings.script_seconds + GRACE)
            return msgspec.convert(answer, Ran)
    except Ended as ended:
        raise Unasked(str(ended)) from ended


def _child(order: Order) -> Child:
    return Child(
        module="octavo.jobs.integrations.sandbox",
        memory=_ADDRESS_SPACE,
        computing=_COMPUTING,
        seconds=max(order.seconds, LOADING) + GRACE,
        exhausted="the script took more than it may, and was stopped",
    )
