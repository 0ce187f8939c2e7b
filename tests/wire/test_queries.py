"""Queries: text from an address becomes numbers, switches and words of enumerations."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from msgspec import UNSET

from octavo.wire import search
from octavo.wire.content import pages, revisions
from octavo.wire.library import collections, spaces
from octavo.wire.lists import ListQuery, SharedListQuery, listing
from octavo.wire.people import members
from octavo.wire.sites import site_spaces, sites


def take(query: type[Any], /, **words: Any) -> Any:
    return msgspec.convert(words, query, strict=False)


LISTS = [
    ListQuery,
    SharedListQuery,
    spaces.SpacesQuery,
    collections.CollectionsQuery,
    members.MembersQuery,
    sites.SitesQuery,
    site_spaces.SiteSpacesQuery,
    revisions.FilesQuery,
]


@pytest.mark.parametrize("query", LISTS)
def test_limit(query: type[Any]) -> None:
    assert take(query).limit == 50
    assert [take(query, limit=word).limit for word in ("0", "1000")] == [0, 1000]
    for word in ("-1", "1001", "many", "1.5"):
        with pytest.raises(msgspec.ValidationError, match="limit"):
            take(query, limit=word)


def test_unknown_words_are_ignored() -> None:
    assert take(ListQuery, page="abc", utm="x").page == "abc"


def test_switches() -> None:
    assert take(spaces.SpacesQuery, deleted="true").deleted is True
    assert take(collections.CollectionsQuery).nested is True
    assert take(collections.CollectionsQuery, nested="false").nested is False
    assert take(site_spaces.SiteSpacesQuery).default is UNSET
    assert take(sites.SitesQuery, published="false").published is False
    with pytest.raises(msgspec.ValidationError, match="deleted"):
        take(spaces.SpacesQuery, deleted="perhaps")


def test_a_page_is_asked_for_in_forms() -> None:
    plain = take(pages.PageQuery)
    assert (plain.format, plain.evaluated, plain.dereferenced, plain.metadata, plain.computed) == (
        UNSET,
        False,
        False,
        True,
        True,
    )
    words = {"format": "markdown", "format.markdown.refs": "stable", "evaluated": "deterministic-only"}
    asked = take(pages.PageQuery, **words, dereferenced="reusable-contents", metadata="false")
    assert (asked.format, asked.markdown_refs, asked.evaluated) == ("markdown", "stable", "deterministic-only")
    assert (asked.dereferenced, asked.metadata) == ("reusable-contents", False)
    assert take(pages.DocumentQuery, evaluated="true").evaluated is True
    for wrong in ({"format": "pdf"}, {"evaluated": "sometimes"}, {"format.markdown.refs": "x"}):
        with pytest.raises(msgspec.ValidationError):
            take(pages.PageQuery, **wrong)


def test_words_to_search_for_are_required_and_limited() -> None:
    assert len(take(search.ContentSearch, query="x" * 512).query) == 512
    with pytest.raises(msgspec.ValidationError, match="query"):
        take(search.ContentSearch, query="x" * 513)
    with pytest.raises(msgspec.ValidationError, match="query"):
        take(search.ContentSearch)


def test_the_envelope_leaves_out_what_is_not_there() -> None:
    assert msgspec.to_builtins(listing(["a"], 3, "token")) == {"items": ["a"], "count": 3, "next": {"page": "token"}}
    assert msgspec.to_builtins(listing([], 0)) == {"items": [], "count": 0}
    assert msgspec.to_builtins(listing([])) == {"items": []}
