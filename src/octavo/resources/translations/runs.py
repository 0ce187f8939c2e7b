"""Runs of translations: asked for, looked at, taken back."""

from __future__ import annotations

from typing import Literal

from msgspec import UNSET

from octavo.access import locate
from octavo.access.locate_translations import SeenTranslationRun, sees_source
from octavo.history.translating import PageState, stands, want
from octavo.kernel.errors import Conflict, NotInstalled
from octavo.kernel.operation import UNLIMITED, Nothing, nothing, reads, writes
from octavo.resources.call import Call, Slice, listed
from octavo.resources.places import AtTranslation, AtTranslationLanguage
from octavo.wire.lists import ListQuery
from octavo.wire.translations import runs
from octavo.wire.translations.runs import PagesQuery, PageView, RunView


class AtTranslationRun(AtTranslation, frozen=True):
    translation_run: SeenTranslationRun


async def run(call: Call, at: AtTranslation, takes: Nothing) -> None:
    """Every language; one that waits already is not asked for twice."""
    translation = at.translation.record
    languages = (await call.unit.translations.languages((translation.id,)))[translation.id]
    if translation.source is None:
        raise Conflict("the translation names no space that it is made from: set `source`")
    if not languages:
        raise Conflict("the translation has no languages: set `languages`")
    # What she cannot read is not translated for her.
    await locate.space(call.unit, call.caller, translation.source)
    if not call.settings.translates:
        raise NotInstalled("this installation has no translator: its operator sets OCTAVO_TRANSLATION_URL or _COMMAND")
    for language in languages:
        await want(call.unit, translation, language, call.caller.user.id)


async def list_of(call: Call, at: AtTranslation, query: ListQuery) -> Slice[RunView]:
    """Newest first; of each language the last ones are told of."""
    translation = at.translation.record.id
    found = await call.unit.translations.runs(translation, call.newest_behind(query), query.limit + 1)
    total = await call.unit.translations.count_runs(translation)
    page = call.listing(found, total, query, lambda one: (one.created_at, one.id))
    told = await sees_source(call.unit, call.caller, at.translation.record)
    return Slice([RunView(one, told) for one in page.items], page.count, page.next)


async def get(call: Call, at: AtTranslationRun, takes: Nothing) -> RunView:
    """One run."""
    return RunView(at.translation_run.record, await sees_source(call.unit, call.caller, at.translation.record))


async def cancel(call: Call, at: AtTranslationRun, takes: Nothing) -> RunView:
    """Nothing of it is seen; what it has translated is known to the next one. Raises Conflict for one that is over."""
    one = at.translation_run.record
    if one.over:
        raise Conflict(f"the run is over: it was {one.status}")
    one = await call.unit.translations.change_run(one, status="cancelled", finished_at=call.now)
    return RunView(one, await sees_source(call.unit, call.caller, at.translation.record))


async def list_pages(call: Call, at: AtTranslationLanguage, query: PagesQuery) -> Slice[PageView]:
    """In the reading order of the source, which the caller has to see."""
    source = at.translation.record.source
    if source is None:
        return Slice([], 0, None)
    space = await locate.space(call.unit, call.caller, source)
    found = await stands(call.unit, space.record, at.translation_language.record)
    views = [_view(number, one) for number, one in enumerate(found)]
    wanted = [one for one in views if query.state in (UNSET, one.state)]
    return call.cut(wanted, query, lambda one: (one.number, one.id))


def _view(number: int, one: PageState) -> PageView:
    page = one.branch.page
    state: Literal["missing", "stale", "current"] = "stale" if one.stale else "current"
    return PageView(
        id=page.id,
        title=page.title,
        path=one.branch.path,
        state="missing" if one.translated is None else state,
        edited=one.edited,
        conflict=one.conflict,
        translated=None if one.translated is None else one.translated.title,
        number=number,
    )


_ONE = "/orgs/{organization}/translations/{translation}"
_PAGES = _ONE + "/languages/{translation_language}/pages"
_RUNS = _ONE + "/runs"
_RUN = _RUNS + "/{translation_run}"

OPERATIONS = (
    writes("POST", "runTranslation", _ONE + "/run", run, nothing,
           lock="organization", status=204, needs="organization.createContent", scope=UNLIMITED,
           also="`view` on the space that is its source", audit="translation.run",
           summary="Translate what has changed into every language of a translation"),
    reads("listTranslationRuns", _RUNS, list_of, listed(runs.present),
          needs="organization.view", scope=UNLIMITED, summary="List the runs of a translation"),
    reads("listTranslationPages", _PAGES, list_pages, listed(runs.present_page),
          needs="organization.view", also="`view` on the space that is its source", scope=UNLIMITED,
          summary="List how the pages of a source stand in a language"),
    reads("getTranslationRun", _RUN, get, runs.present,
          needs="organization.view", scope=UNLIMITED, summary="Get a run of a translation"),
    writes("POST", "cancelTranslationRun", _RUN + "/cancel", cancel, runs.present,
           lock="organization", needs="organization.createContent", scope=UNLIMITED,
           audit="translation.run.cancel", summary="Cancel a run of a translation"),
)  # fmt: skip
