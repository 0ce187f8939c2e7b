"""Runs of translations: how far each is, what became of it, and what somebody has to look at."""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec import UNSET

from octavo.kernel.clock import iso
from octavo.kernel.records import translations as records
from octavo.wire.fields import DateTime, Language, Located, Maybe, Shape, maybe
from octavo.wire.lists import ListQuery
from octavo.wire.view import View


class RunPages(Shape, frozen=True):
    """Pages that had to be looked at, and how many of them were."""

    total: int
    done: int


class RunBlocks(Shape, frozen=True):
    """Blocks of text: `asked` of the provider, `remembered` from earlier runs, `kept` in the source's language."""

    asked: int
    remembered: int
    kept: int


class Problem(Shape, frozen=True):
    """Something that somebody has to look at."""

    reason: str
    page: Maybe[str] = UNSET
    title: Maybe[str] = UNSET
    text: Maybe[str] = UNSET
    """Of the source, its beginning."""


class Run(Shape, tag_field="object", tag="translation-run", frozen=True):
    """`message` says why a run failed; `problems` are the first that there were, and told to
    those who see the source."""

    id: str
    language: Language
    status: Literal["pending", "running", "completed", "failed", "cancelled"]
    automatic: bool
    pages: RunPages
    blocks: RunBlocks
    words: int
    problems: list[Problem]
    created_at: DateTime
    urls: Located
    started_at: Maybe[DateTime] = UNSET
    finished_at: Maybe[DateTime] = UNSET
    message: Maybe[str] = UNSET
    revision: Maybe[str] = UNSET
    """Of the translated space."""


class TranslatedPage(Shape, tag_field="object", tag="translation-page", frozen=True):
    """A page of the source and how it stands in a language. `title` and `path` are those of the source."""

    id: str
    title: str
    path: str
    state: Literal["missing", "stale", "current"]
    """`stale`: the source says something else than what was translated."""
    edited: bool
    """Somebody wrote into the translation."""
    conflict: bool
    """Words of people and a newer translation stand at one place, of which readers see the first."""
    translated_title: Maybe[str] = UNSET


class PagesQuery(ListQuery, frozen=True):
    """`state` keeps the pages that stand like that."""

    state: Maybe[Literal["missing", "stale", "current"]] = UNSET


class PageView(msgspec.Struct, frozen=True):
    """`number` is its place in the whole list."""

    id: str
    title: str
    path: str
    state: Literal["missing", "stale", "current"]
    edited: bool
    conflict: bool
    translated: str | None
    number: int


def present_page(page: PageView, view: View) -> TranslatedPage:
    """A page as the API serves it."""
    return TranslatedPage(
        id=page.id,
        title=page.title,
        path=page.path,
        state=page.state,
        edited=page.edited,
        conflict=page.conflict,
        translated_title=maybe(page.translated),
    )


class RunView(msgspec.Struct, frozen=True):
    """`told` says whether problems may be, which have words of the source."""

    run: records.TranslationRun
    told: bool


def present(shown: RunView, view: View) -> Run:
    """The run as the API serves it."""
    run = shown.run
    return Run(
        id=run.id,
        language=msgspec.convert(run.language, Language),
        status=run.status,
        automatic=run.automatic,
        pages=RunPages(run.pages_total, run.pages_done),
        blocks=RunBlocks(run.asked, run.remembered, run.kept),
        words=run.words,
        problems=msgspec.convert(run.problems if shown.told else [], list[Problem]),
        created_at=iso(run.created_at),
        urls=Located(view.location("orgs", run.organization, "translations", run.translation, "runs", run.id)),
        started_at=maybe(None if run.started_at is None else iso(run.started_at)),
        finished_at=maybe(None if run.finished_at is None else iso(run.finished_at)),
        message=maybe(run.message),
        revision=maybe(run.revision),
    )
