"""Translations: what is translated into which languages, and what a translator is told."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta

from octavo.content.document import assign_keys, block, document, plain, text
from octavo.kernel import limits
from octavo.kernel.clock import SECOND, iso
from octavo.kernel.errors import BadRequest
from octavo.kernel.records import Json
from octavo.kernel.records import translations as records
from octavo.wire.content import documents
from octavo.wire.fields import (
    Body,
    DateTime,
    Id,
    Language,
    Located,
    Maybe,
    Shape,
    TranslationTitle,
    maybe,
    permissions,
    trimmed,
)
from octavo.wire.translations import runs
from octavo.wire.view import View

PERMISSIONS = ("view", "edit")
Languages = Annotated[list[Language], Meta(description="Each once, and not the language of the source")]
Instructions = Annotated[
    str | documents.Words,
    Meta(description="What the translator is told about tone and words: plain text, `{markdown}`, or a document"),
]


class Source(Shape, frozen=True):
    """What is translated."""

    space: str
    language: Language


class Result(Shape, frozen=True):
    """What a translation made: a space, and its revision after the last run."""

    space: str
    revision: str
    language: Language


class Stats(Shape, frozen=True):
    """Durations are seconds; words are those of texts that the provider was asked for."""

    runs: int
    total_words: int
    total_pages: int
    total_duration: int
    latest_run_duration: int
    latest_pages: int
    latest_words: int


class Translation(Shape, tag_field="object", tag="translation-settings", frozen=True):
    """`language` and `result` are those of the first language."""

    id: str
    title: str
    languages: list[Language]
    status: Literal["pending", "running", "completed"]
    instructions: Json
    automatic: bool
    stats: Stats
    created_at: DateTime
    updated_at: DateTime
    permissions: Annotated[dict[str, bool], permissions(*PERMISSIONS)]
    urls: Located
    source: Maybe[Source] = UNSET
    language: Maybe[Language] = UNSET
    result: Maybe[Result] = UNSET


class LanguageSettings(Shape, tag_field="object", tag="translation-language-settings", frozen=True):
    """One language; `space` is there from the first run on, `run` is the newest."""

    id: str
    language: Language
    instructions: Json
    stats: Stats
    urls: Located
    result: Maybe[Result] = UNSET
    run: Maybe[runs.Run] = UNSET


class SourceSpace(Body, frozen=True):
    space: Id
    language: Language


class CreateTranslation(Body, frozen=True):
    """`automatic` has a run follow every change of the source."""

    title: TranslationTitle
    languages: Maybe[Languages] = UNSET
    source: Maybe[SourceSpace] = UNSET
    instructions: Maybe[Instructions] = UNSET
    automatic: bool = False

    def __post_init__(self) -> None:
        trimmed(self, "title", 1, limits.TRANSLATION_TITLE_MAX)


class UpdateTranslation(Body, frozen=True):
    """What is not sent stays. A language that is left out is translated no more; its space stays as it is."""

    title: TranslationTitle
    languages: Maybe[Languages] = UNSET
    source: Maybe[SourceSpace] = UNSET
    instructions: Maybe[Instructions] = UNSET
    automatic: Maybe[bool] = UNSET

    def __post_init__(self) -> None:
        trimmed(self, "title", 1, limits.TRANSLATION_TITLE_MAX)


class UpdateTranslationLanguage(Body, frozen=True):
    """Instructions beside those for every language."""

    instructions: Instructions


class LanguageView(msgspec.Struct, frozen=True):
    language: records.TranslationLanguage
    newest: records.TranslationRun | None = None
    told: bool = False
    """Whether the caller sees the source."""


class TranslationView(msgspec.Struct, frozen=True):
    translation: records.Translation
    languages: list[LanguageView]
    permissions: dict[str, bool]


def told(given: str | documents.Words) -> str:
    """Instructions as they are kept: a line for each paragraph. Raises BadRequest for too many."""
    if isinstance(given, str):
        words = given
    elif (made := documents.tree(given)) is not None:
        words = "\n".join(plain(node) for node in made["nodes"])
    else:
        words = "" if given.markdown is UNSET else given.markdown
    words = words.strip()
    if len(words) > limits.INSTRUCTIONS_MAX:
        raise BadRequest(f"instructions: {limits.INSTRUCTIONS_MAX} characters at most")
    if "\x00" in words:
        raise BadRequest("instructions: a text without the character U+0000")
    return words


def present(shown: TranslationView, view: View) -> Translation:
    """The translation as the API serves it."""
    one, languages = shown.translation, shown.languages
    first = languages[0].language if languages else None
    return Translation(
        id=one.id,
        title=one.title,
        languages=[_code(each.language) for each in languages],
        status=_status(languages),
        instructions=_document(one.instructions),
        automatic=one.automatic,
        stats=_stats(languages),
        created_at=iso(one.created_at),
        updated_at=iso(one.updated_at),
        permissions=shown.permissions,
        urls=Located(view.location("orgs", one.organization, "translations", one.id)),
        source=_source(one),
        language=maybe(None if first is None else _code(first)),
        result=UNSET if first is None else _result(first),
    )


def present_language(shown: LanguageView, view: View) -> LanguageSettings:
    """A language as the API serves it."""
    one = shown.language
    place = ("orgs", one.organization, "translations", one.translation, "languages", one.language)
    return LanguageSettings(
        id=one.id,
        language=_code(one),
        instructions=_document(one.instructions),
        stats=_stats([shown]),
        urls=Located(view.location(*place)),
        result=_result(one),
        run=UNSET if shown.newest is None else runs.present(runs.RunView(shown.newest, shown.told), view),
    )


def _code(language: records.TranslationLanguage) -> Language:
    code: Language = msgspec.convert(language.language, Language)
    return code


def _document(words: str) -> Json:
    return assign_keys(document([block("paragraph", {}, [text(line)]) for line in words.splitlines() if line.strip()]))


def _source(one: records.Translation) -> Maybe[Source]:
    if one.source is None or one.source_language is None:
        return UNSET
    return Source(one.source, msgspec.convert(one.source_language, Language))


def _result(one: records.TranslationLanguage) -> Maybe[Result]:
    if one.space is None or one.result is None:
        return UNSET
    return Result(one.space, one.result, _code(one))


def _status(languages: list[LanguageView]) -> Literal["pending", "running", "completed"]:
    """`running` while any language is; `completed` when all have a result and none waits for another run."""
    newest = [each.newest for each in languages if each.newest is not None]
    if any(run.status == "running" for run in newest):
        return "running"
    waits = any(run.status == "pending" for run in newest)
    done = bool(languages) and all(each.language.result is not None for each in languages)
    return "completed" if done and not waits else "pending"


def _stats(languages: list[LanguageView]) -> Stats:
    newest = [each.newest for each in languages if each.newest is not None]
    return Stats(
        runs=sum(each.language.runs for each in languages),
        total_words=sum(each.language.words for each in languages),
        total_pages=sum(each.language.pages for each in languages),
        total_duration=sum(each.language.duration for each in languages) // SECOND,
        latest_run_duration=sum(
            (run.finished_at or 0) - run.started_at for run in newest if run.over and run.started_at
        )
        // SECOND,
        latest_pages=sum(run.pages_done for run in newest),
        latest_words=sum(run.words for run in newest),
    )
