"""The ranking of sections on its own: which of two answers a question better."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from octavo.content.words import words
from octavo.store.search.query import read_query
from octavo.store.search.rank import BODY_MAX, Ranking, analysed, page_score

FILLER = " ".join(f"filler{number}" for number in range(60))


def score(
    query: str, heading: str, body: str = "", page: str = "", *, first: bool = False, every: bool = True
) -> float:
    asked = read_query(query, "organization", "sqlite")
    kept = analysed(words(heading), words(page), words(body))
    return Ranking(asked).score(kept, first=first, every=every)


@pytest.mark.parametrize(
    ("query", "better", "worse"),
    [
        ("endpoint", ("Endpoint", ""), ("Endpoint options and limits", "")),
        ("endpoint", ("The endpoint", ""), ("Other", f"endpoint {FILLER}")),
        ("endpoint", ("Other", f"endpoint endpoint endpoint {FILLER}"), ("Other", f"endpoint {FILLER}")),
        ("endpoint", ("Other", "an endpoint"), ("Other", f"an endpoint {FILLER} {FILLER} {FILLER}")),
        ("endpoint now", ("Endpoint", "now"), ("Endpoints", "now")),
        ("custom activity", ("Other", "a custom activity"), ("Other", "a custom thing and an activity")),
        ("custom activity", ("Custom activity", ""), ("Activity of a custom", "")),
        ("custom activity", ("Custom activities", ""), ("About custom parts of any activity", "")),
        (
            "how do I create a custom activity",
            ("Create a custom activity", ""),
            ("How do I", "create a custom activity"),
        ),
        ("HttpEndpoint now", ("HttpEndpoint", "now"), ("The endpoint for http", "now")),
        ("検索", ("検索", ""), ("日本語", "検索機能")),
    ],
)
def test_one_section_answers_better(query: str, better: tuple[str, str], worse: tuple[str, str]) -> None:
    assert score(query, *better) > score(query, *worse) > 0


def test_a_pages_title_counts_more_than_a_heading() -> None:
    assert score("endpoint", "Endpoint", first=True) > score("endpoint", "Endpoint")


def test_the_title_of_the_page_above_helps_but_is_no_match_alone() -> None:
    alone = score("docker limits", "Limits", "text")
    assert score("docker limits", "Limits", "text", page="Docker") > alone
    assert score("docker", "Limits", "text", page="Docker") == 0


def test_more_of_the_words_are_better_than_some() -> None:
    assert score("red apples", "Red apples", every=False) > score("red apples", "Red pears", every=False) > 0
    assert score("red apples", "Green pears", every=False) == 0


def test_a_word_behind_what_is_kept_is_found_all_the_same() -> None:
    body = "x " * BODY_MAX + "endpoint"
    assert len(analysed([], [], words(body))) < BODY_MAX + 20
    assert 0 < score("endpoint", "Other", body) < score("endpoint", "Other", "endpoint")


def test_one_good_section_counts_more_than_many_poor_ones() -> None:
    assert page_score([5.0]) > page_score([3.0, 3.0, 3.0, 3.0, 3.0]) > page_score([3.0])


@given(st.text(max_size=60), st.text(max_size=60), st.text(max_size=200))
@settings(max_examples=100, deadline=None)
def test_no_text_breaks_it(query: str, heading: str, body: str) -> None:
    if read_query(query, "organization", "sqlite").terms:
        assert score(query, heading, body, heading, every=False) >= 0
