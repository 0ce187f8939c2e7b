"""Compiling a book part by part, because a typesetter takes memory by the page."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path

from octavo.content import typst as setting
from octavo.typesetting.binding import Stack, measured
from octavo.typesetting.typesetter import Typesetter, Unset

PORTION = 220_000
"""Characters of source that are compiled at once."""
REPAIRS = 12
"""Chapters that may be set without any form, before the book is given up."""


class Refused(Exception):
    """The book cannot be set; the sentence says why."""


class Press:
    """A book in a folder, where pictures lie ready."""

    def __init__(
        self, typesetter: Typesetter, folder: Path, book: setting.Book, around: setting.Surroundings, at: datetime
    ) -> None:
        """`at` stands in the PDF as the time when it was made."""
        self._typesetter = typesetter
        self._folder = folder
        self._book, self._around = book, around
        self._at = at
        self._plain: frozenset[int] = frozenset()

    def run(self, tell: Callable[[int], None] = lambda done: None) -> Stack:
        """Compile the parts; what is to be bound. `tell` hears after each how many chapters are set."""
        for sheet in setting.SHEETS:
            shutil.copy(sheet, self._folder)
        chapters = setting.chapters(self._book, self._around)
        for number, chapter in enumerate(chapters):
            self._write(setting.file_of(number), chapter.source)
        entries = [entry for chapter in chapters for entry in chapter.entries]
        fronted = self._book.whole or not chapters
        # The front is as long without the numbers of the pages as with them.
        begin = 1 + (self._front(entries, {}) if fronted else 0)
        files = ["front.pdf"] if fronted else []
        pages: dict[str, int] = {}
        for number, numbers in enumerate(_portions(chapters)):
            length, places = self._part(f"part{number}", numbers, begin)
            pages |= {label: begin + index for label, index in places.items()}
            begin += length
            tell(numbers.stop)
            files.append(f"part{number}.pdf")
        if fronted:
            self._front(entries, pages)
        return Stack(files, entries)

    def _front(self, entries: list[setting.Entry], pages: dict[str, int]) -> int:
        """Cover and contents; how many pages they are."""
        self._write("front.typ", setting.front(self._book, self._around, entries, pages))
        return self._compiled("front")[0]

    def _part(self, name: str, numbers: range, begin: int) -> tuple[int, dict[str, int]]:
        """Some chapters; one that the typesetter refuses is set as its words alone."""
        self._write(f"{name}.typ", setting.part(self._book, self._around, numbers, begin))
        while True:
            try:
                made = self._compiled(name)
            except Unset as unset:
                self._repair(unset, numbers)
            else:
                self._typesetter.forget()
                return made

    def _repair(self, unset: Unset, numbers: range) -> None:
        print(f"a page could not be set: {unset}", file=sys.stderr)
        named = setting.chapter_in(unset.where)
        wrong = next(filter(self._fails, numbers), None) if named is None else named
        if wrong is None or wrong in self._plain or len(self._plain) >= REPAIRS:
            raise Refused(f"The typesetter refuses the content: {unset}") from unset
        self._plain |= {wrong}
        chapters = setting.chapters(self._book, self._around, self._plain)
        self._write(setting.file_of(wrong), chapters[wrong].source)

    def _fails(self, number: int) -> bool:
        """Whether a chapter cannot be set by itself."""
        self._write("alone.typ", setting.part(self._book, self._around, [number], 1))
        try:
            self._compiled("alone")
        except Unset:
            return True
        return False

    def _write(self, name: str, source: str) -> None:
        (self._folder / name).write_text(source, "utf-8")

    def _compiled(self, name: str) -> tuple[int, dict[str, int]]:
        """Compile a file: how many pages it is, and where in them its labels are."""
        source, made = self._folder / f"{name}.typ", self._folder / f"{name}.pdf"
        self._typesetter.set(source, made, self._at)
        return measured(made)


def _portions(chapters: list[setting.Written]) -> Iterator[range]:
    """Numbers of chapters that are compiled together."""
    first = size = 0
    for number, chapter in enumerate(chapters):
        if size and size + len(chapter.source) > PORTION:
            yield range(first, number)
            first, size = number, 0
        size += len(chapter.source)
    if chapters:
        yield range(first, len(chapters))
