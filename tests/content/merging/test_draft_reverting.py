"""Setting pages back to another revision where others moved meanwhile: nothing older is lost, no tree grows too deep."""

from __future__ import annotations

import pytest

from octavo.content.draft import InsertPage, Outcome, Refused, RevertPage, UpdatePage
from octavo.content.revision import DEEPEST
from tests.content.merging.drafting import Space
from tests.content.merging.helpers import Memory


@pytest.fixture
def space() -> Space:
    """install > linux, other; before that was added to it."""
    memory = Memory()
    space = Space(
        memory.document("install", "# Install\n", position="a0"),
        memory.document("linux", "# Linux\n", parent="install", position="a0"),
        memory.document("other", "# Other\n", position="a1"),
        memory=memory,
    )
    space.keep("before")
    return space


def chain(space: Space, length: int, into: str | None = None) -> str:
    """Pages below each other; the last one's id."""
    for _ in range(length):
        into = space.write(InsertPage(body="", into=into)).outcomes[0].page
    assert into is not None
    return into


# What stands below an added page.


def test_pages_that_were_moved_below_an_added_one_go_back_when_it_goes(space: Space) -> None:
    space.write(InsertPage(body="# Guides\n"), UpdatePage(page="install", into="new1"))
    draft = space.write(*(RevertPage(page=page, revision="before") for page in ("new1", "install")))
    assert space.below() == ["install", "other"]
    assert space.below("install") == ["linux"]
    assert draft.outcomes == [Outcome("updated_page", "install"), Outcome("deleted_page", "new1")]


def test_they_keep_the_words_that_they_have_now(space: Space) -> None:
    space.write(InsertPage(body="# Guides\n"), UpdatePage(page="linux", into="new1", body="Newer.\n"))
    space.write(RevertPage(page="new1", revision="before"))
    assert space.below("install") == ["linux"]
    assert space.text("linux") == "# Linux\n\nNewer.\n"


def test_what_was_added_below_an_added_page_goes_with_it(space: Space) -> None:
    space.write(InsertPage(body="# Guides\n"))
    space.write(InsertPage(body="# Below\n", into="new1"))
    space.write(UpdatePage(page="linux", into="new2"))
    space.write(RevertPage(page="new1", revision="before"))
    assert set(space.pages) == {"install", "linux", "other"}
    assert space.below("install") == ["linux"]


def test_pages_that_changed_places_below_an_added_one_are_all_kept(space: Space) -> None:
    space.write(InsertPage(body="# Guides\n"), UpdatePage(page="linux", into="new1"))
    space.write(UpdatePage(page="install", into="linux"))
    space.write(RevertPage(page="new1", revision="before"))
    assert set(space.pages) == {"install", "linux", "other"}


# Addresses and depth.


def test_a_page_outside_of_the_contents_keeps_its_address(space: Space) -> None:
    memory = space.memory
    space.pages["aside"] = memory.document("aside", "# Aside\n", slug="notes/aside", listed=False)
    space.keep("aside")
    space.write(UpdatePage(page="aside", body="Newer.\n"))
    space.write(RevertPage(page="aside", revision="aside"))
    assert space.pages["aside"].slug == "notes/aside"
    assert space.text("aside") == "# Aside\n"


def test_no_page_is_set_back_deeper_than_pages_may_be(space: Space) -> None:
    last = chain(space, DEEPEST)
    space.keep("deep")
    space.write(UpdatePage(page=last, into=None))
    space.write(RevertPage(page=last, revision="deep"))
    space.write(UpdatePage(page=last, into=None))
    chain(space, 1, last)
    before = dict(space.pages)
    with pytest.raises(Refused, match="nested 100 deep at most"):
        space.write(RevertPage(page=last, revision="deep"))
    assert space.pages == before
