"""The child process of a specification: reads the text, and leaves its document and its parts in the folder.

What it reads may be made to exhaust its reader.
"""

from __future__ import annotations

import msgspec

from octavo.content.openapi.cutting import cut
from octavo.content.openapi.reading import Unreadable, read
from octavo.jobs.children import frames
from octavo.jobs.children.inside import Line, Refused
from octavo.jobs.openapi.processing_request import DOCUMENT, GIVEN, PARTS, Processed, Request


def work(line: Line) -> Processed:
    """Leave the document and its parts in the folder; what the text is."""
    request = line.request(Request)
    try:
        document, kind = read((line.folder / GIVEN).read_bytes())
        made = cut(document, request.operations)
    except Unreadable as fault:
        raise Refused(str(fault)) from fault
    size = (line.folder / DOCUMENT).write_bytes(msgspec.json.encode(document))
    with (line.folder / PARTS).open("wb") as file:
        for name, data in made.parts.items():
            frames.write(file, name, data)
    return Processed(kind, made.faults[: request.errors], len(made.faults), size)
