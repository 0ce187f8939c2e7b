"""Logs: one line an event on standard error, `time level logger message name=value …` or one JSON object, whatever runs."""

from __future__ import annotations

import json
import logging
import sys

from octavo.kernel.clock import iso
from octavo.kernel.errors import masked

_USUAL = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime"}


class Lines(logging.Formatter):
    """What was given as `extra` follows the message; secrets are never given to a logger."""

    def format(self, record: logging.LogRecord) -> str:
        given = {name: value for name, value in vars(record).items() if name not in _USUAL}
        told = "".join(f" {name}={json.dumps(value, default=str)}" for name, value in given.items())
        at = iso(round(record.created * 1000))
        line = f"{at} {record.levelname.lower()} {record.name} {record.getMessage()}{told}"
        return masked(line if record.exc_info is None else f"{line}\n{self.formatException(record.exc_info)}")


class Objects(logging.Formatter):
    """The same as one JSON object a line: `time`, `level`, `logger`, `message`, what was given, `exception`."""

    def format(self, record: logging.LogRecord) -> str:
        told = {
            "time": iso(round(record.created * 1000)),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        told |= {name: value for name, value in vars(record).items() if name not in _USUAL}
        if record.exc_info is not None:
            told["exception"] = self.formatException(record.exc_info)
        return masked(json.dumps(told, default=str, ensure_ascii=False))


def configure_logs(level: str, shape: str = "text") -> None:
    """Send everything from `level` on to standard error; `shape` is text or json."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(Objects() if shape == "json" else Lines())
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    logging.getLogger("octavo").setLevel(level.upper())
