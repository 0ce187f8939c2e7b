"""A book of pages as Typst source: one file for each chapter, others that put chapters together, a front."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from octavo.content.document import Node
from octavo.content.html.text import characters, children, words
from octavo.content.revision import Page
from octavo.content.typst import blocks, code, containers, foreign, media, tables
from octavo.content.typst.context import Goal, Surroundings
from octavo.content.typst.inlines import INLINES
from octavo.content.typst.source import array, literal, pieces
from octavo.content.typst.writer import LONGEST, Writer, leftward, runs_left

LINK = "octavo:"
"""Begins the address of a link to a place in the book; a label follows, which is a named destination of the PDF."""

BLOCKS = blocks.BLOCKS | code.BLOCKS | containers.BLOCKS | media.BLOCKS | tables.BLOCKS | foreign.BLOCKS

SHEETS = sorted(Path(__file__).with_name("sheets").glob("*.typ"))
"""The look of a book: files that lie beside its source."""
_CALLED = "book.typ"
"""That of them whose functions the source calls."""

_LANGUAGE = re.compile(r"([a-z]{2,3})(?:[-_]([a-z]{2}))?$")
_FOREIGN = re.compile(r"[^\w -]")


@dataclass(frozen=True, slots=True)
class Entry:
    """A place that the book's table of contents or its outline names."""

    level: int
    title: str
    label: str
    kind: Literal["group", "page", "heading"]


@dataclass(frozen=True)
class Chapter:
    """A page in its place."""

    page: Page
    document: Node | None
    """With conditions decided and included contents in place; None where there is no text."""
    level: int = 1
    """In the outline."""
    groups: tuple[tuple[int, str], ...] = ()
    """Groups of pages that begin here, as (level, title)."""
    above: str = ""
    """The title of the entry that the page stands below."""


@dataclass(frozen=True)
class Book:
    """What is set."""

    title: str
    chapters: list[Chapter]
    whole: bool = True
    """With a cover and a table of contents."""
    running: str = ""
    """What stands at the head of every sheet."""
    over: str = ""
    """A line over the title on the cover."""
    under: tuple[str, ...] = ()
    """Lines at the foot of the cover."""
    mark: str = ""
    """An emoji; without one, the initial of the title stands for it."""


@dataclass(frozen=True)
class Written:
    """A chapter as source, and what leads to it."""

    source: str
    entries: list[Entry]


def chapters(book: Book, around: Surroundings, plain: frozenset[int] = frozenset()) -> list[Written]:
    """The chapters as source, in order; those whose numbers are in `plain` without any form, only their words."""
    writers = [
        _plain(chapter, around, number) if number in plain else _formed(chapter, around, number)
        for number, chapter in enumerate(book.chapters)
    ]
    resolve = _resolver({writer.page: writer for writer in writers})
    return [
        Written(
            f'#import "{_CALLED}": *\n#chapter({_opening(book, number, around)},'
            f"{{{''.join(piece if isinstance(piece, str) else resolve(piece.goal) for piece in writer.out)}}})\n",
            _entries(book.chapters[number], number, writer),
        )
        for number, writer in enumerate(writers)
    ]


def part(book: Book, around: Surroundings, numbers: Iterable[int], page: int) -> str:
    """The source of some of the chapters one after the other, the first on the page of that number."""
    included = [f'#include "{file_of(number)}"' for number in numbers]
    return "\n".join([*_beginning(book, around), f"#counter(page).update({page})", *included, ""])


def front(book: Book, around: Surroundings, entries: Iterable[Entry], pages: Mapping[str, int]) -> str:
    """The source of cover and table of contents; `pages` are the numbers of the pages of labels, 0 while unknown."""
    first = next((one for one in book.title if one.isalnum()), "")
    lines = [
        *_beginning(book, around),
        f"#front(over:{literal(book.over)},title:{literal(book.title)},mark:{literal(book.mark)},"
        f"initial:{literal(first.upper()[:1])},under:{array(literal(line) for line in book.under if line)})",
    ]
    listed = [
        f"({entry.level},{'true' if entry.kind == 'group' else 'false'},{literal(entry.title)},"
        f"{literal(LINK + entry.label)},{literal(str(pages.get(entry.label, 0)))})"
        for entry in entries
        if entry.kind != "heading"
    ]
    if len(book.chapters) > 1:
        lines.append(f"#contents({','.join(listed)})")
    return "\n".join([*lines, ""])


