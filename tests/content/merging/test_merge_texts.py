"""Texts that both sides changed, where lines do not decide: head, blocks, what is inside a block, and both side by side."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from octavo.content.conflicts import labels
from octavo.content.document import Node, children
from octavo.content.markdown import parse
from octavo.content.merge.texts import MergedText, merge_texts
from tests.content.merging.helpers import LABEL
from tests.content.merging.writing import MARK, Edit, Text, blocks, edits, text
from tests.profiles import law

laws = law(300)


def merged(base: str, ours: str, theirs: str) -> MergedText:
    """The merge, in which exchanged sides agree about what is in conflict."""
    made = merge_texts(base, ours, theirs, LABEL)
    assert sorted(made.conflicts) == sorted(merge_texts(base, theirs, ours, LABEL).conflicts)
    return made


def marked(*text: str, label: str = LABEL) -> str:
    return "\n".join([f'{{% if conflict == "{label}" %}}', *text, "{% endif %}"])


# The head.


def test_head_and_body_are_merged_apart() -> None:
    base = "---\ndescription: a\n---\n\n# Old\n\nOne.\n\nTwo.\n"
    ours = base.replace("description: a", "description: b\nicon: i").replace("Two", "Second")
    theirs = base.replace("description: a", "description: a\nhidden: true").replace("# Old", "# New")
    assert merged(base, ours, theirs) == MergedText(
        "---\ndescription: b\nicon: i\nhidden: true\n---\n\n# New\n\nOne.\n\nSecond.\n", []
    )


@pytest.mark.parametrize(
    ("base", "ours", "theirs", "expected", "conflicts"),
    [
        ("# A\n\nx\n", "# B\n\nx\n", "# C\n\nx\n", "# B\n\nx\n", ["title"]),
        ("# A\n\nx\n", "# B\n\nx\n", "x\n", "# B\n\nx\n", ["title"]),
        ("# A\n\nx\n", "x\n", "# B\n\nx\n", "x\n", ["title"]),
        ("x\n", "# B\n\nx\n", "---\na: 1\n---\nx\n", "---\na: 1\n---\n\n# B\n\nx\n", []),
        ("---\na: 1\n---\nx\n", "---\na: 2\n---\nx\n", "x\n", "---\na: 2\n---\nx\n", ["a"]),
        ("---\na: 1\n---\nx\n", "x\n", "---\na: 2\n---\nx\n", "---\na: 2\n---\n\nx\n", ["a"]),
        ("", "# B\n", "# C\n", "# B\n", ["title"]),
        ("", "---\na: 1\n---\n", "# C\n", "---\na: 1\n---\n\n# C\n", []),
        ("---\na: 1\n---\n\n# A\n\nx\n", "---\na: 1\n---\n\n# A\n\ny\n", "B\n===\n\nx\n", "B\n===\n\ny\n", []),
    ],
)
def test_heads(base: str, ours: str, theirs: str, expected: str, conflicts: list[str]) -> None:
    made = merged(base, ours, theirs)
    assert made.conflicts == conflicts
    assert parse(made.source).front == parse(expected).front
    assert parse(made.source).title == parse(expected).title
    assert made.source.split() == expected.split()


@pytest.mark.parametrize("beside", ["<!-- kept -->", "[kept]: https://example.org"])
@pytest.mark.parametrize(("mine", "other"), [("# Mine", "# Other"), ("---\nicon: a\n---\n\n# Title", "# Title")])
def test_what_else_a_head_holds_stays(beside: str, mine: str, other: str) -> None:
    with_it = f"{beside}\n\n{other}\n\nText.\n"
    for ours, theirs in ((f"{mine}\n\nText.\n", with_it), (with_it, f"{mine}\n\nText.\n")):
        assert beside in merged("# Title\n\nText.\n", ours, theirs).source


def test_one_key_in_two_lines_is_a_conflict_and_no_broken_front_matter() -> None:
    base = "---\na: 1\nb: 1\nc: 1\n---\n\n# T\n"
    made = merged(base, base.replace("a: 1", "a: 1\nnew: 1"), base.replace("c: 1", "c: 1\nnew: 2"))
    assert parse(made.source).front == {"a": 1, "new": 1, "b": 1, "c": 1}
    assert made.conflicts == ["new"]


# Blocks.


def test_blocks_without_a_line_between_their_changes() -> None:
    base = "# One\n\nText.\n## Two\nText.\n"
    made = merged(base, base.replace("Text.\n##", "Mine.\n##"), base.replace("## Two", "## Other"))
    assert made == MergedText("# One\n\nMine.\n\n## Other\nText.\n", [])


def test_what_both_put_at_one_place_stands_there_twice() -> None:
    made = merged("A.\n\nB.\n", "A.\n\nMine.\n\nB.\n", "A.\n\nOther.\n\nSame.\n\nB.\n")
    assert made == MergedText("A.\n\nMine.\n\nOther.\n\nSame.\n\nB.\n", [])


@pytest.mark.parametrize(
    ("mine", "other", "expected"),
    [
        ("A, mine.\n", "A.\n\nB.\n", "A, mine.\n\nB.\n"),
        ("A, mine.\n", "B.\n\nA.\n", "B.\n\nA, mine.\n"),
        ("A, mine.\n\nB.\n", "A.\n\nC.\n", "A, mine.\n\nB.\n\nC.\n"),
        ("B.\n", "A.\n\nC.\n", "B.\n\nC.\n"),
        ("", "A.\n\nC.\n", "C.\n"),
    ],
)
def test_a_block_beside_one_that_the_other_side_changed(mine: str, other: str, expected: str) -> None:
    assert merged("A.\n", mine, other) == MergedText(expected, [])


def test_what_both_put_at_the_end_stands_there_twice() -> None:
    assert merged("A.\n", "A.\n\nMine.\n", "A.\n\nOther.\n") == MergedText("A.\n\nMine.\n\nOther.\n", [])


@pytest.mark.parametrize(
    ("base", "mine", "other", "expected"),
    [
        ("One. Two. Three.", "One. 2. Three.", "1. Two. Three.", "1. 2. Three."),
        ("One! Two? Three.", "1! Two? Three.", "One! Two? 3.", "1! Two? 3."),
        ("一。 二。", "壹。 二。", "一。 贰。", "壹。 贰。"),
        ("a\nb\nc", "a\nB\nc", "A\nb\nc", "A\nB\nc"),
        ("a b. c d.\ne.", "a x. c d.\ne.", "a b. c d.\nf.", "a x. c d.\nf."),
        ("* a\n* b", "* x\n* b", "* a\n* y", "* x\n* y"),
        ("> a\n> b", "> x\n> b", "> a\n> y", "> x\n> y"),
        ("| a | b |\n|---|---|\n| 1 | 2 |", "| a | b |\n|---|---|\n| x | 2 |", "| a | b |\n|---|---|\n| 1 | y |",
         "| a | b |\n|---|---|\n| x | y |"),
        ("| a |\n|---|\n| 1. 2. |\n| 3 |", "| a |\n|---|\n| x. 2. |\n| 3 |", "| a |\n|---|\n| 1. y. |\n| z |",
         "| a |\n|---|\n| x. y. |\n| z |"),
        ("| a \\| b | c |\n|---|---|", "| x \\| b | c |\n|---|---|", "| a \\| b | y |\n|---|---|",
         "| x \\| b | y |\n|---|---|"),
        ("## A. B.", "## X. B.", "## A. Y.", "## X. Y."),
        ("* a\n* b\n* c\n* d", "* new\n* a\n* b\n* c\n* d", "* a\n* b\n* c\n* x", "* new\n* a\n* b\n* c\n* x"),
    ],
)  # fmt: skip
def test_a_block_is_merged_by_its_parts(base: str, mine: str, other: str, expected: str) -> None:
    made = merged(*(f"First.\n\n{block}\n\nLast.\n" for block in (base, mine, other)))
    assert made == MergedText(f"First.\n\n{expected}\n\nLast.\n", [])


@pytest.mark.parametrize(
    ("base", "mine", "other"),
    [
        ("One two.", "One mine.", "One other."),
        ("One. Two.", "Mine. Two.", "Other. Two. Three."),
        ("One.", "One. Mine.", "One. Other."),
        ("```\na\nb\n```", "```\nx\nb\n```", "```\na\ny\n```"),
        ("    a\n    b", "    x\n    b", "    a\n    y"),
        ("\ta\n\tb", "\tx\n\tb", "\ta\n\ty"),
        ("<div>\na\nb\n</div>", "<div>\nx\nb\n</div>", "<div>\na\ny\n</div>"),
        ("$$\na\nb\n$$", "$$\nx\nb\n$$", "$$\na\ny\n$$"),
        ('{% code title="t" %}\n```\na\nb\n```\n{% endcode %}', '{% code title="t" %}\n```\nx\nb\n```\n{% endcode %}',
         '{% code title="t" %}\n```\na\ny\n```\n{% endcode %}'),
    ],
)  # fmt: skip
def test_a_block_that_cannot_be_merged_stands_there_in_both_versions(base: str, mine: str, other: str) -> None:
    made = merged(*(f"First.\n\n{block}\n\nLast.\n" for block in (base, mine, other)))
    assert made == MergedText(f"First.\n\n{mine}\n\n{marked(other)}\n\nLast.\n", ["text"])
    assert labels(parse(made.source).document) == [LABEL]


def test_a_block_deleted_here_and_changed_there_stays_marked() -> None:
    base, changed = "A.\n\nB.\n\nC.\n", "A.\n\nB, changed.\n\nC.\n"
    made = marked("B, changed.", label=f"{LABEL}, instead of 0 blocks")
    assert merged(base, "A.\n\nC.\n", changed) == MergedText(f"A.\n\n{made}\n\nC.\n", ["text"])
    assert merged(base, changed, "A.\n\nC.\n") == MergedText(changed, ["text"])


def test_several_conflicts_of_a_text_are_marked_each_where_it_is() -> None:
    base, mine, other = (f"A {x}.\n\nSame.\n\nB {x}.\n" for x in "123")
    made = merged(base, mine, other)
    assert made.source == f"A 2.\n\n{marked('A 3.')}\n\nSame.\n\nB 2.\n\n{marked('B 3.')}\n"
    assert made.conflicts == ["text"]


def test_a_conflict_is_resolved_by_editing() -> None:
    first = merged("A.\n", "Mine.\n", "Other.\n").source
    assert merged(first, first + "\nMore.\n", "Both.\n").source.startswith("Both.\n")
    again = merged(first, first.replace("Mine.", "Mine again."), first.replace("Other.", "Other again."))
    assert again == MergedText(f"Mine again.\n\n{marked('Other again.')}\n", [])


def test_blank_lines_ahead_of_the_first_block_are_no_block() -> None:
    made = merged("One. Two.\n\nB.\n", "\n\nOne. 2.\n\nB.\n", "1. Two.\n\nB.\n")
    assert made == MergedText("1. 2.\n\nB.\n", [])


def test_blank_lines_alone_are_no_change_of_a_block() -> None:
    base = "A.\n\nB.\n\nC.\n"
    made = merged(base, "A.\n\n\n\nB.\n\nC, mine.\n", "A.\n\nB.\nC, other.\n")
    assert "A.\n\n\n\nB" in made.source


def test_code_that_is_moved_into_a_mark_is_code_still() -> None:
    base = "A.\n\n    code\n"
    made = merged(base, "A, mine.\n\n    code, mine\n", "A, other.\n\n    code, other\n")
    assert "\n    code, other\n{% endif %}" in made.source
    nodes = parse(made.source).document["nodes"]
    assert [node["type"] for node in walk_types(nodes)].count("code") == 2


def walk_types(nodes: list[Node]) -> list[Node]:
    return [one for node in nodes for one in (node, *walk_types(children(node))) if one.get("type")]


# Laws, over texts of every kind of block.


def visible(source: str) -> set[str]:
    """Marks that a visitor may meet: those of a conflict's other side are not among them."""
    found: list[Any] = []

    def look(node: Node) -> None:
        if node.get("type") == "if" and "conflict" in str(node["data"]["expression"]):
            return
        found.append({name: value for name, value in node.items() if name not in ("nodes", "fragments")})
        for child in children(node):
            look(child)

    look(parse(source).document)
    return set(MARK.findall(str(found)))


