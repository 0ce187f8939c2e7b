"""Fields of pages, files, reusable contents and of the space, each merged on its own."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from octavo.content.merge import Conflict
from octavo.content.revision import File, Page, Root
from tests.content.merging.helpers import LABEL, Memory, told

replace = msgspec.structs.replace
GROUP = Page(id="g", type="group", title="G", slug="g", position="a0")


@pytest.fixture
def memory() -> Memory:
    return Memory()


def one(memory: Memory, base: Page, ours: Page | None, theirs: Page | None) -> tuple[Page | None, list[Conflict]]:
    """The page merged, alone in its space."""
    roots = [memory.root([page] if page else []) for page in (base, ours, theirs)]
    merged = memory.merge(*roots)
    assert not memory.problems(merged.root)
    return memory.pages(merged.root).get(base.id), merged.conflicts


FIELDS: list[tuple[str, Any, Any]] = [
    ("title", "A", "B"),
    ("slug", "a", "b"),
    ("description", "A", "B"),
    ("emoji", "A", "B"),
    ("icon", "A", "B"),
    ("link_title", "A", "B"),
    ("condition", "a", "b"),
    ("layout", {"outline": False}, {"outline": True}),
    ("variables", {"a": 1}, {"a": 2}),
    ("tags", [{"tag": "a"}], [{"tag": "b"}]),
    ("cover", {"ref": {"kind": "url", "url": "a"}}, {"ref": {"kind": "url", "url": "b"}}),
    ("target", {"kind": "page", "page": "a"}, {"kind": "url", "url": "b"}),
    ("meta_links", {"canonical": "a"}, {"canonical": "b"}),
    ("computed", {"type": "a"}, {"type": "b"}),
]


@pytest.mark.parametrize(("name", "mine", "other"), FIELDS)
def test_a_field_is_merged_on_its_own(memory: Memory, name: str, mine: Any, other: Any) -> None:
    beside = "emoji" if name != "emoji" else "icon"
    ours, theirs = replace(GROUP, **{name: mine}), replace(GROUP, **{name: other})
    assert one(memory, GROUP, ours, replace(GROUP, **{beside: "X"})) == (replace(ours, **{beside: "X"}), [])
    assert one(memory, GROUP, replace(GROUP, **{beside: "X"}), theirs) == (replace(theirs, **{beside: "X"}), [])
    assert one(memory, GROUP, ours, replace(ours, **{beside: "X"})) == (replace(ours, **{beside: "X"}), [])
    conflict = Conflict(kind="page", reason="edited", id="g", title=ours.title, fields=[name])
    assert one(memory, GROUP, ours, theirs) == (ours, [conflict])


@pytest.mark.parametrize("name", ["hidden", "no_index", "no_robots_index"])
def test_a_flag_has_two_values_and_no_conflict(memory: Memory, name: str) -> None:
    ours = replace(GROUP, **{name: True}, title="A")
    assert one(memory, GROUP, ours, replace(GROUP, icon="x")) == (replace(ours, icon="x"), [])
    assert one(memory, replace(GROUP, **{name: True}), replace(GROUP, icon="x"), ours) == (
        replace(GROUP, icon="x", title="A"),
        [],
    )


def test_mappings_are_merged_by_their_keys(memory: Memory) -> None:
    base = replace(GROUP, variables={"a": 1, "b": 1, "c": 1, "d": 1}, layout={"outline": False})
    ours = replace(base, variables={"a": 2, "c": 1, "d": 2, "mine": 1}, layout=None)
    theirs = replace(base, variables={"a": 1, "b": 1, "d": 3, "other": 1}, layout={"outline": False, "width": "wide"})
    page, conflicts = one(memory, base, ours, theirs)
    assert page is not None
    assert page.variables == {"a": 2, "d": 2, "mine": 1, "other": 1}
    assert page.layout == {"width": "wide"}
    assert told(conflicts) == {("page", "edited", "g", ("variables",))}


def test_what_is_written_wins_over_what_is_removed(memory: Memory) -> None:
    base = replace(GROUP, variables={"a": 1})
    for ours, theirs in (({}, {"a": 2}), ({"a": 2}, {})):
        page, conflicts = one(memory, base, replace(base, variables=ours), replace(base, variables=theirs))
        assert page is not None
        assert page.variables == {"a": 2}
        assert told(conflicts) == {("page", "edited", "g", ("variables",))}


def test_a_reference_is_never_made_of_two(memory: Memory) -> None:
    base = replace(GROUP, type="link", target={"kind": "page", "page": "a"})
    ours = replace(base, target={"kind": "page", "page": "b"})
    page, conflicts = one(memory, base, ours, replace(base, target={"kind": "url", "url": "https://example.org"}))
    assert page == ours
    assert told(conflicts) == {("page", "edited", "g", ("target",))}


def test_times_are_the_widest(memory: Memory) -> None:
    base = replace(GROUP, created=5, updated=5)
    page, conflicts = one(memory, base, replace(base, icon="a", updated=7), replace(base, emoji="b", updated=9))
    assert page == replace(base, icon="a", emoji="b", updated=9)
    assert not conflicts


def test_a_place_is_one_field(memory: Memory) -> None:
    two = [replace(GROUP, id=key, slug=key, position=at) for key, at in (("x", "a1"), ("y", "a2"))]
    ours, theirs = replace(GROUP, parent="x", position="a5"), replace(GROUP, parent="y", position="a6")
    merged = memory.merge(*(memory.root([page, *two]) for page in (GROUP, ours, theirs)))
    assert memory.pages(merged.root)["g"] == ours
    assert told(merged.conflicts) == {("page", "edited", "g", ("parent",))}
    nearby = memory.merge(*(memory.root([page, *two]) for page in (GROUP, ours, replace(ours, position="a7"))))
    assert memory.pages(nearby.root)["g"] == ours
    assert not nearby.conflicts, "an order alone is nothing to look at"


# A document's fields stand in its text.


def front(*lines: str, title: str = "Title", body: str = "Text.") -> str:
    return "".join(["---\n", *(f"{line}\n" for line in lines), "---\n\n", f"# {title}\n\n{body}\n"])


def documents(memory: Memory, *texts: str) -> list[Page]:
    base = memory.document("d", texts[0])
    return [base, *(memory.rewritten(base, text) for text in texts[1:])]


def test_front_matter_is_merged_by_its_keys(memory: Memory) -> None:
    page, conflicts = one(
        memory,
        *documents(
            memory,
            front("description: old", "icon: book"),
            front("description: mine", "icon: book", body="Mine."),
            front("description: old", "icon: star", "hidden: true"),
        ),
    )
    assert page is not None
    assert (page.description, page.icon, page.hidden) == ("mine", "star", True)
    assert memory.text(page).endswith("# Title\n\nMine.\n")
    assert not conflicts


@pytest.mark.parametrize(
    ("line", "field"),
    [
        ("description", "description"),
        ("if", "condition"),
        ("noIndex", "no_index"),
        ("vars", "variables"),
        ("coverY", "cover"),
    ],
)
def test_a_key_in_conflict_is_named_by_its_field(memory: Memory, line: str, field: str) -> None:
    texts = [front(f"{line}: {value}") for value in ("0", "1", "2")]
    page, conflicts = one(memory, *documents(memory, *texts))
    assert page is not None
    assert memory.text(page) == texts[1]
    assert told(conflicts) == {("page", "edited", "d", (field,))}


def test_titles_in_conflict(memory: Memory) -> None:
    page, conflicts = one(
        memory, *documents(memory, front("icon: a"), front("icon: a", title="Mine"), front("icon: b", title="Other"))
    )
    assert page is not None
    assert (page.title, page.icon) == ("Mine", "b")
    assert told(conflicts) == {("page", "edited", "d", ("title",))}


def test_one_key_given_in_two_lines_leaves_the_others_readable(memory: Memory) -> None:
    """Line by line there is no conflict, and no front matter either: YAML has a key once."""
    texts = [front("if: visitor.claims.a"), front("icon: mine", "if: visitor.claims.a")]
    page, conflicts = one(memory, *documents(memory, *texts, front("if: visitor.claims.a", "icon: other")))
    assert page is not None
    assert (page.condition, page.icon) == ("visitor.claims.a", "mine")
    assert told(conflicts) == {("page", "edited", "d", ("icon",))}


def test_what_an_address_means_goes_with_the_text(memory: Memory) -> None:
    base = memory.document("d", "# D\n\n[a](a.md)\n", links={"a.md": {"kind": "page", "page": "d"}})
    ours = replace(base, links={}, **memory.written(memory.text(base), {}))
    theirs = memory.rewritten(base, "# D\n\n[a](a.md)\n\nMore.\n")
    page, conflicts = one(memory, base, ours, theirs)
    assert page is not None
    assert memory.text(page) == memory.text(theirs)
    moved, _ = one(memory, base, ours, replace(base, icon="x", emoji="y"))
    assert moved is not None
    assert (moved.links, moved.document) == ({}, ours.document)
    assert not conflicts


def test_an_address_that_only_one_side_still_writes_keeps_its_meaning(memory: Memory) -> None:
    links = {"a.md": {"kind": "page", "page": "d"}}
    base = memory.document("d", "# D\n\nSee [a](a.md).\n", links=links)
    ours = replace(base, links={}, **memory.written("# D\n\nSee nothing.\n", {}))
    page, conflicts = one(memory, base, ours, memory.rewritten(base, "# D\n\nSee this [a](a.md).\n"))
    assert page is not None
    assert page.links == links
    assert told(conflicts) == {("page", "edited", "d", ("text",))}


def test_a_text_that_one_side_emptied_and_the_other_wrote_on_stays(memory: Memory) -> None:
    base = memory.document("d", "# D\n\nOne.\n")
    written = memory.rewritten(base, "# D\n\nOne.\n\nTwo.\n")
    emptied = replace(base, text=None, document=None)
    for ours, theirs in ((emptied, written), (written, emptied)):
        page, conflicts = one(memory, base, ours, theirs)
        assert page is not None
        assert memory.text(page) == "Two.\n"
        assert not conflicts


# Deleted on one side.


@pytest.mark.parametrize("changed", [{"position": "a5"}, {"updated": 9}, {}])
def test_a_deleted_page_that_was_only_moved_is_gone(memory: Memory, changed: dict[str, Any]) -> None:
    page = replace(GROUP, **changed)
    assert one(memory, GROUP, None, page) == one(memory, GROUP, page, None) == (None, [])


@pytest.mark.parametrize("changed", [{"title": "New"}, {"slug": "new"}, {"hidden": True}, {"icon": "a", "updated": 9}])
def test_a_deleted_page_that_was_written_into_stays(memory: Memory, changed: dict[str, Any]) -> None:
    page = replace(GROUP, **changed)
    conflict = Conflict(kind="page", reason="deleted", id="g", title=page.title)
    assert one(memory, GROUP, None, page) == one(memory, GROUP, page, None) == (page, [conflict])


def test_a_page_that_both_deleted_is_gone(memory: Memory) -> None:
    assert one(memory, GROUP, None, None) == (None, [])


# Files and reusable contents.

FILE = File(id="f", name="a.png", content_type="image/png", size=1, blob="00", path="a.png")


def files(memory: Memory, *sides: File | None) -> tuple[dict[str, File], list[Conflict]]:
    merged = memory.merge(*(memory.root(files=[file] if file else []) for file in sides))
    return memory.files(merged.root), merged.conflicts


def test_a_file_has_its_bytes_from_one_side(memory: Memory) -> None:
    mine = replace(FILE, blob="01", size=2, content_type="image/jpeg", width=3, height=4)
    assert files(memory, FILE, mine, replace(FILE, name="b.png")) == ({"f": replace(mine, name="b.png")}, [])
    assert files(memory, FILE, replace(FILE, name="b.png"), mine) == ({"f": replace(mine, name="b.png")}, [])


def test_other_bytes_become_a_file_of_their_own(memory: Memory) -> None:
    mine, other = replace(FILE, blob="01", size=2), replace(FILE, blob="02", size=3, oid="x")
    found, conflicts = files(memory, FILE, mine, other)
    assert found.pop("f") == mine
    [beside] = found.values()
    assert beside == replace(other, id=beside.id, name=f"{LABEL} a.png", path=None, oid=None)
    assert told(conflicts) == {("file", "edited", "f", ("content",))}
    assert files(memory, FILE, mine, other) == ({"f": mine, beside.id: beside}, conflicts)


def test_a_deleted_file_that_was_changed_stays(memory: Memory) -> None:
    assert files(memory, FILE, None, FILE) == ({}, [])
    mine = replace(FILE, name="b.png")
    conflict = Conflict(kind="file", reason="deleted", id="f", title="b.png")
    assert files(memory, FILE, mine, None) == files(memory, FILE, None, mine) == ({"f": mine}, [conflict])


def test_reusable_contents_are_merged_as_pages_are(memory: Memory) -> None:
    base = memory.reusable("r", "One.\n\nTwo.\n")
    ours = replace(memory.reusable("r", "One, mine.\n\nTwo.\n"), title="Mine")
    theirs = memory.reusable("r", "One.\n\nTwo, other.\n")
    merged = memory.merge(*(memory.root(reusables=[one]) for one in (base, ours, theirs)))
    [one] = memory.reusables(merged.root).values()
    assert (one.title, memory.text(one)) == ("Mine", "One, mine.\n\nTwo, other.\n")
    assert not memory.problems(merged.root)
    assert not merged.conflicts


def test_reusable_contents_in_conflict_hold_both(memory: Memory) -> None:
    texts = ("One.\n", "One, mine.\n", "One, other.\n")
    merged = memory.merge(*(memory.root(reusables=[memory.reusable("r", text)]) for text in texts))
    [one] = memory.reusables(merged.root).values()
    assert memory.text(one) == f'One, mine.\n\n{{% if conflict == "{LABEL}" %}}\nOne, other.\n{{% endif %}}\n'
    assert told(merged.conflicts) == {("reusable-content", "edited", "r", ("text",))}
    assert not memory.problems(merged.root)


# What belongs to the space.


def test_variables_tags_and_redirects_are_merged_by_their_names(memory: Memory) -> None:
    base = Root(variables={"a": 1, "b": 1}, redirects={"x": "p"}, tags=[{"tag": "t"}, {"tag": "u"}])
    ours = Root(variables={"a": 2, "b": 1}, redirects={"x": "q"}, tags=[{"tag": "t", "color": "red"}, {"tag": "u"}])
    theirs = Root(variables={"a": 3, "c": 1}, redirects={"x": "p", "y": "p"}, tags=[{"tag": "t", "icon": "i"}])
    merged = memory.merge(base, ours, theirs)
    assert merged.root.variables == {"a": 2, "c": 1}
    assert merged.root.redirects == {"x": "q", "y": "p"}
    assert merged.root.tags == [{"tag": "t", "color": "red"}]
    assert told(merged.conflicts) == {("space", "edited", "", ("variables.a",)), ("space", "edited", "", ("tags.t",))}


def test_an_order_of_tags_is_taken(memory: Memory) -> None:
    base, turned = (Root(tags=[{"tag": tag} for tag in order]) for order in ("ab", "ba"))
    assert memory.merge(base, base, turned).root == turned
    assert memory.merge(base, turned, base).root == turned


def test_old_addresses_are_those_of_primary(memory: Memory) -> None:
    merged = memory.merge(Root(moved=b"0"), Root(moved=b"1"), Root(moved=b"2", variables={"a": 1}))
    assert merged.root == Root(moved=b"1", variables={"a": 1})
