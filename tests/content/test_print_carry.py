"""An edit of a part of a block leaves the rest of it as its author wrote it."""

from __future__ import annotations

import copy
import re
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from octavo.content.document import Node, walk
from octavo.content.markdown.parse import parse
from octavo.content.markdown.printer import print_page
from octavo.content.markdown.printer_carry import carried
from octavo.content.markdown.printer_keep import content
from tests.profiles import law

Edit = Callable[[Node], None]


def printed(source: str, edit: Edit) -> str:
    base = parse(source)
    page = copy.deepcopy(base.document)
    edit(page["nodes"][0])
    made = print_page(page, base=base)
    assert content(parse(made).document) == content(page)
    return made


def said(word: str, other: str) -> Edit:
    """Another word in the place of one."""

    def edit(node: Node) -> None:
        [leaf] = [leaf for one in walk(node) for leaf in one.get("leaves", ()) if word in leaf["text"]]
        leaf["text"] = leaf["text"].replace(word, other)

    return edit


def gone(at: int) -> Edit:
    def edit(node: Node) -> None:
        del node["nodes"][at]

    return edit


def twice(at: int) -> Edit:
    def edit(node: Node) -> None:
        node["nodes"].insert(at, copy.deepcopy(node["nodes"][at]))

    return edit


DASHED = "- one\n- two\n    - *in* it\n\n    - deep\n- three\n"
PADDED = "| Name  | What   |\n|-------|:------:|\n| `one` | *two*  |\n| three | __fo__ |\n"
FENCED = "~~~yaml\na:\n- one\n-   two\n~~~\n"
WRAPPED = "A first line that says\nsomething *of* note, __and__\nwhat follows.\n"
LISTED = "<ul>\n<li>one</li>\n<li>two &amp; more</li>\n</ul>\n"
QUOTED = ">*one* is\n>two\n>\n>three\n"


@pytest.mark.parametrize(
    ("source", "edit", "expected"),
    [
        (DASHED, said("two", "other"), DASHED.replace("two", "other")),
        (DASHED, said("deep", "deeper down"), DASHED.replace("deep", "deeper down")),
        (DASHED, gone(0), DASHED.replace("- one\n", "")),
        (DASHED, twice(2), DASHED + "- three\n"),
        ("+ one\n+ two\n", twice(0), "+ one\n+ one\n+ two\n"),
        ("1) one\n2) two\n", said("one", "an item"), "1) an item\n2) two\n"),
        ("3) one\n4) two\n", twice(0), "3) one\n4) one\n5) two\n"),
        (PADDED, said("three", "another"), PADDED.replace("three", "another")),
        (FENCED, said("two", "three"), FENCED.replace("two", "three")),
        (WRAPPED, said("note", "interest"), WRAPPED.replace("note", "interest")),
        (WRAPPED, said("follows", "is next"), WRAPPED.replace("follows", "is next")),
        (QUOTED, said("three", "four"), QUOTED.replace("three", "four")),
        (LISTED, said("one", "first"), LISTED.replace("one", "first")),
    ],
)  # fmt: skip
def test_what_is_not_edited_stays_as_it_was_written(source: str, edit: Edit, expected: str) -> None:
    assert printed(source, edit) == expected


@pytest.mark.parametrize("source", ["## A\nb\n- c\n- d\n", "a\n```\nb\n```\n> c\n", "a\n\n\n\nb\n"])
def test_what_stands_between_blocks_stays_beside_an_edited_one(source: str) -> None:
    base = parse(source)
    page = copy.deepcopy(base.document)
    leaf = next(leaf for one in walk(page["nodes"][-1]) for leaf in one.get("leaves", ()))
    leaf["text"] += "x"
    assert print_page(page, base=base) == source.replace(leaf["text"][:-1] + "\n", leaf["text"] + "\n")


def test_what_would_read_otherwise_is_written_anew() -> None:
    """The author raises all of it at once, the printer each part: a change of one of its parts does not fit hers."""
    assert printed("- a <sup>\\[[1](u)\\]</sup>\n- b\n", said("[", "[Q")).startswith("* a <sup>\\[Q</sup>")


def test_an_address_is_never_left_with_the_words_of_another() -> None:
    """Words of links are alike, and their addresses are not words."""
    links = "".join(f'* <a href="https://a.b/c.{name}">The {name}</a>\n' for name in ("css", "js", "png"))
    for at in range(3):
        assert printed(links, gone(at)).count("https://a.b/c.") == 2
    assert printed("- [a](<b c.md>) d\n- e\n", said("d", "f")) == "- [a](<b c.md>) f\n- e\n"


def test_texts_that_have_nothing_in_common_are_no_edit() -> None:
    assert carried("- one two\n", "* one two", "* three four") is None
    assert carried("something else\n", "* one two", "* one three") is None


ITEMS = st.lists(
    st.tuples(
        st.sampled_from(["one", "two words", "`code`", "*some* text", "__bold__", "[a](b.md)", "x & y"]), st.booleans()
    ),
    min_size=2,
    max_size=8,
)


@law(60)
@given(ITEMS, st.sampled_from("-+*"), st.sampled_from([2, 3, 4]), st.data())
def test_a_word_more_changes_one_line(
    items: list[tuple[str, bool]], marker: str, wide: int, data: st.DataObject
) -> None:
    lines: list[str] = []
    for text, nested in items:
        lines.append(f"{' ' * wide if nested and lines else ''}{marker} {text}")
    source = "\n".join(lines) + "\n"
    base = parse(source)
    page = copy.deepcopy(base.document)
    leaves = [leaf for one in walk(page) for leaf in one.get("leaves", ()) if re.search(r"\w$", leaf["text"])]
    leaf = data.draw(st.sampled_from(leaves))
    leaf["text"] += "more"
    made = print_page(page, base=base)
    assert content(parse(made).document) == content(page)
    differ = [at for at, (old, new) in enumerate(zip(source.split("\n"), made.split("\n"), strict=True)) if old != new]
    assert len(differ) == 1
