"""The grammar of the table of contents, and what happens to lines outside of it."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from octavo.content.layout.summary import Entry, parse


def shape(entries: list[Entry]) -> list[object]:
    return [
        (entry.title, entry.href, shape(entry.children)) if entry.children else (entry.title, entry.href)
        for entry in entries
    ]


def test_groups_entries_and_nesting() -> None:
    read = parse(
        "# Table of contents\n\n* [Home](README.md)\n\n## Basics\n\n* [One](basics/one.md)\n  * [Two](basics/two.md)\n"
        '    * [Three](basics/three.md "Third")\n* [Four](<basics/a b.md>)\n\n'
        '## API & SDK <a href="#api" id="api"></a>\n\n- [Spec](https://example.org/x)\n'
    )
    assert read.warnings == []
    home, basics, api = read.entries
    assert (home.title, home.href, home.group, home.line) == ("Home", "README.md", False, 3)
    assert (basics.title, basics.group, basics.anchor, basics.line) == ("Basics", True, None, 5)
    assert shape(basics.children) == [
        ("One", "basics/one.md", [("Two", "basics/two.md", [("Three", "basics/three.md")])]),
        ("Four", "basics/a%20b.md"),
    ]
    assert basics.children[0].children[0].children[0].link_title == "Third"
    assert (api.title, api.group, api.anchor) == ("API & SDK", True, "api")
    assert shape(api.children) == [("Spec", "https://example.org/x")]


def test_titles_keep_what_authors_wrote() -> None:
    read = parse("* [C\\# `code` *and* A & B](c.md)\n* [x \\[y\\]](d.md)\n* [über](e.md)\n")
    assert [entry.title for entry in read.entries] == ["C# code and A & B", "x [y]", "über"]


def test_a_computed_entry() -> None:
    read = parse(
        "## API\n\n* ```yaml\n  type: builtin:openapi\n  props:\n    models: true\n    grouping: by-tag\n"
        "  dependencies:\n    spec:\n      ref:\n        kind: openapi\n        spec: petstore\n  ```\n"
    )
    (entry,) = read.entries[0].children
    assert read.warnings == []
    assert entry.title == "petstore"
    assert entry.computed == {
        "type": "builtin:openapi",
        "props": {"models": True, "grouping": "by-tag"},
        "dependencies": {"spec": {"ref": {"kind": "openapi", "spec": "petstore"}}},
    }


def test_addresses_with_spaces_are_understood_without_brackets() -> None:
    read = parse('* [A page](some folder/a page.md "Label")\n')
    assert shape(read.entries) == [("A page", "some folder/a page.md")]
    assert read.entries[0].link_title == "Label"


def test_broken_lines_become_warnings_and_lose_no_label() -> None:
    read = parse(
        "# Title\n\nSome words.\n\n* Plain text\n* [Empty]()\n* [A](a.md) and more\n*\n"
        "* ```yaml\n  type: [\n  ```\n* ```yaml\n  props: {}\n  ```\n"
    )
    assert shape(read.entries) == [("Plain text", None), ("Empty", None), ("A", "a.md")]
    lines = [line for line, _ in read.warnings]
    assert {3, 7, 8, 9, 12} <= set(lines)
    assert lines == sorted(lines)


def test_addresses_may_be_defined_apart() -> None:
    assert shape(parse("* [A][a]\n\n[a]: dir/a.md\n").entries) == [("A", "dir/a.md")]


def test_two_links_in_one_bullet_are_two_entries() -> None:
    assert shape(parse("* [A](a.md)\n[B](b.md)\n").entries) == [("A", "a.md"), ("B", "b.md")]


def test_comments_and_front_matter_are_passed_over() -> None:
    read = parse("---\ntitle: x\n---\n<!--\n* [Hidden](h.md)\n-->\n\n* [A](a.md)\n")
    assert shape(read.entries) == [("A", "a.md")]
    assert read.entries[0].line == 8
    assert read.warnings == []


def test_line_ends_and_a_byte_order_mark() -> None:
    read = parse("\ufeff* [A](a.md)\r\n* [B](b.md)\r* [C](c.md)\n* \n")
    assert [(entry.title, entry.line) for entry in read.entries] == [("A", 1), ("B", 2), ("C", 3)]
    assert [line for line, _ in read.warnings] == [4]


def test_an_endless_line_is_left_out() -> None:
    read = parse(f"* [A](a.md)\n* {'[' * 200_000}\n* [B](b.md)\n")
    assert shape(read.entries) == [("A", "a.md"), ("B", "b.md")]
    assert read.warnings == [(2, "is longer than 2048 characters and was left out")]


def test_rules_around_bullets_are_not_front_matter() -> None:
    assert shape(parse("---\n* [A](a.md)\n\n---\n* [B](b.md)\n").entries) == [("A", "a.md"), ("B", "b.md")]


def nested(depth: int) -> str:
    return "".join(f"{'  ' * level}* [P{level}](p{level}.md)\n" for level in range(depth))


def test_fifty_levels_are_read() -> None:
    entries, depth = parse(nested(50)).entries, 0
    while entries:
        assert [entry.title for entry in entries] == [f"P{depth}"]
        entries, depth = entries[0].children, depth + 1
    assert depth == 50


def test_what_is_nested_too_deeply_is_reported_line_by_line() -> None:
    read = parse(nested(300))
    found, entries = 0, read.entries
    while entries:
        found, entries = found + 1, entries[0].children
    assert found >= 60
    assert [line for line, _ in read.warnings] == list(range(found + 1, 301))


@settings(max_examples=150, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            [
                "* ",
                "  ",
                "# ",
                "## ",
                "[a](b.md)",
                "[",
                "](",
                ")",
                "```yaml",
                "type: x",
                "\n",
                "1. ",
                "\t",
                "<a id='x'>",
                "---",
                "\\",
                "é",
                "\r\n",
            ]
        ),
        max_size=30,
    ).map("".join)
)
def test_nothing_raises(text: str) -> None:
    read = parse(text)
    assert all(entry.line >= 1 for entry in read.entries)
