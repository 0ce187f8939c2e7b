"""A translator that is a program of the operator's: started for each question, in a child process with limits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import msgspec

from octavo.gateways.failures import Unreachable
from octavo.gateways.translators import Question, read_answer
from octavo.jobs.children import room
from octavo.jobs.children.terms import Child
from octavo.jobs.translations.command_request import Command
from octavo.jobs.work import JobBroke, JobFailed, Work

MEMORY = 8 << 30
"""Bytes: models are large."""
GRACE = 5
"""Seconds that the child has beside those of the program, to say how it ended."""


@dataclass(frozen=True)
class CommandTranslator:
    """The program of the settings."""

    work: Work

    async def translate(self, question: Question) -> Mapping[str, str]:
        settings = self.work.tools.settings
        seconds = settings.translation_seconds
        child = Child(
            module="octavo.jobs.translations.command_child",
            memory=MEMORY,
            computing=seconds,
            seconds=seconds + GRACE,
            exhausted="The program that translates takes more time or memory than it may use, or was stopped.",
        )
        asked = Command(settings.translation_command, msgspec.json.encode(question), seconds)
        try:
            async with room.folder(self.work.tools.room) as folder:
                answer: bytes = await room.run(
                    self.work, child, folder, msgspec.to_builtins(asked, builtin_types=(bytes,))
                )
        except (JobFailed, JobBroke) as failure:
            raise Unreachable(str(failure)) from failure
        return read_answer(question, answer)
