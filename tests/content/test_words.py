"""Words and snippets: what counts as the same word, and marks that stand where the words do."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from octavo.content.words import MAX_LETTERS, fold, snippet, tokens, words

TEXTS = st.text(alphabet=st.sampled_from("abAB zé.-_'\"*\0 検索機ｱﾟйёß한ไ\u0301\ud800½²9\n"), max_size=60) | st.text(
    max_size=60
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Plain words, twice: words", ["plain", "words", "twice", "words"]),
        ("HttpEndpoint", ["httpendpoint", "http", "endpoint"]),
        ("AddElsa", ["addelsa", "add", "elsa"]),
        ("http-endpoint", ["http-endpoint", "http", "endpoint"]),
        ("http_endpoint", ["http_endpoint", "http", "endpoint"]),
        ("octavo.store", ["octavo.store", "octavo", "store"]),
        ("HTTPEndpointV2", ["httpendpointv2", "http", "endpoint", "v2"]),
        ("ÉcoleÉlan", ["ecoleelan", "ecole", "elan"]),
        ("__init__", ["init"]),
        ("3.0.1", ["3.0.1", "3", "0", "1"]),
        ("l'été d’Élan", ["l", "ete", "d", "elan"]),
        ("Straße ŁÓDŹ œuvre İstanbul", ["strasse", "lodz", "oeuvre", "istanbul"]),
        ("e\u0301te\u0301", ["ete"]),
        ("Чай ёлка їжак", ["чай", "елка", "їжак"]),
        ("ΣΊΣΥΦΟΣ", ["σισυφοσ"]),
        ("ﬁne ＦＵＬＬ", ["fine", "full"]),
        ("हिन्दी", ["हिन्दी"]),
        ("מָקוֹם", ["מקום"]),
        ("検索機能", ["検索", "索機", "機能"]),
        ("a 検 b", ["a", "検", "b"]),
        ("Elsaの検索", ["elsa", "の検", "検索"]),
        ("ﾊﾟﾝ", ["パン"]),
        ("한국어", ["한국", "국어"]),
        ("", []),
        ("?! \0 '\"* --", []),
    ],
)
def test_words(text: str, expected: list[str]) -> None:
    assert words(text) == expected


def test_composed_and_decomposed_text_have_the_same_words() -> None:
    assert words("й が é") == words("и\u0306 か\u3099 e\u0301")


def test_no_character_becomes_a_sign_of_a_query_language() -> None:
    signs = set(" \t\n\0'\"*:()&|!<>\\^+=@")
    assert not [hex(code) for code in range(0x110000) for word in words(chr(code)) if not word or set(word) & signs]


def test_long_words_are_cut() -> None:
    assert words("x" * 1000) == ["x" * MAX_LETTERS]


@given(TEXTS)
@settings(max_examples=200, deadline=None)
def test_words_hold_nothing_that_a_query_language_reads(text: str) -> None:
    for word in words(text):
        assert 0 < len(word) <= MAX_LETTERS
        assert not set(word) & set(" \t\n\0'\"*:()&|!<>\\^+=")


@given(TEXTS)
@settings(max_examples=200, deadline=None)
def test_tokens_say_where_the_words_are(text: str) -> None:
    found = [*tokens(text)]
    assert [word for token in found for word in token.words] == words(text)
    assert [word for token in found for word in words(text[token.start : token.end])] == words(text)


@given(st.text(max_size=40))
@settings(max_examples=200, deadline=None)
def test_folding_twice_is_folding_once_for_words(text: str) -> None:
    assert [fold(word) for word in words(text)] == words(text)


def test_snippet_shows_and_marks_the_words() -> None:
    text = "lorem ipsum " * 40 + "the HttpEndpoint activity\nis here " + "dolor sit " * 40
    shown = snippet(text, ["http", "act*"])
    assert [shown.text[low:high] for low, high in shown.marks] == ["HttpEndpoint", "activity"]
    assert shown.text.startswith("…")
    assert shown.text.endswith("…")
    assert len(shown.text) <= 162


def test_snippet_prefers_the_piece_with_most_different_words() -> None:
    text = "alpha alpha alpha " + "x " * 200 + "alpha beta"
    shown = snippet(text, ["alpha", "beta"], 60)
    assert [shown.text[low:high] for low, high in shown.marks] == ["alpha", "beta"]


def test_snippet_without_a_match_is_the_beginning() -> None:
    shown = snippet("one two three four five", ["zebra"], 12)
    assert (shown.text, shown.marks) == ("one two…", [])


def test_snippet_of_a_short_text_is_the_text() -> None:
    assert snippet("Élan  vital", ["elan"]).text == "Élan vital"
    assert snippet("Élan vital", ["elan"]).marks == [(0, 4)]


def test_snippet_marks_letters_of_scripts_without_spaces() -> None:
    shown = snippet("日本語の検索機能は便利です", ["検索", "索機", "便*"])
    assert [shown.text[low:high] for low, high in shown.marks] == ["検索機", "便"]


@given(TEXTS, st.lists(TEXTS, max_size=4), st.integers(1, 50))
@settings(max_examples=200, deadline=None)
def test_snippet_marks_lie_in_order_inside_its_text(text: str, asked: list[str], width: int) -> None:
    some = [word for one in asked for word in words(one)] + [word + "*" for word in words(text)[:2]]
    shown = snippet(text, some, width)
    edge = 0
    for low, high in shown.marks:
        assert edge <= low < high <= len(shown.text)
        edge = high
    assert len(shown.text) <= width + 2
    assert shown.text.strip("…") in " ".join(text.split())


@given(TEXTS)
@settings(max_examples=200, deadline=None)
def test_the_first_word_of_a_text_is_marked(text: str) -> None:
    asked = words(text)[:1]
    assert bool(snippet(text, asked).marks) == bool(asked)


@pytest.mark.parametrize("piece", ["a.", "Aa", "_", "-a", "検", "\u0301", "a\u0301", "a b "])
def test_time_is_linear_in_hostile_text(piece: str) -> None:
    text = piece * (400_000 // len(piece))
    started = time.perf_counter()
    words(text)
    snippet(text, ["b", "検検"])
    assert time.perf_counter() - started < 5
