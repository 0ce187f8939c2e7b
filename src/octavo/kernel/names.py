"""Names and titles: one line that shows what it is, wherever it is printed, mailed or logged."""

from __future__ import annotations

import re

LEFT_OUT = r"\x00-\x1f\x7f-\x9f" + "\u2028-\u202e\u2066-\u2069"
"""Inside the brackets of a pattern: control characters and breaks of lines, and what turns the direction of text, so that
it is read otherwise than it is written. The higher ones stand as they are, which every dialect of patterns reads."""

_LEFT_OUT = re.compile(f"[{LEFT_OUT}]")
_RUNS = re.compile(rf"[{LEFT_OUT}\s]+")


def fault(name: str) -> str | None:
    """What is wrong with a name, to follow on what it is called; None = nothing.

    >>> fault("Grace Hopper"), fault("Grace\\nBcc: all")
    (None, 'holds the character U+000A, which no name may hold')
    """
    found = _LEFT_OUT.search(name)
    return None if found is None else f"holds the character U+{ord(found[0]):04X}, which no name may hold"


def plain(words: str, most: int) -> str:
    """A name of what somebody else says, who cannot be asked for another one.

    >>> plain(" Grace\\tHopper\\u202e ", 64)
    'Grace Hopper'
    """
    return _RUNS.sub(" ", words).strip()[:most].rstrip()
