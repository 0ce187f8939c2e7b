"""Batches of changes upon a revision: pages come, change, move, go and are set back, together or not at all."""

from __future__ import annotations

import time

import msgspec
import pytest

from octavo.content.draft import Change, DeletePage, InsertPage, Metadata, Outcome, Refused, RevertPage, UpdatePage
from octavo.content.ordering import spread
from octavo.content.revision import DEEPEST
from tests.content.merging.drafting import NOW, Space
from tests.content.merging.helpers import Memory

TEXT = """---
description: Described   # by hand
icon: book
---

# Guide

See *this* and __that__.

Second   paragraph, [linked](reference.md).

* one
+ two
"""


@pytest.fixture
def space() -> Space:
    """guide > (install, reference), group > inside, link."""
    memory = Memory()
    links = {"reference.md": {"kind": "page", "page": "reference"}}
    guide = memory.document("guide", TEXT, links=links, position="a0", path="guide/README.md")
    return Space(
        guide,
        memory.document("install", "# Install\n\nText.\n", parent="guide", position="a0", path="guide/install.md"),
        memory.document("reference", "# Reference\n\nText.\n", parent="guide", position="a1", path="guide/other.md"),
        memory.group("group", position="a1"),
        memory.document("inside", "# Inside\n\nText.\n", parent="group", position="a0"),
        memory.group("link", type="link", position="a2", target={"kind": "url", "url": "https://example.org"}),
        memory=memory,
    )


def refused(space: Space, *changes: Change) -> str:
    before = dict(space.pages)
    with pytest.raises(Refused) as error:
        space.write(*changes)
    assert space.pages == before
    return str(error.value)


# Inserting.


def test_a_page_is_inserted_at_the_end_of_the_top(space: Space) -> None:
    draft = space.write(InsertPage(body="# New page\n\nText.\n", ref="mine"))
    page = space.pages["new1"]
    assert draft.outcomes == [Outcome("created_page", "new1", "mine")]
    assert (page.type, page.title, page.slug, page.parent) == ("document", "New page", "new-page", None)
    assert (page.created, page.updated) == (NOW, NOW)
    assert space.text("new1") == "# New page\n\nText.\n"
    assert space.below() == ["guide", "group", "link", "new1"]


@pytest.mark.parametrize(
    ("at", "expected"),
    [
        (0, ["new1", "install", "reference"]),
        (1, ["install", "new1", "reference"]),
        (9, ["install", "reference", "new1"]),
    ],
)
def test_a_page_is_inserted_before_the_sibling_at_the_index(space: Space, at: int, expected: list[str]) -> None:
    space.write(InsertPage(body="Text.\n", into="guide", at=at))
    assert space.below("guide") == expected


def test_indexes_are_those_of_the_batch_as_it_goes(space: Space) -> None:
    space.write(*(InsertPage(body="", into="guide", at=0) for _ in range(3)), DeletePage(page="install"))
    assert space.below("guide") == ["new3", "new2", "new1", "reference"]
    assert [space.pages[key].slug for key in ("new1", "new2", "new3")] == ["untitled", "untitled-2", "untitled-3"]


def test_fields_become_front_matter_and_the_front_matter_of_the_text_wins(space: Space) -> None:
    given = Metadata(
        title="Given", description="Said", icon="star", hidden=True, condition="visitor.claims.a", emoji="1f600"
    )
    space.write(InsertPage(body="---\nicon: moon\ntitle: Named\n---\n\nText.\n", metadata=given))
    page = space.pages["new1"]
    assert (page.title, page.icon, page.description, page.hidden) == ("Named", "moon", "Said", True)
    assert (page.condition, page.emoji, page.slug) == ("visitor.claims.a", "😀", "named")
    assert space.text("new1").endswith("# Named\n\nText.\n")


def test_a_document_is_written_as_text(space: Space) -> None:
    space.write(InsertPage(body=space.document("install"), metadata=Metadata(title="Copy")))
    assert space.text("new1") == "# Copy\n\nText.\n"
    assert space.document("new1")["nodes"] == space.document("install")["nodes"]


