"""What references mean in a book: places in it, addresses elsewhere, pictures that were prepared for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from html import unescape

from octavo.content.document import Ref
from octavo.content.html.escape import address, string
from octavo.content.html.text import characters
from octavo.content.revision import File, Page

ADDRESS = 2_000
"""Characters of the longest address that becomes a link."""

_SCHEMES = ("http://", "https://", "mailto:", "tel:")
# Names in Unicode's data where they differ from ours; English as written outside of America has the day first.
_CLDR = {"en": "en_GB", "no": "nb", "zh": "zh_Hans", "zh_tw": "zh_Hant"}


@dataclass(frozen=True, slots=True)
class Goal:
    """Where a reference leads: to a page, perhaps to an anchor of it, or to an address; without both, nowhere.

    The address of a page is for a book that does not hold the page.
    """

    title: str = ""
    page: str = ""
    anchor: str = ""
    address: str = ""
    emoji: str = ""


@dataclass(frozen=True)
class Surroundings:
    """What every chapter of a book may refer to."""

    language: str = "en"
    space: str = ""
    """References that name this space mean its own pages."""
    pages: Mapping[str, Page] = field(default_factory=dict)
    """Pages that may be named and led to."""
    addresses: Mapping[str, str] = field(default_factory=dict)
    """Where visitors find a page, by its id."""
    files: Mapping[str, File] = field(default_factory=dict)
    pictures: Mapping[str, str] = field(default_factory=dict)
    """Names of prepared pictures, by the ids of their files."""
    tags: Mapping[str, str] = field(default_factory=dict)
    """Labels by slug."""

    def goal(self, ref: Ref, here: str) -> Goal:
        """Where a reference on the page `here` leads."""
        kind, anchor = ref.get("kind"), string(ref.get("anchor"))
        if kind == "url":
            return Goal(address=web(string(ref.get("url"))))
        if kind == "anchor" and not ref.get("page"):
            return Goal(page=here, anchor=anchor)
        file = self.file(ref)
        if file is not None:
            return Goal(title=file.name)
        page = self.pages.get(string(ref.get("page")))
        if kind not in ("page", "anchor") or page is None or not self._own(ref):
            return Goal()
        found = self.addresses.get(page.id, "")
        elsewhere = web(f"{found}#{anchor}" if found and anchor else found)
        return Goal(page.title, page.id, anchor, elsewhere, characters(page.emoji))

    def file(self, ref: Ref) -> File | None:
        """The file that a reference names."""
        named = ref.get("kind") == "file" and self._own(ref)
        return self.files.get(string(ref.get("file"))) if named else None

    def picture(self, ref: Ref) -> tuple[str, File] | None:
        """The prepared picture that a reference names, and what is known of it."""
        file = self.file(ref)
        name = "" if file is None else self.pictures.get(file.id, "")
        return (name, file) if file is not None and name else None

    def day(self, day: date, style: str) -> str:
        """A day as the book's language writes it; style: full, short or numeric."""
        # Few books need it, and it is slow to import.
        from babel import Locale, UnknownLocaleError
        from babel.dates import format_date, format_skeleton

        name = self.language.lower().replace("-", "_")
        try:
            locale = Locale.parse(_CLDR.get(name, name))
        except (UnknownLocaleError, ValueError):
            locale = Locale.parse("en_GB")
        if style != "numeric":
            return str(format_date(day, "medium" if style == "short" else "long", locale))
        # English is read on both sides of the Atlantic, which order days and months differently.
        return day.isoformat() if locale.language == "en" else str(format_skeleton("yMd", day, locale=locale))

    def _own(self, ref: Ref) -> bool:
        return ref.get("space") in (None, "", self.space)


def web(url: str) -> str:
    """The address where a reader can follow it from a sheet of paper's file; "" otherwise."""
    # What is safe is decided where it is for browsers, which also escapes it.
    safe = unescape(address(url))
    return safe if safe.lower().startswith(_SCHEMES) and len(safe) <= ADDRESS else ""
