"""Words: what counts as the same word."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from octavo.content.words import MAX_LETTERS, fold, stem, tokens, words

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


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("activities", "activity"),
        ("configured", "configuring"),
        ("queries", "query"),
        ("pages", "page"),
        ("настройки", "настройка"),
    ],
)
def test_endings_do_not_matter_for_stems(one: str, other: str) -> None:
    assert stem(one) == stem(other)


@pytest.mark.parametrize("word", ["検索", "v2", "http-endpoint", "한글", "", "日"])
def test_words_without_a_known_ending_are_their_stems(word: str) -> None:
    assert stem(word) == word


@given(TEXTS)
@settings(max_examples=100, deadline=None)
def test_every_word_has_a_stem(text: str) -> None:
    assert all(stem(word) for word in words(text))


@pytest.mark.parametrize("piece", ["a.", "Aa", "_", "-a", "検", "\u0301", "a\u0301", "a b "])
def test_time_is_linear_in_hostile_text(piece: str) -> None:
    text = piece * (400_000 // len(piece))
    started = time.perf_counter()
    words(text)
    assert time.perf_counter() - started < 5
