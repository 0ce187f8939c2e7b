"""The child process that binds the parts of a PDF, which another has left in the folder."""

from __future__ import annotations

from octavo.jobs.children.inside import Line
from octavo.jobs.content.pdf_request import RESULT
from octavo.typesetting.binding import Stack, bind


def work(line: Line) -> None:
    """Leave the PDF in the folder."""
    bind(line.folder, line.request(Stack), line.folder / RESULT)
