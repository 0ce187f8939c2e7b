"""Text: marks and inlines."""

from __future__ import annotations

from typing import Any

import pytest

from octavo.content.document import Node, plain, walk
from octavo.content.markdown import parse


def nodes(source: str) -> list[Node]:
    paragraphs = parse(source).document["nodes"]
    assert [node["type"] for node in paragraphs] == ["paragraph"]
    return paragraphs[0]["nodes"]


def runs(source: str) -> list[tuple[str, ...]]:
    """Each run of text with its marks."""
    found = [leaf for node in nodes(source) for one in walk(node) for leaf in one.get("leaves", ())]
    return [(leaf["text"], *(mark["type"] for mark in leaf["marks"])) for leaf in found]


def inline(source: str) -> tuple[str, Any]:
    found = [node for node in nodes(f"a {source} b") if node["object"] == "inline"]
    assert len(found) == 1
    return found[0]["type"], found[0]["data"]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("**a** b", [("a", "bold"), (" b",)]),
        ("*a **b***", [("a ", "italic"), ("b", "bold", "italic")]),
        ("<b>a</b><strong>b</strong> <i>c</i><em>d</em>", [("ab", "bold"), (" ",), ("cd", "italic")]),
        ("~~a~~<del>b</del>", [("ab", "strikethrough")]),
        ("`a` <code>b</code>", [("a", "code"), (" ",), ("b", "code")]),
        ("**`a`**", [("a", "bold", "code")]),
        ("<kbd>a</kbd>", [("a", "keyboard")]),
        ("x<sup>2</sup><sub>i</sub>", [("x",), ("2", "superscript"), ("i", "subscript")]),
        ("a\\\nb  \nc<br>d<br/>e\nf", [("a\nb\nc\nd\ne f",)]),
        ("a.\\", [("a.",)]),
        ("Note:  \\\n", [("Note:",)]),
        ("a\\\\", [("a\\",)]),
        ("`a\\`", [("a\\", "code")]),
        ("in C:\\dir\\", [("in C:\\dir\\",)]),
        ("to C:\\", [("to C:\\",)]),
        ("\\", []),
        ("**bold <kbd>x** y</kbd>", [("bold x", "bold"), (" y",)]),
        ("\\*a\\* &lt;b&gt; &copy; 2 < 3", [("*a* <b> © 2 < 3",)]),
        ("a <!-- hidden --> b", [("a  b",)]),
        ("<b>open", [("open",)]),
        ("a<unknown>b</unknown>", [("ab",)]),
        ("10:30:45 :no-such-emoji:", [("10:30:45 :no-such-emoji:",)]),
        ("$5 and $6", [("$5 and $6",)]),
        ("<b></b>", []),
    ],
)
def test_marks(source: str, expected: list[tuple[str, ...]]) -> None:
    assert (runs(source) if expected else parse(source).document["nodes"]) == expected


def test_colours() -> None:
    data = [
        mark["data"]
        for source in (
            '<mark style="color:red;">a</mark>',
            '<mark style="color:$primary;background-color:yellow;">a</mark>',
            '<mark style="background-color: blue">a</mark>',
            "<mark>a</mark>",
        )
        for mark in nodes(source)[0]["leaves"][0]["marks"]
    ]
    assert data == [
        {"text": "red", "background": "default"},
        {"text": "$primary", "background": "yellow"},
        {"text": "default", "background": "blue"},
        {"text": "default", "background": "yellow"},
    ]
    page = parse('Text\n\n<mark style="color:#ff0000">a</mark>')
    assert page.warnings == ["There is no colour '#ff0000' (line 3)"]
    assert plain(page.document) == "Texta"


@pytest.mark.parametrize(
    ("source", "type_", "data"),
    [
        ("[x](u)", "link", {"ref": {"kind": "url", "url": "u"}}),
        ('<a href="u">x</a>', "link", {"ref": {"kind": "url", "url": "u"}}),
        ('[x](u "mention")', "mention", {"ref": {"kind": "url", "url": "u"}}),
        ('<a href="u" data-mention>x</a>', "mention", {"ref": {"kind": "url", "url": "u"}}),
        (":white_check_mark:", "emoji", {"code": "2705"}),
        (":+1:", "emoji", {"code": "1f44d"}),
        ('<span data-gb-custom-inline data-tag="emoji" data-code="1f680">🚀</span>', "emoji", {"code": "1f680"}),
        ('<i class="fa-leaf">:leaf:</i>', "icon", {"icon": "leaf"}),
        ('<i class="fa-leaf" style="color:$danger;">:leaf:</i>', "icon", {"icon": "leaf", "color": "$danger"}),
        ('<img src="a" alt="b" data-size="line">', "inline-image",
         {"ref": {"kind": "url", "url": "a"}, "alt": "b", "size": "line"}),
        ("![b *c*](a)", "inline-image", {"ref": {"kind": "url", "url": "a"}, "alt": "b c"}),
        ('<picture><source srcset="d 2x" media="(prefers-color-scheme: dark)"><img src="a" alt=""></picture>', "inline-image",
         {"ref": {"kind": "url", "url": "a"}, "refDark": {"kind": "url", "url": "d"}}),
        ("$$a_b * c$$", "inline-math", {"formula": "a_b * c"}),
        ('<code class="expression">a.b * c * "&lt;"</code>', "expression", {"expression": 'a.b * c * "<"'}),
        ('<a href="u" class="button primary" data-icon="play">Go *on*</a>', "button",
         {"label": "Go on", "kind": "primary", "icon": "play", "ref": {"kind": "url", "url": "u"}}),
        ('<button type="button" class="button secondary" data-action="ask" data-query="q?" data-icon="i">A</button>', "button",
         {"label": "A", "kind": "secondary", "icon": "i", "action": {"action": "ask", "query": "q?"}}),
    ],
)  # fmt: skip
def test_inlines(source: str, type_: str, data: dict[str, Any]) -> None:
    assert inline(source) == (type_, data)


def test_links_hold_text_with_marks_and_images() -> None:
    link = nodes("a [b **c** ![d](e)](f)")[1]
    assert plain(link) == "b c "
    assert [node.get("type") for node in link["nodes"]] == [None, "inline-image"]
    assert runs('<a href="u">a <a href="v">b</a></a>') == [("a b",)]


def test_what_stands_for_an_icon_is_dropped_and_other_words_stay() -> None:
    assert plain({"object": "block", "nodes": nodes('x <i class="fa-leaf">leaf</i>')}) == "x "
    assert runs('x <i class="fa-leaf">words</i>') == [("x ",), ("words",)]
    assert runs('x <i class="fa-leaf">words') == [("x words",)]


def test_html_text_counts_white_space_once() -> None:
    page = parse("<p>\n  a\n  <b>b</b>   c &amp;amp;\n</p>")
    assert plain(page.document) == "a b c &amp;"


def test_unsafe_addresses_are_kept_as_they_are() -> None:
    assert inline("[x](javascript:alert%281%29)") == (
        "link",
        {"ref": {"kind": "url", "url": "javascript:alert%281%29"}},
    )
