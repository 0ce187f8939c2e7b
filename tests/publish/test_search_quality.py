"""What readers of real documentation type, and whether search leads them to the page that answers it."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from tests.publish.visiting import Visitor

SETS: dict[str, dict[str, list[str]]] = tomllib.loads(
    Path(__file__).with_name("search_quality.toml").read_text(encoding="utf-8")
)
FIRST = 3
"""Places among which the answer has to be."""
LEAST = 0.9


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