def test_a_page_without_a_title_gets_one(space: Space) -> None:
    space.write(InsertPage(body=""), InsertPage(body="漢字\n", metadata=Metadata(title="漢字")))
    assert (space.pages["new1"].title, space.pages["new1"].slug) == ("Untitled", "untitled")
    assert (space.pages["new2"].title, space.pages["new2"].slug) == ("漢字", "hanzi")


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (InsertPage(body="", into="nowhere"), "there is no page 'nowhere' to put it below"),
        (InsertPage(body="", into="link"), "nothing can stand below 'link': it is a link"),
        (InsertPage(body="", metadata=Metadata(slug="GROUP")), "the slug 'GROUP' is taken by another page beside it"),
        (InsertPage(body="", ref="guide"), "the ref 'guide' is the path of a page"),
        (InsertPage(body="", ref="Guide/Install.md"), "the ref 'Guide/Install.md' is the path of a page"),
        (InsertPage(body={"object": "block", "nodes": []}), "the document must be {object: document, data, nodes}"),
        (InsertPage(body={"object": "document", "nodes": [{"type": "paragraph"}]}), "the document is not one"),
        (InsertPage(body="x" * (6 << 20)), "the text of a page is limited to"),
    ],
)
def test_what_cannot_be_inserted_is_refused(space: Space, change: Change, reason: str) -> None:
    assert refused(space, InsertPage(body="Lost.\n"), change).startswith(reason)


def test_a_name_is_given_once(space: Space) -> None:
    assert refused(space, InsertPage(body="", ref="a"), InsertPage(body="", ref="a")) == "the ref 'a' is used twice"


def test_pages_are_nested_so_deep_and_no_deeper(space: Space) -> None:
    at = "guide"
    for _ in range(DEEPEST - 1):
        space.write(InsertPage(body="", into=at))
        at = list(space.pages)[-1]
    limit = f"pages can be nested {DEEPEST} deep at most"
    assert refused(space, InsertPage(body="", into=at)) == limit
    assert refused(space, UpdatePage(page="guide", into="group")) == limit


# Updating.


def test_another_body_keeps_front_matter_and_title(space: Space) -> None:
    draft = space.write(UpdatePage(page="guide", body="Other.\n"))
    assert draft.outcomes == [Outcome("updated_page", "guide")]
    page = space.pages["guide"]
    assert (page.title, page.description, page.icon, page.updated) == ("Guide", "Described", "book", NOW)
    assert space.text("guide").endswith("\n\n# Guide\n\nOther.\n")


def test_another_field_keeps_every_byte_of_the_body(space: Space) -> None:
    space.write(UpdatePage(page="guide", metadata=Metadata(description="New", no_index=True, no_robots_index=True)))
    page = space.pages["guide"]
    assert (page.description, page.no_index, page.no_robots_index, page.icon) == ("New", True, True, "book")
    assert space.text("guide").partition("# Guide")[2] == TEXT.partition("# Guide")[2]


def test_a_title_changes_neither_slug_nor_body(space: Space) -> None:
    space.write(UpdatePage(page="guide", metadata=Metadata(title="Other")))
    assert (space.pages["guide"].title, space.pages["guide"].slug) == ("Other", "guide")
    assert space.text("guide") == TEXT.replace("# Guide", "# Other")


def test_a_slug_changes_no_text(space: Space) -> None:
    space.write(UpdatePage(page="guide", metadata=Metadata(slug="Handbook")))
    assert (space.pages["guide"].title, space.pages["guide"].slug) == ("Guide", "Handbook")
    assert space.text("guide") == TEXT


@pytest.mark.parametrize(("field", "value"), [("description", "x"), ("icon", "x"), ("emoji", "😀"), ("condition", "x")])
def test_an_empty_text_clears_a_field(space: Space, field: str, value: str) -> None:
    space.write(UpdatePage(page="guide", metadata=Metadata(**{field: value})))
    assert getattr(space.pages["guide"], field) == value
    space.write(UpdatePage(page="guide", metadata=Metadata(**{field: ""})))
    assert getattr(space.pages["guide"], field) is None
    space.write(UpdatePage(page="group", metadata=Metadata(**{field: value})))
    assert getattr(space.pages["group"], field) == value
    space.write(UpdatePage(page="group", metadata=Metadata(**{field: ""})))
    assert getattr(space.pages["group"], field) is None


