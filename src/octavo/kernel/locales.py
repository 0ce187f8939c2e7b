"""The languages in which Octavo itself speaks: on published pages, and in letters."""

from __future__ import annotations

from typing import Literal, get_args

Locale = Literal[
    "en", "fr", "es", "zh", "ja", "de", "nl", "no", "pt-br", "ru",
    "it", "pt", "sv", "da", "pl", "ko", "uk", "tr", "ar", "he",
]  # fmt: skip
LOCALES: tuple[Locale, ...] = get_args(Locale)
"""Those of the specification for sites; `no` is Norwegian Bokmål, `zh` simplified Chinese."""
RIGHT_TO_LEFT = frozenset({"ar", "he"})
TAGS = {"no": "nb", "pt-br": "pt-BR", "zh": "zh-Hans"}
"""As BCP 47 has them, where they differ."""


def tag(locale: str) -> str:
    """A locale as a BCP 47 tag.

    >>> tag("pt-br"), tag("de")
    ('pt-BR', 'de')
    """
    return TAGS.get(locale, locale)
