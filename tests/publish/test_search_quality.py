"""What readers of real documentation type, and whether search leads them to the page that answers it."""

from __future__ import annotations

import tomllib
from collections import Counter
from pathlib import Path

import pytest

from octavo.content.words import stem, words
from tests.publish.visiting import Visitor

SETS: dict[str, dict[str, list[str]]] = tomllib.loads(
    Path(__file__).with_name("search_quality.toml").read_text(encoding="utf-8")
)
FIRST = 3
"""Places among which the answer has to be."""
LEAST = 0.9
TITLES, TITLES_LEAST = 40, 0.95
"""Queries of titles for each site, and how many of them have to be answered by the first hit."""


def test_the_sets_are_as_large_as_they_say() -> None:
    assert {name: len(queries) for name, queries in SETS.items()} == {"improved": 40, "held": 20}
    assert not SETS["improved"].keys() & SETS["held"].keys()


def _address(site: Visitor, path: str) -> str:
    """Where the page of a file is: at the file's path, or where that leads when the table of contents puts it elsewhere."""
    reply = site.get(path)
    at = reply.headers["location"].removeprefix(site.base) if reply.status == 307 else path
    assert site.get(at).status == 200, path
    return at


@pytest.mark.parametrize("name", SETS)
def test_readers_find_the_answer_among_the_first(corpus_site: Visitor, name: str) -> None:
    missed = []
    for query, files in SETS[name].items():
        expected = [_address(corpus_site, file) for file in files]
        found = [hit["href"].removeprefix(corpus_site.base) for hit in corpus_site.search(query)]
        if not set(found[:FIRST]) & set(expected):
            rank = next((at for at, href in enumerate(found, 1) if href in expected), None)
            missed.append(f"{query!r}: {found[:FIRST]}, expected {expected} (at {rank})")
    reached = 1 - len(missed) / len(SETS[name])
    print(f"{name}: {reached:.1%} of {len(SETS[name])} queries answered among the first {FIRST}", *missed, sep="\n  ")
    assert reached >= LEAST, "\n".join(missed)


@pytest.mark.parametrize("site", ["own_site", "corpus_site"])
def test_a_title_leads_to_its_page(site: str, request: pytest.FixtureRequest) -> None:
    visitor: Visitor = request.getfixturevalue(site)
    asked = _titles(visitor)[:: max(1, len(_titles(visitor)) // TITLES)]
    missed = [(title, hits[:3]) for title in asked if (hits := _titles_found(visitor, title))[:1] != [title]]
    assert len(asked) >= TITLES / 2
    assert len(missed) <= len(asked) * (1 - TITLES_LEAST), missed


@pytest.mark.parametrize("site", ["own_site", "corpus_site"])
def test_a_word_leads_to_a_page_that_bears_it_as_its_title(site: str, request: pytest.FixtureRequest) -> None:
    visitor: Visitor = request.getfixturevalue(site)
    known = sorted({word for title in _titles(visitor) for word in words(title) if len(word) > 3 and word.isalpha()})
    asked = known[:: max(1, len(known) // TITLES)]
    missed = []
    for word in asked:
        hits = _titles_found(visitor, word)
        if stem(word) not in {stem(one) for one in words(hits[0] if hits else "")}:
            missed.append((word, hits[:3]))
    assert len(asked) >= TITLES
    assert len(missed) <= len(asked) * (1 - TITLES_LEAST), missed


def _titles(site: Visitor) -> list[str]:
    """The titles that one document alone has."""
    waiting = site.world.api.get(f"/v1/spaces/{site.space}/content/pages").json["pages"]
    counted: Counter[str] = Counter()
    while waiting:
        page = waiting.pop()
        waiting += page.get("pages", ())
        counted[page["title"]] += page["type"] == "document"
    return sorted(title for title, times in counted.items() if times == 1 and words(title))


def _titles_found(site: Visitor, query: str) -> list[str]:
    return [hit["title"] for hit in site.search(query)]