def test_an_empty_slug_is_made_of_the_title_again(space: Space) -> None:
    space.write(UpdatePage(page="install", metadata=Metadata(slug="x")))
    space.write(UpdatePage(page="install", metadata=Metadata(slug="", title="Reference")))
    assert space.pages["install"].slug == "reference-2"


def test_false_clears_a_flag(space: Space) -> None:
    for page in ("guide", "group"):
        space.write(UpdatePage(page=page, metadata=Metadata(hidden=True)))
        assert space.pages[page].hidden
        space.write(UpdatePage(page=page, metadata=Metadata(hidden=False)))
        assert not space.pages[page].hidden
    assert "hidden" not in space.text("guide")


def test_a_document_edit_keeps_the_bytes_of_unchanged_blocks(space: Space) -> None:
    document = space.document("guide")
    document["nodes"][1]["nodes"][0]["leaves"][0]["text"] = "Changed, "
    space.write(UpdatePage(page="guide", body=document))
    assert space.text("guide") == TEXT.replace("Second   paragraph, ", "Changed, ")
    assert space.pages["guide"].links == {"reference.md": {"kind": "page", "page": "reference"}}


def test_the_same_document_changes_nothing(space: Space) -> None:
    before = space.pages["guide"]
    draft = space.write(UpdatePage(page="guide", body=space.document("guide")), UpdatePage(page="guide"))
    assert space.text("guide") == TEXT
    assert msgspec.structs.replace(space.pages["guide"], updated=0) == before
    assert draft.outcomes == [Outcome("updated_page", "guide")]


def test_nothing_asked_for_is_nothing_done(space: Space) -> None:
    before = dict(space.pages)
    assert not space.write(UpdatePage(page="guide"), UpdatePage(page="group")).pages
    assert space.pages == before


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (UpdatePage(page="nowhere"), "there is no page 'nowhere'"),
        (UpdatePage(page="group", body="x"), "page 'group' is a group: it has no document"),
        (UpdatePage(page="install", metadata=Metadata(slug="Reference")), "the slug 'Reference' is taken"),
        (UpdatePage(page="guide", into="guide"), "page 'guide' cannot be moved below itself"),
        (UpdatePage(page="guide", into="install"), "page 'guide' cannot be moved below itself"),
        (UpdatePage(page="guide", into="link"), "nothing can stand below 'link'"),
        (UpdatePage(page="guide", into="nowhere"), "there is no page 'nowhere' to put it below"),
        (DeletePage(page="nowhere"), "there is no page 'nowhere'"),
    ],
)
def test_what_cannot_be_changed_is_refused(space: Space, change: Change, reason: str) -> None:
    assert refused(space, UpdatePage(page="guide", body="Lost.\n"), change).startswith(reason)


# Moving.


def test_a_page_moves_with_all_below_it(space: Space) -> None:
    space.write(UpdatePage(page="guide", into="group", at=0))
    assert space.below() == ["group", "link"]
    assert space.below("group") == ["guide", "inside"]
    assert space.below("guide") == ["install", "reference"]
    space.write(UpdatePage(page="install", into=None))
    assert space.below() == ["group", "link", "install"]


def test_an_index_alone_moves_among_the_siblings(space: Space) -> None:
    space.write(UpdatePage(page="link", at=0))
    assert space.below() == ["link", "guide", "group"]
    space.write(UpdatePage(page="link", at=1))
    assert space.below() == ["guide", "link", "group"]


def test_a_parent_alone_moves_to_the_end_and_the_same_one_nowhere(space: Space) -> None:
    space.write(UpdatePage(page="install", into="group"), UpdatePage(page="guide", into=None))
    assert space.below("group") == ["inside", "install"]
    assert space.below() == ["guide", "group", "link"]


def test_a_moved_page_gets_an_address_of_its_own(space: Space) -> None:
    space.write(UpdatePage(page="inside", metadata=Metadata(slug="INSTALL")))
    space.write(UpdatePage(page="inside", into="guide"))
    assert space.pages["inside"].slug == "INSTALL-2"


def test_a_page_that_was_not_listed_is_listed_with_the_end_of_its_path(space: Space) -> None:
    lost = space.memory.document("lost", "# Lost\n", slug="old/group", listed=False, position="")
    space.pages["lost"] = lost
    space.write(UpdatePage(page="lost", into=None, at=0))
    assert space.pages["lost"].listed
    assert space.pages["lost"].slug == "group-2"
    assert space.below()[0] == "lost"


