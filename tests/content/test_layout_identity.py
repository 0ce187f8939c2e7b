"""What stays the same thing from one reading to the next."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable

from hypothesis import given, settings
from hypothesis import strategies as st

from octavo.content import markdown
from octavo.content.document import Ref
from octavo.content.layout.identity import Previous, previous_of
from octavo.content.layout.outline import Draft, place
from octavo.content.layout.read import Layout, read
from octavo.content.layout.source import Mapped
from octavo.content.ordering import spread
from tests.content.layouts import by_path, layout, opened

Files = dict[str, str | bytes]
FILES: Files = {
    "SUMMARY.md": "* [Home](README.md)\n\n## Part\n\n* [A](p/a.md)\n* [B](p/b.md)\n* [Web](https://example.org)\n",
    "README.md": "# Home\n",
    "p/a.md": "# A\n\n" + "".join(f"Line {n} of a.\n" for n in range(20)),
    "p/b.md": "# B\n\n" + "".join(f"Line {n} of b.\n" for n in range(20)),
    "stray.md": "# Stray\n",
    ".gitbook/includes/n.md": "Note\n",
    ".gitbook/assets/x.png": b"xx",
    ".gitbook/assets/y.png": b"yy",
}


def of(made: Layout) -> Previous:
    return previous_of(made.pages, made.files, made.reusables, made.objects.get)


def again(files: Files, first: Layout) -> Layout:
    return layout(files, previous=of(first), now=2, prefix="new")


def moved(files: Files, old: str, new: str, text: str | bytes | None = None) -> Files:
    return {new if path == old else path: held if path != old or text is None else text for path, held in files.items()}


def test_reading_twice_changes_nothing() -> None:
    first = layout(FILES)
    second = again(FILES, first)
    assert second.pages == first.pages
    assert second.files == first.files
    assert second.reusables == first.reusables
    assert second.objects == first.objects
    assert all(page.created == page.updated == 1 for page in second.pages)


def test_ids_are_given_in_order() -> None:
    first = layout(FILES)
    assert layout(dict(reversed(FILES.items()))).pages == first.pages
    assert len({page.id for page in first.pages}) == len(first.pages) == 6


def test_an_edit_changes_one_entry() -> None:
    first = layout(FILES)
    second = again(FILES | {"p/a.md": "# A\n\nOther.\n"}, first)
    changed = [page for page in second.pages if page not in first.pages]
    assert [(page.path, page.created, page.updated) for page in changed] == [("p/a.md", 1, 2)]
    assert changed[0].id == by_path(first)["p/a.md"].id


def test_a_moved_file_keeps_its_id() -> None:
    first = layout(FILES)
    files = moved(FILES, "p/a.md", "q/z.md") | {"SUMMARY.md": "* [A](q/z.md)\n"}
    assert by_path(again(files, first))["q/z.md"].id == by_path(first)["p/a.md"].id


def test_a_moved_and_edited_file_keeps_its_id() -> None:
    first = layout(FILES)
    text = str(FILES["p/a.md"]).replace("Line 3 of a.", "Another line.")
    files = moved(FILES, "p/a.md", "q/z.md", text)
    second = again(files, first)
    assert by_path(second)["q/z.md"].id == by_path(first)["p/a.md"].id
    assert by_path(second)["p/a.md"].id.startswith("new"), "the entry that is left behind is another page"
    blind = layout(files, previous=previous_of(first.pages, first.files, first.reusables), prefix="new")
    assert by_path(blind)["q/z.md"].id.startswith("new"), "without the old texts only equal ones are found"


def test_a_page_whose_file_is_missing_for_a_while_stays_itself() -> None:
    first = layout(FILES)
    without = again({path: held for path, held in FILES.items() if path != "p/a.md"}, first)
    assert by_path(without)["p/a.md"].id == by_path(first)["p/a.md"].id
    assert by_path(without)["p/a.md"].text is None


def test_an_unlike_file_is_a_new_one() -> None:
    first = layout(FILES)
    text = "# A\n\n" + "".join(f"Line {n} of a.\n" for n in range(10)) + "".join(f"New {n}.\n" for n in range(20))
    assert by_path(again(moved(FILES, "p/a.md", "q/z.md", text), first))["q/z.md"].id.startswith("new")


def test_the_most_alike_wins_and_no_id_is_given_twice() -> None:
    first = layout(FILES)
    text = str(FILES["p/a.md"])
    files = moved(FILES, "p/a.md", "q/near.md", text + "One more.\n")
    files["q/far.md"] = text + "".join(f"More {n}.\n" for n in range(8))
    second = again(files, first)
    assert by_path(second)["q/near.md"].id == by_path(first)["p/a.md"].id
    assert by_path(second)["q/far.md"].id.startswith("new")


def test_a_copy_is_a_new_page() -> None:
    first = layout(FILES)
    second = by_path(again(FILES | {"copy.md": FILES["p/a.md"]}, first))
    assert second["p/a.md"].id == by_path(first)["p/a.md"].id
    assert second["copy.md"].id.startswith("new")


def test_equal_texts_move_by_their_names() -> None:
    files: Files = {"a/one.md": "", "a/two.md": "", "a/three.md": ""}
    first = by_path(layout(files))
    made = again({"b/two.md": "", "b/three.md": "", "b/one.md": ""}, layout(files))
    second = by_path(made)
    assert all(second[f"b/{name}.md"].id == first[f"a/{name}.md"].id for name in ("one", "two", "three"))


def test_groups_and_links_keep_their_ids() -> None:
    first = layout(FILES)
    files = FILES | {
        "SUMMARY.md": "## Part\n\n* [Web](https://example.org)\n* [B](p/b.md)\n\n## New\n\n* [A](p/a.md)\n"
    }
    before = {page.title: page.id for page in first.pages}
    after = {page.title: page.id for page in again(files, first).pages}
    assert after["Part"] == before["Part"]
    assert after["Web"] == before["Web"]


def test_files_keep_their_ids_by_path_and_by_bytes() -> None:
    first = layout(FILES)
    files = moved(FILES, ".gitbook/assets/x.png", ".gitbook/assets/z.png") | {".gitbook/assets/y.png": b"new"}
    before = {file.name: file for file in first.files}
    after = {file.name: file for file in again(files, first).files}
    assert after["z.png"].id == before["x.png"].id
    assert after["y.png"].id == before["y.png"].id
    assert after["y.png"].blob != before["y.png"].blob


def test_a_file_whose_blob_is_known_is_not_read_again() -> None:
    reads: list[str] = []

    class Counting(Mapped):
        def read(self, path: str) -> bytes:
            reads.append(path)
            return super().read(path)

    oids = {path: f"oid of {path}" for path in FILES}
    source = Counting(opened(FILES), oids)
    first = layout(source)
    assert {page.oid for page in first.pages if page.path} == {
        f"oid of {page.path}" for page in first.pages if page.path
    }
    reads.clear()
    assert layout(source, previous=of(first), now=2).files == first.files
    assert not [path for path in reads if path.endswith(".png")]


def test_a_new_sibling_leaves_the_others_where_they_are() -> None:
    first = layout(FILES)
    files = FILES | {
        "SUMMARY.md": str(FILES["SUMMARY.md"]).replace("* [B]", "* [New](p/n.md)\n* [B]"),
        "p/n.md": "# New\n",
    }
    second = again(files, first)
    assert [page.path for page in second.pages if page not in first.pages] == ["p/n.md"]
    assert [page.title for page in second.pages] == ["Home", "Part", "A", "New", "B", "Web", "Stray"]


@settings(max_examples=80, deadline=None)
@given(st.integers(0, 30), st.integers(0, 10), st.randoms(use_true_random=False))
def test_positions_follow_the_order_and_stay_where_they_can(old: int, new: int, rng: random.Random) -> None:
    before = dict(zip((f"o{n}" for n in range(old)), spread(old)))
    names = [*before, *(f"n{n}" for n in range(new))]
    shuffled = rng.random() < 0.5
    if shuffled:
        rng.shuffle(names)
    drafts = [Draft("document", name, id=name) for name in names]
    place(drafts, before)
    positions = [draft.position for draft in drafts]
    assert positions == sorted(set(positions))
    if not shuffled:
        assert all(draft.position == before.get(draft.id, draft.position) for draft in drafts)


def test_many_moves_of_like_texts_cost_little() -> None:
    common = "".join(f"Boilerplate {n}.\n" for n in range(30))
    files: Files = {f"a/{n}.md": f"{common}Own {n}.\n" * 2 for n in range(400)}
    first = layout(files)
    second = again({f"b/{n}.md": f"{common}Own {n}.\n" * 2 + "Edited.\n" for n in range(400)}, first)
    before, after = by_path(first), by_path(second)
    assert all(after[f"b/{n}.md"].id == before[f"a/{n}.md"].id for n in range(400))


def remembering(files: Files, before: Layout, memos: dict[bytes, bytes] | None = None) -> tuple[Layout, list[str]]:
    """The next reading with what the last one left behind, and the texts that were parsed for it."""
    held = before.memos if memos is None else memos
    parsed: list[str] = []

    def noted(source: str, resolve: Callable[[str], Ref | None]) -> markdown.Parsed:
        parsed.append(source)
        return markdown.parse(source, resolve)

    previous = previous_of(
        before.pages,
        before.files,
        before.reusables,
        before.objects.get,
        lambda names: {name: held[name] for name in names if name in held},
    )
    numbers = itertools.count()
    made = read(opened(files), previous=previous, new_id=lambda: f"new-{next(numbers)}", now=2, parse=noted)
    return made, parsed


LINKED: Files = FILES | {
    "p/a.md": "---\ncover: ../.gitbook/assets/x.png\n---\n# A\n\n[b](b.md) [gone](gone.md) ![](../pic.png)\n",
    "p/b.md": '# B\n\n[web](https://example.org)\n\n{% hint style="odd" %}\n[B](B.MD)\n{% endhint %}\n',
    "pic.png": b"pic",
}


def test_unchanged_texts_are_not_parsed_again() -> None:
    first = layout(LINKED)
    second, parsed = remembering(LINKED, first)
    assert parsed == []
    assert (second.pages, second.reusables) == (first.pages, first.reusables)
    assert {file.id for file in second.files} == {file.id for file in first.files}
    assert sorted(second.report.warnings, key=str) == sorted(first.report.warnings, key=str)
    assert len(first.report.warnings) > 2
    assert second.objects == {}
    assert second.memos == first.memos


def test_only_the_edited_text_is_parsed() -> None:
    first = layout(LINKED)
    edited = LINKED | {"README.md": "# Home\n\nMore.\n"}
    second, parsed = remembering(edited, first)
    assert parsed == ["# Home\n\nMore.\n"]
    assert second.pages == again(edited, first).pages


def test_a_text_whose_address_means_something_else_is_parsed_again() -> None:
    first = layout(LINKED)
    grown = LINKED | {"p/gone.md": "# Found\n"}
    second, parsed = remembering(grown, first)
    assert sorted(parsed) == sorted([LINKED["p/a.md"], "# Found\n"])
    plain = layout(grown, previous=of(first), now=2, prefix="new")
    assert by_path(second)["p/a.md"] == by_path(plain)["p/a.md"]


def test_what_is_forgotten_or_spoiled_is_parsed_again() -> None:
    first = layout(LINKED)
    for memos in ({}, dict.fromkeys(first.memos, b"spoiled")):
        second, parsed = remembering(LINKED, first, memos)
        assert len(parsed) == len(first.memos) == 5
        assert second.pages == first.pages


def test_a_moved_text_with_the_same_addresses_is_not_parsed_again() -> None:
    first = layout(FILES)
    second, parsed = remembering(moved(FILES, "stray.md", "strayed.md"), first)
    assert parsed == []
    assert by_path(second)["strayed.md"].document == by_path(first)["stray.md"].document
