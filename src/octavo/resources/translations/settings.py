"""Translations of spaces: what is translated into which languages, and by which instructions."""

from __future__ import annotations

from msgspec import UNSET

from octavo.access import locate
from octavo.access.locate_translations import sees_source
from octavo.access.policy import permissions
from octavo.kernel import limits
from octavo.kernel.errors import BadRequest, Conflict
from octavo.kernel.ids import new_id
from octavo.kernel.operation import UNLIMITED, Nothing, nothing, reads, writes
from octavo.kernel.records import Role
from octavo.kernel.records.translations import Translation, TranslationLanguage
from octavo.resources.call import Call, Slice, listed
from octavo.resources.places import AtOrganization, AtTranslation, AtTranslationLanguage
from octavo.wire.fields import Maybe
from octavo.wire.lists import ListQuery
from octavo.wire.translations import settings
from octavo.wire.translations.settings import (
    CreateTranslation,
    LanguageView,
    SourceSpace,
    TranslationView,
    UpdateTranslation,
    UpdateTranslationLanguage,
    told,
)


async def list_in_organization(call: Call, at: AtOrganization, query: ListQuery) -> Slice[TranslationView]:
    """Newest first."""
    found = await call.unit.translations.all(at.organization.record.id)
    page = call.cut(found, query, lambda one: (-one.created_at, one.id))
    return Slice(await _views(call, page.items, at.organization.role), page.count, page.next)


async def get(call: Call, at: AtTranslation, takes: Nothing) -> TranslationView:
    """One translation."""
    return await _view(call, at, at.translation.record)


async def create(call: Call, at: AtOrganization, body: CreateTranslation) -> TranslationView:
    """Nothing is translated before it is run."""
    organization = at.organization.record.id
    if len(await call.unit.translations.all(organization)) >= limits.TRANSLATIONS_MAX:
        raise Conflict(f"an organization has {limits.TRANSLATIONS_MAX} translations at most")
    source = await _source(call, at, body.source)
    one = Translation(
        id=new_id(),
        organization=organization,
        title=body.title,
        created_at=call.now,
        updated_at=call.now,
        source=None if source is None else source.space,
        source_language=None if source is None else source.language,
        instructions="" if body.instructions is UNSET else told(body.instructions),
        automatic=body.automatic,
        user=None if source is None else call.caller.user.id,
    )
    await call.unit.translations.add(one)
    await _set_languages(call, one, [] if body.languages is UNSET else list(body.languages))
    return await _view(call, at, one)


async def update(call: Call, at: AtTranslation, body: UpdateTranslation) -> TranslationView:
    """The title, and what else was sent."""
    one = at.translation.record
    changed: dict[str, object] = {"title": body.title, "updated_at": call.now}
    if (source := await _source(call, at, body.source)) is not None:
        changed |= {"source": source.space, "source_language": source.language, "user": call.caller.user.id}
    if body.instructions is not UNSET:
        changed["instructions"] = told(body.instructions)
    if body.automatic is not UNSET:
        changed["automatic"] = body.automatic
    one = await call.unit.translations.change(one, **changed)
    kept = [each.language for each in await _languages(call, one)]
    await _set_languages(call, one, kept if body.languages is UNSET else list(body.languages))
    return await _view(call, at, one)


async def delete(call: Call, at: AtTranslation, takes: Nothing) -> None:
    """What it made stays, as spaces like any other."""
    await call.unit.translations.remove(at.translation.record.id)


async def list_languages(call: Call, at: AtTranslation, query: ListQuery) -> Slice[LanguageView]:
    """In the order of the translation."""
    found = await _languages(call, at.translation.record)
    page = call.cut(found, query, lambda one: (one.position, one.id))
    return Slice([await _language_view(call, at.translation.record, one) for one in page.items], page.count, page.next)


async def get_language(call: Call, at: AtTranslationLanguage, takes: Nothing) -> LanguageView:
    """One language."""
    return await _language_view(call, at.translation.record, at.translation_language.record)


async def update_language(call: Call, at: AtTranslationLanguage, body: UpdateTranslationLanguage) -> LanguageView:
    """The next run works by it."""
    one = await call.unit.translations.change_language(
        at.translation_language.record, instructions=told(body.instructions)
    )
    await call.unit.translations.change(at.translation.record, updated_at=call.now)
    return await _language_view(call, at.translation.record, one)


