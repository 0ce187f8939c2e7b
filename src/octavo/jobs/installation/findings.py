"""What a doctor finds."""

from __future__ import annotations

from typing import Literal, NamedTuple

State = Literal["ok", "off", "warning", "failure"]


class Finding(NamedTuple):
    """One thing that was looked at."""

    check: str
    state: State
    said: str
    todo: str = ""
    """What to do; empty where nothing is."""
