"""Snippets: the piece that shows what was searched for, and marks that stand where the words do."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from octavo.content.snippets import Marker
from octavo.content.words import stem, words
from tests.content.test_words import TEXTS


def _marked(text: str, *asked: str) -> list[str]:
    return Marker(asked).whole(text).pieces[1::2]


def test_snippet_shows_and_marks_the_words() -> None:
    text = "lorem ipsum " * 40 + "the HttpEndpoint activity\nis here " + "dolor sit " * 40
    shown = Marker(["http", "act*"]).snippet(text)
    assert [shown.text[low:high] for low, high in shown.marks] == ["HttpEndpoint", "activity"]
    assert shown.text.startswith("…")
    assert shown.text.endswith("…")
    assert len(shown.text) <= 162


def test_snippet_prefers_the_piece_with_most_different_words() -> None:
    text = "alpha alpha alpha " + "x " * 200 + "alpha beta"
    shown = Marker(["alpha", "beta"]).snippet(text, 60)
    assert [shown.text[low:high] for low, high in shown.marks] == ["alpha", "beta"]


def test_snippet_without_a_match_is_the_beginning() -> None:
    shown = Marker(["zebra"]).snippet("one two three four five", 12)
    assert (shown.text, shown.marks) == ("one two…", [])


def test_snippet_of_a_short_text_is_the_text() -> None:
    assert Marker(["elan"]).snippet("Élan  vital").text == "Élan vital"
    assert Marker(["elan"]).snippet("Élan vital").marks == [(0, 4)]


def test_snippet_marks_letters_of_scripts_without_spaces() -> None:
    shown = Marker(["検索", "索機", "便*"]).snippet("日本語の検索機能は便利です")
    assert [shown.text[low:high] for low, high in shown.marks] == ["検索機", "便"]


@given(TEXTS, st.lists(TEXTS, max_size=4), st.integers(1, 50))
@settings(max_examples=200, deadline=None)
def test_snippet_marks_lie_in_order_inside_its_text(text: str, asked: list[str], width: int) -> None:
    some = [word for one in asked for word in words(one)] + [word + "*" for word in words(text)[:2]]
    shown = Marker(some).snippet(text, width)
    edge = 0
    for low, high in shown.marks:
        assert edge <= low < high <= len(shown.text)
        edge = high
    assert len(shown.text) <= width + 3
    assert shown.text.strip("…").rstrip() in " ".join(text.split())


@given(TEXTS)
@settings(max_examples=200, deadline=None)
def test_the_first_word_of_a_text_is_marked(text: str) -> None:
    asked = words(text)[:1]
    assert bool(Marker(asked).snippet(text).marks) == bool(asked)


def test_stems_mark_every_word_that_has_them() -> None:
    assert _marked("Activities, an activity, active", "~activ") == ["Activities", "activity", "active"]
    assert _marked("A query and queries", f"~{stem('query')}") == ["query", "queries"]


def test_a_title_is_marked_whole() -> None:
    shown = Marker(["custom", "~activ"]).whole("Custom\n  Activities")
    assert shown.text == "Custom Activities"
    assert shown.pieces == ["", "Custom", " ", "Activities", ""]


def test_words_behind_accents_are_found_in_long_texts() -> None:
    text = "x " * 300 + "l’Élan vital " + "y " * 300
    shown = Marker(["elan"]).snippet(text, 60)
    assert shown.pieces[1::2] == ["Élan"]


@given(TEXTS, st.lists(TEXTS, max_size=2))
@settings(max_examples=100, deadline=None)
def test_pieces_are_the_text(text: str, asked: list[str]) -> None:
    shown = Marker([word for one in asked for word in words(one)]).snippet(text)
    assert "".join(shown.pieces) == shown.text
    assert [shown.text[low:high] for low, high in shown.marks] == shown.pieces[1::2]


@pytest.mark.parametrize("piece", ["a.", "Aa", "_", "-a", "検", "\u0301", "a\u0301", "a b "])
def test_time_is_linear_in_hostile_text(piece: str) -> None:
    text = piece * (400_000 // len(piece))
    started = time.perf_counter()
    Marker(["b", "検検", "a*", "~a"]).snippet(text)
    assert time.perf_counter() - started < 5


def test_code_is_shown_only_where_prose_does_not_say_it() -> None:
    text = "Start the pump by hand.\n\tpump --start\n\tpump --stop now\nThen wait."
    prose, code = Marker(["hand"]).shown(text)
    assert (prose.text, code) == ("Start the pump by hand. Then wait.", False)
    line, code = Marker(["stop", "now"]).shown(text)
    assert (line.pieces, code) == (["pump --", "stop", " ", "now", ""], True)
    # Neither says it: the title did.
    assert Marker(["zebra"]).shown(text)[0].text == "Start the pump by hand. Then wait."
    assert Marker(["zebra"]).shown("\tonly = 1")[0].text == "only = 1"
    assert Marker(["x"]).shown("")[0].text == ""
