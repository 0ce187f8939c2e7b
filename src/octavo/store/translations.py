"""Translations: settings, languages, runs, the glossary, and what was translated before."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from octavo.kernel.records.translations import GlossaryEntry, Translation, TranslationLanguage, TranslationRun
from octavo.store.database.engine import Connection
from octavo.store.database.statement import Statement
from octavo.store.shelf import Table, count

TRANSLATIONS = Table("translations", Translation)
LANGUAGES = Table("translation_languages", TranslationLanguage)
RUNS = Table("translation_runs", TranslationRun)
GLOSSARY = Table("glossary_entries", GlossaryEntry)

_ALL = TRANSLATIONS.select("WHERE organization = :organization ORDER BY created_at DESC, id")
_OF_SOURCE = TRANSLATIONS.select("WHERE source = :source AND automatic = 1 ORDER BY id")
_LANGUAGES = LANGUAGES.select("WHERE translation IN :translations[] ORDER BY translation, position")
_OF_SPACES = LANGUAGES.select("WHERE space IN :spaces[] ORDER BY id")
_RUNS_OF = "WHERE translation = :translation"
_RUNS = RUNS.select(
    f"{_RUNS_OF} AND (created_at < :before OR (created_at = :before AND id > :after))"
    " ORDER BY created_at DESC, id LIMIT :limit"
)
_COUNT_RUNS = Statement(f"SELECT count(*) FROM translation_runs {_RUNS_OF}")
_NEWEST = RUNS.select(f"{_RUNS_OF} AND language = :language ORDER BY created_at DESC, id LIMIT 1")
_WAITING = RUNS.select(f"{_RUNS_OF} AND language = :language AND status = 'pending' ORDER BY created_at, id LIMIT 1")
_OPEN = RUNS.select(f"{_RUNS_OF} AND status IN ('pending', 'running') ORDER BY created_at, id")
_OLD_RUNS = Statement(
    "DELETE FROM translation_runs WHERE translation = :translation AND language = :language"
    " AND status NOT IN ('pending', 'running') AND id NOT IN (SELECT id FROM translation_runs"
    " WHERE translation = :translation AND language = :language ORDER BY created_at DESC, id LIMIT :keep)"
)
_GLOSSARY = GLOSSARY.select("WHERE organization = :organization ORDER BY created_at DESC, id")
_WHOLE = Statement("SELECT digest, text FROM translation_memory WHERE organization = :organization")
_KNOWN = Statement(
    "SELECT digest, text FROM translation_memory WHERE organization = :organization AND digest IN :digests[bytes]"
)
_USED = Statement(
    "UPDATE translation_memory SET used_at = :now WHERE organization = :organization AND digest IN :digests[bytes]"
)
_LEARN = Statement(
    "INSERT INTO translation_memory (organization, digest, text, used_at)"
    " VALUES (:organization, :digest, :text, :used_at)"
    " ON CONFLICT (organization, digest) DO UPDATE SET text = excluded.text, used_at = excluded.used_at"
)
_FORGET = Statement("DELETE FROM translation_memory WHERE used_at < :before")


class Translations:
    """What is translated into which languages, and each time that it was."""

    def __init__(self, at: Connection) -> None:
        self._at = at

    async def get(self, translation: str) -> Translation | None:
        return await TRANSLATIONS.get(self._at, id=translation)

    async def all(self, organization: str) -> list[Translation]:
        """Those of an organization, newest first."""
        return await TRANSLATIONS.list(self._at, _ALL, {"organization": organization})

    async def following(self, source: str) -> list[Translation]:
        """Those that are made anew whenever this space changes."""
        return await TRANSLATIONS.list(self._at, _OF_SOURCE, {"source": source})

    async def add(self, translation: Translation) -> None:
        await TRANSLATIONS.add(self._at, translation)

    async def change(self, translation: Translation, **changed: object) -> Translation:
        return await TRANSLATIONS.change(self._at, translation, **changed)

    async def remove(self, translation: str) -> None:
        await TRANSLATIONS.remove(self._at, id=translation)

    async def language(self, language: str) -> TranslationLanguage | None:
        """One by its own id."""
        return await LANGUAGES.get(self._at, id=language)

    async def languages(self, translations: Iterable[str]) -> dict[str, list[TranslationLanguage]]:
        """Those of each translation, in their order."""
        wanted = sorted(set(translations))
        found: dict[str, list[TranslationLanguage]] = {one: [] for one in wanted}
        if wanted:
            for one in await LANGUAGES.list(self._at, _LANGUAGES, {"translations": wanted}):
                found[one.translation].append(one)
        return found

    async def making(self, spaces: Iterable[str]) -> dict[str, TranslationLanguage]:
        """By the translated space, the language of which it is the result."""
        wanted = sorted(set(spaces))
        rows = await LANGUAGES.list(self._at, _OF_SPACES, {"spaces": wanted}) if wanted else []
        return {one.space: one for one in rows if one.space is not None}

    async def add_language(self, language: TranslationLanguage) -> None:
        await LANGUAGES.add(self._at, language)

    async def change_language(self, language: TranslationLanguage, **changed: object) -> TranslationLanguage:
        return await LANGUAGES.change(self._at, language, **changed)

    async def remove_language(self, language: str) -> None:
        await LANGUAGES.remove(self._at, id=language)

    async def run(self, run: str) -> TranslationRun | None:
        return await RUNS.get(self._at, id=run)

    async def runs(self, translation: str, behind: tuple[int, str], limit: int) -> list[TranslationRun]:
        """Newest first, those behind a (created, id)."""
        values = {"translation": translation, "before": behind[0], "after": behind[1], "limit": limit}
        return await RUNS.list(self._at, _RUNS, values)

    async def count_runs(self, translation: str) -> int:
        return await count(self._at, _COUNT_RUNS, {"translation": translation})

    async def newest_run(self, translation: str, language: str) -> TranslationRun | None:
        return await RUNS.first(self._at, _NEWEST, {"translation": translation, "language": language})

    async def waiting_run(self, translation: str, language: str) -> TranslationRun | None:
        """The one that has not begun, of which there is one at most."""
        return await RUNS.first(self._at, _WAITING, {"translation": translation, "language": language})

    async def open_runs(self, translation: str) -> list[TranslationRun]:
        """Those that wait or run, in the order of being asked for."""
        return await RUNS.list(self._at, _OPEN, {"translation": translation})

    async def add_run(self, run: TranslationRun, *, keep: int) -> None:
        """A further one; of those that are over the last `keep` stay."""
        await RUNS.add(self._at, run)
        values: dict[str, object] = {"translation": run.translation, "language": run.language, "keep": keep}
        await self._at.run(_OLD_RUNS, values)

    async def change_run(self, run: TranslationRun, **changed: object) -> TranslationRun:
        return await RUNS.change(self._at, run, **changed)


class Glossary:
    """What terms are called in each language."""

    def __init__(self, at: Connection) -> None:
        self._at = at

    async def get(self, entry: str) -> GlossaryEntry | None:
        return await GLOSSARY.get(self._at, id=entry)

    async def all(self, organization: str) -> list[GlossaryEntry]:
        """Those of an organization, newest first."""
        return await GLOSSARY.list(self._at, _GLOSSARY, {"organization": organization})

    async def add(self, entry: GlossaryEntry) -> None:
        await GLOSSARY.add(self._at, entry)

    async def change(self, entry: GlossaryEntry, **changed: object) -> GlossaryEntry:
        return await GLOSSARY.change(self._at, entry, **changed)

    async def remove(self, entry: str) -> None:
        await GLOSSARY.remove(self._at, id=entry)


class TranslationMemory:
    """What was translated before, by a digest of all that the answer hangs on."""

    def __init__(self, at: Connection) -> None:
        self._at = at

    async def whole(self, organization: str) -> dict[bytes, str]:
        """Everything that is remembered for an organization."""
        rows = await self._at.rows(_WHOLE, {"organization": organization})
        return {bytes(digest): text for digest, text in rows}

    async def known(self, organization: str, digests: Iterable[bytes]) -> dict[bytes, str]:
        """The answers that are there."""
        wanted = sorted(set(digests))
        if not wanted:
            return {}
        rows = await self._at.rows(_KNOWN, {"organization": organization, "digests": wanted})
        return {bytes(digest): text for digest, text in rows}

    async def use(self, organization: str, digests: Iterable[bytes], now: int) -> None:
        """Somebody needed these, so that they stay."""
        wanted = sorted(set(digests))
        if wanted:
            await self._at.run(_USED, {"organization": organization, "digests": wanted, "now": now})

    async def learn(self, organization: str, answers: Mapping[bytes, str], now: int) -> None:
        """Keep these."""
        rows = [
            {"organization": organization, "digest": digest, "text": text, "used_at": now}
            for digest, text in sorted(answers.items())
        ]
        if rows:
            await self._at.many(_LEARN, rows)

    async def forget(self, before: int) -> None:
        """Remove what nobody needed since."""
        await self._at.run(_FORGET, {"before": before})
