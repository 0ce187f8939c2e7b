"""Translations where content meets storage: runs that are asked for, and how a translated space stands to its source."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from octavo.content.conflicts import is_marked
from octavo.content.revision import Branch, Digest, Page, flatten
from octavo.history.contents import Contents, contents_of
from octavo.kernel import limits
from octavo.kernel.events import TranslationWanted
from octavo.kernel.ids import new_id
from octavo.kernel.records.content import Revision
from octavo.kernel.records.library import Space
from octavo.kernel.records.translations import Translation, TranslationLanguage, TranslationRun
from octavo.store.unit import Unit


async def want(
    unit: Unit, translation: Translation, language: TranslationLanguage, user: str | None, *, automatic: bool = False
) -> TranslationRun:
    """A run that waits: the one that does already, which has yet to look at the source, or a new one."""
    run = await unit.translations.waiting_run(translation.id, language.language)
    if run is None:
        run = TranslationRun(
            id=new_id(),
            organization=translation.organization,
            translation=translation.id,
            language=language.language,
            status="pending",
            created_at=unit.now,
            user=user,
            automatic=automatic,
        )
        await unit.translations.add_run(run, keep=limits.RUNS_KEPT)
    # Also for one that waits: its job may have been given up, and of jobs that wait there is only one.
    wanted = TranslationWanted(
        organization=run.organization, translation=run.translation, language=run.language, user=run.user
    )
    await unit.emit(wanted)
    return run


@dataclass(frozen=True)
class PageState:
    """How a page of the source stands in a translation."""

    branch: Branch
    """Of the source, as it is now."""
    translated: Page | None
    """None where it is not there yet."""
    stale: bool
    """The source says something else than what was translated."""
    edited: bool
    """Somebody wrote into the translation."""
    conflict: bool
    """Both sides of a conflict stand in it."""


async def stands(unit: Unit, source: Space, language: TranslationLanguage) -> list[PageState]:
    """Every page of the source that has words, in reading order."""
    now = await _contents(unit, source.revision)
    assert now is not None  # a space's row names its head
    base = None if language.source != source.id else await _contents(unit, language.base)
    space = None if language.space is None else await unit.spaces.get(language.space)
    there = None if space is None or space.deleted_at is not None else await _contents(unit, space.revision)
    machine = await _contents(unit, language.machine)
    edited = _differing(machine, there)
    texts = await _texts(unit, source.organization, edited)
    made = []
    for branch in (*flatten(now.branches), *now.outside):
        page = branch.page
        translated = None if there is None else there.pages.get(page.id)
        stale = translated is not None and (base is None or _said(base.pages.get(page.id)) != _said(page))
        mine = edited.get(page.id)
        marked = mine is not None and is_marked(texts.get(mine.text or b"", b"").decode())
        made.append(PageState(branch, translated, stale, mine is not None, marked))
    return made


@dataclass(frozen=True)
class Behind:
    """A translated space whose source has another head than the one that was translated: revisions of the source."""

    base: str
    head: str


async def behind(unit: Unit, spaces: Iterable[str]) -> dict[str, Behind]:
    """Those among these spaces whose source moved on since they were translated."""
    made = {key: one for key, one in (await unit.translations.making(spaces)).items() if one.base and one.source}
    if not made:
        return {}
    sources = {one.id: one for one in await unit.spaces.by_ids(one.source or "" for one in made.values())}
    found = {}
    for key, one in made.items():
        source = sources.get(one.source or "")
        if source is not None and source.deleted_at is None and one.base not in (None, source.revision):
            found[key] = Behind(one.base, source.revision)
    return found


async def is_stale(unit: Unit, since: Behind, page: str) -> bool:
    """Whether the source says something else on that page than what was translated."""
    now, base = await _contents(unit, since.head), await _contents(unit, since.base)
    if now is None or base is None or page not in now.pages:
        return False
    return _said(now.pages[page]) != _said(base.pages.get(page))


async def _contents(unit: Unit, revision: str | None) -> Contents | None:
    found: Revision | None = None if revision is None else await unit.revisions.get(revision)
    return None if found is None else await contents_of(unit, found)


def _said(page: Page | None) -> tuple[object, ...] | None:
    """What readers read of a page: where it stands and how it looks is nothing to translate."""
    return None if page is None else (page.text, page.title, page.description)


def _differing(machine: Contents | None, there: Contents | None) -> Mapping[str, Page]:
    """Pages that say something else than the last run made of them."""
    if machine is None or there is None:
        return {}
    return {key: page for key, page in there.pages.items() if _said(page) != _said(machine.pages.get(key))}


async def _texts(unit: Unit, organization: str, pages: Mapping[str, Page]) -> Mapping[Digest, bytes]:
    wanted = {page.text for page in pages.values() if page.text is not None}
    return await unit.objects.get(organization, wanted) if wanted else {}
