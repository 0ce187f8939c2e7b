"""The child process of an import of content: fetches, reads what came, and leaves a plan and files in a folder.

What it reads may be made to exhaust its reader, so time and memory of the process are limited. It opens no database.
"""

from __future__ import annotations

import os
import resource
import sys
import traceback
from pathlib import Path

import msgspec

from octavo.content.importing import Refused
from octavo.content.importing.assemble import assemble
from octavo.gateways.failures import Failure
from octavo.jobs import frames
from octavo.jobs.content_import_fetch import fetched
from octavo.jobs.content_import_request import FILES, PLAN, Request
from octavo.kernel.ids import new_id

_MEMORY = 3 << 30
"""Bytes of address space, of which what was fetched may be a quarter of a gigabyte."""
_SECONDS = 100
"""Of computing."""


def main() -> None:
    """Entry point of `python -m octavo.jobs.content_import_child`."""
    os.nice(5)  # requests come first
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (_SECONDS, _SECONDS))
    asked, told = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr
    frame = frames.read(asked)
    if frame is None:
        return
    request = msgspec.convert(frame[0], Request)
    try:
        _import(request)
    except (Failure, Refused) as failure:
        frames.write(told, "failed", str(failure))
    except MemoryError:
        frames.write(told, "failed", "To read the content takes more memory than an import may use.")
    except Exception:  # what was fetched may break its readers in ways that nobody thought of
        traceback.print_exc()
        frames.write(
            told, "failed", "The content cannot be read: something broke here, and the log of the server has it."
        )
    else:
        frames.write(told, "done")
    told.flush()


def _import(request: Request) -> None:
    folder = Path(request.folder)
    files = folder / FILES
    files.mkdir()

    def keep(blob: str, data: bytes) -> None:
        (files / blob).write_bytes(data)

    made = assemble(fetched(request), new_id, keep)
    (folder / PLAN).write_bytes(msgspec.msgpack.encode(made))


if __name__ == "__main__":
    main()
