"""The child process of an import of content: fetches, reads what came, and leaves a plan and files in a folder.

What it reads may be made to exhaust its reader.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from octavo.content.importing import Imported
from octavo.content.importing import Refused as Unread
from octavo.content.importing.assemble import assemble
from octavo.content.importing.model import joined
from octavo.gateways.failures import GatewayFailure
from octavo.jobs.children.inside import Line, Refused
from octavo.jobs.content.importing_fetch import fetched, uploaded
from octavo.jobs.content.importing_request import FILES, PLAN, Request
from octavo.kernel.ids import new_id


def work(line: Line) -> None:
    """Leave the plan in the folder, and the files that it names."""
    files = line.folder / FILES
    files.mkdir()

    def keep(blob: str, data: bytes) -> None:
        (files / blob).write_bytes(data)

    request = line.request(Request)
    try:
        if request.url is not None:
            line.progress(step="fetching")
            origin = fetched(
                request, request.url, line.folder, lambda done, total: line.progress(done=done, total=total)
            )
            line.progress(step="reading", total=len(origin.pages))
            made = assemble(origin, new_id, keep)
        else:
            line.progress(step="reading", total=request.files)
            made = _each(line, request, keep)
    except (GatewayFailure, Unread) as failure:
        raise Refused(str(failure)) from failure
    (line.folder / PLAN).write_bytes(msgspec.msgpack.encode(made))


def _each(line: Line, request: Request, keep: Callable[[str, bytes], None]) -> Imported:
    """All files that were uploaded; of several, those that cannot be read are told of."""
    parts: list[Imported] = []
    refused: list[str] = []
    for number in range(request.files):
        try:
            parts.append(assemble(uploaded(request.source, line.folder, number), new_id, keep))
        except Unread as failure:
            if request.files == 1:
                raise
            refused.append(f"File {number + 1}: {failure}")
        line.progress(done=number + 1)
    return joined(parts, refused)
