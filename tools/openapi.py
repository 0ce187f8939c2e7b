"""Writes the description of the API that every installation serves, from its rows and shapes. `--check` only compares."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import msgspec

from octavo.api.documents import DESCRIPTION
from octavo.api.openapi import document
from octavo.api.routes import OPERATIONS


def text() -> bytes:
    """The file as it should be: a line for each value, so that a change of the API is a difference to read."""
    return msgspec.json.format(msgspec.json.encode(document(OPERATIONS)), indent=1) + b"\n"


def stale() -> bool:
    """Whether the file is not what the rows say."""
    return not DESCRIPTION.exists() or DESCRIPTION.read_bytes() != text()


def main(arguments: Sequence[str]) -> int:
    """Write the file, or with `--check` say that it is stale; the exit code."""
    if "--check" not in arguments:
        DESCRIPTION.write_bytes(text())
        return 0
    if stale():
        print(f"{DESCRIPTION} is not what the rows say: run `python tools/openapi.py`", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
