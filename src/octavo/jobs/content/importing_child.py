"""The child process of an import of content: fetches, reads what came, and leaves a plan and files in a folder.

What it reads may be made to exhaust its reader.
"""

from __future__ import annotations

import msgspec

from octavo.content.importing import Refused as Unread
from octavo.content.importing.assemble import assemble
from octavo.gateways.failures import GatewayFailure
from octavo.jobs.children.inside import Line, Refused
from octavo.jobs.content.importing_fetch import fetched
from octavo.jobs.content.importing_request import FILES, PLAN, Request
from octavo.kernel.ids import new_id


def work(line: Line) -> None:
    """Leave the plan in the folder, and the files that it names."""
    files = line.folder / FILES
    files.mkdir()

    def keep(blob: str, data: bytes) -> None:
        (files / blob).write_bytes(data)

    try:
        made = assemble(fetched(line.request(Request), line.folder), new_id, keep)
    except (GatewayFailure, Unread) as failure:
        raise Refused(str(failure)) from failure
    (line.folder / PLAN).write_bytes(msgspec.msgpack.encode(made))