# Deleting.


def test_a_page_goes_with_all_below_it(space: Space) -> None:
    draft = space.write(DeletePage(page="guide"))
    assert draft.outcomes == [Outcome("deleted_page", key) for key in ("guide", "install", "reference")]
    assert set(space.pages) == {"group", "inside", "link"}


def test_what_a_batch_made_and_removed_was_never_there(space: Space) -> None:
    draft = space.write(
        UpdatePage(page="install", body="x\n"),
        InsertPage(body="", into="guide", metadata=Metadata(slug="reference-2")),
        UpdatePage(page="inside", into="guide"),
        DeletePage(page="guide"),
    )
    assert {(one.kind, one.page) for one in draft.outcomes} == {
        ("deleted_page", key) for key in ("guide", "install", "reference", "inside")
    }
    assert set(space.pages) == {"group", "link"}


# Setting back.


def test_a_page_is_set_back_whole(space: Space) -> None:
    space.keep("before")
    space.write(UpdatePage(page="install", body="x\n", into=None, metadata=Metadata(title="Other", slug="other")))
    draft = space.write(RevertPage(page="install", revision="before"))
    assert draft.outcomes == [Outcome("updated_page", "install")]
    assert msgspec.structs.replace(space.pages["install"], updated=0) == space.others["before"]["install"]


def test_a_deleted_page_comes_back_below_what_is_left_of_its_path(space: Space) -> None:
    space.write(InsertPage(body="", into="install"))
    space.keep("before")
    space.write(DeletePage(page="guide"))
    draft = space.write(RevertPage(page="new1", revision="before"))
    assert draft.outcomes == [Outcome("created_page", "new1")]
    assert space.pages["new1"].parent is None
    space.write(RevertPage(page="guide", revision="before"), RevertPage(page="install", revision="before"))
    assert space.below("guide") == ["install"]


def test_pages_come_back_where_they_were_in_whatever_order_they_are_named(space: Space) -> None:
    space.write(InsertPage(body="", into="install"))
    space.keep("before")
    space.write(DeletePage(page="guide"))
    space.write(*(RevertPage(page=page, revision="before") for page in ("new1", "install", "guide", "reference")))
    assert space.below() == ["guide", "group", "link"]
    assert space.below("guide") == ["install", "reference"]
    assert space.below("install") == ["new1"]


@pytest.mark.parametrize(
    ("title", "slug"),
    [
        ("Установка", "ustanovka"),
        ("安装 & 指南", "anzhuang-zhinan"),
        ("Über uns", "uber-uns"),
        ("🎉 Party", "party"),
        ("🎉", "page"),
    ],
)
def test_a_title_of_any_script_makes_an_address(space: Space, title: str, slug: str) -> None:
    space.write(InsertPage(body=f"# {title}\n"))
    assert space.pages["new1"].slug == slug


def test_an_added_page_goes_when_it_is_set_back(space: Space) -> None:
    space.keep("before")
    space.write(InsertPage(body=""))
    draft = space.write(RevertPage(page="new1", revision="before"))
    assert draft.outcomes == [Outcome("deleted_page", "new1")]
    assert "new1" not in space.pages
    assert refused(space, RevertPage(page="new1", revision="before")).startswith("there is no page 'new1', neither now")


def test_a_page_is_not_set_back_below_itself(space: Space) -> None:
    space.keep("before")
    space.write(UpdatePage(page="install", into=None), UpdatePage(page="guide", into="install"))
    space.write(RevertPage(page="install", revision="before"))
    assert space.pages["install"].parent is None
    assert space.pages["guide"].parent == "install"


def test_a_page_that_is_set_back_gets_place_and_address_of_its_own(space: Space) -> None:
    space.keep("before")
    space.write(DeletePage(page="group"), InsertPage(body="", at=1, metadata=Metadata(slug="group")))
    assert space.pages["new1"].position == space.others["before"]["group"].position, "the place that was free"
    space.write(RevertPage(page="group", revision="before"))
    assert space.below() == ["guide", "new1", "group", "link"]
    assert space.pages["group"].slug == "group-2"


