"""Log lines: one an event, readable, with what was given beside the message."""

from __future__ import annotations

import json
import logging
import sys
from pathlib import Path

from octavo.logs import Lines, Objects


def test_a_line_holds_time_level_place_message_and_values() -> None:
    record = logging.makeLogRecord(
        {
            "name": "octavo.jobs",
            "levelname": "WARNING",
            "msg": "a job ended",
            "created": 0.5,
            "job": "j1",
            "error": 'a "b"\n',
        }
    )
    assert Lines().format(record) == (
        '1970-01-01T00:00:00.500Z warning octavo.jobs a job ended job="j1" error="a \\"b\\"\\n"'
    )


def test_an_exception_follows_its_line() -> None:
    try:
        raise ValueError("broken")
    except ValueError:
        record = logging.makeLogRecord(
            {"name": "octavo.api", "levelname": "ERROR", "msg": "no", "exc_info": sys.exc_info()}
        )
    first, *rest = Lines().format(record).splitlines()
    assert first.endswith("error octavo.api no")
    assert rest[-1] == "ValueError: broken"


def test_lines_as_json_objects() -> None:
    try:
        raise ValueError("broken\nin two")
    except ValueError:
        given = {"name": "octavo.api", "levelname": "ERROR", "msg": "no", "created": 0.5, "request": "r1", "ms": 1.5}
        record = logging.makeLogRecord(given | {"exc_info": sys.exc_info(), "place": Path("/data")})
    line = Objects().format(record)
    assert "\n" not in line
    told = json.loads(line)
    assert told.pop("exception").endswith("ValueError: broken\nin two")
    assert told == {
        "time": "1970-01-01T00:00:00.500Z",
        "level": "error",
        "logger": "octavo.api",
        "message": "no",
        "request": "r1",
        "ms": 1.5,
        "place": "/data",
    }
