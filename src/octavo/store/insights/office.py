"""The office: loads the spool into its engine, and answers questions about all that was acknowledged before them."""

from __future__ import annotations

import logging
import threading
import time
from pathlib import Path
from typing import Any

import msgspec
from sqlglot import exp

from octavo.kernel.records.insights import Question
from octavo.store.insights import query
from octavo.store.insights.asking import (
    SPOOL,
    Aggregate,
    Export,
    ForgetSites,
    ForgetVisitors,
    Heavy,
    Options,
    Ready,
    Reply,
    Request,
    Retain,
    Segments,
    Sites,
    Slow,
)
from octavo.store.insights.engine import Engine
from octavo.store.insights.spool import Reader

_PORTION = 4 << 20
"""Bytes of the spool in one transaction."""
_AT_ONCE = 4
"""Questions; more wait."""
_WAIT = 30
"""Seconds for which they do."""
_ENDS = 15
"""Seconds for which the end waits for answers that are under way."""
_log = logging.getLogger("octavo.insights")


def engine_of(folder: Path, options: Options) -> Engine:
    """The engine of an installation."""
    if options.clickhouse is not None:
        from octavo.store.insights.clickhouse import ClickhouseEngine

        return ClickhouseEngine(folder, options)
    from octavo.store.insights.duck import DuckEngine

    return DuckEngine(folder, options)


class Office:
    """Answers in threads."""

    def __init__(self, folder: Path, options: Options) -> None:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._options = options
        self._engine = engine_of(folder, options)
        self._reader = Reader(folder / SPOOL)
        self._positions = self._engine.positions()
        self._loading = threading.Lock()
        self._turns = threading.Semaphore(_AT_ONCE)

    def catch_up(self) -> None:
        """Load what was acknowledged before this was called."""
        with self._loading:
            for portion in self._reader.portions(self._positions, _PORTION):
                self._engine.load(portion)
                self._positions[portion.writer, portion.segment] = portion.end
            gone = self._reader.tidy(self._positions)
            if gone:
                self._engine.forget_files(gone)
                for one in gone:
                    self._positions.pop(one, None)

    def answer(self, request: Request) -> Reply:
        """What is asked for, or which fault there was, as a sentence."""
        if not self._turns.acquire(timeout=_WAIT):
            return Reply(fault="busy", sentence="too many questions are asked at once; try again")
        try:
            self.catch_up()
            return Reply(self._answer(request))
        except Slow:
            seconds = self._options.seconds
            return Reply(
                fault="slow", sentence=f"the question takes longer than {seconds:g} seconds; ask for a shorter range"
            )
        except Heavy:
            most = self._options.memory >> 20
            words = f"the question takes more than {most} MB of memory; ask for a shorter range or fewer groups"
            return Reply(fault="heavy", sentence=words)
        except Exception:
            _log.exception("a question about insights failed")
            return Reply(
                fault="broken", sentence="the engine of insights cannot answer now; the log of the server has why"
            )
        finally:
            self._turns.release()

    def _answer(self, request: Request) -> Any:
        match request:
            case Aggregate():
                return self._aggregate(request.question)
            case Segments():
                return self._segments(request)
            case ForgetVisitors():
                whose = query.of_site(request.organization, request.site)
                chosen = query.column("visitor").isin(*[query.literal(one) for one in request.visitors])
                return self._remove(whose.and_(chosen))
            case Sites():
                tree = exp.select(query.column("site")).distinct().from_("events")
                return [site for (site,) in self._engine.rows(self._engine.dialect.printed(tree))]
            case ForgetSites():
                return self._remove(query.column("site").isin(*[query.literal(one) for one in request.sites]))
            case Retain():
                return self._engine.retain(request.since, request.keys)
            case Export():
                return self._engine.export(request.file)
            case Ready():
                tree = exp.select(exp.Count(this=exp.Star())).from_("events")
                return self._engine.rows(self._engine.dialect.printed(tree))[0][0]

    def _remove(self, condition: exp.Expr) -> int:
        return self._engine.remove(self._engine.dialect.printed(condition))

    def _aggregate(self, question: Question) -> list[dict[str, Any]]:
        printed = query.Printed(question, self._engine.dialect)
        return printed.answer(self._engine.rows(printed.sql()))

    def _segments(self, request: Segments) -> list[dict[str, Any]]:
        found = self._engine.segments(request.organization, request.site, request.limit)
        return [
            {
                "claims": {} if claims is None else msgspec.json.decode(claims),
                "events": events,
                "visitors": visitors,
                "sessions": sessions,
            }
            for claims, events, visitors, sessions in found
        ]

    def close(self) -> None:
        """Load what there is, and let go of the engine. Whoever asks from now on gets no turn: when this process is gone, the
        question goes to the next one that owns the engine."""
        until = time.monotonic() + _ENDS
        for _ in range(_AT_ONCE):
            self._turns.acquire(timeout=max(0.0, until - time.monotonic()))
        try:
            self.catch_up()
        finally:
            self._engine.close()
