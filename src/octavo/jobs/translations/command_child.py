"""The child process that runs the program of a translator: its limits are the program's too."""

from __future__ import annotations

import subprocess
import sys

from octavo.gateways.translators import ANSWER_MAX
from octavo.jobs.children.inside import Broke, Line
from octavo.jobs.translations.command_request import Command


def work(line: Line) -> bytes:
    """What the program wrote."""
    asked = line.request(Command)
    try:
        with (line.folder / "answer").open("w+b") as answer:
            ended = subprocess.run(
                asked.command,
                input=asked.reads,
                stdout=answer,
                stderr=sys.stderr,
                cwd=line.folder,
                timeout=asked.seconds,
                check=False,
            )
            answer.seek(0)
            wrote = answer.read(ANSWER_MAX + 1)
    except subprocess.TimeoutExpired as error:
        raise Broke(f"The program that translates took more than {asked.seconds} seconds.") from error
    except OSError as error:
        raise Broke(f"The program that translates could not be started: {error.strerror}.") from error
    if ended.returncode != 0:
        raise Broke(
            f"The program that translates ended with code {ended.returncode}; the log of the server has what it said."
        )
    if len(wrote) > ANSWER_MAX:
        raise Broke(f"The program that translates wrote more than {ANSWER_MAX >> 20} MB.")
    return wrote