def as_is(source: str) -> str:
    return source


SPELLINGS: list[Callable[[str], str]] = [
    as_is,
    as_is,
    lambda source: source.replace("\n", "\r\n"),
    lambda source: source.rstrip("\n"),
    lambda source: "\ufeff" + source,
    lambda source: source.replace("\n\n", "\n\n\n"),
    lambda source: source.replace("\n\n", "\n \t\n"),
    lambda source: source + "\n\n",
]
spellings = st.sampled_from(SPELLINGS)
spelt = st.one_of(spellings.map(lambda one: [one] * 3), st.lists(spellings, min_size=3, max_size=3))


@laws
@given(
    blocks,
    edits,
    edits,
    edits,
    st.one_of(spellings.map(lambda one: [one] * 3), st.lists(spellings, min_size=3, max_size=3)),
)
def test_nothing_that_was_written_disappears(
    kinds: list[str], heads: list[Edit], mine: list[Edit], other: list[Edit], spelt: list[Callable[[str], str]]
) -> None:
    base = text(kinds, heads)
    ours, theirs = base.edited("o", mine), base.edited("t", other)
    made = merged(*(spell(str(one)) for spell, one in zip(spelt, (base, ours, theirs))))
    kept = set(MARK.findall(made.source))
    deleted = (base.marks - ours.marks) | (base.marks - theirs.marks)
    assert (ours.marks | theirs.marks) - deleted <= kept <= ours.marks | theirs.marks
    assert "text" in made.conflicts or LABEL not in made.source


