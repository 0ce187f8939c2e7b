"""Whatever reads, evaluates or prints what somebody else wrote takes time in proportion to it, and has an end."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterable
from typing import Any

import msgspec
import pytest

from octavo.content import comparison, conditions, diff3, typst
from octavo.content.html import PlainContext, render
from octavo.content.html.math import mathml
from octavo.content.html.text import description, sections
from octavo.content.layout import summary
from octavo.content.markdown import Parsed, parse, print_page, wild
from octavo.content.markdown.reparse import Before, patched
from octavo.content.reading import as_read
from octavo.content.remarks import Reader, mentioned
from octavo.content.words import tokens
from octavo.content.yaml import YamlFault, load
from tests.content.hostile import CONDITIONS, FORMULAS, MARKDOWN, SUMMARIES, YAML, Make
from tests.content.typesetting import book_of

SIZES = [4_000, pytest.param(100_000, marks=pytest.mark.deep)]
"""Characters; half of that is compared with it."""
SECONDS = 300e-6
"""Of CPU time for a character, whatever is done with it: some times what the slowest takes on a slow machine."""
FLOOR = 0.1
"""Seconds below which growth is noise."""

Work = Callable[[Any], Any]


def _spent(work: Callable[[], Any]) -> float:
    began = time.thread_time()
    work()
    return time.thread_time() - began


def _check(work: Work, half: Any, whole: Any, size: int) -> None:
    """Twice as much takes at most three times as long; asked again where something else may have been in the way."""
    for attempt in range(4):
        before = max(_spent(lambda: work(half)) for _ in range(attempt + 1))
        most = min(SECONDS * size, FLOOR + 3 * before)
        after = min(_spent(lambda: work(whole)) for _ in range(attempt + 1))
        if after <= most:
            return
    pytest.fail(f"{size} characters took {after:.3f} seconds, half of them {before:.3f}")


def _check_texts(work: Work, make: Make, size: int) -> None:
    work(make(500))  # what is imported with the first text
    _check(work, make(size // 2), make(size), size)


def _reparse(page: Parsed) -> None:
    before = Before(page.source, msgspec.json.encode(page.document), {})
    patched(page.source + "\n\nmore\n", lambda href: None, before)


def _typst(page: Parsed) -> None:
    for _ in typst.chapters(book_of(page.document), typst.Surroundings()):
        pass


CONSUMERS: dict[str, Work] = {
    "HTML": lambda page: render(page.document, PlainContext()),
    "Markdown": lambda page: print_page(page.document, title=page.title),
    "Markdown upon its base": lambda page: print_page(page.document, title="Another", base=page),
    "reading": lambda page: as_read(page.document, {}, {}),
    "sections": lambda page: (sections(page.document), description(page.document)),
    "Typst": _typst,
    "an edit": _reparse,
    "a comparison": lambda page: comparison.compare({"nodes": [], "object": "document"}, page.document),
}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("kind", MARKDOWN)
def test_pages(kind: str, size: int) -> None:
    make = MARKDOWN[kind]
    _check_texts(parse, make, size)
    half, whole = parse(make(size // 2)), parse(make(size))
    for work in CONSUMERS.values():
        work(parse(make(500)))
        _check(work, half, whole, size)


@pytest.mark.parametrize("kind", MARKDOWN)
def test_words_lines_and_remarks(kind: str) -> None:
    make, size = MARKDOWN[kind], 4_000
    for work in (
        lambda text: list(tokens(text)),
        lambda text: diff3.merge_text(text, text[: len(text) // 2] + "a" + text, "b" + text),
        mentioned,
        lambda text: Reader().document(text),
    ):
        _check_texts(work, make, size)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("kind", YAML)
def test_front_matter(kind: str, size: int) -> None:
    def read(text: str) -> None:
        with contextlib.suppress(YamlFault):
            load(text)

    _check_texts(read, YAML[kind], size)
    _check_texts(parse, lambda size: f"---\n{YAML[kind](size)}\n---\n\nText\n", size)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("kind", SUMMARIES)
def test_tables_of_contents(kind: str, size: int) -> None:
    _check_texts(summary.parse, SUMMARIES[kind], size)


@pytest.mark.parametrize("kind", CONDITIONS)
def test_conditions(kind: str) -> None:
    """They are total as well: whatever is wrong is said, and holds for nobody."""

    def ask(source: str) -> None:
        made = conditions.Expression(source)
        with contextlib.suppress(conditions.ConditionError):
            made.value({})
        made.holds({})
        conditions.printed(source, {})

    _check_texts(ask, CONDITIONS[kind], 9_000)
    _check_texts(ask, CONDITIONS[kind], 100_000)


@pytest.mark.parametrize("kind", FORMULAS)
def test_formulas(kind: str) -> None:
    _check_texts(lambda source: mathml.__wrapped__(source, True), FORMULAS[kind], 4_000)
    _check_texts(lambda source: mathml.__wrapped__(source, True), FORMULAS[kind], 100_000)


@pytest.mark.deep
@pytest.mark.parametrize("kind", MARKDOWN)
def test_the_heaviest_text_that_is_read(kind: str) -> None:
    """At the cap: the longest text of its kind that is read as Markdown, and a longer one, which is not."""
    make = MARKDOWN[kind]
    size = next((size for size in _sizes() if wild.weight(make(size)) <= wild.MOST), 1_000)
    assert _spent(lambda: parse(make(size))) < 60
    assert _spent(lambda: parse(make(4_000_000))) < 60


def _sizes() -> Iterable[int]:
    size = 2_000_000
    while size > 1_000:
        yield size
        size = size * 3 // 4
