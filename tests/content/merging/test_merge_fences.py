"""Code whose fence one side left open, which ends with the text: joined with the other side's, it takes in nothing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from octavo.content.conflicts import labels
from octavo.content.document import Node
from octavo.content.markdown import parse
from octavo.content.merge.texts import merge_texts
from tests.content.merging.helpers import LABEL
from tests.profiles import law

HEAD = "# Title\n\nFirst.\n\n"
fences = st.sampled_from(["```", "````", "~~~", " ```", "```sh", "~~~~ py"])
bodies = st.sampled_from(["code", "code\n\nmore", "`` ` ``", "```x", "~~", ""])
words = st.sampled_from(["Word.", "Word,\nand more.", "* one\n* two", "```in``` a line", "> Quoted."])


def shapes(source: str) -> list[Node]:
    """The blocks of a text, without their keys."""

    def bare(node: object) -> object:
        if isinstance(node, dict):
            return {name: bare(value) for name, value in node.items() if name != "key"}
        return [bare(one) for one in node] if isinstance(node, list) else node

    return [bare(node) for node in parse(source).document["nodes"]]  # type: ignore[misc]


@law(200)
@given(fences, bodies, words, st.booleans(), st.booleans())
def test_what_both_sides_put_at_the_end_are_blocks_of_both(
    fence: str, body: str, other: str, first: bool, closed: bool
) -> None:
    code = f"{fence}\n{body}\n" + (f"{fence.strip()[:4].rstrip(' sp')}\n\n[a]: b\n" if closed else "")
    ours, theirs = (code, f"{other}\n") if first else (f"{other}\n", code)
    made = merge_texts(HEAD, HEAD + ours, HEAD + theirs, LABEL)
    assert made.conflicts == []
    assert shapes(made.source)[1:] == shapes(ours) + shapes(theirs)


@pytest.mark.parametrize(
    ("base", "ours", "theirs", "kinds"),
    [
        ("```\nx\n", "```\ny\n", "```\nz\n", ["code", "if"]),
        ("```\nx\n```\n", "```\ny\n```\n", "```\nz\n", ["code", "if"]),
        ("```sh\nmake\n", "```sh\nmake all\n", "Run it.\n", ["code", "if"]),
        ("B.\n", "Ours.\n", "```\nz\n\nmore\n", ["paragraph", "if"]),
        ("B.\n\nC.\n", "B ours.\n\nC.\n", "~~~\nB theirs.\n\nC.\n", ["paragraph", "paragraph", "if"]),
        ("B.\n", "Ours.\n", "```in``` a line\n", ["paragraph", "if"]),
    ],
)
def test_a_mark_takes_in_what_the_other_side_wrote_and_no_more(
    base: str, ours: str, theirs: str, kinds: list[str]
) -> None:
    made = merge_texts(HEAD + base, HEAD + ours, HEAD + theirs, LABEL)
    document = parse(made.source).document
    assert [node["type"] for node in document["nodes"][1:]] == kinds
    assert len(labels(document)) == 1
    assert made.conflicts == ["text"]
    assert "```in``` a line\n```" not in made.source
