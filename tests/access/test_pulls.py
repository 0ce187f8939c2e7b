"""What posts of Git hosts tell of pull requests, each in its own words."""

from __future__ import annotations

from typing import Any

import pytest

from octavo.access.pushes import Pull, pull_of

GITHUB: dict[str, Any] = {
    "number": 3, "title": "Describe\nfish", "html_url": "https://github.com/team/docs/pull/3", "state": "open",
    "merged": False, "head": {"ref": "fish", "repo": {"full_name": "team/docs"}},
    "base": {"ref": "main", "repo": {"full_name": "team/docs"}},
}  # fmt: skip
GITLAB: dict[str, Any] = {
    "iid": 3, "title": "Describe fish", "url": "https://gitlab.com/team/docs/-/merge_requests/3", "state": "opened",
    "source_branch": "fish", "target_branch": "main", "source_project_id": 1, "target_project_id": 1,
}  # fmt: skip
BITBUCKET: dict[str, Any] = {
    "id": 3, "title": "Describe fish", "state": "OPEN",
    "links": {"html": {"href": "https://bitbucket.org/team/docs/pull-requests/3"}},
    "source": {"branch": {"name": "fish"}, "repository": {"full_name": "team/docs"}},
    "destination": {"branch": {"name": "main"}, "repository": {"full_name": "team/docs"}},
}  # fmt: skip


@pytest.mark.parametrize(
    ("key", "said", "merged", "closed"),
    [
        ("pull_request", GITHUB, {"state": "closed", "merged": True}, {"state": "closed"}),
        ("object_attributes", GITLAB, {"state": "merged"}, {"state": "closed"}),
        ("pullrequest", BITBUCKET, {"state": "MERGED"}, {"state": "DECLINED"}),
    ],
)
def test_each_host_tells_the_same(key: str, said: dict[str, Any], merged: Any, closed: Any) -> None:
    found = pull_of({key: said})
    assert isinstance(found, Pull)
    assert (found.number, found.ref, found.into) == (3, "refs/heads/fish", "refs/heads/main")
    assert (found.state, found.title, found.fork) == ("open", "Describe fish", False)
    assert (found.link or "").endswith("/3")
    states = [pull_of({key: said | more}) for more in (merged, closed)]
    assert [one.state for one in states if one] == ["merged", "closed"]


def test_forks_have_names_of_their_own() -> None:
    github = pull_of({"pull_request": GITHUB | {"head": {"ref": "fish", "repo": None}}})
    gitlab = pull_of({"object_attributes": GITLAB | {"source_project_id": 2}})
    assert [one.ref for one in (github, gitlab) if one] == ["refs/pull/3/head", "refs/merge-requests/3/head"]
    other = {"branch": {"name": "fish"}, "repository": {"full_name": "somebody/docs"}}
    assert pull_of({"pullrequest": BITBUCKET | {"source": other}}) is None


@pytest.mark.parametrize(
    "said", [{}, {"pull_request": 5}, {"pull_request": {}}, {"object_attributes": []}, {"pullrequest": None}]
)
def test_what_is_none_is_none(said: dict[str, Any]) -> None:
    assert pull_of(said) is None
    assert pull_of({"pull_request": GITHUB | {"html_url": "javascript:alert(1)"}}).link is None  # type: ignore[union-attr]