CALM = ("insert", "replace", "front", "title")
calm = edits.map(lambda found: [edit for edit in found if edit[0] in CALM])


@laws
@example(
    ["paragraph"], [("insert", 0, 0)], [("insert", 0, 0), ("insert", 14, 17)], [("replace", 0, 0), ("insert", 0, 17)]
)
@given(blocks, edits, calm, calm)
def test_visitors_see_primarys_side(kinds: list[str], heads: list[Edit], mine: list[Edit], other: list[Edit]) -> None:
    """Also around a conflict: a mark that took in too much would hide what stands behind it."""
    base = text(kinds, heads)
    ours, theirs = base.edited("o", mine), base.edited("t", other)
    made = merged(str(base), str(ours), str(theirs))
    deleted = (base.marks - ours.marks) | (base.marks - theirs.marks)
    assert visible(str(ours)) - deleted <= visible(made.source)
    if "text" not in made.conflicts:
        assert visible(str(theirs)) - deleted <= visible(made.source)


def blocks_apart(count: int) -> st.SearchStrategy[tuple[Text, Text, Text]]:
    """Texts of which each side changed other blocks, none of them neighbours of the other side's."""

    def sides(kinds: list[str], chosen: list[int]) -> tuple[Text, Text, Text]:
        base = text(kinds, [])
        made = [base.edited(name, []) for name in "ot"]
        for at, side in enumerate(chosen[: len(kinds)]):
            if side < 2 and at % 2 == 0:
                made[side].blocks[at] = made[side].block(kinds[at])
        return base, made[0], made[1]

    return st.builds(sides, blocks, st.lists(st.integers(0, 2), min_size=count, max_size=count))


@laws
@given(blocks_apart(7))
def test_changes_of_other_blocks_are_all_taken_and_nothing_is_marked(sides: tuple[Text, Text, Text]) -> None:
    base, ours, theirs = sides
    expected = [mine if mine != old else other for old, mine, other in zip(base.blocks, ours.blocks, theirs.blocks)]
    assert merged(str(base), str(ours), str(theirs)) == MergedText(str(Text("m", expected, title="Title")), [])


def test_a_key_that_one_side_removed_and_the_other_changed_is_named_wherever_it_stands() -> None:
    base = "---\nif: a\nhidden: true\n---\n\n# Page\n"
    ours = "---\nhidden: true\n---\n\n# Page\n"
    theirs = "---\nhidden: true\nif: b\n---\n\n# Page\n"
    merged = merge_texts(base, ours, theirs, "change request 1")
    assert merged.conflicts == ["if"]
    assert "if: b" in merged.source
