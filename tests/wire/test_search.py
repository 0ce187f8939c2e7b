"""Search: both ways to say where, and the items of an answer."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from octavo.wire.search import FoundPage, FoundSection, FoundSpace, SiteSearch, Where, present, where
from tests.wire import samples


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        ({}, Where()),
        ({"mode": "all"}, Where()),
        ({"mode": "current", "siteSpaceId": "ss1"}, Where(("ss1",), current="ss1")),
        ({"mode": "specific", "siteSpaceIds": ["ss1", "ss2"]}, Where(("ss1", "ss2"))),
        ({"mode": "specific", "siteSpaceIds": []}, Where(())),
        ({"scope": {"mode": "default", "currentSiteSpace": "ss1"}}, Where(current="ss1")),
        ({"scope": {"mode": "all", "currentSiteSpace": "ss1"}}, Where()),
        ({"scope": {"mode": "specific", "siteSpaceIds": ["ss2"]}}, Where(("ss2",))),
        ({"scope": {"restrictTo": ["ss3"]}}, Where(("ss3",))),
        ({"scope": {"currentSiteSpace": "ss1", "restrictTo": "currentSiteSpace"}}, Where(("ss1",), current="ss1")),
        (
            {"scope": {"currentSiteSpace": "ss1", "restrictTo": "otherSiteSpaces"}},
            Where(current="ss1", without="ss1"),
        ),
        ({"scope": {"restrictTo": "currentSiteSpace"}}, Where()),
        ({"scope": {"restrictTo": {"siteSpaces": ["ss3"], "siteSections": ["se1"]}}}, Where(("ss3",), ("se1",))),
        ({"mode": "specific", "siteSpaceIds": ["ss1"], "scope": {"mode": "all"}}, Where()),
    ],
)
def test_where(body: dict[str, Any], wanted: Where) -> None:
    taken = msgspec.json.decode(msgspec.json.encode({"query": "x"} | body), type=SiteSearch)
    assert where(taken) == wanted


def test_a_query_is_required() -> None:
    with pytest.raises(msgspec.ValidationError, match="query"):
        msgspec.convert({}, SiteSearch)


def test_an_item_holds_pages_with_sections() -> None:
    section = FoundSection("h1", "Setup", "start#setup", "Install it", 2.0)
    best = FoundPage("p1", "Start", "start", 3.5, 1, "https://app.test/p1", [("g1", "Guides")], [section], "How")
    other = FoundPage("p2", "More", "more", 1.0, 2, "https://app.test/p2")
    item = msgspec.to_builtins(present(FoundSpace("s1", "Guide", [best, other]), samples.VIEW))
    assert (item["type"], item["id"], item["title"], item["score"]) == ("space", "s1", "Guide", 3.5)
    assert item["pages"][0] == {
        "id": "p1",
        "title": "Start",
        "path": "start",
        "score": 3.5,
        "rank": 1,
        "description": "How",
        "ancestors": [{"id": "g1", "title": "Guides"}],
        "urls": {"app": "https://app.test/p1"},
        "sections": [
            {
                "id": "h1",
                "title": "Setup",
                "path": "start#setup",
                "body": "Install it",
                "score": 2.0,
                "urls": {"app": "https://app.test/p1"},
            }
        ],
    }
    assert item["pages"][1]["ancestors"] == item["pages"][1]["sections"] == []
    assert item["pages"][1]["description"] == ""