BEFORE = "# Page\n\nFirst *one*.\n\nSecond [one](b.md).\n\nThird __one__.\n\nFourth.\n"
AFTER = "# Page\n\nFirst *two*.\n\nSecond [two](b.md).\n\nThird __one__.\n\nAdded [two](b.md).\n\nFifth.\n\nSixth.\n"


@pytest.fixture
def edited() -> Space:
    """One page, before and after: two blocks changed, one the same, one removed, three added."""
    memory = Memory()
    links = {"b.md": {"kind": "page", "page": "b"}}
    page = memory.document("page", BEFORE, links=links)
    space = Space(page, memory.document("b", "# B\n", position="a1"), memory=memory)
    space.keep("before")
    space.pages["page"] = memory.rewritten(page, AFTER)
    return space


@pytest.mark.parametrize(
    ("side", "block", "expected"),
    [
        ("now", 0, AFTER.replace("First *two*.", "First *one*.")),
        ("before", 0, AFTER.replace("First *two*.", "First *one*.")),
        ("now", 1, AFTER.replace("Second [two]", "Second [one]")),
        ("now", 2, AFTER),
        ("now", 3, AFTER.replace("Added [two](b.md).\n\n", "")),
        ("now", 5, AFTER.replace("\n\nSixth.", "")),
        ("before", 3, AFTER.replace("Added [two](b.md).", "Fourth.\n\nAdded [two](b.md).")),
    ],
)
def test_a_block_is_set_back_by_its_key(edited: Space, side: str, block: int, expected: str) -> None:
    old = Space(*edited.others["before"].values(), memory=edited.memory)
    key = (edited if side == "now" else old).keys("page")[block]
    draft = edited.write(RevertPage(page="page", revision="before", blocks=(key,)))
    assert edited.text("page") == expected
    assert edited.pages["page"].links == {"b.md": {"kind": "page", "page": "b"}}
    assert draft.outcomes == [Outcome("updated_page", "page")]


def test_all_blocks_set_back_are_the_page_as_it_was(edited: Space) -> None:
    old = Space(*edited.others["before"].values(), memory=edited.memory)
    edited.write(RevertPage(page="page", revision="before", blocks=(*edited.keys("page"), *old.keys("page"))))
    assert edited.document("page") == old.document("page")


def test_a_block_inside_another_stands_for_that(edited: Space) -> None:
    edited.pages["page"] = edited.memory.rewritten(edited.pages["page"], BEFORE + "\n* one\n  * two\n")
    inner = edited.document("page")["nodes"][-1]["nodes"][0]["nodes"][0]["key"]
    edited.write(RevertPage(page="page", revision="before", blocks=(inner,)))
    assert edited.text("page") == BEFORE


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (RevertPage(page="page", revision="before", blocks=("nothing",)), "there is no block 'nothing' on the page"),
        (RevertPage(page="c", revision="before", blocks=("x",)), "blocks of page 'c' can be reverted only where both"),
    ],
)
def test_blocks_that_are_not_there_are_refused(edited: Space, change: Change, reason: str) -> None:
    edited.pages["c"] = edited.memory.document("c", "# C\n", position="a2")
    assert refused(edited, change).startswith(reason)


# Many pages.


def many(positions: list[str]) -> Space:
    memory = Memory()
    return Space(*(memory.group(f"g{n:05}", position=at) for n, at in enumerate(positions)), memory=memory)


@pytest.mark.parametrize("at", [0, 1, 5_000, 9_999, 10_000, None])
def test_an_index_among_ten_thousand(at: int | None) -> None:
    space = many(spread(10_000))
    started = time.process_time()
    space.write(InsertPage(body="", at=at))
    assert time.process_time() - started < 5, "seconds; it takes a tenth of one"
    assert space.below()[10_000 if at is None else at] == "new1"


def test_equal_positions_make_room() -> None:
    space = many(["a0"] * 10_000)
    started = time.process_time()
    space.write(InsertPage(body="", at=5_000))
    assert time.process_time() - started < 10, "seconds; one after the other took 15"
    assert space.below()[5_000] == "new1"


def test_one_place_takes_any_number_of_pages(space: Space) -> None:
    for _ in range(10):
        space.write(*(InsertPage(body="", into="group", at=1) for _ in range(50)))
    assert space.below("group") == ["inside", *(f"new{n}" for n in range(500, 0, -1))]
