"""One run of a translation: what changed is translated, then joined with what people wrote, then shown, all at once.

Nobody sees anything of a run before its last unit. What a run alone makes is a revision too, which later ones are joined
over: so what somebody wrote into the translated space is known from what a run wrote there, and stays.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from octavo.content.revision import Digest
from octavo.gateways.translators import HttpTranslator, Term, Translator
from octavo.jobs.translations import joining, making
from octavo.jobs.translations.asking import Asker, Recipe, Silent
from octavo.jobs.translations.command import CommandTranslator
from octavo.jobs.work import Work
from octavo.kernel.records import Json
from octavo.kernel.records.content import Revision
from octavo.kernel.records.library import Space
from octavo.kernel.records.translations import Translation, TranslationLanguage, TranslationRun
from octavo.store.unit import Unit

NO_SOURCE = "The translation names no space that it is made from, or that space is gone."
NOBODY = (
    "Whoever wanted this has no account any more: somebody else has to run the translation, or name its source again."
)
NO_TRANSLATOR = "This installation has no translator any more: OCTAVO_TRANSLATION_URL and _COMMAND are not set."
BROKEN = "Something broke here while this was translated; the log of the server has it."


class Cancelled(Exception):
    """Somebody does not want the run any more."""


class Impossible(Exception):
    """The run cannot be made; the sentence says why."""


@dataclass(frozen=True)
class Begun:
    """A run with all that it is made from."""

    run: TranslationRun
    language: TranslationLanguage
    translation: Translation
    space: Space
    head: Revision
    recipe: Recipe
    plan: making.Plan


async def run(work: Work) -> Json:
    """Payload: translation, language. Makes the runs that wait, the oldest first; result: their ids."""
    over: list[str] = []
    while (one := await work.write(partial(_next, payload=work.job.payload))) is not None:
        over.append(one.id)
        try:
            await _make(work, one)
        except Cancelled:
            continue
        except (Impossible, Silent) as why:
            await work.write(partial(_fail, run=one.id, message=str(why)))
    return {"runs": over}


async def failed(work: Work, sentence: str) -> None:
    """Say on the runs that the job ended: also on those that wait, as nobody makes them any more."""
    while (one := await work.write(partial(_next, payload=work.job.payload))) is not None:
        await work.write(partial(_fail, run=one.id, message=BROKEN))


async def _make(work: Work, one: TranslationRun) -> None:
    begun = await work.read(partial(_begin, run=one))
    asker = Asker(work, one.organization, begun.recipe, _translator(work))

    async def told(done: int, total: int) -> None:
        counts = asker.counts
        changed: dict[str, object] = {
            "pages_total": total,
            "pages_done": done,
            "asked": counts.asked,
            "words": counts.words,
        }
        await work.write(partial(_advance, run=one.id, changed={**changed, "remembered": counts.remembered}))

    made = await making.make(work, begun.plan, asker, told)
    ended: dict[str, object] = {
        "asked": asker.counts.asked, "remembered": asker.counts.remembered, "words": asker.counts.words,
        "kept": made.kept, "pages_total": made.pages, "pages_done": made.pages, "base": begun.head.id,
    }  # fmt: skip
    finished = joining.Finished(one.id, begun.space, begun.head.id, begun.recipe.digest, made, ended)
    if not await joining.finish(work, finished):
        raise Cancelled


def _translator(work: Work) -> Translator:
    settings = work.tools.settings
    if work.tools.translator is not None:
        return work.tools.translator
    if settings.translation_url is not None:
        return HttpTranslator(settings.translation_url, settings.translation_token, settings.translation_seconds)
    if settings.translation_command:
        return CommandTranslator(work)
    raise Impossible(NO_TRANSLATOR)


async def _next(unit: Unit, *, payload: Json) -> TranslationRun | None:
    """The run to make now: one that was broken off, else the oldest that waits."""
    waiting = [
        one for one in await unit.translations.open_runs(payload["translation"]) if one.language == payload["language"]
    ]
    if not waiting:
        return None
    one = next((each for each in waiting if each.status == "running"), waiting[0])
    return await unit.translations.change_run(one, status="running", started_at=one.started_at or unit.now)


async def _begin(unit: Unit, *, run: TranslationRun) -> Begun:
    """Raises Cancelled where the language is gone, Impossible where the source is."""
    translation = await unit.translations.get(run.translation)
    languages = (await unit.translations.languages((run.translation,)))[run.translation]
    language = next((one for one in languages if one.language == run.language), None)
    if translation is None:
        raise Cancelled
    if language is None:
        raise Impossible("The translation does not have this language any more.")
    space = None if translation.source is None else await unit.spaces.get(translation.source)
    if space is None or space.deleted_at is not None or space.organization != translation.organization:
        raise Impossible(NO_SOURCE)
    if run.user is None or await unit.people.user(run.user) is None:
        raise Impossible(NOBODY)
    head = await unit.revisions.get(space.revision)
    assert head is not None  # a space's row names its head
    recipe = await _recipe(unit, translation, language)
    plan = await _plan(unit, head, space, language, recipe)
    return Begun(run, language, translation, space, head, recipe, plan)


async def _recipe(unit: Unit, translation: Translation, language: TranslationLanguage) -> Recipe:
    source, target = translation.source_language or "", language.language
    entries = [one.translations for one in await unit.glossary.all(translation.organization)]
    terms = sorted({(one[source], one[target]) for one in entries if source in one and target in one})
    told = "\n".join(filter(None, (translation.instructions, language.instructions)))
    return Recipe(source, target, told, [Term(*one) for one in terms])


async def _plan(unit: Unit, head: Revision, space: Space, language: TranslationLanguage, recipe: Recipe) -> making.Plan:
    """Only what differs from the last run, where that worked by the same recipe upon the same space."""
    named = [one for one in (language.base, language.machine) if one is not None]
    known = {one.id: one for one in await unit.revisions.by_ids(named)}
    base, machine = known.get(language.base or ""), known.get(language.machine or "")
    same = language.recipe == recipe.digest and language.source == space.id
    serves = same and base is not None and machine is not None
    return making.Plan(
        space.organization,
        head.root,
        _root(base) if serves else None,
        _root(machine) if serves else None,
        frozenset(language.unfinished) if serves else frozenset(),
    )


def _root(revision: Revision | None) -> Digest | None:
    return None if revision is None else revision.root


async def _advance(unit: Unit, *, run: str, changed: dict[str, object]) -> None:
    """Raises Cancelled when the run is over for another reason."""
    one = await unit.translations.run(run)
    if one is None or one.status != "running":
        raise Cancelled
    await unit.translations.change_run(one, **changed)


async def _fail(unit: Unit, *, run: str, message: str) -> None:
    one = await unit.translations.run(run)
    if one is not None and not one.over:
        await unit.translations.change_run(one, status="failed", message=message, finished_at=unit.now)
