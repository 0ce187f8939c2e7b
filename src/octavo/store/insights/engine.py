"""What an engine of insights does, whichever it is; and the rows that it is given."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import msgspec

from octavo.kernel.clock import system_clock
from octavo.kernel.records.insights import Event
from octavo.store.insights.agents import read_agent
from octavo.store.insights.dialects import Dialect
from octavo.store.insights.spool import Portion

_TYPES = {"int": "integer", "int | None": "integer", "bool": "flag"}
_MADE = ("device", "browser", "system", "bot")
"""Columns made of what a browser says it is."""
_NAMES = tuple(field.name for field in msgspec.structs.fields(Event))
_AGENT, _KEY = _NAMES.index("agent"), _NAMES.index("key")
KINDS: dict[str, str] = {
    **{name: _TYPES.get(str(Event.__annotations__[name]), "text") for name in _NAMES if name not in ("agent", "key")},
    **dict.fromkeys(_MADE, "text"),
}
"""The columns of the table of events, in their order: name -> integer, text or flag."""
REQUIRED = ("organization", "site", "moment", "type", "visitor", "session", "context", "authenticated")
"""Those that are never null."""
_LEFT_OUT = sorted((_AGENT, _KEY), reverse=True)


class Engine(Protocol):
    """Where events are kept and asked for. Calls may come from several threads, those that write one after the other."""

    dialect: Dialect

    def positions(self) -> dict[tuple[str, int], int]:
        """How far it is in each file of the spool."""

    def load(self, portion: Portion) -> None:
        """Take a portion of the spool: all of it, and once."""

    def forget_files(self, files: list[tuple[str, int]]) -> None:
        """Files of the spool are gone: nobody asks for them any more."""

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        """The answer to a query. Raises Slow or Heavy where that is more than the engine may do."""

    def segments(self, organization: str, site: str, limit: int) -> list[tuple[str | None, int, int, int]]:
        """(claims, events, visitors, sessions), most frequent first."""

    def remove(self, condition: str) -> int:
        """Remove the events for which a condition in its own SQL holds; how many."""

    def retain(self, since: int, keys: int) -> int: ...
    def export(self, file: str) -> int: ...
    def close(self) -> None: ...


def row(event: Event) -> tuple[Any, ...]:
    """An event as a row of the table."""
    values = list(msgspec.structs.astuple(event))
    agent = values[_AGENT]
    for at in _LEFT_OUT:
        del values[at]
    # A text without a character says nothing, and one way to say that is enough for queries.
    return (*(None if value == "" else value for value in values), *read_agent(agent))


def noted(events: Sequence[Event]) -> list[tuple[int, int]]:
    """Keys of events, and since when they are known: one of last year is as new as one of now."""
    now = system_clock()
    return [(event.key, max(event.moment, now)) for event in events if event.key is not None]


def fresh(events: Sequence[Event], known: set[int]) -> list[Event]:
    """Those whose keys are neither known nor those of one before."""
    seen = set(known)
    made = []
    for event in events:
        if event.key is not None:
            if event.key in seen:
                continue
            seen.add(event.key)
        made.append(event)
    return made
