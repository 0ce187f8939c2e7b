"""Words of a path become translations, their languages and runs, and entries of the glossary, or the answer is 404."""

from __future__ import annotations

import msgspec

from octavo.access.caller import Caller
from octavo.access.locate import Finder
from octavo.access.standing import role_on_space
from octavo.kernel.errors import absent
from octavo.kernel.records.people import Organization
from octavo.kernel.records.translations import GlossaryEntry, Translation, TranslationLanguage, TranslationRun
from octavo.store.unit import Unit


class SeenTranslation(msgspec.Struct, frozen=True):
    """A translation of the organization that was found before it."""

    record: Translation


class SeenTranslationLanguage(msgspec.Struct, frozen=True):
    """A language of the translation that was found before it."""

    record: TranslationLanguage


class SeenTranslationRun(msgspec.Struct, frozen=True):
    """A run of the translation that was found before it."""

    record: TranslationRun


class SeenGlossaryEntry(msgspec.Struct, frozen=True):
    """An entry of the glossary of the organization that was found before it."""

    record: GlossaryEntry


async def translation(unit: Unit, word: str, within: Organization) -> SeenTranslation:
    """A translation of the organization."""
    record = await unit.translations.get(word)
    if record is None or record.organization != within.id:
        raise absent("translation", word)
    return SeenTranslation(record)


async def translation_language(unit: Unit, word: str, within: Translation) -> SeenTranslationLanguage:
    """A language of the translation, by its code or its own id."""
    for one in (await unit.translations.languages((within.id,)))[within.id]:
        if word in (one.language, one.id):
            return SeenTranslationLanguage(one)
    raise absent("language of the translation", word)


async def translation_run(unit: Unit, word: str, within: Translation) -> SeenTranslationRun:
    """A run of the translation."""
    record = await unit.translations.run(word)
    if record is None or record.translation != within.id:
        raise absent("run of the translation", word)
    return SeenTranslationRun(record)


async def glossary_entry(unit: Unit, word: str, within: Organization) -> SeenGlossaryEntry:
    """An entry of the organization's glossary."""
    record = await unit.glossary.get(word)
    if record is None or record.organization != within.id:
        raise absent("glossary entry", word)
    return SeenGlossaryEntry(record)


async def sees_source(unit: Unit, caller: Caller, one: Translation) -> bool:
    """Whether the caller may read what is translated: only then is she told words of it."""
    space = None if one.source is None else await unit.spaces.get(one.source)
    if space is None or space.deleted_at is not None or space.organization in caller.barred:
        return False
    return await role_on_space(unit, caller, space) is not None


FINDERS: dict[type, Finder] = {
    SeenTranslation: lambda unit, caller, word, found: translation(unit, word, found["organization"].record),
    SeenTranslationLanguage: lambda unit, caller, word, found: translation_language(
        unit, word, found["translation"].record
    ),
    SeenTranslationRun: lambda unit, caller, word, found: translation_run(unit, word, found["translation"].record),
    SeenGlossaryEntry: lambda unit, caller, word, found: glossary_entry(unit, word, found["organization"].record),
}
