"""Translations: spaces in further languages, how they are made, each time that they are, and the words that are settled."""

from __future__ import annotations

from typing import Literal

from octavo.kernel.records import Json, Record

RunStatus = Literal["pending", "running", "completed", "failed", "cancelled"]


class Translation(Record, frozen=True):
    """Which space is translated from which language; its languages are records of their own."""

    id: str
    organization: str
    title: str
    created_at: int
    updated_at: int
    source: str | None = None
    """The space; None = nobody named one yet."""
    source_language: str | None = None
    instructions: str = ""
    """For every language; a line for each paragraph."""
    automatic: bool = False
    """Whether a run follows every change of the source."""
    user: str | None = None
    """Who named the source: automatic runs act for her."""


class TranslationLanguage(Record, frozen=True):
    """One language of a translation, and what was made of it."""

    id: str
    organization: str
    translation: str
    language: str
    position: int
    instructions: str = ""
    space: str | None = None
    """The translated space; None before the first run."""
    source: str | None = None
    """The space that `base` belongs to."""
    base: str | None = None
    """The revision of the source that the last run translated."""
    machine: str | None = None
    """The revision with what the last run alone made of it; what people wrote since differs from this one."""
    result: str | None = None
    """The revision of the translated space that the last run made."""
    recipe: str = ""
    """A digest of everything but the texts that the last run worked by: instructions, glossary, version."""
    unfinished: list[str] = []
    """Pages with blocks that the last run left in the source's language."""
    runs: int = 0
    words: int = 0
    pages: int = 0
    duration: int = 0
    """Milliseconds, of all runs."""


class TranslationRun(Record, frozen=True):
    """One time that a language was translated."""

    id: str
    organization: str
    translation: str
    language: str
    """Of `TranslationLanguage.language`."""
    status: RunStatus
    created_at: int
    user: str | None = None
    automatic: bool = False
    started_at: int | None = None
    finished_at: int | None = None
    pages_total: int = 0
    pages_done: int = 0
    asked: int = 0
    """Blocks that the provider was asked for."""
    remembered: int = 0
    """Blocks that were known from an earlier run."""
    kept: int = 0
    """Blocks that stayed in the source's language, as no answer to them could be used."""
    words: int = 0
    message: str | None = None
    """Why it failed; a sentence."""
    problems: list[Json] = []
    """{page, title, reason, text?} of the first pages that somebody has to look at."""
    base: str | None = None
    """The revision of the source that it translated."""
    revision: str | None = None
    """The revision of the translated space that it made, or found to be right."""

    @property
    def over(self) -> bool:
        """Whether nothing more becomes of it."""
        return self.status in ("completed", "failed", "cancelled")


class GlossaryEntry(Record, frozen=True):
    """What a term is called in each language."""

    id: str
    organization: str
    translations: dict[str, str]
    created_at: int
    updated_at: int
