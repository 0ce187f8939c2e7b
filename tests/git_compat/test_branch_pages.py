"""Which page a file of a branch is: the same one by whichever way it comes first."""

from __future__ import annotations

import pytest

from tests.git_compat.following import FIRST, Followed
from tests.git_compat.following import followed as followed
from tests.jobs.conftest import near as near  # fixtures here too
from tests.jobs.conftest import repository as repository
from tests.jobs.repositories import Files

LISTED = b"# Contents\n\n* [Home](README.md)\n* [Fish](fish.md)\n\n## Birds\n\n* [Tern](tern.md)\n"
TERN: Files = {
    "SUMMARY.md": LISTED,
    "tern.md": b"# Tern\n\n![](.gitbook/assets/tern.png)\n\nalpha\n",
    ".gitbook/assets/tern.png": b"tern",
}
MORE = b"# Tern\n\n![](.gitbook/assets/tern.png)\n\nalpha\n\nbeta\n"


def _ids(followed: Followed, branch: str | None = None) -> tuple[dict[str, str], list[str]]:
    """Title of each entry -> its id, and the ids of the files: of primary content, or of a change request."""
    path = followed.space.path
    if branch is not None:
        path = f"{path}/change-requests/{followed.branch(f'refs/heads/{branch}')['changeRequest']}"
    api, made = followed.world.api, {}
    waiting = list(api.get(f"{path}/content/pages").json["pages"])
    while waiting:
        page = waiting.pop()
        assert page["title"] not in made, "it is there twice"
        made[page["title"]] = page["id"]
        waiting += page.get("pages", [])
    return made, sorted(one["id"] for one in api.get(f"{path}/content/files").json["items"])


def test_what_came_by_a_branch_is_the_same_by_its_squash(followed: Followed) -> None:
    followed.commit(TERN)
    followed.pushed()
    followed.repository.commit("Squash, and more", {**TERN, "tern.md": MORE})
    followed.sync()
    assert _ids(followed) == _ids(followed, "feature")
    merged = followed.world.api.post(f"{followed.at()}/merge", {})
    assert (merged.status, merged.json["result"]) == (200, "merge"), merged.text
    followed.sync()
    assert followed.repository.files() == FIRST | TERN | {"tern.md": MORE}
    assert len(_ids(followed)[0]) == 4


def test_what_came_by_one_branch_is_the_same_by_another(followed: Followed) -> None:
    followed.commit(TERN, branch="first")
    followed.commit({**TERN, "tern.md": MORE}, branch="second")
    followed.pushed("first")
    followed.pushed("second")
    assert _ids(followed, "first") == _ids(followed, "second")


def test_what_main_has_since_is_the_same_by_an_older_branch(followed: Followed) -> None:
    early = followed.repository.head()
    followed.repository.commit("Squash", TERN)
    followed.sync()
    followed.commit({**TERN, "tern.md": MORE}, since=early)
    followed.pushed()
    assert _ids(followed) == _ids(followed, "feature")


def test_what_was_written_in_a_change_request_is_the_same_by_its_squash(followed: Followed) -> None:
    followed.commit({"fish.md": b"# Fish\n\ntheirs\n"})
    followed.pushed()
    new = {"operation": "insert_page", "document": {"markdown": "# Tern\n\nalpha\n"}}
    assert followed.world.api.post(f"{followed.at()}/content", {"changes": [new]}).status == 200
    followed.sync()
    written = {name: text for name, text in followed.repository.files("feature").items() if name != "README.md"}
    assert "tern.md" in written
    followed.repository.commit("Squash", {**written, "tern.md": b"# Tern\n\nbeta\n"})
    followed.sync()
    assert _ids(followed) == _ids(followed, "feature")


@pytest.mark.parametrize("joined", [False, True])
def test_a_branch_that_began_before_a_page_moved_has_that_page(followed: Followed, *, joined: bool) -> None:
    """Nothing of its text is left where it lies now; the commit at which the branch began is known all the same."""
    if joined:
        followed.repository.commit("Between", {"README.md": b"# Home\n\nBetween.\n"})
    early = followed.repository.head()
    page = followed.space.pages()["fish"]
    text = {"markdown": "# Herring\n\nall new\n"}
    followed.space.write({"operation": "update_page", "page": page, "slug": "herring", "document": text})
    followed.sync()
    assert "herring.md" in followed.repository.files()
    followed.commit({"birds.md": b"# Birds\n", "SUMMARY.md": LISTED.replace(b"ern", b"irds")}, since=early)
    followed.pushed()
    assert _ids(followed, "feature")[0]["Fish"] == page


def test_two_pages_that_branches_called_alike_get_files_of_their_own(followed: Followed) -> None:
    """Each was written here, for a branch that knows nothing of the other: they are two, wherever both lay."""
    for branch in ("first", "second"):
        followed.commit({"fish.md": f"# Fish\n\n{branch}\n".encode()}, branch=branch)
        followed.pushed(branch)
        number = followed.branch(f"refs/heads/{branch}")["changeRequest"]
        at = f"{followed.space.path}/change-requests/{number}"
        new = {"operation": "insert_page", "document": {"markdown": f"# Tern\n\nof the {branch}\n"}}
        assert followed.world.api.post(f"{at}/content", {"changes": [new]}).status == 200
    followed.sync()
    for branch in ("first", "second"):
        assert "tern.md" in followed.repository.files(branch)
        number = followed.branch(f"refs/heads/{branch}")["changeRequest"]
        assert followed.world.api.post(f"{followed.space.path}/change-requests/{number}/merge", {}).status == 200
    followed.sync()
    there = followed.repository.files()
    assert sorted(text for name, text in there.items() if name.startswith("tern")) == [
        b"# Tern\n\nof the first\n",
        b"# Tern\n\nof the second\n",
    ]