def file_of(number: int) -> str:
    """The name of the file of a chapter."""
    return f"chapter{number}.typ"


def chapter_in(message: str) -> int | None:
    """The number of the chapter whose file a message of the compiler names first."""
    found = re.search(r"\bchapter(\d+)\.typ", message)
    return int(found[1]) if found else None


def _formed(chapter: Chapter, around: Surroundings, number: int) -> Writer:
    writer = Writer(around, chapter.page.id, _label(number), chapter.level, BLOCKS, INLINES)
    writer.blocks(children(chapter.document or {}))
    _name_again(writer)
    return writer


def _plain(chapter: Chapter, around: Surroundings, number: int) -> Writer:
    """The chapter as nothing but words."""
    writer = Writer(around, chapter.page.id, _label(number), chapter.level, {}, {})
    for node in children(chapter.document or {}):
        writer.put("p({")
        writer.text(words(node))
        writer.put("});")
    return writer


def _label(number: int) -> str:
    return f"c{number}"


def _group_label(number: int, place: int) -> str:
    return f"c{number}g{place}"


def _name_again(writer: Writer) -> None:
    """Give headings the anchors that Git hosts make of their titles too, as HTML does."""
    met: dict[str, int] = {}
    for heading in writer.headings:
        slug = _FOREIGN.sub("", heading.title.lower()).replace(" ", "-")
        times = met[slug] = met.get(slug, -1) + 1
        writer.anchors.setdefault(f"{slug}-{times}" if times else slug, heading.label)


def _resolver(writers: Mapping[str, Writer]) -> Callable[[Goal], str]:
    """What begins a link to a place in the book, or to an address where the page is not in it."""

    def resolve(goal: Goal) -> str:
        writer = writers.get(goal.page)
        if writer is not None:
            return f"to({literal(LINK + writer.anchors.get(goal.anchor.lower(), writer.label))},"
        return f"to({literal(goal.address)}," if goal.address else "as-it-is("

    return resolve


def _entries(chapter: Chapter, number: int, writer: Writer) -> list[Entry]:
    groups = [
        Entry(level, title, _group_label(number, place), "group") for place, (level, title) in enumerate(chapter.groups)
    ]
    page = Entry(chapter.level, chapter.page.title, writer.label, "page")
    return [
        *groups,
        page,
        *(
            Entry(heading.level, heading.title, heading.label, "heading")
            for heading in writer.headings
            if heading.level
        ),
    ]


def _opening(book: Book, number: int, around: Surroundings) -> str:
    """What a chapter begins with."""
    chapter = book.chapters[number]
    page = chapter.page
    groups = (
        f"({level},{literal(title)},{literal(_group_label(number, place))})"
        for place, (level, title) in enumerate(chapter.groups)
    )
    turned = runs_left(page.title)
    rtl = leftward(around.language) if turned is None else turned
    ref = (page.cover or {}).get("ref")
    found = around.picture(ref) if isinstance(ref, dict) else None
    return ",".join(
        (
            f"label:{literal(_label(number))}",
            f"level:{chapter.level}",
            f"groups:{array(groups)}",
            f"above:{literal(chapter.above)}",
            f"running:{literal(book.running)}",
            f"mark:{literal(characters(page.emoji))}",
            f"name:{literal(page.title)}",
            f"shown:{{{pieces(page.title, LONGEST // 2)}}}",
            f"description:{literal(page.description or '')}",
            f"dir:{'rtl' if rtl else 'ltr'}",
            f"cover:{literal(found[0]) if found else 'none'}",
        )
    )


def _beginning(book: Book, around: Surroundings) -> list[str]:
    language = _LANGUAGE.match(around.language.lower())
    lang, region = (language[1], language[2]) if language else ("en", None)
    return [
        f'#import "{_CALLED}": *',
        f"#show: book.with(title:{literal(book.title)},lang:{literal(lang)},"
        f"region:{literal(region) if region else 'none'})",
    ]
