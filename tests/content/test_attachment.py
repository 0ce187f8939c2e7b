"""What was attached to a node is found again after the document changed."""

from __future__ import annotations

import pytest

from octavo.content.attachment import Attached, attached, node_of
from octavo.content.document import Node, document, plain, walk
from octavo.content.markdown import parse
from octavo.content.remarks import document_of_remark, mentioned, remark_of_document

BEFORE = """Herons stand in the shallows and wait.

{% tabs %}
{% tab title="Eggs" %}
Blue eggs are those of herons and thrushes.

Spotted eggs are those of terns.
{% endtab %}
{% endtabs %}

Herons stand in the shallows and wait.

| Bird | Eggs |
| ---- | ---- |
| Tern | 2    |
"""


def read(text: str) -> Node:
    return parse(text).document


def named(root: Node, text: str, type_: str = "paragraph") -> Node:
    """The first node of a type whose text begins so."""
    return next(node for node in walk(root) if node.get("type") == type_ and plain(node).startswith(text))


def follow(text: str, after: str, type_: str = "paragraph") -> tuple[str, bool] | None:
    """Where something at a node of `BEFORE` belongs: the text of the node, and whether it changed."""
    before, now = read(BEFORE), read(after)
    found = attached(named(before, text, type_)["key"], before, now)
    if found is None:
        return None
    node = node_of(now, found.node)
    assert node is not None
    return plain(node), found.changed


def test_every_node_stays_where_nothing_changed() -> None:
    before = read(BEFORE)
    for node in list(walk(before))[1:]:
        assert attached(node["key"], before, read(BEFORE)) == Attached(node["key"], changed=False)


def test_a_node_that_moved_is_the_same() -> None:
    moved = "Spotted eggs are those of terns.\n\n" + BEFORE.replace("Spotted eggs are those of terns.\n", "")
    assert follow("Spotted", moved) == ("Spotted eggs are those of terns.", False)


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        ("Spotted eggs", "Speckled eggs", "Speckled eggs are those of terns."),
        ("Blue eggs", "New words.\n\nBlue eggs", "Spotted eggs are those of terns."),
        ("Spotted eggs are those of terns.", "Nobody knows.", None),
        ("Herons", "Egrets", "Spotted eggs are those of terns."),
    ],
)
def test_a_node_within_containers_is_followed_through_them(old: str, new: str, found: str | None) -> None:
    got = follow("Spotted", BEFORE.replace(old, new))
    assert got == (None if found is None else (found, not found.startswith("Spotted")))


def test_what_a_cell_says_is_followed_to_its_row() -> None:
    before, after = read(BEFORE), read(BEFORE.replace("| Tern | 2    |", "| Gull | 1    |\n| Tern | 2    |"))
    key = named(before, "Tern")["key"]
    assert attached(key, before, after) == Attached(key, changed=False)


def test_without_the_old_document_only_the_same_node_is_found() -> None:
    before = read(BEFORE)
    key = named(before, "Spotted")["key"]
    assert attached(key, None, before) == Attached(key, changed=False)
    assert attached(key, None, read(BEFORE.replace("Spotted", "Speckled"))) is None
    assert attached("unknown", before, before) is None


@pytest.mark.parametrize(
    "text", ["# Title\n\ntext", "---\na: 1\n---\n", "plain", "* one\n* two", "a[^1]\n\n[^1]: note", "", "\n\n# x"]
)
def test_remarks_read_back_as_they_were(text: str) -> None:
    read_once = document_of_remark(text)
    keys = [node["key"] for node in walk(read_once) if node is not read_once]
    assert len(keys) == len(set(keys))
    again = document_of_remark(remark_of_document(read_once["nodes"]))
    assert plain(again) == plain(read_once)
    assert [node["type"] for node in again["nodes"]] == [node["type"] for node in read_once["nodes"]]


def test_local_addresses_are_references() -> None:
    text = '[/users/u1](/users/u1 "mention") and [b](/pages/p1) and [c](https://example.org/pages/p1)'
    inlines = [node for node in walk(document_of_remark(text)) if node["object"] == "inline"]
    assert [node["data"]["ref"] for node in inlines] == [
        {"kind": "user", "user": "u1"},
        {"kind": "page", "page": "p1"},
        {"kind": "url", "url": "https://example.org/pages/p1"},
    ]
    assert remark_of_document(document_of_remark(text)["nodes"]) == text
    assert document_of_remark("") == document([])


def test_mentions_are_found() -> None:
    text = '@ada@example.org. [x](/users/u1 "mention"), [x](/users/u1 "mention") [y](/users/u2) z@example.org @@a@b.c'
    assert mentioned(text) == (["u1"], ["ada@example.org"])
    assert mentioned("nobody at all") == ([], [])