async def _source(call: Call, at: AtOrganization, given: Maybe[SourceSpace]) -> SourceSpace | None:
    """The space that was named, which the caller may see: what she cannot read is not translated for her."""
    if given is UNSET:
        return None
    seen = await locate.space(call.unit, call.caller, given.space)
    if seen.record.organization != at.organization.record.id:
        raise BadRequest("source.space: a space of this organization")
    return given


async def _set_languages(call: Call, one: Translation, wanted: list[str]) -> None:
    """These and no others; what is known of one that stays, stays."""
    if len(set(wanted)) != len(wanted):
        raise BadRequest("languages: each language once")
    if one.source_language in wanted:
        raise BadRequest(f"languages: the source is in {one.source_language!r}")
    known = {each.language: each for each in await _languages(call, one)}
    for language, old in known.items():
        if language not in wanted:
            await call.unit.translations.remove_language(old.id)
    for position, language in enumerate(wanted):
        if (kept := known.get(language)) is not None:
            await call.unit.translations.change_language(kept, position=position)
        else:
            made = TranslationLanguage(
                id=new_id(),
                organization=one.organization,
                translation=one.id,
                language=language,
                position=position,
            )
            await call.unit.translations.add_language(made)


async def _languages(call: Call, one: Translation) -> list[TranslationLanguage]:
    return (await call.unit.translations.languages((one.id,)))[one.id]


async def _language_view(call: Call, translation: Translation, one: TranslationLanguage) -> LanguageView:
    told = await sees_source(call.unit, call.caller, translation)
    return LanguageView(one, await call.unit.translations.newest_run(one.translation, one.language), told)


async def _view(call: Call, at: AtOrganization, one: Translation) -> TranslationView:
    return (await _views(call, [one], at.organization.role))[0]


async def _views(call: Call, found: list[Translation], role: Role | None) -> list[TranslationView]:
    may = permissions("organization", role)
    shown = {"view": may["view"], "edit": may["createContent"]}
    languages = await call.unit.translations.languages(one.id for one in found)
    return [
        TranslationView(one, [await _language_view(call, one, each) for each in languages[one.id]], shown)
        for one in found
    ]


_ALL = "/orgs/{organization}/translations"
_ONE = "/orgs/{organization}/translations/{translation}"
_LANGUAGES = _ONE + "/languages"
_LANGUAGE = _LANGUAGES + "/{translation_language}"

OPERATIONS = (
    reads("listTranslations", _ALL, list_in_organization, listed(settings.present),
          needs="organization.view", scope=UNLIMITED, summary="List the translations of an organization"),
    writes("POST", "createTranslation", _ALL, create, settings.present,
           lock="organization", status=201, needs="organization.createContent", scope=UNLIMITED,
           also="`view` on the space that is its source", audit="translation.create",
           about=lambda made: made.translation, summary="Create a translation"),
    reads("getTranslation", _ONE, get, settings.present,
          needs="organization.view", scope=UNLIMITED, summary="Get a translation"),
    writes("PUT", "updateTranslation", _ONE, update, settings.present,
           lock="organization", needs="organization.createContent", scope=UNLIMITED,
           also="`view` on the space that is its source", audit="translation.update",
           summary="Change a translation"),
    writes("DELETE", "deleteTranslation", _ONE, delete, nothing,
           lock="organization", needs="organization.createContent", scope=UNLIMITED, audit="translation.delete",
           summary="Delete a translation"),
    reads("listTranslationLanguages", _LANGUAGES, list_languages, listed(settings.present_language),
          needs="organization.view", scope=UNLIMITED, summary="List the languages of a translation"),
    reads("getTranslationLanguage", _LANGUAGE, get_language, settings.present_language,
          needs="organization.view", scope=UNLIMITED, summary="Get a language of a translation"),
    writes("PUT", "updateTranslationLanguage", _LANGUAGE, update_language, settings.present_language,
           lock="organization", needs="organization.createContent", scope=UNLIMITED,
           audit="translation.language.update", about=lambda made: made.language,
           summary="Change the instructions for a language of a translation"),
)  # fmt: skip
