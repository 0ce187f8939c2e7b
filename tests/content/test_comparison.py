"""Documents side by side."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from octavo.content.comparison import compare, words
from octavo.content.document import plain
from octavo.content.markdown import parse


def _compared(before: str, after: str) -> list[tuple[str, str, str]]:
    found = compare(parse(before).document, parse(after).document)
    return [(one.status, plain(one.before or {"object": ""}), plain(one.after or {"object": ""})) for one in found]


def test_blocks_come_go_and_change() -> None:
    before = "Reed grows at the shore.\n\nStraw is dry.\n\n* one\n* two\n"
    after = "Reed stands at the shore.\n\nMoss!\n\n* one\n* two\n\nEnd.\n"
    assert _compared(before, after) == [
        ("changed", "Reed grows at the shore.", "Reed stands at the shore."),
        ("deleted", "Straw is dry.", ""),
        ("added", "", "Moss!"),
        ("equal", "onetwo", "onetwo"),
        ("added", "", "End."),
    ]


def test_words_of_a_changed_block() -> None:
    found = words("Reed grows at the shore.", "Reed stands at a shore.")
    assert [(part.status, part.text) for part in found] == [
        ("equal", "Reed "), ("deleted", "grows"), ("added", "stands"), ("equal", " at "), ("deleted", "the"), ("added", "a"),
        ("equal", " shore."),
    ]  # fmt: skip


@given(*[st.text(alphabet="ab c.\n", max_size=40)] * 2)
def test_both_texts_can_be_read_from_the_words(before: str, after: str) -> None:
    found = words(before, after)
    assert "".join(part.text for part in found if part.status != "added") == before
    assert "".join(part.text for part in found if part.status != "deleted") == after
    assert all(part.text for part in found)


@given(*[st.lists(st.sampled_from(["Reed.", "Straw.", "# Wool", "* one\n* two", "> said"]), max_size=6)] * 2)
def test_both_documents_can_be_read_from_the_blocks(before: list[str], after: list[str]) -> None:
    old, new = (parse("x\n\n" + "\n\n".join(blocks) + "\n").document for blocks in (before, after))
    found = compare(old, new)
    assert [one.after for one in found if one.after is not None] == new["nodes"]
    assert [one.before["key"] for one in found if one.before is not None] == [node["key"] for node in old["nodes"]]


def test_blocks_within_a_block_are_lines_of_their_own() -> None:
    before = parse("* One\n* Two and more of it\n").document
    after = parse("* One\n* Two and less of it\n").document
    [only] = compare(before, after)
    assert "".join(part.text for part in only.words if part.status != "added") == "One\nTwo and more of it"
