"""The interface's words on published pages, one table for each locale in `locales/`, and days as it writes them."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache, lru_cache
from importlib.resources import files
from typing import Literal

from markupsafe import Markup, escape

from octavo.kernel.locales import LOCALES, tag

DayStyle = Literal["full", "short", "numeric"]

# Names in Unicode's data where they differ from ours; English as written outside of America has the day first.
_CLDR = {"en": "en_GB", "no": "nb", "pt-br": "pt_BR", "zh": "zh_Hans"}


@dataclass(frozen=True)
class Words:
    """The words of one locale."""

    locale: str
    text: Mapping[str, str]
    """By name; a word in braces stands for what is put in, see `filled`."""
    script: Markup
    """What scripts say, as data attributes of one element, each with a space before it."""
    content: Mapping[str, str]
    """The phrases of rendered documents, by the English ones."""

    @property
    def lang(self) -> str:
        """The locale as a BCP 47 tag."""
        return tag(self.locale)

    def day(self, day: date, style: DayStyle = "full") -> str:
        """A day in words, or in numbers: `3 November 2026`, `3 Nov 2026`, `2026-11-03`."""
        # Babel is imported with the first day that is written, not with the server.
        from babel.dates import format_date, format_skeleton

        name = _CLDR.get(self.locale, self.locale)
        if style != "numeric":
            return str(format_date(day, "medium" if style == "short" else "long", name))
        # English is read on both sides of the Atlantic, which order days and months differently.
        return day.isoformat() if self.locale == "en" else str(format_skeleton("yMd", day, locale=name))


def of(locale: str) -> Words:
    """The words of a locale; those of English for one that has none."""
    return _read(locale if locale in LOCALES else "en")


def nearest(language: str | None, otherwise: str) -> str:
    """The locale whose words suit readers of a language, `otherwise` where there is none: `zh-tw` has those of `zh`."""
    wanted = (language or "").lower()
    return next((one for one in (wanted, wanted.partition("-")[0]) if one in LOCALES), otherwise)


@lru_cache(maxsize=256)
def direction(language: str) -> Literal["ltr", "rtl"]:
    """Which way the script of a language runs, by its BCP 47 tag."""
    from babel.core import Locale, UnknownLocaleError

    try:
        return "rtl" if Locale.parse(language, sep="-").text_direction == "rtl" else "ltr"
    except (UnknownLocaleError, ValueError):
        return "ltr"


def filled(text: str, **values: object) -> Markup:
    """The text with values in the places of its words in braces, all escaped; markup among the values stays markup."""
    return escape(text).format(**values)


@cache
def _read(locale: str) -> Words:
    english, own = _table("en"), _table(locale)
    # A word that a table does not have yet is an English one, and no page breaks for want of it.
    table = {part: said | own.get(part, {}) for part, said in english.items()}
    attributes = (
        Markup(' data-{}="{}"').format(name.replace("_", "-"), said) for name, said in table["script"].items()
    )
    return Words(locale, table["page"] | table["script"], Markup("").join(attributes), table["content"])


def _table(locale: str) -> dict[str, dict[str, str]]:
    written = files("octavo.publish").joinpath("locales", f"{locale}.toml").read_text(encoding="utf-8")
    return tomllib.loads(written)
