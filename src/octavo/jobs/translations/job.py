"""The job that runs translations; what it needs reads Markdown, so that it is loaded with the first run."""

from __future__ import annotations

from octavo.jobs.work import TRANSLATIONS, JobKind, Work
from octavo.kernel.records import Json

KIND = "translate"


async def run(work: Work) -> Json:
    """As `jobs.translations.run.run`."""
    from octavo.jobs.translations import run as runs

    return await runs.run(work)


async def failed(work: Work, sentence: str) -> None:
    """As `jobs.translations.run.failed`."""
    from octavo.jobs.translations import run as runs

    await runs.failed(work, sentence)


JOB = JobKind(run=run, tries=3, seconds=4 * 3600, failed=failed, lane=TRANSLATIONS, outside=True)
