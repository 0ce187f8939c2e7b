"""Letters are written here: what is to be told, in the words of a language, by templates that operators may replace."""

from __future__ import annotations

import logging
import tomllib
from collections.abc import Callable, Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import get_args

from markupsafe import Markup, escape

from octavo.kernel.letters import About, Letter, Occasion
from octavo.kernel.locales import LOCALES, RIGHT_TO_LEFT, tag
from octavo.kernel.settings import Settings
from octavo.web.pages import environment

KINDS: tuple[About, ...] = get_args(About)
TEMPLATES = ("frame.html", *(f"{about}.{kind}" for about in KINDS for kind in ("html", "txt")))
"""All templates. The first line of `….txt` is the letter's subject, the second is empty."""
_log = logging.getLogger("octavo.mail")


class Letters:
    """Writes the letters of an installation."""

    def __init__(self, settings: Settings) -> None:
        self._folder = settings.mail_templates
        self._language = settings.language

    def write(self, occasion: Occasion) -> Letter:
        """The letter. Where a template of the operator's cannot be used the log says why, and Octavo's own takes its place: a
        code or an invitation does not wait until it is mended.
        """
        try:
            return self._written(occasion, self._folder)
        except Exception as error:  # a template can do whatever Python can
            if self._folder is None:
                raise
            told = {"about": occasion.about, "error": trouble(error)}
            _log.error("a template of OCTAVO_MAIL_TEMPLATES cannot be used; Octavo's own was taken", extra=told)
            return self._written(occasion, None)

    def check(self, occasion: Occasion) -> Letter:
        """The letter, or what is wrong with a template of the operator's: raises ValueError."""
        try:
            return self._written(occasion, self._folder)
        except Exception as error:  # a template can do whatever Python can
            raise ValueError(trouble(error)) from None

    def _written(self, occasion: Occasion, folder: Path | None) -> Letter:
        templates = environment(__name__, folder)
        locale = occasion.language if occasion.language in LOCALES else self._language
        words = _words(locale, occasion.about)
        right_to_left = locale in RIGHT_TO_LEFT
        known = occasion.told | {
            "lang": tag(locale),
            "direction": "rtl" if right_to_left else "ltr",
            "unsubscribe": occasion.unsubscribe,
        }
        text = templates.get_template(f"{occasion.about}.txt").render(
            known, say=_say(words, plain=True, apart=right_to_left)
        )
        html = templates.get_template(f"{occasion.about}.html").render(
            known, say=_say(words, plain=False, apart=right_to_left)
        )
        subject, _, rest = text.partition("\n")
        return Letter(
            to=occasion.to, subject=subject, text=rest.strip("\n") + "\n", html=html, unsubscribe=occasion.unsubscribe
        )


def trouble(error: Exception) -> str:
    """What is wrong with a template, and where, in one line."""
    name, line = getattr(error, "name", None), getattr(error, "lineno", None)
    place = f"{name}, line {line}: " if name and line else f"{name}: " if name else ""
    return f"{place}{type(error).__name__}: {error}".replace("\n", " ")


def _say(words: Mapping[str, str], *, plain: bool, apart: bool) -> Callable[..., str]:
    """What templates call for words: `say("days", days=3)`; of HTML, all that is put in is escaped. `apart` keeps what is put
    in from turning the words around it, as `#12 Birds (Handbook)` does in Arabic.
    """

    def say(name: str, /, **values: object) -> str:
        # What people typed stays on its line: a line of its own could look like one of ours.
        said = {key: " ".join(str(value).split()) for key, value in values.items()}
        if apart:
            said = {key: f"\u2068{value}\u2069" for key, value in said.items()}
        return words[name].format(**said) if plain else Markup(escape(words[name])).format(**said)

    return say


@cache
def _words(locale: str, about: About) -> Mapping[str, str]:
    """The sentences of one kind of letter; an English one where a language has none yet."""
    return _table("en").get(about, {}) | _table(locale).get(about, {})


@cache
def _table(locale: str) -> dict[str, dict[str, str]]:
    written = files(__name__).joinpath("words", f"{locale}.toml").read_text(encoding="utf-8")
    return tomllib.loads(written)
